"""A table of a sweep: a grid of trainings under a condition, and what is repeated over seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, Self

from similitude.study.sweep.plan import SweepPlan
from similitude.study.sweep.study import Sweep, SweepRow, planned_trainings, run_sweep
from similitude.study.tables.run_figures import written
from similitude.study.tables.table_keys import PlannedCell, StudyFigure, StudyWork, TableKeys, TableResult

__all__ = ["SweepTable"]


class SweepTable(TableKeys, SweepPlan):
    """A grid of trainings under a condition; the best by validation is repeated over seeds.

    Figures stand at part (trained, zero-shot, ablation, curve, system), model, encoding, reads, items, measure; the
    options that were chosen from the grid stand there too, by their name in the place of a measure.
    """

    layout: Literal["sweep"]

    def joined(self, systems: Mapping[str, str]) -> Self:
        """With further systems."""
        return self.model_copy(update={"systems": {**self.systems, **systems}})

    def planned(self, work: StudyWork) -> Iterator[PlannedCell]:
        """The trainings of the grid, and which are done; what is repeated over seeds follows from them."""
        for cell in planned_trainings(self, work.folder, work.device):
            yield PlannedCell.of_training(cell)

    def run(self, work: StudyWork) -> TableResult:
        """Run what is missing."""
        done = run_sweep(self, work.folder, device=work.device, listener=work.listener, engine=work.engine)
        return TableResult(tuple(_of_sweep(done)), done, done.notes, done.is_simulated, drawn=done.drawn)


def _of_sweep(sweep: Sweep) -> Iterator[StudyFigure]:
    parts = {"trained": sweep.trained, "zero-shot": sweep.zero_shot, "ablation": sweep.ablations}
    for part, rows in {**parts, "curve": sweep.curves, "system": sweep.systems}.items():
        for row in rows:
            yield from _of_row(part, row)


def _of_row(part: str, row: SweepRow) -> Iterator[StudyFigure]:
    at = {"part": part, "model": row.model, "encoding": row.encoding or "none", "reads": row.reads}
    at["items"] = f"{row.size or row.items:,}"
    for measure, values in row.figures.items():
        low, high = (None, None) if row.intervals is None else row.intervals[measure]
        where = {**at, "measure": measure}
        yield StudyFigure(at=where, value=row.mean(measure), low=low, high=high, runs=len(values))
    if row.encoding is not None:
        validation = row.validation if row.validation >= -1 else float("nan")
        yield StudyFigure(at={**at, "measure": "validation"}, value=validation)
    for option, chosen in row.options.items():
        is_number = isinstance(chosen, int | float) and not isinstance(chosen, bool)
        value, word = (float(chosen), "") if is_number else (float("nan"), written(chosen))
        yield StudyFigure(at={**at, "measure": option}, value=value, word=word)
