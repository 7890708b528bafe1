"""Clouds of dots on one scale, each with a line through its middle: what is predicted against what is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from similitude.drawing.axes import Frame, Span, diagonal
from similitude.drawing.line_colours import KEY_HEIGHT, colour_key, line_class
from similitude.drawing.svg import drawing, fluid, number, tag

__all__ = ["Cloud", "cloud_plot"]

MOST_DOTS = 400
"""Of a cloud that are drawn; more would be a smear, and a large file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloud:
    """One set of dots.

    Attributes:
        name: in the key.
        x: one value a dot.
        y: one value a dot.
        line_x: of the line through the cloud, from left to right; empty for none.
        line_y: of that line.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    line_x: Sequence[float] = ()
    line_y: Sequence[float] = ()


def cloud_plot(
    label: str, clouds: Sequence[Cloud], *, x_name: str, y_name: str, top: float, size: float = 220
) -> Markup:
    """Dots, circles and triangles in turn, in a square from 0 to the same value on both sides; dashed: y = x.

    Args:
        label: the figure in words.
        clouds: what to draw; of each at most `MOST_DOTS` dots, evenly along x.
        x_name: what goes from left to right.
        y_name: what goes upwards.
        top: where both sides end; what lies beyond is drawn at the edge.
        size: of the frame.
    """
    frame = Frame(x=Span(0, top), y=Span(0, top), left=30, top=18, width=size, height=size)
    whole, tall = frame.size
    total = tall + 16 + KEY_HEIGHT * len(clouds)
    return drawing(
        label,
        frame.drawn(),
        tag("text", y_name, x=frame.left, y=11, class_="tick"),
        tag("text", x_name, x=frame.left + size, y=tall + 10, class_="tick", text_anchor="end"),
        diagonal(frame),
        *(tag("g", *_cloud(frame, cloud, place), class_=line_class(place)) for place, cloud in enumerate(clouds)),
        *colour_key([cloud.name for cloud in clouds], frame.left, tall + 16),
        **fluid(whole, total),
        class_="clouds",
    )


def _cloud(frame: Frame, cloud: Cloud, place: int) -> Iterator[Markup]:
    mark = _triangle if place % 2 else _circle
    shown = _some(cloud)
    yield tag("path", d="".join(mark(frame.across(x), frame.down(y)) for x, y in shown), class_="cloud")
    if len(cloud.line_x):
        spots = zip(map(frame.across, cloud.line_x), map(frame.down, cloud.line_y), strict=True)
        yield tag("path", d="M" + "L".join(f"{number(x)} {number(y)}" for x, y in spots), class_="trend")


def _some(cloud: Cloud) -> list[tuple[float, float]]:
    """At most so many dots, evenly along x."""
    dots = sorted(zip(cloud.x, cloud.y, strict=True))
    if len(dots) <= MOST_DOTS:
        return dots
    step = (len(dots) - 1) / (MOST_DOTS - 1)
    return [dots[round(place * step)] for place in range(MOST_DOTS)]


def _circle(x: float, y: float) -> str:
    return f"M{number(x - 2)} {number(y)}a2 2 0 1 0 4 0a2 2 0 1 0 -4 0"


def _triangle(x: float, y: float) -> str:
    return f"M{number(x - 2.6)} {number(y + 2)}h5.2l-2.6 -4.6z"
