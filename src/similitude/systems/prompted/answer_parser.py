r"""Parses the score from a language model's answer.

As in C-STS (appendix A.3), everything but digits and points is dropped, and the rest is the number. An answer without a
number is invalid. Real answers need more rules. Thoughts between ``<think>`` and ``</think>`` are ignored. Digits count
in any script (``４``, ``٤``, ``④``). A comma between two digits is a decimal mark: ``3,5`` is 3.5; so are ``3 ½`` and
``3分半``. A minus sign (``-``, ``minus``, ``负``) counts only on a scale with negative values. Then the first of these
rules that applies counts, and its name is kept with the answer:

``pattern``
    What the user's own pattern finds.
``marked``
    The number in JSON (``{"score": 4}``), in a tag (``<answer>4</answer>``), in ``\boxed{4}``, or after ``####``.
``alone``
    The answer is one number, or has one in a line of its own: in its first line, or else in its last such line.
``labelled``
    The last number labelled as the score (``Score: 4``). What follows a first answer as another example is ignored.
``given``
    The last number after a verb (``I give it a 4``, ``给4分``).
``concluded``
    The number at the end, after a colon or ``therefore``.
``unit``
    The first number of points or stars.
``only``, ``first``
    The only number that may be the score, or else the first.
``chinese``
    A Chinese numeral that represents a number (``五``, ``三点五``, ``我给四分``), if there is no other digit.
``none``
    There is no number.

`similitude.systems.prompted.number_context` says which numbers may be the score. Number words (``four``, ``vier``) do
not count as numbers, so such an answer is invalid. A number off the scale is kept; only on a scale that ends at 1, 80 %
is 0.8.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from similitude.data.item import Item
from similitude.data.scale import Scale
from similitude.systems.prompted.number_context import (
    FoundNumber,
    can_be_scores,
    find_numbers,
    is_concluding,
    is_given,
    is_labelled,
    is_prose,
    on_scale_of_one,
    words_around,
)
from similitude.systems.prompted.numerals import chinese_number, find_chinese, plain_digits

__all__ = ["ParsedAnswer", "read_score", "replacement", "without_thoughts"]

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_MARKUP = re.compile(r"</?[A-Za-z]\w*>|\\[A-Za-z]+")
_VALUE = r"(-?(?:\d+(?:[.,]\d+)?|\.\d+))"
_MARKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"[\"'](?!max|min|confidence)(?:\w*score|\w*rating|similarity|answer|grade|value|评分|得分|分数|bewertung|punktzahl)[\"']\s*:\s*[\"']?{_VALUE}",
        rf"<(?:answer|score|rating|result|output|final)\w*>[\s*\"']*{_VALUE}[^<\d]*</\w+>",
        rf"\\boxed\s*\{{(?:\\text\s*\{{)?\s*{_VALUE}",
        rf"(?:^|\n)\s*####\s*{_VALUE}",
    )
)
_NEXT_EXAMPLE = re.compile(
    r"\n\s*(?:text|sentence|satz|input|query|example|beispiel|äußerung|句子|文本)\s*\d?\s*[:：]", re.IGNORECASE
)


_MAXIMUM = re.compile(r"^[\s*_)]*(?:/|out of|von|of|\.0\b)\s*[\d.]+", re.IGNORECASE)


class ParsedAnswer(NamedTuple):
    """The parsed answer.

    Attributes:
        value: the number, on or off the scale; None for an invalid answer.
        is_prose: whether it is surrounded by words or other numbers.
        rule: the name of the rule that found it.
    """

    value: float | None
    is_prose: bool = False
    rule: str = "none"


def read_score(answer: str, scale: Scale, pattern: re.Pattern[str] | None = None) -> ParsedAnswer:
    """The score in an answer.

    Args:
        answer: what the model said.
        scale: the scale that it was asked for.
        pattern: finds the score before all other rules: its first group, or all that it matches. If it matches
            nothing, the answer is invalid.

    >>> five = Scale(low=1, high=5)
    >>> read_score("The Answer is 2.0.", five).value, read_score("not 5 but 2", five).value
    (2.0, 2.0)
    >>> read_score("４", five), read_score("I cannot say.", five)
    (ParsedAnswer(value=4.0, is_prose=False, rule='alone'), ParsedAnswer(value=None, is_prose=True, rule='none'))
    """
    raw = without_thoughts(answer)
    if pattern is not None:
        return _by_pattern(raw, scale, pattern)
    text = plain_digits(raw)
    marked = _marked(text, scale)
    if marked is not None:
        return marked
    text = _MARKUP.sub(" ", text)
    return _read_first_answer(text, scale) or _read(text, scale)


def without_thoughts(answer: str) -> str:
    """The answer without what stands between ``<think>`` and ``</think>``, of which a prompt may have given the first.

    >>> without_thoughts("<think>5?</think>4"), without_thoughts("5?</think>4")
    (' 4', '4')
    """
    return _END_OF_THOUGHT.split(_THOUGHT.sub(" ", answer))[-1]


def replacement(item: Item, scale: Scale, seed: int, draw: int = 0) -> float:
    """The replacement for an invalid answer: drawn from U[low, high], depending only on the seed and the item.

    >>> item, five = Item(id="1", left="a", right="b"), Scale(low=1, high=5)
    >>> replacement(item, five, seed=0) == replacement(item, five, seed=0)
    True
    """
    content = repr((item.left, item.right, item.context, item.condition, seed, draw))
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).digest()
    return float(np.random.default_rng(int.from_bytes(digest[:16])).uniform(scale.low, scale.high))


def _by_pattern(raw: str, scale: Scale, pattern: re.Pattern[str]) -> ParsedAnswer:
    match = pattern.search(raw)
    if match is None:
        return ParsedAnswer(None, is_prose=bool(raw.strip()))
    found = next((group for group in match.groups() if group), match[0])
    read = _read(plain_digits(found), scale)
    return read._replace(rule="pattern" if read.value is not None else "none")


def _marked(text: str, scale: Scale) -> ParsedAnswer | None:
    """The number at a place that is made for the score; the last of several."""
    for pattern in _MARKED:
        matches = list(pattern.finditer(text))
        if matches:
            value = on_scale_of_one(float(matches[-1][1].replace(",", ".")), text[matches[-1].end(1) :], scale)
            rest = _MARKUP.sub(" ", text[: matches[-1].start()] + text[matches[-1].end() :])
            return ParsedAnswer(value if scale.low < 0 else abs(value), words_around("", rest), "marked")
    return None


def _read_first_answer(text: str, scale: Scale) -> ParsedAnswer | None:
    """The answer before the model goes on with another example; None if there is none."""
    cut = _NEXT_EXAMPLE.search(text)
    if cut is None:
        return None
    read = _read(text[: cut.start()], scale)
    return read._replace(is_prose=True) if read.rule in ("alone", "labelled") else None


def _read(text: str, scale: Scale) -> ParsedAnswer:
    found = find_numbers(text, is_signed=scale.low < 0)
    if not found:
        return _read_chinese(text)
    left = can_be_scores(text, found, scale)
    if not left:
        return ParsedAnswer(None, is_prose=True)
    chosen, rule = _choose(text, left)
    if not math.isfinite(chosen.value):
        return ParsedAnswer(None, is_prose=True)
    value = on_scale_of_one(chosen.value, chosen.after, scale)
    return ParsedAnswer(value, is_prose(text, chosen, left), rule)


def _choose(text: str, left: Sequence[FoundNumber]) -> tuple[FoundNumber, str]:
    alone = [number for number in left if _is_alone(text, number)]
    if alone:
        return (alone[0] if not text[: alone[0].start].strip() else alone[-1]), "alone"
    for rule, fits in (("labelled", is_labelled), ("given", is_given)):
        fitting = [number for number in left if fits(number)]
        if fitting:
            return fitting[-1], rule
    if is_concluding(text, left[-1]):
        return left[-1], "concluded"
    with_unit = [number for number in left if number.has_unit]
    if with_unit and len(left) > 1:
        return with_unit[0], "unit"
    return left[0], "first" if len(left) > 1 else "only"


def _is_alone(text: str, number: FoundNumber) -> bool:
    """Whether the number is in a line without words and other numbers, but for its label, its unit and the maximum."""
    start = text.rfind("\n", 0, number.start) + 1
    end = text.find("\n", number.end)
    before, after = text[start : number.start], text[number.end : end if end >= 0 else len(text)]
    if len(before) + len(after) > 200 or any(mark.isdigit() for mark in before):
        return False
    return not words_around(before, after) and not _has_more(after)


def _has_more(after: str) -> bool:
    """Whether another number follows that is not the maximum."""
    return bool(re.search(r"\d", _MAXIMUM.sub("", after)))


def _read_chinese(text: str) -> ParsedAnswer:
    found = find_chinese(text)
    if found is None:
        return ParsedAnswer(None, is_prose=bool(re.search(r"[^\W\d_]", text)))
    around = words_around(text[: found.start()], text[found.end() :])
    return ParsedAnswer(chinese_number(found), around, "chinese")
