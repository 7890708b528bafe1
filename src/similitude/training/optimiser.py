"""AdamW with a learning rate per layer, gradient clipping and weight averaging, all on the device."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from similitude.training.recipe import Recipe

__all__ = ["Optimiser", "layer_rates"]

_LAYER = re.compile(r"(?:^|\.)(?:layers?|h|blocks?)\.(\d+)\.")
_BEFORE_LAYERS = re.compile(r"(?:^|\.)(?:embeddings|embed_tokens|wte|wpe|word_embedding)")

_AVERAGED = 32
"""Weights are averaged over this many steps of a long horizon, evenly spaced: each takes a pass over all weights."""


def layer_rates(network: nn.Module, decay: float) -> dict[str, float]:
    """The share of the highest rate for each trainable weight: decay to the power of the number of layers above it.

    New layers, which start from random weights, get the full rate; embeddings count as a layer below the first.
    """
    names = [name for name, weight in network.named_parameters() if weight.requires_grad]
    depth = {name: int(found[1]) for name in names if (found := _LAYER.search(name))}
    layers = max(depth.values(), default=-1) + 1
    below = {name: layers - depth[name] - 1 for name in depth}
    return {name: decay ** below.get(name, layers if _BEFORE_LAYERS.search(name) else 0) for name in names}


class Optimiser:
    """Updates the weights and keeps their average.

    On a GPU, `advance` can be recorded in a CUDA graph, because nothing in it needs the host: the learning rate is a
    tensor that `prepare` fills.
    """

    def __init__(self, network: nn.Module, recipe: Recipe, steps_an_epoch: int) -> None:
        self.recipe = recipe
        self.weights = [weight for weight in network.parameters() if weight.requires_grad]
        self.on_gpu = self.weights[0].is_cuda
        device = self.weights[0].device
        self._rate = torch.zeros((), device=device)
        self._share = 0.0
        self._factors: list[float] = []
        self.adamw = self._adamw(network)
        self.horizon = recipe.average * steps_an_epoch
        self.every = max(1, int(self.horizon) // _AVERAGED)
        self.averages = [weight.detach().clone() for weight in self.weights] if self.horizon else []
        self.clear()

    def prepare(self, rate: float, step: int) -> None:
        """Set the learning rate of the next step and its weight in the average, without waiting for the device."""
        self._rate.fill_(rate)
        if not self.on_gpu:
            for group, factor in zip(self.adamw.param_groups, self._factors, strict=True):
                group["lr"] = rate * factor
        # The plain mean of what was seen so far, until there is as much as the horizon.
        is_due = step % self.every == 0
        self._share = max(self.every / max(1.0, self.horizon), 1.0 / (step // self.every + 1)) if is_due else 0.0

    def advance(self) -> None:
        """Update the weights by the accumulated gradient."""
        gradients = [weight.grad for weight in self.weights if weight.grad is not None]
        self.adamw.grad_scale = self.divisor(gradients)  # type: ignore[attr-defined]
        self.set_rates()
        self.adamw.step()

    def divisor(self, gradients: list[Tensor]) -> Tensor:
        """What gradients must be divided by so that their common norm is at most the recipe's; AdamW does it."""
        if not self.recipe.clip:
            return torch.ones_like(self._rate)
        kinds = {gradient.dtype for gradient in gradients}
        alike = [[gradient for gradient in gradients if gradient.dtype == kind] for kind in kinds]
        norms = [norm for same in alike for norm in torch._foreach_norm(same, 2, dtype=torch.float32)]
        total: Tensor = torch.linalg.vector_norm(torch.stack(norms)) + 1e-6
        return (total / self.recipe.clip).clamp(min=1.0)

    def set_rates(self) -> None:
        """Set the learning rate of each group on a GPU; on a CPU `prepare` does it."""
        if self.on_gpu:
            for group, factor in zip(self.adamw.param_groups, self._factors, strict=True):
                group["lr"].copy_(self._rate * factor)

    def average(self) -> None:
        """Move the averages towards the weights; not part of a recorded step, whose numbers cannot change."""
        if self.averages and self._share:
            torch._foreach_lerp_(self.averages, [weight.detach() for weight in self.weights], self._share)

    def clear(self) -> None:
        """Set the gradient to zero in place, since recorded graphs use its address."""
        for weight in self.weights:
            if weight.grad is None:
                weight.grad = torch.zeros_like(weight)
        torch._foreach_zero_([weight.grad for weight in self.weights if weight.grad is not None])

    def averaged(self) -> list[Tensor]:
        """The weights to validate and keep: the average, or the last weights if there is none."""
        return self.averages or [weight.detach() for weight in self.weights]

    def warm_up(self) -> None:
        """Create the state of AdamW without changing weights, so that the first step can be recorded."""
        if self.adamw.state:
            return
        self.prepare(0.0, 0)
        self.clear()
        for group in self.adamw.param_groups:
            group["lr"].zero_()
        self.adamw.step()
        for state in self.adamw.state.values():
            state["step"].zero_()

    def state(self) -> dict[str, Any]:
        """Everything that the next step depends on."""
        return {"adamw": self.adamw.state_dict()["state"], "averages": self.averages}

    def load(self, state: dict[str, Any]) -> None:
        """Continue from a saved state."""
        whole = self.adamw.state_dict()
        self.adamw.load_state_dict({**whole, "state": state["adamw"]})
        self.averages = [average.to(self.weights[0].device) for average in state["averages"]]

    def _adamw(self, network: nn.Module) -> torch.optim.AdamW:
        groups = list(_groups(network, self.recipe))
        self._factors = [factor for factor, _, _ in groups]
        described = [
            {"params": weights, "weight_decay": decay, "lr": torch.zeros_like(self._rate) if self.on_gpu else 0.0}
            for _, decay, weights in groups
        ]
        return torch.optim.AdamW(described, fused=True, capturable=self.on_gpu)


def _groups(network: nn.Module, recipe: Recipe) -> Iterator[tuple[float, float, list[nn.Parameter]]]:
    """Weights that share a learning rate and a decay; biases and norms, which have one dimension, do not decay."""
    rates = layer_rates(network, recipe.layer_decay)
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, weight in network.named_parameters():
        if weight.requires_grad:
            decay = recipe.weight_decay if weight.ndim > 1 else 0.0
            groups.setdefault((rates[name], decay), []).append(weight)
    for (factor, decay), weights in sorted(groups.items(), key=lambda group: group[0]):
        yield factor, decay, weights
