"""Linear layers in 8-bit integers, for models on a CPU. Requires torch.

Weights have one scale per output, inputs one scale per token, both symmetric: the largest absolute value is 127. A row
of the product therefore depends on its own token alone, and sums of integers are exact in any order, so a text's vector
does not depend on the other texts of its batch. (The dynamic quantisation of torch and of ONNX Runtime has one scale
per batch: a text's vector then changes with its neighbours, and an outlier in one text costs all of them precision.)
Everything between the linear layers stays in float32.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from similitude.errors import ArgumentError

__all__ = ["Int8Linear", "quantise_linear_layers"]

_LARGEST = 127
_SMALLEST_SCALE = 1e-12

_last = threading.local()
"""The last input of this thread and its integers: sibling layers (query, key, value) read the same input."""


class _LastInput(NamedTuple):
    """An input, the layers that read it, and what became of it."""

    inputs: weakref.ref[Tensor]
    siblings: object
    integers: Tensor
    steps: Tensor


class Int8Linear(nn.Module):
    """A linear layer that multiplies integers.

    Args:
        layer: the layer that it replaces.
        siblings: the same object for layers that may read the same input, which is then turned into integers once.
    """

    weight: Tensor
    scales: Tensor
    bias: Tensor | None

    def __init__(self, layer: nn.Linear, siblings: object = None) -> None:
        super().__init__()
        weight = layer.weight.detach().float()
        scales = weight.abs().amax(dim=1).clamp(min=_SMALLEST_SCALE) / _LARGEST
        integers = (weight / scales[:, None]).round().to(torch.int8)
        self.register_buffer("weight", integers.t(), persistent=False)
        self.register_buffer("scales", scales, persistent=False)
        bias = None if layer.bias is None else layer.bias.detach().float()
        self.register_buffer("bias", bias, persistent=False)
        self.in_features, self.out_features = layer.in_features, layer.out_features
        self.siblings = siblings

    def forward(self, inputs: Tensor) -> Tensor:
        """The product with the weights, in float32."""
        integers, steps = _integers(inputs, self.siblings)
        product = torch._int_mm(integers, self.weight).float().mul_(steps)
        product = product.mul_(self.scales) if self.bias is None else torch.addcmul(self.bias, product, self.scales)
        return product.view(*inputs.shape[:-1], self.out_features)


def quantise_linear_layers(module: Any) -> None:
    """Replace every linear layer below a module, in place.

    Raises:
        ArgumentError: this CPU's integer products overflow, so that results would be wrong.
    """
    if not _products_are_exact():
        raise ArgumentError("this CPU has no exact 8-bit products", remedy="leave out backend=int8")
    for parent in list(module.modules()):
        siblings = object()
        for name, child in list(parent.named_children()):
            if type(child) is nn.Linear:
                setattr(parent, name, Int8Linear(child, siblings))


def _integers(inputs: Tensor, siblings: object) -> tuple[Tensor, Tensor]:
    """Inputs as tokens x features in integers, and the size of one integer step for each token."""
    entry: _LastInput | None = getattr(_last, "entry", None)
    if entry is not None and entry.inputs() is inputs and siblings is entry.siblings is not None:
        return entry.integers, entry.steps
    tokens = inputs.reshape(-1, inputs.shape[-1])
    steps = torch.maximum(tokens.amax(dim=1, keepdim=True), tokens.amin(dim=1, keepdim=True).neg_())
    steps = steps.clamp_(min=_SMALLEST_SCALE).div_(_LARGEST)
    integers = torch.mul(tokens, steps.reciprocal()).round_().to(torch.int8)
    _last.entry = _LastInput(weakref.ref(inputs), siblings, integers, steps)
    return integers, steps


def _products_are_exact() -> bool:
    """Whether products of extreme values are exact: CPUs without 8-bit dot products may saturate at 16 bits."""
    extremes = torch.full((32, 64), _LARGEST, dtype=torch.int8)
    expected = 64 * _LARGEST * _LARGEST
    return bool((torch._int_mm(extremes, extremes.t()) == expected).all())
