"""The registry of aggregations: ``counting`` or ``mixture(most=3, choose=bic)`` to the method that it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from similitude.data.judgements import Kind
from similitude.gold.aggregation.aggregation import Aggregation
from similitude.registry import Registry

__all__ = ["AGGREGATIONS", "DEFAULT_AGGREGATIONS", "make_aggregation", "names_for"]

AGGREGATIONS: Registry[Aggregation] = Registry("aggregation", "similitude.aggregations")

DEFAULT_AGGREGATIONS: Mapping[Kind, str] = {"best-worst": "counting", "rating": "gaussian"}
"""What is meant where no method is named."""

LISTED = ("counting", "plackett-luce", "mean", "median", "trimmed-mean", "gaussian", "mixture", "annotator-aware")
"""Ours, in the order in which listings show them; those of other packages come last."""


def make_aggregation(written: str | None = None, *, kind: Kind = "rating") -> Aggregation:
    """The method that ``written`` names; by default the one for this kind of answers.

    >>> make_aggregation("trimmed-mean(share=0.2)")
    trimmed-mean(share=0.2)
    >>> make_aggregation(kind="best-worst")
    counting
    """
    return AGGREGATIONS.make(written or DEFAULT_AGGREGATIONS[kind])


def names_for(kind: Kind) -> list[str]:
    """The methods for answers of one kind.

    >>> names_for("best-worst")
    ['counting', 'plackett-luce']
    """
    fitting = [name for name in AGGREGATIONS if cast(Aggregation, AGGREGATIONS.maker(name)).kind == kind]
    return sorted(fitting, key=lambda name: LISTED.index(name) if name in LISTED else len(LISTED))
