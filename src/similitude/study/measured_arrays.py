"""Figures of arrays: scores against gold, without texts, files or systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.listeners import with_progress_bar
from similitude.data.number_arguments import check_numbers, check_seed, check_whole_numbers
from similitude.data.plural import counted
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener
from similitude.data.reading.arguments import as_scale
from similitude.data.scale import Scale
from similitude.data.series_labels import refuse_other_order
from similitude.errors import ArgumentError
from similitude.evaluate.calibration import Asked
from similitude.evaluate.measures import Measure, make_measures
from similitude.evaluate.rescaling import mapping_from_range
from similitude.evaluate.significance import Method
from similitude.stats.arrays import Array
from similitude.study.measurement import Intervals, measurement_of
from similitude.study.run_calibration import check_calibration, run_calibration
from similitude.systems.score_numbers import NotNumbersError, array_of

__all__ = ["measure"]

ALONE = "scores"
"""The name of a system that is the only one."""


@with_progress_bar
def measure(
    gold: Any,
    scores: Any,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    scale: str | Scale | tuple[float, float] | None = None,
    range: str | Scale | tuple[float, float] | None = None,
    groups: Any = None,
    level: float = 0.95,
    interval: Method = "auto",
    resamples: int | None = None,
    calibrate: Asked = "auto",
    seed: int = 0,
    listener: Listener | None = None,
    quiet: bool = False,
) -> Any:
    """Measure scores against gold: the figures of ``similitude measure``, from arrays.

    Args:
        gold: one number for each pair: a list, an array, a series or a tensor.
        scores: likewise, in the same order. Several systems: a mapping or a data frame with a column for each, or an
            array of two dimensions.
        measures: one, such as "spearman", or several; the usual ones by default.
        scale: of gold, such as ``"0..5"``; inferred by default.
        range: of the scores, if it is not the scale of gold: measures of error look at it.
        groups: for each pair the name of its group, such as a query or a dialogue. Pairs of a group are not
            independent, and intervals take that into account.
        level: of the intervals.
        interval: "auto", "jackknife", "bca" or "percentile".
        resamples: for intervals that need them; 0 for no intervals.
        calibrate: how scores are brought onto the gold scale, as in `similitude.run`.
        seed: of everything random.
        listener: is told the progress.
        quiet: show no progress bar.

    Returns:
        One figure with its interval; with several measures, figures by measure; with several systems, figures by
        system, or by system and measure. An undefined figure is nan, and says why.

    >>> measure([1, 2, 3, 4, 5], [0.1, 0.3, 0.2, 0.8, 0.9], "spearman", resamples=0)
    0.900
    >>> figure = measure([1, 2, 3, 4, 5], [0.1, 0.3, 0.2, 0.8, 0.9], "spearman")
    >>> figure.value, figure.low < figure < figure.high
    (0.9, True)
    >>> measure([1, 2, 3], {"mine": [1, 2, 3], "theirs": [2, 1, 3]}, "pearson", resamples=0)
    {'mine': 1.000, 'theirs': 0.500}

    Raises:
        ArgumentError: lengths differ, or a value is not a finite number.
        UnknownNameError: there is no such measure.
    """
    numbers = numbers_in("gold", gold)
    wanted = make_measures(measures)
    check_calibration(calibrate)
    check_numbers(level=level)
    check_whole_numbers(resamples=resamples)
    check_seed(seed)
    by_name = scores if isinstance(scores, Mapping) else {"scores": scores}
    refuse_other_order(by_name)
    for name, each in by_name.items():
        refuse_other_order({"gold": gold, name: each, "groups": groups})
    benchmark = _benchmark(numbers, as_scale(scale), groups)
    named, is_single = _systems(scores, len(benchmark))
    predictions = [Predictions(values) for values in named.values()]
    declared = benchmark.scale if range is None else as_scale(range)
    progress = None if listener is None else listener.progress
    made = measurement_of(
        benchmark,
        predictions,
        [mapping_from_range(declared, benchmark.scale)] * len(named),
        wanted,
        calibrate=lambda compared, used: run_calibration(calibrate, compared, predictions, used, None, None, ()),
        intervals=Intervals(level=level, method=interval, resamples=resamples, seed=seed, progress=progress),
    )
    names = [str(each) for each in wanted or made.measures]
    found = [[made.figure(row, column) for column, _ in enumerate(names)] for row, _ in enumerate(named)]
    if isinstance(measures, str | Measure):
        return found[0][0] if is_single else {name: row[0] for name, row in zip(named, found, strict=True)}
    by_system = {name: dict(zip(names, row, strict=True)) for name, row in zip(named, found, strict=True)}
    return by_system[ALONE] if is_single else by_system


def numbers_in(what: str, values: Any) -> Array:
    """Numbers in a list, an array, a series or a tensor, as an array of any number of dimensions.

    Raises:
        ArgumentError: they are not all finite numbers; the message names the first that is not.
    """
    try:
        found = array_of(values)
    except NotNumbersError as error:
        place = "" if error.position is None else f" at position {error.position}"
        raise ArgumentError(f"{what}: {error}{place} is no number", remedy="give one number for each pair") from None
    if not np.isfinite(found).all():
        position = int(np.flatnonzero(~np.isfinite(found).reshape(-1))[0])
        shown = f"{what}: {found.reshape(-1)[position]:g} at position {position} is no finite number"
        raise ArgumentError(shown, remedy="leave such pairs out of gold and scores alike")
    return found


def _benchmark(gold: Array, scale: Scale | None, groups: Any) -> Benchmark:
    """Items without texts of their own: a measure reads none."""
    if gold.ndim != 1:
        what = f"gold has {gold.ndim} dimensions" if gold.ndim else "gold is a single number"
        raise ArgumentError(what, remedy="give one number for each pair")
    if not gold.size:
        raise ArgumentError("gold is empty", remedy="give one number for each pair")
    names = pl.int_range(1, gold.size + 1, eager=True).cast(pl.String)
    columns = {"id": names, "left": names, "right": names, "score": pl.Series(gold)}
    if groups is not None:
        columns["group"] = _group_names(groups, gold.size)
    used = Scale.infer(gold) if scale is None else scale
    outside = np.flatnonzero(~used.holds(gold))
    if outside.size:
        what = f"gold holds {gold[outside[0]]:g} at position {outside[0]}, which is outside the scale {used}"
        raise ArgumentError(what, remedy="give the scale of gold, as in scale=(0, 5)")
    return Benchmark(name="arrays", frame=pl.DataFrame(columns), scale=used)


def _group_names(groups: Any, count: int) -> pl.Series:
    if isinstance(groups, str | Mapping | set | frozenset) or not isinstance(groups, Iterable):
        what, remedy = f"groups is {groups!r:.60}", "give the name of a group for each pair, in the order of gold"
        raise ArgumentError(what, remedy=remedy)
    names = pl.Series([None if _is_missing(each) else str(each) for each in groups], dtype=pl.String)
    if len(names) != count:
        what = f"there are {counted(len(names), 'group')} for {counted(count, 'pair')}"
        raise ArgumentError(what, remedy="give the name of a group for each pair")
    return names


def _is_missing(name: Any) -> bool:
    try:
        return name is None or bool(name != name)
    except (TypeError, ValueError):  # pandas does not say whether NA is NA
        return type(name).__name__ == "NAType"


def _systems(scores: Any, count: int) -> tuple[dict[str, Array], bool]:
    """The scores of each system by name, and whether there is only one, which has no name."""
    if isinstance(scores, Mapping) or hasattr(scores, "columns"):
        columns = (
            dict(scores.items()) if isinstance(scores, Mapping) else {each: scores[each] for each in scores.columns}
        )
        named = {str(name): numbers_in(f"scores of '{name}'", values) for name, values in columns.items()}
        if not named:
            raise ArgumentError("there are no scores", remedy="give those of at least one system")
        return {name: _of_length(f"scores of '{name}'", values, count) for name, values in named.items()}, False
    found = numbers_in("scores", scores)
    if found.ndim != 2:
        return {ALONE: _of_length("scores", found, count)}, True
    if found.shape[0] == found.shape[1] or count not in found.shape:
        what = f"scores are {found.shape[0]} x {found.shape[1]} for {counted(count, 'pair')}"
        raise ArgumentError(what, remedy="give the scores of each system by name: {'mine': [...], 'theirs': [...]}")
    rows = found if found.shape[1] == count else found.T
    return {f"system {number}": row for number, row in enumerate(rows, start=1)}, False


def _of_length(what: str, values: Array, count: int) -> Array:
    if values.ndim == 1 and values.size == count:
        return values
    shown = " x ".join(map(str, values.shape)) or "a single number"
    remedy = "give one score for each pair, in the order of gold"
    raise ArgumentError(f"gold has {counted(count, 'number')}, but {what} {shown}", remedy=remedy)
