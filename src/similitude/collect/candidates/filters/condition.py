"""Conditions on pairs: comparisons of features with values, joined by and, or, not."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.features import DescribedPairs, Feature, Values
from similitude.collect.candidates.filters.verdict import Verdict
from similitude.errors import ArgumentError

__all__ = ["MIRRORED", "Comparison", "Condition", "Joined", "Not", "Sign"]

Sign = Literal["<", "<=", ">", ">=", "==", "!="]

_COMPARE: Mapping[Sign, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
Judged = tuple[NDArray[np.int8], NDArray[np.float64]]
"""Truth and margin of each pair."""

OPPOSITE: Mapping[Sign, Sign] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
MIRRORED: Mapping[Sign, Sign] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A feature compared with a number, a name, or another feature; alone, that it is not 0.

    Attributes:
        feature: on the left side.
        sign: how they are compared.
        border: the value on the right side.
        number: its position among the comparisons of the filter.
        is_bare: whether the feature stands alone, as in ``same(source)``.
    """

    feature: Feature
    sign: Sign
    border: float | str | Feature
    number: int = 0
    is_bare: bool = False

    def __str__(self) -> str:
        return self._written(self.sign)

    def failures(self, is_negated: bool = False) -> Iterator[str]:
        """What holds of pairs that it drops."""
        yield str(self) if is_negated else self._written(OPPOSITE[self.sign])

    def _written(self, sign: Sign) -> str:
        if self.is_bare:
            return str(self.feature) if sign == "!=" else f"not {self.feature}"
        return f"{self.feature} {sign} {_written_border(self.border)}"

    def comparisons(self) -> Iterator[Comparison]:
        """Itself."""
        yield self

    def judge(self, pairs: DescribedPairs) -> Verdict:
        """Whether the comparison holds for each pair."""
        values = pairs.value_of(self.feature)
        border = pairs.value_of(self.border) if isinstance(self.border, Feature) else self.border
        if isinstance(values, pl.Series) and isinstance(border, pl.Series | str):
            truth, margin = self._judged_names(values, border)
        else:
            truth, margin = self._judged_numbers(values, self._border_as_numbers(border))
        return Verdict(truth, margin, np.full(len(truth), self.number, np.int16))

    def _judged_numbers(self, values: Values, border: Any) -> Judged:
        numbers = _numbers(values)
        margin = np.abs(numbers - border)
        truth = np.where(_COMPARE[self.sign](numbers, border), 1, -1).astype(np.int8)
        is_undefined = np.isnan(margin)
        truth[is_undefined] = 0
        margin[is_undefined] = 0
        if isinstance(values, pl.Series) and self.sign in ("==", "!="):
            is_word = is_undefined & values.is_not_null().to_numpy()
            truth[is_word] = -1 if self.sign == "==" else 1  # a word is no number
        return truth, margin / self._unit()

    def _judged_names(self, values: pl.Series, border: pl.Series | str) -> Judged:
        """Names are the same or not; the margin is 0."""
        self._refuse_order()
        same = (values == border).fill_null(False).to_numpy()
        truth = np.where(same if self.sign == "==" else ~same, 1, -1).astype(np.int8)
        truth[values.is_null().to_numpy()] = 0
        if isinstance(border, pl.Series):
            truth[border.is_null().to_numpy()] = 0
        return truth, np.zeros(len(values))

    def _refuse_order(self) -> None:
        if self.sign not in ("==", "!="):
            what = f"'{self}': {self.feature} has names, which are the same or not"
            raise ArgumentError(what, remedy="compare them by == or !=")

    def _border_as_numbers(self, border: Values | float | str) -> Any:
        if isinstance(border, str):
            raise ArgumentError(f"'{self}': {self.feature} has numbers", remedy="compare it with a number")
        return _numbers(border)

    def _unit(self) -> float:
        """What margins are a share of: the feature's range; without one, the border's own size."""
        if self.feature.range is not None:
            return self.feature.range.width
        return max(abs(self.border), 1.0) if isinstance(self.border, float) else 1.0


@dataclass(frozen=True, slots=True)
class Not:
    """A condition that must not hold."""

    condition: Condition

    def __str__(self) -> str:
        return f"not ({self.condition})"

    def comparisons(self) -> Iterator[Comparison]:
        """Those of the condition."""
        return self.condition.comparisons()

    def failures(self, is_negated: bool = False) -> Iterator[str]:
        """What holds of pairs that each comparison drops."""
        return self.condition.failures(not is_negated)

    def judge(self, pairs: DescribedPairs) -> Verdict:
        """Whether the condition does not hold."""
        return ~self.condition.judge(pairs)


@dataclass(frozen=True, slots=True)
class Joined:
    """Conditions of which all, or at least one, must hold."""

    word: Literal["and", "or"]
    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        return f" {self.word} ".join(f"({one})" if isinstance(one, Joined) else str(one) for one in self.conditions)

    def comparisons(self) -> Iterator[Comparison]:
        """Those of all conditions, in order."""
        for one in self.conditions:
            yield from one.comparisons()

    def failures(self, is_negated: bool = False) -> Iterator[str]:
        """What holds of pairs that each comparison drops."""
        for one in self.conditions:
            yield from one.failures(is_negated)

    def judge(self, pairs: DescribedPairs) -> Verdict:
        """Whether all hold, or one."""
        verdicts = [one.judge(pairs) for one in self.conditions]
        return reduce(operator.and_ if self.word == "and" else operator.or_, verdicts)


Condition = Comparison | Not | Joined


def _written_border(border: str | Feature | float) -> str:
    if isinstance(border, float):
        return np.format_float_positional(border, trim="-")
    return f"'{border}'" if isinstance(border, str) else str(border)


def _numbers(values: Values | float) -> Any:
    """Values as numbers; names that are no numbers are undefined."""
    if isinstance(values, pl.Series):
        return values.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
    return values
