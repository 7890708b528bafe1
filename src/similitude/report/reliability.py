"""The reliability of judgements in tables, and for the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl
from rich.console import RenderableType

from similitude.data.judgements import Judgements, Kind
from similitude.data.plural import agreeing, counted
from similitude.data.provenance import Provenance
from similitude.gold.reliability.agreement import Agreement
from similitude.gold.reliability.assessment import Assessment
from similitude.gold.reliability.best_worst_figures import are_pairs
from similitude.gold.reliability.component_table import ComponentTable
from similitude.gold.reliability.estimate import Estimate
from similitude.gold.reliability.expert_check import ExpertCheck
from similitude.report.notation import SIMULATED, capitalised
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.tables.table import Notes
from similitude.report.terminal import terminal_view

__all__ = [
    "about_judgements",
    "agreement_table",
    "annotator_listing",
    "component_listing",
    "estimate_words",
    "expert_table",
    "label_table",
    "left_out_words",
    "plan_table",
    "rejection_tables",
    "reliability_view",
    "simulated_words",
]

MOST_LEFT_OUT = 5
"""Answers left out that are shown."""

KINDS: Mapping[Kind, str] = {
    "best-worst": "best-worst answers about",
    "rating": "ratings of",
    "category": "answers in categories about",
}

COUNTED = ("raters", "annotations", "tuples")
"""Figures whose names start with these are counts."""

MEANINGS: Mapping[str, str] = {
    "SE": "standard error, where a formula gives one",
    "by chance": "the value that random answers would give",
}
"""Columns of figures that not all figures have."""
DECIMALS: Mapping[str, int] = {"SE": 3, "by chance": 2}

ANNOTATOR_COLUMNS: Mapping[str, tuple[str, str]] = {
    "answers": ("answers", "{:,.0f}"),
    "seconds": ("median seconds", "{:.1f}"),
    "too_fast": ("too fast", "{:.0%}"),
    "pearson": ("r with rest", "{:.2f}"),
    "bias": ("bias", "{:+.2f}"),
    "spread_ratio": ("spread ratio", "{:.2f}"),
    "extremes": ("extremes", "{:.0%}"),
    "same_label": ("same label", "{:.0%}"),
    "same_best": ("same best", "{:.0%}"),
    "same_worst": ("same worst", "{:.0%}"),
    "attention": ("attention", "{:.0%}"),
    "random_clicking": ("random clicking", "{:.0%}"),
    "longest_run": ("longest run", "{:.0f}"),
    "repeat_agreement": ("own repeats", "{:.0%}"),
    "gold_right": ("gold right", "{:.0f}"),
    "gold_asked": ("gold asked", "{:.0f}"),
}


def reliability_view(found: Assessment) -> RenderableType:
    """The assessment for the terminal."""
    tables = [
        agreement_table("agreement", "Agreement among annotators", found.agreement, found.level),
        agreement_table("opinions", "Opinions", found.opinions, found.level),
    ]
    if found.by_label:
        tables.append(label_table(found))
    if found.components is not None:
        tables.append(component_listing(found.components))
    if found.annotators is not None:
        tables.append(annotator_listing(found.annotators))
    if found.expert is not None:
        tables.append(expert_table(found.expert))
    if found.plan is not None and found.plan.table.height:
        tables.append(plan_table(found))
    if found.verification is not None and found.verification.rejected is not None:
        tables += rejection_tables(found.verification.rejected)
    origin = found.judgements.provenance
    notes = [*left_out_words(origin), *(f"note: {note}" for note in (*origin.notes, *found.notes))]
    summary = f"{found.judgements.name}: {about_judgements(found.judgements)}"
    return terminal_view(summary, tables, warning=simulated_words(found.judgements), notes=notes)


def about_judgements(judgements: Judgements) -> str:
    """``600 ratings of 60 items by 20 annotators, scale 0..5``."""
    kind = "comparisons of" if are_pairs(judgements) else KINDS[judgements.kind]
    who = _who(judgements)
    scale = judgements.scale
    on = "" if scale is None else f", scale {scale}{' (inferred)' if scale.origin == 'inferred' else ''}"
    rated = judgements.frame["value"].count() if judgements.kind == "rating" else len(judgements)
    if rated < len(judgements):  # a verification that says no gives no rating
        kind, who = ("answers about", f"{who}, {rated:,} of them ratings") if rated else ("verifications of", who)
    return f"{len(judgements):,} {kind} {counted(len(judgements.judged), 'item')}{who}{on}"


def _who(judgements: Judgements) -> str:
    named, unnamed = len(judgements.annotators), judgements.frame["annotator"].null_count()
    if unnamed:
        others = f" by {counted(named, 'annotator')} and" if named else " by"
        return f"{others} annotators without names"
    return f" by {counted(named, 'annotator')}"


def left_out_words(origin: Provenance, most: int = MOST_LEFT_OUT) -> Iterator[str]:
    """How many answers were left out because they are bad, and the first few with file, line and reason."""
    skipped = origin.skipped
    if skipped:
        yield f"{agreeing(len(skipped), 'row', 'was', 'were')} left out:"
        yield from (f"left out: {one.where}: {one.why}" for one in skipped[:most])
    if len(skipped) > most:
        yield f"left out: and {len(skipped) - most:,} more, all of them in --json"


def rejection_tables(rejected: pl.DataFrame) -> list[Table]:
    """The items that most annotators reject, if there are any."""
    shown = rejected.sort("applies_share", maintain_order=True)
    rows = tuple(
        (
            TableCell(text=row["item"]),
            TableCell(text=f"{row['applies_share']:.0%}", value=row["applies_share"]),
            TableCell(text=f"{row['applies_answers']:,}", value=float(row["applies_answers"])),
        )
        for row in shown.iter_rows(named=True)
    )
    columns = (
        TableColumn(head="item", is_number=False, is_header=True),
        TableColumn(head="say it applies"),
        TableColumn(head="answers"),
    )
    caption = f"Items that most annotators reject, because the question does not apply: {len(rows):,}."
    return [Table(name="rejected", caption=caption, columns=columns, rows=rows)] if rows else []


def simulated_words(judgements: Judgements) -> str:
    """A warning if the judgements are simulated."""
    by = judgements.provenance.judged_by or ""
    return f"{SIMULATED}: {by}" if "simulated" in by.lower() else ""


def agreement_table(name: str, title: str, figures: Sequence[Agreement], level: float) -> Table:
    """One row per figure: value, interval, standard error, chance, units, how to read it.

    Notes give reasons for undefined figures. Standard errors and chance have a column only if a figure has them.
    """
    notes = Notes()
    optional = {
        "SE": [one.standard_error for one in figures],
        "by chance": [one.by_chance for one in figures],
    }
    shown = {head: values for head, values in optional.items() if any(value is not None for value in values)}
    rows = tuple(
        (
            TableCell(text=one.name),
            _estimate(one.estimate, notes, is_count=one.name.startswith(COUNTED)),
            *(_decimal(values[place], DECIMALS[head]) for head, values in shown.items()),
            TableCell(text=f"{one.n_units:,}", value=float(one.n_units)),
            TableCell(text=one.what),
        )
        for place, one in enumerate(figures)
    )
    columns = (
        TableColumn(head="figure", is_number=False, is_header=True),
        TableColumn(head="value"),
        *(TableColumn(head=head, meaning=MEANINGS[head]) for head in shown),
        TableColumn(head="units"),
        TableColumn(head="how to read it", is_number=False),
    )
    meanings = "".join(f" {head}: {MEANINGS[head]}." for head in shown)
    caption = f"{title}; in brackets {level:.0%} intervals for other items or tuples of the same kind.{meanings}"
    return Table(name=name, caption=caption, columns=columns, rows=rows, notes=notes.all())


def _decimal(value: float | None, decimals: int) -> TableCell:
    """A figure about another figure; empty where it is not known."""
    return TableCell(text="") if value is None else TableCell(text=f"{value:z.{decimals}f}", value=value)


def component_listing(found: ComponentTable) -> Table:
    """Items by their number of effective components, as in table 6 of USTS."""
    rows = tuple(
        (
            TableCell(text=row["split"]),
            TableCell(text=str(row["effective"]), value=float(row["effective"])),
            TableCell(text=f"{row['items']:,}", value=float(row["items"])),
            TableCell(text=f"{row['share']:.1%}", value=row["share"]),
            TableCell(text=f"{row['sigma']:.2f}", value=row["sigma"]),
        )
        for row in found.table.iter_rows(named=True)
    )
    columns = (
        TableColumn(head="items of the", is_number=False, is_header=True),
        TableColumn(head="effective components"),
        TableColumn(head="items"),
        TableColumn(head="share"),
        TableColumn(head="mean sigma"),
    )
    caption = (
        f"Effective components (USTS, table 6): those of a mixture of {counted(found.components, 'Gaussian')} over "
        f"rating vectors whose responsibility for an item is 0.2 or more. {found.likelier:.0%} of test items are "
        f"likelier than under one Gaussian.{''.join(f' {note.capitalize()}.' for note in found.notes)}"
    )
    return Table(name="effective-components", caption=caption, columns=columns, rows=rows)


def _estimate(estimate: Estimate, notes: Notes, *, is_count: bool = False) -> TableCell:
    if not estimate.is_defined:
        return notes.dash(estimate.reason)
    written = "{:.0f}" if is_count else "{:.3f}"
    ends = "" if math.isnan(estimate.low) else f"[{written.format(estimate.low)}, {written.format(estimate.high)}]"
    note = notes.number(estimate.reason) if estimate.reason else 0
    return TableCell(text=written.format(estimate.value), value=estimate.value, interval=ends, note=note)


def label_table(found: Assessment) -> Table:
    """Agreement by label, as in table 1 of GiCCS."""
    notes = Notes()
    all_figures = [one for figures in found.by_label.values() for one in figures]
    names = list(dict.fromkeys(one.name for one in all_figures if one.estimate.is_defined))
    rows = tuple(
        (TableCell(text=label), *(_estimate(figure, notes) for figure in _aligned(figures, names)))
        for label, figures in found.by_label.items()
    )
    heads = (TableColumn(head=name) for name in names)
    return Table(
        name="by-label",
        caption=f"Agreement by {' and '.join(found.labels)}.",
        columns=(TableColumn(head=", ".join(found.labels), is_number=False, is_header=True), *heads),
        rows=rows,
        notes=notes.all(),
    )


def _aligned(figures: Sequence[Agreement], names: Sequence[str]) -> Iterator[Estimate]:
    by_name = {one.name: one.estimate for one in figures}
    for name in names:
        yield by_name.get(name, Estimate(math.nan, reason="does not apply to these items"))


def annotator_listing(table: pl.DataFrame) -> Table:
    """One row per annotator, those with flags first."""
    shown = [name for name in ANNOTATOR_COLUMNS if name in table.columns and table[name].null_count() < table.height]
    ordered = table.with_columns(_flags=pl.col("flags").list.len()).sort("_flags", descending=True, maintain_order=True)
    rows = tuple(
        (
            TableCell(text=row["annotator"]),
            *(_annotator_cell(row[name], ANNOTATOR_COLUMNS[name][1]) for name in shown),
            TableCell(text="; ".join(row["flags"] or ())),
        )
        for row in ordered.iter_rows(named=True)
    )
    columns = (
        TableColumn(head="annotator", is_number=False, is_header=True),
        *(TableColumn(head=ANNOTATOR_COLUMNS[name][0]) for name in shown),
        TableColumn(head="flags", is_number=False),
    )
    caption = "Annotators, those with flags first. A flag is a reason to look, not a verdict."
    return Table(name="annotators", caption=caption, columns=columns, rows=rows, is_sortable=True)


def _annotator_cell(value: Any, written: str) -> TableCell:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return TableCell(text="–")
    return TableCell(text=written.format(value), value=float(value))


def expert_table(found: ExpertCheck) -> Table:
    """The items where the expert's verdict contradicts the score."""
    rows = tuple(
        (
            TableCell(text=row["item"]),
            TableCell(text=row["left"] or ""),
            TableCell(text=row["right"] or ""),
            TableCell(text=f"{row['score']:.2f}", value=float(row["score"])),
            TableCell(text=f"{'>' if row['expert'] == 'high' else '<'} {found.border:g}"),
        )
        for row in found.contradictions.iter_rows(named=True)
    )
    columns = (
        TableColumn(head="item", is_number=False, is_header=True),
        TableColumn(head="left", is_number=False),
        TableColumn(head="right", is_number=False),
        TableColumn(head="score"),
        TableColumn(head="expert"),
    )
    asked = (
        f"{found.checked:,} items compared, {found.unasked:,} not asked about, {len(found.undecided):,} on the border"
    )
    caption = (
        f"Where the expert contradicts the score: {len(rows):,}. Agreement {estimate_words(found.agreement)}, kappa "
        f"{estimate_words(found.kappa)}; {asked}."
    )
    return Table(name="expert", caption=caption, columns=columns, rows=rows)


def plan_table(found: Assessment) -> Table:
    """The expected precision with more raters, or more annotations per tuple."""
    plan = found.plan
    assert plan is not None
    table = plan.table
    names = [name for name in table.columns if not name.endswith(("_low", "_high"))]
    rows = tuple(tuple(_plan_cell(row, name) for name in names) for row in table.head(20).iter_rows(named=True))
    caption = " ".join(["Expected precision with more answers.", *(capitalised(note, ()) for note in plan.notes)])
    heads = (TableColumn(head=name.replace("_", " ")) for name in names)
    return Table(name="plan", caption=caption, columns=tuple(heads), rows=rows)


def _plan_cell(row: Mapping[str, Any], name: str) -> TableCell:
    value = row[name]
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return TableCell(text="–")
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    ends = "" if low is None or high is None or math.isnan(low) else f"[{low:.2f}, {high:.2f}]"
    return TableCell(text=f"{value:,}" if isinstance(value, int) else f"{value:.3f}", value=float(value), interval=ends)


def estimate_words(estimate: Estimate) -> str:
    """``0.81 [0.76, 0.85]``, or why the figure is undefined."""
    if not estimate.is_defined:
        return f"undefined ({estimate.reason})"
    ends = "" if math.isnan(estimate.low) else f" [{estimate.low:.2f}, {estimate.high:.2f}]"
    return f"{estimate.value:.2f}{ends}"
