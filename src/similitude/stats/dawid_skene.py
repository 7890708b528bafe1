"""The model of Dawid and Skene: true labels of items, and the confusions of each annotator, by EM."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from similitude.stats.arrays import Array, Integers

__all__ = ["DawidSkeneFit", "LabelList", "fit_dawid_skene"]

ROUNDS = 2000
TOLERANCE = 1e-9
"""EM has converged if a round raises the mean log posterior per answer by less than this."""


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
        has_converged: whether the last round changed nothing any more.
    """

    posterior: Array
    shares: Array
    confusion: Array
    log_posterior: float
    rounds: int
    has_converged: bool


def fit_dawid_skene(given: LabelList, *, prior: float = 0.5, rounds: int = ROUNDS) -> DawidSkeneFit:
    """Maximum a posteriori estimates by EM, from the shares of votes as a start.

    The true label of an item is drawn from ``shares``; annotator a then gives label m to an item with true label k with
    probability ``confusion[a, k, m]``, independently of the others. Dirichlet priors (``prior`` pseudo-counts of every
    cell, and one more vote on the diagonal, as most answers of most annotators are right) keep annotators with few
    answers finite.

    Reference: Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm.

    Args:
        given: the labels.
        prior: pseudo-counts, above 0.
        rounds: the largest number of rounds.

    >>> item = np.tile(np.arange(6), 3)
    >>> label = np.concatenate([[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 1]])
    >>> fit = fit_dawid_skene(LabelList(np.repeat(np.arange(3), 6), item, label, 3, 6, 2))
    >>> fit.posterior.argmax(axis=1).tolist(), fit.has_converged
    ([0, 0, 0, 1, 1, 1], True)
    """
    answers = _counted(given)
    posterior = _vote_shares(given)
    counts = prior + np.eye(given.labels)
    before, done, has_converged = -np.inf, 0, False
    while done < rounds and not has_converged:
        shares, confusion = _parameters(given, answers, posterior, counts, prior)
        posterior, likelihood = _posterior(answers, shares, confusion)
        value = likelihood + prior * float(np.log(shares).sum()) + float((counts * np.log(confusion)).sum())
        has_converged = value - before < TOLERANCE * given.label.size
        before, done = value, done + 1
    return DawidSkeneFit(posterior, shares, confusion, before, done, has_converged)


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


def _parameters(given: LabelList, answers: Any, posterior: Array, counts: Array, prior: float) -> tuple[Array, Array]:
    """The M step."""
    shares = posterior.sum(axis=0) + prior
    by_given = np.asarray(answers.T @ posterior).reshape(given.annotators, given.labels, given.labels)
    cells = by_given.transpose(0, 2, 1) + counts
    return shares / shares.sum(), cells / cells.sum(axis=2, keepdims=True)


def _posterior(answers: Any, shares: Array, confusion: Array) -> tuple[Array, float]:
    """The E step, and the log likelihood."""
    of_answer = np.log(confusion).transpose(0, 2, 1).reshape(-1, shares.size)
    logs = np.asarray(answers @ of_answer) + np.log(shares)
    largest = logs.max(axis=1, keepdims=True)
    odds = np.exp(logs - largest)
    total = odds.sum(axis=1, keepdims=True)
    return odds / total, float((largest + np.log(total)).sum())
