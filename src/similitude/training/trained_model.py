"""The result of a training, new or read from its folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from similitude.errors import RunError
from similitude.training.folder import TrainingFolder
from similitude.training.progress import Epoch

__all__ = ["Trained", "recalled"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """A finished training.

    Attributes:
        folder: of the model.
        name: of the training data.
        record: the content of ``similitude.json``.
        history: the epochs of each seed.
        curves: the loss of every step of each seed.
        notes: what the user should know.
    """

    folder: Path
    name: str
    record: dict[str, Any]
    history: dict[int, list[Epoch]]
    curves: dict[int, list[float]]
    notes: tuple[str, ...] = ()

    @property
    def system(self) -> str:
        """The model as a system, as a user writes it."""
        return f"{self.record.get('system', 'conditional')}({self.folder})"

    @property
    def figures(self) -> dict[str, float]:
        """The figures on the validation items; undefined ones are nan."""
        return {name: float("nan") if value is None else value for name, value in self.record["validation"].items()}


def recalled(folder: TrainingFolder, name: str, record: dict[str, Any]) -> Trained:
    """The training that was finished in this folder before.

    Raises:
        RunError: a file of it is missing.
    """
    history: dict[int, list[Epoch]] = {}
    fields = [field for field in Epoch._fields if field != "figures"]
    for line in (folder.runs / "metrics.jsonl").read_text(encoding="utf-8").splitlines():
        values = json.loads(line)
        if "teacher" in values:
            continue
        figures = {figure: _number(values[figure]) for figure in record["validation"]}
        epoch = Epoch(**{field: _number(values[field]) for field in fields}, figures=figures)
        history.setdefault(values["seed"], []).append(epoch)
    curves = {seed: _losses(folder.runs / f"losses-{seed}.csv") for seed in history}
    notes = (*record["notes"], "was finished before; nothing was trained")
    return Trained(folder=folder.path, name=name, record=record, history=history, curves=curves, notes=notes)


def _number(value: Any) -> Any:
    return float("nan") if value is None else value


def _losses(path: Path) -> list[float]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()[1:]
    except OSError:
        raise RunError("cannot be read", where=str(path), remedy="train again with another --folder") from None
    return [float(line.partition(",")[2]) for line in lines]
