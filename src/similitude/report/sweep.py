"""A sweep in the layout of the C-STS paper: tables 3, 2, 8 and 10, and figure 3."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rich.console import RenderableType

from similitude.drawing import Curve, Figure, Panel, curve_plot
from similitude.report.notation import DASH, SIMULATED
from similitude.report.page.sheet import Section, Sheet
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.terminal import terminal_view
from similitude.study.sweep.study import Sweep, SweepRow

__all__ = ["sweep_sheet", "sweep_view", "trained_table"]

ENCODINGS = {"cross": "Cross-encoder", "bi": "Bi-encoder", "tri": "Tri-encoder", None: "zero-shot"}
ABLATIONS = {"condition": "condition only", "sentences": "sentences only", "all": "baseline"}
HEADS = {"spearman": "Spear.", "pearson": "Pears."}


def sweep_view(sweep: Sweep) -> RenderableType:
    """The sweep for the terminal."""
    return terminal_view(
        _summary(sweep),
        _tables(sweep),
        warning=SIMULATED if sweep.is_simulated else "",
        notes=(*sweep.notes, *sweep.drawn),
    )


def sweep_sheet(sweep: Sweep) -> Sheet:
    """The sweep as a page, with learning curves if there are any."""
    sections = [Section(name=table.name, title=_title(table), tables=(table,)) for table in _tables(sweep)]
    if sweep.curves:
        sections.append(Section(name="curves", title="Learning curves", figures=(_curves(sweep),)))
    return Sheet(
        kind="sweep",
        name=sweep.name,
        about=f"figures on {sweep.judged_on}",
        summary=_summary(sweep),
        simulated=SIMULATED if sweep.is_simulated else "",
        sections=tuple(sections),
    )


def trained_table(sweep: Sweep) -> Table:
    """Table 3: mean and deviation over seeds, by encoding and model."""
    ordered = sorted(sweep.trained, key=lambda row: list(ENCODINGS).index(row.encoding))
    best = {name: max((row.mean(name) for row in ordered), default=math.nan) for name in HEADS}
    rows = [
        (
            TableCell(text=ENCODINGS[row.encoding]),
            TableCell(text=row.model),
            *(_spread(row, name, best[name]) for name in HEADS),
        )
        for row in ordered
    ]
    seeds = len(ordered[0].figures["spearman"]) if ordered else 0
    return Table(
        name="trained",
        caption=f"Trained models, correlation x 100 on {sweep.judged_on}; mean and deviation of {seeds} seeds.",
        columns=(_word("encoding"), _word("model"), *(TableColumn(head=head) for head in HEADS.values())),
        rows=tuple(rows),
    )


def _tables(sweep: Sweep) -> Iterator[Table]:
    yield trained_table(sweep)
    if sweep.zero_shot:
        yield _plain(
            "zero-shot", "Untrained models: the cosine with the condition after each sentence.", sweep.zero_shot
        )
    yield _chosen(sweep)
    if sweep.ablations:
        yield _ablation_table(sweep)
    if sweep.curves:
        yield _curve_table(sweep)


def _plain(name: str, caption: str, rows: Sequence[SweepRow]) -> Table:
    cells = tuple((TableCell(text=row.model), *(_spread(row, figure, math.nan) for figure in HEADS)) for row in rows)
    return Table(
        name=name,
        caption=caption,
        columns=(_word("model"), *(TableColumn(head=head) for head in HEADS.values())),
        rows=cells,
    )


def _chosen(sweep: Sweep) -> Table:
    """Table 8: the best options on the validation items."""
    names = list(dict.fromkeys(name for row in sweep.trained for name in row.options))
    rows = tuple(
        (
            TableCell(text=row.model),
            TableCell(text=ENCODINGS[row.encoding]),
            *(TableCell(text=_written(row.options.get(name))) for name in names),
            _percent(row.validation),
        )
        for row in sweep.trained
    )
    columns = (_word("model"), _word("encoding"), *(_word(name.replace("_", " ")) for name in names))
    return Table(
        name="chosen",
        caption="The best options of the grid on the validation items, and their Spearman x 100 there (first seed).",
        columns=(*columns, TableColumn(head="validation")),
        rows=rows,
    )


def _ablation_table(sweep: Sweep) -> Table:
    """Table 10: cross-encoders that read only part of each item."""
    rows = tuple(
        (TableCell(text=ABLATIONS[row.reads]), *(_spread(row, name, math.nan) for name in HEADS))
        for row in sweep.ablations
    )
    return Table(
        name="ablations",
        caption=f"Cross-encoders from {sweep.ablations[0].model} that read only part of each item.",
        columns=(_word("reads"), *(TableColumn(head=head) for head in HEADS.values())),
        rows=rows,
    )


def _curve_table(sweep: Sweep) -> Table:
    rows = tuple(
        (
            TableCell(text=ENCODINGS[row.encoding]),
            TableCell(text=f"{row.items:,}", value=row.items),
            *(_spread(row, name, math.nan) for name in HEADS),
        )
        for row in _on_curves(sweep)
    )
    return Table(
        name="sizes",
        caption=f"Figures by number of training items ({sweep.trained[0].model}).",
        columns=(_word("encoding"), TableColumn(head="items"), *(TableColumn(head=head) for head in HEADS.values())),
        rows=rows,
    )


def _curves(sweep: Sweep) -> Figure:
    """Figure 3: Spearman over the number of training items, one line per encoding; bands of one standard deviation."""
    lines = []
    for encoding in dict.fromkeys(row.encoding for row in sweep.curves):
        rows = [row for row in _on_curves(sweep) if row.encoding == encoding]
        means = [100 * row.mean("spearman") for row in rows]
        around = [100 * row.deviation("spearman") for row in rows]
        lines.append(
            Curve(
                name=ENCODINGS[encoding],
                x=[float(row.items) for row in rows],
                y=means,
                low=[mean - one for mean, one in zip(means, around, strict=True)],
                high=[mean + one for mean, one in zip(means, around, strict=True)],
            )
        )
    drawn = curve_plot("Spearman over training items", lines, x_name="training items")
    caption = "Spearman x 100 over the number of training items; bands: one standard deviation over seeds."
    return Figure(panels=(Panel("curves", "", drawn),), caption=caption)


def _on_curves(sweep: Sweep) -> list[SweepRow]:
    """The points of the curves: each size, and all items, from the first model's rows of the main table."""
    known = {row.encoding for row in sweep.curves}
    model = sweep.curves[0].model
    whole = [row for row in sweep.trained if row.encoding in known and row.model == model]
    return sorted([*sweep.curves, *whole], key=lambda row: (list(ENCODINGS).index(row.encoding), row.items))


def _summary(sweep: Sweep) -> str:
    best = max(sweep.trained, key=lambda row: row.mean("spearman"))
    words = f"Best: {ENCODINGS[best.encoding]} from {best.model}, Spearman {100 * best.mean('spearman'):.1f} (x 100)"
    if sweep.zero_shot:
        untrained = max(row.mean("spearman") for row in sweep.zero_shot)
        words += f"; untrained at best {100 * untrained:.1f}"
    return f"{words}; on {sweep.judged_on}."


def _title(table: Table) -> str:
    titles = {
        "trained": "Trained",
        "zero-shot": "Zero-shot",
        "chosen": "Chosen by validation",
        "ablations": "Ablations",
    }
    return titles.get(table.name, "Sizes")


def _word(head: str) -> TableColumn:
    return TableColumn(head=head, is_number=False, is_header=head in ("encoding", "reads"))


def _spread(row: SweepRow, figure: str, best: float) -> TableCell:
    mean, deviation = row.mean(figure), row.deviation(figure)
    if math.isnan(mean):
        return TableCell(text=DASH)
    around = "" if math.isnan(deviation) else f" ± {100 * deviation:.1f}"
    return TableCell(text=f"{100 * mean:.1f}{around}", value=100 * mean, is_best=mean == best)


def _percent(value: float) -> TableCell:
    return (
        TableCell(text=DASH)
        if math.isnan(value) or value < -1
        else TableCell(text=f"{100 * value:.1f}", value=100 * value)
    )


def _written(value: object) -> str:
    return DASH if value is None else f"{value:g}" if isinstance(value, float) else str(value)
