"""A row of a table that is trained: a kind of training, its keywords, a grid of them, and the data to learn from."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from similitude.data.addresses import open_benchmark
from similitude.errors import SimilitudeError
from similitude.study.cells.training_cell import TrainingCell
from similitude.study.plan_paths import beside, model_beside
from similitude.training.kinds import TRAININGS, prepared_training

__all__ = ["TrainedEntry"]


class TrainedEntry(BaseModel):
    """A training; all other keys are keywords of `similitude.train`.

    Attributes:
        train: the kind: conditional, pairs, uncertain, gaussian-process.
        on: the data to learn from.
        grid: keywords and the values that are tried; the best by validation is kept.
        arguments: of the system that opens the trained model.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    train: str
    on: tuple[str, ...] = Field(min_length=1)
    grid: dict[str, list[Any]] = Field(default_factory=dict)
    arguments: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _one_or_several(cls, written: Any) -> Any:
        if isinstance(written, dict) and isinstance(written.get("on"), str):
            return {**written, "on": (written["on"],)}
        return written

    @model_validator(mode="after")
    def _can_be_trained(self) -> TrainedEntry:
        if empty := [name for name, values in self.grid.items() if not values]:
            raise ValueError(f"grid: '{empty[0]}' has no values")
        if "seed" in {**(self.model_extra or {}), **self.grid}:
            raise ValueError("'seed' is not a keyword here: write seeds = [0, 1, 2] in the table")
        try:
            for keywords in self.combinations():
                prepared_training(self.train, keywords)
        except SimilitudeError as error:
            raise ValueError(str(error)) from None
        return self

    def combinations(self) -> Iterator[dict[str, Any]]:
        """The keywords of each point of the grid."""
        for values in itertools.product(*self.grid.values()):
            yield {**(self.model_extra or {}), **dict(zip(self.grid, values, strict=True))}

    def placed(self, file: Path, data: dict[str, str]) -> TrainedEntry:
        """With paths relative to the working directory."""
        source = TRAININGS[self.train].source
        extra = dict(self.model_extra or {})
        extra[source] = model_beside(file, str(extra[source]))
        on = tuple(beside(file, data.get(name, name)) for name in self.on)
        return TrainedEntry(train=self.train, on=on, grid=self.grid, arguments=self.arguments, **extra)

    def cells(self, label: str, seed: int, root: Path, **how: Any) -> list[TrainingCell]:
        """The trainings of the grid with this seed.

        Args:
            label: for people.
            seed: of each training.
            root: the folder of all models.
            **how: device, cache and so on, as for `TrainingCell`.
        """
        benchmarks = [open_benchmark(name) for name in self.on]
        found = []
        for keywords in self.combinations():
            wanted = {**keywords, "seed": seed}
            tried = ", ".join(f"{name} {keywords[name]}" for name in self.grid)
            found.append(
                TrainingCell(
                    kind=self.train,
                    keywords=wanted,
                    data=f"{label}, seed {seed}",
                    parts=prepared_training(self.train, wanted).parts(benchmarks),
                    root=root,
                    label=f"{label}, seed {seed}" + (f" ({tried})" if tried else ""),
                    **how,
                )
            )
        return found
