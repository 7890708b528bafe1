"""Parses the score from a language model's answer.

As in C-STS (appendix A.3), everything but digits and points is dropped, and the rest is the number. An answer without a
number is invalid. Real answers need more rules, in this order:

1. Thoughts between ``<think>`` and ``</think>`` are ignored. Digits count in any script (``４``, ``٤``, ``④``), and so
   do Chinese numerals that represent a number (``五``, ``三点五``, ``我给四分``), if there is no other digit.
2. A comma between two digits is a decimal mark: ``3,5`` is 3.5. ``3½`` is 3.5. A minus sign counts only on a scale with
   negative values.
3. The two ends of the scale, named together (``from 1 to 5``), are not scores: an answer that only repeats the question
   is invalid. Of several numbers, the following are ignored if others remain: the maximum (``4/5``, ``4 out of 5``,
   ``满分5分``) and numbers of texts (``sentence 1``, ``第2句``).
4. Of the remaining numbers, the last one labelled as the score (``Score: 4``) counts, or the first if none is.

Number words (``four``, ``vier``) do not count as numbers, so such an answer is invalid. A number off the scale is kept.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import re
from typing import NamedTuple

import numpy as np

from similitude.data.item import Item
from similitude.data.scale import Scale
from similitude.systems.prompted.numerals import chinese_number, find_chinese, plain_digits

__all__ = ["ParsedAnswer", "read_score", "replacement", "without_thoughts"]

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_MARKUP = re.compile(r"</?\w+>|\\[A-Za-z]+")
_NUMBER = re.compile(r"(?<!\d,)(?<!\d)\d+,\d+(?![\d,])|\d+\.\d+|\d+|(?<![\w.])\.\d+")

_LABEL = re.compile(
    r"(?:scores?|ratings?|answer|similarity|grade|output|result|"
    r"punktzahl|bewertung|ähnlichkeit(?:swert)?|antwort|wertung|ergebnis|wert|note|"
    r"评分|得分|分数|打分|答案|相似度|输出|评价)"
    r"[\s\"'`*_:=>]*(?:(?:is|of|ist|von|beträgt|是|为|為)(?![a-z]))?[\s\"'`*_:=>({\[-]*$",
    re.IGNORECASE,
)
_OUT_OF = re.compile(
    r"(?:\d\s*(?:/|of|von|aus)|\b(?:out of|max\.?|maximal)|(?:满分|总分|滿分)\D?)\s*$",
    re.IGNORECASE,
)
_TEXT_NAME = re.compile(
    r"(?:\b(?:sentences?|texts?|turns?|utterances?|statements?|sätzen?|satz|äußerung(?:en)?|aussagen?|beiträge|beitrag"
    r"|texten?)\s*#?|句子?\s*|文本\s*|话语\s*|第\s*)(?:\d+\s*(?:and|&|und|vs\.?|和|与|,)\s*)?$|[A-Za-z]$",
    re.IGNORECASE,
)
_BETWEEN_ENDS = re.compile(r"^\s*(?:-|to|bis|and|und|到|至|和|~|\.\.)\s*$", re.IGNORECASE)
_UNIT = re.compile(r"^\s*(?:分|points?\b|punkte?n?\b|stars?\b|sterne?\b)", re.IGNORECASE)
_OF_SCALE = re.compile(r"^\s*(?:/|out of|von|of)\s*[\d.]+", re.IGNORECASE)
_NEAR = 60
"""How many characters before a number are searched for its label."""
_WORD = re.compile(r"[^\W\d_]")


class ParsedAnswer(NamedTuple):
    """The parsed answer.

    Attributes:
        value: the number, on or off the scale; None for an invalid answer.
        is_prose: whether it is surrounded by words or other numbers.
    """

    value: float | None
    is_prose: bool = False


class _Found(NamedTuple):
    """A number in the answer, its position, and the text before it."""

    value: float
    start: int
    end: int
    before: str


def read_score(answer: str, scale: Scale) -> ParsedAnswer:
    """The score in an answer.

    >>> five = Scale(low=1, high=5)
    >>> read_score("The Answer is 2.0.", five), read_score("４", five)
    (ParsedAnswer(value=2.0, is_prose=True), ParsedAnswer(value=4.0, is_prose=False))
    >>> read_score("I cannot say.", five)
    ParsedAnswer(value=None, is_prose=True)
    """
    text = plain_digits(_MARKUP.sub(" ", without_thoughts(answer)))
    found = _numbers(text, is_signed=scale.low < 0)
    if not found:
        return _read_chinese(text)
    left = _possible_scores(text, found, scale)
    if not left:
        return ParsedAnswer(None, is_prose=True)
    announced = [number for number in left if _LABEL.search(number.before)]
    chosen = announced[-1] if announced else left[0]
    if not math.isfinite(chosen.value):
        return ParsedAnswer(None, is_prose=True)
    return ParsedAnswer(chosen.value, _is_prose(text, chosen, left))


def without_thoughts(answer: str) -> str:
    """The answer without what stands between ``<think>`` and ``</think>``.

    >>> without_thoughts("<think>5?</think>4")
    ' 4'
    """
    return _THOUGHT.sub(" ", answer)


def replacement(item: Item, scale: Scale, seed: int, draw: int = 0) -> float:
    """The replacement for an invalid answer: drawn from U[low, high], depending only on the seed and the item.

    >>> item, five = Item(id="1", left="a", right="b"), Scale(low=1, high=5)
    >>> replacement(item, five, seed=0) == replacement(item, five, seed=0)
    True
    """
    content = repr((item.left, item.right, item.context, item.condition, seed, draw))
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).digest()
    return float(np.random.default_rng(int.from_bytes(digest[:16])).uniform(scale.low, scale.high))


def _numbers(text: str, *, is_signed: bool) -> list[_Found]:
    found = []
    for match in _NUMBER.finditer(text):
        before, value = text[max(0, match.start() - _NEAR) : match.start()], float(match[0].replace(",", "."))
        is_negative = is_signed and before.endswith("-") and not before[:-1].rstrip()[-1:].isdigit()
        found.append(_Found(-value if is_negative else value, *match.span(), before))
    return found


def _possible_scores(text: str, found: list[_Found], scale: Scale) -> list[_Found]:
    """Numbers that may be the score: not the ends of the scale, and nothing else recognisable unless all are."""
    ends = _ends_of_scale(text, found, scale)
    left = [number for number in found if number.start not in ends]
    for other in (_OUT_OF, _TEXT_NAME):
        left = [number for number in left if not other.search(number.before)] or left
    return left


def _ends_of_scale(text: str, found: list[_Found], scale: Scale) -> set[int]:
    """Positions of numbers that name the scale, such as both in "from 1 to 5"."""
    ends = set()
    for one, other in itertools.pairwise(found):
        is_scale = (one.value, abs(other.value)) == (scale.low, scale.high)
        if is_scale and _BETWEEN_ENDS.match(text[one.end : other.start]):
            ends |= {one.start, other.start}
    return ends


def _is_prose(text: str, chosen: _Found, left: list[_Found]) -> bool:
    before = _without_label(text[: chosen.start])
    after = _OF_SCALE.sub("", _UNIT.sub("", text[chosen.end :]))
    return len(left) > 1 or bool(_WORD.search(before) or _WORD.search(_UNIT.sub("", after)))


def _read_chinese(text: str) -> ParsedAnswer:
    found = find_chinese(text)
    if found is None:
        return ParsedAnswer(None, is_prose=bool(_WORD.search(text)))
    before, after = _without_label(text[: found.start()]), text[found.end() :]
    return ParsedAnswer(chinese_number(found), is_prose=bool(_WORD.search(before + after)))


def _without_label(before: str) -> str:
    return before[:-_NEAR] + _LABEL.sub("", before[-_NEAR:])
