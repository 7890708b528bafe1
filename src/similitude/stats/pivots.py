"""Pivots: quantities whose distribution is known well enough to give an interval from a standard error alone.

A pivot gives the two ends of an interval for any quantile of Student's t. `pivot_interval` takes the quantile of a
level, `difference_interval` combines two pivots, and `difference_p_value` looks for the quantile at which the interval
of the difference touches 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, Protocol

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.intervals import Interval, rounding_of
from similitude.stats.roots import root_between
from similitude.stats.student_quantile import normal_share, student_quantile

__all__ = [
    "LinkName",
    "LinkPivot",
    "Pivot",
    "SharePivot",
    "SkewPivot",
    "difference_interval",
    "difference_p_value",
    "effective_freedom",
    "expanded_level",
    "pivot_interval",
    "share_pivot",
]

LinkName = Literal["fisher", "logit", "plain"]

FURTHEST = 1e3
"""Standard errors from the estimate; beyond them no p-value is computed."""
QUANTILES = (0.0, *np.geomspace(0.1, FURTHEST, 25).tolist())
"""The interval of a difference holds the intervals at all smaller ones of these.

Near the end of a range, a larger quantile may move two estimates that err together nearer to each other.
"""


class Pivot(Protocol):
    """An estimate with the distribution of its error.

    Attributes:
        estimate: the estimate.
        freedom: degrees of freedom of Student's t.
        is_smooth: whether it hardly ever happens that two different systems get the same figure.
    """

    @property
    def estimate(self) -> float:
        """The estimate."""
        ...

    @property
    def freedom(self) -> float:
        """Degrees of freedom."""
        ...

    @property
    def is_smooth(self) -> bool:
        """Whether it hardly ever happens that two different systems get the same figure."""
        ...

    def ends(self, quantile: float) -> tuple[float, float]:
        """The ends of the interval at a quantile of Student's t."""
        ...


class _Link(NamedTuple):
    """A scale on which the error is symmetric."""

    to: Callable[[float], float]
    back: Callable[[float], float]


_LINKS: dict[LinkName, _Link] = {
    "fisher": _Link(lambda r: float(np.arctanh(r)), lambda z: float(np.tanh(z))),
    "logit": _Link(lambda p: float(np.log(p) - np.log1p(-p)), lambda z: float(1 / (1 + np.exp(-z)))),
    "plain": _Link(lambda value: value, lambda value: value),
}


@dataclass(frozen=True)
class LinkPivot:
    """An estimate whose error is symmetric on another scale: Fisher's z for correlations, the logit for shares.

    Attributes:
        error: the standard error on that scale.
    """

    estimate: float
    error: float
    freedom: float
    link: LinkName

    @property
    def is_smooth(self) -> bool:
        """Not on the logit scale, which is that of shares and what is made of them."""
        return self.link != "logit"

    def ends(self, quantile: float) -> tuple[float, float]:
        """The ends, symmetric around the estimate on the scale of the link."""
        link = _LINKS[self.link]
        middle, reach = link.to(self.estimate), quantile * self.error
        with np.errstate(over="ignore"):
            return link.back(middle - reach), link.back(middle + reach)


@dataclass(frozen=True)
class SkewPivot:
    """A mean of skewed values: Student's t, corrected for skewness by Hall's cubic transformation.

    Reference: Hall (1992), On the removal of skewness by transformation.

    Attributes:
        error: the standard error.
        skewness: of the values.
        number: of values.
    """

    estimate: float
    error: float
    freedom: float
    skewness: float
    number: int
    is_smooth: ClassVar[bool] = True

    def ends(self, quantile: float) -> tuple[float, float]:
        """The ends; the one towards the long tail is further away."""
        return self.estimate - self._reach(quantile), self.estimate - self._reach(-quantile)

    def _reach(self, quantile: float) -> float:
        """The distance in the corrected distribution at a quantile."""
        skew = self.skewness / np.sqrt(self.number)
        if abs(skew) < 1e-6:
            return quantile * self.error
        return float(self.error * 3 / skew * (np.cbrt(1 + skew * (quantile - skew / 6)) - 1))


@dataclass(frozen=True)
class SharePivot:
    """A share of trials, or a rising function of one: Wilson's score interval.

    Reference: Wilson (1927), Probable inference, the law of succession, and statistical inference.

    Attributes:
        share: the share.
        trials: the number of trials; fewer than were made if they come in clusters.
        to_estimate: from the share to the estimate.
    """

    share: float
    trials: float
    freedom: float
    to_estimate: Callable[[float], float] = float
    is_smooth: ClassVar[bool] = False

    @property
    def estimate(self) -> float:
        """The estimate."""
        return self.to_estimate(self.share)

    def ends(self, quantile: float) -> tuple[float, float]:
        """The shares that are ``quantile`` of their own standard errors from the observed one.

        >>> [round(end, 4) for end in SharePivot(0.9, 10, np.inf).ends(1.96)]  # Newcombe (1998) has such tables
        [0.5958, 0.9821]
        """
        if self.trials <= 0:
            return self.to_estimate(0.0), self.to_estimate(1.0)
        square = quantile**2 / self.trials
        middle = (self.share + square / 2) / (1 + square)
        reach = np.sqrt(square * self.share * (1 - self.share) + square**2 / 4) / (1 + square)
        low, high = min(middle - reach, self.share), max(middle + reach, self.share)  # whatever is lost in rounding
        return self.to_estimate(max(0.0, low)), self.to_estimate(min(1.0, high))


def share_pivot(value: float, trials: float, freedom: float, low: float, high: float) -> SharePivot:
    """The pivot of a figure that does not vary: as if a share of the trials had reached the high end of its range.

    >>> perfect = share_pivot(1.0, 20, np.inf, -1.0, 1.0)  # a correlation of 1, 20 items
    >>> [round(float(end), 3) for end in pivot_interval(perfect, 0.95)[:2]]
    [0.678, 1.0]
    """
    share = float(np.clip((value - low) / (high - low), 0.0, 1.0))
    return SharePivot(share, trials, freedom, lambda share: low + (high - low) * share)


def pivot_interval(pivot: Pivot, level: float) -> Interval:
    """The interval of one estimate.

    >>> [round(end, 3) for end in pivot_interval(LinkPivot(0.8, 17**-0.5, np.inf, "fisher"), 0.95)[:2]]  # n = 20
    [0.553, 0.918]
    """
    return Interval(*pivot.ends(_quantile(level, pivot.freedom)))


def difference_interval(one: Pivot, other: Pivot, correlation: float, level: float) -> Interval:
    """The interval of a difference, from the intervals of both estimates and the correlation of their errors.

    Each end of the difference is as far from it as the ends of the two estimates allow: a difference is low if the
    first estimate is low and the second high (the method of variance estimates recovery). Errors that are shared move
    both estimates the same way: where the ends are as far below as above, this is Zou's formula; where they are not,
    his stays wide even for two systems that are nearly the same. Shares keep his: two different systems often have the
    same share of a sample, which does not mean that they never differ.

    Reference: Zou (2007), Toward using confidence intervals to compare correlations; Zou and Donner (2008).

    >>> # Zou (2007): r = .396 and .179, n = 66; r = .088 between the two makes the errors correlate by .0526
    >>> one, other = (LinkPivot(r, 63**-0.5, np.inf, "fisher") for r in (0.396, 0.179))
    >>> [round(end, 3) for end in difference_interval(one, other, 0.0526, 0.95)[:2]]
    [-0.093, 0.517]
    """
    return Interval(*_difference_ends(one, other, correlation, _quantile(level, min(one.freedom, other.freedom))))


def difference_p_value(one: Pivot, other: Pivot, correlation: float) -> float:
    """Two-sided p-value of a difference: 1 - the level at which its interval begins to hold 0.

    1 for equal estimates, however small their errors. The value for ``FURTHEST`` if 0 is further away than that.
    """
    from scipy.special import stdtr

    difference = one.estimate - other.estimate
    if abs(difference) <= rounding_of(one.estimate):
        return 1.0
    nearest = 0 if difference > 0 else 1

    def beyond(quantile: float) -> float:
        """The end that is nearest to 0: positive while the interval does not hold 0."""
        return float(np.sign(difference) * _ends_at(one, other, correlation, quantile)[nearest])

    if beyond(0.0) <= 0:
        return 1.0
    first = next((place for place, quantile in enumerate(QUANTILES) if beyond(quantile) <= 0), None)
    quantile = FURTHEST if first is None else root_between(beyond, QUANTILES[first - 1], QUANTILES[first])
    return float(2 * stdtr(min(one.freedom, other.freedom), -quantile))


def effective_freedom(values: Array) -> float:
    """Degrees of freedom of Student's t for a standard error that comes from these values.

    They are n - 1 for normal values. The standard error of values with heavy tails is less certain: the degrees of
    freedom are those of a chi-square distribution with the relative variance that the sample variance has,
    2/(n - 1) + k/n, where k is the excess kurtosis (0 if it is negative).

    Reference: Satterthwaite (1946), An approximate distribution of estimates of variance components.

    >>> effective_freedom(np.array([-1.0, 1.0, -1.0, 1.0])), round(effective_freedom(np.array([0.0] * 15 + [4.0])), 3)
    (3.0, 2.424)
    """
    number, deviations = values.size, values - values.mean()
    spread = float(np.mean(deviations**2))
    excess = float(np.mean(deviations**4)) / spread**2 - 3 if spread > 0 else 0.0
    return 2 / (2 / (number - 1) + max(0.0, excess) / number)


def expanded_level(level: float, units: int) -> float:
    """The level at which a percentile interval is as wide as it should be at ``level`` for so few units.

    A bootstrap distribution is too narrow by the root of 1 - 1/n, and its quantiles are those of a normal distribution
    where Student's t is right. The expanded level corrects both.

    Reference: Hesterberg (2015), What teachers should know about the bootstrap, section 5.2.

    >>> [round(expanded_level(0.95, units), 4) for units in (5, 20, 2000)]
    [0.9981, 0.9682, 0.9502]
    """
    return 2 * normal_share((units / (units - 1)) ** 0.5 * _quantile(level, units - 1)) - 1


def _difference_ends(one: Pivot, other: Pivot, correlation: float, quantile: float) -> tuple[float, float]:
    """The ends at this quantile, or at a smaller one where they are further apart."""
    smaller = (each for each in QUANTILES if 0 < each < quantile)
    ends = [_ends_at(one, other, correlation, each) for each in (*smaller, quantile)]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _ends_at(one: Pivot, other: Pivot, correlation: float, quantile: float) -> tuple[float, float]:
    (one_low, one_high), (other_low, other_high) = one.ends(quantile), other.ends(quantile)
    ones = one.estimate - one_low, one_high - one.estimate
    others = other.estimate - other_low, other_high - other.estimate
    difference, shared = one.estimate - other.estimate, None
    if correlation > 0 and one.is_smooth and other.is_smooth:
        shared = max(abs(mine - its) for mine, its in zip(ones, others, strict=True))
    below = _together(ones[0], others[1], correlation, shared)
    above = _together(ones[1], others[0], correlation, shared)
    return difference - below, difference + above


def _together(one: float, other: float, correlation: float, shared: float | None) -> float:
    """How far a difference reaches: the errors that are not shared, and how far apart the shared ones move."""
    if shared is None:
        return float(np.sqrt(max(0.0, one**2 + other**2 - 2 * correlation * one * other)))
    return float(np.sqrt(max(0.0, 1 - correlation) * (one**2 + other**2) + correlation * shared**2))


def _quantile(level: float, freedom: float) -> float:
    return student_quantile((1 + level) / 2, float(freedom))
