"""How dialogues are cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from similitude.errors import ArgumentError

__all__ = ["DialogueRules", "End"]

End = Literal["first", "last"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueRules:
    """How many turns a dialogue keeps, and which.

    Attributes:
        turns: how many turns; of several numbers, each is given to as many dialogues as the others, as in GiCCS, where
            half of the dialogues have three turns and half have five.
        take: the first turns of a dialogue, or the last.
        last: who must speak the last turn; the first (or last) stretch of turns that ends so is taken.
        utterances: also add each turn of the whole dialogues as a text of its own, to be paired with the last turns of
            other dialogues; if ``last`` is given, only turns of that speaker.
    """

    turns: int | tuple[int, ...] = (3, 5)
    take: End = "first"
    last: str | None = None
    utterances: bool = False

    def __post_init__(self) -> None:
        if not self.lengths or not all(_is_count(each) for each in self.lengths):
            raise ArgumentError(f"turns={self.turns!r} is no number of turns", remedy="give 3, or several: [3, 5]")
        if self.take not in get_args(End):
            raise ArgumentError(f"take='{self.take}' is not known", remedy=f"known: {', '.join(get_args(End))}")

    @property
    def lengths(self) -> tuple[int, ...]:
        """The numbers of turns, ascending, each once."""
        listed = (self.turns,) if isinstance(self.turns, int) else tuple(self.turns)
        return tuple(sorted(set(listed))) if all(isinstance(each, int) for each in listed) else listed


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1
