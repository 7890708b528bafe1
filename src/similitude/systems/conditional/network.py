"""Cross-, bi-, tri-, joint and shift-encoder as one torch module. Requires torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from similitude.models.encoders.language_backbone import hidden_states, last_and_mean, last_token
from similitude.systems.conditional.architecture import Architecture

__all__ = ["VECTORS", "ConditionalNetwork", "head_of", "pooled", "tokens_of_text"]

VECTORS = "vectors"
"""The name under which vectors that were computed before stand for tokens."""


class ConditionalNetwork(nn.Module):
    """A transformer, a pooling, and the layers that compute a score from an item's vectors.

    The rows of a batch are ordered by part: first all left texts, then all right ones, then (tri) all conditions; with
    joint, first all pairs read together. So a batch of n items is one pass through the transformer over n, 2n or 3n
    rows.

    Attributes:
        transformer: a transformer that returns ``last_hidden_state``.
        head: the layers after the pooling, by name; empty for a plain bi-encoder.
        reads_forward: whether the transformer is causal and texts are padded on the right.
        separator: the token between two texts, where only the tokens of one of them are averaged.
    """

    def __init__(
        self,
        transformer: nn.Module,
        architecture: Architecture,
        width: int,
        *,
        reads_forward: bool = False,
        separator: int | None = None,
    ) -> None:
        super().__init__()
        self.transformer = transformer
        self.separator = separator
        self.architecture = architecture
        self.reads_forward = reads_forward
        self.head = nn.ModuleDict(_layers(architecture, width))
        pooler = getattr(transformer, "pooler", None)
        if isinstance(pooler, nn.Module):  # it is unused, and must not count as trainable
            pooler.requires_grad_(False)

    def pool(self, tokens: Mapping[str, Tensor]) -> Tensor:
        """One vector per row as the transformer gives it, in float32."""
        hidden = hidden_states(self.transformer, tokens, reads_forward=self.reads_forward)
        mask = tokens["attention_mask"]
        if self.architecture.pooling == "last":
            return (last_and_mean if self.architecture.reads_together else last_token)(hidden, mask)
        if self.architecture.pooled != "all":
            is_first = (self.architecture.pooled == "condition") == (self.architecture.place == "before")
            mask = mask * tokens_of_text(tokens["input_ids"], self.separator, is_first=is_first)
        return pooled(hidden, mask, self.architecture.pooling).float()

    def embed(self, tokens: Mapping[str, Tensor]) -> Tensor:
        """One vector per row, in float32."""
        vectors = tokens[VECTORS] if VECTORS in tokens else self.pool(tokens)
        if "dense" in self.head:
            vectors = torch.tanh(self.head["dense"](vectors)).float()
        return vectors

    def compare(self, vectors: Tensor) -> Tensor:
        """One score per item from its vectors: a cosine, or a sigmoid where both sentences are read together."""
        architecture = self.architecture
        if architecture.encoding == "cross":
            scores: Tensor = self.head["out"](vectors).float().squeeze(-1)
            return scores.sigmoid()
        parts = vectors.chunk(architecture.parts)
        if architecture.encoding == "joint":
            return self._through(_joint_features(*parts)).float().squeeze(-1).sigmoid()
        if architecture.encoding == "tri":
            parts = (self._combined(parts[2], parts[0]), self._combined(parts[2], parts[1]))
        if architecture.encoding == "shift":
            parts = (self._through(parts[0] - parts[2]), self._through(parts[1] - parts[2]))
        return functional.cosine_similarity(parts[0].float(), parts[1].float(), dim=-1)

    def forward(self, tokens: Mapping[str, Tensor]) -> Tensor:
        """One score per item."""
        return self.compare(self.embed(tokens))

    def _combined(self, condition: Tensor, sentence: Tensor) -> Tensor:
        """h(c; s) of a tri-encoder."""
        if self.architecture.combination == "hadamard":
            return condition * sentence
        return self._through(torch.cat([condition, sentence], dim=-1))

    def _through(self, inputs: Tensor) -> Tensor:
        """Two layers with tanh in between."""
        outer: Tensor = self.head["outer"](torch.tanh(self.head["inner"](inputs)))
        return outer


def head_of(network: Any) -> dict[str, Tensor]:
    """The weights of the head, on the CPU, by name."""
    return {name: value.detach().cpu().contiguous() for name, value in network.head.state_dict().items()}


def _layers(architecture: Architecture, width: int) -> dict[str, nn.Module]:
    layers: dict[str, nn.Module] = {}
    vector = 2 * width if architecture.pooling == "last" and architecture.reads_together else width
    if architecture.mlp:
        layers["dense"] = nn.Linear(vector, width)
        vector = width
    if architecture.encoding == "cross":
        layers["out"] = nn.Linear(vector, 1)
    ends = {"tri": (2 * vector, width), "joint": (3 * vector + 1, 1), "shift": (vector, width)}
    if architecture.encoding in ends and not (architecture.encoding == "tri" and architecture.combination != "concat"):
        inputs, outputs = ends[architecture.encoding]
        layers["inner"] = nn.Linear(inputs, width)
        layers["outer"] = nn.Linear(width, outputs)
    return layers


def _joint_features(together: Tensor, left: Tensor, right: Tensor) -> Tensor:
    """What a joint model compares: the pair's vector, |u - v|, u * v and the cosine."""
    cosine = functional.cosine_similarity(left, right, dim=-1).unsqueeze(-1)
    return torch.cat([together, (left - right).abs(), left * right, cosine], dim=-1)


def tokens_of_text(ids: Tensor, separator: int | None, *, is_first: bool) -> Tensor:
    """1 for the tokens of one of two texts: the first ends with the first separator, the second is the rest.

    >>> tokens_of_text(torch.tensor([[101, 7, 102, 8, 9, 102]]), 102, is_first=True).tolist()
    [[1, 1, 1, 0, 0, 0]]
    """
    ends = torch.eq(ids, -1 if separator is None else separator).long()
    before = ends.cumsum(dim=1) - ends
    return torch.eq(before, 0).long() if is_first else torch.gt(before, 0).long()


def pooled(hidden: Tensor, mask: Tensor, pooling: str) -> Tensor:
    """Pool token vectors: the first token's (cls) or their mean (mean)."""
    if pooling == "cls":
        # The first token that is not padding; not the first position if the tokeniser pads on the left.
        first: Any = mask.argmax(dim=1)
        return hidden[torch.arange(len(hidden), device=hidden.device), first]
    weights = mask.unsqueeze(-1).to(torch.float32)
    return (hidden.float() * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1.0)
