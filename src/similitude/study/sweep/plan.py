"""The plan of a sweep, read from a TOML file."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from similitude.data.reading.toml_file import read_toml
from similitude.study.plan_paths import beside, model_beside
from similitude.systems.conditional.architecture import Encoding, Reads
from similitude.training import Recipe
from similitude.training.conditional.augmentation import Augmentation
from similitude.training.conditional.loss import default_objective
from similitude.training.objectives import objective_arguments

__all__ = ["SweepPlan", "combinations"]

RECIPE_KEYS = (frozenset(field.name for field in dataclasses.fields(Recipe)) - {"seed", "checkpoint_seconds"}) | {
    "teachers",
    "teacher_weight",
}
OF_CONDITIONS = frozenset({"place", "pooled", "rewording", "condition_dropout"})
"""What a model that reads no conditions has no use for."""
AUGMENTATION_KEYS = frozenset(field.name for field in dataclasses.fields(Augmentation))
GRID_KEYS = (
    RECIPE_KEYS
    | AUGMENTATION_KEYS
    | {"objective", "quad_weight", "margin", "mlp", "combination", "place", "pooled", "pooling"}
)


class SweepPlan(BaseModel):
    """A plan; paths are relative to its file.

    Attributes:
        name: of the sweep.
        data: what is trained on.
        validation: what the best settings are chosen by; by default a split of the data, or a tenth of its pairs.
        test: what figures are given for; by default the validation items.
        items: take at most about so many items of each part, in whole sentence pairs, for a trial.
        models: folders, or names on the hub, that trainings start from.
        encodings: how sentences and condition are read: cross, bi, tri.
        seeds: over which the best settings of each model and encoding are repeated.
        reads: "sentences" for data without conditions.
        zero_shot: whether the models are also measured before any training.
        ablations: whether models are also trained that read the condition alone, or the sentences alone.
        sizes: numbers of training items, for learning curves.
        systems: other systems by name, which are measured beside.
        recipe: numbers that all trainings share, such as ``epochs`` and ``batch``.
        grid: lists of values; every combination is trained once, and the best by validation is repeated over seeds.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = "sweep"
    data: str
    validation: str | None = None
    test: str | None = None
    items: int | None = Field(default=None, ge=3)
    models: tuple[str, ...] = Field(min_length=1)
    encodings: tuple[Encoding, ...] = ("cross", "bi", "tri")
    seeds: tuple[int, ...] = Field(default=(0, 1, 2), min_length=1)
    reads: Literal["all", "sentences"] = "all"
    zero_shot: bool = True
    ablations: bool = False
    sizes: tuple[int, ...] = ()
    systems: dict[str, str] = Field(default_factory=dict)
    recipe: dict[str, Any] = Field(default_factory=dict)
    grid: dict[str, list[Any]] = Field(default_factory=dict, validate_default=True)

    @field_validator("recipe")
    @classmethod
    def _known_recipe(cls, recipe: dict[str, Any]) -> dict[str, Any]:
        return _known(recipe, RECIPE_KEYS)

    @field_validator("grid")
    @classmethod
    def _known_grid(cls, grid: dict[str, list[Any]], info: ValidationInfo) -> dict[str, list[Any]]:
        if empty := [name for name, values in grid.items() if not values]:
            raise ValueError(f"'{empty[0]}' has no values")
        recipe = info.data.get("recipe", {})
        if "teacher_weight" in {*recipe, *grid} and "teachers" not in {*recipe, *grid}:
            raise ValueError("'teacher_weight' has no effect without 'teachers'")
        if recipe.get("teachers") and "teachers" not in grid and "quad" in grid.get("objective", []):
            raise ValueError("objective 'quad' cannot use the recipe's teachers")
        return _known(grid, GRID_KEYS)

    @model_validator(mode="after")
    def _can_be_read(self) -> Self:
        if self.reads == "sentences" and "tri" in self.encodings:
            raise ValueError("encodings: a tri-encoder without a condition is a bi-encoder; leave out 'tri'")
        if self.reads == "sentences" and self.ablations:
            raise ValueError("ablations: without conditions there is nothing to leave out; write ablations = false")
        return self

    @classmethod
    def read(cls, file: Path) -> SweepPlan:
        """Read a plan from a file.

        Raises:
            InputError: the file does not exist or is not TOML, or a key is unknown, missing or wrong.
        """
        return read_toml(cls, file, name=file.stem).placed(file)

    def placed(self, file: Path) -> Self:
        """The plan with paths relative to the working directory, as written in this file."""
        written = {name: getattr(self, name) for name in ("data", "validation", "test")}
        paths = {name: None if path is None else beside(file, path) for name, path in written.items()}
        models = tuple(model_beside(file, model) for model in self.models)
        return self.model_copy(update={**paths, "models": models})


def combinations(
    grid: Mapping[str, Sequence[Any]], encoding: Encoding, reads: Reads = "all"
) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Every combination that is meaningful for an encoding and what it reads, once.

    As in the paper, Quad is only for encodings with a vector for each sentence, and h only for tri-encoders. Only a
    bi-encoder chooses which tokens are pooled. The condition has a place where each sentence is read with it. A teacher
    weight needs teachers, and Quad alone cannot use them. Weight and margin of Quad need an objective that has them.
    What changes conditions needs a model that reads them.

    >>> list(combinations({"lr": [1e-5], "objective": ["mse", "quad"], "combination": ["concat", "hadamard"]}, "cross"))
    [(('lr', 1e-05), ('objective', 'mse'))]
    >>> list(combinations({"teachers": [0, 3], "teacher_weight": [0.5, 0.7]}, "bi"))
    [(('teachers', 0),), (('teachers', 3), ('teacher_weight', 0.5)), (('teachers', 3), ('teacher_weight', 0.7))]
    >>> list(combinations({"lr": [1e-5], "rewording": [0.0, 0.5]}, "cross", "sentences"))
    [(('lr', 1e-05),)]
    >>> list(combinations({"place": ["before", "after"], "objective": ["mse"], "margin": [0.1, 0.5]}, "tri"))
    [(('objective', 'mse'),)]
    """
    only = {"combination": ("tri",), "pooled": ("bi",), "place": ("bi", "joint", "shift")}
    unread = OF_CONDITIONS if reads == "sentences" else frozenset()
    own = {
        name: values for name, values in grid.items() if encoding in only.get(name, (encoding,)) and name not in unread
    }
    if encoding == "cross" and "objective" in own:
        own["objective"] = [value for value in own["objective"] if value == "mse"] or ["mse"]
    found: dict[tuple[tuple[str, Any], ...], None] = {}
    for values in itertools.product(*own.values()):
        options = dict(zip(own, values, strict=True))
        teachers = options.get("teachers")
        if teachers == 0:
            options.pop("teacher_weight", None)
        takes = objective_arguments(options.get("objective", default_objective(encoding)))
        for name in {"quad_weight", "margin"} - takes:
            options.pop(name, None)
        if not (teachers and options.get("objective") == "quad"):
            found[tuple(options.items())] = None
    yield from found


def _known(given: dict[str, Any], known: frozenset[str]) -> dict[str, Any]:
    unknown = sorted(set(given) - known)
    if unknown:
        raise ValueError(f"'{unknown[0]}' is unknown; known: {', '.join(sorted(known))}")
    return given
