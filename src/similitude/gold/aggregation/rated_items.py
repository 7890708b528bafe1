"""Ratings, checked and grouped by item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.plural import counted, listed
from similitude.data.scale import Scale
from similitude.errors import InputError, ScaleError
from similitude.gold.aggregation.last_answers import last_answers
from similitude.stats.arrays import Array, Integers

__all__ = ["RatedAlike", "RatedItems", "rated_items"]


class RatedAlike(NamedTuple):
    """Items with the same number of ratings.

    Attributes:
        places: row numbers of these items in the table.
        values: items x ratings, in the order in which they were given.
    """

    places: Integers
    values: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatedItems:
    """The ratings that count.

    Attributes:
        long: one row per rating: annotator, round, item, value.
        frame: one row per item: id, ratings, raters, rounds, answers (how many). Empty lists are null.
        notes: what was left out, and other caveats.
    """

    long: pl.DataFrame
    frame: pl.DataFrame
    scale: Scale
    notes: tuple[str, ...]

    def by_number(self) -> Iterator[RatedAlike]:
        """The rated items, grouped by their number of ratings, so that every array is complete."""
        rated = self.frame.select("ratings", "answers").with_row_index("place").filter(pl.col("answers") > 0)
        for (number,), group in rated.group_by("answers", maintain_order=True):
            values = group["ratings"].explode().to_numpy().reshape(group.height, int(str(number)))
            yield RatedAlike(group["place"].to_numpy().astype(np.intp), values)


def rated_items(judgements: Judgements) -> RatedItems:
    """The ratings that count, item by item, in the order in which items were first judged.

    Raises:
        InputError: no answer has a value, or a value is not a number.
        ScaleError: a rating is off the scale.
    """
    long, notes = last_answers(judgements)
    if long.is_empty():
        raise InputError("no answer holds a rating", where=judgements.name, remedy="at least one is needed")
    scale, inferred = _scale_of(judgements, long)
    _refuse_off_scale(long, scale, judgements.name)
    lists = long.group_by(id="item").agg(
        ratings="value", raters=_unless_all_null("annotator"), rounds=_unless_all_null("round"), answers=pl.len()
    )
    frame = pl.DataFrame({"id": judgements.judged}).join(lists, on="id", how="left", maintain_order="left")
    frame = frame.with_columns(pl.col("answers").fill_null(0).cast(pl.Int64))
    return RatedItems(long=long, frame=frame, scale=scale, notes=(*notes, *inferred, *_thin(frame)))


def _unless_all_null(name: str) -> pl.Expr:
    return pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).implode())


def _scale_of(judgements: Judgements, long: pl.DataFrame) -> tuple[Scale, tuple[str, ...]]:
    if judgements.scale is not None:
        return judgements.scale, ()
    scale = Scale.infer(long["value"].to_numpy())
    return scale, (f"the scale {scale} was inferred from the ratings; declare it with --scale",)


def _refuse_off_scale(long: pl.DataFrame, scale: Scale, name: str) -> None:
    off = long.filter(~scale.holds(long["value"].to_numpy()))
    if off.height:
        row = off.row(0, named=True)
        by = f" by '{row['annotator']}'" if row["annotator"] is not None else ""
        what = f"{counted(off.height, 'rating')} off the scale {scale}; the first: {row['value']:g} for '{row['item']}'"
        raise ScaleError(what + by, where=name, remedy="declare the scale that raters saw, or correct the ratings")


def _thin(frame: pl.DataFrame) -> tuple[str, ...]:
    """Notes on items with no usable rating, and with only one."""
    none, one = (frame.filter(pl.col("answers") == number)["id"].to_list() for number in (0, 1))
    told = []
    if none:
        told.append(f"{counted(len(none), 'item')} without a rating, and so without a score: {listed(none)}")
    if one:
        told.append(f"{counted(len(one), 'item')} with one rating, and so without sigma or standard error")
    return tuple(told)
