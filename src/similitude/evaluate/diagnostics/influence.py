"""Warnings where Pearson's r misleads: influential items or a non-linear relation, as in Anscombe's quartet.

Four rules, each reported with its numbers:

- **influential items**: without the most influential 1 % of items (at least one), r changes by more than 0.05. The
  influence of an item is the change of r when it is left out, computed exactly for all items at once.
- **rank and value disagree**: r and Spearman's rho differ by more than 0.1.
- **curvature**: a parabola through gold explains over 5 % more of the variance of the predictions than a line, and the
  gain is significant (F-test, p < 0.001).
- **two clusters**: within the lower and within the upper half of gold, r is below half of the overall r.

References: Anscombe (1973), Graphs in statistical analysis; Reimers et al. (2016), section 2 and figure 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude import stats
from similitude.evaluate.comparison import Comparison
from similitude.stats.arrays import Array, Integers

__all__ = ["PearsonWarning", "leave_one_out_pearson", "pearson_warnings"]


FEW_SHARE, FEW_CHANGE = 0.01, 0.05
RANK_GAP = 0.1
BENT_GAIN, BENT_P = 0.05, 0.001
HALVES = 0.5
FEWEST_ITEMS = 8
"""With fewer items, every item is influential."""


class PearsonWarning(NamedTuple):
    """A reason not to rely on one system's Pearson correlation alone.

    Attributes:
        system: index of the system.
        kind: "outliers", "ranks", "curvature" or "halves".
        words: one sentence with the numbers.
        items: positions of the items that cause it, most influential first; empty if all do.
    """

    system: int
    kind: str
    words: str
    items: tuple[int, ...] = ()


def pearson_warnings(comparison: Comparison) -> list[PearsonWarning]:
    """All warnings, system by system.

    >>> x = np.array([8.0, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8])  # Anscombe's fourth
    >>> y = np.array([6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.5, 5.56, 7.91, 6.89])
    >>> pearson_warnings(Comparison.of_scores(x, y))[0].kind
    'outliers'
    """
    if comparison.gold.size < FEWEST_ITEMS:
        return []
    found: list[PearsonWarning] = []
    for system, predicted in enumerate(comparison.predicted):
        r = float(stats.pearson(comparison.gold, predicted))
        if np.isfinite(r):
            checks = (_outliers, _ranks, _curvature, _halves)
            found += [warning for check in checks if (warning := check(system, comparison.gold, predicted, r))]
    return found


def leave_one_out_pearson(x: Array, y: Array) -> Array:
    """Pearson's r with each item left out in turn, from sums; nan where the rest is constant.

    >>> leave_one_out_pearson(np.array([0.0, 1.0, 2.0, 9.0]), np.array([0.0, 1.0, 2.0, 0.0]))[3]
    np.float64(1.0)
    """
    return _pearson_without(x, y, np.eye(x.size)) if x.size <= 64 else _leave_one_out(x, y)


def _leave_one_out(x: Array, y: Array) -> Array:
    x, y = x - x.mean(), y - y.mean()
    left = x.size - 1
    sum_x, sum_y = -x, -y  # centred: the rest sums to minus the left-out value
    xx, yy, xy = (x * x).sum() - x * x, (y * y).sum() - y * y, (x * y).sum() - x * y
    covariance = xy - sum_x * sum_y / left
    variances = (xx - sum_x**2 / left) * (yy - sum_y**2 / left)
    tiny = 1e-12 * (x * x).sum() * (y * y).sum()
    return np.asarray(np.where(variances > tiny, covariance / np.sqrt(np.maximum(variances, tiny)), np.nan))


def _pearson_without(x: Array, y: Array, left_out: Array) -> Array:
    kept = left_out == 0
    return np.array([stats.pearson(x[row], y[row]) for row in kept])


def _outliers(system: int, gold: Array, predicted: Array, r: float) -> PearsonWarning | None:
    few = max(1, round(FEW_SHARE * gold.size))
    change = np.nan_to_num(leave_one_out_pearson(gold, predicted) - r, nan=np.inf)
    order = np.argsort(-np.abs(change), kind="stable")
    # Items that move r in the same direction, so that they cannot cancel.
    pushing = [order[way][:few] for way in (change[order] > 0, change[order] < 0)]
    changes = [(_without(gold, predicted, items), items) for items in pushing]
    value, items = max(changes, key=lambda each: _gap(each[0], r))
    if _gap(value, r) <= FEW_CHANGE:
        return None
    items_in_words = "one item" if items.size == 1 else f"{items.size} items"
    becomes = "undefined: the other items do not vary" if np.isnan(value) else f"{value:.2f}"
    words = f"Pearson is {r:.2f}, and without {items_in_words} of {gold.size:,} it is {becomes}"
    return PearsonWarning(system, "outliers", words, tuple(items.tolist()))


def _without(gold: Array, predicted: Array, items: Integers) -> float:
    return float(stats.pearson(np.delete(gold, items), np.delete(predicted, items)))


def _gap(value: float, r: float) -> float:
    return np.inf if np.isnan(value) else abs(value - r)


def _ranks(system: int, gold: Array, predicted: Array, r: float) -> PearsonWarning | None:
    rho = float(stats.spearman(gold, predicted))
    if abs(r - rho) <= RANK_GAP:
        return None
    return PearsonWarning(
        system, "ranks", f"Pearson is {r:.2f}, but Spearman, which depends on order alone, is {rho:.2f}"
    )


def _curvature(system: int, gold: Array, predicted: Array, r: float) -> PearsonWarning | None:
    from scipy.special import fdtrc

    x = (gold - gold.mean()) / gold.std()
    if np.unique(gold).size < 3:
        return None
    design = np.stack([np.ones_like(x), x, x * x], axis=1)
    fitted = design @ np.linalg.lstsq(design, predicted, rcond=None)[0]
    left = max(1 - float(((predicted - fitted) ** 2).sum() / ((predicted - predicted.mean()) ** 2).sum()), 0.0)
    gain, freedom = left - r * r, gold.size - 3
    if gain <= BENT_GAIN or fdtrc(1, freedom, gain / max((1 - left) / freedom, 1e-300)) >= BENT_P:
        return None
    words = f"the relation is curved: a line explains {r * r:.0%} of the variance, a parabola {left:.0%}"
    return PearsonWarning(system, "curvature", words)


def _halves(system: int, gold: Array, predicted: Array, r: float) -> PearsonWarning | None:
    upper = gold > np.median(gold)
    if upper.sum() < FEWEST_ITEMS:  # the lower half is never smaller
        return None
    low, high = (float(stats.pearson(gold[part], predicted[part])) for part in (~upper, upper))
    if np.isnan(low) or np.isnan(high) or max(low, high) >= HALVES * r:
        return None
    words = (
        f"Pearson is {r:.2f} over all items, but {low:.2f} among those with low gold and {high:.2f} among those with "
        "high gold: it separates two clusters, and little within them"
    )
    return PearsonWarning(system, "halves", words)
