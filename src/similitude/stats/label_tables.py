"""The parameters of a mixture of right and wrong labels, the probabilities that all items share, and derivatives.

`similitude.stats.noisy_labels` has the formulas.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array

__all__ = ["TINY", "LabelNoise", "LabelSums", "LabelTables", "LabelTerms"]

TINY = 1e-300


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelNoise:
    """The fitted mixture.

    Attributes:
        main: (1 + kinds) x K: a of items alone, then of each kind of link.
        slopes: 2 x 2: b and c.
        associations: theta of each kind of link.
        wrong: the probability that a label is replaced by another.
        swapped: the probability that two linked labels are exchanged.
        replacements: m, the share of each level among replacements.
        slips: the probability that a careful answer is one step off, if there are levels on both sides.
        centre: the mean of the forecasts.
        spread: their standard deviation.
    """

    main: Array
    slopes: Array
    associations: Array
    wrong: float
    swapped: float
    replacements: Array
    slips: float = 0.0
    centre: float = 0.0
    spread: float = 1.0


class LabelTerms(NamedTuple):
    """The likelihood of all labels.

    Attributes:
        likelihood: the sum of the logarithms over items alone and links.
        gradient: by the entries of main, slopes, associations, and the logits of wrong, swapped and slips.
        replacing: K x K: how many labels of each level (second) are expected to replace which careful answer (first).
    """

    likelihood: float
    gradient: Array
    replacing: Array


class LabelTables:
    """What can become of each opinion, by the label that it ends as: the probabilities that all items share.

    Attributes:
        alone: K: the weights of main effects of items alone, up to a factor.
        joint: for each kind of link K x K: the weights of main effects and associations, likewise.
        slips: K x K: the probability of each careful answer (second) of each opinion (first).
        mixed: K x K: the probability of each label (second) of each careful answer (first).
        saying: K x K: the probability of each label (first) of each opinion (second), if it is not exchanged.
        wrong: the same for labels that are replaced only.
        swapped: the probability that two linked labels are exchanged.
    """

    def __init__(self, noise: LabelNoise) -> None:
        levels = len(noise.replacements)
        units, even = np.linspace(-1.0, 1.0, levels), np.eye(levels)
        self.noise, self.swapped = noise, noise.swapped
        self.alone = np.exp(noise.main[0] - noise.main[0].max())
        logits = noise.main[1:, :, None] + noise.main[1:, None, :]
        logits = logits + noise.associations[:, None, None] * np.multiply.outer(units, units)
        self.joint = np.exp(logits - logits.max(axis=(1, 2), keepdims=True))
        m = noise.replacements
        self.replaced = np.where(even > 0, 0.0, m[None, :] / (1.0 - m[:, None]))
        self.slips = even + noise.slips * slip_change(levels)
        self.mixed = (1.0 - noise.wrong) * even + noise.wrong * self.replaced
        self.saying = (self.slips @ self.mixed).T
        self.wrong = noise.wrong * (self.slips @ self.replaced).T

    def swapping(self, swaps: bool) -> LabelTables:
        """The tables for a kind of link whose labels may have been exchanged, or not."""
        self.swapped = self.noise.swapped if swaps else 0.0
        return self

    def of_link(self, one: int, other: int) -> Array:
        """K x K: the probability of two labels of each two opinions."""
        kept: Array = (1.0 - self.swapped) * np.multiply.outer(self.saying[one], self.saying[other])
        return kept + self.of_swap(one, other)

    def of_swap(self, one: int, other: int) -> Array:
        """K x K: the same, and that the labels were exchanged."""
        return np.asarray(self.swapped * np.multiply.outer(self.slips[:, other], self.slips[:, one]))

    def of_wrong(self, one: int, other: int) -> tuple[Array, Array]:
        """K x K: the same, and that the first label, or the second, was replaced."""
        first = np.multiply.outer(self.wrong[one], self.saying[other])
        second = np.multiply.outer(self.saying[one], self.wrong[other])
        return (1.0 - self.swapped) * first, (1.0 - self.swapped) * second


class LabelSums:
    """The likelihood and its derivatives, summed over items alone and links.

    ``saying`` and ``slips`` are the derivatives by the entries of these tables, ``swapped`` that by the share.
    """

    def __init__(self, noise: LabelNoise) -> None:
        self.noise, levels = noise, len(noise.replacements)
        self.likelihood, self.swapped = 0.0, 0.0
        self.main, self.slopes = np.zeros_like(noise.main), np.zeros_like(noise.slopes)
        self.associations = np.zeros_like(noise.associations)
        self.saying, self.slips = np.zeros((levels, levels)), np.zeros((levels, levels))

    def add_link(self, tables: LabelTables, one: int, other: int, counts: Array) -> None:
        """Add links with these labels: K x K sums of J of each two opinions by the probability of the labels."""
        kept, swapped = 1.0 - tables.swapped, tables.swapped
        self.saying[one] += kept * (counts @ tables.saying[other])
        self.saying[other] += kept * (tables.saying[one] @ counts)
        if swapped:
            self.slips[:, other] += swapped * (counts @ tables.slips[:, one])
            self.slips[:, one] += swapped * (tables.slips[:, other] @ counts)
            exchanged = float(tables.slips[:, other] @ counts @ tables.slips[:, one])
            self.swapped += exchanged - float(tables.saying[one] @ counts @ tables.saying[other])

    def terms(self, tables: LabelTables) -> LabelTerms:
        """The likelihood, and its gradient by the parameters."""
        noise, levels = self.noise, len(self.noise.replacements)
        mixed = tables.slips.T @ self.saying.T
        slips = self.saying.T @ tables.mixed.T + self.slips
        shares = [
            noise.wrong * (1.0 - noise.wrong) * float((mixed * (tables.replaced - np.eye(levels))).sum()),
            noise.swapped * (1.0 - noise.swapped) * self.swapped,
            noise.slips * (1.0 - noise.slips) * float((slips * slip_change(levels)).sum()),
        ]
        parts = (self.main, self.slopes, self.associations, np.array(shares))
        gradient = np.concatenate([part.ravel() for part in parts])
        return LabelTerms(self.likelihood, gradient, noise.wrong * tables.replaced * mixed)


def slip_change(levels: int) -> Array:
    """By how much each answer (second) of each opinion (first) becomes more frequent, for each slip.

    >>> slip_change(3)
    array([[-0.5,  0.5,  0. ],
           [ 0.5, -1. ,  0.5],
           [ 0. ,  0.5, -0.5]])
    """
    steps = 0.5 * (np.eye(levels, k=1) + np.eye(levels, k=-1))
    return np.asarray(steps - np.diag(steps.sum(axis=1)))
