"""Items in other words and without conditions, as an architecture reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.models.encoders.text_model import Text
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.conditional.input_text import read_item, read_items
from similitude.systems.encoders.embedding import clean
from similitude.training.condition_wordings import wordings
from similitude.training.conditional.augmentation import Augmentation

if TYPE_CHECKING:
    import torch

    from similitude.training.input_changes import InputChanges

__all__ = ["WordedInputs", "worded_inputs"]

Rows = NDArray[np.intp]

MOST: int = 8
"""The most other wordings of a condition that are shown."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WordedInputs:
    """All texts of some items, in every way in which they can be shown.

    Attributes:
        texts: each distinct text.
        worded: orders x items x wordings x parts; the first order and wording are the item's own.
        others: of each item, the number of other wordings; the rest of its row repeats its own.
        bare: orders x items x parts, without the condition; None if it is never dropped.
        wanted: how likely the changes are.
    """

    texts: list[Text]
    worded: Rows
    others: NDArray[np.int64]
    bare: Rows | None
    wanted: Augmentation

    @property
    def rows(self) -> Rows:
        """Items x parts: each item as it is."""
        return self.worded[0, :, 0]

    @property
    def all_rows(self) -> Rows:
        """Items x all texts in which an item can be shown."""
        parts = [self.worded] if self.bare is None else [self.worded, self.bare[:, :, None]]
        together = np.concatenate(parts, axis=2)
        return together.transpose(1, 0, 2, 3).reshape(len(self.others), -1)

    def changes(self, device: torch.device) -> InputChanges:
        """The same on a device, for the training loop."""
        import torch

        from similitude.training.input_changes import InputChanges

        def moved(rows: NDArray[np.intp] | NDArray[np.int64]) -> torch.Tensor:
            return torch.from_numpy(np.ascontiguousarray(rows, np.int64)).to(device)

        return InputChanges(
            worded=moved(self.worded),
            others=moved(self.others),
            rewording=self.wanted.rewording,
            bare=None if self.bare is None else moved(self.bare),
            dropout=self.wanted.condition_dropout,
            consistency=self.wanted.consistency,
        )


def worded_inputs(architecture: Architecture, items: Items, wanted: Augmentation) -> WordedInputs:
    """Read items in all their wordings, in both orders where the order matters.

    Args:
        architecture: determines the input.
        items: items with their conditions.
        wanted: which changes are made.

    Raises:
        InputError: an item lacks a condition that the model needs.
    """
    read_items(architecture, items)  # says which items lack a condition
    own = [clean(condition or "") for condition in items.conditions]
    others = [wordings(condition)[:MOST] if wanted.rewording else () for condition in own]
    most = max(map(len, others), default=0)
    conditions = [[first, *rest, *[first] * (most - len(rest))] for first, rest in zip(own, others, strict=True)]
    sides = (list(map(clean, items.lefts)), list(map(clean, items.rights)))
    orders = [sides]
    if architecture.reads_together and architecture.reads != "condition":
        orders.append((sides[1], sides[0]))
    seen: dict[Text, int] = {}

    def read(left: str, right: str, condition: str) -> list[int]:
        return [seen.setdefault(text, len(seen)) for text in read_item(architecture, left, right, condition)]

    def rows(table: Sequence[Sequence[str]]) -> Rows:
        found = [
            [
                [read(left, right, condition) for condition in row]
                for left, right, row in zip(*order, table, strict=True)
            ]
            for order in orders
        ]
        return np.array(found, np.intp)

    worded = rows(conditions)
    bare = rows([[""]] * len(own))[:, :, 0] if wanted.condition_dropout else None
    counts = np.array([len(other) for other in others], np.int64)
    return WordedInputs(texts=list(seen), worded=worded, others=counts, bare=bare, wanted=wanted)
