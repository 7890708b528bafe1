"""Maximum-likelihood variances and slopes of raters, by a quasi-Newton method with exact gradients."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.rater_effects import Effects, RatingList, Variances, solve_effects, summed_by

__all__ = ["SLOPE_SPREAD", "SPREAD_WEIGHT", "RaterFit", "fit_raters"]


SPREAD_WEIGHT = 2.0
"""The prior on each rater's spread counts as this many more ratings of the usual spread."""
SLOPE_SPREAD = 0.25
"""The standard deviation of the prior on slopes, whose mean is 1."""
GRADIENT = 1e-4
"""The search stops when no step of about one standard error changes -2 ln likelihood by more than this."""
NARROWEST, WIDEST = np.log(1e-8), np.log(1e2)
"""The bounds on the log of a variance, in units of the variance of all ratings."""


class RaterFit(NamedTuple):
    """The fitted model.

    Attributes:
        variances: the maximum-likelihood variances and slopes.
        effects: the effects given these; biases are centred so that they sum to 0.
        steepest: the largest remaining gradient: the change in -2 ln likelihood over about one standard error.
        rounds: the number of steps.
    """

    variances: Variances
    effects: Effects
    steepest: float
    rounds: int


def fit_raters(ratings: RatingList, *, with_slopes: bool = False, most_rounds: int = 500) -> RaterFit:
    """Fit the model of `rater_effects`, with its priors. Check ``steepest`` for convergence before use.

    Args:
        ratings: the ratings; they must not all be equal.
        with_slopes: whether each rater has a slope of their own.
        most_rounds: the most steps.
    """
    from scipy.optimize import minimize

    unit = float(ratings.value.std())
    scaled = ratings._replace(value=ratings.value / unit)
    start, ends = _start(ratings.raters, with_slopes)
    steps = _steps(ratings)
    found = minimize(
        _scaled_deviance,
        start / steps,
        args=(scaled, steps),
        jac=True,
        method="L-BFGS-B",
        bounds=[(low, high) for low, high in (ends / steps[:, None]).tolist()],
        options={"maxiter": most_rounds, "maxfun": 2 * most_rounds, "gtol": GRADIENT, "ftol": 1e-14},
    )
    best = found.x * steps
    variances = _in_units(_unpacked(best, ratings.raters), unit)
    steepest = float(np.abs(_uphill(best, _deviance(best, scaled)[1] * steps, ends)).max())
    return RaterFit(variances, _centred(solve_effects(ratings, variances), variances.slope), steepest, int(found.nit))


def _centred(effects: Effects, slope: Array) -> Effects:
    """The effects with biases that sum to 0; a bias that all raters share belongs to the items."""
    centring = np.eye(len(slope)) - slope[:, None] / slope.sum()
    covariance = centring @ effects.bias_covariance @ centring.T
    return effects._replace(bias=centring @ effects.bias, bias_covariance=covariance)


def _start(raters: int, with_slopes: bool) -> tuple[Array, Array]:
    """The start of the search (0.5 of the variance in items, 0.4 in noise, 0.1 in biases; slopes 1), and its bounds.

    Parameters are, in order: the logs of each rater's spread, of item, of lean and of the usual spread; the slopes.
    """
    logs = np.log(np.append(np.full(raters, 0.4), [0.5, 0.1, 0.4]))
    slopes = np.ones(raters)
    free = (-np.inf, np.inf) if with_slopes else (1.0, 1.0)
    return np.append(logs, slopes), np.array([(NARROWEST, WIDEST)] * len(logs) + [free] * raters)


def _steps(ratings: RatingList) -> Array:
    """Approximate standard errors of the parameters, by which the search is scaled.

    The likelihood of a rater with a thousand ratings is far steeper than that of one with ten; scaling evens this out.
    """
    number = summed_by(ratings.rater, np.ones_like(ratings.value), ratings.raters)
    of_all = [ratings.items, ratings.raters, SPREAD_WEIGHT * ratings.raters]
    squares = np.concatenate([2 / (number + SPREAD_WEIGHT), np.divide(2, of_all), 1 / (number + 1)])
    return np.asarray(np.sqrt(squares))


def _scaled_deviance(stretched: Array, ratings: RatingList, steps: Array) -> tuple[float, Array]:
    deviance, gradient = _deviance(stretched * steps, ratings)
    return deviance, gradient * steps


def _unpacked(searched: Array, raters: int) -> Variances:
    item, lean = np.exp(searched[raters : raters + 2])
    return Variances(float(item), float(lean), np.exp(searched[:raters]), searched[raters + 3 :])


def _in_units(variances: Variances, unit: float) -> Variances:
    square = unit**2
    return Variances(variances.item * square, variances.lean * square, variances.spread * square, variances.slope)


def _deviance(searched: Array, ratings: RatingList) -> tuple[float, Array]:
    """-2 ln likelihood, with the priors, and its gradient."""
    variances = _unpacked(searched, ratings.raters)
    effects = solve_effects(ratings, variances)
    usual = np.exp(searched[ratings.raters + 2])
    surplus, away = usual / variances.spread, variances.slope - 1
    prior = SPREAD_WEIGHT * (surplus - np.log(surplus)).sum() + (away @ away) / SLOPE_SPREAD**2
    counts, squares, products = (
        summed_by(ratings.rater, values, ratings.raters)
        for values in (np.ones_like(ratings.value), effects.squared_noise, effects.noise_by_item)
    )
    gradient = np.concatenate(
        [
            counts - squares / variances.spread + SPREAD_WEIGHT * (1 - surplus),
            [ratings.items - effects.squared_item / variances.item],
            [ratings.raters - (effects.bias**2 + np.diagonal(effects.bias_covariance)).sum() / variances.lean],
            [SPREAD_WEIGHT * (surplus - 1).sum()],
            -2 * products / variances.spread + 2 * away / SLOPE_SPREAD**2,
        ]
    )
    return effects.deviance + float(prior), gradient


def _uphill(searched: Array, gradient: Array, ends: Array) -> Array:
    """The gradient, with 0 for parameters that are held by a bound."""
    low, high = ends.T
    room = 1e-6
    is_low, is_high = searched <= low + room, searched >= high - room
    is_held = (is_low & (gradient > 0)) | (is_high & (gradient < 0)) | (low == high)
    return np.where(is_held, 0.0, gradient)
