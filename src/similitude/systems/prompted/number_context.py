"""What stands around a number in an answer: its label, or a sign that it is not the score.

Everything here looks at a few characters before and after one number, so that time is linear in the answer's length.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from similitude.data.scale import Scale

__all__ = [
    "FoundNumber",
    "can_be_scores",
    "find_numbers",
    "is_concluding",
    "is_given",
    "is_labelled",
    "is_prose",
    "on_scale_of_one",
    "words_around",
]

_NEAR = 60
"""How many characters before and after a number are looked at."""

_NUMBER = re.compile(r"(?<!\d,)(?<!\d)\d+,\d+(?![\d,])|\d+\.\d+|\d+|(?<![\w.])\.\d+")
_MINUS = re.compile(r"(?:-|\bminus\s+|[负負])$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]")

_LABEL = re.compile(
    r"(?:scores?|ratings?|answer|similarity|grade|output|result|level|verdict|"
    r"punktzahl|punktwert|bewertung|ähnlichkeit(?:swert)?|antwort|wertung|ergebnis|wert|note|stufe|urteil|"
    r"评分|得分|分数|打分|答案|相似度|输出|评价|等级|结果)"
    r"[\s\"'`*_:=>]*(?:(?:is|of|ist|lautet|von|beträgt|是|为|為)(?![a-z]))?[\s\"'`*_:=>(<{\[-]*$",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"(?:\b(?:give|gives|gave|rate|rated|assign|award|say|choose|pick|go with|gebe|geben|vergebe|vergeben|sage|"
    r"sagen|wähle|bewerte|bewerten)\b(?:\s+[^\W\d_]+){0,5}?|[给給打评評])[\s\"'*]*$",
    re.IGNORECASE,
)
_CONCLUDED = re.compile(
    r"(?:[:=→]|\b(?:so|hence|thus|therefore|overall|also|somit|daher|insgesamt|eher|closer to|leaning towards?)|"
    r"更接近|因此|所以|综上|總之|总之)"
    r"[\s,，\"'*]*(?:(?:a|an|eine)\s)?[\s\"'*]*$",
    re.IGNORECASE,
)
_OUT_OF = re.compile(
    r"(?:\d\s*(?:/|of|von|aus)|\b(?:score|rating|points|punkte)\s*/|\b(?:out of|max\.?|maximal|maximum(?: of)?)|"
    r"(?:满分|总分|滿分|總分)\D?)\s*$",
    re.IGNORECASE,
)
_OUT_OF_NOTHING = re.compile(r"\bout of\s*$|^\s*/\s*$", re.IGNORECASE)
_IS_MAXIMUM = re.compile(
    r"^\s*(?:分)?\s*(?:制|满分|滿分|为满分|是满分|(?:之)?中)|^\s*-?\s*(?:point|punkte?|stufige|level|er)\w*\s*-?\s*(?:scale|skala)",
    re.IGNORECASE,
)
_TEXT_NAME = re.compile(
    r"(?:\b(?:sentences?|texts?|turns?|utterances?|statements?|sätzen?|satz|äußerung(?:en)?|aussagen?|beiträge|beitrag"
    r"|texten?)\s*#?|句子?\s*|文本\s*|话语\s*)(?:\d+\s*(?:and|&|und|vs\.?|和|与|,)\s*)?$",
    re.IGNORECASE,
)
_TEXTS = re.compile(
    r"[ \t]*(?:(?:sentences|texts|utterances|statements|sätzen?|texten?|äußerungen|aussagen)\b|个?(?:句|文本))",
    re.IGNORECASE,
)
_ORDINAL, _OF_TEXT = re.compile(r"第\s*$"), re.compile(r"^\s*(?:个?句|段|条|轮|则|行)")
_GLUED = re.compile(r"[A-Za-z]$|第\s*$")
_BETWEEN_ENDS = re.compile(
    r"^\s*(?:分|points?|punkte?)?\s*(?:\([^()]{0,40}\)|=[^\d,;.]{1,40}?)?\s*(?:-|to|bis|and|und|到|至|和|~|\.\.\.?)\s*$",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:\b(?:not|isn't|isn’t|never|rather than|instead of|nicht|kein|keine|keinen|statt|anstatt|anstelle von)"
    r"(?:\s+(?:a|an|the|eine|einen|ein|die))?|不是|并非|並非|而非|没有|不到|不足)[\s\"'*]*$",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"(?:\b(?:less|more|lower|higher|fewer|better|worse) than|\b(?:below|above|under|over)|"
    r"\b(?:weniger|mehr|niedriger|höher|unter|über) (?:als )?|低于|高于|超过|少于|多于)(?:\s+(?:a|an|eine))?\s*$",
    re.IGNORECASE,
)
_MEANING = re.compile(
    r"^\s*(?:分|points?|punkte?)?[\"'\s]*"
    r"(?:=\s*[^\W\d_]|(?:means?|meaning|being|stands? for|indicates?|denotes?|bedeutet|heißt|steht für|entspricht)\b|"
    r"表示|代表|意味|是指|即为)",
    re.IGNORECASE,
)
_IMAGINED = re.compile(
    r"^\s*(?:分|points?|punkte?)?\s*(?:(?:would|could|might)\s+(?:be|have|need|require|mean)\b|wäre|würde|"
    r"is too|ist zu|则|會是|会是|太)",
    re.IGNORECASE,
)
_PER_CENT = re.compile(r"^\s*(?:%|per ?cent\b|prozent\b)", re.IGNORECASE)
_LIST_MARK, _AFTER_MARK = re.compile(r"(?:^|\n)\s*$"), re.compile(r"^[.)]\s+\S")
_UNIT = re.compile(r"^\s*(?:分|points?\b|punkte?n?\b|stars?\b|sterne?\b)", re.IGNORECASE)
_OF_SCALE = re.compile(r"^\s*(?:/|out of|von|of)\s*[\d.]+", re.IGNORECASE)
_ENDING = re.compile(r"^[\s\W]*$")


class FoundNumber(NamedTuple):
    """A number in an answer, its position, and the text around it."""

    value: float
    start: int
    end: int
    before: str
    after: str

    @property
    def has_unit(self) -> bool:
        """Whether points or stars follow it."""
        return bool(_UNIT.match(self.after))


def find_numbers(text: str, *, is_signed: bool) -> list[FoundNumber]:
    """The numbers in an answer whose digits are plain.

    Args:
        text: the answer.
        is_signed: whether a minus sign counts.
    """
    found = []
    for match in _NUMBER.finditer(text):
        before, value = text[max(0, match.start() - _NEAR) : match.start()], float(match[0].replace(",", "."))
        minus = _MINUS.search(before) if is_signed else None
        is_negative = minus is not None and not before[: minus.start()].rstrip()[-1:].isdigit()
        after = text[match.end() : match.end() + _NEAR]
        found.append(FoundNumber(-value if is_negative else value, *match.span(), before, after))
    return found


def can_be_scores(text: str, found: Sequence[FoundNumber], scale: Scale) -> list[FoundNumber]:
    """Numbers that may be the score.

    The ends of the scale named together, the numbers of texts and how many there are never are. Everything else that
    looks like another number (the maximum, a rejected or compared number, the legend of the scale, a per cent) is left
    out if any remain.
    """
    never = _ends_of_scale(text, found, scale)
    left = [number for number in found if number.start not in never and not _names_a_text(number)]
    if len(left) == 1 and left[0].value == scale.high and _OUT_OF_NOTHING.search(left[0].before):
        return []
    for is_other in _OTHERS:
        left = [number for number in left if not is_other(number)] or left
    listed = _list_marks(left)
    return [number for number in left if number.start not in listed] or left


def on_scale_of_one(value: float, after: str, scale: Scale) -> float:
    """The number, or a hundredth of it if it is a per cent and the scale ends at 1.

    >>> on_scale_of_one(80, " %", Scale(low=0, high=1)), on_scale_of_one(80, " %", Scale(low=0, high=100))
    (0.8, 80)
    """
    return value / 100 if scale.high == 1 and _PER_CENT.match(after) else value


def is_labelled(number: FoundNumber) -> bool:
    """Whether a label such as ``Score:`` stands before the number."""
    return bool(_LABEL.search(number.before))


def is_given(number: FoundNumber) -> bool:
    """Whether a verb such as ``I give it a`` stands before the number."""
    return bool(_GIVEN.search(number.before))


def is_concluding(text: str, number: FoundNumber) -> bool:
    """Whether the answer ends with the number, after a colon or a word such as ``therefore``."""
    rest = _OF_SCALE.sub("", _UNIT.sub("", text[number.end :]))
    return bool(_CONCLUDED.search(number.before) and _ENDING.match(_UNIT.sub("", rest)))


def is_prose(text: str, chosen: FoundNumber, left: Sequence[FoundNumber]) -> bool:
    """Whether words, or other numbers that may be the score, surround the number."""
    return len(left) > 1 or words_around(text[: chosen.start], text[chosen.end :])


def words_around(before: str, after: str) -> bool:
    """Whether there are words before or after a number, other than its label and its unit."""
    before = before[:-_NEAR] + _LABEL.sub("", before[-_NEAR:])
    after = _OF_SCALE.sub("", _UNIT.sub("", after))
    return bool(_WORD.search(before) or _WORD.search(_UNIT.sub("", after)))


def _names_a_text(number: FoundNumber) -> bool:
    is_ordinal = _ORDINAL.search(number.before) and _OF_TEXT.match(number.after)
    return bool(is_ordinal or _TEXT_NAME.search(number.before) or _TEXTS.match(number.after))


_OTHERS: tuple[Callable[[FoundNumber], object], ...] = (
    lambda number: _OUT_OF.search(number.before) or _IS_MAXIMUM.match(number.after),
    lambda number: _GLUED.search(number.before),
    lambda number: _NEGATED.search(number.before),
    lambda number: _MEANING.match(number.after),
    lambda number: _IMAGINED.match(number.after) or _COMPARED.search(number.before),
    lambda number: _PER_CENT.match(number.after),
)


def _list_marks(found: Sequence[FoundNumber]) -> set[int]:
    """Positions of 1., 2., ... at the starts of lines, if there are at least two."""
    marks = [one for one in found if _LIST_MARK.search(one.before) and _AFTER_MARK.match(one.after)]
    counted = [one.start for place, one in enumerate(marks, start=1) if one.value == place]
    return set(counted) if len(counted) > 1 else set()


def _ends_of_scale(text: str, found: Sequence[FoundNumber], scale: Scale) -> set[int]:
    """Positions of numbers that name the scale, such as both in "from 1 to 5"."""
    ends = set()
    for one, other in itertools.pairwise(found):
        is_scale = (one.value, abs(other.value)) in ((scale.low, scale.high), (scale.high, abs(scale.low)))
        if is_scale and _BETWEEN_ENDS.match(text[one.end : other.start]):
            ends |= {one.start, other.start}
    return ends
