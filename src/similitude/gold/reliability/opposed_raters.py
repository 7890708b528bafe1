"""Annotators who answer against all others: mostly, the scale was reversed for them."""

from __future__ import annotations

import math

import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.plural import counted
from similitude.gold.reliability.rater_rest_correlation import own_and_rest_scores, rest_correlations

__all__ = ["opposed_raters_note"]

LEAST_ITEMS, FAR_BELOW = 10, -3.0
"""Fisher's z of the correlation with the others is more than 3 standard errors below 0, on 10 items or more."""
MOST_SHOWN = 3


def opposed_raters_note(judgements: Judgements) -> str | None:
    """A note on named annotators whose answers correlate negatively with those of the others; None without any.

    >>> rows = [(who, item, 5 - item % 6 if who == "z" else item % 6) for who in "xyz" for item in range(12)]
    >>> made = pl.DataFrame(rows, ["annotator", "item", "value"], orient="row")
    >>> opposed_raters_note(Judgements(name="made", frame=made.cast({"item": pl.String, "value": pl.Float64})))
    "1 annotator answers against the others (z: r = -1.00): is their scale reversed? see 'similitude reliability'"
    """
    if judgements.kind == "category" or not judgements.annotators:
        return None
    table = own_and_rest_scores(judgements).filter(pl.len().over("annotator") >= LEAST_ITEMS)
    if table.is_empty():
        return None
    sizes = table.group_by("annotator", maintain_order=True).len("items")
    found = sizes.with_columns(r=pl.Series(rest_correlations(table, "pearson").each)).rows()
    opposed = [
        (who, r) for who, items, r in found if math.atanh(min(max(r, -0.999), 0)) * (items - 3) ** 0.5 < FAR_BELOW
    ]
    if not opposed:
        return None
    shown = ", ".join(f"{who}: r = {r:.2f}" for who, r in sorted(opposed, key=lambda each: each[1])[:MOST_SHOWN])
    more = ", ..." if len(opposed) > MOST_SHOWN else ""
    answers, their = ("answers", "is their scale") if len(opposed) == 1 else ("answer", "are their scales")
    told = f"{counted(len(opposed), 'annotator')} {answers} against the others ({shown}{more}): {their} reversed?"
    return f"{told} see 'similitude reliability'"
