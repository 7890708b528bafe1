"""A run for the terminal: systems against measures, and the choice for a task."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from similitude.data.prediction import MOST_REPLACED
from similitude.evaluate.significance import Confidence
from similitude.report.fitted_table import FirstFitting, FittedColumn, FittedTable
from similitude.report.notation import (
    SIMULATED,
    best_value,
    column_notes,
    data_line,
    how_tested,
    interval_text,
    measure_head,
    missing_figures,
    rank_text,
    rows_best_first,
)
from similitude.report.tables import contrast_table, threshold_table
from similitude.report.tables.ceiling import CEILING_WORDS, CeilingRow, ceiling_notes, ceiling_rows, corrected_table
from similitude.report.terminal import terminal_table
from similitude.stats import Interval
from similitude.study.choice import Choice
from similitude.study.runs import Run

__all__ = ["choice_lines", "choice_view", "comparison_table", "mapping_lines"]

MOST_WARNINGS = 6
MORE_WORDS = "more items, or groups: with a chance of 80 %, if the differences are as large as seen"
WIDER = "a wider terminal shows the intervals on the other measures"


def comparison_table(run: Run, *, with_corrected: bool = True, with_conclusion: bool = True) -> RenderableType:
    """The conclusion, and systems against measures, best on the first first; undefined figures are dashes with a note.

    If the run has confidence intervals, each figure comes with its interval and each system with its tied rank. On
    narrow terminals the intervals move to a second line, and then remain on the first measure only. If there are
    judgements, the human ceiling stands below the systems.

    Args:
        run: the run.
        with_corrected: whether correlations corrected for the noise of gold follow in a table of their own.
        with_conclusion: whether the conclusion stands before the table.
    """
    above = (Text(run.conclusion.sentence, style="bold"), _title(run)) if with_conclusion else (_title(run),)
    confidence, notes = run.confidence, Group(*(Text(note, style="dim") for note in _notes(run, with_conclusion)))
    below = (contrast_table(run), threshold_table(run), corrected_table(run) if with_corrected else None)
    further = tuple(terminal_table(table) for table in below if table is not None)
    if confidence is None:
        return Group(*above, _plain_table(run), *further, notes)
    everywhere = len(run.measures)
    wide = _table(run, confidence, intervals=everywhere, between=" ")
    tall = _table(run, confidence, intervals=everywhere, between="\n")
    narrow = _table(run, confidence, intervals=1, between="\n")
    return Group(*above, FirstFitting((wide, tall, narrow)), *further, notes)


def _plain_table(run: Run) -> FittedTable:
    columns = range(len(run.measures))
    rows = [(_name(run, row), *(_cell(run, row, column) for column in columns)) for row in rows_best_first(run)]
    return FittedTable(
        columns=(FittedColumn(head="system", holds="name"), *_measure_columns(run)),
        rows=(*rows, *_people_rows(run, (), intervals=0, between=" ")),
        sections=frozenset([len(rows)]),
    )


def _table(run: Run, confidence: Confidence, *, intervals: int, between: str) -> FittedTable:
    """The table with ranks, and with intervals on the first measures.

    Args:
        run: the run.
        confidence: its intervals and ranks.
        intervals: number of measures with intervals.
        between: separates a figure from its interval: a blank or a new line.
    """
    rows = []
    for row in rows_best_first(run):
        cells = [_cell(run, row, column) for column in range(len(run.measures))]
        for column in range(intervals):
            interval = interval_text(confidence.intervals[row][column])
            cells[column] = Text.assemble(cells[column], between, (interval, "dim")) if interval else cells[column]
        rows.append((_rank(run, confidence, row), _name(run, row), *cells))
    return FittedTable(
        columns=(FittedColumn(head="rank"), FittedColumn(head="system", holds="name"), *_measure_columns(run)),
        rows=(*rows, *_people_rows(run, (Text(""),), intervals=intervals, between=between)),
        sections=frozenset([len(rows)]),
        caption=WIDER if intervals < len(run.measures) else "",
    )


def _measure_columns(run: Run) -> Iterator[FittedColumn]:
    for measure in run.measures:
        yield FittedColumn(head=measure_head(measure).replace(" ", "\n"))


def _people_rows(run: Run, before: tuple[Text, ...], *, intervals: int, between: str) -> Iterator[tuple[Text, ...]]:
    """The rows of the human ceiling."""
    for row in ceiling_rows(run):
        yield (*before, Text(row.name, style="italic"), *_people_cells(row, intervals, between))


def _people_cells(row: CeilingRow, intervals: int, between: str) -> Iterator[Text]:
    for column, one in enumerate(row.estimates):
        if one is None or not one.is_defined:
            yield Text("")
            continue
        interval = interval_text(Interval(one.low, one.high)) if column < intervals else ""
        yield Text.assemble(f"{one.value:.3f}", between if interval else "", (interval, "dim"))


def _title(run: Run) -> Text:
    title = Text(f"{run.data.name}: {data_line(run)}", style="bold")
    return title.append(f"  {SIMULATED}", "bold yellow") if run.data.is_simulated else title


def _name(run: Run, row: int) -> Text:
    """The name of a system, with a star if it is never called best."""
    return Text(run.row_labels[row] + (" *" if run.never_best[row] else ""))


def _rank(run: Run, confidence: Confidence, row: int) -> Text:
    if math.isnan(run.row_figures[row][0].value) or run.never_best[row]:
        return Text("-", style="dim")
    rank = confidence.ranks[row][0]
    return Text(rank_text(rank)).append(f" {rank.letters}", "dim")


def _cell(run: Run, row: int, column: int) -> Text:
    value = run.row_figures[row][column].value
    if math.isnan(value):
        return Text("-", style="dim")
    is_best = value == best_value(run, column) and not run.never_best[row]
    return Text(f"{value:.3f}", style="bold green" if is_best else "")


def _notes(run: Run, with_conclusion: bool) -> Iterator[str]:
    """Notes on ranks, the conclusion if it is shown, undefined figures, left-out items and unread columns."""
    if any(run.never_best):
        yield f"* more than {100 * MOST_REPLACED:g} % of the answers were replaced: no rank, and never called best"
    confidence = run.confidence
    if confidence is not None:
        how = how_tested(confidence)
        yield f"rank: on {run.measures[0]}; systems that share a letter are not significantly different: {how}"
        if with_conclusion and run.conclusion.more_units is not None and run.against is None:
            yield MORE_WORDS
        yield from confidence.notes
    yield from run.caveats
    for record in run.systems:
        yield from (f"{record.label}: {note}" for note in record.notes)
    if any(True for _ in ceiling_rows(run)):
        yield CEILING_WORDS
    yield from ceiling_notes(run)
    for name, reason, who in missing_figures(run):
        yield f"- {name} is undefined {who}: {reason}"
    if run.left_out:
        yield f"left out: {len(run.left_out)} (first: {run.left_out[0].where}: {run.left_out[0].why})"
    yield from column_notes(run)


def choice_view(choice: Choice) -> RenderableType:
    """The decision, the reason for the measure, the table, and warnings on Pearson."""
    lines = [Text(line, style="yellow") for line in choice_lines(choice)]
    return Group(
        Text(choice.decision(), style="bold"),
        Text(f"{choice.requirements.name} calls for {choice.measure}: {choice.reason}."),
        *(Text(line, style="dim") for line in mapping_lines(choice)),
        Padding(
            comparison_table(choice.run, with_corrected=False, with_conclusion=choice.run.against is not None),
            (1, 0, 0, 0),
        ),
        *lines,
    )


def mapping_lines(choice: Choice) -> Iterator[str]:
    """How scores were brought onto the gold scale, if the measure that fits cuts or compares them there."""
    by_mapping: dict[str, list[str]] = {}
    for name, mapping in choice.mappings.items():
        by_mapping.setdefault(mapping, []).append(name)
    for mapping, names in by_mapping.items():
        yield f"{choice.measure} looks at the gold scale; scores of {', '.join(names)}: {mapping}"


def choice_lines(choice: Choice) -> Iterator[str]:
    """Warnings on Pearson, one line each."""
    for warning in choice.warnings[:MOST_WARNINGS]:
        yield f"Pearson misleads on {choice.run.systems[warning.system].label}: {warning.words}"
    if len(choice.warnings) > MOST_WARNINGS:
        yield f"and {len(choice.warnings) - MOST_WARNINGS} more warnings; --json has them all"
