"""Recalibration: predicted standard deviations corrected on held-out items.

People's opinions of item i are modelled as a Gaussian with mean m_i and standard deviation h_i, the forecast is
N(f_i, s_i). Recalibration changes s to g(s) so that the mean over items of KL(people || forecast) is minimal. Up to a
constant, that mean is 1/2 mean(ln g_i^2 + v_i / g_i^2), where v_i = h_i^2 + (m_i - f_i)^2 is the mean squared distance
of people's opinions from the forecast.

*Scaling*, g(s) = k s: setting the derivative with respect to k to 0 gives k^2 = mean(v_i / s_i^2).

*Isotonic*, g any increasing function: v/g^2 - ln(v/g^2) - 1 is the Itakura-Saito divergence of g^2 from v, the Bregman
divergence of -ln. For every Bregman divergence, the best increasing function is that of least squares (Robertson,
Wright and Dykstra, 1988, theorem 1.5.1), so pooling adjacent violators finds it.

If the spread of opinions is not known (``human_sigmas`` is None), v is the squared error alone. The minimum is then
that of -ln N(m_i; f_i, g_i): the standard deviations describe the error of the forecast, not how far people differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError, EstimationError
from similitude.stats.arrays import Array

__all__ = [
    "Isotonic",
    "Recalibration",
    "Scaling",
    "fit_isotonic",
    "fit_scaling",
    "recalibration_from_record",
]

ZeroVariance = Literal["drop", "keep"]

FEWEST = 10
"""The fewest items for a factor; with 10, the standard error of its square is 45 %."""
ITEMS_A_KNOT = 25
"""Items that are pooled into each knot at first, so that a single item with a small error cannot make a knot."""
FLOOR = 1e-4
"""The least variance of an isotonic map, relative to the mean of v."""


class Recalibration(Protocol):
    """A map from predicted to corrected standard deviations."""

    def apply(self, sigmas: Array) -> Array:
        """The corrected standard deviations, of the same shape; nan stays nan."""
        ...

    def record(self) -> dict[str, Any]:
        """The recalibration as plain values, from which `recalibration_from_record` rebuilds it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaling:
    """Multiplication of all standard deviations by one factor.

    Attributes:
        factor: above 0.
        items: the number of items that it was fitted on.
    """

    factor: float
    items: int

    def apply(self, sigmas: Array) -> Array:
        """The standard deviations times the factor."""
        return np.asarray(self.factor * np.asarray(sigmas, np.float64))

    def record(self) -> dict[str, Any]:
        """The recalibration as plain values, ready for JSON."""
        return {"kind": "scaling", "factor": self.factor, "items": self.items}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Isotonic:
    """An increasing function: linear in the variance between knots, constant beyond the outer ones.

    Attributes:
        sigmas: the knots, in ascending order: mean predicted standard deviations of pooled items.
        variances: the corrected variance at each knot; increasing and above 0.
        items: the number of items that it was fitted on.
    """

    sigmas: Array
    variances: Array
    items: int

    def apply(self, sigmas: Array) -> Array:
        """The square roots of the interpolated variances."""
        return np.asarray(np.sqrt(np.interp(np.asarray(sigmas, np.float64), self.sigmas, self.variances)))

    def record(self) -> dict[str, Any]:
        """The recalibration as plain values, ready for JSON."""
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
    """Fit one factor for all predicted standard deviations.

    Args:
        means: the predicted means.
        sigmas: the predicted standard deviations, above 0.
        human_means: the gold scores.
        human_sigmas: the standard deviations of people's opinions; items with nan are left out. If None, only the
            squared error counts.
        zero_variance: what to do with items on which all people agree, whose KL is infinite: "drop" leaves them out,
            as the measure ``kl`` does; "keep" counts the part of KL that depends on the factor.

    Raises:
        EstimationError: fewer than 10 items count, or all predictions are exactly right.
        ArgumentError: the lengths differ, a predicted standard deviation is not above 0, or a value is not a number.

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
    """Fit the best increasing function of predicted standard deviations.

    Items are sorted by predicted standard deviation and grouped, ``items_a_knot`` at a time (equal values are never
    separated); adjacent violators among these groups are pooled. If larger predictions do not mean a larger spread,
    one knot remains and the function is constant.

    Args:
        means: as in `fit_scaling`, like the next four arguments.
        sigmas: the predicted standard deviations.
        human_means: the gold scores.
        human_sigmas: the standard deviations of people's opinions.
        zero_variance: what to do with items on which all people agree.
        items_a_knot: the least number of items in a group; with 1, the function overfits.

    Raises:
        EstimationError: there are fewer items than two knots need, or all predictions are exactly right.
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
    """The recalibration of a record that `Scaling.record` or `Isotonic.record` made.

    Raises:
        ArgumentError: the record is not one of these.
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
    """The items that count: predicted standard deviations, and v as in the module's docstring."""

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
        raise ArgumentError(f"columns have different shapes: {shapes}", remedy="give one number per item in each")
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
            raise ArgumentError(f"{name} hold something that is not a number", remedy="leave such items out")
    if (columns[1] <= 0).any():
        raise ArgumentError(
            f"{int((columns[1] <= 0).sum()):,} predicted sigmas are not above 0",
            remedy="recalibrate a system that predicts a spread above 0",
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
        "all items are predicted without error, so there is no spread to fit",
        remedy="recalibrate on items that the system was not trained on",
    )


def _groups(sigmas: Array, least: int) -> NDArray[np.intp]:
    """The group of each item: at least ``least`` neighbours by sigma; items of equal sigma are in one group."""
    distinct, where, sizes = np.unique(sigmas, return_inverse=True, return_counts=True)
    names = np.empty(len(distinct), np.intp)
    name, filled = 0, 0
    for place, size in enumerate(sizes.tolist()):
        if filled >= least:
            name, filled = name + 1, 0
        names[place] = name
        filled += size
    if filled < least and name > 0:  # the last group is too small
        names[names == name] = name - 1
    return np.asarray(names[where])
