"""Before and after: two histograms over the same bins, one above the other, each with its own height.

What was kept is often a small part of what there was; on a common vertical axis it could not be seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from markupsafe import Markup

from similitude.drawing.axes import Span, ticks
from similitude.drawing.svg import drawing, fluid, number, tag

__all__ = ["before_after"]

WIDTH, HEIGHT, HEAD, FOOT = 216.0, 52.0, 15.0, 18.0
LEFT = 4.0
LABELS = 3
"""About as many edges of uneven bins are labelled."""


def before_after(label: str, edges: Sequence[float], before: Sequence[int], after: Sequence[int]) -> Markup:
    """Counts before and after in the bins between the edges; one histogram if both are the same, or none was before.

    Args:
        label: a description of the figure.
        edges: ascending, one more than counts. Bins of unequal width are drawn equally wide, labelled at
            their edges, without the empty ones at both ends.
        before: the count of each bin before.
        after: the count of each bin after.
    """
    is_even = _is_even(edges)
    if not is_even:
        edges, before, after = _occupied(edges, before, after)
    rows = list(_rows(before, after))
    step = HEAD + HEIGHT + 5
    drawn = [part for place, row in enumerate(rows) for part in _row(*row, top=place * step)]
    bottom = len(rows) * step - 5
    total = bottom + FOOT
    return drawing(
        label, *drawn, *_axis(edges, bottom, is_even=is_even), **fluid(WIDTH + 2 * LEFT, total), class_="before-after"
    )


def _occupied(
    edges: Sequence[float], before: Sequence[int], after: Sequence[int]
) -> tuple[Sequence[float], Sequence[int], Sequence[int]]:
    """The bins without the empty ones at both ends, whose far edges say nothing."""
    full = np.flatnonzero(np.asarray(before) + np.asarray(after))
    if not full.size:
        return edges, before, after
    first, last = int(full[0]), int(full[-1]) + 1
    return edges[first : last + 1], before[first:last], after[first:last]


def _rows(before: Sequence[int], after: Sequence[int]) -> Iterator[tuple[str, Sequence[int], str]]:
    """The words, counts and style class of each histogram."""
    is_same = tuple(before) == tuple(after)
    if any(before) and not is_same:
        yield "before", before, "before"
    yield "before and after" if is_same else "after", after, "after"


def _row(word: str, counts: Sequence[int], kind: str, top: float) -> Iterator[Markup]:
    floor = top + HEAD + HEIGHT
    yield tag("text", f"{word}: {sum(counts):,}", x=LEFT, y=top + 10, class_="tick")
    yield tag("line", x1=LEFT, x2=LEFT + WIDTH, y1=floor, y2=floor, class_="grid")
    yield tag("path", d=_bars(counts, floor), class_=f"bars {kind}")


def _bars(counts: Sequence[int], floor: float) -> str:
    most, step = max(*counts, 1), WIDTH / max(len(counts), 1)
    wide = number(max(step - 0.8, 0.6))
    tall = ((LEFT + place * step + 0.4, max(HEIGHT * count / most, 1.0)) for place, count in enumerate(counts) if count)
    return "".join(f"M{number(x)} {number(floor)}v{number(-high)}h{wide}V{number(floor)}z" for x, high in tall)


def _axis(edges: Sequence[float], bottom: float, *, is_even: bool) -> Iterator[Markup]:
    for share, words in _round_labels(edges) if is_even else _edge_labels(edges):
        at = LEFT + share * WIDTH
        anchor = "start" if share < 0.02 else "end" if share > 0.98 else "middle"
        yield tag("line", x1=at, x2=at, y1=bottom, y2=bottom + 4, class_="grid")
        yield tag("text", words, x=at, y=bottom + 14, class_="tick", text_anchor=anchor)


def _round_labels(edges: Sequence[float]) -> Iterator[tuple[float, str]]:
    """Places from 0 to 1 of round values."""
    span = Span(edges[0], edges[-1])
    yield from ((span.share(tick), f"{tick:g}") for tick in ticks(span.low, span.high))


def _edge_labels(edges: Sequence[float]) -> Iterator[tuple[float, str]]:
    """Places from 0 to 1 of some of the edges."""
    bins = len(edges) - 1
    for place in sorted({round(part * bins / LABELS) for part in range(LABELS + 1)}):
        yield place / bins, _edge(edges[place])


def _is_even(edges: Sequence[float]) -> bool:
    widths = np.diff(np.asarray(edges, dtype=np.float64))
    return bool(np.isfinite(widths).all() and np.allclose(widths, widths.mean(), rtol=1e-3, atol=0))


def _edge(value: float) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
