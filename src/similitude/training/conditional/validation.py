"""Validation figures of a similarity network: Spearman and Pearson correlation with gold on held-out items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from similitude.models.encoders.token_table import TextTable
from similitude.stats import pearson, spearman
from similitude.systems.conditional.network import ConditionalNetwork
from similitude.training.network_scores import network_scores

__all__ = ["CorrelationValidator"]


@dataclass(frozen=True, kw_only=True, eq=False)
class CorrelationValidator:
    """Maps a network to its Spearman correlation with gold, which selects the best epoch, and Pearson's.

    Both are nan if all scores or all gold values are equal.

    Attributes:
        table: the tokens of the held-out texts.
        rows: items x parts.
        gold: of the held-out items.
        precision: of products.
    """

    table: TextTable
    rows: NDArray[np.intp]
    gold: NDArray[np.float32]
    precision: torch.dtype

    def __call__(self, network: nn.Module) -> Mapping[str, float]:
        """Figures by name; the first one selects the best epoch."""
        scores, wanted = self.scores(network), self.gold.astype(np.float64)
        return {"spearman": float(spearman(scores, wanted)), "pearson": float(pearson(scores, wanted))}

    def scores(self, network: nn.Module) -> NDArray[np.float64]:
        """The network's scores of the held-out items."""
        if not isinstance(network, ConditionalNetwork):
            raise TypeError("only conditional networks can be validated here")
        return network_scores(network, self.table, self.rows, self.precision)
