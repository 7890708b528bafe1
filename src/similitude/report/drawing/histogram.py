"""How scores are spread: bars for a system, an outline for gold."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from similitude.report.drawing.axes import Frame
from similitude.report.drawing.svg import drawing, number, tag

__all__ = ["histogram"]


def histogram(label: str, frame: Frame, bars: Sequence[float], outline: Sequence[float] = (), kind: str = "") -> Markup:
    """Shares of items in bins of equal width over the frame's x.

    Args:
        label: the figure in words.
        frame: what the sides stand for.
        bars: one share a bin, filled.
        outline: one share a bin, as a line on top.
        kind: a class for the bars.
    """
    width, height = frame.size
    return drawing(
        label,
        frame.drawn(y_ticks=False),
        tag("path", d=_bars(frame, bars), class_=f"bars {kind}".strip()),
        tag("path", d=_steps(frame, outline), class_="outline") if len(outline) else Markup(""),
        width="100%",
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
    )


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
