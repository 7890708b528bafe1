"""Suspect labels for the terminal, and what to do with them next."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from rich.console import RenderableType

from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.terminal import terminal_view
from similitude.study.suspects import Suspects

__all__ = ["next_steps", "suspects_summary", "suspects_table", "suspects_view"]

SHOWN = 10


def suspects_view(found: Suspects) -> RenderableType:
    """The share of wrong labels, and the most probable suspects."""
    shown = found.suspects.head(SHOWN)
    if shown.is_empty():
        return terminal_view(suspects_summary(found), [])
    more = found.count - shown.height
    caption = f"{_sources(found)}." + (f" {more:,} more suspects: --out, --page." if more else "")
    why = (f"{row['id']}: {row['reason']}" for row in shown.iter_rows(named=True))
    return terminal_view(suspects_summary(found), [_short_table(shown, caption)], notes=why)


def suspects_summary(found: Suspects) -> str:
    """The main result in a sentence or two."""
    share = f"{found.name}: of {len(found):,} labels, {found.share_text} are estimated to be wrong"
    if not found.count:
        highest = float(found.table["wrong_probability"][0])
        return f"{share}; none is wrong with a probability of {found.probability:g} or more (highest: {highest:.2f})"
    which = "the most probable" if found.probability is None else f"with a probability of {found.probability:g} or more"
    right = f"about {found.expected_right:,.0f} of them are expected to be right after all"
    return f"{share}; {found.count:,} suspects ({which}), {right}"


def suspects_table(rows: pl.DataFrame, caption: str, *, longest: int = 400) -> Table:
    """Suspects with their texts and reasons."""
    heads = [
        TableColumn(head="item", is_header=True),
        TableColumn(head="given", is_number=True),
        TableColumn(head="expected", is_number=True),
        TableColumn(head="wrong", is_number=True),
        TableColumn(head="verdict"),
        TableColumn(head="why", is_text=True),
        TableColumn(head="texts", is_text=True),
    ]
    return Table(
        name="suspects",
        caption=caption,
        columns=tuple(heads),
        rows=tuple(
            (*_figures(row), TableCell(text=row["reason"] or ""), TableCell(text=_texts(row, longest)))
            for row in rows.iter_rows(named=True)
        ),
    )


def next_steps(data: str, out: Path | None, ask: Path | None) -> list[str]:
    """The commands that use the files."""
    steps = []
    if ask is not None:
        steps.append(f"ask people again: similitude design rating {ask} --out questions.jsonl")
        steps.append(f'or, in the study that collected the labels: [second_round] items = "{ask}"')
    if out is not None:
        steps.append(f"train with weights: similitude train conditional|pairs|uncertain {data} --suspects {out} ...")
    return steps


def _short_table(rows: pl.DataFrame, caption: str) -> Table:
    """Without texts and reasons, which need more room."""
    whole = suspects_table(rows, caption)
    return Table(
        name=whole.name,
        caption=whole.caption,
        columns=whole.columns[:-2],
        rows=tuple(row[:-2] for row in whole.rows),
    )


def _figures(row: dict[str, object]) -> tuple[TableCell, ...]:
    given, expected, wrong = (float(str(row[name])) for name in ("given_label", "expected_label", "wrong_probability"))
    return (
        TableCell(text=str(row["id"])),
        TableCell(text=f"{given:.4g}", value=given),
        TableCell(text=f"{expected:.1f}", value=expected),
        TableCell(text=f"{wrong:.2f}", value=wrong),
        TableCell(text=str(row["verdict"] or "")),
    )


def _texts(row: dict[str, object], longest: int) -> str:
    parts = [str(row["left"]), str(row["right"])]
    if row.get("condition"):
        parts.append(f"condition: {row['condition']}")
    return "\n".join(part if len(part) <= longest else f"{part[: longest - 1]}…" for part in parts)


def _sources(found: Suspects) -> str:
    known = "not defined" if found.spearman != found.spearman else f"{found.spearman:.2f}"
    linked = f"; {found.linked:,} labels compared with that of the same pair" if found.linked else ""
    return f"Forecasts: {', '.join(found.sources)}, Spearman {known} with the labels{linked}"
