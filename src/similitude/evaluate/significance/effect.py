"""Standardised effect sizes of the difference of two systems."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from similitude.evaluate.measures.additive import MeanLoss
from similitude.evaluate.measures.measure import Measure
from similitude.evaluate.significance.evidence import Evidence

__all__ = ["Effect", "effect_of"]


class Effect(NamedTuple):
    """A standardised difference; like the difference, it is the first system minus the second.

    Attributes:
        name: "q" or "d_z".
        value: its value.
    """

    name: Literal["q", "d_z"]
    value: float


def effect_of(measure: Measure, evidence: Evidence, one: int, other: int) -> Effect | None:
    """Cohen's q for correlations, Cohen's d_z for means over items; None for other measures, and where undefined.

    q is the difference on Fisher's z scale: .1 is small, .3 medium, .5 large. d_z is the mean difference of the losses
    of an item (or group), divided by the standard deviation of these differences: .2 is small, .5 medium, .8 large.

    Reference: Cohen (1988), Statistical power analysis for the behavioral sciences, chapters 2 and 4.
    """
    if measure.is_correlation:
        return _cohen_q(float(evidence.values[one]), float(evidence.values[other]))
    return _cohen_d_z(evidence, one, other) if isinstance(measure, MeanLoss) else None


def _cohen_q(one: float, other: float) -> Effect | None:
    """Cohen's q.

    >>> _cohen_q(0.8, 0.5).value.round(3)
    np.float64(0.549)
    """
    if max(abs(one), abs(other)) >= 1 or not np.isfinite(one - other):
        return None
    return Effect("q", np.arctanh(one) - np.arctanh(other))


def _cohen_d_z(evidence: Evidence, one: int, other: int) -> Effect | None:
    covariance = evidence.covariance
    variance = evidence.units * float(covariance[one, one] + covariance[other, other] - 2 * covariance[one, other])
    if not variance > 0:
        return None
    return Effect("d_z", float(evidence.values[one] - evidence.values[other]) / variance**0.5)
