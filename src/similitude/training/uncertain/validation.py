"""How well a network knows people's opinions, in the middle of its training or at its end.

Imported only where torch is known to be there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from similitude.models.encoders.token_table import TokenTable
from similitude.stats import crps, kl_divergence, pearson, spearman
from similitude.systems.uncertain.architecture import Architecture
from similitude.systems.uncertain.moments import predict_moments
from similitude.training.network_scores import network_scores
from similitude.training.uncertain.objectives import OpinionObjective
from similitude.training.uncertain.opinions import MEAN, SIGMA, Opinions

__all__ = ["OpinionValidator", "figures_of"]

Outputs = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class OpinionValidator:
    """Measures a network on held-out items; called with one, it gives the figures of `figures_of`.

    Attributes:
        table: the tokens.
        rows: items x orders x parts.
        opinions: of the items.
        objective: what is minimised.
        precision: of products.
    """

    table: TokenTable
    rows: NDArray[np.intp]
    opinions: Opinions
    objective: OpinionObjective
    precision: torch.dtype

    def __call__(self, network: nn.Module) -> Mapping[str, float]:
        """Figures by name; the first one decides."""
        return figures_of(self.objective, self.outputs(network), self.opinions)

    def outputs(self, network: nn.Module) -> Outputs:
        """Items x orders x 1 x numbers: what a network in evaluation mode puts out."""
        flat = self.rows.reshape(-1, self.rows.shape[-1])
        return network_scores(network, self.table, flat, self.precision).reshape(*self.rows.shape[:2], 1, -1)


def figures_of(objective: OpinionObjective, outputs: Outputs, opinions: Opinions) -> dict[str, float]:
    """Figures by name; the first one decides, and higher is better.

    The first is minus the loss that is minimised, averaged over all that was said of an item; for a point head it is
    Pearson's r. Then ``r`` and ``rho`` of the means and, where there is a spread, ``kl`` (over items on which people
    differ), ``crps`` against the gold score on the scale, ``sigma_rho``; where the items come from several benchmarks,
    ``kl`` and ``sigma_rho`` of each as well. Undefined figures are nan.

    Args:
        objective: what is minimised.
        outputs: items x orders x draws x numbers.
        opinions: of the same items.
    """
    architecture = objective.architecture
    means, sigmas = predict_moments(architecture, outputs)
    gold, human = (opinions.gold[:, column].astype(np.float64) for column in (MEAN, SIGMA))
    figures = {"r": float(pearson(means, gold)), "rho": float(spearman(means, gold))}
    if not architecture.has_spread or sigmas is None:
        return figures
    width = opinions.scale.width
    figures |= {
        "kl": _divergence(gold, human, means, sigmas),
        "crps": float(crps(gold, means, sigmas).mean()) * width,
        "sigma_rho": _correlation(sigmas, human),
    }
    if len(opinions.origins) > 1:
        ends = np.cumsum([items for _, items in opinions.origins])
        for (name, items), end in zip(opinions.origins, ends.tolist(), strict=True):
            own = slice(end - items, end)
            figures[f"kl {name}"] = _divergence(gold[own], human[own], means[own], sigmas[own])
            figures[f"sigma_rho {name}"] = _correlation(sigmas[own], human[own])
    return {f"-{objective.name}": -_loss(objective, architecture, outputs, opinions), **figures}


def _loss(objective: OpinionObjective, architecture: Architecture, outputs: Outputs, opinions: Opinions) -> float:
    asked = outputs.shape[1] * outputs.shape[2]
    each = torch.from_numpy(outputs.reshape(-1, architecture.outputs))
    gold = torch.from_numpy(np.repeat(opinions.gold, asked, axis=0)).double()
    with torch.inference_mode():
        return float(objective(each, gold))


def _divergence(gold: Outputs, human: Outputs, means: Outputs, sigmas: Outputs) -> float:
    differ = human > 0
    if not differ.any():
        return float("nan")
    return float(kl_divergence(gold[differ], human[differ], means[differ], sigmas[differ]).mean())


def _correlation(sigmas: Outputs, human: Outputs) -> float:
    return float(spearman(sigmas, human))
