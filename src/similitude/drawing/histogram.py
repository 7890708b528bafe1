"""Histogram: bars, for example for a system, and an outline, for example for gold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from similitude.drawing.axes import Frame, Span
from similitude.drawing.svg import drawing, fluid, number, tag

__all__ = ["BINS", "histogram", "histogram_of"]

BINS = 20


def histogram(
    label: str,
    frame: Frame,
    bars: Sequence[float],
    outline: Sequence[float] = (),
    kind: str = "",
    *,
    y_ticks: bool = False,
) -> Markup:
    """Shares of items in bins of equal width.

    Args:
        label: a description of the figure.
        frame: the axes.
        bars: the share of each bin, drawn as a bar.
        outline: the share of each bin, drawn as a line.
        kind: a style class for the bars.
        y_ticks: whether the vertical axis has numbers, which counts need and shares do not.
    """
    return drawing(
        label,
        frame.drawn(y_ticks=y_ticks),
        tag("path", d=_bars(frame, bars), class_=f"bars {kind}".strip()),
        tag("path", d=_steps(frame, outline), class_="outline") if len(outline) else Markup(""),
        **fluid(*frame.size),
    )


def histogram_of(label: str, values: NDArray[np.float64], ends: tuple[float, float] | None = None) -> Markup:
    """The histogram of some values in `BINS` bins of equal width.

    Args:
        label: a description of the figure.
        values: one or more finite values.
        ends: the ends of the horizontal axis; by default the minimum and maximum.
    """
    low, high = ends or (float(values.min()), float(values.max()))
    high = high if high > low else low + 1.0
    counts, _ = np.histogram(values, bins=BINS, range=(low, high))
    shares = (counts / values.size).tolist()
    frame = Frame(x=Span(low, high), y=Span(0, 1.05 * max(*shares, 1e-9)), left=6, height=84)
    return histogram(label, frame, shares, kind="gold")


def _bars(frame: Frame, shares: Sequence[float]) -> str:
    bottom, step = frame.top + frame.height, frame.width / len(shares)
    places = ((frame.left + place * step, frame.down(share)) for place, share in enumerate(shares) if share > 0)
    return "".join(
        f"M{number(x + 0.5)} {number(bottom)}V{number(y)}h{number(step - 1)}V{number(bottom)}z" for x, y in places
    )


def _steps(frame: Frame, shares: Sequence[float]) -> str:
    bottom, step = frame.top + frame.height, frame.width / len(shares)
    steps = "".join(f"V{number(frame.down(share))}h{number(step)}" for share in shares)
    return f"M{number(frame.left)} {number(bottom)}{steps}V{number(bottom)}"
