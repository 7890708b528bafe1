"""One training in its folder, whatever is trained: claim the folder, resume, train, record, export."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from similitude.data.versions import versions
from similitude.errors import SimilitudeError
from similitude.training.checkpoints import CheckpointFolder
from similitude.training.folder import TrainingFolder
from similitude.training.progress import TrainingProgress
from similitude.training.trained_model import Trained, recalled

__all__ = ["Outcome", "Trainer", "TrainingJob", "is_first_process", "run_training"]


class Outcome(NamedTuple):
    """The result of a training, before it is saved.

    Attributes:
        figures: by name, on the validation items.
        record: what ``similitude.json`` says beside figures, times, notes and versions; ready for JSON.
        progress: epochs and losses of each seed.
        save: writes the files of the model into the folder.
        checkpoints: what is removed once the model is saved.
    """

    figures: Mapping[str, float]
    record: dict[str, Any]
    progress: Mapping[int, TrainingProgress]
    save: Callable[[], None]
    checkpoints: Sequence[CheckpointFolder] = ()


class Trainer(Protocol):
    """A kind of model and the data that it learns from."""

    @property
    def name(self) -> str:
        """The name of the training data."""

    @property
    def notes(self) -> list[str]:
        """What the user should know, so far."""

    @property
    def seconds(self) -> dict[str, float]:
        """The time spent in each stage so far."""

    def plan(self, folder: TrainingFolder) -> dict[str, Any]:
        """What must be unchanged for a training to be resumed; ready for JSON."""
        ...

    def open(self, folder: TrainingFolder) -> None:
        """Load what training needs; fail here if the request cannot be met."""

    def train(self, job: TrainingJob) -> Trained:
        """Train, from the start or from the folder's checkpoint, and save with `TrainingJob.finish`."""
        ...

    def card(self, record: dict[str, Any]) -> str:
        """The model card, in Markdown."""
        ...


@dataclass(frozen=True)
class TrainingJob:
    """A training and the folder that it has claimed."""

    trainer: Trainer
    folder: TrainingFolder

    def finish(self, outcome: Outcome) -> Trained:
        """Save the model with its record and its card; of several processes, the first one does."""
        record = self._record(outcome)
        if is_first_process():
            outcome.save()
            self.folder.finish(record, self.trainer.card(record))
            for checkpoints in outcome.checkpoints:
                checkpoints.clear()
        return Trained(
            folder=self.folder.path,
            name=self.trainer.name,
            record=record,
            history={seed: progress.history for seed, progress in outcome.progress.items()},
            curves={seed: progress.curve for seed, progress in outcome.progress.items()},
            notes=tuple(self.trainer.notes),
        )

    def _record(self, outcome: Outcome) -> dict[str, Any]:
        figures, seconds = outcome.figures.items(), self.trainer.seconds.items()
        return {
            **outcome.record,
            "validation": {name: None if value != value else round(value, 6) for name, value in figures},
            "seconds": {name: round(value, 3) for name, value in seconds},
            "notes": list(self.trainer.notes),
            "versions": versions(),
        }


def run_training(trainer: Trainer, out: str | Path) -> Trained:
    """Train a model and save it in a folder; resume where the folder holds the same training, unfinished.

    Raises:
        RunError: the folder holds something else.
        EstimationError: training failed; the best epoch before that, if there is one, is exported.
        MissingExtraError: torch is not installed.
    """
    folder = TrainingFolder(Path(out))
    is_new = is_first_process() and folder.claim(trainer.plan(folder))
    before = folder.finished()
    if before is not None:
        return recalled(folder, trainer.name, before)
    try:
        trainer.open(folder)
    except SimilitudeError:
        if is_new:  # the request cannot be met: leave the folder free for another one
            folder.release()
        raise
    return trainer.train(TrainingJob(trainer, folder))


def is_first_process() -> bool:
    """Whether this process writes, among those that accelerate started."""
    return os.environ.get("RANK", "0") == "0"
