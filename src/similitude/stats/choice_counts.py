"""Counts of choices: how often each category was chosen, against what chance would choose, and how far they scatter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array, Integers

__all__ = ["ChoiceTest", "choice_test", "commonest_share", "normalised_entropy"]

DRAWS = 1999
BLOCK = 2_000_000
"""About how many random choices are held in memory at a time."""


class ChoiceTest(NamedTuple):
    """Counts of choices against chance.

    Attributes:
        counts: how often each category was chosen.
        expected: how often chance would choose it, on average.
        p_value: how often chance alone is at least as far from the expectation; nan where it could not have chosen
            otherwise.
    """

    counts: Integers
    expected: Array
    p_value: float


def choice_test(
    chosen: Integers,
    pool: Integers,
    sizes: Integers,
    categories: int,
    *,
    rng: np.random.Generator,
    draws: int = DRAWS,
) -> ChoiceTest:
    """Test whether choices follow chance, where every trial has its own candidates.

    Chance picks one candidate of each trial, all with the same probability. The distance of counts O from their
    expectation E is the sum over categories of (O - E)^2 / E, and its distribution under chance is drawn:
    p = (1 + draws at least as far) / (1 + draws). With the places of options as candidates, this asks whether somebody
    prefers a place; with everybody's answers to the same question, whether somebody prefers a value that others, asked
    the same, do not (a permutation test, which is exact because people are exchangeable within a question).

    Args:
        chosen: the category that was chosen in each trial, from 0.
        pool: the categories of all candidates, trial after trial.
        sizes: the number of candidates of each trial.
        categories: the number of categories.
        rng: draws the choices of chance.
        draws: how many times.

    >>> always_first = choice_test(
    ...     np.zeros(9, int), np.tile(np.arange(3), 9), np.full(9, 3), 3, rng=np.random.default_rng(0)
    ... )
    >>> always_first.counts, always_first.expected, always_first.p_value < 0.01
    (array([9, 0, 0]), array([3., 3., 3.]), True)
    """
    counts = np.bincount(chosen, minlength=categories)
    shares = np.repeat(1.0 / sizes, sizes)
    expected = np.bincount(pool, weights=shares, minlength=categories).astype(np.float64)
    starts = np.cumsum(sizes) - sizes
    if not chosen.size or _is_certain(pool, sizes, starts):
        return ChoiceTest(counts, expected, float("nan"))
    observed = _distance(counts[None], expected)[0]
    as_far, block = 0, max(1, BLOCK // chosen.size)
    for start in range(0, draws, block):
        rows = min(block, draws - start)
        picked = pool[starts + (rng.random((rows, chosen.size)) * sizes).astype(np.intp)]
        drawn = np.bincount((picked + categories * np.arange(rows)[:, None]).ravel(), minlength=categories * rows)
        as_far += int((_distance(drawn.reshape(rows, categories), expected) >= observed - 1e-9).sum())
    return ChoiceTest(counts, expected, (1 + as_far) / (1 + draws))


def _is_certain(pool: Integers, sizes: Integers, starts: Integers) -> bool:
    """Whether all candidates of every trial are of one category."""
    low, high = np.minimum.reduceat(pool, starts), np.maximum.reduceat(pool, starts)
    return bool((low == high).all())


def _distance(counts: Integers, expected: Array) -> Array:
    possible = expected > 0
    away = (counts[:, possible] - expected[possible]) ** 2 / expected[possible]
    return np.asarray(away.sum(axis=1))


def commonest_share(counts: Integers) -> float:
    """The share of the commonest category; nan without a choice.

    >>> commonest_share(np.array([3, 1, 0]))
    0.75
    """
    total = counts.sum()
    return float(counts.max() / total) if total else float("nan")


def normalised_entropy(counts: Integers) -> float:
    """Shannon's entropy of the shares, divided by its maximum.

    0 when all choose the same, 1 when all categories are chosen equally often; nan without a choice, or with one
    category.

    >>> normalised_entropy(np.array([2, 2])), normalised_entropy(np.array([4, 0]))
    (1.0, 0.0)
    """
    total = counts.sum()
    if not total or counts.size < 2:
        return float("nan")
    shares = counts[counts > 0] / total
    return float(abs(-(shares * np.log(shares)).sum()) / np.log(counts.size))
