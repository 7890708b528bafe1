"""A study of a prompt grid: the grid of the C-STS paper, or the multiple choice of GiCCS.

Every cell of the grid is a system of one run, so that all cells and reference systems are measured on the same items
and tested against each other. Predictions and facts are saved before the next cell starts, and answers as they arrive.
An interrupted study asks only for what is missing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from similitude.data.benchmark import Benchmark
from similitude.data.protocols import AnswerCache, Listener
from similitude.stats.finite import finite_or_none
from similitude.study.cells.cell_run import run_cells
from similitude.study.engines import Engine
from similitude.study.execution import run
from similitude.study.folder import RunFolder
from similitude.study.prompt_grid.asked_cell import AskedCell
from similitude.study.prompt_grid.cells import Cell, cells_of, measured_items
from similitude.study.prompt_grid.choice import ChoicePart, choice_parts
from similitude.study.prompt_grid.contrasts import Contrast, contrasts_of, enough_for_contrasts
from similitude.study.prompt_grid.facts import Facts, FactsFolder
from similitude.study.prompt_grid.opinions import Opinion, opinions_of
from similitude.study.prompt_grid.plan import ChoicePlan, ScorePlan
from similitude.study.record import BenchmarkRecord
from similitude.study.runs import Run
from similitude.study.scorer import Scorer
from similitude.systems import make_system
from similitude.systems.attach_cache import AnswersChoice, CacheChoice, attach_chosen, chosen_answers, chosen_cache

__all__ = ["PromptGridStudy", "run_prompt_grid"]

MEASURES = {"scores": ("spearman", "pearson"), "choice": ("choice_accuracy", "group_ndcg")}


@dataclass(frozen=True, kw_only=True, eq=False)
class PromptGridStudy:
    """A finished study.

    Attributes:
        run: its first systems are the cells, the others the references.
        cells: in the order of the grid.
        facts: one per cell.
        contrasts: between levels of each factor; empty if nothing was resampled.
        contrast_resamples: the number of resamples for them.
        opinions: cells with standard deviations, compared with people.
        parts: of a multiple choice.
    """

    plan: ScorePlan | ChoicePlan
    run: Run
    cells: tuple[Cell, ...]
    facts: tuple[Facts, ...]
    contrasts: tuple[Contrast, ...] = ()
    contrast_resamples: int = 0
    opinions: tuple[Opinion, ...] = ()
    parts: tuple[ChoicePart, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The name of each system of the run."""
        return (*(cell.name for cell in self.cells), *(reference.label for reference in self.plan.references))

    def invalid(self, place: int) -> float:
        """The share of a cell's answers that could not be parsed; nan if none had to be."""
        invalid = self.run.predictions[place].invalid
        return math.nan if invalid is None else float(invalid.mean())

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per system, in wide form."""
        parts = dict.fromkeys(self.cells[0].setting)
        for place, label in enumerate(self.labels):
            cell = self.cells[place] if place < len(self.cells) else None
            setting = {**parts, **({"model": label} if cell is None else cell.setting)}
            yield {**setting, **self._figures(place), **({} if cell is None else self._costs(place))}

    def record(self) -> dict[str, Any]:
        """All but texts and predictions, ready for JSON."""
        return {
            "name": self.plan.name,
            "ask": self.plan.ask,
            "cells": [
                {
                    "setting": dict(cell.setting),
                    "system": str(cell.system.identity),
                    "invalid": finite_or_none(self.invalid(place)),
                    **facts.record(),
                }
                for place, (cell, facts) in enumerate(zip(self.cells, self.facts, strict=True))
            ],
            "references": [entry.label for entry in self.plan.references],
            "contrasts": [contrast.record() for contrast in self.contrasts],
            "opinions": [opinion.record() for opinion in self.opinions],
            "parts": [part.record() for part in self.parts],
            "rows": list(self.rows()),
            "run": self.run.record(),
        }

    def _figures(self, place: int) -> dict[str, Any]:
        row: dict[str, Any] = {}
        found = self.run.confidence
        for column, (measure, figure) in enumerate(zip(self.run.measures, self.run.figures[place], strict=True)):
            row[str(measure)] = finite_or_none(figure.value)
            if found is not None:
                interval = found.intervals[place][column]
                row |= {
                    f"{measure}_low": finite_or_none(interval.low),
                    f"{measure}_high": finite_or_none(interval.high),
                }
                row[f"{measure}_letters"] = found.ranks[place][column].letters
        for part in self.parts:
            figure_of_part = part.figures[place]
            row[f"accuracy {part.name}"] = finite_or_none(figure_of_part.accuracy)
            row[f"accuracy {part.name} standard_error"] = finite_or_none(figure_of_part.error)
            row[f"ndcg {part.name}"] = finite_or_none(figure_of_part.ndcg)
        return row

    def _costs(self, place: int) -> dict[str, Any]:
        facts = self.facts[place]
        off = facts.tally.share("off_scale")
        return {
            "invalid": finite_or_none(self.invalid(place)),
            "off_scale": finite_or_none(off),
            "answers": facts.tally.answers,
            "tokens_read": facts.read,
            "tokens_written": facts.written,
            "tokens_are_estimates": facts.is_estimate,
            "cost": facts.cost,
        }


def run_prompt_grid(
    plan: ScorePlan | ChoicePlan,
    out: str | Path,
    *,
    fresh: bool = False,
    cache: CacheChoice = "usual",
    answers: AnswersChoice = "usual",
    listener: Listener | None = None,
    engine: Engine | None = None,
) -> PromptGridStudy:
    """Run all cells of a plan that have no predictions yet; measure and test all of them.

    Args:
        plan: the grid.
        out: the folder of the run; cells with predictions there are not run again.
        fresh: run every cell again; cached answers are still used.
        cache: where encoders keep vectors; "usual" for the folder that the command line uses, None for nowhere.
        answers: where answers of language models are kept, likewise.
        listener: is told the progress.
        engine: runs cells side by side in other processes; the results are the same as without.

    Raises:
        SimilitudeError: a cell cannot be run; those before it are saved, and with an engine those after it too.
    """
    benchmark = measured_items(plan)
    vectors, said = chosen_cache(cache, listener), chosen_answers(answers, listener)
    cells = [replace(cell, system=_with_answers(cell, said)) for cell in cells_of(plan, benchmark)]
    references = attach_chosen([make_system(entry.system) for entry in plan.references], vectors, said, listener)
    folder = RunFolder(Path(out))
    data = BenchmarkRecord.of(benchmark, plan.split)
    folder.claim(data)
    scorer = Scorer(plan.seed, folder, fresh, listener, engine=engine)
    facts = _facts_of_all(cells, benchmark, scorer, listener)
    scorer.score(data, benchmark, references)
    systems = [*(cell.system for cell in cells), *references]
    options: dict[str, Any] = {name: getattr(plan, name) for name in ("split", "resamples", "level", "test", "seed")}
    options |= {"cache": None, "answers": None, "listener": listener}  # the systems have theirs
    finished = run(benchmark, systems, MEASURES[plan.ask], out=out, **options)
    study = _measured(plan, finished, cells, facts)
    folder.write_json("judging.json", study.record())
    folder.write_csv("judging.csv", study.rows())
    return study


def _with_answers(cell: Cell, answers: AnswerCache | None) -> Any:
    return cell.system if answers is None else cell.system.with_answers(answers)


def _facts_of_all(
    cells: Sequence[Cell],
    benchmark: Benchmark,
    scorer: Scorer,
    listener: Listener | None,
) -> list[Facts]:
    """The facts of every cell, as saved or by running it now: here one after the other, or on workers."""
    assert scorer.folder is not None
    known = FactsFolder(scorer.folder)
    asked = [
        AskedCell(**vars(scorer.cell(cell.system, benchmark)), grid_cell=cell, facts=known, stage=(place, len(cells)))
        for place, cell in enumerate(cells, 1)
    ]
    found = run_cells(asked, {benchmark.name: benchmark.items}, engine=scorer.engine, listener=listener)
    return [found[cell.key] for cell in asked]


def _measured(
    plan: ScorePlan | ChoicePlan, finished: Run, cells: Sequence[Cell], facts: Sequence[Facts]
) -> PromptGridStudy:
    resamples = 0 if finished.confidence is None else finished.confidence.resamples
    settings = [cell.setting for cell in cells]
    drawn = enough_for_contrasts(settings, plan.level) if plan.resamples is None else plan.resamples
    parts: tuple[ChoicePart, ...] = ()
    if isinstance(plan, ChoicePlan):
        parts = choice_parts(
            finished, plan.parts, resamples=resamples, level=plan.level, test=plan.test, seed=plan.seed
        )
    return PromptGridStudy(
        plan=plan,
        run=finished,
        cells=tuple(cells),
        facts=tuple(facts),
        contrasts=_contrasts(plan, finished, settings, drawn) if drawn else (),
        contrast_resamples=drawn,
        opinions=opinions_of(finished, cells) if isinstance(plan, ScorePlan) else (),
        parts=parts,
    )


def _contrasts(
    plan: ScorePlan | ChoicePlan, finished: Run, settings: Sequence[Mapping[str, Any]], resamples: int
) -> tuple[Contrast, ...]:
    comparison = finished.comparison
    options: dict[str, Any] = {"resamples": resamples, "level": plan.level, "seed": plan.seed}
    return contrasts_of(comparison, settings, finished.measures[0], groups=comparison.groups, **options)
