"""Labels by the model of Dawid and Skene, which weighs annotators by their confusions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, Kind
from similitude.data.plural import counted
from similitude.errors import ArgumentError, InputError
from similitude.gold.aggregation.aggregation import AGGREGATIONS, Aggregated, Aggregation
from similitude.gold.aggregation.labelled_items import LabelledItems, label_table, labelled_items
from similitude.gold.aggregation.majority import tie_notes
from similitude.gold.aggregation.tuple_arrays import numbered
from similitude.stats.arrays import Array
from similitude.stats.dawid_skene import DawidSkeneFit, LabelList, fit_dawid_skene

__all__ = ["DawidSkene"]


@AGGREGATIONS.register("dawid-skene")
@dataclass(frozen=True, repr=False)
class DawidSkene(Aggregation):
    """The most probable true label, where each annotator has their own habits of confusing labels.

    Shares of labels and the confusions of each annotator are maximum a posteriori estimates by EM (see
    `similitude.stats.dawid_skene`). ``share`` and ``share_...`` are probabilities that a label is the true one.

    ``annotators`` has, for each annotator, ``answers`` and ``accuracy``: the estimated probability of giving the true
    label, over labels as common as in these items.

    Annotators must be named, and there must be two or more.

    Attributes:
        prior: pseudo-counts of every cell of a confusion matrix, above 0; the diagonal has one more.
    """

    prior: float = 0.5

    name: ClassVar[str] = "dawid-skene"
    summary: ClassVar[str] = "the most probable label, given how each annotator confuses labels (EM)"
    kind: ClassVar[Kind] = "category"

    def __post_init__(self) -> None:
        if not (np.isfinite(self.prior) and self.prior > 0):
            raise ArgumentError(f"prior={self.prior:g} is not a number of pseudo-counts", remedy="a number above 0")

    def aggregate(self, judgements: Judgements, rng: np.random.Generator) -> Aggregated:
        """One label per item, and a table of annotators.

        Raises:
            InputError: annotators are unnamed, or there is only one.
        """
        self.require_kind(judgements)
        labelled = labelled_items(judgements)
        annotators = _named(labelled, judgements.name)
        rated = np.flatnonzero(labelled.votes.sum(axis=1))
        given = _listed(labelled, annotators, rated.size)
        fit = fit_dawid_skene(given, prior=self.prior)
        shares = np.full(labelled.votes.shape, np.nan)
        shares[rated] = fit.posterior
        frame = label_table(labelled, shares)
        return Aggregated(
            frame=frame,
            scale=None,
            how=f"{self}: the most probable label, given each annotator's confusions (EM, {fit.rounds:,} rounds)",
            notes=(*labelled.notes, *_open_end(fit), *tie_notes(frame, "are equally probable")),
            annotators=_table_of_annotators(given, fit, annotators),
            categories=labelled.categories,
        )


def _named(labelled: LabelledItems, where: str) -> pl.Series:
    unnamed = labelled.annotator.null_count()
    if unnamed:
        what = f"{counted(unnamed, 'answer')} by unnamed annotators"
        raise InputError(what, where=where, remedy="name the annotators, or use majority, which does not need them")
    annotators = labelled.annotator.unique(maintain_order=True)
    if len(annotators) < 2:
        what = f"only one annotator, '{annotators[0]}'"
        raise InputError(what, where=where, remedy="confusions need at least two annotators to compare; use majority")
    return annotators


def _listed(labelled: LabelledItems, annotators: pl.Series, items: int) -> LabelList:
    """The answers as arrays; items without an answer are left out."""
    _, item = np.unique(labelled.item, return_inverse=True)
    annotator = numbered(labelled.annotator, annotators).to_numpy().astype(np.intp)
    return LabelList(annotator, item, labelled.label, len(annotators), items, len(labelled.categories))


def _open_end(fit: DawidSkeneFit) -> tuple[str, ...]:
    """A note if EM has not converged, as where answers tell next to nothing about the true labels."""
    if fit.has_converged:
        return ()
    rounds = counted(fit.rounds, "round")
    return (
        f"EM did not converge in {rounds}: the last three raised the mean log posterior per answer by {fit.gain:.1g}; "
        "some labels may still change, as they may where annotators hardly agree",
    )


def _table_of_annotators(given: LabelList, fit: DawidSkeneFit, annotators: pl.Series) -> pl.DataFrame:
    right: Array = np.einsum("akk->ak", fit.confusion) @ fit.shares
    answers = np.bincount(given.annotator)
    return pl.DataFrame({"annotator": annotators, "answers": answers, "accuracy": right})
