"""Tokens of several texts in one row: those that begin alike, or all of an item. Requires torch."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from similitude.errors import ArgumentError
from similitude.models.encoders.merged_rows import first_position, merge_rows, merged_lengths, pack_rows, reads_merged
from similitude.models.encoders.token_table import TextTable
from similitude.training.batches import Batcher
from similitude.training.recipe import Packing

__all__ = ["MergedTable", "PackedTable", "item_lengths", "merges", "packed"]

_LEAST = {"cpu": 0.1, "cuda": 0.15}
"""The share of work that several texts in one row must save, or they are left alone: the mask costs some time."""

_SHARED = 0.1
"""The same for what a language model need not read again."""

_CHUNK = 4096


class MergedTable:
    """A table whose rows are taken in groups that begin alike.

    Attributes:
        lengths: the number of tokens of each text, on the CPU.
        cut: how many texts were cut to the model's maximum.
    """

    def __init__(self, table: TextTable, unit: int) -> None:
        self.table, self.unit = table, unit
        self.lengths, self.cut = table.lengths, table.cut

    def take(self, rows: Tensor, length: int) -> dict[str, Tensor]:
        """The tokens of these texts, padded to a length, with those of merged rows beside them."""
        return merge_rows(self.table.take(rows, length), self.unit)


class PackedTable:
    """A table whose rows are taken with all texts of an item in one row.

    Attributes:
        lengths: the number of tokens of each text, on the CPU.
        cut: how many texts were cut to the model's maximum.
    """

    def __init__(self, table: TextTable, parts: int, first: int) -> None:
        self.table, self.parts, self.first = table, parts, first
        self.lengths, self.cut = table.lengths, table.cut

    def take(self, rows: Tensor, length: int) -> dict[str, Tensor]:
        """The tokens of these texts, ordered by part and padded to a length, with those of packed rows beside them."""
        return pack_rows(self.table.take(rows, length), self.parts, self.first)


def packed(
    network: Any, table: TextTable, batcher: Batcher, sums: NDArray[np.int64], packing: Packing
) -> tuple[TextTable, Batcher]:
    """The table and the batcher for packed rows, or as they are where packing is impossible or saves too little.

    Args:
        network: has a ``transformer``.
        table: the tokens.
        batcher: of items with each text in a row of its own.
        sums: the number of tokens of all texts of an item.
        packing: auto is on where it was measured to save time: enough work, on a CPU or a GPU of NVIDIA.

    Raises:
        ArgumentError: it is on, and the model does not read packed rows as it reads texts.
    """
    device = next(network.parameters()).device
    if batcher.rows == 1 or packing == "off":
        return table, batcher
    own = replace(batcher, lengths=sums, rows=1, longest=max(batcher.longest, int(sums.max(initial=0))))
    width = int(network.transformer.config.hidden_size)
    if packing == "auto":
        least = _LEAST.get(device.type)
        if least is None or _work(own, width) > (1 - least) * _work(batcher, width):
            return table, batcher
    first = None if network.reads_forward else first_position(network.transformer)
    if first is not None:
        return PackedTable(table, batcher.rows, first), own
    if packing == "on":
        raise ArgumentError(
            "this model does not read several texts in one row as it reads each alone", remedy="leave --packing out"
        )
    return table, batcher


def _work(batcher: Batcher, width: int) -> float:
    """What an epoch computes, in multiples of a layer's product of one token: dense layers, and attention by length."""
    parts = [part for step in batcher.steps(0, None) for part in step.parts]
    items, lengths = (
        np.array(values, float) for values in zip(*((len(p.items), p.length) for p in parts), strict=True)
    )
    return float(batcher.rows * np.sum(items * lengths * (1 + lengths / (6 * width))))


def merges(network: Any, table: TextTable, rows: NDArray[np.intp], unit: int, precision: torch.dtype) -> bool:
    """Whether texts that begin alike are to be read as one: a language model, and enough that is shared.

    Args:
        network: has a ``transformer``.
        table: the tokens.
        rows: items x parts; each `unit` items in turn stay together.
        unit: items per group.
        precision: of products.
    """
    if unit == 1 or not getattr(network, "reads_forward", False):
        return False
    device = next(network.parameters()).device
    with nullcontext() if precision == torch.float32 else torch.autocast(device.type, dtype=precision):
        if not reads_merged(network.transformer):
            return False
    alone = table.lengths[rows].sum()
    return bool(_merged(table, rows, unit, device).sum() <= (1 - _SHARED) * alone)


def item_lengths(table: TextTable, rows: NDArray[np.intp], unit: int, device: Any) -> NDArray[np.int64]:
    """The largest merged row that each item is part of, in tokens."""
    longest: NDArray[np.int64] = _merged(table, rows, unit, device).max(axis=1)
    return np.repeat(longest, unit)


def _merged(table: TextTable, rows: NDArray[np.intp], unit: int, device: Any) -> NDArray[np.int64]:
    """The lengths of all merged rows; groups x parts."""
    groups = rows.reshape(-1, unit, rows.shape[1]).swapaxes(1, 2).reshape(-1, unit)
    found = []
    for start in range(0, len(groups), _CHUNK):
        chunk = groups[start : start + _CHUNK].reshape(-1)
        tokens = table.take(torch.from_numpy(chunk.astype(np.int64)).to(device), int(table.lengths[chunk].max()))
        found.append(merged_lengths(tokens, unit).cpu().numpy())
    return np.concatenate(found).reshape(-1, rows.shape[1])
