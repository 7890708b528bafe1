"""Everything that the training loop needs: a network, tokens, gold, a loss and a validation.

The loop knows neither conditions nor similarity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from similitude.models.encoders.token_table import TextTable
from similitude.training.batches import Batcher
from similitude.training.input_changes import InputChanges, pair_means
from similitude.training.loss_weights import weights_without_conditions

__all__ = ["TrainingSetup"]


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingSetup:
    """A network, its training data on the device, and how it is validated.

    Attributes:
        network: maps tokens, part by part, to one output or one row of outputs per item.
        table: the tokens of every text, or its vector, on the network's device.
        rows: items x parts, on the device: the texts that make up each item.
        swapped: the same with left and right exchanged, where that is another input; the items of a unit are shown in
            either order at random.
        changes: all ways in which items can be shown, in place of rows and swapped; None if they stay as they are.
        gold: one number or one row of numbers per item, on the device, as the objective expects it.
        objective: maps outputs and gold to the mean loss of a batch.
        batcher: divides items into steps.
        validate: maps the network to figures by name; the first figure selects the best epoch, higher is better.
        weights: in the loss, on the device, as `similitude.training.loss_weights` makes them; the objective is handed
            those of a batch. None for equal ones.
    """

    network: nn.Module
    table: TextTable
    rows: Tensor
    gold: Tensor
    objective: Callable[..., Tensor]
    batcher: Batcher
    validate: Callable[[nn.Module], Mapping[str, float]]
    swapped: Tensor | None = None
    changes: InputChanges | None = None
    weights: Tensor | None = None

    def only(self, items: NDArray[np.int64]) -> TrainingSetup:
        """The same setup with some of the items; units must be whole and in order."""
        import torch

        where = torch.from_numpy(items).to(self.rows.device)
        return replace(
            self,
            rows=self.rows[where],
            swapped=None if self.swapped is None else self.swapped[where],
            gold=self.gold[where],
            changes=None if self.changes is None else self.changes.only(where),
            weights=None if self.weights is None else self.weights[where],
            batcher=replace(self.batcher, lengths=self.batcher.lengths[items]),
        )

    def loss(self, network: nn.Module, items: Tensor, length: int) -> Tensor:
        """The mean loss of these items, padded to a length in tokens."""
        if self.changes is not None:
            return self._changed_loss(self.changes, network, items, length)
        rows = self.rows[items]
        if self.swapped is not None:
            import torch

            unit = self.batcher.unit  # in the same order, its items begin alike
            coins = (torch.rand(len(items) // unit, 1, device=items.device) < 0.5).repeat_interleave(unit, dim=0)
            rows = torch.where(coins, self.swapped[items], rows)
        tokens = self.table.take(rows.T.reshape(-1), length)
        return self._loss(network(tokens), self.gold[items], items)

    def _loss(self, scores: Tensor, gold: Tensor, items: Tensor, dropped: Tensor | None = None) -> Tensor:
        if self.weights is None:
            return self.objective(scores, gold)
        return self.objective(scores, gold, weights=weights_without_conditions(self.weights[items], dropped))

    def _changed_loss(self, changes: InputChanges, network: nn.Module, items: Tensor, length: int) -> Tensor:
        """The mean loss over one or two passes, and by how much the two differ."""
        import torch

        dropped = changes.dropped(items)
        gold = pair_means(self.gold[items], dropped)
        rows = torch.cat([changes.rows(items, dropped) for _ in range(changes.passes)])
        scores = network(self.table.take(rows.T.reshape(-1), length)).chunk(changes.passes)
        loss = torch.stack([self._loss(own, gold, items, dropped) for own in scores]).mean()
        if changes.passes == 2:
            loss = loss + changes.consistency * (scores[0] - scores[1]).square().mean()
        return loss
