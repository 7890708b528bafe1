"""The scale of a rating as the page shows it: a button for each number, or a slider with a field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.plan.models import ScalePlan
from similitude.collect.annotation.tasks import DEFAULT_SCALES

__all__ = ["Point", "ScaleView", "point_label", "scale_view"]

MOST_BUTTONS = 11
"""Up to so many numbers there is a button for each: 0 to 10."""


class Point(NamedTuple):
    """A number that can be chosen: as it is written, what it means, and the key that chooses it (or none)."""

    value: str
    label: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleView:
    """A scale for the templates. ``points`` is empty where there is a slider."""

    low: str
    high: str
    step: str
    low_label: str
    high_label: str
    points: tuple[Point, ...]

    @property
    def labelled(self) -> bool:
        """Whether any button has words."""
        return any(point.label for point in self.points)


def scale_view(plan: StudyPlan, language: str) -> ScaleView | None:
    """The study's scale in one language; None for a task without one."""
    scale = _scale(plan)
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


def point_label(plan: StudyPlan, value: float, language: str) -> str:
    """A number with what it means: ``4 (mostly the same)``."""
    scale = _scale(plan)
    label = scale.labelled(language).get(float(value), "") if scale else ""
    return f"{written_number(value)} ({label})" if label else written_number(value)


def written_number(value: float) -> str:
    """As short as it can be written.

    >>> written_number(3.0), written_number(2.5)
    ('3', '2.5')
    """
    return f"{value:.10g}"


def _scale(plan: StudyPlan) -> ScalePlan | None:
    return plan.scale or DEFAULT_SCALES.get(plan.task) if plan.task in DEFAULT_SCALES else None
