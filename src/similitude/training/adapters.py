"""Low-rank adapters (LoRA): the weights of a large model are frozen, and a narrow layer beside each of them is trained.

Training all weights takes three times the model's memory in addition, for gradients and the optimiser. Adapters of rank
16 have about one weight for seventy of a model with a billion, and only they need that memory. After training, adapters
are merged into the frozen weights, so the finished model is as large and as fast as before. Needs torch.

References:
    Hu et al. (2022), LoRA: Low-Rank Adaptation of Large Language Models.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import torch
from torch import Tensor, nn

from similitude.errors import ArgumentError

__all__ = [
    "Adapted",
    "add_adapters",
    "fill_weights",
    "has_adapters",
    "learned_weights",
    "merge_adapters",
]

_SCALE: Final = 2.0
_DROPOUT: Final = 0.05


class Adapted(nn.Module):
    """A frozen linear layer with an adapter: W x + 2 up(down(x)).

    ``up`` starts at zero, so the outputs are unchanged at first.

    Attributes:
        plain: the frozen layer.
        down: maps the inputs to ``rank`` numbers.
        up: maps these to the outputs.
    """

    def __init__(self, plain: nn.Linear, rank: int) -> None:
        super().__init__()
        self.plain = plain
        weight = plain.weight
        self.down = nn.Parameter(torch.empty(rank, plain.in_features, device=weight.device, dtype=weight.dtype))
        self.up = nn.Parameter(torch.zeros(plain.out_features, rank, device=weight.device, dtype=weight.dtype))
        self.dropout = nn.Dropout(_DROPOUT)
        nn.init.normal_(self.down, std=1.0 / math.sqrt(plain.in_features))

    def forward(self, inputs: Tensor) -> Tensor:
        """The output of the layer plus that of the adapter."""
        narrow = nn.functional.linear(self.dropout(inputs), self.down)
        outputs: Tensor = self.plain(inputs) + nn.functional.linear(narrow, self.up) * _SCALE
        return outputs

    def merged(self) -> nn.Linear:
        """The layer with the adapter merged into its weights."""
        with torch.no_grad():
            self.plain.weight += (self.up.double() @ self.down.double() * _SCALE).to(self.plain.weight.dtype)
        return self.plain


def add_adapters(transformer: nn.Module, rank: int) -> None:
    """Add an adapter to every trainable linear layer of a transformer, and freeze all other weights.

    Args:
        transformer: modified in place.
        rank: of each adapter; commonly 8 to 32.

    Raises:
        ArgumentError: the rank is not valid, or there is no linear layer.
    """
    if rank < 1:
        raise ArgumentError(f"adapters {rank} is not valid", remedy="give a rank of 1 or more, such as 16")
    found = [(module, name) for module, name, child in _children(transformer) if _is_trainable(child)]
    if not found:
        raise ArgumentError("the model has no linear layers for adapters", remedy="omit --adapters")
    transformer.requires_grad_(False)
    for module, name in found:
        setattr(module, name, Adapted(getattr(module, name), rank))


def has_adapters(network: nn.Module) -> bool:
    """Whether any layer has an adapter."""
    return any(isinstance(module, Adapted) for module in network.modules())


def learned_weights(network: nn.Module) -> dict[str, Any]:
    """The weights that a checkpoint must hold, by name: all, or with adapters only those that are not frozen."""
    weights: dict[str, Any] = network.state_dict()
    if not has_adapters(network):
        return weights
    frozen = _frozen(network)
    return {name: value for name, value in weights.items() if name not in frozen}


def fill_weights(network: nn.Module, weights: Mapping[str, Any]) -> None:
    """Load weights from `learned_weights`.

    Raises:
        RuntimeError: they belong to another network.
    """
    if not has_adapters(network):
        network.load_state_dict(weights)
        return
    missing, unexpected = network.load_state_dict(weights, strict=False)
    wrong = [*unexpected, *(set(missing) - _frozen(network))]
    if wrong:
        raise RuntimeError(f"weights do not fit: {', '.join(sorted(wrong)[:5])}")


def merge_adapters(network: nn.Module) -> None:
    """Merge all adapters into their layers, which become plain layers again."""
    for module, name, child in list(_children(network)):
        if isinstance(child, Adapted):
            setattr(module, name, child.merged())


def _children(network: nn.Module) -> list[tuple[nn.Module, str, nn.Module]]:
    return [(module, name, child) for module in network.modules() for name, child in module.named_children()]


def _is_trainable(layer: nn.Module) -> bool:
    """Whether it is linear and trainable; an adapter of an unused pooler would get no gradient."""
    return type(layer) is nn.Linear and layer.weight.requires_grad


def _frozen(network: nn.Module) -> set[str]:
    return {name for name, weight in network.named_parameters() if not weight.requires_grad}
