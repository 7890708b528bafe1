"""Judgements: a table of people's answers of one kind, with what is known of the items that they judged."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark, Provenance
from similitude.data.item import ITEM_SCHEMA, with_all_columns
from similitude.data.judgement import BEST_WORST_SCHEMA, RATING_SCHEMA
from similitude.data.scale import Scale
from similitude.errors import InputError

__all__ = ["FIRST_ROUND", "Judgements", "Kind", "RatingMatrix", "rating_matrix", "tuple_name", "with_defaults"]

Kind = Literal["best-worst", "rating"]

FIRST_ROUND = "first"
"""The round of an answer that names none."""


class RatingMatrix(NamedTuple):
    """Ratings as one array.

    Attributes:
        values: raters x items; nan where a rater did not rate an item.
        raters: names of the rows, in order of first appearance.
        items: ids of the columns, in order of first appearance.
    """

    values: NDArray[np.float64]
    raters: list[str]
    items: list[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class Judgements:
    """Answers of one kind: best-worst or ratings.

    Every answer belongs to a question and a round. Where no question is given it is the item, or for best-worst the
    set of items (`tuple_name`); where no round is given it is the first.

    Attributes:
        name: what to call them.
        frame: one row an answer, with the columns of `BEST_WORST_SCHEMA` or `RATING_SCHEMA`.
        scale: the scale that ratings were given on; None for best-worst.
        items: the items judged, with the columns of `ITEM_SCHEMA`, where their texts are known.
        provenance: where they come from, what was odd, and what was left out.
        licence: under which terms the texts may be used, where known.
    """

    name: str
    frame: pl.DataFrame
    scale: Scale | None = None
    items: pl.DataFrame | None = None
    provenance: Provenance = field(default_factory=Provenance)
    licence: str | None = None

    def __post_init__(self) -> None:
        if self.frame.is_empty():
            raise InputError("no judgements", where=self.name, remedy="at least one answer is needed")
        schema = BEST_WORST_SCHEMA if "best" in self.frame.columns else RATING_SCHEMA
        object.__setattr__(self, "frame", with_defaults(with_all_columns(self.frame, schema)))
        if self.items is not None:
            object.__setattr__(self, "items", with_all_columns(self.items, ITEM_SCHEMA))

    @classmethod
    def of_benchmark(cls, benchmark: Benchmark) -> Judgements:
        """The judgements that a benchmark keeps beside its gold.

        Raises:
            InputError: it keeps none.
        """
        frame = benchmark.judgements
        if frame is None:
            frame = _kept_ratings(benchmark)
        return cls(
            name=benchmark.name,
            frame=frame,
            scale=None if "best" in frame.columns else benchmark.scale,
            items=benchmark.frame.select(ITEM_SCHEMA.names()),
            provenance=replace(benchmark.provenance, aggregation=None),
            licence=benchmark.licence,
        )

    def __len__(self) -> int:
        return self.frame.height

    def __repr__(self) -> str:
        return f"<Judgements '{self.name}': {len(self):,} {self.kind} answers about {len(self.judged):,} items>"

    @property
    def kind(self) -> Kind:
        """What was asked."""
        return "best-worst" if "best" in self.frame.columns else "rating"

    @cached_property
    def judged(self) -> list[str]:
        """Ids of the items judged, in order of first appearance."""
        column = pl.col("items").explode() if self.kind == "best-worst" else pl.col("item")
        return self.frame.select(column).to_series().drop_nulls().unique(maintain_order=True).to_list()

    @cached_property
    def annotators(self) -> list[str]:
        """Names of those who answered, in order of first appearance; empty where nobody is named."""
        return self.frame["annotator"].drop_nulls().unique(maintain_order=True).to_list()

    def rated(self) -> pl.DataFrame:
        """The rows that hold a rating: not those where the rater found that the question does not apply."""
        return self.frame.filter(pl.col("value").is_not_null())

    def matrix(self) -> RatingMatrix:
        """Ratings as raters x items. Of several ratings of one item by one rater the first counts."""
        return rating_matrix(self.rated())


def tuple_name(items: pl.Expr) -> pl.Expr:
    r"""The name of a question that has none: its items, sorted, so that it is the same in whatever order they stood.

    >>> shown = pl.DataFrame({"items": [["b", "a"], ["a", "b"], ["a", "b|c"]]})
    >>> shown.select(tuple_name(pl.col("items"))).to_series().to_list()
    ['a|b', 'a|b', 'a|b\\|c']
    """
    # Bars that belong to an id are escaped, else (a, b|c) and (a|b, c) would be one question.
    escaped = pl.element().str.replace_all("\\", "\\\\", literal=True).str.replace_all("|", "\\|", literal=True)
    return items.list.eval(escaped.sort()).list.join("|")


def with_defaults(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with a question and a round in every row: the item, or the set of items, and the first round."""
    if frame["question"].null_count():
        name = tuple_name(pl.col("items")) if "items" in frame.columns else pl.col("item")
        frame = frame.with_columns(question=pl.col("question").fill_null(name))
    return frame.with_columns(pl.col("round").fill_null(FIRST_ROUND))


def rating_matrix(rated: pl.DataFrame) -> RatingMatrix:
    """The ratings of a table with the columns annotator, item and value, as raters x items.

    >>> made = pl.DataFrame({"annotator": ["x", "y", "x"], "item": ["a", "a", "b"], "value": [1.0, 2.0, 3.0]})
    >>> rating_matrix(made).values
    array([[ 1.,  3.],
           [ 2., nan]])
    """
    once = rated.unique(["annotator", "item"], keep="first", maintain_order=True)
    raters, items = (once[name].unique(maintain_order=True) for name in ("annotator", "item"))
    values = np.full((len(raters), len(items)), np.nan)
    row, column = (
        once[name].replace_strict(names, pl.int_range(len(names), eager=True), return_dtype=pl.Int64).to_numpy()
        for name, names in (("annotator", raters), ("item", items))
    )
    values[row, column] = once["value"].to_numpy()
    return RatingMatrix(values, raters.to_list(), items.to_list())


def _kept_ratings(benchmark: Benchmark) -> pl.DataFrame:
    rated = benchmark.frame.filter(pl.col("ratings").list.len() > 0)
    if rated.is_empty():
        what = "no judgements are kept in this benchmark, only scores"
        raise InputError(what, where=benchmark.name, remedy="use a file that has every rater's rating")
    # Where nobody is named, the place of a rating in its list stands for the rater.
    places = pl.int_ranges(1, pl.col("ratings").list.len() + 1).cast(pl.List(pl.String))
    once = pl.col("ratings").list.eval(pl.lit("first"))
    table = rated.select(
        item=pl.col("id"),
        question=pl.col("id"),
        value=pl.col("ratings"),
        annotator=pl.col("raters").fill_null(places),
        round=pl.col("rounds").fill_null(once),
    )
    return table.explode("value", "annotator", "round").with_columns(group=_group_of(pl.col("annotator")))


def _group_of(annotator: pl.Expr) -> pl.Expr:
    """The group of raters, which `usts-groups` writes before a slash."""
    return pl.when(annotator.str.contains("/", literal=True)).then(annotator.str.split("/").list.first())
