"""Cloud plot: predicted against true values, with a trend line for each set of dots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from similitude.drawing.axes import Frame, Span, diagonal
from similitude.drawing.line_colours import KEY_HEIGHT, colour_key, line_class
from similitude.drawing.svg import drawing, fluid, number, tag

__all__ = ["Cloud", "cloud_plot"]

MOST_DOTS = 400
"""The most dots that are drawn of a cloud, which keeps figures readable and small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloud:
    """One set of dots.

    Attributes:
        name: its name in the key.
        x: the x of each dot.
        y: the y of each dot.
        line_x: the x of the points of a trend line, from left to right; empty for none.
        line_y: the y of these points.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    line_x: Sequence[float] = ()
    line_y: Sequence[float] = ()


def cloud_plot(
    label: str, clouds: Sequence[Cloud], *, x_name: str, y_name: str, top: float, size: float = 220
) -> Markup:
    """Sets of dots in a square frame whose axes have the same range; a dashed line marks y = x.

    Args:
        label: a description of the figure.
        clouds: the sets of dots, drawn as circles and triangles in turn; at most `MOST_DOTS` dots of each.
        x_name: the name of the horizontal axis.
        y_name: the name of the vertical axis.
        top: the upper end of both axes, which begin at 0; values beyond are drawn at the edge.
        size: the side of the frame.
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
    """At most `MOST_DOTS` dots, chosen evenly along x."""
    dots = sorted(zip(cloud.x, cloud.y, strict=True))
    if len(dots) <= MOST_DOTS:
        return dots
    step = (len(dots) - 1) / (MOST_DOTS - 1)
    return [dots[round(place * step)] for place in range(MOST_DOTS)]


def _circle(x: float, y: float) -> str:
    return f"M{number(x - 2)} {number(y)}a2 2 0 1 0 4 0a2 2 0 1 0 -4 0"


def _triangle(x: float, y: float) -> str:
    return f"M{number(x - 2.6)} {number(y + 2)}h5.2l-2.6 -4.6z"
