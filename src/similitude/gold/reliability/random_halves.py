"""Random halvings of the answers, many at once, and the item scores of each half."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from similitude.gold.reliability.pairable_ratings import without_noise
from similitude.gold.reliability.tuple_answers import TupleAnswers, name_ranks
from similitude.stats.arrays import Array, Booleans, Integers

__all__ = ["BestWorstHalves", "HalfScores", "Halves", "OddTo", "RatingHalves", "random_halves"]

Counts = NDArray[np.float32]
OddTo = Literal["second", "toss"]
"""The half that gets the odd answer: the second for all tuples, or either, by a toss of a coin for each."""


class HalfScores(NamedTuple):
    """The scores of both halves, repeats x items; nan where a half has no answer."""

    first: Array
    second: Array


class Halves(Protocol):
    """Answers that can be split into halves."""

    def draw(self, repeats: int, odd_to: OddTo, rng: np.random.Generator) -> HalfScores:
        """Draw this many random halvings, and score both halves."""
        ...


def random_halves(sizes: Integers, repeats: int, odd_to: OddTo, rng: np.random.Generator) -> Iterator[Booleans]:
    """Whether the first answer of every group is in the first half; then the second answer, and so on.

    Selection sampling over all groups at once: if ``needed`` of the ``left`` remaining answers still belong in the
    first half, the next one is taken with probability needed / left. Every half of the right size is equally likely,
    and nothing is sorted.

    Args:
        sizes: answers per group, the largest first.
        repeats: number of halvings.
        odd_to: which half gets the odd answer.
        rng: random generator.

    Yields:
        Groups with at least that many answers x repeats.

    >>> cut = list(random_halves(np.array([4, 2]), 3, "second", np.random.default_rng(0)))
    >>> sum(place[0].astype(int) for place in cut), [place.shape for place in cut]
    (array([2, 2, 2]), [(2, 3), (2, 3), (1, 3), (1, 3)])
    """
    needed = np.repeat((sizes // 2).astype(np.float32)[:, None], repeats, axis=1)
    if odd_to == "toss":
        is_odd = sizes % 2 == 1
        needed[is_odd] += rng.integers(0, 2, (np.count_nonzero(is_odd), repeats), dtype=np.uint8)
    for place in range(int(sizes[0])):
        having = int(np.searchsorted(-sizes, -place))
        left = (sizes[:having] - place).astype(np.float32)
        chance = rng.random((having, repeats), dtype=np.float32)
        chance *= left[:, None]
        taken = chance < needed[:having]
        needed[:having] -= taken
        yield taken


class BestWorstHalves:
    """Best-worst answers, each half scored by counting: (#best - #worst) / #appearances."""

    def __init__(self, answers: TupleAnswers) -> None:
        # In order of names, so that halves do not depend on the order of the rows.
        by_size = np.lexsort((name_ranks(answers.tuples), -answers.sizes))
        self._sizes = answers.sizes[by_size]
        self._order = _place_by_place(answers, by_size)
        self._named, self._asked, self._shown = _counting(answers, self._order)
        every = np.ones((self._order.size, 1), dtype=np.float32)
        self._all_named, self._all_shown = self._counts(every)

    def draw(self, repeats: int, odd_to: OddTo, rng: np.random.Generator) -> HalfScores:
        """Split the answers of every tuple this many times, and score both halves."""
        in_first, done = np.empty((self._order.size, repeats), dtype=np.float32), 0
        for taken in random_halves(self._sizes, repeats, odd_to, rng):
            in_first[done : done + len(taken)] = taken
            done += len(taken)
        return self._scores(in_first)

    def scores(self, in_first: Booleans) -> HalfScores:
        """Score both halves of given halvings.

        Args:
            in_first: answers x repeats, whether an answer is in the first half.
        """
        return self._scores(in_first[self._order].astype(np.float32))

    def _scores(self, in_first: Counts) -> HalfScores:
        """The second half is the complement of the first, so only one is counted."""
        named, shown = self._counts(in_first)
        return HalfScores(_share(named, shown), _share(self._all_named - named, self._all_shown - shown))

    def _counts(self, chosen: Counts) -> tuple[Counts, Counts]:
        """Best minus worst, and appearances, of every item in the chosen answers."""
        return self._named @ chosen, self._shown @ (self._asked @ chosen)


class RatingHalves:
    """Ratings, each half of an item's ratings scored by its mean.

    Attributes:
        columns: the items with two or more ratings, which are split, as columns of the ratings.
    """

    columns: Integers

    def __init__(self, values: Array) -> None:
        number = np.count_nonzero(~np.isnan(values), axis=0)
        by_size = np.argsort(-number, kind="stable")
        by_size = by_size[number[by_size] >= 2]
        self.columns = by_size
        self._sizes = number[by_size]
        self._packed = np.sort(values[:, by_size], axis=0)
        self._sums = np.nansum(self._packed, axis=0)[:, None]

    @property
    def items(self) -> int:
        """Number of items that are split."""
        return int(self._sizes.size)

    def draw(self, repeats: int, odd_to: OddTo, rng: np.random.Generator) -> HalfScores:
        """Split the ratings of every item this many times, and take the mean of both halves."""
        sums, number = np.zeros((self.items, repeats)), np.zeros((self.items, repeats))
        for place, taken in enumerate(random_halves(self._sizes, repeats, odd_to, rng)):
            sums[: len(taken)] += taken * self._packed[place, : len(taken), None]
            number[: len(taken)] += taken
        others = _share(self._sums - sums, self._sizes[:, None] - number)
        return HalfScores(without_noise(_share(sums, number)), without_noise(others))  # equal means are ties


def _place_by_place(answers: TupleAnswers, by_size: Integers) -> Integers:
    """Answers in the order of `random_halves`: the first of every tuple, largest tuple first, then the second.

    The answers to a tuple stand in order of what they name; those that name the same are the same to scores.
    """
    turn, item, sizes = np.argsort(by_size), name_ranks(answers.items), answers.sizes
    by_tuple = np.lexsort((item[answers.worst], item[answers.best], answers.tuple_of))
    place = np.empty_like(by_tuple)
    place[by_tuple] = np.arange(by_tuple.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.lexsort((turn[answers.tuple_of], place))


def _counting(answers: TupleAnswers, order: Integers) -> tuple[Any, Any, Any]:
    """Sparse matrices, answers in this order: best minus worst (items x answers), tuples x answers, items x tuples."""
    from scipy.sparse import csr_array

    column, items, tuples = np.argsort(order), len(answers.items), len(answers.tuples)
    ones = np.ones(order.size, dtype=np.float32)
    best, worst = (csr_array((ones, (row, column)), (items, order.size)) for row in (answers.best, answers.worst))
    _, first = np.unique(answers.tuple_of, return_index=True)
    shown = np.isin(answers.shown_in, first)
    item, question = answers.shown[shown], answers.tuple_of[answers.shown_in[shown]]
    times = np.ones(item.size, dtype=np.float32)
    asked = csr_array((ones, (answers.tuple_of, column)), (tuples, order.size))
    return (best - worst).tocsr(), asked, csr_array((times, (item, question)), (items, tuples))


def _share(part: Any, whole: Any) -> Array:
    """Part / whole, repeats x items; nan where the whole is 0."""
    there = whole > 0
    share = np.divide(part, whole, out=np.full(whole.shape, np.nan), where=there, dtype=np.float64)
    return np.ascontiguousarray(share.T)
