"""Charts for leaders, drawn as SVG; each comes with the numbers that it shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import accumulate, pairwise
from statistics import median
from typing import NamedTuple

from markupsafe import Markup

from similitude.collect.annotation.answer_records import Person
from similitude.collect.annotation.records import Progress
from similitude.collect.annotation.store import AnswerCounts
from similitude.collect.annotation.store.answer_times import SECONDS
from similitude.collect.annotation.web.agreement_track import AgreementTrack, Pairs
from similitude.collect.annotation.web.language import Texts
from similitude.drawing import Curve, curve_plot, histogram
from similitude.drawing.axes import Frame, Span

__all__ = [
    "Heat",
    "HeatCell",
    "agreement_chart",
    "cumulative_chart",
    "heat_table",
    "person_pace",
    "person_progress",
    "progress_bars",
    "seconds_classes",
    "seconds_histogram",
    "time_label",
]

LABELS = 4
GROUPS = 40
MOST_PEOPLE = 30
"""The most people in the table of pairs; the download has all."""
STEPS = {"pearson": (0.0, 0.25, 0.5, 0.75), "same": (0.2, 0.4, 0.6, 0.8)}
WIDTH = 420.0


class HeatCell(NamedTuple):
    """A cell of the table of pairs: the value (nan: none), the number of shared questions, and a shade from 1 to 5."""

    value: float
    shared: int
    shade: int


class Heat(NamedTuple):
    """A table of pairs; ``left_out`` people are only in the download."""

    names: tuple[str, ...]
    rows: tuple[tuple[HeatCell | None, ...], ...]
    measure: str
    left_out: int


def time_label(at: datetime, unit: timedelta) -> str:
    """A time on an axis.

    >>> from datetime import UTC
    >>> time_label(datetime(2026, 3, 2, 9, tzinfo=UTC), timedelta(hours=1))
    '03-02 09:00'
    """
    return f"{at:%m-%d %H:%M}" if unit < timedelta(days=1) else f"{at:%Y-%m-%d}"


def _some(places: Sequence[float], words: Sequence[str]) -> tuple[tuple[float, str], ...]:
    """A few labels, evenly spread, with the first and the last."""
    if not places:
        return ()
    last = len(places) - 1
    chosen = sorted({round(part * last / (LABELS - 1)) for part in range(LABELS)})
    return tuple((places[at], words[at]) for at in chosen)


def progress_bars(counts: AnswerCounts, texts: Texts) -> Markup:
    """Answers per hour, day or week."""
    number = len(counts.counts)
    labels = [time_label(start, counts.unit) for start in counts.starts]
    frame = Frame(
        x=Span(0, number),
        y=Span(0, 1.05 * max(counts.counts)),
        left=40,
        width=WIDTH,
        height=140,
        x_labels=_some([place + 0.5 for place in range(number)], labels),
    )
    return histogram(texts("charts.progress"), frame, counts.counts, y_ticks=True)


def cumulative_chart(counts: AnswerCounts, progress: Progress, now: datetime, texts: Texts) -> Markup:
    """All answers so far against those wanted, and when they are expected to meet."""
    times = [counts.starts[0], *(start + counts.unit for start in counts.starts)]
    times[-1] = max(min(times[-1], now), times[-2])
    x = [_hours(times[0], at) for at in times]
    end = _hours(times[0], progress.expected) if progress.expected else x[-1]
    wanted = float(max(progress.wanted, counts.total))
    curves = [
        Curve(name=texts("charts.given"), x=x, y=[0.0, *map(float, accumulate(counts.counts))]),
        Curve(name=texts("charts.wanted"), x=[x[0], max(x[-1], end)], y=[wanted, wanted], colour=4),
    ]
    if progress.expected and end > x[-1]:
        projected = Curve(name=texts("charts.expected"), x=[x[-1], end], y=[float(counts.total), wanted], colour=7)
        curves.append(projected)
        times, x = [*times, progress.expected], [*x, end]
    ends = [x[0], x[-1]] if len(x) < LABELS else x
    words = [time_label(times[x.index(place)], counts.unit) for place in ends]
    label = texts("charts.cumulative")
    return curve_plot(label, curves, x_name=texts("charts.time"), x_labels=_apart(_some(ends, words)), with_zero=True)


def _apart(labels: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """Labels that are far enough from each other to be read; the first and the last stay."""
    if len(labels) < 2:
        return list(labels)
    room = (labels[-1][0] - labels[0][0]) / (LABELS + 1)
    kept = [labels[0]]
    for label in labels[1:-1]:
        if label[0] - kept[-1][0] >= room and labels[-1][0] - label[0] >= room:
            kept.append(label)
    return [*kept, labels[-1]]


def _hours(first: datetime, at: datetime) -> float:
    return (at - first).total_seconds() / 3600


def agreement_chart(track: AgreementTrack, texts: Texts) -> Markup:
    """Agreement over time, with its interval as a band."""
    first = track.moments[0].at
    x = [_hours(first, each.at) for each in track.moments]
    step = timedelta(days=1) if x[-1] > 24 * 14 else timedelta(hours=1)
    curve = Curve(
        name=track.name,
        x=x,
        y=[each.value for each in track.moments],
        low=[each.low for each in track.moments],
        high=[each.high for each in track.moments],
    )
    words = [time_label(each.at, step) for each in track.moments]
    labels = _apart(_some(x, words))
    return curve_plot(texts("charts.agreement"), [curve], x_name=texts("charts.time"), x_labels=labels)


def seconds_classes() -> list[str]:
    """The classes of seconds in words.

    >>> seconds_classes()[4], seconds_classes()[-1]
    ('4–6', '≥ 512')
    """
    return [f"{low}–{high}" for low, high in pairwise(SECONDS)] + [f"≥ {SECONDS[-1]}"]


def seconds_histogram(counts: AnswerCounts, texts: Texts) -> Markup:
    """How long answers took; the classes grow by ratio."""
    full = [place for place, count in enumerate(counts.seconds) if count]
    first, last = (full[0], full[-1] + 1) if full else (0, len(SECONDS))
    shown = counts.seconds[first:last]
    labels = tuple((float(place - first), str(SECONDS[place])) for place in range(first, last, max(1, len(shown) // 6)))
    frame = Frame(
        x=Span(0, len(shown)), y=Span(0, 1.05 * max(*shown, 1)), left=40, width=WIDTH, height=140, x_labels=labels
    )
    return histogram(texts("charts.seconds"), frame, shown, y_ticks=True)


def heat_table(pairs: Pairs) -> Heat:
    """The people who are in most pairs, each against each."""
    shared: dict[str, int] = {}
    for pair in pairs.rows:
        for name in (pair.one, pair.other):
            shared[name] = shared.get(name, 0) + pair.shared
    names = sorted(shared, key=lambda name: -shared[name])[:MOST_PEOPLE]
    cells: dict[tuple[str, str], HeatCell] = {}
    for pair in pairs.rows:
        cell = HeatCell(pair.value, pair.shared, _shade(pairs.measure, pair.value))
        cells[pair.one, pair.other] = cells[pair.other, pair.one] = cell
    rows = tuple(tuple(cells.get((one, other)) for other in names) for one in names)
    return Heat(tuple(names), rows, pairs.measure, len(shared) - len(names))


def _shade(measure: str, value: float) -> int:
    return 0 if math.isnan(value) else 1 + sum(value >= step for step in STEPS[measure])


def person_progress(person: Person, texts: Texts) -> Markup | None:
    """A person's answers over time; None for fewer than two."""
    times = sorted(each.at for each in person.answers if each.current)
    if len(times) < 2:
        return None
    chosen = sorted({round(part * (len(times) - 1) / GROUPS) for part in range(GROUPS + 1)})
    x = [_hours(times[0], times[at]) for at in chosen]
    step = timedelta(days=1) if x[-1] > 24 * 14 else timedelta(hours=1)
    labels = _apart(_some([x[0], x[-1]], [time_label(times[0], step), time_label(times[-1], step)]))
    curve = Curve(name=texts("answers.answers"), x=x, y=[at + 1.0 for at in chosen])
    return curve_plot(
        texts("answers.over_time"), [curve], x_name=texts("charts.time"), x_labels=labels, height=140, with_zero=True
    )


def person_pace(person: Person, texts: Texts) -> tuple[Markup, list[tuple[str, float]]] | None:
    """The median seconds of consecutive groups of answers, drawn and as rows; None for fewer than two groups."""
    times = [each.seconds for each in person.counted("work") if each.seconds is not None]
    size = max(5, math.ceil(len(times) / GROUPS))
    groups = [times[start : start + size] for start in range(0, len(times), size)]
    if len(groups) < 2:
        return None
    rows = [(f"{place * size + 1}–{place * size + len(group)}", median(group)) for place, group in enumerate(groups)]
    x = [place * size + (len(group) + 1) / 2 for place, group in enumerate(groups)]
    curve = Curve(name=texts("answers.median_seconds"), x=x, y=[value for _, value in rows])
    drawn = curve_plot(
        texts("answers.pace"), [curve], x_name=texts("answers.number_of_answer"), height=140, with_zero=True
    )
    return drawn, rows
