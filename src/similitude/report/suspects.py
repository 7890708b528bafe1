"""Suspect labels for the terminal and as cards, and what to do with them next."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import RenderableType

from similitude.drawing import strip
from similitude.drawing.axes import Span
from similitude.report.page.disagreements import Card
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.terminal import terminal_view
from similitude.study.suspects import Suspects

__all__ = ["next_steps", "suspect_cards", "suspects_summary", "suspects_table", "suspects_view"]

SHOWN = 10
LONGEST = 700
"""Texts on cards are cut after this many characters."""
HEADS = (("item", False), ("given", True), ("expected", True), ("wrong", True), ("verdict", False))


def suspects_view(found: Suspects) -> RenderableType:
    """The share of wrong labels, the most probable suspects, and why they are."""
    shown = found.suspects.head(SHOWN)
    if shown.is_empty():
        return terminal_view(suspects_summary(found), [], notes=[f"{_sources(found)}."])
    more = found.count - shown.height
    caption = f"{_sources(found)}." + (f" {more:,} more suspects: --out, --page." if more else "")
    why = (f"{row['id']}: {row['reason']}" for row in shown.iter_rows(named=True))
    return terminal_view(suspects_summary(found), [suspects_table(shown, caption)], notes=why)


def suspects_summary(found: Suspects) -> str:
    """The main result in a sentence or two."""
    share = f"{found.name}: of {len(found):,} labels, {found.share_text} are estimated to be wrong"
    if not found.count:
        highest = float(found.table["wrong_probability"][0])
        return f"{share}; none is wrong with a probability of {found.probability:g} or more (highest: {highest:.2f})"
    which = "the most probable" if found.probability is None else f"with a probability of {found.probability:g} or more"
    right = f"about {found.expected_right:,.0f} of them are expected to be right after all"
    noun = "suspect" if found.count == 1 else "suspects"
    return f"{share}; {found.count:,} {noun} ({which}), {right}"


def suspects_table(rows: pl.DataFrame, caption: str) -> Table:
    """Suspects with their labels, without texts and reasons, which need more room."""
    return Table(
        name="suspects",
        caption=caption,
        columns=tuple(
            TableColumn(head=head, is_number=is_number, is_header=head == "item") for head, is_number in HEADS
        ),
        rows=tuple(_cells(row) for row in rows.iter_rows(named=True)),
    )


def suspect_cards(found: Suspects, most: int) -> tuple[Card, ...]:
    """The first suspects with their texts, the given and the expected label on the scale, and the reason."""
    span = Span(found.scale.low, found.scale.high)
    return tuple(_card(row, span) for row in found.suspects.head(most).iter_rows(named=True))


def next_steps(data: str, out: Path | None, ask: Path | None) -> list[str]:
    """The commands that use the files."""
    steps = []
    if ask is not None:
        steps.append(f"ask people again: similitude design rating {shlex.quote(str(ask))} --out questions.jsonl")
        steps.append(f'or, in the study that collected the labels: [second_round] items = "{ask}"')
    if out is not None:
        given = f"{shlex.quote(data)} --suspects {shlex.quote(str(out))}"
        steps.append(f"train with weights: similitude train conditional|pairs|uncertain {given} ...")
    return steps


def _card(row: dict[str, Any], span: Span) -> Card:
    figures = f"wrong with {row['wrong_probability']:.2f}, given {row['given_label']:.4g}"
    expected = f"expected {row['expected_label']:.1f}"
    verdict = f"{row['verdict']}: {row['reason']}" if row["reason"] else str(row["verdict"])
    return Card(
        id=row["id"],
        left=row["left"][:LONGEST],
        right=row["right"][:LONGEST],
        condition=(row.get("condition") or "")[:LONGEST],
        turns=(),
        earlier=0,
        language="",
        figures=f"{figures}, {expected}",
        gap=verdict,
        strip=strip(f"{figures}, {expected}", span, row["given_label"], [(expected, row["expected_label"])]),
    )


def _cells(row: dict[str, Any]) -> tuple[TableCell, ...]:
    given, expected, wrong = row["given_label"], row["expected_label"], row["wrong_probability"]
    return (
        TableCell(text=row["id"]),
        TableCell(text=f"{given:.4g}", value=given),
        TableCell(text=f"{expected:.1f}", value=expected),
        TableCell(text=f"{wrong:.2f}", value=wrong),
        TableCell(text=row["verdict"] or ""),
    )


def _sources(found: Suspects) -> str:
    known = "not defined" if found.spearman != found.spearman else f"{found.spearman:.2f}"
    linked = f"; {found.linked:,} labels compared with that of the same pair" if found.linked else ""
    return f"Forecasts: {', '.join(found.sources)}, Spearman {known} with the labels{linked}"
