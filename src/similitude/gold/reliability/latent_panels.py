"""Spearman correlations of panels, from those of two halves, for labels of any kind, with or without ties.

The formulas of Spearman-Brown and Horst hold for means, not for ranks, and least of all for tied ranks: of two raters
who answer yes or no, the panel has three scores, and each rater two. Instead, the rater model is: every item has a
latent value, an opinion is that value plus noise, both are normal, and a label is a step of the opinion. The steps
follow from the shares of the labels; the one unknown is the share of noise. For any share, the model gives the Spearman
correlation of two halves, of two panels, and of a panel with the truth, all exactly, by adding up the distributions of
an item's labels. The halves that were observed then say which share it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array, Integers

__all__ = ["LatentPanels", "latent_panels"]

STEPS = 60
"""Labels that do not lie on equal steps, at most this many, are rounded to half as many, ends cut."""
TAIL = 0.005
"""Share of the rounded labels that is cut at either end."""
MOST = 24
"""Labels of an item; of more, these stand for them: means of so many hardly have ties, and are nearly normal."""
SAME = 1e-6
"""A label is on a step if it is so many steps away."""
NODES = 100
"""Latent values, of equal probability."""
SIGNALS = np.concatenate([np.linspace(0.05, 0.9, 18), 1 - np.geomspace(0.07, 0.0005, 10)])
"""Shares of the variance of opinions that are no noise."""
DECIMALS = 3
"""Truths are tied if they differ by less, as a share of the range of the labels: by one opinion of a thousand."""


class LatentPanels(NamedTuple):
    """Spearman correlations under the model, one for each share of noise, from all noise to none.

    Attributes:
        halves: of the means of two halves.
        panels: of the means of two panels of the full size.
        truth: of the mean of a panel with the items' true means.
    """

    halves: Array
    panels: Array
    truth: Array

    def panel_of(self, halves: Array) -> Array:
        """The correlation of two panels, from that of two halves; nan where the halves do not correlate positively."""
        return np.where(halves > 0, np.interp(halves, self.halves, self.panels), np.nan)

    def truth_of(self, panels: Array) -> Array:
        """The correlation with the truth, from that of two panels."""
        return np.sqrt(np.interp(panels, self.panels, self.truth**2))  # the squares are nearly proportional


def latent_panels(labels: Array, times: Integers, first: Integers, second: Integers, whole: Integers) -> LatentPanels:
    """Spearman correlations of halves and panels under the model.

    Args:
        labels: the labels that were given, each once, in ascending order.
        times: how often each was given.
        first: labels of each item in the first half, at least 1.
        second: labels of the same items in the second half, at least 1.
        whole: labels of each item of a panel; there may be more items.

    >>> one, two = np.array([1]), np.array([2])
    >>> both = latent_panels(np.array([0.0, 1.0]), np.array([50, 50]), one, one, two)  # yes or no, 2 raters
    >>> both.panel_of(np.array([0.5])).round(3)  # halves of yes and no are one rating: Spearman-Brown holds
    array([0.667])
    >>> both.truth_of(np.array([0.667])).round(2), (0.667**0.5).__round__(2)
    (array([0.81]), 0.82)
    """
    steps, shares = _stepped(labels, times)
    halves, panels = _Sizes.of(first, second, first + second), _Sizes.of(whole, whole, whole)
    found = [[0.0, 0.0, 0.0]]
    for opinions in _opinions(shares, sorted({*halves.one, *halves.other, *panels.one})):
        one, other = (opinions.ranked(sizes, halves.weight) for sizes in (halves.one, halves.other))
        panel, truth = opinions.ranked(panels.one, panels.weight), opinions.truth(steps)
        alone = _Ranked(np.broadcast_to(truth, panel.expected.shape), float((truth**2).mean()))
        pairs = ((one, other, halves), (panel, panel, panels), (panel, alone, panels))
        found.append([_correlation(x, y, sizes.weight) for x, y, sizes in pairs])
    found.append([1.0, 1.0, 1.0])
    return LatentPanels(*np.maximum.accumulate(np.array(found)).T)


class _Sizes(NamedTuple):
    """Numbers of labels in two halves that occur together, and the share of items that have them."""

    one: list[int]
    other: list[int]
    weight: Array

    @classmethod
    def of(cls, one: Integers, other: Integers, every: Integers) -> _Sizes:
        pairs = np.stack([one, other]) * np.minimum(1.0, MOST / every)
        known, number = np.unique(np.maximum(np.round(pairs), 1).astype(np.intp), axis=1, return_counts=True)
        return cls(known[0].tolist(), known[1].tolist(), number / number.sum())


class _Ranked(NamedTuple):
    """Ranks of means, as shares of the items minus a half.

    Attributes:
        expected: for each size and latent value.
        variance: of the ranks.
    """

    expected: Array
    variance: float


class _Opinions(NamedTuple):
    """The distribution of labels, and of sums of labels, at each latent value.

    Attributes:
        labels: latent values x steps.
        sums: for each number of labels, latent values x sums.
    """

    labels: Array
    sums: dict[int, Array]

    def ranked(self, sizes: list[int], weight: Array) -> _Ranked:
        """Ranks of the means of so many labels, where a share of the items has each size."""
        means = np.concatenate([np.round(np.arange(self.sums[size].shape[1]) / size, 9) for size in sizes])
        shares = [part * self.sums[size].mean(axis=0) for size, part in zip(sizes, weight, strict=True)]
        probability = np.concatenate(shares)
        rank = _mid_ranks(means, probability)
        ends = np.cumsum([part.size for part in shares])[:-1]
        expected = [self.sums[size] @ part for size, part in zip(sizes, np.split(rank, ends), strict=True)]
        return _Ranked(np.stack(expected), float(probability @ rank**2))

    def truth(self, steps: int) -> Array:
        """Ranks of the expected label."""
        expected = np.round(self.labels @ np.arange(steps + 1) / steps, DECIMALS)
        return _mid_ranks(expected, np.full(expected.size, 1 / expected.size))


def _opinions(shares: Array, sizes: list[int]) -> list[_Opinions]:
    from scipy.special import ndtr, ndtri

    latent = ndtri((np.arange(NODES) + 0.5) / NODES)[:, None]
    borders = ndtri(np.minimum(np.cumsum(shares)[:-1], 1.0))
    length = 1 << ((shares.size - 1) * sizes[-1]).bit_length()
    found = []
    for signal in SIGNALS:
        below = ndtr((borders - np.sqrt(signal) * latent) / np.sqrt(1 - signal))
        labels = np.diff(below, axis=1, prepend=0.0, append=1.0)
        waves = np.fft.rfft(labels, length, axis=1)
        sums = {size: np.fft.irfft(waves**size, length, axis=1)[:, : (shares.size - 1) * size + 1] for size in sizes}
        found.append(_Opinions(labels, {size: np.maximum(each, 0.0) for size, each in sums.items()}))
    return found


def _correlation(one: _Ranked, other: _Ranked, weight: Array) -> float:
    """Two means of labels have nothing in common but the latent value."""
    product = float(weight @ (one.expected * other.expected).mean(axis=1))
    return product / float(np.sqrt(one.variance * other.variance))


def _mid_ranks(values: Array, probability: Array) -> Array:
    """The probability below each value, plus half of that at it, minus a half."""
    _, place = np.unique(values, return_inverse=True)
    at = np.bincount(place, probability)
    return np.asarray((np.cumsum(at) - at / 2 - 0.5)[place])


def _stepped(labels: Array, times: Integers) -> tuple[int, Array]:
    """The number of equal steps from the lowest to the highest label, and the share of labels at each."""
    low, high = labels[0], labels[-1]
    for steps in range(1, STEPS + 1):
        places = (labels - low) / (high - low) * steps
        if np.abs(places - np.round(places)).max() < SAME:
            break
    else:
        steps, below = STEPS // 2, np.cumsum(times) / times.sum()
        low, high = labels[np.searchsorted(below, [TAIL, 1 - TAIL])]
        places = (np.clip(labels, low, high) - low) / (high - low) * steps
    number = np.bincount(np.round(places).astype(np.intp), times)
    return steps, number / number.sum()
