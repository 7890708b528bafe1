"""Kept bars: for each row, how much was kept of what there was.

Coordinates are percentages, so that text keeps its size at any width, also on a phone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from similitude.drawing.svg import drawing, percent, tag, title

__all__ = ["KeptBar", "kept_bars"]

LONGEST = 44
"""The most characters of a name, which fill a phone."""
ACROSS = 46
"""Up to this many characters, a name and its words fit beside each other on a phone."""
LINE, BAR, GAP = 18, 7, 13
LEAST = 0.004
"""The bar of something that was kept is never shorter."""


class KeptBar(NamedTuple):
    """One row.

    Attributes:
        name: of a step or a part.
        words: the numbers as text.
        share: what was kept, from 0 to 1; nan for no bar.
    """

    name: str
    words: str
    share: float


def kept_bars(label: str, bars: Sequence[KeptBar]) -> Markup:
    """One row for each bar: its name and words, and below them the share that was kept as a part of the whole width."""
    heights = [LINE + _above(bar) + GAP + (0 if math.isnan(bar.share) else BAR) for bar in bars]
    tops = [0, *itertools.accumulate(heights)]
    rows = (
        tag("svg", *_row(bar), y=top, width="100%", height=height)
        for bar, top, height in zip(bars, tops, heights, strict=False)
    )
    return drawing(label, *rows, width="100%", height=tops[-1], class_="kept")


def _above(bar: KeptBar) -> int:
    """The height of a line of its own for the name, where name and words do not fit beside each other."""
    return LINE if len(bar.name) + len(bar.words) > ACROSS else 0


def _row(bar: KeptBar) -> Iterator[Markup]:
    above = _above(bar)
    yield tag("text", title(bar.name), _shortened(bar.name), x="0", y=13, class_="name")
    yield tag("text", bar.words, x="100%", y=above + 13, class_="words", text_anchor="end")
    if math.isnan(bar.share):
        return
    top = above + LINE + 1
    yield tag("rect", x="0", y=top, width="100%", height=BAR, rx=2, class_="track")
    if bar.share > 0:
        yield tag("rect", x="0", y=top, width=percent(max(bar.share, LEAST)), height=BAR, rx=2, class_="fill")


def _shortened(name: str) -> str:
    """The name, or as much of it as fits; the tooltip has it all."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
