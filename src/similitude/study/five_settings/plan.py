"""The plan of a five-settings study: which benchmarks, settings and systems of table 7 of the USTS paper.

::

    data = ["usts/ustsu", "usts/ustsc"]     # or one folder that holds both
    model = "bert-base-chinese"
    settings = [1, 3, "cross-domain"]       # default: all five
    systems = ["bert-lr-mc", "sbert-gpr", "distribution"]
    passes = 30                             # of MC-Dropout
    limit = 1000                            # items of each benchmark to learn from; default: all
    test_limit = 500                        # validation and test items of each benchmark; default: all
    reads = "sentences"                     # ignore conditions; default: read them if the items have them

    [recipe]                                # of all trainings except Gaussian processes
    epochs = 3

    [own.mine]                              # a training of your own, in settings 3, 4 and 5
    train = "uncertain"                     # its kind; the other keys are keywords of similitude.train.uncertain
    head = "mixture"

    [own.asked]                             # a system of your own that is not trained: setting 1
    system = "my_model.py:Mine"

Paths are relative to the file.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from similitude.data.reading.toml_file import read_toml
from similitude.errors import SimilitudeError, UnknownNameError
from similitude.study.five_settings.table import KINDS, MODELS, SETTINGS, ModelSpec, SettingRow, SystemKind
from similitude.study.plan_keys import plan_of_keys
from similitude.study.plan_paths import beside, model_beside
from similitude.training.conditions import Reading
from similitude.training.kinds import TRAININGS, prepared_training
from similitude.training.recipe import Recipe

__all__ = ["FiveSettingsPlan", "checked_plan", "choose_settings"]

RECIPE_KEYS = frozenset(field.name for field in dataclasses.fields(Recipe)) - {"seed", "checkpoint_seconds"}


class OwnKind(BaseModel):
    """A kind of system of the user's; all other keys of its table are keywords of its training.

    Attributes:
        label: as tables show it; by default its name.
        train: the kind of training.
        system: the system, if nothing is trained.
        settings: numbers of settings; by default 3, 4 and 5 for a training, 1 for a system.
        arguments: of the system that opens the trained model.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    label: str = ""
    train: str | None = None
    system: str | None = None
    settings: tuple[int, ...] = ()
    arguments: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _is_one(self) -> OwnKind:
        if (self.train is None) == (self.system is None):
            raise ValueError('name either a kind of training, train = "uncertain", or a system')
        if self.train is None:
            if self.model_extra:
                raise ValueError(f"'{min(self.model_extra)}' is for a training; a system has its arguments in brackets")
            return self
        try:
            source = {} if self.train not in TRAININGS else {TRAININGS[self.train].source: "model"}
            prepared_training(self.train, {**source, **(self.model_extra or {})})
        except SimilitudeError as error:
            raise ValueError(str(error)) from None
        if {1, 2} & set(self.settings):
            raise ValueError("a training belongs to settings 3, 4 and 5")
        return self

    def kind(self, name: str) -> SystemKind:
        """As a kind of the table."""
        if self.train is None:
            return SystemKind(name, self.label or name, self.settings or (1,), str(self.system), None)
        return SystemKind(
            name,
            self.label or name,
            self.settings or (3, 4, 5),
            TRAININGS[self.train].system,
            f"own-{name}",
            arguments=self.arguments,
            takes_device=self.train != "gaussian-process",
        )

    def spec(self, name: str) -> ModelSpec | None:
        """The model that is trained for it."""
        if self.train is None:
            return None
        is_merged = self.train in ("conditional", "pairs")
        return ModelSpec(self.label or name, self.train, dict(self.model_extra or {}), is_merged=is_merged)


class FiveSettingsPlan(BaseModel):
    """A plan.

    Attributes:
        name: of the study; empty for the names of its benchmarks.
        data: benchmarks, or one folder that holds several, or one benchmark with several domains.
        model: the encoder to start from.
        settings: numbers of settings.
        systems: names of kinds of systems.
        passes: of MC-Dropout.
        limit: items of each benchmark to learn from; None for all.
        test_limit: validation items, and test items, of each benchmark; None for all.
        seed: determines everything random.
        resamples: for intervals and significance letters; None for as many as the systems need, 0 for none.
        recipe: changes to the default recipe in all trainings except Gaussian processes.
        own: kinds of systems of the user's, by name; they join the table.
        reads: auto: all systems read the condition of each item if the items have conditions. all: items must have
            them. sentences: conditions are ignored.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    data: tuple[str, ...] = Field(min_length=1)
    model: str
    settings: tuple[int, ...] = tuple(setting.number for setting in SETTINGS)
    systems: tuple[str, ...] = tuple(KINDS)
    passes: int = Field(default=30, ge=2, le=1000)
    limit: int | None = Field(default=None, ge=3)
    test_limit: int | None = Field(default=None, ge=3)
    seed: int = Field(default=0, ge=0)
    resamples: int | None = Field(default=None, ge=0)
    recipe: dict[str, Any] = Field(default_factory=dict)
    own: dict[str, OwnKind] = Field(default_factory=dict)
    reads: Reading = "auto"

    @field_validator("data", mode="before")
    @classmethod
    def _one_or_several(cls, written: Any) -> Any:
        return (written,) if isinstance(written, str) else written

    @field_validator("settings", mode="before")
    @classmethod
    def _numbers(cls, written: Any) -> Any:
        if not isinstance(written, list | tuple):
            raise ValueError("give a list: [1, 3]")
        try:
            return choose_settings([str(one) for one in written])
        except UnknownNameError as error:
            raise ValueError(str(error)) from None

    @field_validator("systems")
    @classmethod
    def _known_systems(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [name for name in names if name not in KINDS]
        if unknown:
            raise ValueError(str(UnknownNameError("system of the study", unknown[0], KINDS)))
        return names

    @field_validator("recipe")
    @classmethod
    def _known_recipe(cls, recipe: dict[str, Any]) -> dict[str, Any]:
        unknown = sorted(set(recipe) - RECIPE_KEYS)
        if unknown:
            raise ValueError(f"'{unknown[0]}' is unknown; known: {', '.join(sorted(RECIPE_KEYS))}")
        return recipe

    @property
    def rows(self) -> tuple[SettingRow, ...]:
        """The rows of table 7 that the plan selects, in the order of the table."""
        return tuple(
            SettingRow(setting, kind)
            for setting in SETTINGS
            if setting.number in self.settings
            for kind in self.kinds.values()
            if setting.number in kind.settings
        )

    @property
    def kinds(self) -> dict[str, SystemKind]:
        """The kinds of systems that the plan names, and its own."""
        own = {name: entry.kind(name) for name, entry in self.own.items()}
        return {name: kind for name, kind in KINDS.items() if name in self.systems} | own

    @property
    def models(self) -> dict[str, ModelSpec]:
        """The models that kinds of systems open."""
        own = {f"own-{name}": spec for name, entry in self.own.items() if (spec := entry.spec(name)) is not None}
        return MODELS | own

    @classmethod
    def read(cls, file: Path) -> FiveSettingsPlan:
        """Read a plan from a file.

        Raises:
            InputError: the file does not exist or is not TOML, or a key is unknown, missing or wrong.
        """
        return read_toml(cls, file, name=file.stem).placed(file)

    def placed(self, file: Path) -> Self:
        """The plan with paths relative to the working directory, as written in this file."""
        data = tuple(beside(file, one) for one in self.data)
        return self.model_copy(update={"data": data, "model": model_beside(file, self.model)})


def checked_plan(written: dict[str, Any]) -> FiveSettingsPlan:
    """A plan from its keys and values.

    Raises:
        UnknownNameError: there is no such setting or system.
        ArgumentError: a value is wrong.
    """
    if "settings" in written:
        written = {**written, "settings": choose_settings([str(one) for one in written["settings"]])}
    for name in written.get("systems", ()):
        if name not in KINDS:
            raise UnknownNameError("system of the study", name, KINDS)
    return plan_of_keys(FiveSettingsPlan, written, "docs/five-settings.md")


def choose_settings(written: list[str]) -> tuple[int, ...]:
    """The numbers of settings, sorted, from numbers or names.

    Raises:
        UnknownNameError: there is no such setting.

    >>> choose_settings(["cross-domain", "1"])
    (1, 5)
    """
    named = {name: setting.number for setting in SETTINGS for name in (setting.name, str(setting.number))}
    for one in written:
        if one not in named:
            raise UnknownNameError("setting", one, named)
    return tuple(sorted({named[one] for one in written}))
