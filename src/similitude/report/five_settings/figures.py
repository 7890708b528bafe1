"""Figures of the five settings: predicted against human spread (figure 6 of the USTS paper), and calibration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from similitude.drawing import Cloud, Curve, Figure, Panel, cloud_plot, curve_plot
from similitude.drawing.clouds import MOST_DOTS
from similitude.report.notation import SIMULATED, figure_text
from similitude.stats.coverage import LEVELS
from similitude.study.five_settings.findings import DomainResult, FiveSettings, Spreads
from similitude.study.five_settings.table import KINDS, SETTINGS, SettingRow

__all__ = ["reliability_figures", "spread_figure"]

PREFERRED = {"sbert-gpr": (5, 4, 3, 2)}
"""The setting that represents a system in figure 6: cross-domain for SBERT-GPR, as in the paper; else generalised."""

USUAL = (4, 3, 5)


def spread_figure(settings: FiveSettings) -> Figure | None:
    """Figure 6: predicted against human standard deviations, one panel per system, one colour per benchmark."""
    shown = [(row, clouds) for row in _shown(settings) if (clouds := list(_clouds(settings, row)))]
    if not shown:
        return None
    top = max(max(*cloud.x, *cloud.y) for _, clouds in shown for cloud in clouds)
    panels = tuple(Panel(row.label, _words(settings, row), _drawn(row, clouds, top)) for row, clouds in shown)
    words = (
        "Standard deviation among people from left to right, predicted upwards; on the dashed line they are the same. "
        f"A dot is a test item, of which at most {MOST_DOTS} are drawn evenly along the x-axis; the line joins the "
        "means of ten groups of items by human standard deviation. As figure 6 of the USTS paper."
    )
    return Figure(panels, _told(settings, words))


def reliability_figures(settings: FiveSettings) -> Iterator[Figure]:
    """One figure per benchmark, one panel per setting: observed against nominal coverage of central intervals."""
    for result in settings.results:
        panels = tuple(_reliability(result, setting.number, setting.title) for setting in SETTINGS)
        known = tuple(panel for panel in panels if panel is not None)
        if known:
            words = (
                f"{result.name}: the share of gold scores inside the central interval that claims to hold that share. "
                "Below the dashed line a system is overconfident, above it underconfident."
            )
            yield Figure(known, _told(settings, words))


def _shown(settings: FiveSettings) -> list[SettingRow]:
    """The row that represents each kind of system with a spread."""
    rows = [row for row in settings.rows if any(_spreads(result, row) for result in settings.results)]
    chosen = []
    for name in settings.plan.kinds:
        own = {row.setting.number: row for row in rows if row.kind.name == name}
        order = [number for number in PREFERRED.get(name, USUAL) if number in own]
        chosen += [own[number] for number in order[:1]]
    return chosen


def _spreads(result: DomainResult, row: SettingRow) -> Spreads | None:
    return result.spreads[result.rows.index(row)] if row in result.rows else None


def _clouds(settings: FiveSettings, row: SettingRow) -> Iterator[Cloud]:
    for result in settings.results:
        spreads = _spreads(result, row)
        if spreads is None or not spreads.human.size:
            continue
        human, predicted = spreads.averaged()
        yield Cloud(
            name=result.name,
            x=spreads.human.tolist(),
            y=spreads.predicted.tolist(),
            line_x=human.tolist(),
            line_y=predicted.tolist(),
        )


def _drawn(row: SettingRow, clouds: Sequence[Cloud], top: float) -> Markup:
    return cloud_plot(
        f"{row.label}: predicted against human standard deviations",
        clouds,
        x_name="σ of people",
        y_name="predicted σ",
        top=top,
    )


def _words(settings: FiveSettings, row: SettingRow) -> str:
    told = (
        f"{result.name} ρ {figure_text(result.figure(row, 'sigma_spearman'))}"
        for result in settings.results
        if row in result.rows
    )
    return ", ".join(told)


def _reliability(result: DomainResult, number: int, title: str) -> Panel | None:
    curves = [
        Curve(name=row.kind.label, x=LEVELS.tolist(), y=spreads.coverage.tolist(), colour=_colour(row))
        for row, spreads in zip(result.rows, result.spreads, strict=True)
        if row.setting.number == number and spreads is not None
    ]
    if not curves:
        return None
    label = f"{result.name}, {title}: observed against nominal coverage"
    drawn = curve_plot(label, curves, x_name="share claimed", width=200, height=200, is_of_shares=True)
    return Panel(f"({number}) {title}", "", drawn)


def _colour(row: SettingRow) -> int:
    """The colour of a kind of system, the same in every panel."""
    known = list(KINDS)
    return known.index(row.kind.name) if row.kind.name in known else len(known) + sum(map(ord, row.kind.name)) % 4


def _told(settings: FiveSettings, words: str) -> str:
    return f"{words} {SIMULATED}." if settings.is_simulated else words
