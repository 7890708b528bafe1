"""best-worst-csv: tuples in numbered columns, and the best and worst item of each, by name or by position.

Known layouts: Ruddit (Item1..Item4, BestItem, WorstItem: ids) and SemRel 2024 (SentPair1..4 or pair_1..4, Best and
Worst or Most_Related and Least_Related: pairs of texts as Python lists, positions 1 to 4 as answers; some headers are
misspelt, and two files repeat the header among the rows).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from similitude.data.plural import agreeing
from similitude.data.reading.cell_values import CellValues
from similitude.data.reading.column_names import find_column, matching_notes
from similitude.data.reading.column_types import TEXTS, cast
from similitude.data.reading.judgements.answer_columns import missing_note, time_column, with_times
from similitude.data.reading.judgements.answer_status import refuse_rejected
from similitude.data.reading.judgements.answers import ROW, Answers
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
from similitude.data.reading.judgements.positions import PositionRules, ResolvedAnswers, resolved_answers
from similitude.data.reading.judgements.tables import header_of, read_table
from similitude.data.reading.problems import listing
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import Column, RawTable

__all__ = ["TupleColumns", "best_worst_answers", "best_worst_csv"]

SUMMARY = "tuples in numbered columns with the best and worst of each, by name or position (Ruddit, SemRel)"
RECOGNISED = "the header has a column for best, one for worst, and numbered columns for the items"

OURS = ("best", "worst", "items", *CONTEXT, *FACTS, "time")
BY_POSITION = "answers are read as positions in the tuple, {first} to {last}"


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
    ours = [name for name in OURS if name != "items"]
    matched = time_column(match_judgement_columns(there, ours, source.columns, table.file), table)
    for name in ("best", "worst"):
        if name not in matched:
            raise missing_column(f"no column for {name}", there, name, table.file)
    shown = _shown(table, matched, source.columns)
    refuse_rejected(table, (*shown, *matched.values()))
    columns = TupleColumns(
        {name: table.columns[name] for name in shown}, table.columns[matched["best"]], table.columns[matched["worst"]]
    )
    context = {name: table.columns[matched[name]] for name in CONTEXT if name in matched and name != "group"}
    facts = matched_facts(table, matched)
    answers = best_worst_answers(table, columns, context, matched, source, are_ids="benchmark" in facts)
    answers = with_times(answers, table.columns[matched["time"]] if "time" in matched else None)
    notes = (*table.notes, *matching_notes(there, matched, shown))
    return [replace(answers, facts=facts, notes=(*notes, *answers.notes), used=tuple(shown))]


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
    table: RawTable,
    columns: TupleColumns,
    context: Mapping[str, Column],
    names: Mapping[str, str],
    source: JudgementSource,
    *,
    are_ids: bool = False,
) -> Answers:
    """Best-worst answers, one for each row of a table that does not repeat the header.

    Args:
        table: where the rows come from.
        columns: the tuples and answers.
        context: the columns of question, annotator, round and seconds that the table has.
        names: our names to the file's, for messages.
        source: what the user said about positions and missing codes.
        are_ids: whether answers are known to be names of items, not positions.
    """
    cells = CellValues(missing=source.missing)
    best, worst = (cells.plain(text_column(column)) for column in (columns.best, columns.worst))
    answers = typed_answers(table, dict(context), names)
    frame = answers.frame.with_columns(
        items=_tuples(columns.shown), best=text_column(best.column), worst=text_column(worst.column)
    )
    answers = _body(replace(answers, frame=frame), names)
    answers = _without_missing(answers, Counter(best.missing) + Counter(worst.missing))
    rows = answers.frame[ROW].to_list()
    rules = PositionRules(
        shown=list(columns.shown),
        where=lambda at: table.where(rows[at]),
        positions_from=source.positions_from,
        are_ids=are_ids or source.answers_are == "names",
        are_positions=source.answers_are == "positions",
    )
    resolved = resolved_answers(answers.frame, rules)
    notes = [f"{table.file}: {_said(resolved)}"] if resolved.positions else []
    details = {"positions": resolved.positions or "none, answers are names of items"}
    return _with_pairs(
        replace(answers, frame=resolved.frame, notes=(*answers.notes, *notes), details=details, columns=names)
    )


def _body(answers: Answers, names: Mapping[str, str]) -> Answers:
    """The answers without rows that repeat the header, and a note on them."""
    heads = _repeated_header(answers.frame, names)
    if not heads.any():
        return answers
    repeating = agreeing(int(heads.sum()), "row", "repeats", "repeat")
    return answers.only(~heads).with_notes(f"{answers.table.file}: {repeating} the header; left out")


def _without_missing(answers: Answers, missing: Mapping[str, int]) -> Answers:
    """The answers without rows in which best or worst is a code for no answer."""
    if not missing:
        return answers
    kept = answers.only(answers.frame["best"].is_not_null() & answers.frame["worst"].is_not_null())
    return replace(kept.with_notes(*missing_note(missing, answers.table.file)), missing=dict(missing))


def _said(resolved: ResolvedAnswers) -> str:
    size = max(resolved.frame["items"].list.len().drop_nulls().to_list(), default=0)
    first, last = (0, size - 1) if resolved.positions == "from 0" else (1, size)
    return BY_POSITION.format(first=first, last=last)


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
