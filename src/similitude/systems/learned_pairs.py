"""Whether a trained model is asked about pairs that it has learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from similitude.data.item import Items
from similitude.data.protocols import Listener
from similitude.inspect.pair_sketch import sketched_pairs

__all__ = ["note_learned_pairs", "pair_sketch_of"]


def pair_sketch_of(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The sketch of the pairs that a model learned from, in its ``similitude.json``; older ones have none."""
    return tuple(record.get("data", {}).get("pair_sketch", ()))


def note_learned_pairs(sketch: Sequence[str], items: Items, model: str, listener: Listener | None) -> None:
    """Note how many of the items a model was trained or validated on, as far as its sketch tells.

    Args:
        sketch: of the model.
        items: to be scored.
        model: as the user writes it.
        listener: is told, if any pair is among them.
    """
    shared = sketched_pairs(sketch, items) if sketch and listener is not None else 0
    if shared and listener is not None:
        listener.note(
            f"'{model}' was trained or validated on pairs of these items ({shared:,} of the {len(sketch):,} that it "
            "remembers): its scores of them are better than of new ones"
        )
