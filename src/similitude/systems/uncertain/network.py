"""An uncertain model as one torch module, from tokens to the outputs of its head. Requires torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from similitude.models.encoders.language_backbone import hidden_states, last_and_mean
from similitude.models.encoders.text_model import EVIDENCE
from similitude.models.encoders.token_table import TokenTable
from similitude.systems.conditional.network import pooled
from similitude.systems.uncertain.architecture import Architecture
from similitude.systems.uncertain.joint_features import (
    OVERLAPS,
    Alignment,
    SplitPair,
    TokenOverlap,
    as_one_batch,
    differences,
    split_pair,
    split_under_condition,
)

__all__ = ["UncertainNetwork"]


class UncertainNetwork(nn.Module):
    """A transformer, a pooling, dropout, and a head of two layers with tanh in between.

    The rows of a batch are ordered by part: first all left texts, then (bi) all right ones.

    Attributes:
        transformer: a transformer that returns ``last_hidden_state``.
        head: ``inner`` and ``outer``, the two layers; with joint also ``alignment`` and ``overlap``.
        reads_forward: whether the transformer is causal and texts are padded on the right.
    """

    def __init__(
        self, transformer: nn.Module, architecture: Architecture, width: int, *, reads_forward: bool = False
    ) -> None:
        super().__init__()
        self.transformer = transformer
        self.reads_forward = reads_forward
        self.architecture = architecture
        vector = 2 * width if architecture.pooling == "last" else width
        inputs = {"cross": vector, "bi": 4 * vector, "joint": 3 * width + 2 * (width // 2) + OVERLAPS}
        hidden = architecture.hidden or width
        layers: dict[str, nn.Module] = {
            "inner": nn.Linear(inputs[architecture.encoding] + architecture.evidence, hidden),
            "outer": nn.Linear(hidden, architecture.outputs),
        }
        if architecture.encoding == "joint":
            layers["alignment"] = Alignment(width, width // 2)
            layers["overlap"] = TokenOverlap(_vocabulary(transformer), architecture.separator)
        self.head = nn.ModuleDict(layers)
        self.dropout = nn.Dropout(architecture.dropout)
        for module in transformer.modules():
            if isinstance(module, nn.Dropout):
                module.p = architecture.dropout
        pooler = getattr(transformer, "pooler", None)
        if isinstance(pooler, nn.Module):  # it is unused, and must not count as trainable
            pooler.requires_grad_(False)

    def embed(self, tokens: Mapping[str, Tensor]) -> Tensor:
        """One vector per row, in float32."""
        if self.architecture.encoding == "joint":
            return self._joint(tokens)
        hidden, mask = self._hidden(tokens), tokens["attention_mask"]
        pooling = self.architecture.pooling
        vectors = last_and_mean(hidden, mask) if pooling == "last" else pooled(hidden, mask, pooling)
        return self._dropped([vectors.float()], tokens)

    def _hidden(self, tokens: Mapping[str, Tensor]) -> Tensor:
        return hidden_states(self.transformer, tokens, reads_forward=self.reads_forward)

    def _joint(self, tokens: Mapping[str, Tensor]) -> Tensor:
        read, apart = self._split(tokens)
        hidden = self._hidden(as_one_batch(tokens, read)).unflatten(0, (-1, 3)).unbind(dim=1)
        alone = [
            pooled(side, mask, "mean") for side, mask in ((hidden[1], read.left_mask), (hidden[2], read.right_mask))
        ]
        parts = [
            pooled(hidden[0], tokens["attention_mask"], self.architecture.pooling).float(),
            differences(*alone),
            self.head["alignment"](hidden[1], apart.left_mask, hidden[2], apart.right_mask),
            self.head["overlap"](apart),
        ]
        return self._dropped(parts, tokens)

    def _split(self, tokens: Mapping[str, Tensor]) -> tuple[SplitPair, SplitPair]:
        """The texts as they are read, each with the condition if there is one; and alone, for comparing tokens."""
        ids, mask, separator = tokens["input_ids"], tokens["attention_mask"], self.architecture.separator
        if self.architecture.needs_condition:
            return split_under_condition(ids, mask, separator)
        apart = split_pair(ids, mask, separator)
        return apart, apart

    def _dropped(self, parts: list[Tensor], tokens: Mapping[str, Tensor]) -> Tensor:
        """The input of the head: the vectors and the evidence, after dropout."""
        beside = [tokens[EVIDENCE].float()] if self.architecture.evidence else []
        vectors: Tensor = self.dropout(torch.cat([*parts, *beside], dim=-1))
        return vectors

    def compare(self, vectors: Tensor) -> Tensor:
        """Outputs as items x outputs, from the vectors of each item's texts, in float32."""
        if self.architecture.encoding == "bi":
            left, right = vectors.chunk(2)
            vectors = torch.cat([left, right, (left - right).abs(), left * right], dim=-1)
        outputs: Tensor = self.head["outer"](torch.tanh(self.head["inner"](vectors)))
        return outputs.float()

    def forward(self, tokens: Mapping[str, Tensor]) -> Tensor:
        """Outputs as items x outputs."""
        return self.compare(self.embed(tokens))

    def fit_token_weights(self, table: TokenTable) -> None:
        """Fit the token weights of the joint encoding on the texts, before training."""
        if "overlap" in self.head:
            overlap: Any = self.head["overlap"]
            overlap.set_weights(table.documents(len(overlap.weights)), len(table.lengths))

    def rows(self, tokens: Mapping[str, Tensor]) -> Tensor:
        """The cached row of a text: the outputs for a pair read together, or the vector of a text read alone."""
        return self.forward(tokens) if self.architecture.parts == 1 else self.embed(tokens)


def _vocabulary(transformer: nn.Module) -> int:
    embeddings: Any = transformer
    return int(embeddings.get_input_embeddings().num_embeddings)
