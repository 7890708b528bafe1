"""The architecture of a conditional model: plain values, stored in a file beside the weights."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, Self

from similitude.errors import ArgumentError

__all__ = ["ARCHITECTURE_FILE", "HEAD_FILE", "Architecture", "Combination", "Encoding", "JsonRecord", "Place", "Reads"]

ARCHITECTURE_FILE = "similitude.json"
"""The file beside the weights with the architecture, the scale, and the training record."""

HEAD_FILE = "head.safetensors"
"""The file beside the weights with the layers after the encoder, if there are any."""

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
                f"a {self.encoding}-encoder that reads only the condition always gives 1: both sides are the same",
                remedy="use --architecture cross for the condition-only ablation",
            )
        if self.reads == "sentences" and self.encoding == "tri":
            raise ArgumentError("a tri-encoder without a condition is a bi-encoder", remedy="use --architecture bi")

    @property
    def parts(self) -> int:
        """The number of texts encoded per item.

        >>> [Architecture(encoding=encoding).parts for encoding in ("cross", "bi", "tri")]
        [1, 2, 3]
        """
        return {"cross": 1, "bi": 2, "tri": 3}[self.encoding]

    @property
    def needs_condition(self) -> bool:
        """Whether items must have a condition."""
        return self.reads != "sentences"

    @property
    def is_plain_encoder(self) -> bool:
        """Whether the model consists of transformer and pooling only, so that sentence-transformers can load it."""
        return self.encoding == "bi" and not self.mlp
