"""What a conditional model is made of, apart from its weights: plain values that stand in a file beside them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, Self

from similitude.errors import ArgumentError

__all__ = ["ARCHITECTURE_FILE", "HEAD_FILE", "Architecture", "Combination", "Encoding", "JsonRecord", "Place", "Reads"]

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
class JsonRecord:
    """A dataclass of plain values that is written to and read from `ARCHITECTURE_FILE`."""

    def record(self) -> dict[str, Any]:
        """The values by name, ready for JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_record(cls, record: dict[str, Any], where: str) -> Self:
        """Rebuild from `record`.

        Args:
            record: the values by name.
            where: the model, for the error.

        Raises:
            ArgumentError: a value is missing or unknown.
        """
        try:
            return cls(**record)
        except TypeError as error:
            raise ArgumentError(
                f"cannot read {ARCHITECTURE_FILE} ({error})", where=where, remedy="train the model again"
            ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture(JsonRecord):
    """The shape of f in f(s1, s2, c), after section 4.1 of the C-STS paper.

    Attributes:
        encoding: cross: f(s1; s2; c), one number from all three texts read together. bi: cos(f(s1; c), f(s2; c)).
            tri: cos(h(c; s1), h(c; s2)) over vectors of the three texts, each encoded alone.
        pooling: how token vectors become one: the first token's (cls) or their average (mean).
        mlp: whether a dense layer with tanh follows the pooling.
        combination: h of a tri-encoder: an MLP over both vectors (concat), or their product by elements (hadamard).
        place: of the condition in a bi-encoder's input: before the sentence, or after it; always as a pair of texts.
        reads: all; the sentences alone (plain similarity, and an ablation); the condition alone (an ablation).
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
                remedy="take the cross-encoder for the condition-only ablation: --encoding cross",
            )
        if self.reads == "sentences" and self.encoding == "tri":
            raise ArgumentError("a tri-encoder without a condition is a bi-encoder", remedy="--encoding bi")

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
