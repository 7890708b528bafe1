"""From texts and gold to tensors: everything is tokenised once and copied to the device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from similitude.models.encoders.backbone import OpenedNetwork
from similitude.models.encoders.text_model import Text
from similitude.training.recipe import Recipe

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from similitude.models.encoders.token_table import TextTable
    from similitude.training.input_changes import InputChanges
    from similitude.training.training_setup import TrainingSetup

__all__ = ["PreparedTraining", "TrainingSet", "prepare_training"]

GRID_ON_GPU, GRID_ON_CPU = 8, 1

Rows = NDArray[np.intp]
Validate = Callable[[Any], Mapping[str, float]]


class ShownInputs(Protocol):
    """All ways in which items can be shown."""

    @property
    def all_rows(self) -> Rows:
        """Items x all texts in which an item can be shown."""
        ...

    def changes(self, device: torch.device) -> InputChanges:
        """The same on a device."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingSet:
    """Texts, gold, objective and validation of a training, before anything is tokenised.

    Attributes:
        texts: each distinct text to learn from.
        rows: items x parts: the texts that make up each item.
        swapped: the same with left and right exchanged, where that is another input.
        gold: one number or one row per item.
        objective: maps outputs and gold to the mean loss of a batch.
        held_out: each distinct text to validate on.
        validator: maps the tokens of the held-out texts and the precision of products to a validation.
        unit: the number of items that must stay in the same step.
        shown: all ways in which items can be shown; None if they stay as they are.
        weights: in the loss, as `similitude.training.loss_weights` makes them; None for equal ones.
    """

    texts: list[Text]
    rows: Rows
    gold: NDArray[np.float32]
    objective: Callable[..., Tensor]
    held_out: list[Text]
    validator: Callable[[TextTable, torch.dtype], Validate]
    unit: int = 1
    swapped: Rows | None = None
    shown: ShownInputs | None = None
    weights: NDArray[np.float32] | None = None


class PreparedTraining(NamedTuple):
    """Tokenised data, ready for the loop.

    Attributes:
        setup: for the loop.
        score: the scores that the network, as it stands, gives to the items at these positions.
        cut: texts that were truncated to what the model reads at most.
        texts: the number of all texts.
    """

    setup: TrainingSetup
    score: Callable[[NDArray[np.int64]], NDArray[np.float64]]
    cut: int
    texts: int


def prepare_training(opened: OpenedNetwork, data: TrainingSet, recipe: Recipe) -> PreparedTraining:
    """Tokenise the texts and copy everything to the network's device."""
    import torch

    from similitude.models.encoders.token_table import TokenTable
    from similitude.training.batches import Batcher
    from similitude.training.frozen_vectors import VectorTable, is_frozen
    from similitude.training.merged_table import MergedTable, item_lengths, merges, packed
    from similitude.training.network_scores import network_scores
    from similitude.training.stepper import product_dtype
    from similitude.training.training_setup import TrainingSetup

    network, reader = opened.network, opened.reader
    device = next(network.parameters()).device
    precision = product_dtype(recipe.precision, device)
    is_precomputed = is_frozen(network) and hasattr(network, "pool")

    def read(texts: list[Text]) -> TextTable:
        tokens = TokenTable(reader, texts, device)
        return VectorTable(network, tokens, precision) if is_precomputed else tokens

    table, held_out = read(data.texts), read(data.held_out)

    def on_device(rows: Rows) -> Tensor:
        return torch.from_numpy(rows.astype(np.int64)).to(device)

    changes = None if data.shown is None else data.shown.changes(device)
    # An item that is shown in several wordings begins like others only by chance.
    is_merged = changes is None and not is_precomputed and merges(network, table, data.rows, data.unit, precision)
    orders = [data.rows] if data.swapped is None else [data.rows, data.swapped]  # their lengths may differ by a token
    if is_merged:
        lengths = np.max([item_lengths(table, rows, data.unit, device) for rows in orders], axis=0)
    else:
        lengths = table.lengths[np.hstack(orders) if data.shown is None else data.shown.all_rows].max(axis=1)
    batcher = Batcher(
        lengths=lengths,
        unit=data.unit,
        batch=recipe.batch,
        rows=data.rows.shape[1] * (1 if changes is None else changes.passes),
        grid=GRID_ON_CPU if device.type == "cpu" else GRID_ON_GPU,
        longest=max(reader.longest, int(lengths.max(initial=0))),
        seed=recipe.seed,
    )
    in_rows: TextTable = MergedTable(table, data.unit) if is_merged else table
    if changes is None and not is_precomputed and not is_merged:
        sums = np.max([table.lengths[rows].sum(axis=1) for rows in orders], axis=0)
        in_rows, batcher = packed(network, table, batcher, sums, recipe.packing)
    setup = TrainingSetup(
        network=network,
        table=in_rows,
        rows=on_device(data.rows),
        swapped=None if data.swapped is None else on_device(data.swapped),
        gold=torch.from_numpy(data.gold).to(device),
        weights=None if data.weights is None else torch.from_numpy(data.weights).to(device),
        objective=data.objective,
        changes=changes,
        batcher=batcher,
        validate=data.validator(held_out, precision),
    )
    return PreparedTraining(
        setup=setup,
        score=lambda items: network_scores(network.eval(), table, data.rows[items], precision),
        cut=table.cut + held_out.cut,
        texts=len(data.texts) + len(data.held_out),
    )
