"""Random changes of the items of a batch: wording and presence of conditions, order of sentences. Requires torch.

All draws are made on the device, by torch's seed of the step. So a step can be recorded, and an interrupted training
takes the same steps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

__all__ = ["InputChanges", "pair_means"]


@dataclass(frozen=True, kw_only=True, eq=False)
class InputChanges:
    """The ways in which each item can be shown, and how likely they are.

    Attributes:
        worded: orders x items x wordings x parts: the texts of each item, in one or both orders of its sentences; the
            first wording is its own.
        others: of each item, how many other wordings there are.
        rewording: the probability of another wording.
        bare: orders x items x parts: the texts without the condition; None if conditions are never dropped.
        dropout: the probability that a pair loses its conditions.
        consistency: the weight of the squared difference between two passes; 0 for one pass.
    """

    worded: Tensor
    others: Tensor
    rewording: float = 0.0
    bare: Tensor | None = None
    dropout: float = 0.0
    consistency: float = 0.0

    @property
    def passes(self) -> int:
        """How often each item goes through the network in a step."""
        return 2 if self.consistency else 1

    def only(self, where: Tensor) -> InputChanges:
        """The same changes of some of the items."""
        bare = None if self.bare is None else self.bare[:, where]
        return replace(self, worded=self.worded[:, where], others=self.others[where], bare=bare)

    def dropped(self, items: Tensor) -> Tensor | None:
        """Whether each item loses its condition, the two of a pair together; None if conditions are never dropped."""
        if self.bare is None:
            return None
        coins = torch.rand(len(items) // 2, device=items.device) < self.dropout
        return coins.repeat_interleave(2)

    def rows(self, items: Tensor, dropped: Tensor | None) -> Tensor:
        """The texts of these items for one pass: items x parts."""
        shape, device = (len(items),), items.device
        order = torch.zeros(shape, dtype=torch.long, device=device)
        if len(self.worded) == 2:
            order = (torch.rand(shape, device=device) < 0.5).long()
        wording = torch.zeros_like(order)
        if self.rewording:
            others = self.others[items]
            drawn = 1 + (torch.rand(shape, device=device) * others).long()
            is_other = (torch.rand(shape, device=device) < self.rewording) & (others > 0)
            wording = torch.where(is_other, torch.minimum(drawn, others), wording)
        rows = self.worded[order, items, wording]
        if dropped is None or self.bare is None:
            return rows
        return torch.where(dropped.unsqueeze(1), self.bare[order, items], rows)


def pair_means(gold: Tensor, dropped: Tensor | None) -> Tensor:
    """Gold, with the mean of both labels of a pair for those that lose their conditions.

    Items 0 and 1 are a pair, 2 and 3 the next, and so on; gold may have several columns.

    >>> pair_means(torch.tensor([1.0, 0.0, 0.75, 0.25]), torch.tensor([True, True, False, False]))
    tensor([0.5000, 0.5000, 0.7500, 0.2500])
    """
    if dropped is None:
        return gold
    means = gold.unflatten(0, (-1, 2)).mean(dim=1).repeat_interleave(2, dim=0)
    return torch.where(dropped if gold.ndim == 1 else dropped.unsqueeze(1), means, gold)
