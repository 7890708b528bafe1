"""The folder of a training: its checkpoints while it runs, and a model that others can load when it is finished.

::

    DIR/
      config.json, model.safetensors, tokenizer.json, ...   the encoder
      modules.json, 1_Pooling/, 2_Dense/                    if sentence-transformers can open it
      head.safetensors                                      if the model has layers of its own
      member-1.safetensors, ...                             the other members of an ensemble
      evidence.npz                                          what was learned for the evidence, if there is any
      process.npz                                           the arrays of a Gaussian process, instead of an encoder
      similitude.json                                       architecture, recipe, data, figures; written last
      README.md                                             the model card
      runs/plan.json                                        what was requested
      runs/metrics.jsonl                                    one line per epoch, those of teachers first
      runs/losses-0.csv                                     the loss of every step, one file per seed
      runs/seed-0/                                          checkpoint and best weights, until all is done
      runs/teacher-1/                                       the same, until the teacher's scores are written
      runs/teacher-1.csv                                    a teacher's scores of the items that it never saw
      runs/taught.csv, runs/taught.json                     another system's labels of unrated pairs
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError, RunError
from similitude.systems.conditional.architecture import ARCHITECTURE_FILE
from similitude.training.checkpoints import CheckpointFolder
from similitude.training.progress import TrainingProgress

__all__ = ["TrainingFolder", "differing_names", "make_folder", "write_json"]

ELSEWHERE = "choose another --folder"


class TrainingFolder:
    """A training on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def runs(self) -> Path:
        """The files that belong to the training rather than to the model."""
        return self.path / "runs"

    def claim(self, plan: dict[str, Any]) -> bool:
        """Create the folder, or check that it holds the same training.

        Returns:
            Whether the training is a new one.

        Raises:
            RunError: it is a file, or holds other files or another training.
        """
        if self.path.is_file():
            raise RunError("is a file", where=str(self.path), remedy="name a folder for the model")
        manifest = self.runs / "plan.json"
        if manifest.is_file():
            names = differing_names(json.loads(manifest.read_text(encoding="utf-8")), json.loads(json.dumps(plan)))
            if names:
                what = f"holds another training (it differs in: {', '.join(names)})"
                raise RunError(what, where=str(self.path), remedy=ELSEWHERE)
            return False
        if self.path.exists() and any(self.path.iterdir()):
            raise RunError("is a folder with other files in it", where=str(self.path), remedy=ELSEWHERE)
        make_folder(self.runs)
        write_json(manifest, plan)
        return True

    def release(self) -> None:
        """Give up a claim, unless something beside the plan was saved, such as a teacher's labels."""
        plan = self.runs / "plan.json"
        if [*self.runs.iterdir()] == [plan]:
            plan.unlink()
            self.runs.rmdir()
            if not any(self.path.iterdir()):
                self.path.rmdir()

    def finished(self) -> dict[str, Any] | None:
        """The record of the training that was finished here; None if there is none."""
        path = self.path / ARCHITECTURE_FILE
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None

    def finish(self, record: dict[str, Any], card: str) -> None:
        """Write the model card and, last, the record that marks the training as finished."""
        _write_text(self.path / "README.md", card)
        write_json(self.path / ARCHITECTURE_FILE, record)

    def checkpoints(self, seed: int) -> CheckpointFolder:
        """The checkpoints of the training with one seed."""
        return CheckpointFolder(
            self.runs / f"seed-{seed}", lambda progress: self._publish(str(seed), {"seed": seed}, progress)
        )

    def teacher_checkpoints(self, number: int, seed: int) -> CheckpointFolder:
        """The checkpoints of one teacher; teachers count from 1."""
        name, keys = f"teacher-{number}", {"teacher": number, "seed": seed}
        return CheckpointFolder(self.runs / name, lambda progress: self._publish(name, keys, progress))

    def _publish(self, name: str, keys: dict[str, int], progress: TrainingProgress) -> None:
        """Write the figures of one training's epochs and the losses of its steps."""
        lines = "".join(json.dumps({**keys, **epoch.record()}) + "\n" for epoch in progress.history)
        losses = "step,loss\n" + "".join(f"{step},{loss:.6g}\n" for step, loss in enumerate(progress.curve, 1))
        _write_text(self.runs / f"metrics-{name}.jsonl", lines)
        _write_text(self.runs / f"losses-{name}.csv", losses)
        parts = sorted(self.runs.glob("metrics-*.jsonl"), key=_teachers_first)
        _write_text(self.runs / "metrics.jsonl", "".join(path.read_text(encoding="utf-8") for path in parts))


def differing_names(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """The keys under which two records differ, sorted; of records in both, the keys within them.

    >>> differing_names({"seed": 0, "model": "a"}, {"seed": 1, "model": "a", "layers": 2})
    ['layers', 'seed']
    >>> differing_names({"recipe": {"epochs": 2, "lr": 1e-4}}, {"recipe": {"epochs": 3, "lr": 1e-4}})
    ['recipe epochs']
    >>> differing_names({"evidence": {"overlap": None}}, {"evidence": {"overlap": None, "jaccard": None}})
    ['evidence']
    """
    names: list[str] = []
    for name in sorted(name for name in {*before, *now} if before.get(name) != now.get(name)):
        one, other = before.get(name), now.get(name)
        if isinstance(one, dict) and isinstance(other, dict):
            names += [f"{name} {part}" for part in differing_names(one, other)] or [name]
        else:
            names.append(name)
    return names


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a JSON file, completely or not at all."""
    _write_text(path, json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def _teachers_first(path: Path) -> tuple[bool, int]:
    kind, _, number = path.stem.rpartition("-")
    return not kind.endswith("teacher"), int(number)


def _write_text(path: Path, text: str) -> None:
    write_atomically(path, lambda draft: draft.write_text(text, encoding="utf-8"))


def make_folder(path: Path) -> None:
    """Create a folder and its parents.

    Raises:
        ArgumentError: it cannot be created.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise ArgumentError(f"cannot be created: {why}", where=str(path), remedy=ELSEWHERE) from None
