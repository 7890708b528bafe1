r"""Parses the score from a language model's answer.

Thoughts between ``<think>`` and ``</think>`` are ignored. Digits count in any script (``４``, ``٤``, ``④``). A comma
between two digits is a decimal mark: ``3,5`` is 3.5; so are ``3 ½`` and ``3分半``. A minus sign counts only on a scale
with negative values. Then the first of these rules that applies counts, and its name is kept with the answer:

``pattern``
    The only number on the scale in what the user's own pattern finds.
``marked``
    The last number on the scale after a marker: a label (``Score: 4``, ``{"score": 4}``, ``<answer>4</answer>``),
    ``\boxed{4}`` or ``#### 4``. What follows a first answer as another example is ignored.
``only``
    The only number on the scale; a Chinese numeral (``五``, ``我给四分``) counts where there is no digit.
``none``
    There is none: the answer is invalid.

``4/5`` and ``4 out of 5`` are 4 if 5 is the scale's maximum; with another denominator they are no answer. A range
(``3-4``), several numbers without a marker, and numbers off the scale are no answer either. The ends of the scale named
together (``from 1 to 5``) and the numbers of texts (``sentence 2``) do not count. On a scale that ends at 1, 80 % is
0.8.

The templates of C-STS have the paper's own rule (appendix A.3), ``paper``: all but digits and points is dropped, and
the rest is cast to a number, which is kept even if it lies off the scale.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from similitude.data.item import Item
from similitude.data.scale import Scale
from similitude.systems.prompted.numerals import chinese_numbers, plain_digits

__all__ = ["ParsedAnswer", "read_as_in_csts", "read_score", "replacement", "without_thoughts"]

_NEAR = 60
"""How many characters before and after a number are looked at, so that time is linear in the answer's length."""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_NUMBER = re.compile(r"(?<!\d,)(?<![\dA-Za-z])\d+,\d+(?![\d,])|(?<![\dA-Za-z])\d+(?:\.\d+)?|(?<![\w.])\.\d+")
_MINUS = re.compile(r"(?:-|\bminus\s+|[负負])$", re.IGNORECASE)
_WORD, _TAG = re.compile(r"[^\W\d_]"), re.compile(r"</?[A-Za-z]\w*>|\\[A-Za-z]+")

_LABEL = (
    r"(?:(?<![A-Za-z])(?<!confidence[ _])(?<!max[ _])(?<!min[ _])(?<!maximum )(?<!minimum )"
    r"(?:scores?|ratings?|answer|similarity|grade|output|result|level|verdict|"
    r"punktzahl|punktwert|bewertung|ähnlichkeit(?:swert)?|antwort|wertung|ergebnis|wert|note|stufe|urteil)(?![A-Za-z])|"
    r"评分|得分|分数|打分|答案|相似度|输出|评价|等级|结果|\\boxed)"
)
_SAYS = r"[\s\"'`*_]*(?:[:：=>{]|(?:is|ist|lautet|beträgt)\b|是|为|為)"
_MARKED = re.compile(rf"(?:{_LABEL}{_SAYS}|####)(?:\\text)?[\s\"'`*_:：=>(<{{\[-]*$", re.IGNORECASE)
_OPEN_MARKER = re.compile(rf"{_LABEL}[\"'`*_ ]*[:：=]", re.IGNORECASE)
_NEXT_EXAMPLE = re.compile(
    r"\n\s*(?:text|sentence|satz|input|query|example|beispiel|äußerung|句子|文本)\s*\d?\s*[:：]", re.IGNORECASE
)
_RANGE = re.compile(
    r"\s*(?:分|points?|punkte?)?\s*(?:-|~|to|bis|and|und|or|oder|到|至|和|或|\.\.\.?)\s*-?", re.IGNORECASE
)
_FRACTION = re.compile(r"\s*(?:分|points?|punkte?n?|stars?|sterne?n?)?\s*(?:/|out of|of|von|aus)\s*", re.IGNORECASE)
_NO_NUMERATOR = re.compile(r"(?:/|\bout of)\s*$", re.IGNORECASE)
_PER_CENT = re.compile(r"\s*(?:%|per ?cent\b|prozent\b)", re.IGNORECASE)
_UNIT = re.compile(r"\s*(?:/|out of|of|von)\s*[\d.]+|\s*(?:分|points?\b|punkte?n?\b|stars?\b|sterne?\b)", re.IGNORECASE)
_TEXT_NAME = re.compile(
    r"(?:\b(?:sentences?|texts?|turns?|utterances?|statements?|sätzen?|satz|äußerung(?:en)?|aussagen?|beiträge|beitrag"
    r"|texten?)\s*#?|句子?\s*|文本\s*|话语\s*)(?:\d+\s*(?:and|&|und|vs\.?|和|与|,)\s*)?$",
    re.IGNORECASE,
)
_TEXTS = re.compile(
    r"\s*(?:(?:sentences|texts|utterances|statements|sätzen?|texten?|äußerungen|aussagen)\b|个?[句段条轮则行]|个?文本)",
    re.IGNORECASE,
)


class ParsedAnswer(NamedTuple):
    """The parsed answer.

    Attributes:
        value: the number; None for an invalid answer.
        is_prose: whether it is surrounded by words or other numbers.
        rule: the name of the rule that found it.
    """

    value: float | None
    is_prose: bool = False
    rule: str = "none"


class _Number(NamedTuple):
    """A number in an answer.

    Attributes:
        value: None if it cannot be the score: off the scale, of a range, or of a fraction with another denominator.
        start: where it begins.
        end: where it ends.
        is_of_range: whether it is one end of a range.
    """

    value: float | None
    start: int
    end: int
    is_of_range: bool = False


def read_score(answer: str, scale: Scale, pattern: re.Pattern[str] | None = None) -> ParsedAnswer:
    """The score in an answer.

    Args:
        answer: what the model said.
        scale: the scale that it was asked for.
        pattern: finds the score before all other rules: its first group, or all that it matches. If it matches
            nothing, the answer is invalid.

    >>> five = Scale(low=1, high=5)
    >>> read_score("I first thought 2. Score: 4", five).value, read_score("4/5", five).value
    (4.0, 4.0)
    >>> [read_score(answer, five).value for answer in ("3-4", "4/10", "8", "2 dogs, so 4")]
    [None, None, None, None]
    """
    raw = without_thoughts(answer)
    if pattern is not None:
        match = pattern.search(raw)
        found = "" if match is None else next((group for group in match.groups() if group), match[0])
        plain = plain_digits(found)
        read = _only(plain, _numbers(plain, scale))
        return read._replace(rule="pattern") if read.value is not None else ParsedAnswer(None, bool(raw.strip()))
    text = plain_digits(raw)
    cut = _NEXT_EXAMPLE.search(text)
    if cut is not None and (read := _read(text[: cut.start()], scale)).value is not None:
        return read._replace(is_prose=True)
    return _read(text, scale)


def read_as_in_csts(answer: str) -> ParsedAnswer:
    """The number that is left of an answer without all but digits and points, on the scale or off it.

    >>> read_as_in_csts("The Answer is 2.0.").value, read_as_in_csts("4/5").value, read_as_in_csts("none").value
    (2.0, 45.0, None)

    References:
        Deshpande et al. (2023), appendix A.3.
    """
    text = plain_digits(without_thoughts(answer))
    is_prose = bool(_WORD.search(text))
    try:
        value = float(re.sub(r"[^0-9.]", "", text).strip("."))
    except ValueError:
        return ParsedAnswer(None, is_prose)
    return ParsedAnswer(value, is_prose, "paper") if math.isfinite(value) else ParsedAnswer(None, is_prose)


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


def _read(text: str, scale: Scale) -> ParsedAnswer:
    numbers = _numbers(text, scale)
    marked = [one for one in numbers if _MARKED.search(text[max(0, one.start - _NEAR) : one.start])]
    if not marked and (markers := list(_OPEN_MARKER.finditer(text))):
        marked = [one for one in numbers if one.start >= markers[-1].end()]
    if not marked:
        return _only(text, numbers)
    known = [one for one in marked if one.value is not None]
    return _parsed(text, known[-1], "marked") if known else ParsedAnswer(None, is_prose=True)


def _only(text: str, numbers: Sequence[_Number]) -> ParsedAnswer:
    """The only number on the scale, if there is one and no range."""
    known = [one for one in numbers if one.value is not None]
    if len(known) == 1 and not any(one.is_of_range for one in numbers):
        return _parsed(text, known[0], "only")
    return ParsedAnswer(None, is_prose=bool(numbers) or bool(_WORD.search(text)))


def _parsed(text: str, number: _Number, rule: str) -> ParsedAnswer:
    before, after = text[: number.start], text[number.end :]
    for _ in range(2):  # a maximum and a unit
        after = after[unit.end() :] if (unit := _UNIT.match(after)) else after
    rest = _TAG.sub(" ", before[:-_NEAR] + _MARKED.sub("", before[-_NEAR:]) + " " + after)
    return ParsedAnswer(number.value, bool(re.search(r"\w", rest.replace("_", " "))), rule)


def _numbers(text: str, scale: Scale) -> list[_Number]:
    """The numbers in a text whose digits are plain, without the ends of the scale, maxima and the numbers of texts."""
    matches = list(_NUMBER.finditer(text))
    found: list[tuple[re.Match[str], float | None, bool]] = [
        (one, value, False) for one, value in chinese_numbers(text)
    ]
    if matches:
        found = _without_others(text, matches, scale)
    room = 1e-9 * scale.width
    return [
        _Number(
            None if is_range or value is None or not scale.low - room <= value <= scale.high + room else value,
            *match.span(),
            is_range,
        )
        for match, value, is_range in found
    ]


def _without_others(
    text: str, matches: Sequence[re.Match[str]], scale: Scale
) -> list[tuple[re.Match[str], float | None, bool]]:
    values = [_value(text, match, scale) for match in matches]
    never = {place for place, match in enumerate(matches) if _is_other(text, match)}
    of_range: set[int] = set()
    for place, (one, other) in enumerate(itertools.pairwise(matches)):
        between, both = text[one.end() : other.start()], {place, place + 1}
        if len(between) > _NEAR or both & never:
            continue
        if _FRACTION.fullmatch(between):
            never.add(place + 1)
            values[place] = values[place] if values[place + 1] == scale.high else None
        elif _RANGE.fullmatch(between):
            is_scale = sorted(values[at] or 0.0 for at in both) == [scale.low, scale.high]
            (never if is_scale else of_range).update(both)
    return [(match, values[place], place in of_range) for place, match in enumerate(matches) if place not in never]


def _value(text: str, match: re.Match[str], scale: Scale) -> float | None:
    """The number with its sign; None for a per cent of which nobody knows what it means on the scale."""
    value, before = float(match[0].replace(",", ".")), text[max(0, match.start() - _NEAR) : match.start()]
    minus = _MINUS.search(before) if scale.low < 0 else None
    if minus is not None and not before[: minus.start()].rstrip()[-1:].isdigit():
        value = -value
    if _PER_CENT.match(text, match.end()):
        return value / 100 if scale.high == 1 else value if scale.high == 100 else None
    return value


def _is_other(text: str, match: re.Match[str]) -> bool:
    """Whether it is a maximum without a number before it, or the number of a text, or of how many there are."""
    before = text[max(0, match.start() - _NEAR) : match.start()]
    bare = _NO_NUMERATOR.search(before)
    is_maximum = bare is not None and not re.search(r"\d\D{0,9}$", before[: bare.start()])
    return is_maximum or bool(_TEXT_NAME.search(before) or _TEXTS.match(text, match.end()))
