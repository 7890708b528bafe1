"""Aggregations: methods that turn judgements into scores, and the registry of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from similitude.data.frames import Tabular
from similitude.data.judgements import Judgements, Kind
from similitude.data.plural import counted
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, ExtensionError
from similitude.registry import Spec, spec_of, subclass_registry

__all__ = ["AGGREGATIONS", "DEFAULT_AGGREGATIONS", "Aggregated", "Aggregation", "make_aggregation", "names_for"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aggregated(Tabular):
    """Gold scores, or labels, with how they were made.

    Attributes:
        frame: one row per item, in the order in which items were first judged: ``id``, ``score`` (null without
            a usable answer), ``answers`` (how many count), and what else the method gives: ``sigma``,
            ``standard_error``, ``mixture_weights``, ``mixture_means``, ``mixture_sigmas``, ``best``, ``worst``. For
            categories there is no score, but ``label`` (null for a tie), ``share``, ``votes``, ``tie``, and
            ``share_...`` for every category. For verifications also ``applies_share``.
        scale: the scale of the scores; None for categories.
        how: one sentence on how the scores were made.
        notes: what was left out, and other caveats.
        annotators: one row per annotator, for methods that estimate something about them.
        categories: the categories that labels are taken from; empty for scores.
        rejected: items that most annotators of a verification reject: item, applies_share, applies_answers; None if
            nobody was asked.

    >>> import similitude as sim
    >>> sim.aggregate("sample:dialogues", "counting").how
    'counting: (#best - #worst) / #appearances'
    """

    frame: pl.DataFrame
    scale: Scale | None
    how: str
    notes: tuple[str, ...] = ()
    annotators: pl.DataFrame | None = None
    categories: tuple[str, ...] = ()
    rejected: pl.DataFrame | None = None

    def __repr__(self) -> str:
        return f"<Aggregated: {counted(self.frame.height, 'item')}, {self.how}>"

    def to_polars(self) -> pl.DataFrame:
        """One row per item."""
        return self.frame


@dataclass(frozen=True, repr=False)
class Aggregation:
    """Turns judgements of one kind into one score, or label, per item.

    A subclass is a frozen dataclass whose fields are its arguments; it sets the class attributes and writes
    ``aggregate``, which begins with ``require_kind``.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    kind: ClassVar[Kind]

    @property
    def identity(self) -> Spec:
        """Name and arguments, from which the aggregation can be rebuilt."""
        return spec_of(self, self.name)

    def __repr__(self) -> str:
        return str(self.identity)

    def aggregate(self, judgements: Judgements, rng: np.random.Generator) -> Aggregated:
        """Compute the scores.

        Args:
            judgements: answers of the method's kind.
            rng: random generator, for methods that draw.

        Raises:
            ArgumentError: the answers are of another kind.
            InputError: an answer is impossible; the message names it.
            EstimationError: the scores could not be estimated.
        """
        raise NotImplementedError

    def require_kind(self, judgements: Judgements) -> None:
        """Refuse judgements of another kind.

        Raises:
            ArgumentError: the kind does not match; the message lists methods that fit.
        """
        if judgements.kind != self.kind:
            what = f"'{self}' is for {self.kind} answers, and these are {judgements.kind} answers"
            remedy = f"use one of {', '.join(names_for(judgements.kind))}"
            if judgements.kind == "category" and self.kind == "rating":
                remedy += ", or give the categories an order: --categories LOW,...,HIGH"
            raise ArgumentError(what, where=judgements.name, remedy=remedy)


AGGREGATIONS = subclass_registry(
    "aggregation",
    "similitude.aggregations",
    Aggregation,
    needed={"kind": "the answers that it takes: 'rating', 'best-worst' or 'category'"},
    methods={"aggregate": "which takes judgements and a random generator and gives an Aggregated"},
    line="summary",
)

DEFAULT_AGGREGATIONS: Mapping[Kind, str] = {"best-worst": "counting", "rating": "gaussian", "category": "majority"}
"""The default method for each kind of answers."""

LISTED = (
    "counting",
    "plackett-luce",
    "annotator-plackett-luce",
    "mean",
    "median",
    "trimmed-mean",
    "gaussian",
    "mixture",
    "annotator-aware",
    "majority",
    "dawid-skene",
)
"""Our methods, in the order of listings; those of other packages come last."""


def make_aggregation(written: str | None = None, *, kind: Kind = "rating") -> Aggregation:
    """The method that ``written`` names; without a name, the default for this kind of answers.

    Raises:
        UnknownNameError: nothing has that name.
        ArgumentError: the arguments do not fit.
        ExtensionError: a method of another package or of a file lacks something.

    >>> make_aggregation("trimmed-mean(share=0.2)")
    trimmed-mean(share=0.2)
    >>> make_aggregation(kind="best-worst")
    counting
    """
    made: object = AGGREGATIONS.make(written or DEFAULT_AGGREGATIONS[kind])
    if not isinstance(made, Aggregation):
        what = f"aggregation '{written}' makes no Aggregation but {type(made).__name__}"
        raise ExtensionError(what, remedy="name a subclass of similitude.extend.Aggregation, or what makes one")
    return made


def names_for(kind: Kind) -> list[str]:
    """The methods for answers of one kind.

    >>> names_for("best-worst")
    ['counting', 'plackett-luce', 'annotator-plackett-luce']
    """
    fitting = [name for name, made in AGGREGATIONS.listed().makers.items() if getattr(made, "kind", None) == kind]
    return sorted(fitting, key=lambda name: LISTED.index(name) if name in LISTED else len(LISTED))
