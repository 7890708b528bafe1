"""One printed figure, ours beside it, and what that comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from similitude.report.papers.printed_figures import PrintedFigure

Place = tuple[str, str, str]
Status = Literal["reproduced", "follows", "differs", "cannot", "setting"]
STATUSES: dict[Status, str] = {
    "reproduced": "computed from the data; ours rounds to the printed digits, or the printed one lies inside our range",
    "follows": "the same, computed from other figures that the paper prints and not from its data",
    "differs": "computed, and another number; the reason is beside it",
    "cannot": "not computed from what travels with the repository; the reason is beside it",
    "setting": "a choice of the authors and no result",
}


@dataclass(frozen=True, slots=True)
class Ours:
    """Our figure.

    Attributes:
        value: the number, or a text where the paper prints one.
        low, high: its range over random draws, where it depends on some.
        note: how it was got; for a figure that differs, why.
        derived: whether it was computed from what the paper prints.
    """

    value: float | str
    low: float | None = None
    high: float | None = None
    note: str = ""
    derived: bool = False


Figures = dict[Place, Ours]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row of the table of evidence."""

    figure: PrintedFigure
    ours: Ours | None
    status: Status
    why: str


def agrees(printed: PrintedFigure, ours: Ours) -> bool:
    """Whether our figure rounds to the printed digits, or its range holds the printed figure as rounded."""
    number = printed.number
    if number is None or isinstance(ours.value, str):
        return printed.value == ours.value
    half = 0.5 * 10.0**-printed.decimals + 1e-9
    low, high = (ours.value if end is None else end for end in (ours.low, ours.high))
    return low - half <= number <= high + half


def outcome_of(printed: PrintedFigure, ours: Ours | None, reason: str, is_setting: bool) -> Outcome:
    """What a printed figure and ours come to.

    Args:
        printed: the figure.
        ours: ours, if it was computed.
        reason: why it was not.
        is_setting: whether the figure is a choice of the authors.
    """
    if is_setting:
        return Outcome(printed, ours, "setting", ours.note if ours else reason)
    if ours is None:
        return Outcome(printed, None, "cannot", reason)
    if not agrees(printed, ours):
        return Outcome(printed, ours, "differs", ours.note)
    return Outcome(printed, ours, "follows" if ours.derived else "reproduced", ours.note)
