"""What ``similitude demo`` shows: some real pairs, their figures, and the simulated samples side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from similitude.data.public import PublicData
from similitude.report.comparison import comparison_table
from similitude.report.fitted_table import FittedColumn, FittedTable
from similitude.report.notation import SIMULATED
from similitude.report.tables.ceiling import ceiling_rows
from similitude.study.runs import Run

__all__ = ["pair_table", "real_view", "simulated_view"]

SIMULATED_WORDS = (
    "texts of ours: in the dialogues shared words mislead by design, and a pair under two conditions looks the same to "
    "a system that does not read conditions (docs/sample.md)"
)


def real_view(run: Run, source: PublicData, pairs: Sequence[str], systems: Sequence[str]) -> RenderableType:
    """What the data are and whose, some pairs, the conclusion and the table.

    Args:
        run: systems on the data.
        source: where the data were published.
        pairs: how the ids of some pairs begin.
        systems: whose scores stand beside those pairs.
    """
    return Group(
        Text(source.holds, style="bold"),
        Text(f"{source.citation}; {source.licence}", style="dim"),
        pair_table(run, pairs, systems),
        comparison_table(run),
    )


def pair_table(run: Run, pairs: Sequence[str], systems: Sequence[str]) -> FittedTable:
    """Some pairs with gold, and with what some systems say on the scale of gold.

    Args:
        run: systems on the data.
        pairs: how the ids of the pairs begin.
        systems: their names in tables, or identities.
    """
    items, comparison = run.benchmark.items, run.comparison
    rows = [next(row for row, name in enumerate(items.ids) if name.startswith(begin)) for begin in pairs]
    positions = [run.position(name) for name in systems]
    scores = [comparison.gold, *(comparison.for_errors.predicted[position] for position in positions)]
    texts = [(items.lefts[row], items.rights[row], *(_score(of[row]) for of in scores)) for row in rows]
    heads = ("person", *(run.labels[position] for position in positions))
    return FittedTable(
        columns=(
            FittedColumn(head="some of the pairs", holds="text"),
            FittedColumn(head="", holds="text"),
            *(FittedColumn(head=head) for head in heads),
        ),
        rows=tuple(tuple(map(Text, row)) for row in texts),
    )


def simulated_view(runs: Mapping[str, Run]) -> RenderableType:
    """The first measure of every system on several samples, and what one person reaches."""
    first = next(iter(runs.values()))
    measure = str(first.measures[0])
    rows = [(label, *(_figure(run[label, measure].value) for run in runs.values())) for label in first.labels]
    people = ("one person", *map(_one_person, runs.values()))
    table = FittedTable(
        columns=(FittedColumn(head=measure, holds="name"), *(FittedColumn(head=f"sample:{name}") for name in runs)),
        rows=tuple(tuple(map(Text, row)) for row in (*rows, people)),
    )
    return Group(Text(SIMULATED, style="bold yellow"), table, Text(SIMULATED_WORDS, style="dim"))


def _score(value: float) -> str:
    return f"{round(float(value), 1) + 0.0:.1f}"  # adding 0.0 makes -0.0 a plain 0


def _figure(value: float) -> str:
    return f"{value:.2f}"


def _one_person(run: Run) -> str:
    found = next((row.estimates[0] for row in ceiling_rows(run) if row.name == "one person"), None)
    return "" if found is None else _figure(found.value)
