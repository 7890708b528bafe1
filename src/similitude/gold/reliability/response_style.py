"""How an annotator answers, whatever the question: how fast, how often the same, how often at the ends."""

from __future__ import annotations

import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.gold.reliability.pairable_ratings import without_noise
from similitude.gold.reliability.rating_spread import scale_of

__all__ = ["FAST", "choice_style", "pace", "rating_style"]

FAST = 1 / 3
"""An answer is too fast that took less than this part of the median time over all answers of everybody."""

EDGE = 1e-9
CHOICES = ("best", "worst")


def pace(judgements: Judgements) -> pl.DataFrame:
    """How much each annotator answered and how fast.

    Returns:
        Columns annotator, answers, items (different ones), seconds (median; null where no time was taken), too_fast
        (share of the timed answers below `FAST` of everybody's median).
    """
    about = pl.col("items").explode() if judgements.kind == "best-worst" else pl.col("item")
    timed = judgements.frame.with_columns(border=FAST * pl.col("seconds").median())
    fast = pl.col("seconds") < pl.col("border")
    named = timed.filter(pl.col("annotator").is_not_null())
    return named.group_by("annotator", maintain_order=True).agg(
        answers=pl.len(), items=about.n_unique(), seconds=pl.col("seconds").median(), too_fast=fast.mean()
    )


def rating_style(judgements: Judgements) -> pl.DataFrame:
    """Habits in rating, in the order in which answers stand in the file.

    Returns:
        Columns annotator, extremes (share of ratings at either end of the scale), commonest (share of the value given
        most often), longest_run (most answers in a row with the same value).
    """
    rated = judgements.rated().filter(pl.col("annotator").is_not_null())
    answers = rated.select("annotator", value=pl.Series(without_noise(rated["value"].to_numpy())))
    extremes = answers.group_by("annotator").agg(extremes=_at_ends(scale_of(judgements)).mean())
    return extremes.join(_sameness(answers, "value"), on="annotator")


def choice_style(judgements: Judgements) -> pl.DataFrame:
    """Habits in choosing best and worst, by the place at which the chosen item was shown (1 is the first).

    This tells something where every annotator saw the items in an order of their own, as `items` should record. Of an
    item that a tuple repeats the first place counts.

    Returns:
        Columns annotator; best_place (the place named best most often) and best_place_share; worst_place and
        worst_place_share; longest_run (most answers in a row with the same place best).
    """
    places = _places(judgements.frame.filter(pl.col("annotator").is_not_null()))
    table = places.group_by("annotator").agg(*(figure for name in CHOICES for figure in _commonest_place(name)))
    return table.join(_sameness(places, "best").drop("commonest"), on="annotator")


def _at_ends(scale: Scale) -> pl.Expr:
    room = EDGE * scale.width
    return (pl.col("value") <= scale.low + room) | (pl.col("value") >= scale.high - room)


def _sameness(answers: pl.DataFrame, column: str) -> pl.DataFrame:
    """Of every annotator: the share of the commonest answer, and the most equal answers in a row."""
    commonest = pl.col(column).value_counts(sort=True).first().struct.field("count") / pl.len()
    changes = pl.col(column).ne_missing(pl.col(column).shift()).over("annotator")
    numbered = answers.with_columns(run=changes.cast(pl.Int64).cum_sum().over("annotator"))
    runs = numbered.group_by("annotator", "run").len().group_by("annotator").agg(longest_run=pl.col("len").max())
    return answers.group_by("annotator").agg(commonest=commonest).join(runs, on="annotator")


def _places(answers: pl.DataFrame) -> pl.DataFrame:
    """Where the items named best and worst stand among those shown, from 1; null where they are not among them."""
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
