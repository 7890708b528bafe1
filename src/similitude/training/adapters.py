"""Adapters: a large model is left as it is, and beside each of its layers a narrow one learns what to add (LoRA).

A model trained whole needs three times its memory besides, for gradients and the optimiser. Adapters of rank 16 have
one weight for seventy or so of a model with a billion, and only they need that. When the training is over, adapters are
added into the weights that they stand beside: the finished model is one like any other, as large and as fast as before.
Imported only where torch is known to be there.

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
    """A linear layer that is left as it is, and what is learned to be added: W x + 2 up(down(x)).

    ``up`` starts at zero, so that the model at first says what it always said.

    Attributes:
        plain: the layer.
        down: from its inputs to ``rank`` numbers.
        up: from these to its outputs.
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
        """What the layer says, and what was learned beside it."""
        narrow = nn.functional.linear(self.dropout(inputs), self.down)
        said: Tensor = self.plain(inputs) + nn.functional.linear(narrow, self.up) * _SCALE
        return said

    def merged(self) -> nn.Linear:
        """The layer with what was learned added into its weights."""
        with torch.no_grad():
            self.plain.weight += (self.up.double() @ self.down.double() * _SCALE).to(self.plain.weight.dtype)
        return self.plain


def add_adapters(transformer: nn.Module, rank: int) -> None:
    """Put an adapter beside every linear layer of a transformer that learns, and let nothing else of it learn.

    Args:
        transformer: is changed.
        rank: of each adapter; 8 to 32 is usual.

    Raises:
        ArgumentError: the rank is not valid, or there is no linear layer.
    """
    if rank < 1:
        raise ArgumentError(f"adapters {rank} is not valid", remedy="give adapters as 1 or more, such as 16")
    found = [(module, name) for module, name, child in _children(transformer) if _is_learning(child)]
    if not found:
        raise ArgumentError("the model has no linear layers for adapters", remedy="leave --adapters out")
    transformer.requires_grad_(False)
    for module, name in found:
        setattr(module, name, Adapted(getattr(module, name), rank))


def has_adapters(network: nn.Module) -> bool:
    """Whether some of its layers have adapters."""
    return any(isinstance(module, Adapted) for module in network.modules())


def learned_weights(network: nn.Module) -> dict[str, Any]:
    """The weights by name that a training must keep: all, or with adapters those that are not left as they are."""
    weights: dict[str, Any] = network.state_dict()
    if not has_adapters(network):
        return weights
    left = _left_alone(network)
    return {name: value for name, value in weights.items() if name not in left}


def fill_weights(network: nn.Module, weights: Mapping[str, Any]) -> None:
    """Put weights from `learned_weights` back.

    Raises:
        RuntimeError: they are not those of this network.
    """
    if not has_adapters(network):
        network.load_state_dict(weights)
        return
    missing, unexpected = network.load_state_dict(weights, strict=False)
    wrong = [*unexpected, *(set(missing) - _left_alone(network))]
    if wrong:
        raise RuntimeError(f"weights do not fit: {', '.join(sorted(wrong)[:5])}")


def merge_adapters(network: nn.Module) -> None:
    """Add what adapters learned into the weights, and put plain layers in their places."""
    for module, name, child in list(_children(network)):
        if isinstance(child, Adapted):
            setattr(module, name, child.merged())


def _children(network: nn.Module) -> list[tuple[nn.Module, str, nn.Module]]:
    return [(module, name, child) for module in network.modules() for name, child in module.named_children()]


def _is_learning(layer: nn.Module) -> bool:
    """Whether it is linear and was to learn: a pooler that is never read would give its adapter no gradient."""
    return type(layer) is nn.Linear and layer.weight.requires_grad


def _left_alone(network: nn.Module) -> set[str]:
    return {name for name, weight in network.named_parameters() if not weight.requires_grad}
