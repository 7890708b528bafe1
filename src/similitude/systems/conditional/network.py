"""Cross-, bi- and tri-encoder as one torch module. Requires torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from similitude.systems.conditional.architecture import Architecture

__all__ = ["TOKENS", "ConditionalNetwork", "head_of", "pooled"]

TOKENS = ("input_ids", "attention_mask", "token_type_ids")
"""The inputs of a transformer, if its tokeniser produces them."""


class ConditionalNetwork(nn.Module):
    """A transformer, a pooling, and the layers that compute a score from an item's vectors.

    The rows of a batch are ordered by part: first all left texts, then all right ones, then (tri) all conditions. So a
    batch of n items is one pass through the transformer over n, 2n or 3n rows.

    Attributes:
        transformer: a transformer that returns ``last_hidden_state``.
        head: the layers after the pooling, by name; empty for a plain bi-encoder.
    """

    def __init__(self, transformer: nn.Module, architecture: Architecture, width: int) -> None:
        super().__init__()
        self.transformer = transformer
        self.architecture = architecture
        self.head = nn.ModuleDict(_layers(architecture, width))
        pooler = getattr(transformer, "pooler", None)
        if isinstance(pooler, nn.Module):  # it is unused, and must not count as trainable
            pooler.requires_grad_(False)

    def embed(self, tokens: Mapping[str, Tensor]) -> Tensor:
        """One vector per row, in float32."""
        inputs = {name: tokens[name] for name in TOKENS if name in tokens}
        hidden = self.transformer(**inputs, return_dict=True).last_hidden_state
        vectors = pooled(hidden, tokens["attention_mask"], self.architecture.pooling).float()
        if "dense" in self.head:
            vectors = torch.tanh(self.head["dense"](vectors)).float()
        return vectors

    def compare(self, vectors: Tensor) -> Tensor:
        """One score per item from its vectors: a cosine, or a sigmoid for a cross-encoder."""
        if self.architecture.encoding == "cross":
            scores: Tensor = self.head["out"](vectors).float().squeeze(-1)
            return scores.sigmoid()
        parts = vectors.chunk(self.architecture.parts)
        if self.architecture.encoding == "tri":
            parts = (self._combined(parts[2], parts[0]), self._combined(parts[2], parts[1]))
        return functional.cosine_similarity(parts[0].float(), parts[1].float(), dim=-1)

    def forward(self, tokens: Mapping[str, Tensor]) -> Tensor:
        """One score per item."""
        return self.compare(self.embed(tokens))

    def _combined(self, condition: Tensor, sentence: Tensor) -> Tensor:
        """h(c; s) of a tri-encoder."""
        if self.architecture.combination == "hadamard":
            return condition * sentence
        hidden = torch.tanh(self.head["inner"](torch.cat([condition, sentence], dim=-1)))
        outer: Tensor = self.head["outer"](hidden)
        return outer


def head_of(network: Any) -> dict[str, Tensor]:
    """The weights of the head, on the CPU, by name."""
    return {name: value.detach().cpu().contiguous() for name, value in network.head.state_dict().items()}


def _layers(architecture: Architecture, width: int) -> dict[str, nn.Module]:
    layers: dict[str, nn.Module] = {}
    if architecture.mlp:
        layers["dense"] = nn.Linear(width, width)
    if architecture.encoding == "cross":
        layers["out"] = nn.Linear(width, 1)
    if architecture.encoding == "tri" and architecture.combination == "concat":
        layers["inner"] = nn.Linear(2 * width, width)
        layers["outer"] = nn.Linear(width, width)
    return layers


def pooled(hidden: Tensor, mask: Tensor, pooling: str) -> Tensor:
    """Pool token vectors: the first token's (cls) or their mean (mean)."""
    if pooling == "cls":
        # The first token that is not padding; not the first position if the tokeniser pads on the left.
        first: Any = mask.argmax(dim=1)
        return hidden[torch.arange(len(hidden), device=hidden.device), first]
    weights = mask.unsqueeze(-1).to(torch.float32)
    return (hidden.float() * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1.0)
