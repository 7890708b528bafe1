"""Scatter plot of predictions against gold: one dot per item, or squares coloured by count."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from similitude.drawing.axes import Frame, diagonal
from similitude.drawing.svg import drawing, fluid, number, tag, title

__all__ = ["BINS", "LAYERS", "LEVELS", "scatter"]

Array = NDArray[np.float64]

BINS = 42
"""Number of squares along each side."""

LEVELS = 5
"""Number of shades for squares."""

LAYERS = 4
"""Number of paths for dots without a title; where dots of several paths overlap, they look denser."""


def scatter(
    label: str,
    frame: Frame,
    gold: Array,
    predicted: Array,
    *,
    titles: Sequence[str] = (),
    is_binned: bool = False,
    has_diagonal: bool = True,
) -> Markup:
    """Gold on the horizontal axis, predictions on the vertical one.

    Args:
        label: a description of the figure.
        frame: the axes; values outside are drawn at the edge.
        gold: one score per item.
        predicted: one score per item.
        titles: one tooltip per item.
        is_binned: draw squares instead of dots.
        has_diagonal: draw a dashed line where both are equal, which needs a common scale.
    """
    across = np.array([frame.across(value) for value in gold])
    down = np.array([frame.down(value) for value in predicted])
    marks = _squares(frame, across, down) if is_binned else _dots(across, down, titles)
    return drawing(
        label,
        frame.drawn(),
        marks,
        diagonal(frame) if has_diagonal else Markup(""),
        **fluid(*frame.size),
    )


def _dots(across: Array, down: Array, titles: Sequence[str]) -> Markup:
    if titles:
        places = zip(titles, across, down, strict=True)
        return Markup("").join(tag("circle", title(words), cx=x, cy=y, r=2.6, class_="dot") for words, x, y in places)
    layers = (_path_of_dots(across[start::LAYERS], down[start::LAYERS]) for start in range(LAYERS))
    return Markup("").join(tag("path", d=path, class_="dots") for path in layers if path)


def _path_of_dots(across: Array, down: Array) -> str:
    """Dots as lines of length 0 with round ends, which take a dozen bytes each."""
    return "".join(f"M{number(x)} {number(y)}h0" for x, y in zip(across, down, strict=True))


def _squares(frame: Frame, across: Array, down: Array) -> Markup:
    """One path for each shade, which grows with the logarithm of the number of items in a square."""
    edges_x = frame.left + np.linspace(0, frame.width, BINS + 1)
    edges_y = frame.top + np.linspace(0, frame.height, BINS + 1)
    counts, _, _ = np.histogram2d(across, down, bins=(edges_x, edges_y))
    depth = np.ceil(LEVELS * np.log1p(counts) / max(np.log1p(counts).max(), 1e-9)).astype(int)
    side = number(frame.width / BINS + 0.1)
    paths = []
    for level in range(1, LEVELS + 1):
        columns, rows = np.nonzero(depth == level)
        corners = zip(edges_x[columns], edges_y[rows], strict=True)
        path = "".join(f"M{number(x)} {number(y)}h{side}v{side}h-{side}z" for x, y in corners)
        paths.append(tag("path", d=path, class_=f"square square-{level}") if path else Markup(""))
    return Markup("").join(paths)
