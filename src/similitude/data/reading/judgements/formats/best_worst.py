"""best-worst-csv: tuples in numbered columns, and the best and worst item of each, by name or by position.

Known layouts: Ruddit (Item1..Item4, BestItem, WorstItem: ids) and SemRel 2024 (SentPair1..4 or pair_1..4, Best and
Worst or Most_Related and Least_Related: pairs of texts as Python lists, positions 1 to 4 as answers; some headers are
misspelt, and two files repeat the header among the rows).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from similitude.data.plural import agreeing
from similitude.data.reading.column_names import find_column, matching_notes
from similitude.data.reading.column_types import TEXTS, cast
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.column_names import (
    ALIASES,
    CONTEXT,
    FACTS,
    chosen_columns,
    match_judgement_columns,
    missing_column,
)
from similitude.data.reading.judgements.column_types import matched_facts, text_column, typed_answers
from similitude.data.reading.judgements.families import numbered_families
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource
from similitude.data.reading.judgements.item_texts import name_pairs
from similitude.data.reading.judgements.tables import header_of, read_table
from similitude.data.reading.problems import listing
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import Column, RawTable

__all__ = ["TupleColumns", "best_worst_answers", "best_worst_csv"]

SUMMARY = "tuples in numbered columns with the best and worst of each, by name or position (Ruddit, SemRel)"
RECOGNISED = "the header has a column for best, one for worst, and numbered columns for the items"

OURS = ("best", "worst", "items", *CONTEXT, *FACTS)
BY_POSITION = "answers are read as positions in the tuple, 1 to {size}"


class TupleColumns(NamedTuple):
    """The columns of tuples and answers.

    Attributes:
        shown: one column for each item of a tuple, by the file's names.
        best: the best item of each row, as written.
        worst: the worst item of each row, as written.
    """

    shown: Mapping[str, Column]
    best: Column
    worst: Column


def best_worst_csv() -> JudgementFormat:
    """Tables of best-worst answers."""
    return JudgementFormat(name="best-worst-csv", summary=SUMMARY, recognised=RECOGNISED, fits=_fits, answers=_answers)


def _fits(sniffer: Sniffer) -> bool:
    there = header_of(sniffer)
    if not all(sniffer.columns.get(name) or find_column(there, ALIASES[name]) for name in ("best", "worst")):
        return False
    return bool(sniffer.columns.get("items") or numbered_families(there) or find_column(there, ALIASES["items"]))


def _answers(source: JudgementSource) -> list[Answers]:
    table = read_table(source)
    there = list(table.columns)
    matched = match_judgement_columns(there, [name for name in OURS if name != "items"], source.columns, table.file)
    for name in ("best", "worst"):
        if name not in matched:
            raise missing_column(f"no column for {name}", there, name, table.file)
    shown = _shown(table, matched, source.columns)
    columns = TupleColumns(
        {name: table.columns[name] for name in shown}, table.columns[matched["best"]], table.columns[matched["worst"]]
    )
    context = {name: table.columns[matched[name]] for name in CONTEXT if name in matched and name != "group"}
    answers = best_worst_answers(table, columns, context, matched)
    notes = (*table.notes, *matching_notes(there, matched, shown))
    return [replace(answers, facts=matched_facts(table, matched), notes=(*notes, *answers.notes))]


def _shown(table: RawTable, matched: Mapping[str, str], chosen: Mapping[str, str]) -> list[str]:
    """The columns of the items: those that the user named, numbered ones, or one that holds lists."""
    there = list(table.columns)
    named = chosen_columns(chosen, "items", there, table.file)
    if named:
        return named
    families = numbered_families(name for name in there if name not in matched.values())
    lists = find_column(there, ALIASES["items"])
    if families:
        return families[0]
    if lists is None:
        raise missing_column("no numbered columns for the items of a tuple", there, "items", table.file)
    return [lists]


def best_worst_answers(
    table: RawTable, columns: TupleColumns, context: Mapping[str, Column], names: Mapping[str, str]
) -> Answers:
    """Best-worst answers, one for each row of a table that does not repeat the header.

    Args:
        table: where the rows come from.
        columns: the tuples and answers.
        context: the columns of question, annotator, round and seconds that the table has.
        names: our names to the file's, for messages.
    """
    answers = typed_answers(table, dict(context), names)
    frame = answers.frame.with_columns(
        items=_tuples(columns.shown), best=text_column(columns.best), worst=text_column(columns.worst)
    )
    body = ~_repeated_header(frame, names)
    heads = int((~body).sum())
    answers = replace(answers, frame=frame.filter(body), sound=answers.sound[body.to_numpy()])
    repeating = agreeing(heads, "row", "repeats", "repeat")
    notes = [f"{table.file}: {repeating} the header; left out"] if heads else []
    frame, by_position = _resolved(answers.frame, list(columns.shown))
    notes += [f"{table.file}: {BY_POSITION.format(size=_largest(frame))}"] if by_position else []
    return _with_pairs(replace(answers, frame=frame, notes=tuple(notes)))


def _tuples(shown: Mapping[str, Column]) -> pl.Series:
    """The items of each row; blank columns at the end of a row do not belong to its tuple."""
    if len(shown) == 1:
        return cast(next(iter(shown.values())), TEXTS).values
    frame = pl.DataFrame({str(at): text_column(column) for at, column in enumerate(shown.values())})
    listed = pl.concat_arr(pl.all()).arr.to_list().alias("items")  # ten times as fast as concat_list
    if not sum(frame.null_count().row(0)):
        return frame.select(listed).to_series()
    return pl.Series("items", [_trimmed(row) for row in frame.rows()], dtype=pl.List(pl.String))


def _trimmed(row: Sequence[str | None]) -> list[str | None]:
    size = max((at for at, item in enumerate(row, start=1) if item is not None), default=0)
    return list(row[:size])


def _repeated_header(frame: pl.DataFrame, names: Mapping[str, str]) -> pl.Series:
    """True for rows whose answers are names of the columns best and worst."""
    plain = pl.col("best", "worst").str.to_lowercase().str.replace_all(r"[\s_-]+", "_")
    heads = {name: {*ALIASES[name], names.get(name, name).lower()} for name in ("best", "worst")}
    both = frame.select(plain).select(
        pl.col("best").is_in(list(heads["best"])) & pl.col("worst").is_in(list(heads["worst"]))
    )
    within = frame.select(pl.col("items").list.contains(pl.col("best"))).to_series().fill_null(value=False)
    return both.to_series().fill_null(value=False) & ~within


def _resolved(frame: pl.DataFrame, shown: Sequence[str]) -> tuple[pl.DataFrame, bool]:
    """The frame with items as answers, and whether the answers were written as positions.

    All answers of a file are read as items, or all as positions, whichever puts more answers into their tuples.
    """
    named = _hits(frame)
    if named == 2 * frame.height:
        return frame, False
    forms = _position_forms(shown, _largest(frame))
    placed = frame.select(_at_position(name, forms) for name in ("best", "worst"))
    if 2 * frame.height - sum(placed.null_count().row(0)) > named:
        return frame.with_columns(placed[name].fill_null(frame[name]) for name in ("best", "worst")), True
    stripped = frame.with_columns(
        pl.col("best", "worst").str.strip_chars(), pl.col("items").list.eval(pl.element().str.strip_chars())
    )
    return (stripped if _hits(stripped) > named else frame), False


def _largest(frame: pl.DataFrame) -> int:
    """The size of the largest tuple."""
    return max(frame["items"].list.len().drop_nulls().to_list(), default=0)


def _at_position(answer: str, forms: Mapping[str, int]) -> pl.Expr:
    """The item at the position that an answer gives; null if it gives none."""
    written = pl.col(answer).str.strip_chars().str.to_lowercase()
    place = written.replace_strict(forms, default=None, return_dtype=pl.Int64)
    return pl.col("items").list.get(place, null_on_oob=True).alias(answer)


def _hits(frame: pl.DataFrame) -> int:
    inside = frame.select(pl.col("items").list.contains(pl.col(name)).sum().alias(name) for name in ("best", "worst"))
    return sum(inside.row(0))


def _position_forms(shown: Sequence[str], size: int) -> dict[str, int]:
    """All ways to write a position, such as 2, 2.0, B, or the name of the column; each with its index."""
    forms: dict[str, int] = {}
    for at in range(size):
        name = shown[at].strip().lower() if len(shown) == size else ""
        letter = chr(ord("a") + at) if at < 26 else ""
        forms |= {form: at for form in (str(at + 1), f"{at + 1}.0", letter, name) if form}
    return forms


def _with_pairs(answers: Answers) -> Answers:
    """The answers with ids for items that are written as two texts."""
    cells = answers.frame["items"].explode().drop_nulls().unique(maintain_order=True).to_list()
    pairs = name_pairs(cells)
    if pairs is None:
        return answers
    frame = answers.frame.with_columns(
        pl.col("best", "worst").replace(pairs.ids), pl.col("items").list.eval(pl.element().replace(pairs.ids))
    )
    unread = len(cells) - len(pairs.ids)
    odd = [f"{unread:,} cells cannot be read as two texts: {listing(c for c in cells if c not in pairs.ids)}"]
    notes = (*answers.notes, *(odd if unread else []))
    return replace(answers, frame=frame, items=pairs.items, notes=notes)
