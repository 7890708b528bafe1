"""Self-distillation: each teacher is trained without its own fold and scores that fold; a student learns from all.

The teachers' scores stay in the folder, as ``runs/teacher-1.csv`` and so on. An interrupted training resumes with the
first teacher whose scores are missing. The scores also show which labels the teachers doubt.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.listeners import NamedListener
from similitude.data.protocols import Listener
from similitude.data.writing.atomic import write_atomically
from similitude.errors import EstimationError, RunError
from similitude.stats import pearson, spearman
from similitude.training.dataset_tensors import PreparedTraining
from similitude.training.examples import Examples
from similitude.training.fold_teachers import Teachers, TwoGolds, blend, deal_folds
from similitude.training.folder import TrainingFolder
from similitude.training.objectives import Objective
from similitude.training.recipe import Recipe

if TYPE_CHECKING:
    from similitude.training.training_setup import TrainingSetup

__all__ = ["Distilled", "distil", "fold_scores"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Distilled:
    """The student's training data, after the teachers have scored every item.

    Attributes:
        setup: its gold is a blend of gold and the teachers' scores.
        record: of the teachers, ready for JSON.
        note: for the user.
        seconds: spent in this process.
    """

    setup: TrainingSetup
    record: dict[str, Any]
    note: str
    seconds: float


def distil(
    prepared: PreparedTraining,
    examples: Examples,
    objective: Objective,
    recipe: Recipe,
    teachers: Teachers,
    folder: TrainingFolder,
    listener: Listener | None,
) -> Distilled:
    """Train the teachers, or read their scores from the folder, and blend them into the student's gold.

    Args:
        prepared: the data; the network holds the weights from which every teacher starts.
        examples: the items that the data was prepared from.
        objective: of the student.
        recipe: the same for each teacher.
        teachers: how many, and their weight.
        folder: keeps finished teachers' scores.
        listener: is told the progress of each teacher.

    Raises:
        EstimationError: a teacher's loss is not a number.
        RunError: a teacher's scores in the folder are damaged.
    """
    import torch

    started = time.monotonic()
    scores = fold_scores(prepared, examples, recipe, teachers, folder, listener)
    setup = prepared.setup
    golds = np.stack([blend(examples.gold, scores, teachers.weight), examples.gold], axis=1)
    wanted = examples.gold.astype(np.float64)
    figures = {"spearman": float(spearman(scores, wanted)), "pearson": float(pearson(scores, wanted))}
    return Distilled(
        setup=replace(setup, gold=torch.from_numpy(golds).to(setup.gold.device), objective=TwoGolds(objective)),
        record={
            **teachers.record(),
            "out_of_fold": {name: None if value != value else round(value, 6) for name, value in figures.items()},
        },
        note=f"learned from {1 - teachers.weight:g} x gold + {teachers.weight:g} x the scores of {teachers.count} "
        f"teachers, each trained without the items that it scored (runs/teacher-*.csv){_correlation_note(figures)}",
        seconds=time.monotonic() - started,
    )


def fold_scores(
    prepared: PreparedTraining,
    examples: Examples,
    recipe: Recipe,
    teachers: Teachers,
    folder: TrainingFolder,
    listener: Listener | None,
) -> NDArray[np.float64]:
    """One score per item, from the teacher that never saw it; arguments and errors as for `distil`."""
    return _FoldTeachers(prepared, examples, recipe, teachers, folder, listener).scores()


class _FoldTeachers:
    """The teachers, trained one after the other in the same network."""

    def __init__(
        self,
        prepared: PreparedTraining,
        examples: Examples,
        recipe: Recipe,
        teachers: Teachers,
        folder: TrainingFolder,
        listener: Listener | None,
    ) -> None:
        from similitude.training.adapters import learned_weights
        from similitude.training.processes import Processes

        self.prepared, self.examples, self.recipe = prepared, examples, recipe
        self.teachers, self.folder, self.listener = teachers, folder, listener
        self.processes = Processes.here()
        weights = learned_weights(prepared.setup.network)
        self.first = {name: value.detach().clone() for name, value in weights.items()}
        self.folds = deal_folds(examples.pairs, teachers.count, np.random.default_rng(recipe.seed))

    def scores(self) -> NDArray[np.float64]:
        """One score per item, from the teacher that never saw it."""
        from similitude.training.adapters import fill_weights

        scores = np.full(len(self.examples), np.nan)
        for fold in range(self.teachers.count):
            unseen = np.flatnonzero(self.folds == fold)
            scores[unseen] = self._of_teacher(fold + 1, unseen)
        fill_weights(self.prepared.setup.network, self.first)
        return scores

    def _of_teacher(self, number: int, unseen: NDArray[np.int64]) -> list[float]:
        """The first process reads, scores and writes; the others train along and receive its scores."""
        path = self.folder.runs / f"teacher-{number}.csv"
        scores = self.processes.from_first(lambda: _read_scores(path, len(unseen)))
        if not scores:
            self._train(number)
            scores = self.processes.from_first(lambda: self._score(number, unseen, path))
        if self.processes.is_first:
            self.folder.teacher_checkpoints(number, self.recipe.seed).clear()
        return scores

    def _train(self, number: int) -> None:
        from similitude.training.adapters import fill_weights
        from similitude.training.loop import train

        name = f"teacher {number} of {self.teachers.count}"
        setup = self.prepared.setup
        fill_weights(setup.network, self.first)
        seen = np.flatnonzero(self.folds != number - 1)
        checkpoints = self.folder.teacher_checkpoints(number, self.recipe.seed)
        try:
            train(setup.only(seen), self.recipe, checkpoints, NamedListener(self.listener, name=name))
        except EstimationError as error:
            raise EstimationError(error.what, where=name, remedy=error.remedy) from None

    def _score(self, number: int, unseen: NDArray[np.int64], path: Path) -> list[float]:
        from similitude.training.adapters import fill_weights

        best = self.folder.teacher_checkpoints(number, self.recipe.seed).load_best()
        fill_weights(self.prepared.setup.network, best or {})
        scores: list[float] = self.prepared.score(unseen).tolist()
        ids, gold = self.examples.items.ids, self.examples.gold[unseen].tolist()
        _write_scores(path, zip([ids[place] for place in unseen], gold, scores, strict=True))
        return scores


def _write_scores(path: Path, rows: Any) -> None:
    def write(draft: Path) -> None:
        with draft.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("item", "gold", "score"))
            writer.writerows(rows)

    write_atomically(path, write)


def _read_scores(path: Path, items: int) -> list[float]:
    """A teacher's scores, exactly as they were written; empty if it has not finished.

    Raises:
        RunError: the file is damaged.
    """
    if not path.is_file():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            scores = [float(row["score"]) for row in csv.DictReader(file)]
    except (ValueError, TypeError, KeyError, csv.Error):
        scores = []
    if len(scores) != items or not np.isfinite(scores).all():
        raise RunError(
            "a teacher's scores are damaged", where=str(path), remedy="delete it to train that teacher again"
        )
    return scores


def _correlation_note(figures: Mapping[str, float]) -> str:
    value = figures["spearman"]
    return "" if value != value else f"; their scores correlate with gold at Spearman {100 * value:.1f} (x 100)"
