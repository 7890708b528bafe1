"""Tables of language models: scores over a grid of prompts, and multiple choice."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Self

from similitude.stats.intervals import wilson_interval
from similitude.study.folder import RunFolder
from similitude.study.prompt_grid.cells import cells_of, measured_items
from similitude.study.prompt_grid.plan import ChoicePlan, PromptGridPlan, ReferenceEntry, ScorePlan, placed
from similitude.study.prompt_grid.study import PromptGridStudy, run_prompt_grid
from similitude.study.tables.run_figures import figures_of_run, written
from similitude.study.tables.table_keys import PlannedCell, StudyFigure, StudyWork, TableKeys, TableResult
from similitude.systems import make_system
from similitude.training.splits import drawn_notes

__all__ = ["ChoicesTable", "PromptsTable"]


class AskedTable(TableKeys, PromptGridPlan):
    """What tables of language models have in common."""

    def placed(self, file: Path) -> Self:
        """The plan with paths relative to the working directory."""
        return placed(self, file)

    def joined(self, systems: Mapping[str, str]) -> Self:
        """With further systems."""
        more = tuple(ReferenceEntry(name=name, system=system) for name, system in systems.items())
        return self.model_copy(update={"references": (*self.references, *more)})

    def planned(self, work: StudyWork) -> Iterator[PlannedCell]:
        """The cells of the grid."""
        assert isinstance(self, ScorePlan | ChoicePlan)
        benchmark = measured_items(self)
        saved = RunFolder(work.run_folder(benchmark)).saved_systems()
        for cell in cells_of(self, benchmark):
            yield PlannedCell.of_system(cell.name, str(cell.system.identity), saved)
        for entry in self.references:
            yield PlannedCell.of_system(entry.label, str(make_system(entry.system).identity), saved)


class PromptsTable(AskedTable, ScorePlan):
    """Language models score similarity over a grid of instructions and shots.

    Figures stand at model, instruction, shots, by, measure.
    """

    layout: Literal["prompts"]

    def run(self, work: StudyWork) -> TableResult:
        """Ask what was not asked yet."""
        done = _asked(self, work)
        drawn = drawn_notes(**{done.run.data.name: done.run.benchmark})
        return TableResult(tuple(_of_prompts(done)), done, (), done.run.data.is_simulated, drawn=drawn)


class ChoicesTable(AskedTable, ChoicePlan):
    """Language models choose the most similar of several texts, with and without the dialogue.

    Figures stand at model, by, dialogue, part, measure.
    """

    layout: Literal["choices"]
    ask: Literal["choice"] = "choice"

    def run(self, work: StudyWork) -> TableResult:
        """Ask what was not asked yet."""
        done = _asked(self, work)
        drawn = drawn_notes(**{done.run.data.name: done.run.benchmark})
        return TableResult(tuple(_of_choices(done)), done, (), done.run.data.is_simulated, drawn=drawn)


def _asked(plan: ScorePlan | ChoicePlan, work: StudyWork) -> PromptGridStudy:
    options: dict[str, Any] = {"fresh": work.fresh, "cache": work.cache, "answers": work.answers}
    out = work.run_folder(measured_items(plan))
    return run_prompt_grid(plan, out, listener=work.listener, engine=work.engine, **options)


def _settings(done: PromptGridStudy) -> Iterator[tuple[int, dict[str, str]]]:
    """Where each system of a grid stands; references have only a name."""
    parts = dict.fromkeys(done.cells[0].setting, "")
    for place, label in enumerate(done.labels):
        setting = done.cells[place].setting if place < len(done.cells) else {"model": label}
        yield place, {**parts, **{name: written(value) for name, value in setting.items()}}


def _of_prompts(done: PromptGridStudy) -> Iterator[StudyFigure]:
    for place, at in _settings(done):
        yield from figures_of_run(done.run, place, at)
        if place < len(done.cells):
            yield StudyFigure(at={**at, "measure": "invalid"}, value=done.invalid(place))


def _of_choices(done: PromptGridStudy) -> Iterator[StudyFigure]:
    for place, at in _settings(done):
        for part in done.parts:
            figure = part.figures[place]
            low, high = _share_of(figure.accuracy, part.groups, done.plan.level)
            where = {**at, "part": part.name}
            yield StudyFigure(at={**where, "measure": "accuracy"}, value=figure.accuracy, low=low, high=high)
            yield StudyFigure(at={**where, "measure": "ndcg"}, value=figure.ndcg)


def _share_of(accuracy: float, questions: int, level: float) -> tuple[float | None, float | None]:
    """Wilson's interval of the share of right choices: it has a width even if all or none are right."""
    if not questions or not math.isfinite(accuracy):
        return None, None
    found = wilson_interval(accuracy * questions, questions, level)
    return found.low, found.high
