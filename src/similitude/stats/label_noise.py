"""The fit of a mixture of right and wrong labels: the parameters of greatest posterior density."""

from __future__ import annotations

import numpy as np

from similitude.errors import EstimationError
from similitude.stats.arrays import Array
from similitude.stats.intervals import Interval
from similitude.stats.label_tables import LabelNoise
from similitude.stats.noisy_labels import GroupedLabels, NoisyLabels

__all__ = ["fit_label_noise"]

STEPS = 500
PRIORS = np.array([[1.0, 4.0], [0.5, 50.0], [0.5, 10.0], [1.0, 1.0]])
"""Beta priors of the four shares on the logit scale: weak, and away from 0 and 1. Two labels that were exchanged look
like a pair that the forecast gets wrong, so that the second share has to be shown by the data."""
SHARES = len(PRIORS)
FEWEST_FOR_SLIPS = 4
"""On fewer levels, one step off looks like any wrong label."""
EVEN = 0.02
"""The least part of replacements that are drawn evenly, so that no level is impossible."""
RIDGE = 0.05
"""The penalty on half the squares of all coefficients."""
START_WRONG, START_SWAPPED, START_SLIPS = 0.1, 0.02, 0.1
FLAT = 0.05
"""The steepest slope at a maximum, for one item; it grows with the root of the number of items."""
STEP = 1e-4
"""The step of the differences that give the curvature."""
NORMAL_95 = 1.959964


def fit_label_noise(data: NoisyLabels) -> tuple[LabelNoise, Interval]:
    """The mixture of greatest posterior density, and a 95 % interval of the share of wrong labels.

    The interval is Wald's on the logit scale, by the curvature of the log-likelihood.

    Raises:
        EstimationError: there are fewer than two levels, or the fit does not converge.
    """
    from scipy.optimize import minimize

    if data.levels < 2:
        raise EstimationError("all labels are equal: none of them can be called wrong", remedy="give other items")
    fit = _Fit(data)
    found = minimize(fit.loss, fit.start(), jac=True, method="L-BFGS-B", options={"maxiter": STEPS, "ftol": 1e-11})
    if not (np.isfinite(found.fun) and np.abs(found.jac).max() < FLAT * np.sqrt(len(data.labels))):
        what = f"the mixture of right and wrong labels did not converge in {found.nit} steps"
        raise EstimationError(what, remedy="check the forecasts for extreme values")
    return fit.noise(found.x), fit.interval(found.x)


class _Fit:
    """The posterior density of the parameters as a vector: main, slopes, associations, and the logits of four shares.

    The shares are those of replaced and of exchanged labels, of careful answers one step off, and the part of
    replacements that are drawn like labels in general, as if from another item; the rest are drawn evenly from all
    levels.
    """

    def __init__(self, data: NoisyLabels) -> None:
        self.data, self.kinds = data, len(data.swaps)
        self.centre = float(np.mean(data.forecasts))
        self.spread = float(np.std(data.forecasts)) or 1.0
        self.grouped = GroupedLabels(data, centre=self.centre, spread=self.spread)
        self.can_swap = any(swaps and (data.kinds == kind).any() for kind, swaps in enumerate(data.swaps))
        self.can_slip = data.levels >= FEWEST_FOR_SLIPS
        self.even = np.full(data.levels, 1.0 / data.levels)
        usual = np.bincount(data.labels, minlength=data.levels) / len(data.labels)
        self.usual = (1.0 - EVEN) * usual + EVEN * self.even

    def start(self) -> Array:
        size = (1 + self.kinds) * self.data.levels + 4 + self.kinds
        return np.concatenate([np.zeros(size), [_logit(START_WRONG), _logit(START_SWAPPED), _logit(START_SLIPS), 0.0]])

    def noise(self, vector: Array) -> LabelNoise:
        split = (1 + self.kinds) * self.data.levels
        wrong, swapped, slips, usual = _expit(vector[-SHARES:])
        return LabelNoise(
            main=vector[:split].reshape(1 + self.kinds, self.data.levels),
            slopes=vector[split : split + 4].reshape(2, 2),
            associations=vector[split + 4 : split + 4 + self.kinds],
            wrong=float(wrong),
            swapped=float(swapped) if self.can_swap else 0.0,
            replacements=usual * self.usual + (1.0 - usual) * self.even,
            slips=float(slips) if self.can_slip else 0.0,
            centre=self.centre,
            spread=self.spread,
        )

    def loss(self, vector: Array) -> tuple[float, Array]:
        """Minus the log posterior density, and its gradient by Fisher's identity: expected minus predicted counts."""
        noise = self.noise(vector)
        terms = self.grouped.terms(noise)
        shares = _expit(vector[-SHARES:])
        penalty = 0.5 * RIDGE * float(np.square(vector[:-SHARES]).sum())
        logits = vector[-SHARES:]  # a step of the search may go so far that a share is 1 to the last bit
        penalty += float((PRIORS * np.logaddexp(0.0, np.stack([-logits, logits], axis=1))).sum())
        slope = np.append(terms.gradient, self._slope_of_usual(noise, terms.replacing, shares[-1]))
        slope[:-SHARES] -= RIDGE * vector[:-SHARES]
        slope[-SHARES:] += PRIORS[:, 0] * (1 - shares) - PRIORS[:, 1] * shares
        return penalty - terms.likelihood, -slope

    def _slope_of_usual(self, noise: LabelNoise, replacing: Array, usual: float) -> float:
        """The derivative of log m_y / (1 - m_t), summed over expected replacements, by the logit of the share."""
        m, change = noise.replacements, self.usual - self.even
        rates = (change / m)[None, :] + (change / (1.0 - m))[:, None]
        return usual * (1.0 - usual) * float((replacing * rates).sum())

    def interval(self, vector: Array) -> Interval:
        """Wald's interval of the share of wrong labels, on the logit scale, by differences of the gradient."""
        curvature = np.stack(
            [
                (self.loss(vector + STEP * one)[1] - self.loss(vector - STEP * one)[1]) / (2 * STEP)
                for one in np.eye(len(vector))
            ]
        )
        covariance = np.linalg.pinv((curvature + curvature.T) / 2, hermitian=True)[-SHARES:, -SHARES:][:2, :2]
        wrong, swapped = _expit(vector[-SHARES:][:2])
        swapped = swapped if self.can_swap else 0.0
        share = wrong + swapped - wrong * swapped
        slopes = np.array([wrong * (1 - wrong) * (1 - swapped), swapped * (1 - swapped) * (1 - wrong)])
        error = np.sqrt(max(float(slopes @ covariance @ slopes), 0.0)) / (share * (1 - share))
        low, high = _expit(_logit(share) + NORMAL_95 * error * np.array([-1.0, 1.0]))
        return Interval(float(low), float(high))


def _logit(share: float) -> float:
    return float(np.log(share / (1 - share)))


def _expit(value: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-value)))
