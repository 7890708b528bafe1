"""The model confidence set: the systems that may be the best.

Reference: Hansen, Lunde and Nason (2011), The model confidence set, Econometrica 79(2), with the range statistic.
"""

from __future__ import annotations

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.max_t import MaxT

__all__ = ["best_p_values", "best_step_values"]


def best_p_values(statistics: Array, reference: MaxT) -> Array:
    """For each system, the p-value of the hypothesis that none is better; systems above 1 - level may be the best.

    As long as the systems that are left differ by more than chance, the one that is beaten most clearly goes. Chance is
    the largest of all differences among those that are left, so that systems which are clearly worse do not count. The
    set holds all of the best systems (several may be equally good) with a probability of ``level``. With two systems it
    is the two-sided t test.

    Args:
        statistics: systems x systems, how many standard errors the first is better than the second.
        reference: the same differences if all systems were equally good.

    >>> statistics = np.array([[0.0, 1.0, 5.0], [-1.0, 0.0, 4.0], [-5.0, -4.0, 0.0]])
    >>> best_p_values(statistics, MaxT(np.eye(3), 100.0)).round(4)
    array([1.    , 0.3197, 0.    ])
    """
    order, beaten = _elimination(statistics)
    largest = _ranges(order, reference)
    found = np.ones(len(statistics))
    found[order[:-1]] = np.maximum.accumulate(reference.p_values(largest, beaten))
    return found


def best_step_values(statistics: Array, systems: list[int], reference: MaxT, level: float) -> dict[int, float]:
    """What the difference between the last of some systems to stay and each other has to exceed, to about .03.

    A system goes once those that are beaten more clearly are gone.
    """
    order, _ = _elimination(statistics[np.ix_(systems, systems)])
    steps = [systems[place] for place in order]
    return dict(zip(steps, reference.rough_critical_values(_ranges(steps, reference), level).tolist(), strict=False))


def _elimination(statistics: Array) -> tuple[list[int], Array]:
    """The systems in the order in which they go, the winner last, and how clearly each is beaten by one that stays.

    Of several that are beaten equally clearly, the last goes.
    """
    left, order, beaten = list(range(len(statistics))), [], []
    while len(left) > 1:
        most = statistics[np.ix_(left, left)].max(axis=0)
        goes = len(left) - 1 - int(np.argmax(most[::-1]))
        beaten.append(float(most[goes]))
        order.append(left.pop(goes))
    return order + left, np.array(beaten)


def _ranges(order: list[int], reference: MaxT) -> Array:
    """Steps x directions: the largest difference among the systems that are left at each step."""
    largest = np.zeros((len(order), reference.directions))
    for step in range(len(order) - 2, -1, -1):
        own = np.abs(reference.differences(order[step], order[step + 1 :])).max(axis=0)
        largest[step] = np.maximum(largest[step + 1], own)
    return largest[:-1]
