"""The turns of an item's dialogue."""

from __future__ import annotations

from similitude.data.item import Item

__all__ = ["earlier_turns"]


def earlier_turns(item: Item) -> tuple[str, ...]:
    """The turns before the last one, oldest first; all of them in a dialogue that was written without it.

    >>> earlier_turns(Item(id="1", left="Yes.", right="No.", context=("Tea?", "Yes.")))
    ('Tea?',)
    """
    told = tuple(turn for turn in item.context or () if turn.strip())
    return told[:-1] if told and told[-1].strip() == item.left.strip() else told
