"""Validation figures of a network that predicts people's opinions. Needs torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from similitude.models.encoders.token_table import TextTable
from similitude.stats import crps, pearson, spearman
from similitude.systems.uncertain.architecture import Architecture
from similitude.systems.uncertain.moments import predict_moments
from similitude.training.loss_weights import loss_weights
from similitude.training.network_scores import network_scores
from similitude.training.uncertain.objectives import OpinionObjective
from similitude.training.uncertain.opinions import Opinions, mean_divergence

__all__ = ["OpinionValidator", "figures_of"]

Outputs = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class OpinionValidator:
    """Validates a network on held-out items; calling it returns the figures of `figures_of`.

    Attributes:
        table: the tokens of the held-out texts.
        rows: items x orders x parts.
        opinions: of the held-out items.
        objective: the training loss.
        precision: of products.
    """

    table: TextTable
    rows: NDArray[np.intp]
    opinions: Opinions
    objective: OpinionObjective
    precision: torch.dtype

    def __call__(self, network: nn.Module) -> Mapping[str, float]:
        """Figures by name; the first one selects the best epoch."""
        return figures_of(self.objective, self.outputs(network), self.opinions)

    def outputs(self, network: nn.Module) -> Outputs:
        """The outputs of a network in evaluation mode: items x orders x 1 x numbers."""
        flat = self.rows.reshape(-1, self.rows.shape[-1])
        return network_scores(network, self.table, flat, self.precision).reshape(*self.rows.shape[:2], 1, -1)


def figures_of(objective: OpinionObjective, outputs: Outputs, opinions: Opinions) -> dict[str, float]:
    """Figures by name; the first one selects the best epoch, higher is better.

    The first is minus the training loss, averaged over all outputs for an item; for a point head it is Pearson's r. It
    is followed by ``r`` and ``rho`` of the means and, for heads with a spread, by ``kl`` (over items on which people
    differ), ``crps`` against the gold score on the scale, and ``sigma_rho``. If the items come from several benchmarks,
    ``kl`` and ``sigma_rho`` of each follow. Undefined figures are nan.

    Args:
        objective: the training loss.
        outputs: items x orders x draws x numbers.
        opinions: of the same items.
    """
    architecture = objective.architecture
    means, sigmas = predict_moments(architecture, outputs)
    gold, human = opinions.means, opinions.sigmas
    figures = {"r": float(pearson(means, gold)), "rho": float(spearman(means, gold))}
    if not architecture.has_spread or sigmas is None:
        return figures
    width = opinions.scale.width
    figures |= {
        "kl": mean_divergence(gold, human, means, sigmas),
        "crps": float(crps(gold, means, sigmas).mean()) * width,
        "sigma_rho": float(spearman(sigmas, human)),
    }
    for name, own in opinions.by_origin():
        figures[f"kl {name}"] = mean_divergence(gold[own], human[own], means[own], sigmas[own])
        figures[f"sigma_rho {name}"] = float(spearman(sigmas[own], human[own]))
    return {f"-{objective.name}": -_loss(objective, architecture, outputs, opinions), **figures}


def _loss(objective: OpinionObjective, architecture: Architecture, outputs: Outputs, opinions: Opinions) -> float:
    repeats = outputs.shape[1] * outputs.shape[2]
    each = torch.from_numpy(outputs.reshape(-1, architecture.outputs))
    gold = torch.from_numpy(np.repeat(opinions.gold, repeats, axis=0)).double()
    counted = loss_weights(len(opinions), 1, sources=opinions.sources)
    weights = None if counted is None else torch.from_numpy(np.repeat(counted, repeats, axis=0)).double()
    with torch.inference_mode():
        return float(objective(each, gold, weights=weights))
