"""Validation figures of a similarity network: Spearman and Pearson correlation with gold on held-out items."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from similitude.models.encoders.token_table import TextTable
from similitude.stats import pearson, spearman
from similitude.systems.conditional.network import ConditionalNetwork
from similitude.training.network_scores import network_scores

__all__ = ["validator"]


def validator(
    table: TextTable, rows: NDArray[np.intp], gold: NDArray[np.float32], precision: torch.dtype
) -> Callable[[nn.Module], Mapping[str, float]]:
    """A function that maps a network to its Spearman correlation, which selects the best epoch, and Pearson's.

    Both are nan if all scores or all gold values are equal.
    """
    wanted = gold.astype(np.float64)

    def validate(network: nn.Module) -> Mapping[str, float]:
        if not isinstance(network, ConditionalNetwork):
            raise TypeError("only conditional networks can be validated here")
        scores = network_scores(network, table, rows, precision)
        return {"spearman": float(spearman(scores, wanted)), "pearson": float(pearson(scores, wanted))}

    return validate
