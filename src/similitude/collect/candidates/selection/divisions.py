"""Divisions: the parts that pairs are divided into by one column, such as their source or bands of their length."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.pairs import STRATA, PairBlock
from similitude.collect.candidates.selection.bands import Bands
from similitude.collect.candidates.selection.request import STRATUM, TURNS, Shares
from similitude.data.plural import listed
from similitude.errors import ArgumentError

__all__ = ["Division", "band_division", "division", "sorted_names"]

NONE = "(none)"
"""The part of pairs whose texts have no value."""
FEW = 12
"""Numbers with so many distinct values at most, such as 3 and 5 turns, are names."""
BANDS = 4
"""How many bands other numbers are cut into unless somebody says."""


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """The part of each pair.

    Attributes:
        name: of what pairs are divided by.
        parts: the names of the parts.
        codes: the part of each pair; -1 for a pair that is in none.
        weights: of each part; None if parts count for as many pairs as they have.
        bands: if the parts are bands of numbers.
    """

    name: str
    parts: tuple[str, ...]
    codes: NDArray[np.int64]
    weights: NDArray[np.float64] | None
    bands: Bands | None = None


def band_division(name: str, values: NDArray[Any], bins: Any, target: Any = ()) -> Division:
    """The bands of one number for each pair.

    Raises:
        ArgumentError: the values are not numbers, or none of them is finite.
    """
    numbers = as_numbers(name, values)
    finite = numbers[np.isfinite(numbers)]
    if not len(finite):
        raise ArgumentError(f"no pair has a value of {name}", remedy="spread over something else")
    bands = Bands.of(bins, finite)
    weights = np.asarray(target, np.float64) if len(target) else np.ones(len(bands))
    return Division(name, bands.names, bands.positions(numbers), weights, bands)


def as_numbers(name: str, values: NDArray[Any]) -> NDArray[np.float64]:
    """The values as numbers.

    Raises:
        ArgumentError: they are not numbers.
    """
    if values.dtype.kind not in "biuf":
        shown = listed(map(str, dict.fromkeys(values[:100].tolist())))
        raise ArgumentError(f"{name} is not a number: {shown}", remedy=f"name {name} under over instead")
    return values.astype(np.float64)


def division(name: str, shares: Shares, pairs: PairBlock, *, of_left: bool = False) -> Division:
    """The parts of the pairs by a column.

    Args:
        name: "stratum", "turns" (of the left text), a column of the pairs, or a column of the texts.
        shares: how items are divided over the parts.
        pairs: the pairs.
        of_left: take the left text's value; otherwise, if the values of the two texts differ, the part is both.

    Raises:
        ArgumentError: there is no such column, or shares name no part of it.
    """
    if name == STRATUM:
        return _weighted(name, list(STRATA), pairs.strata.astype(np.int64), shares)
    if name in pairs.columns:
        values = pairs.columns[name]
        if values.dtype.kind in "iuf" and not _are_names(values, shares):
            return band_division(name, values, shares if isinstance(shares, int) else BANDS)
        return _weighted(name, *_named(values), shares)
    if name == TURNS and TURNS not in pairs.texts.frame.columns:
        turns = pairs.texts.frame["context"].list.len().fill_null(0).to_numpy()
        return _weighted(name, *_named(turns[pairs.left]), shares)
    if name not in pairs.texts.frame.columns:
        known = [STRATUM, *pairs.columns, *pairs.texts.frame.columns]
        raise ArgumentError(f"pairs have no '{name}' to be divided over", remedy=f"known: {', '.join(known)}")
    return _by_text(name, shares, pairs, of_left)


def _by_text(name: str, shares: Shares, pairs: PairBlock, of_left: bool) -> Division:
    column = pairs.texts.frame[name]
    if column.dtype.is_numeric() and not _are_names(column.drop_nulls().to_numpy(), shares):
        numbers = column.cast(pl.Float64).fill_null(np.nan).to_numpy()
        mean = numbers[pairs.left] if of_left else (numbers[pairs.left] + numbers[pairs.right]) / 2
        return band_division(name, mean, shares if isinstance(shares, int) else BANDS)
    values, codes = sorted_names(column)
    left, right = codes[pairs.left], codes[pairs.left if of_left else pairs.right]
    low, high = np.minimum(left, right), np.maximum(left, right)
    both, found = np.unique(low * len(values) + high, return_inverse=True)
    parts = [_joined(values[code // len(values)], values[code % len(values)]) for code in both.tolist()]
    return _weighted(name, parts, found.astype(np.int64), shares)


def _joined(one: str, other: str) -> str:
    return one if one == other else f"{one} + {other}"


def _are_names(values: NDArray[Any], shares: Shares) -> bool:
    """Whether numbers are names of parts: if weights name them, or if there are few of them."""
    return isinstance(shares, Mapping) or (not isinstance(shares, int) and len(np.unique(values)) <= FEW)


def _named(values: NDArray[Any]) -> tuple[list[str], NDArray[np.int64]]:
    """The names of distinct values, and the place of each value among them."""
    if values.dtype.kind in "iuf":
        distinct, codes = np.unique(values, return_inverse=True)
        return [NONE if np.isnan(value) else f"{value:g}" for value in distinct], codes.astype(np.int64)
    return sorted_names(pl.Series(values.tolist()))


def sorted_names(values: pl.Series) -> tuple[list[str], NDArray[np.int64]]:
    """The distinct names of a column, sorted, and the place of each value among them."""
    column = values.cast(pl.String).fill_null(NONE)
    names = column.unique().sort()
    codes = column.replace_strict(names, pl.int_range(len(names), eager=True), return_dtype=pl.Int64)
    return names.to_list(), codes.to_numpy()


def _present(parts: list[str], codes: NDArray[np.int64]) -> tuple[list[str], NDArray[np.int64]]:
    """The parts that have pairs."""
    has_pairs = np.bincount(codes, minlength=len(parts)) > 0
    return [part for part, has in zip(parts, has_pairs, strict=True) if has], (np.cumsum(has_pairs) - 1)[codes]


def _weighted(name: str, parts: list[str], codes: NDArray[np.int64], shares: Shares) -> Division:
    """A division with its weights; parts that the weights do not name, or of weight 0, hold no pair any more."""
    if isinstance(shares, int):
        raise ArgumentError(
            f"{name} has names, not numbers ({listed(parts)})", remedy=f'over {name}: use "even", or weights by value'
        )
    if not isinstance(shares, Mapping):
        parts, codes = _present(parts, codes)
        return Division(name, tuple(parts), codes, np.ones(len(parts)) if shares == "even" else None)
    if not set(parts) & {part for part, weight in shares.items() if weight > 0}:
        raise ArgumentError(
            f"no pair has one of the named values of {name} ({listed(shares)})", remedy=f"values: {listed(parts)}"
        )
    places = {part: place for place, (part, weight) in enumerate(shares.items()) if weight > 0}
    moved = np.asarray([places.get(part, -1) for part in parts], np.int64)
    return Division(name, tuple(shares), moved[codes], np.asarray(list(shares.values()), np.float64))
