"""Coverage of the intervals of measures and of differences between two systems; run by benchmarks/coverage.py.

Gold is uniform on 0..5. Two systems add noise that they partly share, so large that Pearson's r is about .3, .8 or .95;
the second adds a little more. At .999, the second has an r of about .8. Each item has a noise level of its own, and
systems report 80 % of it as their standard deviation. "ties" rounds gold and predictions to whole numbers. "groups"
draws items in fives that share a part of gold and noise. "nearly equal" systems share 98 % of the variance of the
noise, others 36 %. The truth is the figure of 400,000 items. nDCG and nCG depend on the number of items: their truth is
the mean over 4,000 samples of the same size, the figure that another sample of this size would have on average.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from similitude.data.scale import Scale
from similitude.evaluate.comparison import Comparison, Sources
from similitude.evaluate.measures import catalogue, make_measure
from similitude.evaluate.significance import confidence
from simulated_case import Case, Ends

MANY, SAMPLES = 400_000, 4000
NOISE = {0.3: (4.2, 4.6), 0.8: (1.0, 1.15), 0.95: (0.45, 0.5), 0.999: (0.06, 1.15)}
NAMES = (*(str(one) for one in catalogue() if "two labels" not in one.requires), "ndcg@10", "ncg@3")
GROUPED = ("choice_accuracy", "group_ndcg")


class Design(NamedTuple):
    """How samples are drawn."""

    correlation: float
    kind: str = ""

    def __str__(self) -> str:
        return f"r {self.correlation:g}" + (f", {self.kind}" if self.kind else "")


NEARLY_EQUAL = Design(0.8, "nearly equal")
NEAR_ENDS = (Design(0.999), Design(0.999, "groups"))
DESIGNS = (Design(0.3), Design(0.8), Design(0.95), Design(0.8, "ties"), Design(0.8, "groups"))


def draw(design: Design, items: int, rng: np.random.Generator) -> Comparison:
    """Two systems on one sample."""
    groups = np.arange(items) // 5
    normal = partial(_in_groups, rng, groups) if design.kind == "groups" else lambda *shape: rng.normal(size=shape)
    gold = 5 * ndtr(normal(items))
    level = np.exp(0.3 * rng.normal(size=items) - 0.045)  # its square has mean 1
    sigma = np.array(NOISE[design.correlation])[:, None] * level
    shared = 0.98 if design.kind == "nearly equal" else 0.36
    predicted = gold + sigma * (shared**0.5 * normal(items) + (1 - shared) ** 0.5 * normal(2, items))
    if design.kind == "ties":
        gold, predicted = np.round(gold), np.round(predicted)
    return Comparison(
        gold=gold,
        predicted=predicted,
        scale=Scale(low=0, high=5),
        is_on_scale=np.ones(2, dtype=bool),
        gold_sigma=0.5 * level * np.exp(0.2 * rng.normal(size=items)),
        predicted_sigma=0.8 * sigma * np.exp(0.1 * rng.normal(size=(2, items))),
        groups=groups,
        sources=Sources(groups % 2, ("a", "b")),
    )


def _in_groups(rng: np.random.Generator, groups: np.ndarray, *shape: int) -> np.ndarray:
    """Normal values of which 36 % of the variance are shared within groups."""
    shared = rng.normal(size=(*shape[:-1], groups[-1] + 1))[..., groups]
    return 0.6 * shared + 0.8 * rng.normal(size=shape)


def interval(name: str, design: Design, *, is_difference: bool, items: int, rng: np.random.Generator) -> Ends:
    """The usual interval of the first system, or of the difference."""
    made = draw(design, items, rng)
    groups = made.groups if design.kind == "groups" or name in GROUPED else None
    sure = confidence(made, [make_measure(name)], groups=groups, seed=int(rng.integers(2**31)))
    low, high, _ = sure.differences[0][0][1] if is_difference else sure.intervals[0][0]
    return low, high


@cache
def figures(name: str, design: Design, items: int) -> tuple[float, float]:
    """The true figures of both systems."""
    measure, rng = make_measure(name), np.random.default_rng(1)
    if "cg" not in name or name == "group_ndcg":
        return tuple(figure.value for figure in measure(draw(design, MANY, rng)))  # type: ignore[return-value]
    samples = [measure.values(draw(design, items, rng)) for _ in range(SAMPLES if items <= 200 else SAMPLES // 10)]
    return tuple(np.nanmean(samples, axis=0).tolist())


def _case(name: str, design: Design, *, is_difference: bool) -> Case:
    def truth(items: int) -> float:
        one, other = figures(name, design, items)
        return one - other if is_difference else one

    what = f"{name}, difference" if is_difference else name
    return Case(what, str(design), _ends(name, design, is_difference=is_difference), truth)


def _ends(name: str, design: Design, *, is_difference: bool) -> Callable[[int, np.random.Generator], Ends]:
    return lambda items, rng: interval(name, design, is_difference=is_difference, items=items, rng=rng)


CASES = [
    _case(name, design, is_difference=is_difference)
    for name in NAMES
    for design in DESIGNS
    for is_difference in (False, True)
]
CASES += [_case(name, NEARLY_EQUAL, is_difference=True) for name in ("pearson", "spearman", "kendall", "mse", "mae")]
CASES += [
    _case(name, design, is_difference=is_difference)
    for name in ("pearson", "spearman", "kendall", "f1", "accuracy_high", "f1_macro_3bin")
    for design in NEAR_ENDS
    for is_difference in (False, True)
]
