"""Random pairs: the facts that both sentences state, and how the two statements of each fact relate."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["FACTS", "Meeting", "Meetings", "draw_meetings"]

FACTS = 3
"""The number of facts that a sentence states, besides a feeling in some."""

_WITH_FEELING = 0.45
_NEAR = 0.35
_HIDDEN = 0.2
_EVENNESS = 0.8
"""The parameter of the beta distribution of the probability that the facts of a pair are the same; 1 is uniform."""


class Meeting(IntEnum):
    """How the statements of two sentences about the same fact relate."""

    SAME = 0
    """The same value, in the same words or in others, or the same feeling."""
    NEAR = 1
    """Two values of one kind: red wine, wheat beer."""
    FAR = 2
    """Two values of different kinds, or opposite feelings."""
    FAR_AND_VAGUE = 3
    """A value, and a vague wording that does not cover it, about which raters agree."""
    VAGUE = 4
    """A value, and a vague wording that covers it, about which raters disagree."""


class Meetings(NamedTuple):
    """Pairs before they are worded.

    Attributes:
        facts: pairs x `FACTS`, the facts of the domain that are stated.
        of_facts: pairs x `FACTS`, how the statements relate, as numbers of `Meeting`.
        feeling: for each pair 0 (no feeling), 1 (the same feeling) or 2 (opposite feelings).
    """

    facts: NDArray[np.int64]
    of_facts: NDArray[np.int64]
    feeling: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.feeling)


def draw_meetings(rng: np.random.Generator, pairs: int, facts: int, vague: float) -> Meetings:
    """Pairs of all degrees of similarity.

    The probability that facts are the same is drawn for each pair, so that scores cover the scale. Vague facts are
    drawn independently of it; at least one fact of each pair is exact.

    Args:
        rng: source of randomness.
        pairs: the number of pairs.
        facts: the number of facts in the domain.
        vague: the share of facts that one sentence leaves vague.
    """
    told = rng.permuted(np.tile(np.arange(facts), (pairs, 1)), axis=1)[:, :FACTS]
    is_vague = rng.random((pairs, FACTS)) < vague
    is_vague[:, -1] &= ~is_vague[:, :-1].all(axis=1)
    alike = rng.beta(_EVENNESS, _EVENNESS, (pairs, 1))
    is_same = rng.random((pairs, FACTS)) < alike
    kind = rng.random((pairs, FACTS))
    other = np.where(kind < _NEAR, Meeting.NEAR, np.where(kind < _NEAR + _HIDDEN, Meeting.FAR_AND_VAGUE, Meeting.FAR))
    plain = np.where(is_same, Meeting.SAME, other)
    met = np.where(is_vague, Meeting.VAGUE, plain)
    felt = (rng.random(pairs) < _WITH_FEELING) * (1 + (rng.random(pairs) < 0.5))
    return Meetings(told, met.astype(np.int64), felt.astype(np.int64))
