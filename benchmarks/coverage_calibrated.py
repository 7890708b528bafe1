"""Coverage of the intervals of measures with borders on the gold scale, calibrated; run by benchmarks/coverage.py.

Samples are those of coverage_measures.py, but the scores of both systems are bent (by a logistic function) and on a
scale of their own, and are calibrated out of fold by quantiles, as a run does. The interval takes the calibrated scores
as given. The truth is the mean over 1,000 samples of the same size (250 for 2,000 items): what another sample of this
size, calibrated on itself, would have on average.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
from scipy.special import expit

from coverage_measures import DESIGNS, Design, draw
from similitude.data.prediction import Predictions
from similitude.evaluate.calibration import calibration_out_of_fold
from similitude.evaluate.comparison import FOLDS, Comparison
from similitude.evaluate.measures import make_measure
from similitude.evaluate.significance import confidence
from similitude.stats.folds import grouped_folds, scattered
from simulated_case import Case, Ends

NAMES = ("f1", "f1_low", "f1_high", "recall_low", "accuracy_high", "accuracy_3bin", "f1_macro_3bin")
SAMPLES = 1000


def calibrated(design: Design, items: int, rng: np.random.Generator) -> Comparison:
    """Two systems on one sample, calibrated out of fold."""
    made = draw(design, items, rng)
    groups = made.groups if design.kind == "groups" else None
    units = np.arange(items) if groups is None else groups
    folds = grouped_folds(made.gold, units, scattered(units + rng.integers(2**31)), FOLDS)
    bent = replace(made, predicted=expit(made.predicted - 4), predicted_sigma=None, groups=groups, folds=folds)
    predictions = [Predictions(row) for row in bent.predicted]
    calibration = calibration_out_of_fold("auto", predictions, bent.gold, folds, groups)
    return replace(bent, calibrated=calibration.apply(predictions, bent.gold, folds))


def interval(name: str, design: Design, *, is_difference: bool, items: int, rng: np.random.Generator) -> Ends:
    """The usual interval of the first system, or of the difference."""
    made = calibrated(design, items, rng)
    sure = confidence(made, [make_measure(name)], groups=made.groups, seed=int(rng.integers(2**31)))
    low, high, _ = sure.differences[0][0][1] if is_difference else sure.intervals[0][0]
    return low, high


@cache
def figures(design: Design, items: int) -> dict[str, tuple[float, float]]:
    """The true figures of both systems under every measure."""
    rng, measures = np.random.default_rng(1), [make_measure(name) for name in NAMES]
    drawn = (calibrated(design, items, rng) for _ in range(SAMPLES if items <= 200 else SAMPLES // 4))
    samples = np.array([[measure.values(made) for measure in measures] for made in drawn])
    return dict(zip(NAMES, map(tuple, np.nanmean(samples, axis=0).tolist()), strict=True))


def _case(name: str, design: Design, *, is_difference: bool) -> Case:
    def truth(items: int) -> float:
        one, other = figures(design, items)[name]
        return one - other if is_difference else one

    what = f"calibrated {name}, difference" if is_difference else f"calibrated {name}"
    return Case(what, str(design), _ends(name, design, is_difference=is_difference), truth)


def _ends(name: str, design: Design, *, is_difference: bool) -> Callable[[int, np.random.Generator], Ends]:
    return lambda items, rng: interval(name, design, is_difference=is_difference, items=items, rng=rng)


CASES = [
    _case(name, design, is_difference=is_difference)
    for name in NAMES
    for design in DESIGNS
    for is_difference in (False, True)
]
