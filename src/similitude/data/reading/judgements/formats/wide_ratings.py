"""ratings-wide: a matrix of answers, with a row per item and a column per rater, or the other way round.

A matrix of the numbers of answers in each category is read if the user asks for counts, and a cross table of the
answers of two raters if the user asks for a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import polars as pl

from similitude.data.plural import agreeing
from similitude.data.reading.cell_values import NO_VALUE
from similitude.data.reading.column_names import find_column
from similitude.data.reading.format import GENERAL
from similitude.data.reading.judgements.answer_columns import missing_note
from similitude.data.reading.judgements.answer_status import refuse_rejected
from similitude.data.reading.judgements.answer_values import answer_texts, answer_values, blanked, misfit_remedy
from similitude.data.reading.judgements.answers import ROW, WORD, Answers
from similitude.data.reading.judgements.category_counts import counted_answers, counted_columns
from similitude.data.reading.judgements.column_names import (
    ALIASES,
    FACTS,
    TEXTS,
    chosen_columns,
    match_judgement_columns,
)
from similitude.data.reading.judgements.column_types import (
    leading_number,
    matched_facts,
    scale_of_ratings,
    text_column,
)
from similitude.data.reading.judgements.cross_table import cross_table_answers
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource
from similitude.data.reading.judgements.item_texts import items_of
from similitude.data.reading.judgements.summary_rows import without_summary_rows
from similitude.data.reading.judgements.tables import header_of, read_table
from similitude.data.reading.judgements.wide_layout import WideLayout, key_of_rows, named_raters, wide_layout
from similitude.data.reading.problems import excerpt, listing
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable

__all__ = ["ratings_wide"]

SUMMARY = "a matrix of ratings or categories: columns of raters (rater1, coder_A), or those that --column raters= names"
RECOGNISED = "two columns are named like raters (rater1, annotator_2, coder_A); others with --column raters= or units="

NO_WORDS = ("", *(word for word in NO_VALUE if word != "?"))
"""Values, in lower case, that are no category; a question mark may be one."""


def ratings_wide() -> JudgementFormat:
    """Matrices of answers."""
    return JudgementFormat(
        name="ratings-wide", priority=GENERAL, summary=SUMMARY, recognised=RECOGNISED, fits=_fits, answers=_answers
    )


def _fits(sniffer: Sniffer) -> bool:
    return len(named_raters(header_of(sniffer))) > 1


def _answers(source: JudgementSource) -> list[Answers]:
    if source.kind == "table":
        return [cross_table_answers(read_table(source))]
    table = without_summary_rows(read_table(source))
    texts = {name: answer_texts(column) for name, column in table.columns.items()}
    layout = _counts(table, texts, source) if source.kind == "counts" else wide_layout(table, texts, source)
    matched = match_judgement_columns(
        [name for name in texts if name not in layout.values], [*FACTS, *TEXTS], _about(source), table.file
    )
    refuse_rejected(table, (*matched.values(), *layout.values))
    facts = matched_facts(table, matched)
    items, names = _names_of_rows(table, layout, matched)
    if source.kind == "counts":
        answers = counted_answers(table, texts, layout.values, names)
    else:
        answers = _cells(table, texts, layout, names, source)
    key = {} if layout.key is None else {"annotator" if layout.raters_in_rows else "item": layout.key}
    details = {"rows": "raters" if layout.raters_in_rows else "items", **answers.details}
    return [
        replace(
            answers,
            facts={**answers.facts, **facts},
            scale=scale_of_ratings(facts, table.file) if answers.kind == "rating" else None,
            items=items,
            columns={**matched, **key},
            used=layout.values,
            details=details,
            notes=(*table.notes, *answers.notes, *_unused_note(table, layout, matched)),
        )
    ]


def _counts(table: RawTable, texts: Mapping[str, pl.Series], source: JudgementSource) -> WideLayout:
    """The layout of counts: those that the user names, or all columns but those of the items."""
    named = chosen_columns(source.columns, "raters", list(texts), table.file)
    key = key_of_rows(table, texts, "item", named, source)
    if key is not None and not named and key not in (source.columns.get("item"), find_column(texts, ALIASES["item"])):
        key = key if leading_number(texts[key]).is_null().all() else None  # the first column may count, too
    values = named or counted_columns(table, texts, key)
    return WideLayout(key=key, values=tuple(values), raters_in_rows=False)


def _about(source: JudgementSource) -> dict[str, str]:
    """The columns that the user named, without those that the layout has used."""
    return {ours: theirs for ours, theirs in source.columns.items() if ours not in ("raters", "units")}


def _cells(
    table: RawTable, texts: Mapping[str, pl.Series], layout: WideLayout, names: pl.Series, source: JudgementSource
) -> Answers:
    """One answer for each cell that holds one, in reading order."""
    melted = _melted(texts, layout, names)
    plain = blanked(melted["written"], NO_WORDS)
    read = answer_values(plain, source)
    if read.words is None:
        plain = blanked(melted["written"])
        read = answer_values(plain, source)
    elif read.words.drop_nulls().str.strip_chars().n_unique() < 2 and not plain.equals(melted["written"]):
        plain = melted["written"]  # a dash or NA may be the other category
        read = answer_values(plain, source)
    empty = plain.is_null() | pl.Series(read.coded)
    there, here = ("item", "annotator") if layout.raters_in_rows else ("annotator", "item")
    frame = melted.rename({"column": there, "name": here}).with_columns(
        read.words.alias(WORD) if read.words is not None else read.numbers.alias("value")
    )
    answers = Answers.of_table(table, frame).with_problems(
        read.misfits & ~empty.to_numpy(),
        lambda row: f"{excerpt(row['written'])} in column '{row[there]}' is not a number",
        misfit_remedy(source.decimal),
    )
    notes = [*_layout_notes(table, layout), *_blank_note(table, plain.null_count())]
    notes += [*missing_note(read.missing, table.file), *(f"{table.file}: {note}" for note in read.notes)]
    return replace(answers.only(~empty), notes=tuple(notes), missing=read.missing)


def _names_of_rows(
    table: RawTable, layout: WideLayout, matched: Mapping[str, str]
) -> tuple[pl.DataFrame | None, pl.Series]:  # fmt: skip
    """The items of the rows if their texts are shown, and a name for each row."""
    names = None if layout.key is None else text_column(table.columns[layout.key])
    shown = {name: table.columns[matched[name]] for name in TEXTS if name in matched}
    items = None if layout.raters_in_rows else items_of(shown, names)
    if names is None:
        names = pl.int_range(1, len(table) + 1, eager=True).cast(pl.String) if items is None else items["id"]
    return items, names


def _melted(texts: Mapping[str, pl.Series], layout: WideLayout, names: pl.Series) -> pl.DataFrame:
    """One row per cell, in reading order."""
    cells = pl.DataFrame({str(at): texts[name] for at, name in enumerate(layout.values)})
    height, width = cells.height, cells.width
    rows = np.repeat(np.arange(height), width)
    written = cells.select(pl.concat_arr(pl.all()).arr.to_list().alias("written")).explode("written")
    columns = pl.Series("column", list(layout.values))
    return written.with_columns(
        columns.gather(np.tile(np.arange(width), height)),
        names.gather(rows).alias("name"),
        pl.Series(ROW, rows, dtype=pl.UInt32),
    )


def _layout_notes(table: RawTable, layout: WideLayout) -> tuple[str, ...]:
    here, there = ("rater", "item") if layout.raters_in_rows else ("item", "rater")
    said = f"read as one row for each {here} and one column for each {there}"
    how = f", since {layout.why}" if layout.why else ""
    return (f"{table.file}: {said}{how}; columns: {listing(layout.values)}",)


def _blank_note(table: RawTable, blank: int) -> tuple[str, ...]:
    return (f"{table.file}: {agreeing(blank, 'cell', 'holds', 'hold')} no rating",) if blank else ()


def _unused_note(table: RawTable, layout: WideLayout, matched: Mapping[str, str]) -> tuple[str, ...]:
    known = {*matched.values(), *layout.values, layout.key}
    unused = [name for name in table.columns if name and name not in known]
    return (f"{table.file}: columns not used: {listing(unused)}",) if unused else ()
