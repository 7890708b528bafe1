"""The turns of a dialogue that come before the last one."""

from __future__ import annotations

from collections.abc import Sequence

from similitude.data.item import Item

__all__ = ["earlier_turns", "turns_before"]


def earlier_turns(item: Item) -> tuple[str, ...]:
    """The turns of an item's dialogue before its left text, oldest first.

    >>> earlier_turns(Item(id="1", left="Yes.", right="No.", context=("Tea?", "Yes.")))
    ('Tea?',)
    """
    return turns_before(item.context, item.left)


def turns_before(turns: Sequence[str] | None, last: str) -> tuple[str, ...]:
    """The turns before the last one, without blank ones; all turns if the dialogue does not include the last.

    >>> turns_before(["Tea?", " "], "Yes.")
    ('Tea?',)
    """
    told = tuple(turn for turn in turns or () if turn.strip())
    return told[:-1] if told and told[-1].strip() == last.strip() else told
