"""A design: a plan of questions in batches, and the number of annotators for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl

from similitude.collect.design.guarantees import Guarantees, check_tuples, tuple_numbers
from similitude.collect.design.plural import named_few
from similitude.data.frames import Tabular
from similitude.data.item import with_all_columns
from similitude.data.keywords import as_path
from similitude.data.plural import counted
from similitude.data.shown import Shown
from similitude.errors import ArgumentError, InputError

__all__ = ["DESIGN_SCHEMA", "TASKS", "Design", "Kind", "PlannedQuestion", "Task"]

Task = Literal["best-worst", "rating", "verification"]
TASKS: tuple[Task, ...] = ("best-worst", "rating", "verification")
Kind = Literal["work", "gold", "repeat"]

DESIGN_SCHEMA = pl.Schema(
    {
        "question": pl.String(),
        "kind": pl.String(),
        "items": pl.List(pl.String()),
        "group": pl.String(),
        "stratum": pl.String(),
        "batch": pl.Int64(),
        "position": pl.Int64(),
        "repeats": pl.String(),
    }
)
"""The columns of a plan. ``batch`` and ``position`` count from 1 and are null without batches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedQuestion:
    """One question of a plan; a view of one row.

    Attributes:
        question: its name, unique in the plan; judgements refer to it.
        kind: work, gold (the answer is known) or repeat (asked a second time in the same batch).
        items: the items to judge: those of a tuple, or a single one.
        group: what the items share, such as a dialogue.
        stratum: the value by which pages are mixed, such as the number of turns.
        batch: the number of the page or batch, from 1.
        position: the position in the batch, from 1.
        repeats: for a repeat, the original question.
    """

    question: str
    items: tuple[str, ...]
    kind: Kind = "work"
    group: str | None = None
    stratum: str | None = None
    batch: int | None = None
    position: int | None = None
    repeats: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Design(Shown, Tabular):
    """A plan of questions.

    Attributes:
        task: the kind of question.
        frame: one row per question, with the columns of `DESIGN_SCHEMA`, ordered by batch and position.
        per_question: the number of annotators who answer each question.
        seed: the seed of the plan and of the order that each annotator sees.
        repeat_distance: the least distance of a repeat from its original, if the batch is long enough.

    >>> import similitude as sim
    >>> plan = sim.design(["a", "b", "c", "d", "e", "f"], size=3, factor=2)
    >>> len(plan), plan.judgements, plan.to_polars().columns[:3]
    (12, 60, ['question', 'kind', 'items'])
    """

    task: Task
    frame: pl.DataFrame
    per_question: int = 5
    seed: int = 0
    repeat_distance: int = 1

    def __post_init__(self) -> None:
        if self.per_question < 1:
            what = f"{self.per_question} annotators per question"
            raise ArgumentError(what, remedy="every question needs at least one")
        frame = with_all_columns(self.frame, DESIGN_SCHEMA).with_columns(pl.col("kind").fill_null("work"))
        object.__setattr__(self, "frame", frame)
        names = self.frame["question"]
        if names.is_empty():
            raise InputError("no questions", remedy="a plan needs at least one")
        if names.n_unique() < len(names):
            twice = names.filter(names.is_duplicated()).unique(maintain_order=True).to_list()
            raise InputError(f"the question {named_few(twice)} is in the plan twice", remedy="make ids unique")

    def __len__(self) -> int:
        return self.frame.height

    def __iter__(self) -> Iterator[PlannedQuestion]:
        for row in self.frame.iter_rows(named=True):
            yield PlannedQuestion(items=tuple(row.pop("items")), **row)

    def __repr__(self) -> str:
        batches = f" in {counted(self.batches, 'batch')}" if self.batches else ""
        about = f"about {counted(len(self.items), 'item')}, {counted(self.per_question, 'annotator')} each"
        return f"<Design: {counted(len(self), f'{self.task} question')}{batches} {about}>"

    def to_polars(self) -> pl.DataFrame:
        """One row per question, with the columns of `DESIGN_SCHEMA`."""
        return self.frame

    def save(self, path: str | Path) -> Path:
        """Write the plan as JSON lines, one question per line, completely or not at all; an annotation study reads it.

        Raises:
            ArgumentError: the file cannot be written.
        """
        # The files of plans lie above plans, so they are imported by name, when they are asked for.
        target = as_path("path", path)
        written: Path = import_module("similitude.collect.design.files").write_design(self, target)
        return written

    @cached_property
    def items(self) -> list[str]:
        """The ids of the items, in order of first appearance."""
        return self.frame["items"].explode().unique(maintain_order=True).to_list()

    @property
    def batches(self) -> int:
        """The number of pages or batches; 0 if there are none."""
        return self.frame["batch"].drop_nulls().n_unique()

    @property
    def judgements(self) -> int:
        """The number of answers that the plan asks for."""
        return len(self) * self.per_question

    def of_kind(self, kind: Kind) -> pl.DataFrame:
        """The questions of one kind."""
        return self.frame.filter(pl.col("kind") == kind)

    @cached_property
    def guarantees(self) -> Guarantees | None:
        """The guarantees of the tuples, counted from the plan; None if questions have single items."""
        work = self.of_kind("work")
        if self.task != "best-worst" or work["items"].list.len().n_unique() != 1:
            return None
        tuples = work["items"].to_list()
        ids = list(dict.fromkeys(item for items in tuples for item in items))
        numbers = tuple_numbers(tuples, ids)
        if work["group"].null_count():
            return check_tuples(numbers, len(ids))
        group = work["group"].rank("dense").to_numpy().astype(np.intp) - 1
        of_item = np.zeros(len(ids), dtype=np.intp)
        of_item[numbers] = group[:, None]
        return check_tuples(numbers, len(ids), of_item)
