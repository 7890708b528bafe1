"""Agreement of every pair of annotators, as a table."""

from __future__ import annotations

import polars as pl

from similitude.data.judgements import Judgements
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.reliability.pairwise import LEAST_SHARED

__all__ = ["pair_measure", "pair_table"]


def pair_measure(judgements: Judgements) -> str:
    """What `pair_table` says of a pair: "pearson" for ratings, "same" (a share) for choices and categories."""
    return "pearson" if judgements.kind == "rating" else "same"


def pair_table(judgements: Judgements, *, least_shared: int = LEAST_SHARED) -> pl.DataFrame:
    """How far any two named annotators agree on the questions that both answered.

    Ratings: Pearson's r, which does not mind that one is more lenient; null if one of them gave all shared items the
    same value. Best-worst: the share of equal choices, best and worst counted alike. Categories: the share of equal
    labels. The last answer of an annotator counts.

    Args:
        judgements: answers of any kind.
        least_shared: pairs that share fewer questions have a null instead of a value.

    Returns:
        One row per pair that shares a question: ``one`` and ``other`` (in order of first appearance), ``shared`` (the
        number of questions) and ``value``.

    >>> rows = {"annotator": list("xxxyyy"), "item": list("abcabc"), "value": [1.0, 2.0, 3.0, 2.0, 4.0, 6.0]}
    >>> pair_table(Judgements(name="made", frame=pl.DataFrame(rows))).rows()
    [('x', 'y', 3, 1.0)]
    """
    named = last_answers(judgements).frame.filter(pl.col("annotator").is_not_null())
    place = {name: at for at, name in enumerate(judgements.annotators)}
    asked = "question" if judgements.kind == "best-worst" else "item"
    given = ["best", "worst"] if judgements.kind == "best-worst" else ["value"]
    rows = named.select(
        asked, *given, who=pl.col("annotator").replace_strict(place, return_dtype=pl.Int64, default=None)
    )
    both = rows.join(rows, on=asked, suffix="_other").filter(pl.col("who") < pl.col("who_other"))
    enough = pl.len() >= least_shared
    pairs = both.group_by("who", "who_other").agg(
        shared=pl.len(), value=pl.when(enough).then(_agreement(pair_measure(judgements), given))
    )
    pairs = pairs.sort("who", "who_other")
    names = pl.Series(judgements.annotators, dtype=pl.String)
    return pairs.select(
        one=names.gather(pairs["who"]),
        other=names.gather(pairs["who_other"]),
        shared=pl.col("shared").cast(pl.Int64),
        value=pl.col("value").fill_nan(None),
    )


def _agreement(measure: str, given: list[str]) -> pl.Expr:
    if measure == "pearson":
        return pl.corr("value", "value_other")
    same = [(pl.col(name) == pl.col(f"{name}_other")).cast(pl.Float64) for name in given]
    return pl.mean_horizontal(*same).mean()
