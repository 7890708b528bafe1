"""The calibration of a run: whether its measures need one, on which items it is fitted, and how it is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.data.protocols import System
from similitude.errors import ArgumentError, UnknownNameError
from similitude.evaluate.calibration import (
    Asked,
    Calibration,
    calibration_on_split,
    calibration_out_of_fold,
    no_calibration,
)
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import Measure
from similitude.study.scorer import Scorer

__all__ = ["calibration_split", "calibration_words", "check_calibration", "run_calibration"]


def check_calibration(calibrate: Asked) -> None:
    """Check the name of a calibration.

    Raises:
        UnknownNameError: there is none of that name.
    """
    if calibrate not in get_args(Asked):
        raise UnknownNameError("calibration", str(calibrate), get_args(Asked))


def calibration_split(
    benchmark: Benchmark, split: str | None, calibrate: Asked, calibrate_on: str | None
) -> Benchmark | None:
    """The split on which mappings to the scale are fitted; None for the other folds.

    Raises:
        UnknownNameError: there is no such calibration.
        ArgumentError: it is the one that is measured, or nothing is to be fitted.
    """
    check_calibration(calibrate)
    if calibrate_on is None:
        return None
    if calibrate == "none":
        what = f"nothing is fitted on split '{calibrate_on}' with calibrate=none"
        raise ArgumentError(what, remedy="leave out --calibrate none, or --calibrate-on")
    if split is None or split == calibrate_on:
        there = ", ".join(benchmark.splits) or "none"
        raise ArgumentError(
            "calibration on a split needs two different splits: one to fit on, one to measure",
            remedy=f"give --split and another --calibrate-on, or neither; splits there: {there}",
        )
    return benchmark.select(split=calibrate_on, with_gold=True)


def run_calibration(
    calibrate: Asked,
    comparison: Comparison,
    predictions: Sequence[Predictions],
    measures: Sequence[Measure],
    held_out: Benchmark | None,
    scorer: Scorer | None,
    systems: Sequence[System],
) -> Calibration | None:
    """The calibration of all systems; None if no measure looks at calibrated scores, or there is no scale to reach.

    Args:
        calibrate: as asked for.
        comparison: gold against predictions, with groups and folds.
        predictions: of every system.
        measures: of the run.
        held_out: the split to fit on; None for the other folds.
        scorer: scores that split; None if there is none.
        systems: in order.
    """
    for_errors = calibrate not in ("auto", "none")
    if comparison.scale is None or not any(_looks(measure, at_errors=for_errors) for measure in measures):
        return None
    if calibrate == "none":
        return no_calibration("as asked: scores are on the range that each system declares")
    if held_out is not None and scorer is not None:
        others, split = scorer.unsaved(held_out, systems), str(held_out.frame["split"][0])
        return calibration_on_split(calibrate, others, held_out.gold.scores, split)
    return calibration_out_of_fold(calibrate, predictions, comparison.gold, comparison.fold_of_item, comparison.groups)


def calibration_words(
    calibration: Calibration | None, measures: Sequence[Measure], systems: Sequence[str]
) -> Iterator[str]:
    """How scores came onto the scale, for which measures, and what is odd about them."""
    if calibration is None:
        return
    looking = ", ".join(str(measure) for measure in measures if _looks(measure, at_errors=calibration.covers_errors))
    yield f"{looking}: scores {calibration.words}"
    yield from calibration.notes(systems)


def _looks(measure: Measure, *, at_errors: bool) -> bool:
    """Whether a measure looks at calibrated scores; errors do only if a method was named."""
    needs = {"calibrated scale", "scale"} if at_errors else {"calibrated scale"}
    return bool(needs & measure.requires)
