"""Recalibration: standard deviations of a forecast corrected on items that were kept for it.

People's opinion of item i is read as a Gaussian with mean m_i and standard deviation h_i, the forecast as N(f_i, s_i).
Only s is changed, to g(s), so that the mean over items of KL(people || forecast) is least. Up to what does not depend
on g, that mean is 1/2 mean(ln g_i^2 + v_i / g_i^2), where v_i = h_i^2 + (m_i - f_i)^2 is the spread of people around
the forecast.

*Scaling*, g(s) = k s: setting the derivative by k to 0 gives k^2 = mean(v_i / s_i^2).

*Isotonic*, g any rising function: v/g^2 - ln(v/g^2) - 1 is the Itakura-Saito divergence of g^2 from v, the Bregman
divergence of -ln. For every Bregman divergence the best rising function is the one of least squares (Robertson, Wright
and Dykstra, 1988, theorem 1.5.1): means of v over pooled neighbours. So pooling adjacent violators finds it.

Where the spread of opinions is not known (``human_sigmas`` is None), v is the squared error alone. What is least then
is -ln N(m_i; f_i, g_i), the surprise at the gold score: the forecast is made honest about its error, not about how far
people differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError, EstimationError

__all__ = [
    "Isotonic",
    "Recalibration",
    "Scaling",
    "fit_isotonic",
    "fit_scaling",
    "recalibration_from_record",
]

Array = NDArray[np.float64]
ZeroVariance = Literal["drop", "keep"]

FEWEST = 10
"""Items without which one factor is little more than chance: with 10, the standard error of its square is 45 %."""
ITEMS_A_KNOT = 25
"""Neighbours that are pooled before anything else, so that one lucky item at the end cannot claim certainty."""
FLOOR = 1e-4
"""The least variance of an isotonic map, as a share of the mean of v: 1 % of its root."""


class Recalibration(Protocol):
    """From standard deviations as a system says them to standard deviations that hold."""

    def apply(self, sigmas: Array) -> Array:
        """The corrected ones, of the same shape; nan stays nan."""
        ...

    def record(self) -> dict[str, Any]:
        """Plain values, from which `recalibration_from_record` rebuilds it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaling:
    """Every standard deviation times one factor.

    Attributes:
        factor: above 0.
        items: that it was fitted on.
    """

    factor: float
    items: int

    def apply(self, sigmas: Array) -> Array:
        """Times the factor."""
        return np.asarray(self.factor * np.asarray(sigmas, np.float64))

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"kind": "scaling", "factor": self.factor, "items": self.items}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Isotonic:
    """A rising function: straight lines in the variance between knots, level beyond the outer ones.

    Attributes:
        sigmas: the knots, rising: the mean predicted standard deviation of neighbours that were pooled.
        variances: what each knot's variance becomes; rising and above 0.
        items: that it was fitted on.
    """

    sigmas: Array
    variances: Array
    items: int

    def apply(self, sigmas: Array) -> Array:
        """The root of the variance on the line between two knots."""
        return np.asarray(np.sqrt(np.interp(np.asarray(sigmas, np.float64), self.sigmas, self.variances)))

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        knots = {"sigmas": self.sigmas.tolist(), "variances": self.variances.tolist()}
        return {"kind": "isotonic", **knots, "items": self.items}


def fit_scaling(
    means: Array,
    sigmas: Array,
    human_means: Array,
    human_sigmas: Array | None = None,
    *,
    zero_variance: ZeroVariance = "drop",
) -> Scaling:
    """One factor on all predicted standard deviations.

    Args:
        means: predicted, one an item.
        sigmas: predicted, above 0.
        human_means: the gold scores.
        human_sigmas: of people's opinions; items where it is nan are left out. None: the squared error alone counts.
        zero_variance: items on which people agree entirely have no finite KL. "drop" leaves them out, as the measure
            ``kl`` does; "keep" counts the part of it that depends on the factor.

    Raises:
        EstimationError: fewer than 10 items count, or all are predicted without any error.
        ArgumentError: columns of different lengths, a predicted standard deviation not above 0, something is no number.

    >>> fitted = fit_scaling(np.zeros(10), np.ones(10), np.zeros(10), np.full(10, 2.0))
    >>> fitted.factor, fitted.apply(np.array([0.5]))
    (2.0, array([1.]))
    """
    counted = _counted(means, sigmas, human_means, human_sigmas, zero_variance)
    _demand(len(counted.sigmas), FEWEST, "a factor")
    factor = float(np.sqrt(np.mean(counted.spread / counted.sigmas**2)))
    if factor == 0:
        raise _no_error_at_all()
    return Scaling(factor=factor, items=len(counted.sigmas))


def fit_isotonic(
    means: Array,
    sigmas: Array,
    human_means: Array,
    human_sigmas: Array | None = None,
    *,
    zero_variance: ZeroVariance = "drop",
    items_a_knot: int = ITEMS_A_KNOT,
) -> Isotonic:
    """The best rising function of predicted standard deviations.

    Items are sorted by predicted standard deviation and put together ``items_a_knot`` at a time (equal ones are never
    separated); over these groups adjacent violators are pooled. Where larger predictions do not mean a larger spread,
    one knot is left, and the function is constant.

    Args:
        means: predicted, one an item.
        sigmas: predicted, above 0.
        human_means: the gold scores.
        human_sigmas: as in `fit_scaling`.
        zero_variance: as in `fit_scaling`.
        items_a_knot: at least; with 1 the function fits these items best and the next ones worse.

    Raises:
        EstimationError: fewer items count than two knots need, or all are predicted without any error.
        ArgumentError: as in `fit_scaling`.

    >>> said, true = np.repeat([0.1, 0.2], 25), np.repeat([1.0, 3.0], 25)
    >>> fit_isotonic(np.zeros(50), said, np.zeros(50), true).apply(np.array([0.05, 0.1, 0.2, 0.3]))
    array([1., 1., 3., 3.])
    """
    from scipy.optimize import isotonic_regression

    counted = _counted(means, sigmas, human_means, human_sigmas, zero_variance)
    _demand(len(counted.sigmas), max(FEWEST, 2 * items_a_knot), "an isotonic map")
    mean_spread = float(counted.spread.mean())
    if mean_spread == 0:
        raise _no_error_at_all()
    group = _groups(counted.sigmas, items_a_knot)
    sizes = np.bincount(group).astype(np.float64)
    rising = isotonic_regression(np.bincount(group, weights=counted.spread) / sizes, weights=sizes)
    first = np.asarray(rising.blocks[:-1])
    centres = np.add.reduceat(np.bincount(group, weights=counted.sigmas), first) / np.add.reduceat(sizes, first)
    variances = np.maximum(np.asarray(rising.x)[first], FLOOR * mean_spread)
    return Isotonic(sigmas=centres, variances=variances, items=len(counted.sigmas))


def recalibration_from_record(record: Mapping[str, Any]) -> Recalibration:
    """What `Scaling.record` or `Isotonic.record` described.

    Raises:
        ArgumentError: it is neither.
    """
    rebuild: dict[str, Callable[[Mapping[str, Any]], Recalibration]] = {
        "scaling": lambda told: Scaling(factor=float(told["factor"]), items=int(told["items"])),
        "isotonic": lambda told: Isotonic(
            sigmas=np.array(told["sigmas"], np.float64),
            variances=np.array(told["variances"], np.float64),
            items=int(told["items"]),
        ),
    }
    try:
        return rebuild[record["kind"]](record)
    except (KeyError, TypeError, ValueError):
        raise ArgumentError(
            "a recalibration cannot be read from its record", remedy="fit it again on a development split"
        ) from None


class _Counted(NamedTuple):
    """The items that count: predicted standard deviations, and the spread of people around the prediction."""

    sigmas: Array
    spread: Array


def _counted(
    means: Array, sigmas: Array, human_means: Array, human_sigmas: Array | None, zero_variance: ZeroVariance
) -> _Counted:
    columns = [np.asarray(column, np.float64) for column in (means, sigmas, human_means)]
    if human_sigmas is not None:
        columns.append(np.asarray(human_sigmas, np.float64))
    if len({column.shape for column in columns}) > 1 or columns[0].ndim != 1:
        shapes = ", ".join(str(column.shape) for column in columns)
        raise ArgumentError(f"columns of shapes {shapes} do not fit together", remedy="give one number an item in each")
    _check_numbers(columns)
    mean, sigma, gold = columns[:3]
    error = (gold - mean) ** 2
    if human_sigmas is None:
        return _Counted(sigma, error)
    human = columns[3]
    counts = human > 0 if zero_variance == "drop" else np.isfinite(human)
    return _Counted(sigma[counts], error[counts] + human[counts] ** 2)


def _check_numbers(columns: list[Array]) -> None:
    for name, column in zip(("predicted means", "predicted sigmas", "gold scores"), columns, strict=False):
        if not np.isfinite(column).all():
            raise ArgumentError(f"{name} hold something that is no number", remedy="leave such items out")
    if (columns[1] <= 0).any():
        raise ArgumentError(
            f"{int((columns[1] <= 0).sum()):,} predicted sigmas are not above 0",
            remedy="only a system that is in doubt can be recalibrated",
        )
    if len(columns) > 3 and ((columns[3] < 0) | np.isinf(columns[3])).any():
        raise ArgumentError("a human sigma is below 0 or infinite", remedy="give 0 or more, or nan where unknown")


def _demand(items: int, needed: int, what: str) -> None:
    if items < needed:
        raise EstimationError(
            f"{items:,} items are too few to fit {what}", remedy=f"recalibrate on {needed:,} or more, or not at all"
        )


def _no_error_at_all() -> EstimationError:
    return EstimationError(
        "no item is predicted with any error, so no spread is left to fit",
        remedy="recalibrate on items that the system was not trained on",
    )


def _groups(sigmas: Array, least: int) -> NDArray[np.intp]:
    """The group of each item: neighbours by sigma, at least so many, equal sigmas always together."""
    distinct, where, sizes = np.unique(sigmas, return_inverse=True, return_counts=True)
    names = np.empty(len(distinct), np.intp)
    name, filled = 0, 0
    for place, size in enumerate(sizes.tolist()):
        if filled >= least:
            name, filled = name + 1, 0
        names[place] = name
        filled += size
    if filled < least and name > 0:  # the last one is too small to stand alone
        names[names == name] = name - 1
    return np.asarray(names[where])
