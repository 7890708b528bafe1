"""Vectors of a frozen model, computed once: only the layers after it are trained, on these. Needs torch."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from similitude.models.encoders.token_table import TokenTable
from similitude.systems.conditional.network import VECTORS
from similitude.training.network_scores import length_batches

__all__ = ["VectorTable", "is_frozen"]


def is_frozen(network: Any) -> bool:
    """Whether no weight of the network's transformer is trained."""
    transformer = getattr(network, "transformer", None)
    return transformer is not None and not any(weight.requires_grad for weight in transformer.parameters())


class VectorTable:
    """The vector of each text, in place of its tokens.

    Attributes:
        lengths: one for each text.
        cut: how many texts were cut to the model's maximum.
    """

    def __init__(self, network: Any, tokens: TokenTable, precision: torch.dtype) -> None:
        self.lengths: NDArray[np.int64] = np.ones(len(tokens.lengths), np.int64)
        self.cut = tokens.cut
        self._vectors = _pooled(network.eval(), tokens, precision)

    def take(self, rows: Tensor, length: int) -> dict[str, Tensor]:
        """The vectors of these texts."""
        return {VECTORS: self._vectors[rows]}


def _pooled(network: Any, tokens: TokenTable, precision: torch.dtype) -> Tensor:
    device = next(network.parameters()).device
    autocast: Any = nullcontext() if precision == torch.float32 else torch.autocast(device.type, dtype=precision)
    vectors: Tensor | None = None
    with torch.no_grad(), autocast:
        for batch in length_batches(tokens.lengths, device):
            where = torch.from_numpy(batch).to(device)
            found = network.pool(tokens.take(where, int(tokens.lengths[batch].max())))
            if vectors is None:
                vectors = torch.empty(len(tokens.lengths), found.shape[1], device=device)
            vectors[where] = found
    return torch.empty(0, 0, device=device) if vectors is None else vectors
