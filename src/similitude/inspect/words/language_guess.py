"""The language of short texts, guessed from their script, their frequent words and their letters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["GUESSED", "guessed_languages"]

FREQUENT: Mapping[str, str] = {
    "en": "the a an is are was were be been to of and in on at for with that this it he she they his her their you i "
          "we not but from by as have has do does what how who there when my your can will would people man woman two "
          "about into out which some or if so up through along",
    "de": "der die das den dem des ein eine einen einem einer und ist sind war waren nicht mit auf für von zu im am in "
          "es er sie wir ihr ich du dass sich auch wie was wer aber oder bei nach aus um über kein keine haben hat "
          "wird werden kann bitte noch nur mir mich man doch zum zur",
    "fr": "le la les un une des du de et est sont était dans sur pour avec que qui ne pas ce cette il elle nous vous "
          "ils je au aux en par plus mais ou où comme son sa ses leur deux être avoir été on très y",
    "es": "el la los las un una unos y es son era en con por para que no se su sus de del al lo como más pero o está "
          "están hay muy sobre dos hombre mujer yo él ella nosotros usted este esta qué",
    "it": "il lo la i gli le un una uno di del della dei delle e è sono era in con per che non si su da al alla come "
          "più ma o ha hanno due nel nella questo questa anche ci mi",
    "pt": "o a os as um uma de do da dos das e é são era em no na nos com por para que não se seu sua mais mas ou está "
          "estão há muito sobre dois eu ele ela você isso este esta ao à",
    "nl": "de het een en is zijn was waren niet met op voor van te in aan dat die er hij zij wij ik je ook hoe wat wie "
          "maar of bij naar uit om over geen hebben heeft wordt kan nog twee deze",
    "sv": "en ett och är var inte med på för av till i att det den som han hon vi jag du de också hur vad men eller om "
          "från har kan ska två sig",
    "da": "en et og er var ikke med på for af til i at det den som han hun vi jeg du de også hvordan hvad men eller om "
          "fra har kan skal to sig nogle",
    "nb": "en et og er var ikke med på for av til i å at det den som han hun vi jeg du de også hvordan hva men eller "
          "om fra har kan skal to seg noen",
    "fi": "ja on ei se että oli hän ne mutta kun myös ovat olla joka tai kuin niin minä sinä me te he tämä mitä miten "
          "kaksi ole sen",
    "pl": "i w na z do nie się jest są że to o jak po co ale za od przez dla był była czy tym który która dwa ma ich "
          "jego go ja ty",
    "cs": "a v na je se že to s z do i o jak po ale za od pro byl byla není jsou který která dva má jeho ho já ty si "
          "jsem ve",
    "tr": "ve bir bu da de için ile ne mi mı çok var yok daha gibi ama olarak olan iki ben sen o biz değil kadar sonra",
    "ro": "și în de la cu pe un o este sunt nu că din pentru care mai dar sau ce ca al ale a fost au lui ei doi",
    "hu": "a az és egy nem is hogy van volt de ez meg ha már csak mint vagy két én te ki mi azt",
    "ru": "и в не на с для что по из это как или при от все его нет за к у же бы она они был была можно если файл",
    "uk": "і й та у в з що не на для від або є до як при за це його ні вони був була можна якщо цей ця файл",
    "bg": "и в не на с за да се от е са това при към със във като или по която който има няма може ако файл",
    "id": "yang dan di ke dari ini itu untuk dengan tidak ada adalah pada akan saya kami mereka dia dua seorang sedang",
}  # fmt: skip
"""Frequent words of languages in Latin script. A word of several languages speaks for each of them, but less."""

LETTERS: Mapping[str, Mapping[str, float]] = {
    "[äö]": {"de": 0.3, "sv": 0.3, "fi": 0.3, "hu": 0.1, "tr": 0.1}, "ü": {"de": 0.5, "tr": 0.4, "hu": 0.3},
    "ß": {"de": 3}, "[ñ¿¡]": {"es": 2},
    "[ãõ]": {"pt": 2}, "[łąęśżź]": {"pl": 2}, "[řěů]": {"cs": 2}, "[ğşı]": {"tr": 2},
    "[øæ]": {"da": 1, "nb": 1}, "å": {"sv": 0.5, "da": 0.4, "nb": 0.4}, "[őű]": {"hu": 2},
    "[șțăţ]": {"ro": 2}, "[ạảấầẩậắằặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹđơư]": {"vi": 2}, "[çœêèàùô]": {"fr": 0.5},
    "[òì]": {"it": 1}, "[ыэё]": {"ru": 1}, "[іїєґ]": {"uk": 1}, r"ъ|ят\b|ане\b|ата\b|ите\b": {"bg": 1},
    r"(?:ни[еяй]|ая|ое|ого|ется|ать|ить|ой|ей)\b": {"ru": 0.7}, r"(?:ння|ити|ати)\b": {"uk": 0.7},
    r"ää|öö|yy|ssä\b": {"fi": 1}, "áz|gy|ő": {"hu": 0.5},
}  # fmt: skip
"""Letters that speak for languages, and how much each occurrence counts in frequent words."""

PIECES: Mapping[str, Mapping[str, float]] = {
    r"ing\b|ed\b|\bth|\bwh|\bsh|ght|[aeo]w|ee|oo": {"en": 0.4, "nl": 0.1}, r"sch|tz|cht|ei|keit\b|ung\b": {"de": 0.4},
    r"ij|aa|oe|uu|sch": {"nl": 0.3}, r"eau|aux\b|ette\b|ait\b|oi|eu": {"fr": 0.3},
    r"ci[oó]n\b|ll|ado\b|rr": {"es": 0.2}, r"sz|cz|rz|dz": {"pl": 0.4, "hu": 0.2},
    r"aa|ii|uu|kk|lla\b|ssa\b|sta\b|een\b|oi\b|ien\b|iden\b|ksi\b|ole": {"fi": 0.4},
    r"zz|cch|gli|zione\b|tt[aoi]\b": {"it": 0.4}, r"[nl]h|ção\b|ões\b": {"pt": 0.4},
}  # fmt: skip
"""Pieces of words that speak for languages, in letters that all have."""

SCRIPTS: Mapping[str, str] = {
    "han": r"\p{Han}", "kana": r"[\p{Hiragana}\p{Katakana}]", "ko": r"\p{Hangul}", "cyrillic": r"\p{Cyrillic}",
    "el": r"\p{Greek}", "ar": r"\p{Arabic}", "he": r"\p{Hebrew}", "th": r"\p{Thai}", "hi": r"\p{Devanagari}",
    "latin": r"\p{Latin}",
}  # fmt: skip
DENSE: Final = 2
"""So many Latin letters weigh as much as one character of Chinese, Japanese or Korean."""

OTHER_SCRIPT: Final = r"[\p{L}&&[^\p{Latin}]]"
VOTING = (*FREQUENT, "vi")
GUESSED = (*VOTING, "zh", "ja", "ko", "el", "ar", "fa", "he", "th", "hi")
"""The codes of the languages that can be guessed."""

CYRILLIC: Final = "cyrillic"
"""What stands for the languages in Cyrillic script, among which words and letters decide."""

TEXT = pl.col("text")
LEAST: Final = 0.16
"""The least share of words that must speak for a language: a single frequent word among seven may be a coincidence."""

SLICE = 50_000
"""Texts whose words are counted at a time."""


def guessed_languages(texts: pl.Series) -> pl.Series:
    """The code of the language of each text; null where nothing tells, as in "Dogs run" or "OK".

    >>> texts = ["Where is the dog?", "Wo ist der Hund?", "狗在哪里？", "犬はどこですか", "OK"]
    >>> guessed_languages(pl.Series(texts)).to_list()
    ['en', 'de', 'zh', 'ja', None]
    """
    rows = texts.alias("text").to_frame().with_row_index("row").filter(TEXT.is_not_null())
    other = rows.filter(TEXT.str.contains(OTHER_SCRIPT))
    by_script = _by_script(other)
    known = by_script.filter(pl.col("guess").is_not_null() & (pl.col("guess") != CYRILLIC))
    voted = _by_words(rows.join(known, on="row", how="anti"))
    found = pl.concat([known, voted]).filter(pl.col("guess").is_not_null())
    whole = texts.to_frame("text").with_row_index("row")
    return whole.join(found, on="row", how="left", maintain_order="left")["guess"].alias("language")


def _by_script(rows: pl.DataFrame) -> pl.DataFrame:
    """The guesses from the letters of scripts other than Latin; null where Latin letters prevail."""
    counts = rows.with_columns(TEXT.str.count_matches(pattern).alias(name) for name, pattern in SCRIPTS.items())
    latin, asian = pl.col("latin"), DENSE * pl.sum_horizontal("han", "kana")
    arabic = pl.when(TEXT.str.contains("[پچگژکی]")).then(pl.lit("fa")).otherwise(pl.lit("ar"))
    guess = (
        pl.when((pl.col("kana") > 0) & (asian > latin)).then(pl.lit("ja"))
        .when(asian > latin).then(pl.lit("zh"))
        .when(DENSE * pl.col("ko") > latin).then(pl.lit("ko"))
        .when(pl.col("cyrillic") > latin).then(pl.lit(CYRILLIC))
        .when(pl.col("ar") > latin).then(arabic)
    )  # fmt: skip
    for code in ("el", "he", "th", "hi"):
        guess = guess.when(pl.col(code) > latin).then(pl.lit(code))
    return counts.select("row", guess.otherwise(None).alias("guess"))


def _by_words(rows: pl.DataFrame) -> pl.DataFrame:
    """The language that most frequent words and letters speak for; null if there are none, or two are equal."""
    parts = [_loudest(part) for part in rows.select("row", TEXT.str.to_lowercase()).iter_slices(SLICE)]
    empty = pl.DataFrame(schema={"row": rows.schema["row"], "guess": pl.String})
    return pl.concat([empty, *parts])


def _loudest(rows: pl.DataFrame) -> pl.DataFrame:
    words = rows.select(TEXT.str.extract_all(r"[\p{L}\p{M}]+").alias("word"))
    marked = rows["text"].str.contains(r"[^\x00-\x7F]").arg_true()
    votes = _heard_words(words) + _heard_pieces(rows, PIECES, None) + _heard_pieces(rows, LETTERS, marked)
    order = np.sort(votes, axis=1)
    enough = LEAST * words["word"].list.len().to_numpy()
    clear = (order[:, -1] > order[:, -2] + 1e-6) & (order[:, -1] >= enough)
    names = pl.Series(VOTING).gather(votes.argmax(axis=1))
    return rows.select("row", pl.when(pl.Series(clear)).then(names).alias("guess"))


def _heard_words(words: pl.DataFrame) -> NDArray[np.float32]:
    """How much the words of each text speak for each language."""
    known, weights = _word_votes()
    found = (
        words.with_row_index("place")
        .explode("word", empty_as_null=False)
        .join(known, on="word", how="inner", maintain_order="left")
    )
    places, codes = found["place"].to_numpy(), found["code"].to_numpy()
    heard = np.zeros((words.height, len(VOTING)), dtype=np.float32)
    starts = np.flatnonzero(np.concatenate([[True], places[1:] != places[:-1]])[: len(places)])
    if len(starts):
        heard[places[starts]] = np.add.reduceat(weights[codes], starts, axis=0)
    return heard


@lru_cache(maxsize=1)
def _word_votes() -> tuple[pl.DataFrame, NDArray[np.float32]]:
    """The frequent words, and a vote for each language that has a word, the less the more languages have it."""
    words = list(dict.fromkeys(word for listed in FREQUENT.values() for word in listed.split()))
    has = np.array([[word in FREQUENT.get(code, "").split() for code in VOTING] for word in words], dtype=np.float32)
    return pl.DataFrame({"word": words}).with_row_index("code"), has / has.sum(axis=1, keepdims=True)


def _heard_pieces(
    rows: pl.DataFrame, pieces: Mapping[str, Mapping[str, float]], among: pl.Series | None
) -> NDArray[np.float32]:
    """How much pieces of the texts speak for each language; only texts at some places are looked at, or all."""
    heard = np.zeros((rows.height, len(VOTING)), dtype=np.float32)
    places = np.arange(rows.height) if among is None else among.to_numpy()
    texts = rows["text"] if among is None else rows["text"].gather(among)
    for pattern, weights in pieces.items():
        counts = texts.str.count_matches(pattern).to_numpy()
        for language, weight in weights.items():
            heard[places, VOTING.index(language)] += np.float32(weight) * counts
    return heard
