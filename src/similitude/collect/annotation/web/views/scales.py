"""Rating scales for the templates: a button per number, or a slider with a field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from similitude.collect.annotation.rating_scale import RatingScale, written_number

__all__ = ["Point", "ScaleView", "scale_view"]

MOST_BUTTONS = 11
"""The greatest number of buttons (0 to 10); longer scales get a slider."""
MOST_IN_A_PHONE = 7
"""So many numbers fit into one row of a phone, each wide enough for a thumb."""
LONGEST_IN_A_ROW = 24
"""Characters of the longest label of a scale whose buttons stand in one row on a wide page."""


class Point(NamedTuple):
    """A number on the scale: as written, with its label and the key that chooses it, if any."""

    value: str
    label: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleView:
    """A scale for the templates. ``points`` is empty for a slider."""

    points: tuple[Point, ...]
    low: str
    high: str
    step: str
    low_label: str
    high_label: str

    @property
    def labelled(self) -> bool:
        """Whether any button has a label."""
        return any(point.label for point in self.points)

    @property
    def layout(self) -> Literal["row", "cells", "column"]:
        """How the buttons stand: a scale is never broken, which would set its last number apart.

        "row": in one row everywhere. "cells": in one row on a wide page, below each other on a phone. "column": always
        below each other, for long labels.
        """
        if not self.labelled:
            return "row" if len(self.points) <= MOST_IN_A_PHONE else "cells"
        longest = max(len(point.label) for point in self.points)
        return "cells" if longest <= LONGEST_IN_A_ROW and len(self.points) <= MOST_IN_A_PHONE else "column"


def scale_view(scale: RatingScale | None, language: str) -> ScaleView | None:
    """A task's scale in one language; None for a task without one."""
    if scale is None:
        return None
    labels = scale.labelled(language)
    by_button = scale.step == 1 and len(scale.points) <= MOST_BUTTONS
    written = [written_number(point) for point in scale.points] if by_button else []
    points = tuple(
        Point(text, labels.get(value, ""), text if len(text) == 1 else "")
        for text, value in zip(written, scale.points if by_button else (), strict=True)
    )
    return ScaleView(
        low=written_number(scale.low),
        high=written_number(scale.high),
        step=written_number(scale.step),
        low_label=labels.get(scale.low, ""),
        high_label=labels.get(scale.high, ""),
        points=points,
    )
