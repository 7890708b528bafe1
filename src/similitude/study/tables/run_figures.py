"""Figures of runs as those of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from similitude.stats import Interval
from similitude.study.runs import Run
from similitude.study.tables.table_keys import StudyFigure

__all__ = ["figures_of_run", "interval_ends", "written"]


def figures_of_run(finished: Run, place: int, at: Mapping[str, str]) -> Iterator[StudyFigure]:
    """The figures of one system of a run, under every measure.

    Args:
        finished: the run.
        place: of the system.
        at: where the figures stand, but for the measure.
    """
    for column, measure in enumerate(finished.measures):
        figure, found = finished.figures[place][column], finished.confidence
        low, high = (None, None) if found is None else interval_ends(found.intervals[place][column])
        where = {**at, "measure": str(measure)}
        yield StudyFigure(at=where, value=figure.value, low=low, high=high, note=figure.reason or "")


def interval_ends(interval: Interval | None) -> tuple[float | None, float | None]:
    """Both ends of an interval; None where it is undefined."""
    if interval is None or not np.isfinite([interval.low, interval.high]).all():
        return None, None
    return float(interval.low), float(interval.high)


def written(value: Any) -> str:
    """A value of a plan as TOML writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
