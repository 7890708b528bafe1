"""What is learned, as the loop sees it: it knows neither conditions nor similarity, only tokens, gold and a loss."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from similitude.models.encoders.token_table import TokenTable
from similitude.training.batches import Batcher

__all__ = ["Course"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Course:
    """A network, what it is shown, and by what it is judged.

    Attributes:
        network: from tokens, part by part, to one output an item, or one row of outputs.
        table: every text's tokens, on the network's device.
        rows: items x parts, on the device: which texts an item is made of.
        swapped: the same with left and right changed, where that is another input; an item is shown either way, by
            chance.
        gold: one number or one row of numbers an item, on the device, as the objective takes it.
        objective: from outputs and gold to a mean over the batch.
        batcher: makes steps.
        validate: from the network to figures by name; the first one decides, higher is better.
    """

    network: nn.Module
    table: TokenTable
    rows: Tensor
    gold: Tensor
    objective: Callable[[Tensor, Tensor], Tensor]
    batcher: Batcher
    validate: Callable[[nn.Module], Mapping[str, float]]
    swapped: Tensor | None = None

    def only(self, items: NDArray[np.int64]) -> Course:
        """The same with some of the items; where they come in units, these must be whole and in their order."""
        import torch

        where = torch.from_numpy(items).to(self.rows.device)
        return replace(
            self,
            rows=self.rows[where],
            swapped=None if self.swapped is None else self.swapped[where],
            gold=self.gold[where],
            batcher=replace(self.batcher, lengths=self.batcher.lengths[items]),
        )

    def loss(self, network: nn.Module, items: Tensor, length: int) -> Tensor:
        """The mean loss of these items."""
        rows = self.rows[items]
        if self.swapped is not None:
            import torch

            coins = torch.rand(len(items), 1, device=items.device) < 0.5
            rows = torch.where(coins, self.swapped[items], rows)
        tokens = self.table.take(rows.T.reshape(-1), length)
        return self.objective(network(tokens), self.gold[items])
