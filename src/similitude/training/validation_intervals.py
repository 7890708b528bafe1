"""Intervals of validation figures, by the jackknife over items: nothing is drawn at random."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from similitude.stats import Bounds, Interval, Units, crps, jackknife_interval, kl_divergence
from similitude.stats.arrays import Array
from similitude.stats.left_out_correlation import pearson_left_out, spearman_left_out
from similitude.stats.left_out_units import left_out_units

__all__ = ["LEVEL", "correlation_intervals", "intervals_record", "opinion_intervals"]

LEVEL = 0.95
FEWEST = 5
"""With fewer groups of items, intervals are too narrow to be trusted."""
CORRELATION = Bounds(-1.0, 1.0)
Ends = tuple[float, float]


def correlation_intervals(scores: Array, gold: Array, groups: Sequence[str]) -> dict[str, Ends]:
    """Intervals of Spearman's and Pearson's correlation.

    Args:
        scores: predicted.
        gold: on the same items.
        groups: the group of each item; items of one group are not independent.

    >>> ends = correlation_intervals(np.array([1.0, 2, 3, 5, 4]), np.array([1.0, 3, 2, 4, 5]), list("abcde"))
    >>> bool(ends["pearson"][0] < 0.8 < ends["pearson"][1])
    True
    """
    units = Units.of_groups(np.unique(np.asarray(groups), return_inverse=True)[1].astype(np.intp))
    return {
        "spearman": _correlated(spearman_left_out, scores, gold, units),
        "pearson": _correlated(pearson_left_out, scores, gold, units),
    }


def opinion_intervals(gold: Array, human: Array, means: Array, sigmas: Array | None, width: float) -> dict[str, Ends]:
    """Intervals of the figures of a model of opinions: r and rho of means, kl, crps and sigma_rho.

    Args:
        gold: mean opinions.
        human: standard deviations of opinions.
        means: predicted.
        sigmas: predicted standard deviations; None if there are none.
        width: of the scale, in units of the arrays.
    """
    alone = Units(gold.size)
    ends = {
        "r": _correlated(pearson_left_out, means, gold, alone),
        "rho": _correlated(spearman_left_out, means, gold, alone),
    }
    if sigmas is None:
        return ends
    differ = human > 0
    return ends | {
        "kl": _mean(np.asarray(kl_divergence(gold[differ], human[differ], means[differ], sigmas[differ]))),
        "crps": _mean(np.asarray(crps(gold, means, sigmas)) * width),
        "sigma_rho": _correlated(spearman_left_out, sigmas, human, alone),
    }


def intervals_record(figures: Mapping[str, float], ends: Mapping[str, Ends]) -> dict[str, Any]:
    """The intervals that are defined, of figures that are, ready for JSON."""
    known = {
        name: [round(low, 6), round(high, 6)]
        for name, (low, high) in ends.items()
        if name in figures and math.isfinite(figures[name]) and math.isfinite(low) and math.isfinite(high)
    }
    return {"validation_intervals": {"level": LEVEL, **known}} if known else {}


def _correlated(left_out: Any, scores: Array, gold: Array, units: Units) -> Ends:
    if units.number < FEWEST or np.ptp(scores) == 0 or np.ptp(gold) == 0:
        return math.nan, math.nan
    found = left_out(gold, scores, np.array([gold.size]))
    value = float(found.whole[0])
    return _ends(jackknife_interval(value, left_out_units(value, found.without, units), LEVEL, CORRELATION))


def _mean(values: Array) -> Ends:
    """The interval of a mean, from the means without each value."""
    if values.size < FEWEST:
        return math.nan, math.nan
    without = (values.sum() - values) / (values.size - 1)
    return _ends(jackknife_interval(float(values.mean()), without, LEVEL))


def _ends(found: Interval) -> Ends:
    """The ends; nan if something is wrong with them."""
    return (math.nan, math.nan) if found.reason else (found.low, found.high)
