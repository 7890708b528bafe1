"""A training run in tables and curves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from rich.console import RenderableType

from similitude.drawing import Curve, Figure, Panel, curve_plot
from similitude.report.notation import DASH
from similitude.report.page.sheet import Section, Sheet
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.terminal import terminal_view
from similitude.training.train import Trained

__all__ = ["epoch_table", "training_sheet", "training_view"]

_POINTS = 120
"""Points of a loss curve, each the mean of the steps around it."""

_CORRELATIONS = frozenset({"spearman", "pearson", "r", "rho", "sigma_rho"})
"""Figures shown x 100; losses and divergences are not scaled."""


def training_view(trained: Trained) -> RenderableType:
    """The result and the epochs, for the terminal."""
    return terminal_view(_summary(trained), [epoch_table(trained)])


def epoch_table(trained: Trained) -> Table:
    """One row per epoch: loss, figures (correlations x 100), items a second."""
    names = list(trained.figures)
    several = len(trained.history) > 1
    rows = []
    for seed, epochs in trained.history.items():
        best = max((epoch.figure for epoch in epochs if not math.isnan(epoch.figure)), default=math.nan)
        for epoch in epochs:
            cells = [TableCell(text=str(seed), value=seed)] if several else []
            cells += [
                TableCell(text=str(epoch.epoch), value=epoch.epoch),
                TableCell(text=f"{epoch.loss:.4f}", value=epoch.loss),
            ]
            cells += [_cell(name, epoch.figures[name], is_best=epoch.figure == best) for name in names]
            rate = epoch.items / epoch.training_seconds if epoch.training_seconds else math.nan
            cells += [TableCell(text=DASH if math.isnan(rate) else f"{rate:,.0f}", value=rate)]
            rows.append(tuple(cells))
    heads = [*(["seed"] if several else []), "epoch", "loss", *names, "items/s"]
    return Table(
        name="epochs",
        caption="Training loss, and figures on the validation items (correlations x 100), after each epoch.",
        columns=tuple(TableColumn(head=head) for head in heads),
        rows=tuple(rows),
    )


def training_sheet(trained: Trained) -> Sheet:
    """The training run as a page with its curves."""
    record = trained.record
    sections = (
        Section(
            name="curves",
            title="Curves",
            figures=tuple(_figures(trained)),
            tables=(epoch_table(trained),),
        ),
        Section(
            name="how",
            title="How it was trained",
            words=tuple(record["notes"]),
            facts=tuple((name.replace("_", " "), str(value)) for name, value in _facts(trained)),
        ),
    )
    data = record["data"]
    return Sheet(
        kind="training",
        name=trained.name,
        about=f"{data['items']:,} training items, {data['validated_on']:,} validation items; from {record['backbone']}",
        summary=_summary(trained),
        sections=sections,
    )


def _summary(trained: Trained) -> str:
    architecture, figures = trained.record["architecture"], trained.figures
    told = ", ".join(f"{name} {_cell(name, value).text}" for name, value in figures.items() if not math.isnan(value))
    members = trained.record.get("members", 1)
    encoding = f"{architecture.get('encoding')}-encoder"
    kind = trained.record.get("kind") or (encoding if members == 1 else f"{members} {encoding}s")
    return (
        f"{kind} from {trained.record['backbone']}: {told or 'no figure is defined'} on the validation items "
        "(correlations x 100)."
    )


def _figures(trained: Trained) -> Iterator[Figure]:
    losses = [_loss_curve(seed, curve) for seed, curve in trained.curves.items() if curve]
    if losses:
        yield Figure(
            panels=(Panel("loss", "", curve_plot("loss over steps", losses, x_name="step")),),
            caption="Mean loss over the steps; each point is the mean of the steps around it.",
        )
    correlations = [name for name in trained.figures if _is_correlation(name)]
    others = [name for name in trained.figures if not _is_correlation(name)]
    if correlations and trained.history:
        yield _judged(trained, correlations, "Correlation x 100 on the validation items after each epoch.")
    if others and trained.history:
        yield _judged(trained, others, "Losses and divergences on the validation items after each epoch.")


def _judged(trained: Trained, names: Sequence[str], caption: str) -> Figure:
    curves = [
        Curve(
            name=f"{name}, seed {seed}" if len(trained.history) > 1 else name,
            x=[float(epoch.epoch) for epoch in epochs],
            y=[_cell(name, epoch.figures[name]).value for epoch in epochs],
        )
        for seed, epochs in trained.history.items()
        for name in names
    ]
    return Figure(
        panels=(Panel("validation", "", curve_plot("validation after each epoch", curves, x_name="epoch")),),
        caption=caption,
    )


def _loss_curve(seed: int, curve: Sequence[float]) -> Curve:
    parts = np.array_split(np.asarray(curve, np.float64), min(_POINTS, len(curve)))
    ends = np.cumsum([len(part) for part in parts])
    return Curve(name=f"seed {seed}", x=ends.astype(float).tolist(), y=[float(part.mean()) for part in parts])


def _facts(trained: Trained) -> Iterator[tuple[str, object]]:
    record = trained.record
    for group in ("architecture", "objective", "recipe"):
        yield from ((name, value) for name, value in record[group].items() if value is not None)
    yield "seeds", record["seeds"]
    training = sum(epoch.training_seconds for epochs in trained.history.values() for epoch in epochs)
    validating = sum(epoch.validation_seconds for epochs in trained.history.values() for epoch in epochs)
    spent = {**record["seconds"], "training": training, "validating": validating}
    yield "seconds", ", ".join(f"{name} {seconds:.1f}" for name, seconds in spent.items())


def _is_correlation(name: str) -> bool:
    """Whether a figure is a correlation; its name may include a benchmark, as in "sigma_rho ustsu"."""
    return name.partition(" ")[0] in _CORRELATIONS


def _cell(name: str, value: float, *, is_best: bool = False) -> TableCell:
    if math.isnan(value):
        return TableCell(text=DASH)
    if _is_correlation(name):
        return TableCell(text=f"{100 * value:.1f}", value=100 * value, is_best=is_best)
    return TableCell(text=f"{value:.3f}", value=value, is_best=is_best)
