"""Contrasts between the levels of each factor of a grid: instructions, shots, models, ways to read a score.

Two levels of a factor are compared over all pairs of cells that differ in nothing else, by the mean of their
differences. So "short against none" is the average effect of the short instruction over models, shots and ways to read
the score. Items (or whole groups of them) are resampled together for all cells. p-values are two-sided
(`similitude.stats.bootstrap_p_value`), with Holm's correction over all contrasts of a study.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude import stats
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import Measure
from similitude.evaluate.significance.jackknife import UNDEFINED_LIMIT
from similitude.evaluate.significance.resampler import Resampler
from similitude.evaluate.significance.tested_measure import subjects_of
from similitude.stats import Interval
from similitude.stats.finite import finite_or_none

__all__ = ["Contrast", "contrasts_of", "enough_for_contrasts", "pairs_apart"]

Array = NDArray[np.float64]
Settings = Sequence[Mapping[str, Any]]
Pairs = tuple[tuple[int, int], ...]


class Contrast(NamedTuple):
    """The difference between two levels of one factor, all else being equal.

    Attributes:
        part: the factor: model, instruction, shots, by, dialogue.
        one: the first level.
        other: the level that it is compared with.
        pairs: the number of pairs of cells that differ in nothing else, with figures on the items and in at least nine
            of ten resamples.
        difference: the mean over pairs of figure under one - figure under other; nan if there are no pairs.
        interval: of the difference.
        p_value: with Holm's correction over all contrasts.
        is_floor: whether so many resamples can give no smaller p-value.
    """

    part: str
    one: Any
    other: Any
    pairs: int
    difference: float
    interval: Interval
    p_value: float
    is_floor: bool = False

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        numbers = {"difference": self.difference, "low": self.interval.low, "high": self.interval.high}
        values = {name: finite_or_none(value) for name, value in {**numbers, "p_value": self.p_value}.items()}
        names = {"part": self.part, "one": self.one, "other": self.other, "pairs": self.pairs}
        return {**names, **values, "is_floor": self.is_floor}


def pairs_apart(settings: Settings) -> Iterator[tuple[str, Any, Any, Pairs]]:
    """Every factor of the grid, every two of its levels, and the pairs of cells that differ in these alone.

    The later level comes first (short against none, 2 shots against 0), and true comes before false.

    >>> grid = [{"shots": 0, "by": "answer"}, {"shots": 2, "by": "answer"}, {"shots": 0, "by": "expected"}]
    >>> list(pairs_apart(grid))
    [('shots', 2, 0, ((1, 0),)), ('by', 'expected', 'answer', ((2, 0),))]
    """
    places = {_key(setting): place for place, setting in enumerate(settings)}
    for part in settings[0] if settings else ():
        levels = sorted(dict.fromkeys(setting[part] for setting in settings), key=lambda level: level is True)
        for other, one in combinations(levels, 2):
            twins = ((place, places.get(_key({**setting, part: other}))) for place, setting in enumerate(settings))
            found = tuple((a, b) for a, b in twins if b is not None and settings[a][part] == one)
            if found:
                yield part, one, other, found


def enough_for_contrasts(settings: Settings, level: float) -> int:
    """The number of resamples for all contrasts: 2,000, or twice what Holm's correction needs.

    >>> enough_for_contrasts([{"model": number} for number in range(12)], 0.95)  # 66 contrasts
    2640
    """
    return max(2000, round(2 * sum(1 for _ in pairs_apart(settings)) / (1 - level)))


def contrasts_of(
    comparison: Comparison,
    settings: Settings,
    measure: Measure,
    *,
    groups: NDArray[np.intp] | None,
    resamples: int,
    level: float,
    seed: int,
) -> tuple[Contrast, ...]:
    """All contrasts of a grid on one measure.

    Args:
        comparison: of gold and predictions; its first systems are the cells, in order.
        settings: of the cells.
        measure: of the figures that are compared.
        groups: the number of each item's group; whole groups are drawn.
        resamples: how many to draw.
        level: of the intervals.
        seed: of the draws.
    """
    items = comparison.gold.size
    units = stats.Units(items) if groups is None else stats.Units.of_groups(groups)
    (subject,) = subjects_of(comparison, [measure])
    drawn = np.full((comparison.systems, resamples), np.nan)
    if units.number > 1 and subject.defined.size:
        drawn[subject.defined] = Resampler([subject], units, items, seed).bootstrap(resamples)[0]
    values = np.array([figure.value for figure in subject.figures])
    sign = 1.0 if measure.higher_is_better else -1.0
    made = [_contrast(values * sign, drawn * sign, level, *apart) for apart in pairs_apart(settings)]
    corrected = stats.holm(np.array([one.p_value for one in made]))
    return tuple(one._replace(p_value=float(p)) for one, p in zip(made, corrected, strict=True))


def _contrast(values: Array, drawn: Array, level: float, part: str, one: Any, other: Any, pairs: Pairs) -> Contrast:
    """One contrast, without pairs that have no figure on the items or in more than a tenth of the resamples.

    A resample in which no pair has a figure says nothing and is left out.
    """
    ones, others = (np.array(side) for side in zip(*pairs, strict=True))
    observed, resampled = values[ones] - values[others], drawn[ones] - drawn[others]
    known = np.isfinite(observed) & (np.isfinite(resampled).mean(axis=1) >= 1 - UNDEFINED_LIMIT)
    if not known.any():
        return Contrast(part, one, other, 0, np.nan, Interval(np.nan, np.nan), np.nan)
    difference = float(observed[known].mean())
    there = np.isfinite(resampled[known])
    says = there.any(axis=0)
    means = resampled[known][:, says].mean(axis=0, where=there[:, says])
    room = stats.rounding_of(float(np.abs(values[np.concatenate([ones[known], others[known]])]).max()))
    p_value = stats.bootstrap_p_value(means, difference, room)
    interval, is_floor = stats.percentile_interval(means, level), p_value <= stats.resampled_p_value(0, means.size)
    return Contrast(part, one, other, int(known.sum()), difference, interval, p_value, is_floor)


def _key(setting: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(setting.items()))
