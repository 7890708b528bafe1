"""The architecture of a conditional model: plain values, stored in a file beside the weights."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

from similitude.errors import ArgumentError
from similitude.models.encoders.pair_template import is_template

__all__ = [
    "ARCHITECTURE_FILE",
    "HEAD_FILE",
    "PAIR_TEMPLATE",
    "SIDE_TEMPLATE",
    "TEMPLATE",
    "Architecture",
    "Combination",
    "Encoding",
    "JsonRecord",
    "Place",
    "Pool",
    "Pooled",
    "Reads",
]

ARCHITECTURE_FILE = "similitude.json"
"""The file beside the weights with the architecture, the scale, and the training record."""

HEAD_FILE = "head.safetensors"
"""The file beside the weights with the layers after the encoder, if there are any."""

Encoding = Literal["cross", "bi", "tri", "joint", "shift"]
Pool = Literal["cls", "mean", "last"]
Combination = Literal["concat", "hadamard"]
Place = Literal["before", "after"]
Pooled = Literal["all", "sentence", "condition"]
Reads = Literal["all", "sentences", "condition"]

TEMPLATE: Final = "Sentence 1: {left}\nSentence 2: {right}\nCondition: {condition}\nSimilar under the condition:"
SIDE_TEMPLATE: Final = "Sentence: {text}\nCondition: {condition}\nThe sentence under the condition:"
PAIR_TEMPLATE: Final = "Sentence 1: {left}\nSentence 2: {right}\nHow similar in meaning:"
"""How a language model is shown a pair or a sentence by default; the last one is for a model without conditions."""


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
            Joint: one number from what cross and bi compute. Shift: cos(p(f(s1; c) - f(c)), p(f(s2; c) - f(c))) with a
            learned projection p, made for a frozen model.
        pooling: how token vectors become one: the first token's (cls), their average (mean), or the last token's
            (last), which for cross and joint stands beside the average; each is then normalised.
        mlp: add a dense layer with tanh after the pooling.
        combination: how a tri-encoder combines two vectors: an MLP over both (concat), or their product (hadamard).
        place: where a bi-encoder reads the condition: before the sentence, or after it.
        pooled: which tokens a bi-encoder averages: all, or only those of the sentence or of the condition. Each token
            has seen both texts; the condition's tokens, the same on both sides, then hold what it asks for.
        reads: which texts are read. All, or as an ablation the sentences or the condition alone.
        separator: stands between s2 and c in a cross-encoder's input; the tokeniser's own mark.
        template: how a language model is shown both sentences: text with {left}, {right} and {condition}.
        side_template: how it is shown one sentence: text with {text} and {condition}, such as an instruction.
        keeps_condition: whether the sentences of a cross-encoder's input are cut and not the condition, if the three
            are too long. Older models, which do not say so, lose the condition first, in training as in use.
    """

    encoding: Encoding = "bi"
    pooling: Pool = "mean"
    mlp: bool = False
    combination: Combination = "hadamard"
    place: Place = "before"
    pooled: Pooled = "all"
    reads: Reads = "all"
    separator: str = "\n"
    template: str = ""
    side_template: str = ""
    keeps_condition: bool = False

    def __post_init__(self) -> None:
        if self.reads == "condition" and self.encoding != "cross":
            raise ArgumentError(
                f"a {self.encoding}-encoder that reads only the condition always gives 1: both sides are the same",
                remedy="use --architecture cross for the condition-only ablation",
            )
        if self.reads == "sentences" and self.encoding in ("tri", "shift"):
            what = f"a {self.encoding}-encoder without a condition is a bi-encoder"
            raise ArgumentError(what, remedy="use --architecture bi")
        if self.pooled != "all" and (self.encoding != "bi" or self.reads != "all"):
            raise ArgumentError(
                f"only a bi-encoder that reads a condition can average the tokens of the {self.pooled} alone",
                remedy="use --architecture bi, or omit --pooled",
            )
        self._check_templates()

    def _check_templates(self) -> None:
        condition = ("condition",) if self.reads != "sentences" else ()
        rules = (
            ("template", self.template, ("left", "right", *condition), self.reads_together),
            ("side_template", self.side_template, ("text", *condition), self.reads_sides),
        )
        for name, written, fields, is_used in rules:
            option = f"--{name.replace('_', '-')}"
            if written and not is_used:
                what = f"architecture '{self.encoding}' has no use for {option}"
                raise ArgumentError(what, remedy=f"omit {option}, or use --architecture joint")
            if written and not is_template(written, fields):
                places = " and ".join(f"{{{field}}}" for field in fields)
                unread = "" if condition else "; conditions are not read"
                remedy = f"give {option} as text with {places}{unread}"
                raise ArgumentError(f"{name} {written!r} is not valid", remedy=remedy)

    @property
    def reads_together(self) -> bool:
        """Whether both sentences are read in one text."""
        return self.encoding in ("cross", "joint")

    @property
    def reads_sides(self) -> bool:
        """Whether each sentence is read in a text of its own, with the condition if there is one."""
        return self.encoding in ("bi", "joint", "shift")

    @property
    def tail_mark(self) -> str:
        """What follows this mark in an input of both sentences is not cut; empty for nothing."""
        return self.separator if self.keeps_condition else ""

    def with_templates(self) -> Self:
        """The same architecture on a language model, which has no separator: shown in default templates.

        Templates that are given stay. A sentence alone needs none.
        """
        has_condition, templates = self.reads != "sentences", {}
        if self.reads_together:
            templates["template"] = self.template or (TEMPLATE if has_condition else PAIR_TEMPLATE)
        if self.reads_sides and has_condition:
            templates["side_template"] = self.side_template or SIDE_TEMPLATE
        return dataclasses.replace(self, **templates)  # type: ignore[arg-type]

    def record(self) -> dict[str, Any]:
        """The values by name, as in older models without what is not used: templates, a choice of all tokens."""
        unused = {name for name in ("template", "side_template", "keeps_condition") if not getattr(self, name)}
        if self.pooled == "all":
            unused.add("pooled")
        return {name: value for name, value in dataclasses.asdict(self).items() if name not in unused}

    @property
    def parts(self) -> int:
        """The number of texts encoded per item.

        >>> [Architecture(encoding=encoding).parts for encoding in ("cross", "bi", "tri", "joint", "shift")]
        [1, 2, 3, 3, 3]
        """
        return {"cross": 1, "bi": 2}.get(self.encoding, 3)

    @property
    def needs_condition(self) -> bool:
        """Whether items must have a condition."""
        return self.reads != "sentences"

    @property
    def opens_with(self) -> Literal["SentenceTransformer", "CrossEncoder"] | None:
        """The class of sentence-transformers that opens the model and gives the same scores; None if none does.

        >>> [Architecture(encoding=encoding).opens_with for encoding in ("bi", "cross", "tri")]
        ['SentenceTransformer', 'CrossEncoder', None]
        """
        if self.why_closed:
            return None
        return "SentenceTransformer" if self.encoding == "bi" else "CrossEncoder"

    @property
    def why_closed(self) -> str:
        """Why sentence-transformers cannot open the model; empty if it can."""
        if self.encoding not in ("bi", "cross"):
            return f"it has no class for a {self.encoding} encoder"
        if self.template or self.side_template:
            return "texts are put into a template, and cut to fit it"
        if self.pooling == "last":
            return "the last token's vector is normalised, and stands beside the average"
        if self.pooled != "all":
            return f"only the tokens of the {self.pooled} are averaged"
        return "it reads the condition alone" if self.reads == "condition" else ""
