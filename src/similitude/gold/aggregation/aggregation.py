"""What an aggregation is: a value, written as users write it, that turns judgements into scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, Kind
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.registry import Spec, spec_of

__all__ = ["Aggregated", "Aggregation"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aggregated:
    """What judgements add up to.

    Attributes:
        frame: one row an item, in the order in which items were first judged: ``id``, ``score`` (null where no answer
            says anything), ``answers`` (how many count), and what else the method gives: ``sigma``,
            ``standard_error``, ``mixture_weights``, ``mixture_means``, ``mixture_sigmas``, ``best``, ``worst``.
        scale: the scale of the scores.
        how: one sentence that says how the scores were made.
        notes: what was left out or is odd, and the user should know.
        annotators: one row an annotator, for methods that say something of them.
    """

    frame: pl.DataFrame
    scale: Scale
    how: str
    notes: tuple[str, ...] = ()
    annotators: pl.DataFrame | None = None


@dataclass(frozen=True, repr=False)
class Aggregation:
    """Judgements of one kind -> one score an item.

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
        """The scores.

        Args:
            judgements: answers of the kind that this method is for.
            rng: where randomness comes from, for methods that need some.

        Raises:
            ArgumentError: the answers are of the other kind.
            InputError: an answer cannot be right; the message names it.
            EstimationError: the scores could not be estimated.
        """
        raise NotImplementedError

    def require_kind(self, judgements: Judgements) -> None:
        """Refuse judgements of the other kind.

        Raises:
            ArgumentError: they are; the message lists what is for them.
        """
        if judgements.kind != self.kind:
            from similitude.gold.aggregation.catalogue import names_for

            what = f"'{self}' is for {self.kind} answers; these are {judgements.kind}"
            raise ArgumentError(
                what, where=judgements.name, remedy=f"use one of {', '.join(names_for(judgements.kind))}"
            )
