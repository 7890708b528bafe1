"""Pairs with all that features can look at: their texts' properties, their vectors and columns, and systems."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.features.pair_scorer import PairScorer
from similitude.collect.candidates.features.text_properties import TextProperties, TextProperty
from similitude.collect.candidates.pairs import PairBlock
from similitude.data.prediction import Predictions
from similitude.errors import ArgumentError

__all__ = ["DescribedPairs", "Values", "as_names", "column_values"]

Values = NDArray[np.float64] | pl.Series
"""One value a pair: numbers with nan, or names with null."""


class _Feature(Protocol):
    def values(self, pairs: DescribedPairs) -> Values: ...


@dataclass(frozen=True, slots=True, eq=False)
class DescribedPairs:
    """A block of pairs and what is known of it; each feature and each system is computed at most once.

    Attributes:
        block: the pairs.
        properties: of all texts.
        scorer: scores pairs by systems; None if there are no systems.
    """

    block: PairBlock
    properties: TextProperties
    scorer: PairScorer | None = None
    _values: dict[str, Values] = field(default_factory=dict)
    _predictions: dict[Hashable, Predictions] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.block)

    def value_of(self, feature: _Feature) -> Values:
        """The values of a feature: those of a column of this name, if the block has one, else computed now."""
        name = str(feature)
        if name not in self._values:
            there = self.block.columns.get(name)
            self._values[name] = feature.values(self) if there is None else column_values(there)
        return self._values[name]

    def numbers_of(self, wanted: TextProperty) -> tuple[NDArray[Any], NDArray[Any]]:
        """A number of the first and of the second text of each pair."""
        numbers = self.properties.numbers_of(wanted)
        return numbers[self.block.left], numbers[self.block.right]

    def text_column(self, name: str) -> tuple[pl.Series, pl.Series]:
        """A column of the texts, for the first and for the second text of each pair."""
        column = self.block.texts.frame[name]
        return as_names(column.gather(self.block.left)), as_names(column.gather(self.block.right))

    def predictions_of(self, system: str) -> Predictions:
        """What a system says of the pairs.

        Raises:
            ArgumentError: there are no systems here.
        """
        if self.scorer is None:
            raise ArgumentError(f"there is nobody here to score pairs by '{system}'", remedy="give a PairScorer")
        if system not in self._predictions:
            self._predictions[system] = self.scorer.predictions(system, self.block.items())
        return self._predictions[system]

    def kept(self, positions: NDArray[np.intp]) -> DescribedPairs:
        """The pairs at these positions, with what was computed of them as columns."""
        computed = {name: _column(values) for name, values in self._values.items() if name not in self.block.columns}
        columns = {**self.block.columns, **computed}
        whole = PairBlock(
            self.block.texts, self.block.left, self.block.right, self.block.strata, self.block.vectors, columns
        )
        predictions = {system: found.take(positions) for system, found in self._predictions.items()}
        return DescribedPairs(whole.take(positions), self.properties, self.scorer, {}, predictions)


def column_values(column: NDArray[Any]) -> Values:
    """The values of a column: numbers as floats, everything else as names.

    >>> column_values(np.array([1, 2])), column_values(np.array(["a", None], dtype=object)).to_list()
    (array([1., 2.]), ['a', None])
    """
    if column.dtype.kind in "biuf":
        return column.astype(np.float64)
    return pl.Series(list(map(_name, column.tolist())), dtype=pl.String)


def as_names(column: pl.Series) -> pl.Series:
    """The values of a column of any type as texts.

    >>> as_names(pl.Series([1, None])).to_list(), as_names(pl.Series([["a", "b"], None])).to_list()
    (['1', None], ["['a', 'b']", None])
    """
    if column.dtype.is_nested():
        return pl.Series(column.name, list(map(_name, column.to_list())), dtype=pl.String)
    return column.cast(pl.String)


def _name(value: Any) -> str | None:
    return None if value is None or value != value else str(value)


def _column(values: Values) -> NDArray[Any]:
    return np.asarray(values.to_list(), dtype=object) if isinstance(values, pl.Series) else values
