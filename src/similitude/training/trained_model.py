"""A finished training: what it says of itself, just made or found in its folder."""

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
        name: of the data.
        record: what ``similitude.json`` says.
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
        """What the model is called as a system, with its folder."""
        return f"{self.record.get('system', 'conditional')}({self.folder})"

    @property
    def figures(self) -> dict[str, float]:
        """Of the model that is kept, on the validation items."""
        return {name: float("nan") if value is None else value for name, value in self.record["validation"].items()}


def recalled(folder: TrainingFolder, name: str, record: dict[str, Any]) -> Trained:
    """The training on the data of this name that was finished here before."""
    history: dict[int, list[Epoch]] = {}
    fields = [field for field in Epoch._fields if field != "figures"]
    for line in (folder.runs / "metrics.jsonl").read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        if "teacher" in told:
            continue
        figures = {figure: _number(told[figure]) for figure in record["validation"]}
        epoch = Epoch(**{field: _number(told[field]) for field in fields}, figures=figures)
        history.setdefault(told["seed"], []).append(epoch)
    curves = {seed: _losses(folder.runs / f"losses-{seed}.csv") for seed in history}
    notes = (*record["notes"], "was finished before; nothing was trained again")
    return Trained(folder=folder.path, name=name, record=record, history=history, curves=curves, notes=notes)


def _number(value: Any) -> Any:
    return float("nan") if value is None else value


def _losses(path: Path) -> list[float]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()[1:]
    except OSError:
        raise RunError("has lost its figures", where=str(path), remedy="train again with another --folder") from None
    return [float(line.partition(",")[2]) for line in lines]
