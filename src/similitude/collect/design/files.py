"""Plans as JSON Lines files with one question per line.

Beside the columns of `DESIGN_SCHEMA`, every line holds the attributes of the whole plan (``task``, ``per_question``,
``seed``, ``repeat_distance``), so that a part of a plan can be used by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from similitude.collect.design.design import DESIGN_SCHEMA, Design, Kind, Task
from similitude.collect.design.plural import named_few
from similitude.data.reading.json_text import read_json_lines
from similitude.data.reading.problems import settle
from similitude.data.writing.atomic import write_atomically
from similitude.errors import InputError

__all__ = ["read_design", "write_design"]

WHOLE = ("task", "per_question", "seed", "repeat_distance")
Name = Annotated[str, Field(min_length=1)]


class _Line(BaseModel):
    """One line of a plan."""

    model_config = ConfigDict(strict=True, extra="ignore")

    question: Name
    items: list[Name] = Field(min_length=1)
    kind: Kind = "work"
    group: str | None = None
    stratum: str | None = None
    batch: int | None = Field(default=None, ge=1)
    position: int | None = Field(default=None, ge=1)
    repeats: str | None = None
    task: Task
    per_question: int = Field(default=1, ge=1)
    seed: int = 0
    repeat_distance: int = Field(default=1, ge=1)


def write_design(design: Design, path: str | Path) -> Path:
    """Write a plan atomically as JSON Lines.

    Raises:
        ArgumentError: the file cannot be written.
    """
    target = Path(path)
    whole = [pl.lit(getattr(design, name)).alias(name) for name in WHOLE]
    table = design.frame.with_columns(whole)
    write_atomically(target, table.write_ndjson)
    return target


def read_design(path: str | Path) -> Design:
    """Read a plan that `write_design` wrote, or one written by hand.

    ``question``, ``items`` and ``task`` are required; the rest has defaults.

    Raises:
        InputError: a line is invalid, a question occurs twice, a repeat is not in the batch of its original, or
            lines differ in an attribute of the whole plan.
    """
    source = Path(path)
    table = read_json_lines(source)
    settle(table.problems, "stop")
    names = list(table.columns)
    cells = zip(*table.columns.values(), strict=True)
    lines = [_line(dict(zip(names, row, strict=True)), table.where(place)) for place, row in enumerate(cells)]
    whole = _the_same_throughout(lines, source.name)
    frame = pl.DataFrame([line.model_dump(include=set(DESIGN_SCHEMA)) for line in lines], schema=DESIGN_SCHEMA)
    _refuse_stray_repeats(frame, source.name)
    return Design(frame=frame.sort("batch", "position", nulls_last=True, maintain_order=True), **whole)


def _line(values: dict[str, Any], where: str) -> _Line:
    try:
        return _Line.model_validate({name: value for name, value in values.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        remedy = 'a line reads {"question": "q1", "items": ["a", "b", "c"], "task": "best-worst", ...}'
        raise InputError(f"{field}: {first['msg'].lower()}", where=where, remedy=remedy) from None


def _the_same_throughout(lines: Sequence[_Line], name: str) -> dict[str, Any]:
    whole = {}
    for field in WHOLE:
        values = list(dict.fromkeys(getattr(line, field) for line in lines))
        if len(values) > 1:
            what = f"lines differ in {field}: {named_few([str(value) for value in values])}"
            raise InputError(what, where=name, remedy="keep different plans in different files")
        whole[field] = values[0]
    return whole


def _refuse_stray_repeats(frame: pl.DataFrame, name: str) -> None:
    originals = frame.filter(pl.col("kind") != "repeat").select(pl.col("question").alias("repeats"), "batch")
    repeats = frame.filter(pl.col("kind") == "repeat")
    stray = repeats.join(originals, on=["repeats", "batch"], how="anti", nulls_equal=True)["question"].to_list()
    if stray:
        what = f"the repeat {named_few(stray)} is not in the batch of the question that it repeats"
        raise InputError(what, where=name, remedy="name that question under 'repeats', in the same batch")
