"""Items ranked by expected disagreement, for the terminal."""

from __future__ import annotations

from rich.console import RenderableType

from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.terminal import terminal_view
from similitude.study.disagreement_ranking import Expectation

__all__ = ["expectation_view"]

SHOWN = 10
LONGEST = 60


def expectation_view(expected: Expectation) -> RenderableType:
    """The top items, and the number expected to be contentious."""
    return terminal_view(_summary(expected), [_table(expected)])


def _summary(expected: Expectation) -> str:
    asked = f"{expected.data}: {expected.asked:,} items"
    if expected.contentious is None or expected.scale is None:
        return asked
    border = 0.1 * expected.scale.width
    return f"{asked}, of which {expected.contentious:,} are expected to be contentious (sigma above {border:g})"


def _table(expected: Expectation) -> Table:
    shown = expected.table.head(SHOWN)
    rows = tuple(
        (
            TableCell(text=f"{row['rank']}", value=row["rank"]),
            TableCell(text=row["id"]),
            TableCell(text=f"{row['expected_mean']:.2f}", value=row["expected_mean"]),
            TableCell(text=f"{row['expected_sigma']:.2f}", value=row["expected_sigma"]),
            TableCell(text=_cut(row["left"])),
            TableCell(text=_cut(row["right"])),
        )
        for row in shown.iter_rows(named=True)
    )
    more = expected.table.height - shown.height
    scale = "" if expected.scale is None else f", scale {expected.scale}"
    words = f"Expected by {expected.system}{scale}; nobody was asked."
    words += f" {more:,} more are in the file." if more else ""
    heads = (("rank", True), ("id", False), ("mean", True), ("sigma", True), ("left", False), ("right", False))
    return Table(
        name="worth-asking",
        caption=words,
        columns=tuple(TableColumn(head=head, is_number=is_number) for head, is_number in heads),
        rows=rows,
    )


def _cut(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= LONGEST else f"{one_line[: LONGEST - 1]}…"
