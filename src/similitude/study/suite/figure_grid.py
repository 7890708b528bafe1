"""The figures of a suite as arrays: benchmarks x systems, with intervals and covariances within each benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from similitude.evaluate.measures import Measure
from similitude.stats import Ends
from similitude.stats.arrays import Array
from similitude.study.runs import Run

__all__ = ["FigureGrid"]


@dataclass(frozen=True, eq=False)
class FigureGrid:
    """One figure for each benchmark and system; nan where there is none.

    Attributes:
        measures: of each benchmark; None where no system has been measured.
        values: benchmarks x systems.
        ends: of the intervals, of the same shape.
        covariances: benchmarks x systems x systems.
        freedoms: benchmarks x systems, the degrees of freedom of these.
    """

    measures: tuple[Measure | None, ...]
    values: Array
    ends: Ends
    covariances: Array
    freedoms: Array

    @classmethod
    def of(cls, runs: Sequence[Run | None], columns: Sequence[int], systems: Sequence[str]) -> FigureGrid:
        """The figures of one column of each run.

        Args:
            runs: one for each benchmark; None where no system could be measured.
            columns: of each run, the position of its measure.
            systems: identities, in the order of the grid.
        """
        shape = len(runs), len(systems)
        values, low, high, freedoms = (np.full(shape, np.nan) for _ in range(4))
        covariances = np.full((*shape, len(systems)), np.nan)
        for row, (run, column) in enumerate(zip(runs, columns, strict=True)):
            if run is None:
                continue
            where = np.array([systems.index(record.identity) for record in run.systems], dtype=np.intp)
            values[row, where] = [figures[column].value for figures in run.figures]
            if run.confidence is not None:
                number = len(run.systems)
                ends = [intervals[column] for intervals in run.confidence.intervals[:number]]
                low[row, where], high[row, where] = [end.low for end in ends], [end.high for end in ends]
                covariances[row][np.ix_(where, where)] = run.confidence.covariances[column][:number, :number]
                freedoms[row, where] = run.confidence.freedoms[column][:number]
        measures = tuple(
            None if run is None else run.measures[column] for run, column in zip(runs, columns, strict=True)
        )
        return cls(measures, values, Ends(low, high), covariances, freedoms)

    @property
    def merits(self) -> Array:
        """The figures, turned round where lower is better."""
        signs = [1.0 if each is None or each.higher_is_better else -1.0 for each in self.measures]
        return np.asarray(self.values * np.array(signs)[:, None])
