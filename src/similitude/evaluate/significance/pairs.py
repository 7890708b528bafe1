"""Which systems can be told apart on a measure: a p-value for every pair, corrected for the number of pairs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from similitude import stats
from similitude.evaluate.significance.resampler import Permuted
from similitude.evaluate.significance.tested_measure import TestedMeasure
from similitude.stats.arrays import Array, Integers

__all__ = ["UNDEFINED_LIMIT", "corrected_p_values", "p_values_of_bootstrap", "p_values_of_permutations"]


UNDEFINED_LIMIT = 0.1
"""Where a figure is undefined in a larger share of the resamples than this, nothing is said."""


def p_values_of_bootstrap(subject: TestedMeasure, distribution: Array) -> Array:
    """Paired: both systems were resampled together, so that only their difference varies. See `bootstrap_p_value`."""
    values, p_values = subject.values, _unknown(subject)
    room = stats.rounding_of(float(np.abs(values).max(initial=0.0)))
    for one, other in _pairs(values.size):
        differences = distribution[one] - distribution[other]
        known = differences[np.isfinite(differences)]
        if known.size >= (1 - UNDEFINED_LIMIT) * differences.size:
            p_values[one, other] = stats.bootstrap_p_value(known, values[one] - values[other], room)
    return p_values


def p_values_of_permutations(subject: TestedMeasure, permuted: Permuted, permutations: int) -> Array:
    """(1 + permutations that set the systems as far apart as they are) / (1 + permutations)."""
    p_values = _unknown(subject)
    for one, other in _pairs(len(p_values)):
        defined = int(permuted.defined[one, other])
        if defined >= (1 - UNDEFINED_LIMIT) * permutations:
            p_values[one, other] = stats.resampled_p_value(int(permuted.exceeding[one, other]), defined)
    return p_values


def corrected_p_values(p_values: Array, defined: Integers, systems: int) -> Array:
    """Holm-corrected over all pairs, for both orders of each, systems without a figure nan."""
    corrected = np.full((systems, systems), np.nan)
    above = np.triu_indices(len(p_values), 1)
    rows, columns = defined[above[0]], defined[above[1]]
    corrected[rows, columns] = corrected[columns, rows] = stats.holm(p_values[above])
    return corrected


def _unknown(subject: TestedMeasure) -> Array:
    return np.full((subject.defined.size, subject.defined.size), np.nan)


def _pairs(systems: int) -> Iterator[tuple[int, int]]:
    return ((one, other) for one in range(systems) for other in range(one + 1, systems))
