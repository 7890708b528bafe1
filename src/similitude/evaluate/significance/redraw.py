"""New draws in place of answers that a language model did not give.

An answer without a score is replaced by a random draw from the scale. A figure rests on one such draw, but its
uncertainty includes all that could have been drawn: every resample draws anew.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from similitude.evaluate.comparison import Calibrated, Comparison, Redraws
from similitude.stats.arrays import Array, Integers

__all__ = ["redrawn", "redrawn_systems"]


def redrawn_systems(comparison: Comparison) -> Integers:
    """The systems with scores that are drawn anew."""
    draws = comparison.redraws
    return np.empty(0, dtype=np.intp) if draws is None else np.flatnonzero(draws.where.any(axis=1))


def redrawn(comparison: Comparison, rng: np.random.Generator) -> Comparison:
    """The comparison with a new draw for every score that was drawn; unchanged if there are none.

    Args:
        comparison: gold against predictions.
        rng: of the draws, one for each system and item in order.

    >>> draws = Redraws(np.array([[False, True]]), np.array([1.0]), np.array([5.0]))
    >>> made = replace(Comparison.of_scores(np.array([1.0, 2.0]), np.array([[3.0, 4.0]])), redraws=draws)
    >>> redrawn(made, np.random.default_rng(0)).predicted.round(3)
    array([[3.   , 3.548]])
    """
    draws = comparison.redraws
    if draws is None:
        return comparison
    predicted = comparison.predicted.copy()
    for row in redrawn_systems(comparison):
        where = draws.where[row]
        predicted[row, where] = rng.uniform(draws.low[row], draws.high[row], int(where.sum()))
    found = comparison.calibrated
    calibrated = None if found is None else _calibrated(comparison, found, draws, predicted)
    return replace(comparison, predicted=predicted, calibrated=calibrated)


def _calibrated(comparison: Comparison, found: Calibrated, draws: Redraws, predicted: Array) -> Calibrated:
    """Calibrated scores of the new draws, between those of the old scores beside them."""
    scores = found.scores.copy()
    for row in redrawn_systems(comparison):
        where, order = draws.where[row], np.argsort(comparison.predicted[row], kind="stable")
        scores[row, where] = np.interp(
            predicted[row, where], comparison.predicted[row][order], np.maximum.accumulate(scores[row][order])
        )
    return found._replace(scores=scores)
