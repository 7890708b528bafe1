"""Scores of a network during training. Needs torch."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from similitude.models.encoders.token_table import TextTable

__all__ = ["length_batches", "network_scores"]

_TOKENS_ON_CPU, _TOKENS_ELSEWHERE = 2048, 65_536
"""Tokens per batch; without gradients there is room for many."""


def network_scores(
    network: Any, table: TextTable, rows: NDArray[np.intp], precision: torch.dtype
) -> NDArray[np.float64]:
    """The outputs of a network: one score per item, or one row of numbers.

    Each distinct text is encoded once, in a batch with texts of similar length.

    Args:
        network: has ``embed`` and ``compare``, and is in evaluation mode.
        table: the tokens of the texts, or their vectors.
        rows: items x parts: the texts that make up each item.
        precision: of products.
    """
    device = next(network.parameters()).device
    autocast: Any = nullcontext() if precision == torch.float32 else torch.autocast(device.type, dtype=precision)
    used, place = np.unique(rows, return_inverse=True)
    lengths = table.lengths[used]
    vectors: Tensor | None = None
    with torch.inference_mode(), autocast:
        for batch in length_batches(lengths, device):
            where = torch.from_numpy(batch).to(device, non_blocking=True)
            texts = torch.from_numpy(used[batch]).to(device, non_blocking=True)
            embedded = network.embed(table.take(texts, int(lengths[batch].max())))
            if vectors is None:
                vectors = torch.empty(len(used), embedded.shape[1], device=device)
            vectors[where] = embedded
        if vectors is None:
            return np.empty(0)
        flat = torch.from_numpy(np.ascontiguousarray(place.reshape(rows.shape).T).reshape(-1)).to(device)
        scores: Tensor = network.compare(vectors[flat]).float()
    return scores.cpu().numpy().astype(np.float64)


def length_batches(lengths: NDArray[np.int64], device: torch.device) -> Sequence[NDArray[np.int64]]:
    """Batches from long to short texts, each with as many as fit at its longest."""
    tokens = _TOKENS_ON_CPU if device.type == "cpu" else _TOKENS_ELSEWHERE
    order = np.argsort(-lengths, kind="stable")
    batches, start = [], 0
    while start < len(order):
        size = max(1, tokens // int(lengths[order[start]]))
        batches.append(order[start : start + size])
        start += size
    return batches
