"""Our figures beside the printed ones: the difference, and whether the printed one lies inside our interval."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from similitude.report.papers.printed_figures import PrintedFigure, printed_figures
from similitude.report.papers.template import PlacedFigure, placed_figures
from similitude.stats.finite import finite_or_none
from similitude.study.study_run import StudyRun

__all__ = ["BesidePrinted", "Verdict", "beside_printed"]

Verdict = Literal["same", "inside", "outside", "differs", "trial", ""]


@dataclass(frozen=True, kw_only=True)
class BesidePrinted:
    """A figure of ours and the one that the paper prints in its place; either may be missing.

    Attributes:
        is_trial: whether ours comes from other data or models than the paper's, so that nothing follows from it.
    """

    table: str
    row: str
    column: str
    ours: PlacedFigure | None
    printed: PrintedFigure | None
    is_trial: bool = False

    @property
    def difference(self) -> float:
        """Ours minus the printed one; nan if one of them is missing."""
        theirs = None if self.printed is None else self.printed.number
        return math.nan if self.ours is None or theirs is None else self.ours.value - theirs

    @property
    def verdict(self) -> Verdict:
        """Same: it rounds to the printed one. Inside, outside: of our interval. Differs: there is no interval.

        Trial: the figures are not comparable.
        """
        if self.ours is not None and self.ours.word:
            theirs_said = "" if self.printed is None else str(self.printed.value)
            return "" if not theirs_said else "same" if self.ours.word == theirs_said else "differs"
        if math.isnan(self.difference) or self.ours is None or self.printed is None or self.printed.number is None:
            return ""
        theirs = self.printed.number
        if self.is_trial:
            return "trial"
        if abs(self.difference) <= (0.5 + 1e-6) * self.printed.last_place:
            return "same"
        if self.ours.low is None or self.ours.high is None:
            return "differs"
        return "inside" if self.ours.low <= theirs <= self.ours.high else "outside"

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        ours, printed = self.ours, self.printed
        return {
            "table": self.table,
            "row": self.row,
            "column": self.column,
            "ours": None if ours is None else ours.word or finite_or_none(ours.value),
            "low": None if ours is None else ours.low,
            "high": None if ours is None else ours.high,
            "printed": None if printed is None else printed.value,
            "difference": finite_or_none(self.difference),
            "verdict": self.verdict,
        }


def beside_printed(run: StudyRun, *, whole: bool = False) -> Iterator[BesidePrinted]:
    """Every figure of a study, with the printed one where the paper has one in its place.

    Args:
        run: the study.
        whole: also the printed figures of these tables that the study has none for.
    """
    printed = {} if run.paper is None else {each.place: each for each in printed_figures(run.paper)}
    shown: set[tuple[str, str, str]] = set()
    for table in run.tables:
        placed = {(each.table, each.row, each.column): each for each in placed_figures(run.paper, table)}
        is_trial = bool(table.keys.get("trial"))
        for place, ours in placed.items():
            at = dict(zip(("table", "row", "column"), place, strict=True))
            yield BesidePrinted(**at, ours=ours, printed=printed.get(place), is_trial=is_trial)
        shown |= set(placed)
    tables = {place[0] for place in shown}
    for place, figure in printed.items() if whole else ():
        if place[0] in tables and place not in shown:
            yield BesidePrinted(table=place[0], row=place[1], column=place[2], ours=None, printed=figure)
