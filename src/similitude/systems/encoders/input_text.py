r"""How an item becomes the two texts that a model reads: what stands beside the pair goes in or stays out.

``context=prepend``
    The earlier turns of the dialogue stand before the left text *and* before the right one, oldest first, each on a
    line of its own: the right text is another way of saying the last turn, so both are read as that turn.
``condition=append``
    The condition stands after both texts, on a line of its own, so that each text is encoded in that respect:
    cos(f(left; condition), f(right; condition)), the bi-encoder of C-STS.
``none``, the default of both
    It stays out.

A tokeniser of the BERT kind takes the end of a line for a space; one that knows it, such as Llama's, sees it. Items
without context or condition, and texts that are blank, are left as they are.

>>> from similitude.data.item import Item
>>> item = Item(id="1", left="Yes.", right="No.", context=("Tea?", "With milk?", "Yes."), condition="politeness")
>>> input_text(item.left, item.context, item.condition, context="prepend", condition="append", last=item.left)
'Tea?\nWith milk?\nYes.\npoliteness'
>>> input_text(item.right, item.context, item.condition, context="prepend", condition=None, last=item.left)
'Tea?\nWith milk?\nNo.'
"""

# No postponed annotations here: the registry reads them off subclasses in other modules, which lack these names.
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.systems.dialogue import turns_before
from similitude.systems.pairwise import PairwiseSystem

__all__ = ["LINE", "PairTextSystem", "Sides", "input_text", "input_texts"]

LINE = "\n"
"""What stands between turns, text and condition."""

Context = Literal["prepend"] | None
Condition = Literal["append"] | None


class Sides(NamedTuple):
    """The two columns of texts that a model reads."""

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
    """One side of an item as a model reads it.

    Args:
        text: the side itself.
        turns: the item's dialogue, its last turn included.
        respect: the item's condition.
        context: whether the earlier turns go before it.
        condition: whether the condition goes after it.
        last: the left text, which is the last turn of the dialogue and no earlier one.
    """
    if not text.strip():
        return text
    earlier = turns_before(turns, last) if context == "prepend" else ()
    after = [respect] if condition == "append" and respect and respect.strip() else []
    return LINE.join([*earlier, text, *after])


def input_texts(items: Items, *, context: Context, condition: Condition) -> Sides:
    """Both sides of every item as a model reads them."""
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
    """A system over two texts that may be handed context and condition inside them.

    Attributes:
        context: none, or prepend: the earlier turns of the dialogue stand before both texts.
        condition: none, or append: the condition stands after both texts.
    """

    context: Context = field(default=None, kw_only=True)
    condition: Condition = field(default=None, kw_only=True)

    @property
    def reads(self) -> frozenset[str]:
        """What the flags say."""
        flags = {"context": self.context, "condition": self.condition}
        return frozenset(name for name, flag in flags.items() if flag is not None)

    def score(self, items: Items) -> Predictions:
        """One similarity an item, in order."""
        return Predictions(self.similarities(*input_texts(items, context=self.context, condition=self.condition)))

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity for each pair of texts, taken as they are."""
        raise NotImplementedError
