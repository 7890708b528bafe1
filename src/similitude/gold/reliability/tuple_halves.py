"""Best-worst answers cut into two disjoint parts of any size, each scored by counting."""

from __future__ import annotations

import numpy as np

from similitude.gold.reliability.tuple_answers import TupleAnswers
from similitude.stats import pearson_features
from similitude.stats.arrays import Array, Integers

__all__ = ["by_annotation", "by_tuple", "features_of_parts", "scores_of_parts"]


NEITHER = 2
"""The number of the part that an answer in neither of the two belongs to."""


def by_annotation(answers: TupleAnswers, size: int, rng: np.random.Generator) -> Integers:
    """For every answer 0, 1 or `NEITHER`: of each tuple with 2 ``size`` answers, ``size`` go to either part."""
    order = np.lexsort((rng.random(answers.tuple_of.size), answers.tuple_of))
    starts = np.cumsum(answers.sizes) - answers.sizes
    place = np.empty_like(order)
    place[order] = np.arange(order.size) - starts[answers.tuple_of[order]]
    enough = answers.sizes[answers.tuple_of] >= 2 * size
    return np.where(enough, np.minimum(place // size, NEITHER), NEITHER)


def by_tuple(answers: TupleAnswers, size: int, rng: np.random.Generator) -> Integers:
    """For every answer 0, 1 or `NEITHER`: all answers to ``size`` tuples go to either part."""
    part_of_tuple = np.minimum(rng.permutation(len(answers.tuples)) // size, NEITHER)
    return np.asarray(part_of_tuple[answers.tuple_of])


def scores_of_parts(answers: TupleAnswers, part: Integers) -> Array:
    """(#best - #worst) / #appearances in both parts, parts x items; nan where a part does not show an item."""
    items = len(answers.items)

    def count(of_answer: Integers, item: Integers) -> Array:
        counts = np.bincount(of_answer * items + item, minlength=(NEITHER + 1) * items)
        return counts.reshape(-1, items)[:NEITHER].astype(np.float64)

    shown = count(part[answers.shown_in], answers.shown)
    return (count(part, answers.best) - count(part, answers.worst)) / np.where(shown > 0, shown, np.nan)


def features_of_parts(answers: TupleAnswers, part: Integers) -> Array:
    """What adds up to the correlation of the two parts' scores: 6 x items, 0 for an item that one does not show."""
    one, other = scores_of_parts(answers, part)
    both = np.isfinite(one) & np.isfinite(other)
    features = np.zeros((6, one.size))
    if both.any():
        features[:, both] = pearson_features(one[both], other[None, both])[0]
    return features
