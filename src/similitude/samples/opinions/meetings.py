"""Draw pairs: which facts both sentences tell, and how the two tellings of each fact meet."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["FACTS", "Meeting", "Meetings", "draw_meetings"]

FACTS = 3
"""How many facts a sentence tells, beside a feeling where there is one."""

_WITH_FEELING = 0.45
_NEAR = 0.35
_HIDDEN = 0.2
_EVENNESS = 0.8
"""Shape of the beta distribution of how likely a pair's facts are to be the same; 1 would be uniform."""


class Meeting(IntEnum):
    """How what two sentences tell of the same thing goes together."""

    SAME = 0
    """The same value, in the same words or in others, or the same feeling."""
    NEAR = 1
    """Two values of one kind: red wine, wheat beer."""
    FAR = 2
    """Two values of different kinds, or opposite feelings."""
    FAR_AND_VAGUE = 3
    """A value, and a vague wording that does not cover it: nobody differs over that."""
    VAGUE = 4
    """A value, and a vague wording that covers it: how alike they are is a matter of opinion."""


class Meetings(NamedTuple):
    """Pairs before they are put into words.

    Attributes:
        facts: pairs x `FACTS`: which facts of the domain are told.
        of_facts: pairs x `FACTS`: how they meet, as numbers of `Meeting`.
        feeling: for each pair 0 (none is told), 1 (the same) or 2 (opposite ones).
    """

    facts: NDArray[np.int64]
    of_facts: NDArray[np.int64]
    feeling: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.feeling)


def draw_meetings(rng: np.random.Generator, pairs: int, facts: int, vague: float) -> Meetings:
    """Pairs of every degree of likeness.

    How likely the facts of a pair are to be the same is drawn for each pair, so that scores fill the scale. How many of
    them are vague is drawn apart from that; one at least is exact.

    Args:
        rng: source of randomness.
        pairs: how many.
        facts: how many facts the domain knows.
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
