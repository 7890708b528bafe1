"""Several questions about each item, told apart by a column, which are no repeats of one answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

import polars as pl

from similitude.data.judgements import question_of_items
from similitude.data.reading.judgements.answer_values import answer_texts
from similitude.data.reading.judgements.answers import ROW, Answers
from similitude.data.reading.judgements.time_stamps import is_moment
from similitude.data.reading.problems import excerpt, listing
from similitude.errors import InputError

__all__ = ["refuse_criteria"]

MOST = 0.5
"""If fewer of the items are answered several times by one person, they are control items rather than criteria."""

CRITERION = re.compile(r"^(criteri(on|a)|dimension|aspect|attribute|property|quality|metric|measure|scale|kriterium)")
"""Names of columns of criteria."""

ABOUT = ("language", "domain", "source", "split", "condition")
"""Columns about items that tell apart items whose ids recur."""

SEVERAL = 12
"""A column with more different values is no list of criteria."""


def refuse_criteria(answers: Answers) -> None:
    """Check that no column tells apart several answers of one person to one item, as criteria do.

    Raises:
        InputError: a column does; the message names the option that reads one criterion.
    """
    keyed = _keyed(answers)
    if keyed is None:
        return
    size = pl.len().over("_key")
    repeated = keyed.filter(size > 1)
    if repeated.is_empty() or repeated["_key"].n_unique() < MOST * keyed["_key"].n_unique():
        return
    rows = repeated[ROW].cast(pl.Int64)
    for theirs, column in _candidates(answers):
        if _tells_apart(repeated.with_columns(column.gather(rows).alias("_by"))):
            raise _error(answers, theirs, column.gather(rows), repeated)


def _keyed(answers: Answers) -> pl.DataFrame | None:
    """Who answered about what in which round; None if nobody is named, or too few answered several times."""
    frame = answers.frame
    if "annotator" not in frame.columns or frame["annotator"].null_count() == frame.height:
        return None
    about = question_of_items(pl.col("items")) if answers.kind == "best-worst" else pl.col("item")
    named = frame.select(ROW, "annotator", "round", about.alias("_about")).filter(pl.col("annotator").is_not_null())
    if named.select("annotator", "round", "_about").n_unique() * (1 + MOST) > named.height:
        return None
    return named.with_columns(_key=pl.struct("annotator", "round", "_about").rank("dense"))


def _candidates(answers: Answers) -> Iterator[tuple[str, pl.Series]]:
    """Columns that may hold criteria: the question, and those that were not used."""
    question = answers.columns.get("question")
    rated = answers.kind != "best-worst"  # a question of its own is what best-worst answers have
    names = [question] if rated and question is not None and question != answers.columns.get("item") else []
    about = [answers.columns[name] for name in ABOUT if rated and name in answers.columns]
    for name in (*names, *about, *answers.unused):
        if name in answers.table.columns and (rated or CRITERION.match(name.strip().lower())):
            column = answer_texts(answers.table.columns[name]).str.strip_chars()
            if 1 < column.n_unique() <= SEVERAL and not is_moment(column):
                yield name, column


def _tells_apart(repeated: pl.DataFrame) -> bool:
    """Whether every answer of one person to one item has another value, and values recur with other items."""
    by = pl.col("_by")
    distinct = repeated.select((by.n_unique().over("_key") == pl.len().over("_key")).all()).item()
    items = repeated.group_by("_by").agg(pl.col("_about").n_unique())["_about"]
    recur = bool((items > 1).all())
    return bool(distinct) and not repeated["_by"].null_count() and recur


def _error(answers: Answers, theirs: str, values: pl.Series, repeated: pl.DataFrame) -> InputError:
    shown = values.unique(maintain_order=True).to_list()
    who, about = repeated["annotator"][0], repeated["_about"][0]
    what = (
        f"{excerpt(who)} answered several times about {excerpt(about)}, once for each of {listing(shown)} "
        f"in column '{theirs}': these are answers to different questions"
    )
    remedy = "read one of them with --where NAME=VALUE; if they are rounds of one question: --column round=NAME"
    return InputError(what, where=answers.table.where(int(repeated[ROW][0])), remedy=remedy)
