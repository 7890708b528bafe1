"""Coverage of the intervals of measures on two labels, and of thresholds; run by benchmarks/coverage.py.

Scores of negative items are standard normal, those of positive items are shifted by 2, for the second system by 1.7.
The two systems share 36 % of the variance. A half or a fifth of the items is positive. "ties" rounds scores to halves.
"groups" draws items in fives that share a label with probability .5, and 36 % of the variance of scores. "near 1"
shifts the positive items of the first system by 4.4, so that its ROC area is .999, and those of the second by .5. The
truth of a figure is its mean over 4,000 samples of the same size (1,000 for 2,000 items): what another sample of this
size would have on average, with thresholds learned on as many items. The truth of a threshold is the best one for the
population.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from similitude import stats
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.deployed_thresholds import deployed_thresholds
from similitude.evaluate.measures import make_measure
from similitude.evaluate.measures.threshold import AtThreshold
from similitude.evaluate.significance import confidence
from simulated_case import Case, Ends

NAMES = (
    "auc",
    "average_precision",
    "f1_binary",
    "accuracy",
    "mcc",
    "recall_at(precision=0.8)",
    "precision_at(recall=0.8)",
    "cost(false_positive=1, false_negative=5)",
)
SHIFTS, NEAR_1 = (2.0, 1.7), (4.4, 0.5)
SAMPLES = 4000
SIZES = 20, 50, 200, 2000


class Design(NamedTuple):
    """How samples are drawn."""

    positive: float
    kind: str = ""
    is_near_1: bool = False

    def __str__(self) -> str:
        kind = f", {self.kind}" if self.kind else ""
        return f"{100 * self.positive:g} % positive{kind}" + (", near 1" if self.is_near_1 else "")

    @property
    def shifts(self) -> tuple[float, float]:
        """Of the positive items, for both systems."""
        return NEAR_1 if self.is_near_1 else SHIFTS


NEAR_ENDS = (Design(0.5, "", True), Design(0.5, "groups", True))
DESIGNS = (Design(0.5), Design(0.2), Design(0.2, "ties"), Design(0.5, "groups"))


def draw(design: Design, items: int, rng: np.random.Generator) -> Comparison:
    """Two systems on one sample; a sample has at least two items of each label."""
    groups = np.arange(items) // 5 if design.kind == "groups" else np.arange(items)
    number = int(groups[-1]) + 1
    while True:
        labels = rng.random(items) < design.positive
        if design.kind == "groups":
            shared = (rng.random(number) < design.positive)[groups]
            labels = np.where(rng.random(items) < 0.5, shared, labels)
        if 2 <= labels.sum() <= items - 2 and np.unique(groups[labels]).size > 1 < np.unique(groups[~labels]).size:
            break
    common = rng.normal(size=(1, items))
    own = rng.normal(size=(2, number))[:, groups] if design.kind == "groups" else rng.normal(size=(2, items))
    scores = 0.6 * own + 0.8 * common if design.kind == "groups" else 0.8 * own + 0.6 * common
    scores = scores + np.array(design.shifts)[:, None] * labels
    if design.kind == "ties":
        scores = np.round(2 * scores) / 2
    made = Comparison.of_scores(labels.astype(float), scores, groups=groups if design.kind == "groups" else None)
    folds = stats.grouped_folds(made.gold, groups, stats.scattered(groups + rng.integers(2**31)), 5)
    return replace(made, folds=folds)


def interval(name: str, design: Design, *, is_difference: bool, items: int, rng: np.random.Generator) -> Ends:
    """The usual interval of the first system, or of the difference."""
    made = draw(design, items, rng)
    sure = confidence(made, [make_measure(name)], groups=made.groups, seed=int(rng.integers(2**31)))
    low, high, _ = sure.differences[0][0][1] if is_difference else sure.intervals[0][0]
    return low, high


@cache
def means(name: str, design: Design, items: int) -> tuple[float, float]:
    """The mean figures of both systems over many samples."""
    rng, measure = np.random.default_rng(7), make_measure(name)
    found = [measure.values(draw(design, items, rng)) for _ in range(SAMPLES if items < 2000 else SAMPLES // 4)]
    one, other = np.nanmean(found, axis=0).tolist()
    return one, other


def truth(name: str, design: Design, items: int, *, is_difference: bool) -> float:
    """The mean figure of the first system, or its distance from the second's."""
    one, other = means(name, design, items)
    return one - other if is_difference else one


def threshold_interval(name: str, design: Design, items: int, rng: np.random.Generator) -> Ends:
    """The interval of the threshold to deploy for the first system."""
    made = draw(design, items, rng)
    one = made.of_systems([0])
    (found,) = deployed_thresholds(one, [make_measure(name)], resamples=500, seed=int(rng.integers(2**31)))
    low, high, _ = found.thresholds[0].interval or (np.nan, np.nan, None)
    return low, high


def best_threshold(name: str, design: Design, items: int) -> float:
    """The best threshold for the population."""
    at, measure = np.linspace(-3, 5, 80_001), make_measure(name)
    assert isinstance(measure, AtThreshold)
    hits, false = design.positive * ndtr(SHIFTS[0] - at), (1 - design.positive) * ndtr(-at)
    counts = stats.Counts(hits, false, np.array(design.positive), np.array(1 - design.positive))
    return float(at[measure.criterion(counts).argmax()])


def case_of(name: str, design: Design, *, is_difference: bool) -> Case:
    """The case of a figure or of a difference."""
    return Case(
        f"{name}, {'difference' if is_difference else 'interval'}",
        str(design),
        lambda items, rng: interval(name, design, is_difference=is_difference, items=items, rng=rng),
        lambda items: truth(name, design, items, is_difference=is_difference),
        SIZES if design.positive == 0.5 else SIZES[1:],
    )


def threshold_case(name: str, design: Design) -> Case:
    """The case of a threshold."""
    return Case(
        f"{name}, threshold",
        str(design),
        lambda items, rng: threshold_interval(name, design, items, rng),
        lambda items: best_threshold(name, design, items),
        SIZES[1:],
    )


CASES = [
    *(case_of(name, design, is_difference=flag) for name in NAMES for design in DESIGNS for flag in (False, True)),
    *(
        case_of(name, design, is_difference=flag)
        for name in NAMES[:5]
        for design in NEAR_ENDS
        for flag in (False, True)
    ),
    *(threshold_case(name, design) for name in NAMES[2:] for design in DESIGNS[:2]),
]
