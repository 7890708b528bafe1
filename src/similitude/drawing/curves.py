"""Curve plot: lines over a common x axis, with uncertainty bands."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from similitude.drawing.axes import Frame, Span, diagonal
from similitude.drawing.line_colours import KEY_HEIGHT, colour_key, line_class
from similitude.drawing.svg import drawing, fluid, number, tag, title

__all__ = ["Curve", "curve_plot"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One line.

    Attributes:
        name: its name in the key.
        x: the x of each point, from left to right.
        y: the y of each point; nan interrupts the line.
        low: the lower border of the band; empty for none.
        high: the upper border of the band.
        colour: the number of its colour, from 0; by default its place among the curves.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    colour: int | None = None


def curve_plot(
    label: str,
    curves: Sequence[Curve],
    *,
    x_name: str,
    width: float = 420,
    height: float = 200,
    is_of_shares: bool = False,
    x_labels: Sequence[tuple[float, str]] = (),
    with_zero: bool = False,
) -> Markup:
    """Curves with dots at their points, pale bands, and a key below.

    Args:
        label: a description of the figure.
        curves: the curves.
        x_name: the name of the horizontal axis.
        width: the width of the frame.
        height: the height of the frame.
        is_of_shares: whether both axes run from 0 to 1; a dashed line then marks y = x.
        x_labels: values of x with their labels, such as dates; by default round numbers.
        with_zero: whether the vertical axis begins at 0, as counts should.
    """
    x, y = (Span(0, 1), Span(0, 1)) if is_of_shares else (_span([curve.x for curve in curves]), _reach(curves))
    y = Span(min(0.0, y.low), y.high) if with_zero else y
    frame = Frame(x=x, y=y, left=40, width=width, height=height, x_labels=tuple(x_labels))
    whole, tall = frame.size
    foot = tag("text", x_name, x=frame.left + width, y=tall + 10, class_="tick", text_anchor="end")
    colours = [place if curve.colour is None else curve.colour for place, curve in enumerate(curves)]
    drawn = zip(curves, colours, strict=True)
    lines = (tag("g", *_curve(frame, curve), class_=line_class(colour)) for curve, colour in drawn)
    total = tall + 16 + KEY_HEIGHT * len(curves)
    return drawing(
        label,
        frame.drawn(),
        foot,
        diagonal(frame) if is_of_shares else Markup(""),
        *lines,
        *colour_key([curve.name for curve in curves], frame.left, tall + 16, colours),
        **fluid(whole, total),
        class_="curves",
    )


def _span(rows: Sequence[Sequence[float]]) -> Span:
    values = [value for row in rows for value in row if not math.isnan(value)]
    return Span(min(values), max(values)) if values else Span(0, 1)


def _reach(curves: Sequence[Curve]) -> Span:
    """The range of all values and bands, with a margin."""
    span = _span([row for curve in curves for row in (curve.y, curve.low, curve.high)])
    room = 0.05 * (span.high - span.low) or 0.5
    return Span(span.low - room if span.low < 0 else max(span.low - room, 0.0), span.high + room)


def _curve(frame: Frame, curve: Curve) -> Iterator[Markup]:
    if len(curve.low):
        yield tag("path", d=_band(frame, curve), class_="band")
    spots = [None if math.isnan(y) else (frame.across(x), frame.down(y)) for x, y in zip(curve.x, curve.y, strict=True)]
    for one, other in pairwise(spots):
        if one and other:
            yield tag("line", x1=one[0], y1=one[1], x2=other[0], y2=other[1])
    named = dict(frame.x_labels)
    for spot, x, y in zip(spots, curve.x, curve.y, strict=True):
        if spot:
            where = f" at {x:g}" if not named else f" ({named[x]})" if x in named else ""
            yield tag("circle", title(f"{curve.name}: {y:.3g}{where}"), cx=spot[0], cy=spot[1], r=2.6)


def _band(frame: Frame, curve: Curve) -> str:
    known = [
        (x, low, high)
        for x, low, high in zip(curve.x, curve.low, curve.high, strict=True)
        if not (math.isnan(low) or math.isnan(high))
    ]
    upper = [(frame.across(x), frame.down(high)) for x, _, high in known]
    lower = [(frame.across(x), frame.down(low)) for x, low, _ in reversed(known)]
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in upper + lower) + "z" if known else ""
