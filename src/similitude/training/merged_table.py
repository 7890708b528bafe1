"""Tokens of items whose texts begin alike, in merged rows. Requires torch."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from similitude.models.encoders.prefix_rows import merge_rows, merged_lengths, reads_merged
from similitude.models.encoders.token_table import TextTable

__all__ = ["MergedTable", "item_lengths", "merges"]

_LEAST = 0.1
"""The share of tokens that merging must save, or it is left out: the mask costs some time."""

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
    return bool(_merged(table, rows, unit, device).sum() <= (1 - _LEAST) * alone)


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
