"""Gold scores, for the terminal and as a page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl
from rich.console import Group, RenderableType
from rich.text import Text

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.drawing import Figure, Panel, histogram_of
from similitude.drawing.histogram import BINS
from similitude.gold.aggregation import Aggregated
from similitude.gold.reliability.agreement import Agreement
from similitude.report.gold_labels import item_texts, label_tables
from similitude.report.page.sheet import Section, Sheet
from similitude.report.reading_lines import reading_lines
from similitude.report.reliability import (
    about_judgements,
    agreement_table,
    left_out_words,
    rejection_tables,
    simulated_words,
)
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.terminal import terminal_table

__all__ = ["gold_sheet", "gold_view"]

MOST_ITEMS = 5
"""Number of items shown at each end."""
MOST_LEFT_OUT = 20
NUMBERS = ("score", "standard_error", "sigma", "answers", "best", "worst", "applies_share")
"""Columns of scores that tables show."""


def gold_view(judgements: Judgements, made: Aggregated) -> RenderableType:
    """The method, the items at both ends, the raters, what was left out, and notes."""
    parts: list[RenderableType] = [Text(f"{judgements.name}: {about_judgements(judgements)}", style="bold")]
    if words := simulated_words(judgements):
        parts.append(Text(words, style="bold yellow"))
    scale = "" if made.scale is None else f"; scale {made.scale}"
    parts += [Text(f"{made.how}{scale}"), *(terminal_table(table) for table in _tables(judgements, made))]
    origin = judgements.provenance
    parts += [Text(words, style="yellow") for words in left_out_words(origin)]
    return Group(*parts, *(Text(f"note: {note}", style="dim") for note in (*origin.notes, *made.notes)))


def _tables(judgements: Judgements, made: Aggregated) -> list[Table]:
    """The tables that the terminal and the page have in common."""
    of_items = [_ends(judgements, made)] if made.scale is not None else list(label_tables(judgements, made))
    of_people = [] if made.annotators is None else [_annotators(made.annotators)]
    return [*of_items, *of_people, *([] if made.rejected is None else rejection_tables(made.rejected))]


def _ends(judgements: Judgements, made: Aggregated) -> Table:
    """The items with the highest and the lowest scores."""
    ordered = made.frame.drop_nulls("score").sort("score", descending=True, maintain_order=True)
    both = pl.concat([ordered.head(MOST_ITEMS), ordered.tail(MOST_ITEMS)])
    shown = both if ordered.height > 2 * MOST_ITEMS else ordered
    names = [name for name in NUMBERS if name in shown.columns]
    texts = item_texts(judgements)
    rows = tuple(
        (TableCell(text=row["id"]), *(_number(row[name]) for name in names), *_pair(texts, row["id"]))
        for row in shown.iter_rows(named=True)
    )
    columns = (
        TableColumn(head="item", is_number=False, is_header=True),
        *(TableColumn(head=name.replace("_", " ")) for name in names),
        *([TableColumn(head="texts", is_number=False)] if texts else []),
    )
    caption = f"The {len(rows)} items at both ends, of {ordered.height:,} with a score."
    return Table(name="ends", caption=caption, columns=columns, rows=rows)


def _pair(texts: Mapping[str, str], name: str) -> Iterator[TableCell]:
    if texts:
        yield TableCell(text=texts.get(name, ""))


def _number(value: Any) -> TableCell:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return TableCell(text="–")
    return TableCell(text=f"{value:,}" if isinstance(value, int) else f"{value:.3f}", value=float(value))


def _annotators(table: pl.DataFrame) -> Table:
    """The method's estimates about annotators."""
    names = [name for name, dtype in table.schema.items() if dtype.is_numeric()]
    rows = tuple(
        (TableCell(text=str(row["annotator"])), *(_number(row[name]) for name in names))
        for row in table.iter_rows(named=True)
    )
    heads = (TableColumn(head=name.replace("_", " ")) for name in names)
    columns = (TableColumn(head="annotator", is_number=False, is_header=True), *heads)
    return Table(
        name="annotator-effects",
        caption="The method's estimates about each annotator.",
        columns=columns,
        rows=rows,
        is_sortable=True,
    )


def gold_sheet(judgements: Judgements, made: Aggregated, figures: Sequence[Agreement], level: float) -> Sheet:
    """The page: scores and their distribution, reliability, provenance."""
    tables = tuple(_tables(judgements, made))
    origin = judgements.provenance
    is_scored = made.scale is not None
    figures_of_scores = (_spread(made, made.scale),) if made.scale is not None else ()
    sections = (
        Section(name="scores", title="Scores" if is_scored else "Labels", figures=figures_of_scores, tables=tables),
        Section(
            name="reliability",
            title="Reliability",
            tables=(agreement_table("reliability", "Reliability of the judgements", figures, level),),
        ),
        Section(
            name="provenance",
            title="Provenance",
            words=(
                *(f"Warning: {warning}" for warning in origin.warnings),
                *left_out_words(origin, MOST_LEFT_OUT),
                *origin.notes,
                *made.notes,
            ),
            facts=(
                ("files", ", ".join(origin.files)),
                ("format", origin.format),
                ("aggregation", made.how),
                *(line for reading in origin.readings for line in reading_lines(reading)),
            ),
        ),
    )
    known = made.frame["score" if is_scored else "label"].drop_nulls()
    have = f"{len(known):,} items have {f'a score on {made.scale}' if is_scored else 'a label'}"
    return Sheet(
        kind="gold",
        name=judgements.name,
        about=about_judgements(judgements),
        summary=f"{made.how[0].upper()}{made.how[1:]}. {have}.",
        simulated=simulated_words(judgements),
        sections=sections,
    )


def _spread(made: Aggregated, scale: Scale) -> Figure:
    """Distributions of scores, standard deviations and standard errors."""
    panels = []
    for name, title, ends in (
        ("score", "score", (scale.low, scale.high)),
        ("sigma", "standard deviation of opinions", None),
        ("standard_error", "standard error of the score", None),
    ):
        if name in made.frame.columns:
            values = made.frame[name].cast(pl.Float64).drop_nulls().drop_nans().to_numpy()
            if values.size:
                panels.append(
                    Panel(
                        title, f"mean {values.mean():.2f}", histogram_of(f"Distribution of the {title}", values, ends)
                    )
                )
    return Figure(tuple(panels), f"Share of items in {BINS} equal steps.")
