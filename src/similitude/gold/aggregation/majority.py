"""The label that most annotators give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, Kind
from similitude.data.plural import agreeing, listed
from similitude.gold.aggregation.aggregation import AGGREGATIONS, Aggregated, Aggregation
from similitude.gold.aggregation.labelled_items import label_table, labelled_items

__all__ = ["Majority"]

MOST_LISTED = 20


@AGGREGATIONS.register("majority", "majority-vote")
@dataclass(frozen=True, repr=False)
class Majority(Aggregation):
    """The category with the most votes, and its share of the votes.

    If two categories have the most votes, the item has no label: it is a tie, and a note lists it.
    """

    name: ClassVar[str] = "majority"
    summary: ClassVar[str] = "the category with the most votes; no label where two have the most"
    kind: ClassVar[Kind] = "category"

    def aggregate(self, judgements: Judgements, rng: np.random.Generator) -> Aggregated:
        """One label per item."""
        self.require_kind(judgements)
        labelled = labelled_items(judgements)
        with np.errstate(invalid="ignore"):
            shares = labelled.votes / labelled.votes.sum(axis=1, keepdims=True)
        frame = label_table(labelled, shares)
        return Aggregated(
            frame=frame,
            scale=None,
            how=f"{self}: the category with the most votes",
            notes=(*labelled.notes, *tie_notes(frame, "have the most votes")),
            categories=labelled.categories,
        )


def tie_notes(frame: pl.DataFrame, why: str) -> tuple[str, ...]:
    """A note that lists the items without a label because several categories come first."""
    ties = frame.filter("tie")["id"].to_list()
    has = agreeing(len(ties), "item", "has", "have")
    return (f"{has} no label because several categories {why}: {listed(ties, MOST_LISTED)}",) if ties else ()
