"""A model that was just trained, or is loaded from its folder: a system that can be called, evaluated and saved."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from similitude.data.shown import Shown
from similitude.errors import RunError
from similitude.study.execution import run
from similitude.systems.objects import NamedSystem
from similitude.systems.objects import system as make_named
from similitude.training.folder import TrainingFolder
from similitude.training.trained_model import Trained, recalled

if TYPE_CHECKING:
    from similitude.data.protocols import System
    from similitude.evaluate.measures import Measure
    from similitude.study.runs import Run

__all__ = ["Model", "load_model"]


@dataclass(frozen=True, eq=False, repr=False)
class Model(Shown):
    """A trained model.

    It is a system like any other: hand it to `similitude.run`, or call it on a pair of texts or on two lists.

    Attributes:
        trained: the record of the training: validation figures, epochs, losses, notes.
        temporary: whether the folder goes with the model, or when Python ends.

    >>> import similitude as sim
    >>> model = sim.train.gaussian_process("sample:opinions", encoder="use", quiet=True)
    >>> model
    <Model gpr(...): log_density ... on 6 validation items; temporary>
    >>> model.evaluate("sample:opinions", ["spearman"]).systems[0].label
    'gpr'
    """

    trained: Trained
    temporary: bool = False

    def __post_init__(self) -> None:
        if self.temporary:
            weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    @property
    def folder(self) -> Path:
        """Where the model is saved."""
        return self.trained.folder

    @cached_property
    def system(self) -> NamedSystem:
        """The model as a system, which can be called on texts."""
        return make_named(self.trained.system, name=self.label)

    @property
    def inner_system(self) -> System:
        """The system itself, for functions that take systems."""
        return self.system.inner_system

    @property
    def label(self) -> str:
        """What tables call it: the folder's name, or the kind of model if the folder is a temporary one."""
        kind: str = self.trained.record.get("system", "conditional")
        return kind if self.temporary else self.folder.name

    @property
    def card(self) -> str:
        """The model card, in Markdown."""
        return (self.folder / "README.md").read_text(encoding="utf-8")

    @property
    def figures(self) -> dict[str, float]:
        """The figures on the validation items; undefined ones are nan."""
        return self.trained.figures

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the training."""
        return self.trained.notes

    def evaluate(self, data: Any, measures: Sequence[str | Measure] = (), **options: Any) -> Run:
        """Measure the model on items that it did not learn from.

        Args:
            data: a benchmark, or whatever `similitude.read` takes.
            measures: measures, or their names; the default ones if none is named.
            **options: further arguments of `similitude.run`.
        """
        if self.temporary:  # nobody will ask for the vectors of a model that is gone
            options.setdefault("cache", None)
        return run(data, {self.label: self.system}, measures, **options)

    def save(self, folder: str | Path) -> Model:
        """Copy the model into a new folder, and return it from there.

        Raises:
            RunError: the folder exists.
        """
        try:
            shutil.copytree(self.folder, folder)
        except FileExistsError:
            raise RunError("exists already", where=str(folder), remedy="name a new folder") from None
        return load_model(folder)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Score one pair of texts, or two lists: ``model("a text", "another", condition="the colour")``."""
        return self.system(*arguments, **options)

    def __repr__(self) -> str:
        figures = ", ".join(f"{name} {value:.3g}" for name, value in self.figures.items())
        items = self.trained.record["data"]["validated_on"]
        kept = "; temporary" if self.temporary else ""
        return f"<Model {self.trained.system}: {figures} on {items:,} validation items{kept}>"


def load_model(folder: str | Path) -> Model:
    """The model that was trained in this folder.

    Args:
        folder: of the model.

    Raises:
        RunError: there is no trained model in the folder.

    >>> import similitude as sim
    >>> sim.train.load("my-model")  # doctest: +SKIP
    <Model conditional(my-model): spearman 0.86, pearson 0.87 on 1,500 validation items>
    """
    found = TrainingFolder(Path(folder))
    record = found.finished()
    if record is None:
        raise RunError("holds no trained model", where=str(folder), remedy="name the folder of a finished training")
    return Model(recalled(found, str(record.get("data", {}).get("name", found.path.name)), record))
