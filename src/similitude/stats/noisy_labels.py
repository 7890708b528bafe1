"""A mixture of right and wrong labels on an ordered scale: the probability that each label is wrong.

Every item has a label on one of K levels, and a forecast z of it that did not see the label. Items may be linked two
by two. An opinion t has probability::

    J(t) ∝ exp(a_t + u_t (b_1 z + b_2 z^2) + u_t^2 (c_1 z + c_2 z^2))                for an item alone,
    J(s, t) ∝ the product of two such terms, times exp(theta u_s u_t)                for two linked items,

where u runs from -1 at the lowest level to 1 at the highest: a Gaussian on the levels whose mean and variance depend on
the forecast, and a linear-by-linear association between linked items (Goodman, 1979). A careful answer is the opinion,
or with probability ``slips`` one step off, up or down, but never off the scale. A label is the careful answer t, or
wrong: with probability ``wrong`` it is another level y, drawn with probability m_y / (1 - m_t), and with probability
``swapped`` two linked labels are exchanged. `fit_label_noise` fits the parameters.

The model tells wrong labels from slips and from careless forecasts by shape alone: slips go one step, the tails of J
fall like a Gaussian's, and wrong labels are spread over all levels.

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
from similitude.stats.label_tables import TINY, LabelNoise, LabelSums, LabelTables, LabelTerms

__all__ = ["GroupedLabels", "NoisyLabels", "WrongLabels", "wrong_labels"]

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


class WrongLabels(NamedTuple):
    """What the mixture says of each label.

    Attributes:
        wrong: the probability that the label is wrong, replaced or exchanged.
        swapped: the probability that it was exchanged with the linked one.
        expected: the mean level of the opinion, were the label wrong.
        forecast: the mean level of the opinion by the forecasts, before any label is seen.
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
    return GroupedLabels(data, centre=noise.centre, spread=noise.spread).wrong(noise)


class LinkGroups(NamedTuple):
    """The links of one kind, sorted by their two labels.

    Attributes:
        first: an item of each link.
        second: the other item.
        parts: the label of the first, that of the second, and where such links are.
    """

    first: Integers
    second: Integers
    parts: list[tuple[int, int, slice]]


class GroupedLabels:
    """Labels, sorted so that all links with the same two labels are passed at once.

    J is a product of weights of the items and a matrix that all links of a kind share, and what can have happened to
    two opinions depends on the two labels alone: every sum over the opinions is a product of small matrices.
    """

    def __init__(self, data: NoisyLabels, *, centre: float, spread: float) -> None:
        self.data = data
        self.units = np.linspace(-1.0, 1.0, data.levels)
        z = np.clip((data.forecasts - centre) / spread, -FARTHEST, FARTHEST)
        self.powers = np.stack([z, z**2], axis=1)
        self.alone = data.alone
        self.kinds = [self._grouped(data.links[data.kinds == kind]) for kind in range(len(data.swaps))]

    def _grouped(self, links: Integers) -> LinkGroups:
        labels = self.data.labels[links]
        links = links[np.lexsort((labels[:, 1], labels[:, 0]))]
        pairs, starts = np.unique(self.data.labels[links], axis=0, return_index=True)
        ends = np.append(starts, len(links))[1:]
        parts = [
            (one, other, slice(start, end))
            for (one, other), start, end in zip(pairs.tolist(), starts, ends, strict=True)
        ]
        return LinkGroups(links[:, 0], links[:, 1], parts)

    def terms(self, noise: LabelNoise) -> LabelTerms:
        """The likelihood of all labels and its gradient."""
        tables, weights, sums = LabelTables(noise), self._weights(noise), LabelSums(noise)
        self._add_alone(tables, weights, sums)
        for kind, swaps in enumerate(self.data.swaps):
            self._add_links(kind, tables.swapping(swaps), weights, sums)
        return sums.terms(tables)

    def wrong(self, noise: LabelNoise) -> WrongLabels:
        """What the mixture says of each label."""
        tables, weights = LabelTables(noise), self._weights(noise)
        said = WrongLabels(*(np.zeros(len(self.data.labels)) for _ in WrongLabels._fields))
        opinions = weights[self.alone] * tables.alone
        labels = self.data.labels[self.alone]
        _say(said, self.alone, opinions, opinions * tables.saying[labels], opinions * tables.wrong[labels])
        for kind, swaps in enumerate(self.data.swaps):
            self._say_links(kind, tables.swapping(swaps), weights, said)
        return said

    def _weights(self, noise: LabelNoise) -> Array:
        """Items x K: J without its main effects and associations, up to a factor of each item."""
        tilts = self.powers @ noise.slopes.T
        logits = tilts[:, :1] * self.units + tilts[:, 1:] * self.units**2
        return np.asarray(np.exp(logits - logits.max(axis=1, keepdims=True)))

    def _add_alone(self, tables: LabelTables, weights: Array, sums: LabelSums) -> None:
        opinions, labels = weights[self.alone] * tables.alone, self.data.labels[self.alone]
        after = opinions * tables.saying[labels]
        before, total = opinions.sum(axis=1, keepdims=True), np.maximum(after.sum(axis=1, keepdims=True), TINY)
        sums.likelihood += float(np.log(total / before).sum())
        self._learn(sums, 0, self.alone, after / total - opinions / before)
        sums.saying += np.equal.outer(np.arange(self.data.levels), labels) @ (opinions / total)

    def _add_links(self, kind: int, tables: LabelTables, weights: Array, sums: LabelSums) -> None:
        links, product = self.kinds[kind], np.multiply.outer(self.units, self.units)
        first, second, joint = weights[links.first], weights[links.second], tables.joint[kind]
        before_first, before_second = first * (second @ joint.T), second * (first @ joint)
        before = np.maximum(before_first.sum(axis=1, keepdims=True), TINY)
        after_first, after_second = np.empty_like(first), np.empty_like(second)
        totals = np.empty_like(before)
        for one, other, part in links.parts:
            matrix = joint * tables.of_link(one, other)
            after_first[part] = first[part] * (second[part] @ matrix.T)
            after_second[part] = second[part] * (first[part] @ matrix)
            totals[part] = total = np.maximum(after_first[part].sum(axis=1, keepdims=True), TINY)
            counts = joint * ((first[part] / total).T @ second[part])
            sums.associations[kind] += float((counts * tables.of_link(one, other) * product).sum())
            sums.add_link(tables, one, other, counts)
        sums.associations[kind] -= float((joint * product * ((first / before).T @ second)).sum())
        sums.likelihood += float(np.log(totals / before).sum())
        self._learn(sums, kind + 1, links.first, after_first / totals - before_first / before)
        self._learn(sums, kind + 1, links.second, after_second / totals - before_second / before)

    def _learn(self, sums: LabelSums, kind: int, items: Integers, gap: Array) -> None:
        """Add the gradient of expected minus predicted counts of the opinions on these items."""
        sums.main[kind] += gap.sum(axis=0)
        sums.slopes[0] += (gap @ self.units) @ self.powers[items]
        sums.slopes[1] += (gap @ self.units**2) @ self.powers[items]

    def _say_links(self, kind: int, tables: LabelTables, weights: Array, said: WrongLabels) -> None:
        links, joint = self.kinds[kind], tables.joint[kind]
        for one, other, part in links.parts:
            items = links.first[part], links.second[part]
            first, second = weights[items[0]], weights[items[1]]
            matrix = joint * tables.of_link(one, other)
            # Exchanging two equal labels changes nothing.
            exchanged = joint * tables.of_swap(one, other) * (one != other)
            wrong = [joint * each + exchanged for each in tables.of_wrong(one, other)]
            _say(said, items[0], *(first * (second @ each.T) for each in (joint, matrix, wrong[0])))
            _say(said, items[1], *(second * (first @ each) for each in (joint, matrix, wrong[1])))
            total = np.maximum((first * (second @ matrix.T)).sum(axis=1), TINY)
            for each in items:
                said.swapped[each] = (first * (second @ exchanged.T)).sum(axis=1) / total


def _say(said: WrongLabels, items: Integers, opinions: Array, labelled: Array, wrong: Array) -> None:
    """Note what is known of these items by the weights of their opinions: all, with the label, and with it wrong."""
    levels = np.arange(opinions.shape[1])
    share = np.maximum(wrong.sum(axis=1), TINY)
    said.wrong[items] = wrong.sum(axis=1) / np.maximum(labelled.sum(axis=1), TINY)
    said.expected[items] = (wrong @ levels) / share
    said.forecast[items] = (opinions @ levels) / np.maximum(opinions.sum(axis=1), TINY)
