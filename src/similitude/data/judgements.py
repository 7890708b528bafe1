"""Judgements: a table of answers of one kind, with the items that were judged."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.data.extreme_numbers import extreme_numbers
from similitude.data.frames import Tabular
from similitude.data.item import ITEM_SCHEMA, with_all_columns
from similitude.data.judgement import BEST_WORST_SCHEMA, RATING_SCHEMA
from similitude.data.plural import listed
from similitude.data.provenance import Provenance
from similitude.data.scale import Scale
from similitude.data.shown import Shown
from similitude.errors import InputError

__all__ = [
    "ADJUDICATION",
    "FIRST_ROUND",
    "KEEPS_NONE",
    "Judgements",
    "Kind",
    "RatingMatrix",
    "question_of_items",
    "rating_matrix",
    "with_defaults",
]

Kind = Literal["best-worst", "rating", "category"]

KEEPS_NONE = "this benchmark keeps no judgements, only scores"

ADJUDICATION = "adjudication"
"""The round of rows that are a leader's decision on a question, and no annotator's answer."""

FIRST_ROUND = "first"
"""The round of answers that name no round."""


WITH_GROUPS = "usts-groups"
"""The format that puts the group of a rater before a slash."""

UNNAMED = (
    "name them in a column, or say --positions-are-people if the ratings at one place of every list are by one person"
)


class RatingMatrix(NamedTuple):
    """Ratings as one array.

    Attributes:
        values: raters x items; nan where a rater did not rate an item.
        raters: the rater of each row, in order of first appearance.
        items: the item of each column, in order of first appearance.
    """

    values: NDArray[np.float64]
    raters: list[str]
    items: list[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class Judgements(Shown, Tabular):
    """Answers of one kind: best-worst, ratings or categories.

    A comparison of two items (A is better than B) is a best-worst answer about a tuple of two. Every answer
    belongs to a question and a round. By default the question is the item or, for best-worst, the set of items
    (`question_of_items`), and the round is the first.

    Attributes:
        name: their name in tables.
        frame: one row per answer, with the columns of `BEST_WORST_SCHEMA` or `RATING_SCHEMA`.
        scale: the scale of the ratings; None for other kinds.
        items: the items judged, with the columns of `ITEM_SCHEMA`; None if their texts are not known.
        provenance: where they come from, what is unusual, and what was left out.
        licence: the terms under which the texts may be used, if known.
        categories: the categories in words, to which the values 0.0, 1.0, ... of the answers refer; empty for other
            kinds.
        superseded: earlier answers that do not count, because their annotators gave later ones; None if there are none.
        adjudicated: the decisions of leaders, one per question, with the columns of ``frame``; no figure of agreement
            uses them, and gold only where it is asked to. None if there are none.

    >>> import similitude as sim
    >>> answers = sim.read_judgements({"item": ["1", "1"], "annotator": ["ann", "bob"], "rating": [3, 4]}, name="made")
    >>> answers.kind, answers.annotators, answers.matrix().values
    ('rating', ['ann', 'bob'], array([[3.],
           [4.]]))
    """

    name: str
    frame: pl.DataFrame
    scale: Scale | None = None
    items: pl.DataFrame | None = None
    provenance: Provenance = field(default_factory=Provenance)
    licence: str | None = None
    categories: tuple[str, ...] = ()
    superseded: pl.DataFrame | None = None
    adjudicated: pl.DataFrame | None = None

    def __post_init__(self) -> None:
        if self.frame.is_empty():
            raise InputError("no judgements", where=self.name, remedy="at least one answer is needed")
        schema = BEST_WORST_SCHEMA if "best" in self.frame.columns else RATING_SCHEMA
        object.__setattr__(self, "frame", with_defaults(with_all_columns(self.frame, schema)))
        if "value" in schema:
            extreme = extreme_numbers(self.frame["value"].cast(pl.Float64).to_numpy())
            if extreme is not None:
                raise InputError(extreme[0], where=self.name, remedy=extreme[1])
        for name in ("superseded", "adjudicated"):
            rows = getattr(self, name)
            if rows is not None:
                object.__setattr__(self, name, with_defaults(with_all_columns(rows, schema)))
        if self.items is not None:
            object.__setattr__(self, "items", with_all_columns(self.items, ITEM_SCHEMA))

    @classmethod
    def of_benchmark(cls, benchmark: Benchmark, *, positions_are_people: bool = False) -> Judgements:
        """The judgements behind the gold of a benchmark.

        Args:
            benchmark: one that keeps its judgements.
            positions_are_people: whether the ratings at one place of lists without names are by one person, who is then
                named after the place: 1, 2, and so on. By default such ratings have no annotator.

        Raises:
            InputError: the benchmark keeps no judgements.
        """
        frame = benchmark.judgements
        if frame is None:
            frame = _kept_ratings(benchmark, positions_are_people)
        return cls(
            name=benchmark.name,
            frame=frame,
            scale=None if "best" in frame.columns else benchmark.scale,
            items=benchmark.frame.select(ITEM_SCHEMA.names()),
            provenance=replace(benchmark.provenance, aggregation=None),
            licence=benchmark.licence,
        )

    def to_polars(self) -> pl.DataFrame:
        """One row per answer, without empty columns, and with columns for the scale and other facts.

        `similitude.read_judgements` makes the same judgements of it; the texts are another table, so give them along:
        ``similitude.read_judgements(judgements.to_pandas(), items=judgements.items)``.
        """
        # The writers lie above the nouns, so they are imported by name, when they are asked for.
        table: pl.DataFrame = import_module("similitude.data.writing.judgements").judgement_table(self)
        return table

    def to_hf(self) -> Any:
        """The table of `to_polars` as a ``datasets.Dataset``.

        Raises:
            MissingExtraError: Hugging Face ``datasets`` is not installed.
        """
        return import_module("similitude.data.writing.huggingface").dataset_of_judgements(self)

    def __len__(self) -> int:
        return self.frame.height

    def __repr__(self) -> str:
        return f"<Judgements '{self.name}': {len(self):,} {self.kind} answers about {len(self.judged):,} items>"

    @property
    def kind(self) -> Kind:
        """The kind of the answers: best-worst, rating or category."""
        if "best" in self.frame.columns:
            return "best-worst"
        return "category" if self.categories else "rating"

    @cached_property
    def judged(self) -> list[str]:
        """The ids of the items judged, in order of first appearance."""
        column = pl.col("items").explode() if self.kind == "best-worst" else pl.col("item")
        return self.frame.select(column).to_series().drop_nulls().unique(maintain_order=True).to_list()

    @cached_property
    def annotators(self) -> list[str]:
        """The annotators, in order of first appearance; empty if none is named."""
        return self.frame["annotator"].drop_nulls().unique(maintain_order=True).to_list()

    def with_items(self, benchmark: Benchmark) -> Judgements:
        """The judgements with the texts of the items, which a benchmark has; items that nobody judged are left out.

        Raises:
            InputError: an answer is about an item that the benchmark does not have.
        """
        unknown = pl.Series(self.judged, dtype=pl.String)
        unknown = unknown.filter(~unknown.is_in(benchmark.frame["id"].implode()))
        if len(unknown):
            there = f"{len(unknown):,} of {len(self.judged):,} judged items are not in '{benchmark.name}'"
            remedy = "give all items, with the ids that the answers use"
            raise InputError(f"{there}: {listed(unknown)}", where=self.name, remedy=remedy)
        judged = benchmark.items.frame.filter(pl.col("id").is_in(self.judged))
        return replace(self, items=judged, licence=self.licence or benchmark.licence)

    def rated(self) -> pl.DataFrame:
        """The rows with a rating, without those whose rater said that the question does not apply."""
        return self.frame.filter(pl.col("value").is_not_null())

    def matrix(self) -> RatingMatrix:
        """Ratings as raters x items. If a rater rated an item several times, the last rating counts.

        Raises:
            InputError: annotators are not named.
        """
        return rating_matrix(self.rated())


def question_of_items(items: pl.Expr) -> pl.Expr:
    r"""The default question of a tuple: its items, sorted, so that the order in which they were shown does not matter.

    >>> shown = pl.DataFrame({"items": [["b", "a"], ["a", "b"], ["a", "b|c"]]})
    >>> shown.select(question_of_items(pl.col("items"))).to_series().to_list()
    ['a|b', 'a|b', 'a|b\\|c']
    """
    # Bars inside ids are escaped; otherwise (a, b|c) and (a|b, c) would be the same question.
    escaped = pl.element().str.replace_all("\\", "\\\\", literal=True).str.replace_all("|", "\\|", literal=True)
    return items.list.eval(escaped.sort()).list.join("|")


def with_defaults(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with default questions and rounds: the item or the set of items, and the first round."""
    if frame["question"].null_count():
        name = question_of_items(pl.col("items")) if "items" in frame.columns else pl.col("item")
        frame = frame.with_columns(question=pl.col("question").fill_null(name))
    return frame.with_columns(pl.col("round").fill_null(FIRST_ROUND))


def rating_matrix(rated: pl.DataFrame) -> RatingMatrix:
    """Ratings as raters x items, from a table with the columns annotator, item and value.

    If a rater rated an item several times, the last rating counts.

    Raises:
        InputError: annotators are not named.

    >>> made = pl.DataFrame({"annotator": ["x", "y", "x"], "item": ["a", "a", "b"], "value": [1.0, 2.0, 3.0]})
    >>> rating_matrix(made).values
    array([[ 1.,  3.],
           [ 2., nan]])
    """
    if rated["annotator"].null_count():
        raise InputError("annotators are not named", remedy=UNNAMED)
    once = rated.unique(["annotator", "item"], keep="last", maintain_order=True)
    raters, items = (rated[name].unique(maintain_order=True) for name in ("annotator", "item"))
    values = np.full((len(raters), len(items)), np.nan)
    row, column = (
        once[name].replace_strict(names, pl.int_range(len(names), eager=True), return_dtype=pl.Int64).to_numpy()
        for name, names in (("annotator", raters), ("item", items))
    )
    values[row, column] = once["value"].to_numpy()
    return RatingMatrix(values, raters.to_list(), items.to_list())


def _kept_ratings(benchmark: Benchmark, positions_are_people: bool) -> pl.DataFrame:
    rated = benchmark.frame.filter(pl.col("ratings").list.len() > 0)
    if rated.is_empty():
        where = ", ".join(benchmark.provenance.files) or benchmark.name
        remedy = "use a file with the rating of every rater, or name the columns of raters: --column raters=A,B,C"
        raise InputError(KEEPS_NONE, where=where, remedy=remedy)
    # The place of a rating in its list names the rater only if the user says so: lists are often sorted or shuffled.
    unnamed = pl.col("ratings").list.eval(pl.lit(None, dtype=pl.String))
    once = pl.col("ratings").list.eval(pl.lit("first"))
    table = rated.select(
        item=pl.col("id"),
        question=pl.col("id"),
        value=pl.col("ratings"),
        annotator=pl.col("raters").fill_null(unnamed),
        round=pl.col("rounds").fill_null(once),
    ).explode("value", "annotator", "round")
    if positions_are_people:
        table = table.with_columns(pl.col("annotator").fill_null(_place_in_round(table)))
    if benchmark.provenance.format != WITH_GROUPS:
        return table.with_columns(group=pl.lit(None, dtype=pl.String))
    return table.with_columns(group=pl.col("annotator").str.split("/").list.first())


def _place_in_round(table: pl.DataFrame) -> pl.Series:
    """A name for each rating: its place among those of its round, with the name of a later round: 1, 2, second 1."""
    place = pl.int_range(1, pl.len() + 1).over("item", "round").cast(pl.String)
    later = pl.col("round") + " " + place
    return table.select(pl.when(pl.col("round") == FIRST_ROUND).then(place).otherwise(later)).to_series()
