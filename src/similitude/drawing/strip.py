"""Strip: one item on its scale, with a diamond for gold and a dot for each prediction."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from similitude.drawing.axes import Span
from similitude.drawing.svg import drawing, percent, tag, title

__all__ = ["strip"]

MIDDLE = 9
MARGIN = 0.03


def strip(label: str, span: Span, gold: float, predicted: Sequence[tuple[str, float]]) -> Markup:
    """A line for the scale, with a diamond for gold and a dot for each prediction.

    Args:
        label: a description of the figure.
        span: the scale.
        gold: the gold score of the item.
        predicted: the name of each system and its score.
    """
    ends = percent(MARGIN), percent(1 - MARGIN)
    parts = [tag("line", x1=ends[0], x2=ends[1], y1=MIDDLE, y2=MIDDLE, class_="scale")]
    parts += [tag("line", x1=end, x2=end, y1=MIDDLE - 4, y2=MIDDLE + 4, class_="scale") for end in ends]
    parts += [
        tag("circle", title(name), cx=_at(span, value), cy=MIDDLE, r=4, class_="prediction")
        for name, value in predicted
    ]
    diamond = tag("path", title(f"gold {gold:.2f}"), d="M0 -6.5L6.5 0L0 6.5L-6.5 0z", class_="gold")
    parts.append(tag("svg", diamond, x=_at(span, gold), y=MIDDLE, overflow="visible", width=1, height=1))
    return drawing(label, *parts, width="100%", height=2 * MIDDLE, class_="strip")


def _at(span: Span, value: float) -> str:
    return percent(MARGIN + (1 - 2 * MARGIN) * span.share(value))
