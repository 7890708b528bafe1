"""Layers that compute in fewer steps on a GPU: of encoders of BERT's kind, and of language models of Llama's kind.

After its attention and after its dense layers, an encoder such as BERT drops some values, adds the input of the block
and normalises the sum: three steps forward and six backward. Here they are one and two. The gradient of a linear
layer's bias is a product with ones, which a GPU computes faster than a sum over rows. The norms and gated layers of a
language model take ten and five steps in transformers, and two each here. Requires torch, and Triton.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from types import MethodType
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = ["dropped_sum_norm", "fuse_layers", "has_triton", "linear_product"]

_PROGRAMS = 528
"""Programs of the norm's backward kernel, at most: four for each multiprocessor of a large GPU."""

_ROWS = 8
"""Rows that each of them takes, at least."""

_BLOCK = 2048
"""Values per program of the other kernels."""


def has_triton() -> bool:
    """Whether Triton is installed, which comes with torch for GPUs on Linux."""
    return find_spec("triton") is not None


def fuse_layers(transformer: nn.Module) -> None:
    """Make the layers of a transformer compute in fewer steps; layers of other kinds are left alone."""
    for module in transformer.modules():
        if type(module) is nn.Linear and module.bias is not None:
            module.__class__ = _FusedLinear
        for fits, forward in _FORWARDS:
            if fits(module):
                module.forward = MethodType(forward, module)
        if type(module).__name__ == "MPNetAttention":
            module.summed = MethodType(_summed, module)  # type: ignore[assignment]


def dropped_sum_norm(values: Tensor, residual: Tensor, norm: nn.LayerNorm, dropout: nn.Dropout) -> Tensor:
    """The norm of dropout(values) + residual."""
    dropped = dropout.p if dropout.training else 0.0
    normed: Tensor = _DroppedSumNorm.apply(values, residual, norm.weight, norm.bias, norm.eps, dropped)  # type: ignore[no-untyped-call]
    return normed


def linear_product(inputs: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """The output of a linear layer; the gradient of its bias is a product with ones."""
    outputs: Tensor = _LinearProduct.apply(inputs, weight, bias)  # type: ignore[no-untyped-call]
    return outputs


def _summed(self: Any, outputs: Tensor, inputs: Tensor) -> Tensor:
    return dropped_sum_norm(outputs, inputs, self.LayerNorm, self.dropout)


def _uses_just(module: nn.Module, *parts: str) -> bool:
    """Whether the forward pass of its class names these parts and nothing else.

    Others have the same parts and compute something else: Falcon-H1 multiplies its gates, RoBERTa-PreLayerNorm
    normalises before its dense layer, X-MOD does not normalise its sums, and Seed-OSS drops values while it is trained.
    """
    code = getattr(type(module).forward, "__code__", None)
    return code is not None and set(code.co_names) == set(parts)


def _sums_up(module: Any) -> bool:
    parts = (("dense", nn.Linear), ("LayerNorm", nn.LayerNorm), ("dropout", nn.Dropout))
    is_whole = all(isinstance(getattr(module, name, None), kind) for name, kind in parts)
    return is_whole and type(module).__name__.endswith("Output") and _uses_just(module, *dict(parts))


def _output(self: Any, hidden_states: Tensor, input_tensor: Tensor) -> Tensor:
    return _summed(self, self.dense(hidden_states), input_tensor)


def _is_root_mean_square(module: Any) -> bool:
    """Whether it is a norm as Llama, Qwen and Mistral have it; Gemma's, which adds 1 to the weight, is another."""
    return type(module).__name__.endswith("RMSNorm") and hasattr(module, "variance_epsilon")


def _root_mean_square(self: Any, hidden_states: Tensor) -> Tensor:
    return functional.rms_norm(hidden_states, self.weight.shape, self.weight, self.variance_epsilon)


def _is_dense_gelu(module: Any) -> bool:
    is_dense = isinstance(getattr(module, "dense", None), nn.Linear) and module.dense.bias is not None
    activation = getattr(module, "intermediate_act_fn", None)
    is_gelu = type(activation).__name__ == "GELUActivation" and type(module).__name__.endswith("Intermediate")
    return is_dense and is_gelu and _uses_just(module, "dense", "intermediate_act_fn")


def _dense_gelu(self: Any, hidden_states: Tensor) -> Tensor:
    """In half precision and without gradient, GELU is part of the product.

    It is then computed by tanh, which differs from the exact one by less than the rounding of the result.
    """
    if torch.is_grad_enabled() or hidden_states.element_size() > 2:
        return self.intermediate_act_fn(self.dense(hidden_states))  # type: ignore[no-any-return]
    rows = hidden_states.flatten(0, -2)
    product = torch._addmm_activation(self.dense.bias, rows, self.dense.weight.t(), use_gelu=True)
    whole: Tensor = product.unflatten(0, hidden_states.shape[:-1])
    return whole


def _is_gated(module: Any) -> bool:
    names = ("gate_proj", "up_proj", "down_proj")
    has_all = all(isinstance(getattr(module, name, None), nn.Module) for name in names)
    is_silu = type(getattr(module, "act_fn", None)).__name__ in ("SiLU", "SiLUActivation")
    return has_all and is_silu and _uses_just(module, *names, "act_fn")


def _gated(self: Any, x: Tensor) -> Tensor:
    outputs: Tensor = self.down_proj(_Gate.apply(self.gate_proj(x), self.up_proj(x)))  # type: ignore[no-untyped-call]
    return outputs


_FORWARDS: list[tuple[Callable[[nn.Module], bool], Callable[..., Tensor]]] = [
    (_sums_up, _output),
    (_is_dense_gelu, _dense_gelu),
    (_is_root_mean_square, _root_mean_square),
    (_is_gated, _gated),
]
"""Which modules compute in another way, and how."""


class _Gate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, gate: Tensor, values: Tensor) -> Tensor:
        from similitude.models.encoders.triton_kernels import gate_forward_kernel

        gate, values = gate.contiguous(), values.contiguous()
        gated = torch.empty_like(gate)
        count = gate.numel()
        gate_forward_kernel[(-(-count // _BLOCK),)](gate, values, gated, count, block=_BLOCK)
        ctx.save_for_backward(gate, values)
        return gated

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        from similitude.models.encoders.triton_kernels import gate_backward_kernel

        gate, values = ctx.saved_tensors
        gradient = gradients[0].contiguous()
        to_gate, to_values, count = torch.empty_like(gate), torch.empty_like(values), gate.numel()
        gate_backward_kernel[(-(-count // _BLOCK),)](gradient, gate, values, to_gate, to_values, count, block=_BLOCK)
        return to_gate, to_values


class _DroppedSumNorm(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, values: Tensor, residual: Tensor, weight: Tensor, bias: Tensor, eps: float, dropped: float
    ) -> Tensor:
        from similitude.models.encoders.triton_kernels import norm_forward_kernel

        values, residual = values.contiguous(), residual.contiguous()
        width = values.shape[-1]
        rows = values.numel() // width
        seed = torch.randint(0, 2**31 - 1, (1,), device=values.device)
        sums, normed = torch.empty_like(values), torch.empty_like(values)
        means, rates = torch.empty(2, rows, device=values.device).unbind()
        size = 1 << (width - 1).bit_length()
        norm_forward_kernel[(rows,)](
            values, residual, weight, bias, seed, sums, normed, means, rates, width, eps,
            *_threshold(dropped), size=size, drops=dropped > 0, num_warps=_warps(size),
        )  # fmt: skip
        ctx.save_for_backward(sums, weight, seed, means, rates)
        ctx.dropped, ctx.size = dropped, size
        return normed

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        from similitude.models.encoders.triton_kernels import norm_backward_kernel

        sums, weight, seed, means, rates = ctx.saved_tensors
        gradient, width, rows = gradients[0].contiguous(), sums.shape[-1], len(means)
        programs = min(max(1, rows // _ROWS), _PROGRAMS)
        partial = torch.empty(programs, 2, width, device=sums.device)
        to_residual = torch.empty_like(sums)
        to_values = torch.empty_like(sums) if ctx.dropped else to_residual
        norm_backward_kernel[(programs,)](
            gradient, sums, weight, seed, means, rates, to_values, to_residual, partial,
            rows, -(-rows // programs), programs, width, *_threshold(ctx.dropped),
            size=ctx.size, drops=ctx.dropped > 0, num_warps=_warps(ctx.size),
        )  # fmt: skip
        of_weight, of_bias = partial.sum(dim=0).to(weight.dtype).unbind()
        return to_values, to_residual, of_weight, of_bias, None, None


class _FusedLinear(nn.Linear):
    def forward(self, input: Tensor) -> Tensor:
        return linear_product(input, self.weight, self.bias)


class _LinearProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        ctx.save_for_backward(inputs, weight)
        return functional.linear(inputs, weight, bias)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        inputs, weight = ctx.saved_tensors
        gradient = gradients[0].reshape(-1, len(weight))
        rows = inputs.reshape(-1, weight.shape[1])
        needed = ctx.needs_input_grad
        of_inputs = (gradient @ weight).view_as(inputs) if needed[0] else None
        of_bias = (gradient.new_ones(1, len(gradient)) @ gradient).squeeze(0) if needed[2] else None
        return of_inputs, gradient.T @ rows if needed[1] else None, of_bias


def _threshold(dropped: float) -> tuple[int, float]:
    """The hash from which on a value is kept, and what it is then multiplied by."""
    return round(dropped * 2**32), 1.0 / (1.0 - dropped)


def _warps(size: int) -> int:
    return min(16, max(1, size // 256))
