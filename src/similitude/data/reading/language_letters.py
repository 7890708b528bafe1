"""Letters of languages outside ASCII: what a text in a legacy encoding should consist of, once it is read right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["LANGUAGES", "PUNCTUATION", "Alphabet", "Script"]


Script = Literal["latin", "other", "unspaced"]
"""Latin letters; others, which never stand in a word with Latin ones; others, which may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alphabet:
    """The letters of a language that are not ASCII.

    Attributes:
        letters: the letters, in lower case; of many, the most frequent.
        share: how much of a text's letters outside ASCII these make up, at least.
        script: how words of this language mix with ASCII letters.
    """

    letters: frozenset[str]
    share: float
    script: Script


def _latin(letters: str) -> Alphabet:
    return Alphabet(letters=frozenset(letters), share=0.95, script="latin")


def _other(letters: str, share: float) -> Alphabet:
    return Alphabet(letters=frozenset(letters), share=share, script="other")


def _unspaced(letters: str, share: float) -> Alphabet:
    return Alphabet(letters=frozenset(letters), share=share, script="unspaced")


_KANA = "".join(map(chr, [*range(0x3041, 0x3094), *range(0x30A1, 0x30F7), 0x30FC]))

LANGUAGES = {
    "German": _latin("äöüß"),
    "French": _latin("éèêëàâçîïôùûüœæ"),
    "Spanish": _latin("áéíóúñü"),
    "Portuguese": _latin("ãõáéíóúâêôàç"),
    "Italian": _latin("àèéìòù"),
    "Dutch": _latin("éëïöüèá"),
    "Scandinavian": _latin("åäöæøé"),
    "Icelandic": _latin("áéíóúýðþæö"),
    "Catalan": _latin("àçéèíïóòúü·"),
    "Polish": _latin("ąćęłńóśźż"),
    "Czech": _latin("áčďéěíňóřšťúůýž"),
    "Slovak": _latin("áäčďéíľňóôšťúýž"),
    "Hungarian": _latin("áéíóöőúüű"),
    "South Slavic": _latin("čćđšž"),
    "Romanian": _latin("ăâîșțşţ"),
    "Turkish": _latin("çğıöşüâ"),
    "Lithuanian": _latin("ąčęėįšųūž"),
    "Latvian": _latin("āčēģīķļņšūž"),
    "Estonian": _latin("õäöüšž"),
    "Russian": _other("оеаинтсрвлкмдпуыя", 0.8),
    "Ukrainian": _other("оанівитерслкудмпяї", 0.8),
    "Bulgarian": _other("аоиетнрсвлкдпмъзуя", 0.8),
    "Greek": _other("αοιετσνηυρπκμλςάέήίόύώδθγ", 0.8),
    "Hebrew": _other("יוהלאמרתבשנםעדקחכפ", 0.8),
    "Arabic": _other("اليمونرتبةعدسفهكقأ", 0.75),
    "Thai": _other("านรอกเงมยลวดทสตะปบคหแจพชขใไโผถ่้ี็ัิืุูึำ์", 0.8),
    "Chinese, simplified": _unspaced(
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所"
        "然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它"
        "与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应向头文体政美相见被利什二等产或新己"
        "制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气"
        "题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空"
        "男孩子狗球吃跑骑车弹吉穿站坐",
        0.3,
    ),
    "Chinese, traditional": _unspaced(
        "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所"
        "然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它"
        "與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應向頭文體政美相見被利什二等產或新己"
        "制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣",
        0.3,
    ),
    "Japanese": _unspaced(_KANA + "日人一大年出本中子見国言上分生手自行者二間事思時気会十家女三前", 0.4),
    "Korean": _unspaced(
        "이다는에의가을를고하지은로도기사한자어서대그나리아시인들일정게있해보과수전라만여니습면것세주상으스적말없장부까마"
        "오우제구무러내신요소관성안했거위유와원남음년원던되며비모중동",
        0.45,
    ),
}
"""Letters by language, for the languages whose texts are still stored in encodings of their own."""

PUNCTUATION = frozenset(
    "‘’‚“”„–—…€£°§«»©®™•·×¹²³¼½¾ºª¿¡†‡‰‹›№"
    "、。，！？：；（）「」『』《》〈〉【】・～．％／－"
    "\N{NO-BREAK SPACE}\N{SOFT HYPHEN}\N{IDEOGRAPHIC SPACE}"
)
"""Characters outside ASCII that texts in any language may have."""
