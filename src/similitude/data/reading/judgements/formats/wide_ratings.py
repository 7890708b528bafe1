"""ratings-wide: a matrix of ratings, with a row per item and a column per rater, or the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from similitude.data.plural import agreeing
from similitude.data.reading.column_names import find_column
from similitude.data.reading.column_types import NUMBER, cast
from similitude.data.reading.format import GENERAL
from similitude.data.reading.judgements.answers import ROW, Answers
from similitude.data.reading.judgements.column_names import (
    ALIASES,
    FACTS,
    TEXTS,
    chosen_columns,
    match_judgement_columns,
    missing_column,
)
from similitude.data.reading.judgements.column_types import matched_facts, scale_of_ratings, text_column
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource
from similitude.data.reading.judgements.item_texts import items_of
from similitude.data.reading.judgements.tables import header_of, read_table, sample_rows
from similitude.data.reading.problems import excerpt, listing
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable

__all__ = ["ratings_wide"]

SUMMARY = "a matrix of ratings: a row per item and a column per rater, or the other way round"
RECOGNISED = "at least two columns hold nothing but numbers and blanks"

MISSING = ("", "na", "n/a", "nan", "null", "none", "*", ".", "-", "?")
"""Values, in lower case, that mean that there is no rating."""

NO_RATER = re.compile(r"^(mean|average|avg|median|std|sd|sigma|var|variance|score|gold|count|n|total|sum|min|max|age|"
                      r"year|length|split|fold|majority|final)([\s_.-].*)?$")  # fmt: skip
"""Names of numeric columns that are not ratings."""

RATER = re.compile(
    r"^(r|rater|raters|a|ann|anno|annotator|coder|worker|observer|obs|judge|user|participant|subject|expert|student|"
    r"person|evaluator|assessor|labeler|rating|score)[\s_.-]*(\d+|[a-z])?$"
)
UNIT = re.compile(r"^(u|unit|item|i|q|question|task|pair|p|s|sent|sentence|doc|example|instance|text)[\s_.-]*\d+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class WideLayout:
    """The layout of a matrix of ratings.

    Attributes:
        key: the column with the names of the rows; None if rows are numbered.
        values: the columns of ratings.
        raters_in_rows: whether a row is a rater and a column an item.
        why: the reason, for the note; empty if the user named the columns.
    """

    key: str | None
    values: tuple[str, ...]
    raters_in_rows: bool
    why: str


def ratings_wide() -> JudgementFormat:
    """Matrices of ratings."""
    return JudgementFormat(
        name="ratings-wide", priority=GENERAL, summary=SUMMARY, recognised=RECOGNISED, fits=_fits, answers=_answers
    )


def _fits(sniffer: Sniffer) -> bool:
    if sniffer.columns.get("raters") or sniffer.columns.get("units"):
        return True
    header, rows = header_of(sniffer), sample_rows(sniffer)
    if not rows or sniffer.looks_like_json:
        return False
    columns = {name: pl.Series([row[at] for row in rows], dtype=pl.String) for at, name in enumerate(header)}
    return len(_ratings(columns, _key(header))) > 1


def _answers(source: JudgementSource) -> list[Answers]:
    table = read_table(source)
    texts = {name: text_column(column) for name, column in table.columns.items()}
    layout = _layout(table, texts, source.columns)
    facts = matched_facts(table, match_judgement_columns(list(texts), FACTS, source.columns, table.file))
    rows, values = _names_of_rows(table, layout, source.columns)
    melted = _melted(texts, layout, values)
    numbers, misfits = cast(melted["value"], NUMBER)
    ours = {"item": "column", "annotator": "name"} if layout.raters_in_rows else {"item": "name", "annotator": "column"}
    frame = melted.with_columns(numbers.alias("value"), pl.col("value").alias("written"))
    frame = frame.rename({theirs: name for name, theirs in ours.items()})
    answers = Answers.of_table(table, frame, facts=facts, scale=scale_of_ratings(facts, table.file), items=rows)
    column = "item" if layout.raters_in_rows else "annotator"
    return [
        answers.with_problems(
            misfits,
            lambda row: f"{excerpt(row['written'])} in column '{row[column]}' is not a number",
            "a rating is a number, with a decimal point; leave the cell empty where there is none",
        ).with_notes(*table.notes, *_notes(table, layout, answers))
    ]


def _layout(table: RawTable, texts: Mapping[str, pl.Series], chosen: Mapping[str, str]) -> WideLayout:
    """The layout of a matrix: as the user says, or inferred from its header or shape."""
    there = list(texts)
    raters = chosen_columns(chosen, "raters", there, table.file)
    units = chosen_columns(chosen, "units", there, table.file)
    key = chosen.get("item") or chosen.get("annotator") or _key(there)
    if key is not None and key not in there:
        raise missing_column(f"no column '{key}'", there, "item", table.file)
    if raters or units:
        return WideLayout(key=key, values=tuple(raters or units), raters_in_rows=not raters, why="")
    values = _ratings(texts, key)
    if len(values) < 2:
        what = f"{'one column holds' if values else 'no column holds'} nothing but numbers and blanks"
        raise missing_column(what, there, "raters", table.file)
    if key is None and there[0] not in values and not _shows_texts(there):
        key = there[0]
    in_rows, why = _orientation(key, values, texts, chosen)
    return WideLayout(key=key, values=tuple(values), raters_in_rows=in_rows, why=why)


def _key(there: Sequence[str]) -> str | None:
    """The column with the names of the rows: one of annotators or items, or the first column if it has no name."""
    named = find_column(there, ALIASES["annotator"]) or find_column(there, ALIASES["item"])
    return named or next((name for name in there[:1] if not name), None)


def _shows_texts(there: Sequence[str]) -> bool:
    return all(find_column(there, ALIASES[name]) for name in ("left", "right"))


def _ratings(columns: Mapping[str, pl.Series], key: str | None) -> list[str]:
    """The columns that hold numbers and blanks and are not known to be something else."""
    free = [name for name in columns if name != key and name not in _known_names(columns)]
    return [name for name in free if _is_rating(columns[name]) and not NO_RATER.match(name.strip().lower())]


def _known_names(there: Iterable[str]) -> set[str]:
    return {found for name in (*TEXTS, *FACTS, "seconds", "round") if (found := find_column(there, ALIASES[name]))}


def _is_rating(column: pl.Series) -> bool:
    given = _blanked(column).drop_nulls()
    return len(given) > 0 and not cast(given, NUMBER).misfits.any()


def _blanked(column: pl.Series) -> pl.Series:
    """The column with null for values that mean that there is no rating."""
    missing = column.str.strip_chars().str.to_lowercase().is_in(list(MISSING))
    return column.to_frame("it").select(pl.when(~missing).then("it")).to_series().alias(column.name)


def _orientation(
    key: str | None, values: Sequence[str], texts: Mapping[str, pl.Series], chosen: Mapping[str, str]
) -> tuple[bool, str]:
    """Whether raters are in rows, and the reason: the name of the key, other names, or the shape."""
    if key is not None and (chosen.get("annotator") == key or find_column([key], ALIASES["annotator"])):
        return True, f"column '{key}' names raters"
    if key is not None and (chosen.get("item") == key or find_column([key], ALIASES["item"])):
        return False, f"column '{key}' names items"
    if _shows_texts(list(texts)):
        return False, "rows show texts"
    names = [] if key is None else texts[key].drop_nulls().to_list()
    if _all_like(RATER, values) or _all_like(UNIT, names):
        return False, "columns are named like raters" if _all_like(RATER, values) else "rows are named like items"
    if _all_like(UNIT, values) or _all_like(RATER, names):
        return True, "columns are named like items" if _all_like(UNIT, values) else "rows are named like raters"
    in_rows = len(values) > len(texts[values[0]])
    return in_rows, "there are more columns than rows" if in_rows else "there are not more columns than rows"


def _all_like(pattern: re.Pattern[str], names: Sequence[str]) -> bool:
    return bool(names) and all(pattern.match(name.strip().lower()) for name in names)


def _names_of_rows(
    table: RawTable, layout: WideLayout, chosen: Mapping[str, str]
) -> tuple[pl.DataFrame | None, pl.Series]:  # fmt: skip
    """The items of the rows if their texts are shown, and a name for each row."""
    matched = match_judgement_columns(list(table.columns), TEXTS, chosen, table.file)
    names = None if layout.key is None else text_column(table.columns[layout.key])
    shown = {name: table.columns[theirs] for name, theirs in matched.items() if theirs not in layout.values}
    items = None if layout.raters_in_rows else items_of(shown, names)
    if names is None:
        names = pl.int_range(1, len(table) + 1, eager=True).cast(pl.String) if items is None else items["id"]
    return items, names


def _melted(texts: Mapping[str, pl.Series], layout: WideLayout, names: pl.Series) -> pl.DataFrame:
    """One row per rating, in reading order; cells without a rating are left out."""
    cells = pl.DataFrame({str(at): _blanked(texts[name]) for at, name in enumerate(layout.values)})
    columns = pl.Series("column", [list(layout.values)], dtype=pl.List(pl.String)).new_from_index(0, cells.height)
    table = (
        cells.select(value=pl.concat_arr(pl.all()).arr.to_list())
        .with_columns(columns, names.alias("name"))
        .with_row_index(ROW)
    )
    return table.explode("value", "column").filter(pl.col("value").is_not_null())


def _notes(table: RawTable, layout: WideLayout, answers: Answers) -> list[str]:
    here, there = ("rater", "item") if layout.raters_in_rows else ("item", "rater")
    other = "units=A,B,C" if not layout.raters_in_rows else "raters=A,B,C"
    blank = len(table) * len(layout.values) - answers.frame.height
    said = f"read as one row for each {here} and one column for each {there}"
    how = f", since {layout.why} (otherwise: --column {other})" if layout.why else ""
    notes = [f"{table.file}: {said}{how}; columns: {listing(layout.values)}"]
    return notes + ([f"{table.file}: {agreeing(blank, 'cell', 'holds', 'hold')} no rating"] if blank else [])
