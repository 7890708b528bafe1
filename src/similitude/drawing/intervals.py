"""Interval plot: one value with its interval for each system.

Coordinates are percentages, not those of a view box, so that text keeps its size at any width, also on a phone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from similitude.drawing.axes import Span, ticks
from similitude.drawing.svg import drawing, percent, tag, title

__all__ = ["Whisker", "interval_plot"]

LONGEST = 44
"""The most characters of a name, which fill a phone."""
BESIDE = 20
"""Up to this many characters, a name and the value in words fit beside each other on a phone."""
ROW = 38
LINE = 17
FOOT = 22
MARGIN = 0.02


class Whisker(NamedTuple):
    """One line of the plot.

    Attributes:
        name: the name of the system.
        words: the value as text.
        value: the value; nan if it is undefined.
        low: the lower end of the interval; nan for no interval.
        high: the upper end of the interval.
    """

    name: str
    words: str
    value: float
    low: float = math.nan
    high: float = math.nan


def interval_plot(label: str, whiskers: Sequence[Whisker]) -> Markup:
    """One line per system: its name and value as text, and below them a dot with its interval."""
    span = _span(whiskers)
    above = LINE if any(len(whisker.name) > BESIDE for whisker in whiskers) else 0
    height = ROW + above
    bottom = height * len(whiskers)
    rows = (
        tag(
            "svg",
            *_line(span, whisker, above),
            y=height * place,
            width="100%",
            height=height,
            class_="row",
            data_system=whisker.name,
        )
        for place, whisker in enumerate(whiskers)
    )
    return drawing(label, *_grid(span, bottom), *rows, width="100%", height=bottom + FOOT, class_="intervals")


def _span(whiskers: Sequence[Whisker]) -> Span:
    values = [end for one in whiskers for end in (one.value, one.low, one.high) if not math.isnan(end)]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    room = 0.04 * (high - low) or 0.5
    return Span(low - room, high + room)


def _at(span: Span, value: float) -> str:
    return percent(MARGIN + (1 - 2 * MARGIN) * span.share(value))


def _shortened(name: str) -> str:
    """The name; the middle of a long one, such as a path, is left out."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST // 2]}…{name[-(LONGEST // 2 - 1) :]}"


def _grid(span: Span, bottom: float) -> Iterator[Markup]:
    for tick in ticks(span.low, span.high, 6):
        at = _at(span, tick)
        yield tag("line", x1=at, x2=at, y1=0, y2=bottom, class_="grid")
        yield tag("text", f"{tick:g}", x=at, y=bottom + 15, class_="tick", text_anchor="middle")


def _line(span: Span, whisker: Whisker, above: float) -> Iterator[Markup]:
    """The name, the value in words beside it or so far below it, and the dot with its interval."""
    middle = above + 27
    yield tag("text", title(whisker.name), _shortened(whisker.name), x="0", y=14, class_="name")
    yield tag("text", whisker.words, x="100%", y=above + 14, class_="words", text_anchor="end")
    if math.isnan(whisker.value):
        return
    if not math.isnan(whisker.low):
        ends = _at(span, whisker.low), _at(span, whisker.high)
        yield tag("line", x1=ends[0], x2=ends[1], y1=middle, y2=middle, class_="whisker")
        for end in ends:
            yield tag("line", x1=end, x2=end, y1=middle - 4, y2=middle + 4, class_="whisker")
    yield tag("circle", cx=_at(span, whisker.value), cy=middle, r=4.5, class_="point")
