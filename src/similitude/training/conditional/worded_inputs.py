"""Items in other words and without conditions, as an architecture reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.errors import ArgumentError
from similitude.models.encoders.text_model import Text
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.conditional.input_text import read_item, read_items
from similitude.systems.encoders.embedding import clean
from similitude.training.condition_wordings import wordings
from similitude.training.conditional.augmentation import Augmentation

if TYPE_CHECKING:
    import torch

    from similitude.training.input_changes import InputChanges

__all__ = ["WordedInputs", "rewording_notes", "worded_inputs"]

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
    reading = _Reading(architecture, items)
    worded = reading.rows(_filled(own, others))
    bare = reading.rows([[""]] * len(own))[:, :, 0] if wanted.condition_dropout else None
    counts = np.array([len(other) for other in others], np.int64)
    return WordedInputs(texts=list(reading.seen), worded=worded, others=counts, bare=bare, wanted=wanted)


def rewording_notes(data: Benchmark, wanted: Augmentation) -> tuple[str, ...]:
    """How many items can be shown in other words, if they are to be.

    Raises:
        ArgumentError: none can.
    """
    if not wanted.rewording:
        return ()
    others = sum(bool(wordings(clean(condition or ""))) for condition in data.items.conditions)
    if not others:
        raise ArgumentError(
            f"rewording {wanted.rewording:g} has no effect: our rules, which are English, reword no condition",
            where=data.name,
            remedy="omit --rewording",
        )
    return (f"{others:,} of {len(data):,} items have conditions that can be said in other words",)


def _filled(own: Sequence[str], others: Sequence[Sequence[str]]) -> list[list[str]]:
    """The wordings of each condition, its own first; rows are filled up with its own to the same length."""
    most = max(map(len, others), default=0)
    return [[first, *rest, *[first] * (most - len(rest))] for first, rest in zip(own, others, strict=True)]


class _Reading:
    """Reads items under conditions of any wording, and numbers the distinct texts in the order in which they occur."""

    def __init__(self, architecture: Architecture, items: Items) -> None:
        self.architecture, self.seen = architecture, dict[Text, int]()
        lefts, rights = list(map(clean, items.lefts)), list(map(clean, items.rights))
        self.orders = [(lefts, rights)]
        if architecture.reads_together and architecture.reads != "condition":
            self.orders.append((rights, lefts))

    def rows(self, conditions: Sequence[Sequence[str]]) -> Rows:
        """Orders x items x wordings x parts."""
        found = [
            [
                [self._item(left, right, each) for each in row]
                for left, right, row in zip(*order, conditions, strict=True)
            ]
            for order in self.orders
        ]
        return np.array(found, np.intp)

    def _item(self, left: str, right: str, condition: str) -> list[int]:
        texts = read_item(self.architecture, left, right, condition)
        return [self.seen.setdefault(text, len(self.seen)) for text in texts]
