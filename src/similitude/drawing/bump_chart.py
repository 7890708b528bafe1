"""Bump chart: the ranks of systems under several measures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from markupsafe import Markup

from similitude.drawing.line_colours import line_class
from similitude.drawing.svg import drawing, number, tag, title

__all__ = ["bump_chart"]

ROW = 26
STEP = 112
HEAD = 34
LETTER = 7.1
"""Width of a letter in pixels, rounded up."""

Spot = tuple[float, float]


def bump_chart(label: str, names: Sequence[str], heads: Sequence[str], ranks: Sequence[Sequence[float]]) -> Markup:
    """One column per measure, with the best system at the top; tied systems have the same number, one below the other.

    Args:
        label: a description of the figure.
        names: the systems; ties are drawn in this order.
        heads: the name of each column.
        ranks: systems x columns; nan if a system has no rank.
    """
    side = 20 + LETTER * max(map(len, names))
    width, height = 2 * side + STEP * (len(heads) - 1), HEAD + ROW * len(names) + 6
    lines = _lines(ranks)
    systems = (
        tag("g", title(name), *_system(name, side, lines[row], ranks[row]), class_=line_class(row), data_system=name)
        for row, name in enumerate(names)
    )
    return drawing(
        label,
        *_heads(heads, side),
        *systems,
        width=width,
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
        class_="bump",
    )


def _heads(heads: Sequence[str], side: float) -> Iterator[Markup]:
    """The names of the columns, alternating between two levels if they are too wide."""
    is_tight = LETTER * max(map(len, heads)) > STEP
    for column, head in enumerate(heads):
        level = 13 if is_tight and column % 2 else 28
        yield tag("text", head, x=side + STEP * column, y=level, class_="head", text_anchor="middle")


def _lines(ranks: Sequence[Sequence[float]]) -> list[list[float | None]]:
    """Systems x columns: the vertical coordinate of each rank; None for no rank."""
    lines: list[list[float | None]] = [[None] * len(row) for row in ranks]
    for column, values in enumerate(zip(*ranks, strict=True)):
        ranked = sorted((row for row, rank in enumerate(values) if not math.isnan(rank)), key=values.__getitem__)
        for place, row in enumerate(ranked):
            lines[row][column] = HEAD + ROW * (place + 0.5)
    return lines


def _system(name: str, side: float, line: Sequence[float | None], ranks: Sequence[float]) -> Iterator[Markup]:
    spots = [None if y is None else (side + STEP * column, y) for column, y in enumerate(line)]
    for one, other in pairwise(spots):
        if one and other:
            yield tag("line", x1=one[0], y1=one[1], x2=other[0], y2=other[1])
    known = [(spot, rank) for spot, rank in zip(spots, ranks, strict=True) if spot]
    for (x, y), rank in known:
        yield tag("circle", cx=x, cy=y, r=10)
        yield tag("text", f"{rank:.0f}", x=x, y=y + 4, class_="rank", text_anchor="middle")
    if known:
        yield _name(name, known[0][0], "end", -16)
        yield _name(name, known[-1][0], "start", 16)


def _name(name: str, spot: Spot, anchor: str, shift: float) -> Markup:
    return tag("text", name, x=spot[0] + shift, y=spot[1] + 4, class_="name", text_anchor=anchor)
