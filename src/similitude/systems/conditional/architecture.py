"""What a conditional model is made of, apart from its weights: plain values that stand in a file beside them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from similitude.errors import ArgumentError

__all__ = ["ARCHITECTURE_FILE", "HEAD_FILE", "Architecture", "Combination", "Encoding", "Place", "Reads"]

ARCHITECTURE_FILE = "similitude.json"
"""Beside the weights: the architecture, the scale, and how the model was trained."""

HEAD_FILE = "head.safetensors"
"""Beside the weights, where the architecture has layers after the encoder."""

Encoding = Literal["cross", "bi", "tri"]
Pool = Literal["cls", "mean"]
Combination = Literal["concat", "hadamard"]
Place = Literal["before", "after"]
Reads = Literal["all", "sentences", "condition"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """The shape of f in f(s1, s2, c), after section 4.1 of the C-STS paper.

    Attributes:
        encoding: which texts are read together. Cross: f(s1; s2; c), one number from all three texts read together. Bi:
            cos(f(s1; c), f(s2; c)). Tri: cos(h(c; s1), h(c; s2)) over vectors of the three texts, each encoded alone.
        pooling: how token vectors become one: the first token's (cls) or their average (mean).
        mlp: add a dense layer with tanh after the pooling.
        combination: how a tri-encoder combines two vectors: an MLP over both (concat), or their product (hadamard).
        place: where a bi-encoder reads the condition: before the sentence, or after it.
        reads: which texts are read. All, or as an ablation the sentences or the condition alone.
        separator: stands between s2 and c in a cross-encoder's input; the tokeniser's own mark.
    """

    encoding: Encoding = "bi"
    pooling: Pool = "mean"
    mlp: bool = False
    combination: Combination = "hadamard"
    place: Place = "before"
    reads: Reads = "all"
    separator: str = "\n"

    def __post_init__(self) -> None:
        if self.reads == "condition" and self.encoding != "cross":
            raise ArgumentError(
                f"a {self.encoding}-encoder that reads the condition alone always says 1: both sides are the same",
                remedy="take the cross-encoder for the condition-only ablation: --architecture cross",
            )
        if self.reads == "sentences" and self.encoding == "tri":
            raise ArgumentError("a tri-encoder without a condition is a bi-encoder", remedy="--architecture bi")

    @property
    def parts(self) -> int:
        """Texts that are encoded for one item.

        >>> [Architecture(encoding=encoding).parts for encoding in ("cross", "bi", "tri")]
        [1, 2, 3]
        """
        return {"cross": 1, "bi": 2, "tri": 3}[self.encoding]

    @property
    def needs_condition(self) -> bool:
        """Whether an item without a condition cannot be read."""
        return self.reads != "sentences"

    @property
    def is_plain_encoder(self) -> bool:
        """Whether transformer and pooling are all there is, so that sentence-transformers can open it."""
        return self.encoding == "bi" and not self.mlp

    @property
    def has_head(self) -> bool:
        """Whether layers of our own come after the pooling."""
        return self.mlp or self.encoding == "cross" or (self.encoding == "tri" and self.combination == "concat")

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_record(cls, record: dict[str, Any], where: str) -> Architecture:
        """Back from JSON.

        Raises:
            ArgumentError: the record is not one of ours.
        """
        try:
            return cls(**record)
        except TypeError as error:
            raise ArgumentError(
                f"{ARCHITECTURE_FILE} cannot be read ({error})", where=where, remedy="train the model again"
            ) from None
