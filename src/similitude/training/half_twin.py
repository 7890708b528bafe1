"""A twin of a network that computes in half precision, while the network itself keeps its weights in float32.

Autocast keeps activations in float32 between matrix products and converts them before each one. The twin's transformer
is in half precision throughout, which halves the memory traffic and leaves out the conversions: steps of a model of
110M weights take half the time. Layers after the transformer stay in float32. Before each step the twin receives the
weights, and after it the network receives the gradient, so small updates are not lost to rounding. Requires torch.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from similitude.models.encoders.fused_mpnet import WeightRows, join_projections

__all__ = ["HalfTwin", "TwinWeight", "gradient_of", "has_room_for_twin"]

_ROOM = 4
"""Free memory must be this many times what the twin takes."""


class TwinWeight(NamedTuple):
    """A trained weight of the network, and the same weight of its twin.

    Attributes:
        weight: of the network.
        whole: the twin's weight, of which it may be some rows.
        rows: which.
    """

    weight: nn.Parameter
    whole: nn.Parameter
    rows: slice

    @property
    def twin(self) -> Tensor:
        """The twin's weight, without gradient."""
        return self.whole.detach()[self.rows]

    def gradient(self) -> Tensor:
        """The gradient of the twin's weight; zeros where there is none."""
        whole = self.whole
        return (torch.zeros_like(whole) if whole.grad is None else whole.grad)[self.rows]


class HalfTwin:
    """A copy of a network whose transformer computes in half precision.

    Args:
        network: has a ``transformer``; its trained weights are in float32.
        dtype: of the twin's transformer.

    Attributes:
        network: the copy, in training mode; frozen weights of that precision are shared.
        pairs: every trained weight with its twin.
    """

    def __init__(self, network: nn.Module, dtype: torch.dtype) -> None:
        frozen = [weight for weight in network.parameters() if not weight.requires_grad and weight.dtype == dtype]
        shared: dict[int, Any] = {id(value): value for value in (*frozen, *network.buffers())}
        self.network = copy.deepcopy(network, shared).train()
        inside: Any = self.network.transformer
        for weight in inside.parameters():
            weight.data = weight.data.to(dtype)
        own = {name: WeightRows(weight, slice(None)) for name, weight in self.network.named_parameters()}
        if all(weight.requires_grad for name, weight in inside.named_parameters() if ".attn." in name):
            own |= {f"transformer.{name}": place for name, place in join_projections(inside).items()}
        trained = [(name, weight) for name, weight in network.named_parameters() if weight.requires_grad]
        self.pairs = [TwinWeight(weight, *own[name]) for name, weight in trained]
        self.transformer = inside
        self.network.transformer = _WithoutAutocast(inside)
        self.clear()

    def receive_weights(self, pairs: Sequence[TwinWeight] | None = None) -> None:
        """Copy weights of the network, all by default, rounded."""
        chosen = self.pairs if pairs is None else pairs
        if chosen:
            torch._foreach_copy_([pair.twin for pair in chosen], [pair.weight.detach() for pair in chosen])

    def clear(self) -> None:
        """Drop the gradient, so that the next backward pass writes it instead of adding to it."""
        for pair in self.pairs:
            pair.whole.grad = None

    def give_gradient(self, pairs: Sequence[TwinWeight] | None = None, *, is_first: bool = True) -> None:
        """Copy the gradient to weights of the network, all by default; that of further parts of a step is added."""
        chosen = self.pairs if pairs is None else pairs
        if not chosen:
            return
        theirs = [gradient_of(pair.weight) for pair in chosen]
        own = [pair.gradient() for pair in chosen]
        if is_first:
            torch._foreach_copy_(theirs, own)
        else:
            torch._foreach_add_(theirs, [gradient.float() for gradient in own])


def gradient_of(weight: nn.Parameter) -> Tensor:
    """The gradient of a weight, made of zeros if there is none yet."""
    if weight.grad is None:
        weight.grad = torch.zeros_like(weight)
    return weight.grad


def has_room_for_twin(network: nn.Module, device: torch.device) -> bool:
    """Whether there is a transformer to train and a GPU with enough free memory for its copy."""
    transformer = getattr(network, "transformer", None)
    if device.type != "cuda" or not isinstance(transformer, nn.Module):
        return False
    if not any(weight.requires_grad for weight in transformer.parameters()):
        return False
    size = sum(2 * weight.numel() * (1 + weight.requires_grad) for weight in network.parameters())
    return _ROOM * size < torch.cuda.mem_get_info(device)[0]


class _WithoutAutocast(nn.Module):
    """A transformer that computes in its own precision, whatever the context says."""

    def __init__(self, inside: Any) -> None:
        super().__init__()
        self.inside: nn.Module = inside
        self.config = inside.config

    def forward(self, **tokens: Any) -> Any:
        """The output of the transformer."""
        with torch.autocast(next(self.inside.parameters()).device.type, enabled=False):
            return self.inside(**tokens)
