r"""Turns an item into the two input texts of a model, with or without its context and condition.

``context=prepend``
    The earlier turns of the dialogue come before the left *and* the right text, oldest first, one per line: the right
    text is an alternative to the last turn, so both are read as that turn.
``condition=append``
    The condition follows both texts, on a line of its own, so that each text is encoded with respect to it: cos(f(left;
    condition), f(right; condition)), the bi-encoder of C-STS.
``none``, the default of both
    The context or condition is left out.

BERT-like tokenisers read a line break as a space; others, such as Llama's, keep it. Items without context or condition,
and blank texts, are unchanged.

>>> from similitude.data.item import Item
>>> item = Item(id="1", left="Yes.", right="No.", context=("Tea?", "With milk?", "Yes."), condition="politeness")
>>> input_text(item.left, item.context, item.condition, context="prepend", condition="append", last=item.left)
'Tea?\nWith milk?\nYes.\npoliteness'
>>> input_text(item.right, item.context, item.condition, context="prepend", condition=None, last=item.left)
'Tea?\nWith milk?\nNo.'
"""

# No postponed annotations here: the registry reads them off subclasses in other modules, which lack these names.
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.protocols import System
from similitude.systems.dialogue import turns_before
from similitude.systems.pairwise import PairwiseSystem

__all__ = ["LINE", "PairTextSystem", "Sides", "input_text", "input_texts", "with_condition"]

LINE = "\n"
"""The separator between turns, text and condition."""

Context = Literal["prepend"] | None
Condition = Literal["append"] | None


class Sides(NamedTuple):
    """The two columns of input texts."""

    lefts: list[str]
    rights: list[str]


def input_text(
    text: str,
    turns: Sequence[str] | None,
    respect: str | None,
    *,
    context: Context,
    condition: Condition,
    last: str,
) -> str:
    """The input text of one side of an item.

    Args:
        text: the text of this side.
        turns: the item's dialogue, including its last turn.
        respect: the item's condition.
        context: whether the earlier turns come before the text.
        condition: whether the condition follows the text.
        last: the left text, which is the last turn of the dialogue.
    """
    if not text.strip():
        return text
    earlier = turns_before(turns, last) if context == "prepend" else ()
    after = [respect] if condition == "append" and respect and respect.strip() else []
    return LINE.join([*earlier, text, *after])


def input_texts(items: Items, *, context: Context, condition: Condition) -> Sides:
    """The input texts of both sides of every item."""
    sides = Sides(items.lefts, items.rights)
    if context is None and condition is None:
        return sides
    rows = list(zip(sides.lefts, items.contexts, items.conditions, strict=True))

    def worded(texts: Sequence[str]) -> list[str]:
        return [
            input_text(text, turns, respect, context=context, condition=condition, last=left)
            for text, (left, turns, respect) in zip(texts, rows, strict=True)
        ]

    return Sides(worded(sides.lefts), worded(sides.rights))


@dataclass(frozen=True)
class PairTextSystem(PairwiseSystem):
    """A system over two texts that can include context and condition in them.

    Attributes:
        context: None, or prepend: the earlier turns of the dialogue come before both texts.
        condition: None, or append: the condition follows both texts.
    """

    context: Context = field(default=None, kw_only=True)
    condition: Condition = field(default=None, kw_only=True)

    @property
    def reads(self) -> frozenset[str]:
        """The parts that are included."""
        flags = {"context": self.context, "condition": self.condition}
        return frozenset(name for name, flag in flags.items() if flag is not None)

    def score(self, items: Items) -> Predictions:
        """One similarity per item, in order."""
        return Predictions(self.similarities(*input_texts(items, context=self.context, condition=self.condition)))

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity per pair of texts, used as they are."""
        raise NotImplementedError


def with_condition(system: System) -> System | None:
    """The system if it reads conditions, else with ``condition=append``; None if it cannot read them."""
    if "condition" not in system.reads and isinstance(system, PairTextSystem):
        system = replace(system, condition="append")
    return system if "condition" in system.reads else None
