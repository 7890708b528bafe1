"""The architecture of an uncertain model: plain values, stored in a file beside the weights."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

from similitude.data.scale import Scale
from similitude.errors import ArgumentError, ExtensionError, UnknownNameError
from similitude.models.encoders.pair_template import is_template
from similitude.systems.conditional.architecture import ARCHITECTURE_FILE, HEAD_FILE, JsonRecord
from similitude.systems.conditional.architecture import Architecture as TextArchitecture
from similitude.systems.uncertain.heads import Encoding, make_head

__all__ = [
    "ARCHITECTURE_FILE",
    "DEFAULT_POOLING",
    "EVIDENCE_FILE",
    "HEAD_FILE",
    "HUMAN_FLOOR",
    "SYSTEM",
    "Architecture",
    "Encoding",
    "Pool",
    "Texts",
    "member_file",
]

SYSTEM: Final = "uncertain"
"""The kind of model that a folder declares, so that it is not mistaken for another."""

EVIDENCE_FILE: Final = "evidence.npz"
"""The file of the fitted evidence in a model's folder."""

Pool = Literal["cls", "mean", "last"]
Texts = Literal["all", "sentences"]

HUMAN_FLOOR: Final = 0.02
"""For the objective ``kl``, the smallest human standard deviation, as a share of the scale: 0.1 on 0..5, as in the
measure ``kl(zero_variance=floor)``. Without it, the divergence from people who agree entirely would be infinite.
"""

DEFAULT_POOLING: Final[Literal["auto", "cls", "mean", "last"]] = "auto"
"""auto is the backbone's own pooling if it is cls or mean, else mean; for a language model last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture(JsonRecord):
    """The architecture of a model that predicts the similarity of two texts and how far people differ over it.

    Attributes:
        encoding: cross: both texts are read together, [CLS] s1 [SEP] s2 [SEP]. bi: each is read alone, and the head is
            handed u, v, |u - v| and u * v. joint: both together and each alone, and the head is also told which tokens
            answer each other and which occur in both texts (`joint_features`); three times the
            work of cross. With a condition, cross reads [CLS] s1 [SEP] s2 [SEP] c [SEP], and a text is alone with it.
        pooling: how token vectors become one: the first token's (cls), their average (mean), or, for a language model,
            the last token's beside the average (last).
        head: what the model predicts: point, gaussian, mixture, histogram or your own. Point: one number (BERT-lr).
            Gaussian: mean and sigma. Mixture: weights, means and sigmas of several Gaussians. Histogram: shares of
            opinions at points of the scale.
        components: the number of Gaussians of a mixture.
        bins: the number of points of a histogram, evenly spaced, both ends of the scale included.
        hidden: the width of the head's first layer; 0 for that of the encoder's vectors.
        dropout: the rate of every dropout layer.
        floor: the smallest sigma that can be predicted, as a share of the scale.
        low: the low end of the scale.
        high: the high end.
        separator: for joint, the number of the token that stands between the two texts.
        evidence: how many numbers the head is handed beside what the encoder says; they come from
            `similitude.systems.evidence`. Only where both texts are read together.
        template: how a language model is shown a pair: text with {left}, {right} and, where conditions are read,
            {condition}. Empty for a model that has a mark between two texts.
        side_template: how a language model is shown one text, for bi: text with {text} and, where conditions are read,
            {condition}.
        reads: which texts are read: the sentences, or all, which is the condition as well.
        mark: stands between s2 and the condition; the tokeniser's own mark.
    """

    encoding: Encoding = "cross"
    pooling: Pool = "cls"
    head: str = "gaussian"
    components: int = 3
    bins: int = 21
    hidden: int = 0
    dropout: float = 0.1
    floor: float = 0.005
    low: float = 0.0
    high: float = 1.0
    separator: int = 0
    evidence: int = 0
    template: str = ""
    side_template: str = ""
    reads: Texts = "sentences"
    mark: str = ""

    def __post_init__(self) -> None:
        checks = (
            *((name, False, valid) for name, valid in make_head(self.head).faults(self)),
            ("hidden", self.hidden >= 0, "0 or more"),
            ("dropout", 0 <= self.dropout < 1, "0 or more and less than 1"),
            ("floor", 0 < self.floor < 1, "more than 0 and less than 1"),
            ("evidence", self.evidence == 0 or self.parts == 1, "0 with encoding bi, which compares texts read alone"),
            (
                "template",
                _is_one_of(self.template, ("left", "right")),
                "text with {left} and {right}, where conditions are read {condition}, and no other braces",
            ),
            (
                "side_template",
                _is_one_of(self.side_template, ("text",)),
                "text with {text}, where conditions are read {condition}, and no other braces",
            ),
        )
        for name, is_valid, valid in checks:
            if not is_valid:
                raise ArgumentError(f"{name} {getattr(self, name)!r} is not valid", remedy=f"give {name} as {valid}")

    def record(self) -> dict[str, Any]:
        """The values by name, without what is for conditions and not used: older models have none."""
        unused = [name for name in ("side_template", "mark") if not getattr(self, name)]
        unused += ["reads"] if self.reads == "sentences" else []
        return {name: value for name, value in dataclasses.asdict(self).items() if name not in unused}

    @property
    def needs_condition(self) -> bool:
        """Whether items must have a condition."""
        return self.reads == "all"

    @property
    def of_texts(self) -> TextArchitecture:
        """The architecture of a conditional model that reads the same texts.

        Raises:
            ArgumentError: a template lacks a place for the condition that is read, or has one for a condition that is
                not.
        """
        are_together = self.parts == 1
        return TextArchitecture(
            encoding="cross" if are_together else "bi",
            reads=self.reads,
            separator=self.mark or "\n",
            template=self.template if are_together else "",
            side_template="" if are_together else self.side_template,
        )

    @property
    def parts(self) -> int:
        """The number of texts encoded per item.

        >>> [Architecture(encoding=encoding).parts for encoding in ("joint", "cross", "bi")]
        [1, 1, 2]
        """
        return 2 if self.encoding == "bi" else 1

    @property
    def outputs(self) -> int:
        """The number of outputs of the head per item.

        >>> heads = ("point", "gaussian", "mixture", "histogram")
        >>> [Architecture(head=head, components=3, bins=11).outputs for head in heads]
        [1, 2, 9, 11]
        """
        return make_head(self.head).outputs(self)

    @property
    def has_spread(self) -> bool:
        """Whether one forward pass predicts how far people differ."""
        return make_head(self.head).has_spread

    @property
    def opens_with(self) -> None:
        """None: the model has a head of its own, which sentence-transformers cannot open."""
        return None

    @property
    def scale(self) -> Scale:
        """The training scale."""
        return Scale(low=self.low, high=self.high, origin="system")

    @classmethod
    def from_record(cls, record: dict[str, Any], where: str) -> Self:
        """Rebuild from a record; the error also covers a head whose package is not installed."""
        try:
            return super(Architecture, cls).from_record(record, where)  # slots: super() alone has the wrong class
        except (UnknownNameError, ExtensionError) as error:
            raise ArgumentError(
                f"was trained with head '{record['head']}', which cannot be used ({error.what})",
                where=where,
                remedy="install the package that the head came from",
            ) from error


def _is_one_of(template: str, fields: tuple[str, ...]) -> bool:
    """Whether there is no template, or one with these places, with or without one for a condition."""
    return not template or is_template(template, fields) or is_template(template, (*fields, "condition"))


def member_file(number: int) -> str:
    """The file with the weights of an ensemble member; those of the first are the model's own.

    >>> member_file(1)
    'member-1.safetensors'
    """
    return f"member-{number}.safetensors"
