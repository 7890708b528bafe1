"""A mixture of right and wrong labels on an ordered scale: the probability that each label is wrong.

Every item has a label on one of K levels, and a forecast z of it that did not see the label. Items may be linked two
by two. A careful answer t has probability::

    J(t) ∝ exp(a_t + u_t (b_1 z + b_2 z^2) + u_t^2 (c_1 z + c_2 z^2))                for an item alone,
    J(s, t) ∝ the product of two such terms, times exp(theta u_s u_t)                for two linked items,

where u runs from -1 at the lowest level to 1 at the highest: a Gaussian on the levels whose mean and variance depend on
the forecast, and a linear-by-linear association between linked items (Goodman, 1979). A label is the careful answer,
or wrong: with probability ``wrong`` it is another level y, drawn with probability m_y / (1 - m_t), and with probability
``swapped`` two linked labels are exchanged. `fit_label_noise` fits the parameters.

The model tells wrong labels from careless forecasts by shape alone: the tails of J fall like a Gaussian's, and wrong
labels are spread over all levels.

References:
    Goodman (1979), Simple models for the analysis of association in cross-classifications having ordered categories.
    Natarajan et al. (2013), Learning with noisy labels.
    Northcutt, Jiang and Chuang (2021), Confident learning: estimating uncertainty in dataset labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array, Integers

__all__ = ["LabelNoise", "LabelPass", "NoisyLabels", "WrongLabels", "wrong_labels"]

TINY = 1e-300
FARTHEST = 4.0
"""Forecasts farther from their mean, in standard deviations, count as this far."""


@dataclass(frozen=True, kw_only=True, eq=False)
class NoisyLabels:
    """Labels, forecasts and links.

    Attributes:
        labels: the level of each item, from 0.
        forecasts: of each item, made without its label; on any scale.
        levels: K, the number of levels; at least 2.
        links: links x 2: two items each; no item has more than one link.
        kinds: of each link, from 0; each kind has an association of its own.
        swaps: for each kind, whether the labels of linked items may have been exchanged.
    """

    labels: Integers
    forecasts: Array
    levels: int
    links: Integers
    kinds: Integers
    swaps: tuple[bool, ...] = ()

    @property
    def alone(self) -> Integers:
        """The items without a link."""
        return np.setdiff1d(np.arange(len(self.labels)), self.links)


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
        centre: the mean of the forecasts.
        spread: their standard deviation.
    """

    main: Array
    slopes: Array
    associations: Array
    wrong: float
    swapped: float
    replacements: Array
    centre: float = 0.0
    spread: float = 1.0


class WrongLabels(NamedTuple):
    """What the mixture says of each label.

    Attributes:
        wrong: the probability that the label is wrong, replaced or exchanged.
        swapped: the probability that it was exchanged with the linked one.
        expected: the mean level of a careful answer, were the label wrong.
        forecast: the mean level of a careful answer by the forecasts, before any label is seen.
    """

    wrong: Array
    swapped: Array
    expected: Array
    forecast: Array


def wrong_labels(noise: LabelNoise, data: NoisyLabels) -> WrongLabels:
    """The probability that each label is wrong, under a fitted mixture.

    One item on two levels, whose forecast says nothing: J is (0.5, 0.5), and a label is replaced with probability 0.2.
    The label 1 is right with 0.8 x 0.5, and was 0 with 0.2 x 0.5, so that it is wrong with probability 0.2.

    >>> flat = LabelNoise(main=np.zeros((1, 2)), slopes=np.zeros((2, 2)), associations=np.zeros(0), wrong=0.2,
    ...     swapped=0.0, replacements=np.array([0.5, 0.5]))
    >>> no_links = np.zeros((0, 2), np.intp)
    >>> one = NoisyLabels(labels=np.array([1]), forecasts=np.zeros(1), levels=2, links=no_links, kinds=no_links[:, 0])
    >>> wrong_labels(flat, one).wrong.round(3)
    array([0.2])
    """
    return LabelPass(noise, data).terms().labels


class PassTerms(NamedTuple):
    """One pass over all labels.

    Attributes:
        likelihood: the sum of the logarithms over items alone and links.
        gradient: of the likelihood, by the entries of main, slopes, associations, and the logits of the two shares.
        replacing: K x K: how many labels of each level (second) are expected to replace which careful answer (first).
        labels: what the mixture says of each label.
    """

    likelihood: float
    gradient: Array
    replacing: Array
    labels: WrongLabels


class LabelPass:
    """Expected counts and probabilities of all states, for items alone and for links."""

    def __init__(self, noise: LabelNoise, data: NoisyLabels) -> None:
        self.noise, self.data = noise, data
        self.units = np.linspace(-1.0, 1.0, data.levels)
        z = np.clip((data.forecasts - noise.centre) / noise.spread, -FARTHEST, FARTHEST)
        self.powers = np.stack([z, z**2], axis=1)
        tilts = self.powers @ noise.slopes.T
        self.tilts = tilts[:, :1] * self.units + tilts[:, 1:] * self.units**2
        m = noise.replacements
        self.replaced = np.where(np.eye(data.levels, dtype=bool), 0.0, m[None, :] / (1.0 - m[:, None]))
        self.main, self.slopes = np.zeros_like(noise.main), np.zeros_like(noise.slopes)
        self.associations, self.shares = np.zeros_like(noise.associations), np.zeros(2)
        self.likelihood, self.replacing = 0.0, np.zeros((data.levels, data.levels))
        self.labels = WrongLabels(*(np.zeros(len(data.labels)) for _ in WrongLabels._fields))

    def terms(self) -> PassTerms:
        """All items alone, then all links, kind by kind."""
        self._add_alone(self.data.alone)
        for kind, swaps in enumerate(self.data.swaps):
            self._add_links(kind, self.data.links[self.data.kinds == kind], self.noise.swapped if swaps else 0.0)
        parts = (self.main, self.slopes, self.associations, self.shares)
        gradient = np.concatenate([part.ravel() for part in parts])
        return PassTerms(self.likelihood, gradient, self.replacing, self.labels)

    def _add_alone(self, items: Integers) -> None:
        noise, labels = self.noise, self.data.labels[items]
        careful = _softmax(noise.main[0] + self.tilts[items])
        right = np.zeros_like(careful)
        place = np.arange(len(items)), labels
        right[place] = (1.0 - noise.wrong) * careful[place]
        wrong = noise.wrong * careful * self.replaced[:, labels].T
        total = np.maximum((right + wrong).sum(axis=1, keepdims=True), TINY)
        self.likelihood += float(np.log(total).sum())
        self._learn(0, items, (right + wrong) / total - careful)
        self.shares[0] += float((wrong.sum(axis=1) / total[:, 0] - noise.wrong).sum())
        self._count(labels, wrong / total)
        self._say(items, wrong / total, careful)

    def _add_links(self, kind: int, links: Integers, swapped: float) -> None:
        noise = self.noise
        first, second = links[:, 0], links[:, 1]
        one, other = self.data.labels[first], self.data.labels[second]
        product = np.multiply.outer(self.units, self.units)
        logits = self.tilts[first][:, :, None] + self.tilts[second][:, None, :] + noise.associations[kind] * product
        logits += noise.main[kind + 1][:, None] + noise.main[kind + 1]
        careful = _softmax(logits.reshape(len(links), self.data.levels**2)).reshape(logits.shape)
        states = LinkStates.of(careful, one, other, self.replaced, noise.wrong, swapped)
        total = np.maximum(states.total, TINY)
        self.likelihood += float(np.log(total).sum())
        gap = states.answers() / total[:, None, None] - careful
        self.associations[kind] += float((gap * product).sum())
        self._learn(kind + 1, first, gap.sum(axis=2))
        self._learn(kind + 1, second, gap.sum(axis=1))
        exchanged = states.exchanged.sum(axis=(1, 2)) / total
        replaced = (states.first + 2.0 * states.both + states.second).sum(axis=(1, 2)) / total
        self.shares += [
            float((replaced - 2.0 * noise.wrong * (1.0 - exchanged)).sum()),
            float((exchanged - swapped).sum()),
        ]
        share = 1.0 / total[:, None]
        self._count(one, (states.first + states.both).sum(axis=2) * share)
        self._count(other, (states.second + states.both).sum(axis=1) * share)
        # Exchanging two equal labels changes nothing.
        wrong_swap = np.where(one != other, 1.0, 0.0)[:, None, None] * states.exchanged
        self._say(first, (states.first + states.both + wrong_swap).sum(axis=2) * share, careful.sum(axis=2))
        self._say(second, (states.second + states.both + wrong_swap).sum(axis=1) * share, careful.sum(axis=1))
        self.labels.swapped[links] = (wrong_swap.sum(axis=(1, 2)) / total)[:, None]

    def _learn(self, kind: int, items: Integers, gap: Array) -> None:
        """Add the gradient of expected minus predicted counts of the levels of these items."""
        self.main[kind] += gap.sum(axis=0)
        self.slopes[0] += (gap @ self.units) @ self.powers[items]
        self.slopes[1] += (gap @ self.units**2) @ self.powers[items]

    def _count(self, labels: Integers, replaced: Array) -> None:
        """Count which label replaces which careful answer."""
        np.add.at(self.replacing.T, labels, replaced)

    def _say(self, items: Integers, wrong: Array, careful: Array) -> None:
        """Note the joint probabilities of a wrong label and each careful answer, and those of the forecast."""
        levels = np.arange(self.data.levels)
        self.labels.wrong[items] = wrong.sum(axis=1)
        self.labels.forecast[items] = careful @ levels
        self.labels.expected[items] = (wrong @ levels) / np.maximum(wrong.sum(axis=1), TINY)


class LinkStates(NamedTuple):
    """The joint probabilities of the labels, each state and the two careful answers: links x K x K each."""

    right: Array
    first: Array
    second: Array
    both: Array
    exchanged: Array

    @classmethod
    def of(
        cls, careful: Array, one: Integers, other: Integers, replaced: Array, wrong: float, swapped: float
    ) -> LinkStates:
        """The states of links with these labels."""
        rows = np.arange(len(one))
        kept, to_one, to_other = 1.0 - swapped, replaced[:, one].T, replaced[:, other].T
        right, first, second, exchanged = (np.zeros_like(careful) for _ in range(4))
        right[rows, one, other] = kept * (1.0 - wrong) ** 2 * careful[rows, one, other]
        first[rows, :, other] = kept * wrong * (1.0 - wrong) * careful[rows, :, other] * to_one
        second[rows, one, :] = kept * wrong * (1.0 - wrong) * careful[rows, one, :] * to_other
        both = kept * wrong**2 * careful * to_one[:, :, None] * to_other[:, None, :]
        exchanged[rows, other, one] = swapped * careful[rows, other, one]
        return cls(right, first, second, both, exchanged)

    @property
    def total(self) -> Array:
        """The probability of the labels of each link."""
        return np.asarray(self.answers().sum(axis=(1, 2)))

    def answers(self) -> Array:
        """The joint probability of the labels and the careful answers."""
        return np.asarray(self.right + self.first + self.second + self.both + self.exchanged)


def _softmax(logits: Array) -> Array:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
