"""A benchmark as the gold side of a comparison: groups, sources and folds of its items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.evaluate.comparison import FOLDS, Calibrated, Comparison, Sources
from similitude.evaluate.rescaling import Rescaling
from similitude.stats.arrays import Integers
from similitude.stats.folds import named_folds

__all__ = ["comparison_of", "folds_of", "pairs_under_conditions", "shared_groups", "sources_of"]


def comparison_of(
    benchmark: Benchmark,
    predictions: Sequence[Predictions],
    mappings: Sequence[Rescaling],
    calibrated: Calibrated | None = None,
) -> Comparison:
    """Compare predictions with the gold of a benchmark, all of whose items have gold.

    Args:
        benchmark: items with gold.
        predictions: of every system.
        mappings: from the range that each system declares to the gold scale.
        calibrated: the scores by fitted mappings, if there are any.
    """
    dealt, pairs = _Folds(benchmark), pairs_under_conditions(benchmark)
    groups = shared_groups(benchmark) if pairs is None else _numbers(pairs)
    made = Comparison.of(benchmark.gold, predictions, mappings, groups, sources_of(benchmark), dealt)
    return replace(made, calibrated=calibrated, are_groups_named=pairs is None)


@dataclass(frozen=True, eq=False)
class _Folds:
    """Deals the folds of a benchmark once, when they are asked for. Unlike a closure it can be pickled."""

    benchmark: Benchmark

    def __call__(self) -> Integers:
        return self._dealt

    @cached_property
    def _dealt(self) -> Integers:
        return folds_of(self.benchmark)


def pairs_under_conditions(benchmark: Benchmark) -> pl.Series | None:
    """The two texts of each item, where no group is named and texts occur together under several conditions.

    Such items are not independent, as if they shared a group. None otherwise.
    """
    frame = benchmark.frame
    if frame["group"].null_count() < frame.height or frame["condition"].null_count() == frame.height:
        return None
    texts = pl.concat_list("left", "right").list.sort().list.join("\x1f")
    pairs = frame.select("condition", pair=texts)
    return None if pairs.n_unique() == pairs["pair"].n_unique() else pairs["pair"]


def shared_groups(benchmark: Benchmark) -> Integers | None:
    """The number of each item's named group; None if no items share a group. Items of a group are not independent."""
    groups = benchmark.frame["group"]
    if groups.drop_nulls().n_unique() == groups.len() - groups.null_count():
        return None
    return _numbers(pl.Series(benchmark.items.group_names))


def sources_of(benchmark: Benchmark) -> Sources | None:
    """The source of each item; None if no item names one. Items without one share a source without name."""
    column = benchmark.frame["source"]
    if column.null_count() == column.len():
        return None
    names = column.unique(maintain_order=True)
    numbers = {name: number for number, name in enumerate(names)}
    return Sources(np.array([numbers[name] for name in column], dtype=np.intp), tuple(names))


def folds_of(benchmark: Benchmark) -> Integers:
    """The fold of each item, from the name of its group, else its id: the order of rows does not matter."""
    pairs = pairs_under_conditions(benchmark)
    names = benchmark.items.group_names if pairs is None else pairs.to_list()
    return named_folds(benchmark.gold.scores, names, FOLDS)


def _numbers(names: pl.Series) -> Integers:
    return (names.rank("dense") - 1).to_numpy().astype(np.intp)
