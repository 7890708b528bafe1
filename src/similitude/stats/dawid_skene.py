"""The model of Dawid and Skene: true labels of items, and the confusions of each annotator, by EM."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from similitude.stats.arrays import Array, Integers

__all__ = ["DawidSkeneFit", "LabelList", "fit_dawid_skene"]

ROUNDS = 300
TOLERANCE = 1e-7
"""EM has converged if three rounds raise the mean log posterior per answer by less than this."""
SMALLEST = 1e-12
"""Probabilities below this are not extrapolated."""
LARGEST_STEP = 64.0
"""The most rounds of EM that one extrapolation stands for, about."""


class LabelList(NamedTuple):
    """Labels, one row per answer.

    Attributes:
        annotator: the number of the annotator.
        item: the number of the item.
        label: the number of the label.
        annotators: how many annotators there are.
        items: how many items there are.
        labels: how many labels there are.
    """

    annotator: Integers
    item: Integers
    label: Integers
    annotators: int
    items: int
    labels: int


class DawidSkeneFit(NamedTuple):
    """The fitted model.

    Attributes:
        posterior: items x labels, the probability that a label is the true one.
        shares: the share of each true label.
        confusion: annotators x true labels x given labels, each row a distribution.
        log_posterior: of the parameters, in the last round.
        rounds: rounds of EM.
        gain: by how much the last three rounds raised the mean log posterior per answer.
        has_converged: whether this was next to nothing.
    """

    posterior: Array
    shares: Array
    confusion: Array
    log_posterior: float
    rounds: int
    gain: float
    has_converged: bool


def fit_dawid_skene(given: LabelList, *, prior: float = 0.5, rounds: int = ROUNDS) -> DawidSkeneFit:
    """Maximum a posteriori estimates by EM, from the shares of votes as a start.

    The true label of an item is drawn from ``shares``; annotator a then gives label m to an item with true label k with
    probability ``confusion[a, k, m]``, independently of the others. Dirichlet priors (``prior`` pseudo-counts of every
    cell, and one more vote on the diagonal, as most answers of most annotators are right) keep annotators with few
    answers finite.

    EM is slow where answers tell little about the truth. Two rounds show where it is heading, and a third starts
    from the point extrapolated (SQUAREM); if that point is worse than EM's own, EM's own is taken, so the log posterior
    never falls.

    References: Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm;
    Varadhan and Roland (2008), Simple and globally convergent methods for accelerating the convergence of any EM
    algorithm.

    Args:
        given: the labels.
        prior: pseudo-counts, above 0.
        rounds: the largest number of rounds; three at a time.

    >>> item = np.tile(np.arange(6), 3)
    >>> label = np.concatenate([[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 1]])
    >>> fit = fit_dawid_skene(LabelList(np.repeat(np.arange(3), 6), item, label, 3, 6, 2))
    >>> fit.posterior.argmax(axis=1).tolist(), fit.has_converged
    ([0, 0, 0, 1, 1, 1], True)
    """
    model = _Model(given, prior)
    here = model.start()
    gain, done = np.inf, 1
    while done < rounds and gain >= TOLERANCE:
        once = model.after(here)
        twice = model.after(once)
        ahead = model.after(_extrapolated(here, once, twice))
        after = ahead if ahead.log_posterior >= twice.log_posterior else twice
        gain, done = (after.log_posterior - here.log_posterior) / given.label.size, done + 3
        here = after
    return DawidSkeneFit(
        here.posterior, here.shares, here.confusion, here.log_posterior, done, float(gain), gain < TOLERANCE
    )


class _State(NamedTuple):
    """Parameters, the probability of each label of each item under them, and their log posterior."""

    shares: Array
    confusion: Array
    posterior: Array
    log_posterior: float


class _Model:
    """The labels, ready for EM."""

    def __init__(self, given: LabelList, prior: float) -> None:
        self._given, self._prior = given, prior
        self._answers = _counted(given)
        self._counts = prior + np.eye(given.labels)

    def start(self) -> _State:
        """The parameters of the shares of votes."""
        return self._state(*self._parameters(_vote_shares(self._given)))

    def after(self, here: _State) -> _State:
        """One round of EM."""
        return self._state(*self._parameters(here.posterior))

    def _state(self, shares: Array, confusion: Array) -> _State:
        """The E step."""
        of_answer = np.log(confusion).transpose(0, 2, 1).reshape(-1, shares.size)
        logs = np.asarray(self._answers @ of_answer) + np.log(shares)
        largest = logs.max(axis=1, keepdims=True)
        odds = np.exp(logs - largest)
        total = odds.sum(axis=1, keepdims=True)
        likelihood = float((largest + np.log(total)).sum())
        prior = self._prior * float(np.log(shares).sum()) + float((self._counts * np.log(confusion)).sum())
        return _State(shares, confusion, odds / total, likelihood + prior)

    def _parameters(self, posterior: Array) -> tuple[Array, Array]:
        """The M step."""
        given = self._given
        shares = posterior.sum(axis=0) + self._prior
        by_given = np.asarray(self._answers.T @ posterior).reshape(given.annotators, given.labels, given.labels)
        cells = by_given.transpose(0, 2, 1) + self._counts
        return shares / shares.sum(), cells / cells.sum(axis=2, keepdims=True)


def _extrapolated(here: _State, once: _State, twice: _State) -> _State:
    """Where many more rounds would lead, if each changed the log odds of labels as these two did."""
    logs = [np.log(np.maximum(state.posterior, SMALLEST)) for state in (here, once, twice)]
    first, bend = logs[1] - logs[0], logs[2] - 2 * logs[1] + logs[0]
    size = float(np.sqrt((first**2).sum() / max(float((bend**2).sum()), np.finfo(float).tiny)))
    step = min(max(size, 1.0), LARGEST_STEP)
    moved = logs[0] + 2 * step * first + step**2 * bend
    odds = np.exp(moved - moved.max(axis=1, keepdims=True))
    return twice._replace(posterior=odds / odds.sum(axis=1, keepdims=True))


def _counted(given: LabelList) -> Any:
    """How often an annotator gave a label to an item: sparse, items x (annotators and labels)."""
    from scipy.sparse import coo_array

    column = given.annotator * given.labels + given.label
    shape = (given.items, given.annotators * given.labels)
    return coo_array((np.ones(column.size), (given.item, column)), shape=shape).tocsr()


def _vote_shares(given: LabelList) -> Array:
    key = given.item * given.labels + given.label
    votes = np.bincount(key, minlength=given.items * given.labels).reshape(given.items, given.labels)
    return np.asarray(votes / votes.sum(axis=1, keepdims=True))
