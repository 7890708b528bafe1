"""AdamW for a network and its twin in half precision, in one pass over each large weight.

The gradient is read as the twin has it, the weight is updated, and rounded into the twin. Torch's AdamW would need
copies between: gradients to float32 before it, and weights to half precision after it. Small weights take that way.
Needs a GPU and Triton.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from similitude.training.half_twin import HalfTwin, TwinWeight
from similitude.training.optimiser import Optimiser

__all__ = ["TwinUpdate"]

_LARGE = 1 << 12
_BLOCK = 2048


class _Large(NamedTuple):
    pair: TwinWeight
    group: int


class TwinUpdate:
    """Updates a network by the gradient of its twin, and the twin with it."""

    def __init__(self, optimiser: Optimiser, twin: HalfTwin) -> None:
        self.optimiser, self.twin = optimiser, twin
        optimiser.warm_up()
        # By number: loading a checkpoint puts new groups in place of those that are there now.
        members = enumerate(group["params"] for group in optimiser.adamw.param_groups)
        groups = {id(weight): number for number, weights in members for weight in weights}
        self._large = [_Large(pair, groups[id(pair.weight)]) for pair in twin.pairs if _is_large(pair)]
        self._small = [pair for pair in twin.pairs if not _is_large(pair)]

    def advance(self) -> None:
        """Update all weights by the gradient that the twin holds; afterwards it holds none."""
        adamw = self.optimiser.adamw
        self.optimiser.set_rates()
        divisor = self.optimiser.divisor([pair.gradient() for pair in self.twin.pairs])
        self.twin.give_gradient(self._small)
        for large in self._large:
            large.pair.weight.grad = None  # so that torch's AdamW leaves it alone
        adamw.grad_scale = divisor  # type: ignore[attr-defined]
        adamw.step()
        if self._large:
            torch._foreach_add_([adamw.state[large.pair.weight]["step"] for large in self._large], 1)
        for large in self._large:
            self._update(large, divisor)
        self.twin.receive_weights(self._small)
        self.twin.clear()

    def _update(self, large: _Large, divisor: Tensor) -> None:
        from similitude.training.triton_kernels import adamw_kernel

        adamw, weight = self.optimiser.adamw, large.pair.weight
        group, state = adamw.param_groups[large.group], adamw.state[weight]
        beta1, beta2 = group["betas"]
        count = weight.numel()
        adamw_kernel[(-(-count // _BLOCK),)](
            large.pair.gradient(), weight, state["exp_avg"], state["exp_avg_sq"], large.pair.twin, group["lr"],
            divisor, state["step"], group["weight_decay"], beta1, beta2, group["eps"], count, block=_BLOCK, num_warps=8,
        )  # fmt: skip


def _is_large(pair: TwinWeight) -> bool:
    return pair.weight.numel() >= _LARGE and pair.twin.is_contiguous()
