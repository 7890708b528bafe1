"""Axes: ranges of values, ticks, and the frame of a small plot."""

from __future__ import annotations

import math
from dataclasses import dataclass

from markupsafe import Markup

from similitude.drawing.svg import tag

__all__ = ["Frame", "Span", "diagonal", "ticks"]

EDGE = 0.06
"""The share of the width in which a label in words would stick out of the figure."""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of values along an axis."""

    low: float
    high: float

    def share(self, value: float) -> float:
        """The position of a value in the range, from 0 to 1; values outside are at the nearer end."""
        if self.high <= self.low:
            return 0.5
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """About as many round values between low and high as asked for.

    >>> ticks(0, 5), ticks(0.62, 0.81)
    ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [0.65, 0.7, 0.75, 0.8])
    """
    if high <= low:
        return [low]
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * min((1, 2, 5, 10), key=lambda factor: abs(factor * power - rough))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(place * step, 10) for place in range(first, last + 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The area of a small plot inside a figure.

    Attributes:
        x: the range of the horizontal axis.
        y: the range of the vertical axis.
        left: the left edge of the area.
        top: the upper edge of the area.
        width: the width of the area.
        height: the height of the area.
        x_labels: values of x with their labels, such as dates; by default round numbers.
    """

    x: Span
    y: Span
    left: float = 26
    top: float = 6
    width: float = 168
    height: float = 168
    x_labels: tuple[tuple[float, str], ...] = ()

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the whole figure, with room for the labels of the ticks."""
        return self.left + self.width + 8, self.top + self.height + 18

    def across(self, value: float) -> float:
        """The horizontal coordinate of a value of x."""
        return self.left + self.x.share(value) * self.width

    def down(self, value: float) -> float:
        """The vertical coordinate of a value of y."""
        return self.top + (1 - self.y.share(value)) * self.height

    def _anchor(self, tick: float) -> str:
        """Labels in words, which are long, stay within the figure at both ends."""
        share = self.x.share(tick) if self.x_labels else 0.5
        return "start" if share < EDGE else "end" if share > 1 - EDGE else "middle"

    def drawn(self, *, y_ticks: bool = True) -> Markup:
        """The border, the grid lines, and the labels of the ticks."""
        right, bottom = self.left + self.width, self.top + self.height
        parts = [tag("rect", x=self.left, y=self.top, width=self.width, height=self.height, class_="frame")]
        for tick, words in self.x_labels or ((tick, f"{tick:g}") for tick in ticks(self.x.low, self.x.high)):
            at = self.across(tick)
            parts.append(tag("line", x1=at, x2=at, y1=self.top, y2=bottom, class_="grid"))
            parts.append(tag("text", words, x=at, y=bottom + 13, class_="tick", text_anchor=self._anchor(tick)))
        for tick in ticks(self.y.low, self.y.high) if y_ticks else ():
            at = self.down(tick)
            parts.append(tag("line", x1=self.left, x2=right, y1=at, y2=at, class_="grid"))
            parts.append(tag("text", f"{tick:g}", x=self.left - 5, y=at + 3.5, class_="tick", text_anchor="end"))
        return Markup("").join(parts)


def diagonal(frame: Frame) -> Markup:
    """The line on which x equals y, within both ranges."""
    low, high = max(frame.x.low, frame.y.low), min(frame.x.high, frame.y.high)
    ends = {"x1": frame.across(low), "y1": frame.down(low), "x2": frame.across(high), "y2": frame.down(high)}
    return tag("line", **ends, class_="diagonal")
