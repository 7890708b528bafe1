"""Simultaneous inference on differences of estimates, from the distribution of the largest of many correlated t.

Estimates that vary together, such as the figures of systems on the same items, give differences that vary together. A
correction that knows how (Dunnett, 1955; Tukey's range) is stricter than no correction and milder than one that
expects the worst (Bonferroni, Holm).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.roots import root_between
from similitude.stats.student_t import t_tail

__all__ = ["MaxT", "difference_errors", "t_statistics"]

DIRECTIONS = 8192
"""How many directions are drawn; at p = .05 the error is about .001."""
ROUGH = 4
"""One in so many directions is used where two digits are enough."""
SMALLEST = 1e-12
"""Variances that are below this share of the variances of the estimates count as 0."""
SEED = 20_190


def t_statistics(values: Array, covariance: Array) -> Array:
    """Differences in standard errors, systems x systems: the first minus the second; 0 for those that never differ.

    >>> t_statistics(np.array([0.8, 0.5]), np.array([[0.02, 0.01], [0.01, 0.02]])).round(3)
    array([[ 0.   ,  2.121],
           [-2.121,  0.   ]])
    """
    errors = difference_errors(covariance)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (values[:, None] - values) / errors
    return np.where(values[:, None] == values, 0.0, found)


@dataclass(frozen=True)
class Radii:
    """The distance of a multivariate t from its centre: its square is ``dimensions`` times F distributed."""

    dimensions: int
    freedom: float

    def beyond(self, radius: Array) -> Array:
        """The probability of a larger one, by interpolation in a table."""
        places, logs = self._table
        with np.errstate(divide="ignore"):
            return np.asarray(np.exp(np.interp(np.log(radius), places, logs)) * (radius < np.inf))

    @cached_property
    def _table(self) -> tuple[Array, Array]:
        from scipy.special import chdtrc, fdtrc

        places = np.linspace(np.log(1e-3), np.log(1e5), 4000)
        squares = np.exp(2 * places)
        if np.isinf(self.freedom):
            found = chdtrc(self.dimensions, squares)
        else:
            found = fdtrc(self.dimensions, self.freedom, squares / self.dimensions)
        return places, np.log(np.maximum(found, 1e-300))


@dataclass(frozen=True, eq=False)
class MaxT:
    """Differences of estimates whose true values are equal, each divided by its standard error.

    They are a multivariate t, which is drawn as a direction times a radius. Directions are simulated, the distribution
    of the radius is known: small p-values take no more draws than large ones, and those of two estimates are exact.

    Reference: Genz and Bretz (2009), Computation of multivariate normal and t probabilities, section 4.2.

    Attributes:
        covariance: of the estimates, systems x systems.
        freedom: degrees of freedom of the covariance.
        directions: number of directions.
    """

    covariance: Array
    freedom: float
    directions: int = DIRECTIONS

    def differences(self, one: int, others: list[int]) -> Array:
        """Systems x directions: the others minus the one, divided by the standard error; 0 if they never differ."""
        errors = self._errors[one, others]
        with np.errstate(divide="ignore"):
            scale = np.where(errors > 0, 1 / errors, 0.0)
        return np.asarray((self._points[others] - self._points[one]) * scale[:, None])

    def p_values(self, largest: Array, statistics: Array) -> Array:
        """The probability that the largest of some differences is at least as large as observed.

        Args:
            largest: tests x directions, the largest difference in each direction; absolute for two-sided tests.
            statistics: the observed ones, one per test.
        """
        if self._radii.dimensions == 0:
            return self._corrected(np.asarray(statistics))
        seen = np.asarray(statistics)[..., None]
        with np.errstate(divide="ignore", invalid="ignore"):
            radius = np.where(largest * seen > 0, seen / largest, np.where(seen == 0, 0.0, np.inf))
        beyond = self._radii.beyond(radius)
        if (seen <= 0).any():
            beyond = np.where(seen > 0, beyond, np.where(largest >= 0, 1.0, 1 - beyond))
        return np.asarray(beyond.mean(axis=-1))

    def _corrected(self, statistics: Array) -> Array:
        """P-values where no difference ever varies: two-sided, times the number of pairs (Bonferroni)."""
        pairs = len(self.covariance) * (len(self.covariance) - 1) // 2
        return np.asarray(np.where(statistics > 0, np.minimum(1.0, 2 * pairs * t_tail(statistics, self.freedom)), 1.0))

    def critical_value(self, largest: Array, level: float, tolerance: float = 1e-6) -> float:
        """The value that the largest difference stays below with probability ``level``."""

        def excess(statistic: float) -> float:
            return float(self.p_values(largest, np.array(statistic))) - (1 - level)

        if self._radii.dimensions == 0:
            return 0.0
        top = 10.0
        while excess(top) > 0:
            top *= 10
        return root_between(excess, 0.0, top, tolerance)

    def rough_critical_values(self, largest: Array, level: float) -> Array:
        """The same for each of several tests, to about .03: from some of the directions."""
        return np.array([self.critical_value(each[::ROUGH], level, 0.01) for each in largest])

    @cached_property
    def _errors(self) -> Array:
        return difference_errors(self.covariance)

    @cached_property
    def _root(self) -> Array:
        """Systems x dimensions: a root of the covariance of the estimates less their mean."""
        centring = np.eye(len(self.covariance)) - 1 / len(self.covariance)
        sizes, vectors = np.linalg.eigh(centring @ self.covariance @ centring)
        kept = sizes > SMALLEST * np.trace(self.covariance)
        return np.asarray(vectors[:, kept] * np.sqrt(sizes[kept]))

    @cached_property
    def _points(self) -> Array:
        return self._root @ _directions(self._root.shape[1], self.directions)

    @cached_property
    def _radii(self) -> Radii:
        return Radii(self._root.shape[1], self.freedom)


def difference_errors(covariance: Array) -> Array:
    """The standard errors of differences, systems x systems; 0 for estimates that never differ.

    >>> difference_errors(np.array([[0.05, 0.01], [0.01, 0.06]])).round(3)
    array([[0. , 0.3],
           [0.3, 0. ]])
    """
    variances = np.diag(covariance)
    sums = variances[:, None] + variances
    found = sums - 2 * covariance
    return np.sqrt(np.where(found > SMALLEST * sums, found, 0.0))


def _directions(dimensions: int, number: int) -> Array:
    """Unit vectors that fill the sphere evenly: normal quantiles of Richtmyer's lattice, divided by their length."""
    from scipy.special import ndtri

    shifts = np.random.default_rng(SEED).random((dimensions, 1))
    lattice = (np.sqrt(_primes(dimensions))[:, None] * np.arange(1, number + 1) + shifts) % 1
    normal = ndtri(np.clip(lattice, 1e-12, 1 - 1e-12))
    return np.asarray(normal / np.linalg.norm(normal, axis=0))


def _primes(number: int) -> Array:
    """The first primes.

    >>> _primes(4)
    array([2., 3., 5., 7.])
    """
    found, candidate = [2.0, 3.0], 5.0
    while len(found) < number:
        if all(candidate % prime for prime in found):
            found.append(candidate)
        candidate += 2
    return np.array(found[:number])
