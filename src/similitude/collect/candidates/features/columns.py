"""Columns: what came with given pairs, what the texts state of themselves, and whether two texts share it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.features.bags import hashed_texts
from similitude.collect.candidates.features.catalogue import FEATURES
from similitude.collect.candidates.features.described_pairs import DescribedPairs, Values, as_names, column_values
from similitude.collect.candidates.features.feature import Feature, Kind, Numbers, Resolve
from similitude.collect.candidates.features.lengths import ratio
from similitude.collect.candidates.features.text_languages import language_codes, text_codes
from similitude.collect.candidates.features.text_properties import TextProperty
from similitude.collect.candidates.pairs import STRATA
from similitude.data.plural import agreeing
from similitude.data.texts import Texts
from similitude.errors import ArgumentError
from similitude.inspect.words.languages import UNKNOWN
from similitude.registry import Spec

__all__ = ["Agreement", "Language", "PairColumn", "Same", "Stratum", "TextColumn"]


@dataclass(frozen=True, repr=False)
class PairColumn(Feature):
    """A column that came with the pairs: numbers if the column has numbers, else names.

    Attributes:
        column: its name.
        is_plain: whether the name alone is enough; else it is written ``column(name)``.
    """

    column: str
    is_plain: bool = True

    name: ClassVar[str] = "column"
    meaning: ClassVar[str] = "a column that came with the pairs"
    undefined: ClassVar[str] = "the cell is empty"
    kind: ClassVar[Kind] = "any"

    @property
    def identity(self) -> Spec:
        """Written as the column's name."""
        return Spec(self.column) if self.is_plain else Spec(self.name, None, (self.column,))

    def values(self, pairs: DescribedPairs) -> Values:
        """The column."""
        return column_values(pairs.block.columns[self.column])


@dataclass(frozen=True, repr=False)
class TextColumn(Feature):
    """A column of the texts: what both texts state; if they differ, both in order, as in ``news+wiki``."""

    column: str

    name: ClassVar[str] = "text column"
    meaning: ClassVar[str] = "a column of the texts"
    undefined: ClassVar[str] = "a text states none"
    kind: ClassVar[Kind] = "name"

    @property
    def identity(self) -> Spec:
        """Written as the column's name."""
        return Spec(self.column)

    def values(self, pairs: DescribedPairs) -> pl.Series:
        """The value that both texts have, or both values."""
        return _joined(*pairs.text_column(self.column))


@FEATURES.register("language")
@dataclass(frozen=True, repr=False)
class Language(Feature):
    """The language of both texts as a code without region, such as ``de``; both, as in ``de+en``, if they differ.

    It is guessed for texts that state none.
    """

    name: ClassVar[str] = "language"
    meaning: ClassVar[str] = "the language of both texts, such as de; de+en if they differ"
    kind: ClassVar[Kind] = "name"
    undefined: ClassVar[str] = "a text states no language, and none can be guessed"

    def values(self, pairs: DescribedPairs) -> pl.Series:
        """The code, or both codes."""
        both = np.concatenate([pairs.block.left, pairs.block.right])
        rows, places = np.unique(both, return_inverse=True)
        codes = text_codes(pairs.block.texts.frame.select("text", "language")[rows]).replace(UNKNOWN, None)
        return _joined(codes.gather(places[: len(pairs)]), codes.gather(places[len(pairs) :]))

    def notes(self, texts: Texts) -> list[str]:
        """How many languages are guessed."""
        unstated = int((language_codes(texts.frame["language"]) == UNKNOWN).sum())
        return [f"{agreeing(unstated, 'text', 'states', 'state')} no language; it is guessed"] if unstated else []


@FEATURES.register("stratum")
@dataclass(frozen=True, repr=False)
class Stratum(Feature):
    """How the pair was found: neighbours, words, random, hard-negatives or given."""

    name: ClassVar[str] = "stratum"
    meaning: ClassVar[str] = f"how the pair was found: {', '.join(STRATA)}"
    kind: ClassVar[Kind] = "name"

    def values(self, pairs: DescribedPairs) -> pl.Series:
        """The name of each pair's stratum."""
        return pl.Series(STRATA, dtype=pl.String).gather(pairs.block.strata.astype(np.int64))


def hashed_column(frame: pl.DataFrame, column: str) -> pl.Series:
    """A key for each value of a column; -1 for none."""
    return hashed_texts(as_names(frame[column])).fill_null(-1)


@FEATURES.register("same")
@dataclass(frozen=True, repr=False)
class Same(Feature):
    """Whether both texts have the same value in a column, as in ``not same(document)``. Undefined if one has none."""

    column: str

    name: ClassVar[str] = "same"
    meaning: ClassVar[str] = "whether both texts have the same value in a column"
    example: ClassVar[str] = "same(source)"
    kind: ClassVar[Kind] = "truth"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    undefined: ClassVar[str] = "a text states none"

    @property
    def identity(self) -> Spec:
        """Written ``same(source)``."""
        return Spec(self.name, None, (self.column,))

    @property
    def properties(self) -> tuple[TextProperty, ...]:
        """The column of each text, as keys."""
        return (TextProperty("column", "numbers", hashed_column, self.column),)

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)

    def values(self, pairs: DescribedPairs) -> Numbers:
        """1 if both have the same, 0 if they differ."""
        left, right = pairs.numbers_of(*self.properties)
        return np.where((left < 0) | (right < 0), np.nan, left == right)


@FEATURES.register("agreement")
def agreement(*columns: str) -> Agreement:
    """The share of the given columns that have the most frequent value, as in ``agreement(label1, label2) < 1``."""
    return Agreement(columns)


agreement.example = "agreement(label1, label2)"  # type: ignore[attr-defined]


@dataclass(frozen=True, repr=False)
class Agreement(Feature):
    """The share of judgements that are the most frequent one, from one column a judge. Range 0..1.

    USTS takes from XNLI the pairs on which its five annotators do not all agree: ``agreement(label1, label2, label3,
    label4, label5) < 1``. Empty cells do not count; undefined if all are empty.

    References:
        Wang et al. (2023), Collective human opinions in semantic textual similarity (USTS), section 3.1.2.
    """

    columns: tuple[str, ...]

    name: ClassVar[str] = "agreement"
    meaning: ClassVar[str] = "share of the columns with the most frequent value"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    undefined: ClassVar[str] = "all cells are empty"
    judges: tuple[Feature, ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.columns) < 2:
            remedy = "name a column for each judge: agreement(label1, label2)"
            raise ArgumentError(f"agreement takes two columns or more, not {len(self.columns)}", remedy=remedy)

    @property
    def identity(self) -> Spec:
        """Written ``agreement(label1, label2)``."""
        return Spec(self.name, None, self.columns)

    @property
    def parts(self) -> tuple[Feature, ...]:
        """The columns."""
        return self.judges

    def resolved(self, resolve: Resolve) -> Agreement:
        """With its columns."""
        written = (str(Spec(PairColumn.name, None, (column,))) for column in self.columns)
        return Agreement(self.columns, tuple(map(resolve, written)))

    def values(self, pairs: DescribedPairs) -> Numbers:
        """The largest count of one value / the number of values."""
        codes = np.stack([_codes(judge.values(pairs)) for judge in self.judges])
        known = codes >= 0
        same = (codes[:, None] == codes[None]) & known[None]
        most = (same.sum(axis=1) * known).max(axis=0)
        there = known.sum(axis=0)
        return ratio(most, there)


def _codes(values: Values) -> NDArray[np.int64]:
    """Equal numbers for equal values; -1 for none."""
    names = values if isinstance(values, pl.Series) else pl.Series(values).fill_nan(None).cast(pl.String)
    return hashed_texts(names).fill_null(-1).to_numpy()


def _joined(left: pl.Series, right: pl.Series) -> pl.Series:
    """The common value; both in order, joined by +, where they differ; null where one is missing."""
    sides = pl.DataFrame({"left": left, "right": right})
    first, last = pl.min_horizontal("left", "right"), pl.max_horizontal("left", "right")
    both = pl.when(pl.col("left") == pl.col("right")).then("left").otherwise(pl.concat_str(first, pl.lit("+"), last))
    known = pl.col("left").is_not_null() & pl.col("right").is_not_null()
    return sides.select(value=pl.when(known).then(both)).to_series()
