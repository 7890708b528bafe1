"""The page of a run: every table and figure, gathered into the sections of one sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup, escape

from similitude.evaluate.comparison import Comparison
from similitude.evaluate.diagnostics import pearson_warnings
from similitude.report.comparison import mapping_lines
from similitude.report.notation import SIMULATED, best_first, column_notes, data_line
from similitude.report.page import disagreements, figures, provenance
from similitude.report.page.sheet import (
    Aside,
    Block,
    Cards,
    Code,
    Downloads,
    Facts,
    Fold,
    Heading,
    Option,
    Options,
    Points,
    Section,
    Sheet,
    csv_text,
    sheet_page,
)
from similitude.report.page.summary import summary
from similitude.report.tables import (
    breakdown_tables,
    contrast_table,
    corrected_table,
    curve_table,
    p_value_table,
    rank_change_table,
    ranking_table,
    threshold_table,
)
from similitude.report.tables.answers import answer_overview
from similitude.report.tables.breakdown import BrokenDown
from similitude.report.tables.ceiling import ceiling_notes
from similitude.report.tables.contrasts import baseline_label
from similitude.study.breakdown import breakdown
from similitude.study.choice import choice_of
from similitude.study.runs import Run

__all__ = ["report_page"]

MOST_PREDICTIONS = 30_000
"""Up to this many predictions are on the page."""
MOST_LEFT_OUT = 20
"""How many of the left-out items are named."""
MOST_MEASURES = 8
"""How many measures have a figure of intervals."""
MOST_NAMED = 3
"""How many of the items that carry a correlation are named."""


def report_page(run: Run) -> str:
    """The run as one self-contained HTML page: no other file, no network request, readable without JavaScript."""
    return sheet_page(_sheet(run))


def _sheet(run: Run) -> Sheet:
    comparison = run.comparison.for_errors
    date = run.created.partition("T")[0]
    return Sheet(
        kind="report",
        name=run.data.name,
        title=f"{run.data.name}: similarity systems against people",
        about=escape(data_line(run))
        + (Markup(', run of <time datetime="{0}">{0}</time>').format(date) if date else ""),
        summary=summary(run),
        simulated=f"{SIMULATED}: {run.data.judged_by}" if run.data.is_simulated else "",
        lead=tuple(_lead(run)),
        sections=tuple(_sections(run, comparison)),
    )


def _lead(run: Run) -> Iterator[str]:
    """The decision for the task that the run was made for, and why its measure fits."""
    if run.task is not None:
        choice = choice_of(run)
        yield choice.decision()
        yield f"{run.task.name} calls for {choice.measure}: {choice.reason}."
        yield from (f"{line}." for line in mapping_lines(choice))


def _sections(run: Run, comparison: Comparison) -> Iterator[Section]:
    yield Section(name="standing", title="Ranking", blocks=tuple(_ranking(run)))
    if run.thresholds:
        yield Section(name="thresholds", title="Thresholds", blocks=tuple(_thresholds(run)))
    warnings = _pearson_warnings(run, comparison)
    words = "Where Pearson should not be read alone; the scatter below shows why:"
    scatters = ((words, Points(warnings)) if warnings else ()) + (figures.scatters(run, comparison),)
    yield Section(name="scatter", title="Predictions against gold", blocks=scatters)
    yield Section(name="distributions", title="Distributions", figures=(figures.distributions(run, comparison),))
    changes, ranks = rank_change_table(run), figures.rank_figure(run)
    if changes is not None:
        blocks: tuple[Block, ...] = (changes,) if ranks is None else (changes, ranks)
        yield Section(name="changes", title="Rank changes between measures", blocks=blocks)
    parts = breakdown_tables(run, breakdown(run))
    if parts:
        yield Section(name="breakdown", title="Breakdown", blocks=tuple(_breakdown(parts)))
    yield Section(name="disagreements", title="Worst disagreements", blocks=tuple(_disagreements(run, comparison)))
    asked = [row for row, found in enumerate(run.predictions) if found.answers is not None]
    if asked:
        words = "'similitude report RUN --answers' shows every answer and the rule that read it."
        table = answer_overview(run, asked)
        yield Section(name="answers", title="Answers of language models", blocks=(table, Aside(words)))
    yield Section(name="left-out", title="Left out", blocks=tuple(_left_out(run)))
    yield Section(name="data", title="Raw data", blocks=tuple(_raw_data(run)))
    yield Section(name="provenance", title="Provenance", blocks=_provenance(run))


def _ranking(run: Run) -> Iterator[Block]:
    yield ranking_table(run)
    yield Options(
        "measure",
        tuple(
            Option(str(measure), (figures.interval_figure(run, column),))
            for column, measure in enumerate(run.measures[:MOST_MEASURES])
        ),
    )
    corrected, notes = corrected_table(run), tuple(ceiling_notes(run))
    if corrected is not None:
        yield Heading("Against the human ceiling")
        yield corrected
    if notes:
        yield Points(notes)
    contrasts = contrast_table(run)
    if contrasts is not None:
        yield Heading(f"Against {baseline_label(run)}")
        yield contrasts
    p_values = p_value_table(run)
    if p_values is not None:
        yield Heading("Which systems are significantly different")
        yield p_values


def _thresholds(run: Run) -> Iterator[Block]:
    table = threshold_table(run)
    if table is not None:
        yield table
    yield figures.precision_recall_figure(run)
    yield figures.threshold_figure(run)
    for row in best_first(run):
        yield Fold(summary=run.systems[row].label, blocks=(curve_table(run, row),), is_code=True)


def _breakdown(parts: Sequence[BrokenDown]) -> Iterator[Block]:
    yield (
        "Every system on parts of the items. A deeper shade is better. Parts have fewer items than the whole, so their "
        "figures are less certain."
    )
    for part in parts:
        yield Heading(f"By {part.column}")
        yield from part.tables[:1]
        if part.left_aside:
            yield Aside(part.left_aside)
        if part.tables[1:]:
            yield Fold(summary=f"by {part.column} on the other measures", blocks=part.tables[1:])


def _disagreements(run: Run, comparison: Comparison) -> Iterator[Block]:
    yield disagreements.legend(is_simulated=run.data.is_simulated)
    shared, worst = disagreements.cards_of_all(run, comparison), disagreements.cards_of_each(run, comparison)
    if shared:
        yield Heading("Where most systems go wrong together")
        yield Cards(shared)
    yield Heading("System by system")
    for place, system in enumerate(worst):
        blocks = tuple(_cards(system))
        yield Fold(summary=system.name, blocks=blocks, is_code=True, is_open=place == 0)
    if len(run.systems) > len(worst):
        yield Aside(f"The {len(run.systems) - len(worst)} systems further down are not listed.")


def _cards(system: disagreements.SystemCards) -> Iterator[Block]:
    if system.reason:
        yield Aside(system.reason)
    if system.cards:
        yield Cards(system.cards)
    elif not system.reason:
        yield Aside("Every prediction equals gold.")


def _left_out(run: Run) -> Iterator[Block]:
    named = [f"{one.where}: {one.why}" for one in run.left_out[:MOST_LEFT_OUT]]
    more = len(run.left_out) - MOST_LEFT_OUT
    if more > 0:
        named.append(escape(f"and {more:,} more; ") + Markup("<code>run.json</code> names them all"))
    yield Points(tuple(named)) if named else "Nothing: every item that has gold was measured."
    unread = tuple(column_notes(run))
    if unread:
        yield Points(unread)


def _raw_data(run: Run) -> Iterator[Block]:
    """The figures, and the predictions if they are few enough to keep the page small."""
    files = [("figures.csv", csv_text(run.rows()))]
    words = "All figures with their intervals"
    if len(run.systems) * len(run.benchmark) <= MOST_PREDICTIONS:
        files.append(("predictions.csv", csv_text(_predictions(run))))
        words += ", and every prediction"
    else:
        words += "; predictions are in the run's folder"
    yield f"{words}."
    yield Downloads(tuple(files))


def _predictions(run: Run) -> Iterator[dict[str, object]]:
    """One row per item: its id, gold, and what each system said, in the system's own units."""
    columns = {record.label: found.scores for record, found in zip(run.systems, run.predictions, strict=True)}
    for place, (name, gold) in enumerate(zip(run.benchmark.items.ids, run.benchmark.gold.scores, strict=True)):
        yield {"id": name, "gold": float(gold)} | {
            label: float(f"{scores[place]:.6g}") for label, scores in columns.items()
        }


def _provenance(run: Run) -> tuple[Block, ...]:
    tables = provenance.systems_table(run), provenance.measures_table(run)
    facts = Facts(tuple(provenance.facts(run)))
    named = provenance.objects_named([record.identity for record in run.systems], run.data.readings)
    objects = "" if run.command else named
    return (facts, *tables, Heading("To make this run again"), objects or Code(provenance.command(run)))


def _pearson_warnings(run: Run, comparison: Comparison) -> tuple[str, ...]:
    """Why Pearson should not be read alone, system by system; none without Pearson, or if gold has two labels."""
    if "pearson" not in map(str, run.measures) or comparison.has_labels:
        return ()
    ids = run.benchmark.items.ids
    return tuple(
        f"{run.systems[one.system].label}: {one.words}{_named(one.items, ids)}." for one in pearson_warnings(comparison)
    )


def _named(items: Sequence[int], ids: Sequence[str]) -> str:
    shown = ", ".join(ids[item] for item in items[:MOST_NAMED])
    return f" ({shown}{', …' if len(items) > MOST_NAMED else ''})" if items else ""
