"""Coverage of the intervals of averages over benchmarks, and of their differences; run by benchmarks/coverage.py.

Each benchmark is a sample of the designs in coverage_measures.py, with Pearson's r of about .3, .8 and .95 in turn, or
of .8 throughout; "one large" makes the last one ten times as large. The number of items is that of each benchmark.
"mean, interval" combines the intervals of the benchmarks, as suites do; "mean, Student's t" is what the covariances
alone give, for comparison. "mean, difference" is the interval of the difference of two systems on the mean, from the
covariances, on which the set of systems that may be best rests. "by pairs" weights benchmarks by their items.

    python benchmarks/coverage.py --figures "suite" --items 20,50,200 --replications 1000 --processes 2
"""

from __future__ import annotations

from functools import cache, partial
from typing import NamedTuple

import numpy as np

from coverage_measures import MANY, Design, draw
from similitude.evaluate.measures import make_measure
from similitude.evaluate.significance import Evidence, confidence
from similitude.stats import Ends as IntervalEnds
from similitude.stats import t_quantile
from similitude.study.suite.averages import Average, average_of
from similitude.study.suite.figure_grid import FigureGrid
from simulated_case import Case, Ends

ITEMS = (20, 50, 200)
LARGER = 10


class SuiteDesign(NamedTuple):
    """How many benchmarks there are, and how hard each is."""

    benchmarks: int
    correlations: tuple[float, ...]
    has_large: bool = False

    def __str__(self) -> str:
        levels = "/".join(f"{one:g}" for one in self.correlations)
        return f"{self.benchmarks} benchmarks, r {levels}" + (", one large" if self.has_large else "")

    def parts(self, items: int) -> list[tuple[Design, int]]:
        """The design and the number of items of each benchmark."""
        levels = [self.correlations[place % len(self.correlations)] for place in range(self.benchmarks)]
        sizes = [items] * self.benchmarks
        if self.has_large:
            sizes[-1] *= LARGER
        return [(Design(level), size) for level, size in zip(levels, sizes, strict=True)]


DESIGNS = (
    SuiteDesign(3, (0.8,)),
    SuiteDesign(3, (0.3, 0.8, 0.95)),
    SuiteDesign(12, (0.8,)),
    SuiteDesign(12, (0.3, 0.8, 0.95)),
    SuiteDesign(3, (0.3, 0.8, 0.95), has_large=True),
)


def average(measure: str, design: SuiteDesign, by_pairs: bool, items: int, rng: np.random.Generator) -> Average:
    """The average of two systems on one sample of every benchmark."""
    made, parts = make_measure(measure), design.parts(items)
    drawn = [draw(part, size, rng) for part, size in parts]
    found = [confidence(each, [made]) for each in drawn]
    ends = np.array([[row[0][:2] for row in each.intervals] for each in found])
    grid = FigureGrid(
        (made,) * len(parts),
        np.array([[figure.value for figure in made(each)] for each in drawn]),
        IntervalEnds(ends[..., 0], ends[..., 1]),
        np.array([each.covariances[0] for each in found]),
        np.array([each.freedoms[0] for each in found]),
    )
    weights = np.array([size if by_pairs else 1 for _, size in parts], dtype=np.float64)
    return average_of("by pairs" if by_pairs else "mean", grid, weights, ["0..5"] * len(parts))


def of_interval(made: Average) -> Ends:
    return made.intervals[0][:2]


def of_student(made: Average) -> Ends:
    reach = t_quantile(0.95, float(made.freedoms[0])) * float(np.sqrt(made.covariance[0, 0]))
    return made.values[0] - reach, made.values[0] + reach


def of_difference(made: Average) -> Ends:
    evidence = Evidence.of_covariance(made.values, made.covariance, float(np.median(made.freedoms)))
    return float(evidence.lows[0, 1]), float(evidence.highs[0, 1])


@cache
def figures(measure: str, correlation: float) -> tuple[float, float]:
    """The population's figures of both systems."""
    sample = draw(Design(correlation), MANY, np.random.default_rng(1))
    one, other = (figure.value for figure in make_measure(measure)(sample))
    return one, other


def truth(measure: str, design: SuiteDesign, by_pairs: bool, is_difference: bool, items: int) -> float:
    parts = design.parts(items)
    weights = np.array([size if by_pairs else 1 for _, size in parts], dtype=np.float64)
    values = np.array([figures(measure, part.correlation) for part, _ in parts])
    one, other = weights / weights.sum() @ values
    return float(one - other if is_difference else one)


def cases() -> list[Case]:
    found = []
    kinds = {
        "mean, interval": (of_interval, False, False),
        "mean, Student's t": (of_student, False, False),
        "mean, difference": (of_difference, False, True),
        "by pairs, interval": (of_interval, True, False),
    }
    for measure in ("spearman", "pearson", "mae"):
        for design in DESIGNS:
            for kind, (ends, by_pairs, is_difference) in kinds.items():
                if by_pairs and not design.has_large:
                    continue
                draws = partial(average, measure, design, by_pairs)
                found.append(
                    Case(
                        figure=f"suite: {measure}, {kind}",
                        design=str(design),
                        interval=lambda items, rng, draws=draws, ends=ends: ends(draws(items, rng)),
                        truth=partial(truth, measure, design, by_pairs, is_difference),
                        items=ITEMS,
                    )
                )
    return found


CASES = cases()
