"""A study that asks language models: the grid of the C-STS paper, and the multiple choice of GiCCS.

Every cell of the grid is a system of one run, so that all of them, and the systems that stand beside them, are measured
on the same items and tested against each other. Predictions, and what became of the questions, are on disk before the
next cell starts; answers are kept as they arrive. So a study that was stopped asks only for what is missing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from similitude.data.benchmark import Benchmark
from similitude.data.protocols import AnswerCache, Listener, VectorCache
from similitude.evaluate.comparison import Comparison
from similitude.stats.finite import finite_or_none
from similitude.study.execution import run, shared_groups
from similitude.study.folder import RunFolder
from similitude.study.prompt_grid.cells import Cell, cells_of, measured_items
from similitude.study.prompt_grid.choice import ChoicePart, choice_parts
from similitude.study.prompt_grid.contrasts import Contrast, contrasts_of, enough_for_contrasts
from similitude.study.prompt_grid.facts import Facts, FactsFolder, Witness
from similitude.study.prompt_grid.opinions import Opinion, opinions_of
from similitude.study.prompt_grid.plan import ChoicePlan, ScorePlan
from similitude.study.record import BenchmarkRecord
from similitude.study.runs import Run
from similitude.study.scorer import Scorer
from similitude.systems import make_system
from similitude.systems.attach_cache import attach_cache
from similitude.systems.scores import describe, score_items

__all__ = ["JudgingStudy", "run_judging"]

MEASURES = {"scores": ("spearman", "pearson"), "choice": ("choice_accuracy", "group_ndcg")}


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgingStudy:
    """A finished study.

    Attributes:
        plan: what was asked for.
        run: every figure; its first systems are the cells, the others the references.
        cells: in the order of the grid.
        facts: what became of the questions, one a cell.
        contrasts: what each part of the grid is worth; empty where nothing was resampled.
        contrast_resamples: how many were drawn for them.
        opinions: cells with a spread, beside people's.
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
        """What each system of the run is called."""
        return (*(cell.name for cell in self.cells), *(reference.label for reference in self.plan.references))

    def invalid(self, place: int) -> float:
        """The share of a cell's answers that could not be read; nan where nothing had to be."""
        invalid = self.run.predictions[place].invalid
        return math.nan if invalid is None else float(invalid.mean())

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row a system, for tables elsewhere."""
        parts = dict.fromkeys(self.cells[0].setting)
        for place, label in enumerate(self.labels):
            cell = self.cells[place] if place < len(self.cells) else None
            setting = {**parts, **({"model": label} if cell is None else cell.setting)}
            yield {**setting, **self._figures(place), **({} if cell is None else self._costs(place))}

    def record(self) -> dict[str, Any]:
        """Everything but the texts and the predictions, ready for JSON."""
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
        told: dict[str, Any] = {}
        sure = self.run.confidence
        for column, (measure, figure) in enumerate(zip(self.run.measures, self.run.figures[place], strict=True)):
            told[str(measure)] = finite_or_none(figure.value)
            if sure is not None:
                interval = sure.intervals[place][column]
                told |= {
                    f"{measure}_low": finite_or_none(interval.low),
                    f"{measure}_high": finite_or_none(interval.high),
                }
                told[f"{measure}_letters"] = sure.ranks[place][column].letters
        for part in self.parts:
            figure_of_part = part.figures[place]
            told[f"accuracy {part.name}"] = finite_or_none(figure_of_part.accuracy)
            told[f"accuracy {part.name} standard_error"] = finite_or_none(figure_of_part.error)
            told[f"ndcg {part.name}"] = finite_or_none(figure_of_part.ndcg)
        return told

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


def run_judging(
    plan: ScorePlan | ChoicePlan,
    out: str | Path,
    *,
    fresh: bool = False,
    cache: VectorCache | None = None,
    answers: AnswerCache | None = None,
    listener: Listener | None = None,
) -> JudgingStudy:
    """Ask everything that the plan asks for and that was not answered yet; measure and test all of it.

    Args:
        plan: what to ask.
        out: the folder of the run; cells that are done there are not asked again.
        fresh: score every cell again; answers that are kept are used all the same.
        cache: where encoders keep vectors.
        answers: where what language models answer is kept.
        listener: hears how far it is.

    Raises:
        SimilitudeError: a cell cannot be asked; those before it are kept.
    """
    benchmark = measured_items(plan)
    cells = [replace(cell, system=_keeping(cell, answers)) for cell in cells_of(plan, benchmark)]
    references = [attach_cache(make_system(entry.system), cache, answers) for entry in plan.references]
    folder = RunFolder(Path(out))
    data = BenchmarkRecord.of(benchmark, plan.split)
    folder.claim(data)
    facts = [
        _asked(cell, benchmark, folder, fresh, plan.seed, _named(listener, cell, number, len(cells)))
        for number, cell in enumerate(cells, start=1)
    ]
    Scorer(plan.seed, folder, fresh, listener).score(data, benchmark, references)
    finished = run(
        benchmark,
        [*(cell.system for cell in cells), *references],
        MEASURES[plan.ask],
        split=plan.split,
        resamples=plan.resamples,
        level=plan.level,
        test=plan.test,
        seed=plan.seed,
        out=out,
        listener=listener,
    )
    study = _measured(plan, finished, cells, facts)
    folder.write_json("judging.json", study.record())
    folder.write_csv("judging.csv", study.rows())
    return study


def _keeping(cell: Cell, answers: AnswerCache | None) -> Any:
    return cell.system if answers is None else cell.system.with_answers(answers)


def _asked(
    cell: Cell, benchmark: Benchmark, folder: RunFolder, fresh: bool, seed: int, listener: Listener | None
) -> Facts:
    """What became of a cell's questions: as written down, or by asking them now."""
    items, known = benchmark.items, FactsFolder(folder)
    record = describe(cell.system, items)
    before = known.recall(cell)
    if before is not None and not fresh and folder.recall(record, items) is not None:
        return before
    told: list[Facts] = []
    witness = Witness(cell.system, told.append)
    predictions, heard = score_items(witness, items, np.random.default_rng(seed), listener)
    known.remember(cell, told[0])
    folder.remember(replace(record, seconds=heard.seconds, notes=heard.notes), items, predictions)
    return told[0]


def _measured(
    plan: ScorePlan | ChoicePlan, finished: Run, cells: Sequence[Cell], facts: Sequence[Facts]
) -> JudgingStudy:
    sure = finished.confidence
    resamples = 0 if sure is None else sure.resamples
    settings = [cell.setting for cell in cells]
    drawn = enough_for_contrasts(settings, plan.level) if plan.resamples is None else plan.resamples
    parts: tuple[ChoicePart, ...] = ()
    if isinstance(plan, ChoicePlan):
        parts = choice_parts(
            finished, plan.parts, resamples=resamples, level=plan.level, test=plan.test, seed=plan.seed
        )
    return JudgingStudy(
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
    groups = shared_groups(finished.benchmark)
    comparison = Comparison.of(finished.benchmark.gold, finished.predictions, finished.mappings, groups)
    options: dict[str, Any] = {"resamples": resamples, "level": plan.level, "seed": plan.seed}
    return contrasts_of(comparison, settings, finished.measures[0], groups=groups, **options)


@dataclass(frozen=True)
class _Named:
    """Tells a listener which cell it is about, and how far it is, whoever of those at work tells it."""

    listener: Listener
    name: str

    def progress(self, stage: str, done: int, total: int) -> None:
        self.listener.progress(self.name, done, total)

    def note(self, text: str) -> None:
        self.listener.note(text)


def _named(listener: Listener | None, cell: Cell, number: int, cells: int) -> Listener | None:
    return None if listener is None else _Named(listener, f"{number} of {cells}, {cell.name}")
