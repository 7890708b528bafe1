"""The sides of pairs: which of the two texts a pair belongs to, when pairs are drawn for one text or dialogue."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.pairs import PairBlock

__all__ = ["DirectedPairs", "both_directions", "dialogues_left"]


class DirectedPairs(NamedTuple):
    """Pairs in one or both directions.

    Attributes:
        pairs: as many as there are directions.
        origins: the position of the pair that each of them is a direction of.
    """

    pairs: PairBlock
    origins: NDArray[np.intp]


def dialogues_left(pairs: PairBlock) -> PairBlock:
    """The pairs with a dialogue on the left, where only the right text is the turn of one."""
    has_turns = pairs.texts.frame["context"].is_not_null().to_numpy()
    swap = ~has_turns[pairs.left] & has_turns[pairs.right]
    return _with_sides(pairs, np.where(swap, pairs.right, pairs.left), np.where(swap, pairs.left, pairs.right))


def both_directions(pairs: PairBlock) -> DirectedPairs:
    """Every pair as one of its left text and as one of its right text.

    A pair of a dialogue and an utterance has one direction: it belongs to the dialogue.
    """
    first = dialogues_left(pairs)
    has_turns = pairs.texts.frame["context"].is_not_null().to_numpy()
    turned = np.flatnonzero(has_turns[first.left] == has_turns[first.right])
    origins = np.concatenate([np.arange(len(pairs)), turned])
    both = first.take(origins)
    left, right = both.left.copy(), both.right.copy()
    left[len(pairs) :], right[len(pairs) :] = first.right[turned], first.left[turned]
    return DirectedPairs(_with_sides(both, left, right), origins)


def _with_sides(pairs: PairBlock, left: NDArray[np.int64], right: NDArray[np.int64]) -> PairBlock:
    return PairBlock(pairs.texts, left, right, pairs.strata, pairs.vectors, pairs.columns)
