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
    "fuse_adapters",
    "has_adapters",
    "is_partly_frozen",
    "learned_weights",
    "merge_adapters",
]

_SCALE: Final = 2.0
_DROPOUT: Final = 0.05


class Adapted(nn.Module):
    """A frozen linear layer with an adapter: W x + 2 up(down(x)), with dropout between down and up.

    ``up`` starts at zero, so the outputs are unchanged at first. The original method drops inputs of ``down`` instead;
    its outputs are a hundredth of that, and dropping them costs next to nothing.

    Attributes:
        plain: the frozen layer, a linear one or the transposed one of GPT-2.
        down: maps the inputs to ``rank`` numbers.
        up: maps these to the outputs.
        is_fused: whether gradients are added up inside products; then all weights have the same precision.
    """

    def __init__(self, plain: nn.Module, rank: int) -> None:
        super().__init__()
        self.plain: Any = plain
        weight = self._weight()
        outputs, inputs = weight.shape
        self.down = nn.Parameter(torch.empty(rank, inputs, device=weight.device, dtype=weight.dtype))
        self.up = nn.Parameter(torch.zeros(outputs, rank, device=weight.device, dtype=weight.dtype))
        self.dropout = nn.Dropout(_DROPOUT)
        self.is_fused = False
        nn.init.normal_(self.down, std=1.0 / math.sqrt(inputs))

    def forward(self, inputs: Tensor) -> Tensor:
        """The output of the layer plus that of the adapter."""
        if self.is_fused:
            dropped = self.dropout.p if self.training else 0.0
            return _AdaptedProduct.apply(inputs, self._weight(), self.plain.bias, self.down, self.up, dropped)  # type: ignore[no-any-return, no-untyped-call]
        narrow = self.dropout(nn.functional.linear(inputs, self.down)).reshape(-1, len(self.down))
        outputs: Tensor = self.plain(inputs)
        # One product that adds to the outputs, instead of a product, a multiplication and a sum.
        whole = torch.addmm(
            outputs.reshape(-1, len(self.up)), narrow.to(outputs.dtype), self._up(outputs.dtype), alpha=_SCALE
        )
        return whole.view_as(outputs)

    def merged(self) -> Any:
        """The layer with the adapter merged into its weights, which are then in the adapter's precision."""
        with torch.no_grad():
            change = self.up.double() @ self.down.double() * _SCALE
            merged = self.plain.weight.double() + (change.T if _is_transposed(self.plain) else change)
            self.plain.weight = nn.Parameter(merged.to(self.up.dtype), requires_grad=False)
            if self.plain.bias is not None:
                self.plain.bias.data = self.plain.bias.data.to(self.up.dtype)
        return self.plain

    def _weight(self) -> Tensor:
        """The weights of the layer as outputs x inputs."""
        weight: Tensor = self.plain.weight
        return weight.T if _is_transposed(self.plain) else weight

    def _up(self, dtype: torch.dtype) -> Tensor:
        return self.up.T.to(dtype)


class _AdaptedProduct(torch.autograd.Function):
    """A layer and its adapter: sums are part of the products, forward and backward, and W gets no gradient."""

    @staticmethod
    def forward(
        ctx: Any, inputs: Tensor, weight: Tensor, bias: Tensor | None, down: Tensor, up: Tensor, dropped: float
    ) -> Tensor:
        rows = inputs.flatten(0, -2)
        narrow, kept = rows @ down.T, None
        if dropped:
            narrow, kept = torch.native_dropout(narrow, dropped, True)
        outputs = torch.nn.functional.linear(rows, weight, bias).addmm_(narrow, up.T, alpha=_SCALE)
        ctx.save_for_backward(rows, weight, down, up, narrow, kept)
        ctx.dropped = dropped
        return outputs.view(*inputs.shape[:-1], -1)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        rows, weight, down, up, narrow, kept = ctx.saved_tensors
        gradient = gradients[0].flatten(0, -2)
        back = gradient @ (up * _SCALE)
        if kept is not None:
            back = torch.ops.aten.native_dropout_backward(back, kept, 1.0 / (1.0 - ctx.dropped))
        of_up = torch.mm(gradient.T, narrow * _SCALE)
        of_inputs = None
        if ctx.needs_input_grad[0]:
            of_inputs = (gradient @ weight).addmm_(back, down).view(*gradients[0].shape[:-1], -1)
        return of_inputs, None, None, back.T @ rows, of_up, None


def fuse_adapters(network: nn.Module) -> None:
    """Make all adapters compute in fewer steps, in a network whose weights all have the same precision."""
    for module in network.modules():
        if isinstance(module, Adapted):
            module.is_fused = True


def _is_transposed(layer: nn.Module) -> bool:
    """Whether it is a linear layer as GPT-2 has it, whose weights are inputs x outputs."""
    return type(layer).__name__ == "Conv1D"


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


def is_partly_frozen(network: nn.Module) -> bool:
    """Whether the transformer is frozen, with or without adapters in it."""
    transformer = getattr(network, "transformer", None)
    if transformer is None:
        return False
    return has_adapters(network) or not any(weight.requires_grad for weight in transformer.parameters())


def learned_weights(network: nn.Module) -> dict[str, Any]:
    """The weights that a checkpoint must hold, by name: all, or of a frozen model only those that are trained."""
    weights: dict[str, Any] = network.state_dict()
    if not is_partly_frozen(network):
        return weights
    frozen = _frozen(network)
    return {name: value for name, value in weights.items() if name not in frozen}


def fill_weights(network: nn.Module, weights: Mapping[str, Any]) -> None:
    """Load weights from `learned_weights`.

    Raises:
        RuntimeError: they belong to another network.
    """
    if not is_partly_frozen(network):
        network.load_state_dict(weights)
        return
    missing, unexpected = network.load_state_dict(weights, strict=False)
    wrong = [*unexpected, *(set(missing) - _frozen(network))]
    if wrong:
        raise RuntimeError(f"weights do not fit: {', '.join(sorted(wrong)[:5])}")


def merge_adapters(network: nn.Module) -> None:
    """Merge all adapters into their layers, which become plain layers again, all in the adapters' precision."""
    for module, name, child in list(_children(network)):
        if isinstance(child, Adapted):
            setattr(module, name, child.merged())
    network.float()  # frozen weights may have been in half precision


def _children(network: nn.Module) -> list[tuple[nn.Module, str, nn.Module]]:
    return [(module, name, child) for module in network.modules() for name, child in module.named_children()]


def _is_trainable(layer: nn.Module) -> bool:
    """Whether it is linear and trainable; an adapter of an unused pooler would get no gradient."""
    is_linear = type(layer) is nn.Linear or _is_transposed(layer)
    return is_linear and bool(layer.weight.requires_grad)


def _frozen(network: nn.Module) -> set[str]:
    return {name for name, weight in network.named_parameters() if not weight.requires_grad}
