"""The leader's charts: progress, agreement over time, times per answer, agreement of pairs; as pages and as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from starlette.responses import Response

from similitude.collect.annotation.store import progress
from similitude.collect.annotation.store.spreadsheets import csv_lines
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.streams import streamed
from similitude.collect.annotation.web.views.charts import (
    agreement_chart,
    cumulative_chart,
    heat_table,
    progress_bars,
    seconds_classes,
    seconds_histogram,
)
from similitude.collect.annotation.web.visit import CurrentVisit, Visit
from similitude.stats.finite import finite_or_none

__all__ = ["ChartName", "chart_rows", "pages"]

pages = Routes(Role.LEADER, prefix="/leader/charts")

ChartName = Literal["progress", "seconds", "agreement", "pairs"]


@pages.get("")
def show_charts(visit: CurrentVisit) -> Response:
    """All charts that are known now; the others are being computed."""
    counts = visit.services.charts.counts.look()
    agreement = visit.services.charts.agreement.look() if visit.services.charts.agreement else None
    context: dict[str, Any] = {"counts": counts, "agreement": agreement}
    if counts.value is not None and counts.value.total:
        context |= _counted(visit)
    if agreement is not None and agreement.value is not None:
        track = agreement.value
        context |= {"agreement_drawing": agreement_chart(track, visit.texts) if track.moments else None}
        context |= {"heat": heat_table(track.pairs)}
    return visit.page("leader/charts.html", **context)


def _counted(visit: Visit) -> dict[str, Any]:
    counts = visit.services.charts.counts.look().value
    assert counts is not None
    now_at = progress(visit.database, now=visit.now)
    return {
        "progress": now_at,
        "bars": progress_bars(counts, visit.texts),
        "cumulative": cumulative_chart(counts, now_at, visit.now, visit.texts),
        "times": seconds_histogram(counts, visit.texts),
        "progress_rows": list(chart_rows(visit, "progress")),
        "seconds_rows": list(zip(seconds_classes(), counts.seconds, strict=True)),
    }


@pages.get("/{name}.csv")
def download_chart(visit: CurrentVisit, name: ChartName) -> Response:
    """The numbers of one chart."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    lines = csv_lines(chart_rows(visit, name))
    return streamed(lines, media_type="text/csv; charset=utf-8", headers=headers)


def chart_rows(visit: Visit, name: ChartName) -> Iterator[dict[str, Any]]:
    """The numbers of one chart as rows, as far as they are known now."""
    yield from {"progress": _progress, "seconds": _seconds, "agreement": _agreement, "pairs": _pairs}[name](visit)


def _progress(visit: Visit) -> Iterator[dict[str, Any]]:
    counts = visit.services.charts.counts.look().value
    total = 0
    for start, count in zip(counts.starts, counts.counts, strict=True) if counts else ():
        total += count
        end = start + counts.unit if counts else start
        yield {"from": start.isoformat(), "to": end.isoformat(), "answers": count, "total": total}


def _seconds(visit: Visit) -> Iterator[dict[str, Any]]:
    counts = visit.services.charts.counts.look().value
    for words, count in zip(seconds_classes(), counts.seconds, strict=True) if counts else ():
        yield {"seconds": words, "answers": count}


def _agreement(visit: Visit) -> Iterator[dict[str, Any]]:
    known = visit.services.charts.agreement.look().value if visit.services.charts.agreement else None
    for each in known.moments if known else ():
        figures = {name: finite_or_none(getattr(each, name)) for name in ("value", "low", "high")}
        yield {"until": each.at.isoformat(), "answers": each.answers, "figure": known.name if known else "", **figures}


def _pairs(visit: Visit) -> Iterator[dict[str, Any]]:
    known = visit.services.charts.agreement.look().value if visit.services.charts.agreement else None
    for each in known.pairs.rows if known else ():
        row = {"one": each.one, "other": each.other, "shared": each.shared, "value": finite_or_none(each.value)}
        yield {**row, "measure": known.pairs.measure if known else ""}
