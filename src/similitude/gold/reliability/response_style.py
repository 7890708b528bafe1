"""Response style of each annotator: pace, repeated values, extremes, favoured positions."""

from __future__ import annotations

import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.gold.reliability.best_worst_figures import are_pairs
from similitude.gold.reliability.pairable_ratings import without_noise
from similitude.gold.reliability.rating_spread import scale_of

__all__ = ["FAST", "choice_style", "label_style", "pace", "rating_style"]

FAST = 1 / 3
"""An answer that took less than this fraction of the overall median time is too fast."""

REACTION, TENTH = 0.3, 0.1
"""An answer that took less than 0.3 s, in which nobody sees and clicks, or a tenth of the usual time is impossible."""

EDGE = 1e-9
CHOICES = ("best", "worst")


def pace(judgements: Judgements) -> pl.DataFrame:
    """The amount and pace of each annotator's answers.

    Returns:
        Columns annotator, answers, items (different ones), seconds (median; null if answers were not timed), too_fast
        (share of the timed answers below `FAST` of everybody's median), impossible (share of the timed answers in less
        than 0.3 s, or than a tenth of the usual time: the median of the annotators' medians, so that one who answers
        much does not set it; 0 if every time is 0, since nobody measured then).
    """
    about = pl.col("items").explode() if judgements.kind == "best-worst" else pl.col("item")
    timed = judgements.frame.with_columns(border=FAST * pl.col("seconds").median())
    fast = pl.col("seconds") < pl.col("border")
    named = timed.filter(pl.col("annotator").is_not_null())
    usual = named.group_by("annotator").agg(pl.col("seconds").median())["seconds"].median()
    least = max(REACTION, TENTH * float(usual or 0.0)) if named["seconds"].max() else 0.0  # type: ignore[arg-type]
    return named.group_by("annotator", maintain_order=True).agg(
        answers=pl.len(),
        items=about.n_unique(),
        seconds=pl.col("seconds").median(),
        too_fast=fast.mean(),
        impossible=(pl.col("seconds") < least).mean(),
    )


def rating_style(judgements: Judgements) -> pl.DataFrame:
    """Response style in ratings; runs follow the order of the file.

    Returns:
        Columns annotator, extremes (share of ratings at either end of the scale), commonest (share of the value given
        most often), longest_run (longest run of equal values).
    """
    rated = judgements.rated().filter(pl.col("annotator").is_not_null())
    answers = rated.select("annotator", value=pl.Series(without_noise(rated["value"].to_numpy())))
    extremes = answers.group_by("annotator").agg(extremes=_at_ends(scale_of(judgements)).mean())
    return extremes.join(_sameness(answers, "value"), on="annotator")


def label_style(judgements: Judgements) -> pl.DataFrame:
    """Response style in categories; runs follow the order of the file.

    Returns:
        Columns annotator, commonest (share of the label given most often), longest_run (longest run of one label).
    """
    rated = judgements.rated().filter(pl.col("annotator").is_not_null())
    return _sameness(rated.select("annotator", "value"), "value")


def choice_style(judgements: Judgements) -> pl.DataFrame:
    """Response style in best-worst answers: the place at which the chosen item was shown (1 is the first).

    This is informative if every annotator saw the items in their own order, as `items` should record. If a tuple
    repeats an item, its first place counts.

    Returns:
        Columns annotator; best_place (the place named best most often) and best_place_share; worst_place and
        worst_place_share; longest_run (longest run of the same place named best). Of two items, the place of the
        best decides that of the worst, which is left out.
    """
    choices = CHOICES[:1] if are_pairs(judgements) else CHOICES
    places = _places(judgements.frame.filter(pl.col("annotator").is_not_null()))
    table = places.group_by("annotator").agg(*(figure for name in choices for figure in _commonest_place(name)))
    return table.join(_sameness(places, "best").drop("commonest"), on="annotator")


def _at_ends(scale: Scale) -> pl.Expr:
    room = EDGE * scale.width
    return (pl.col("value") <= scale.low + room) | (pl.col("value") >= scale.high - room)


def _sameness(answers: pl.DataFrame, column: str) -> pl.DataFrame:
    """Per annotator: the share of the commonest answer, and the longest run of equal answers."""
    commonest = pl.col(column).value_counts(sort=True).first().struct.field("count") / pl.len()
    changes = pl.col(column).ne_missing(pl.col(column).shift()).over("annotator")
    numbered = answers.with_columns(run=changes.cast(pl.Int64).cum_sum().over("annotator"))
    runs = numbered.group_by("annotator", "run").len().group_by("annotator").agg(longest_run=pl.col("len").max())
    return answers.group_by("annotator").agg(commonest=commonest).join(runs, on="annotator")


def _places(answers: pl.DataFrame) -> pl.DataFrame:
    """The places of the items named best and worst, from 1; null if they were not shown."""
    numbered = answers.with_row_index("row")
    shown = numbered.select("row", "items", "best", "worst").explode("items")
    place = pl.int_range(1, pl.len() + 1).over("row")
    chosen = (pl.col("place").filter(pl.col("items") == pl.col(name)).first().alias(name) for name in CHOICES)
    found = shown.with_columns(place=place).group_by("row").agg(*chosen)
    return numbered.select("row", "annotator").join(found, on="row", maintain_order="left")


def _commonest_place(name: str) -> tuple[pl.Expr, pl.Expr]:
    first = pl.col(name).drop_nulls().value_counts(sort=True).first()
    return (
        first.struct.field(name).alias(f"{name}_place"),
        (first.struct.field("count") / pl.len()).alias(f"{name}_place_share"),
    )
