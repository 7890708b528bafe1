"""The five settings of the USTS paper and the systems that stand in them, and which of them a study asks for.

::

    data = ["usts/ustsu", "usts/ustsc"]     # or a folder that holds both
    model = "bert-base-chinese"
    settings = [1, 3, "cross-domain"]       # else all five
    systems = ["bert-lr-mc", "sbert-gpr", "distribution"]
    passes = 30                             # of MC-Dropout
    limit = 1000                            # items of each benchmark to learn from; else all

    [recipe]                                # of every training but those of Gaussian processes
    epochs = 3

Paths are relative to the file.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from similitude.data.reading.toml_file import read_toml
from similitude.errors import ArgumentError, UnknownNameError
from similitude.study.plan_paths import beside, model_beside
from similitude.training.recipe import Recipe

__all__ = [
    "SETTINGS",
    "SYSTEMS",
    "Setting",
    "SettingRow",
    "SettingsPlan",
    "SystemKind",
    "SystemName",
    "changed_plan",
    "choose_settings",
]

SystemName = Literal["bert-lr", "bert-lr-mc", "sbert-cosine", "sbert-gpr", "distribution", "distribution-recalibrated"]
OF_THE_RECIPE = frozenset(field.name for field in dataclasses.fields(Recipe)) - {"seed", "checkpoint_seconds"}


class Setting(NamedTuple):
    """What a system has seen of the benchmark that it is judged on.

    Attributes:
        number: as in table 7 of the paper.
        name: as a user writes it.
        title: as tables show it.
    """

    number: int
    name: str
    title: str


class SystemKind(NamedTuple):
    """A kind of system.

    Attributes:
        name: as a user writes it.
        label: as tables show it.
        settings: the numbers of the settings that it stands in.
        reads_together: whether it reads both texts together; else it compares vectors of texts that it read alone.
        needs_spread: whether it can only learn from gold that says how far people differ.
    """

    name: SystemName
    label: str
    settings: tuple[int, ...]
    reads_together: bool
    needs_spread: bool = False


class SettingRow(NamedTuple):
    """A line of table 7: a kind of system in a setting."""

    setting: Setting
    kind: SystemKind

    @property
    def label(self) -> str:
        """For people, and unlike that of any other row."""
        return f"({self.setting.number}) {self.kind.label}"


SETTINGS = (
    Setting(1, "zero-shot", "zero-shot"),
    Setting(2, "frozen", "frozen encoder"),
    Setting(3, "domain-specific", "domain-specific"),
    Setting(4, "domain-generalised", "domain-generalised"),
    Setting(5, "cross-domain", "cross-domain"),
)

SYSTEMS: dict[SystemName, SystemKind] = {
    kind.name: kind
    for kind in (
        SystemKind("bert-lr", "BERT-lr", (3, 4, 5), True),
        SystemKind("bert-lr-mc", "BERT-lr-MC", (3, 4, 5), True),
        SystemKind("sbert-cosine", "SBERT-cosine", (1, 3, 4, 5), False),
        SystemKind("sbert-gpr", "SBERT-GPR", (2, 3, 4, 5), False),
        SystemKind("distribution", "distribution head", (3, 4, 5), True, needs_spread=True),
        SystemKind("distribution-recalibrated", "recalibrated head", (3, 4, 5), True, needs_spread=True),
    )
}


class SettingsPlan(BaseModel):
    """What is asked for.

    Attributes:
        name: of the study; empty for that of its benchmarks.
        data: benchmarks; or one folder that holds several, or one benchmark with several domains.
        model: the encoder to start from.
        settings: numbers of settings.
        systems: which kinds of systems.
        passes: of MC-Dropout.
        limit: items of each benchmark to learn from; None for all.
        seed: everything random follows from it.
        resamples: for intervals and letters; None for as many as the systems need, 0 for none.
        recipe: what differs from the usual in every training but those of Gaussian processes.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    data: tuple[str, ...] = Field(min_length=1)
    model: str
    settings: tuple[int, ...] = tuple(setting.number for setting in SETTINGS)
    systems: tuple[SystemName, ...] = get_args(SystemName)
    passes: int = Field(default=30, ge=2, le=1000)
    limit: int | None = Field(default=None, ge=3)
    seed: int = Field(default=0, ge=0)
    resamples: int | None = Field(default=None, ge=0)
    recipe: dict[str, Any] = Field(default_factory=dict)

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

    @field_validator("recipe")
    @classmethod
    def _known_recipe(cls, recipe: dict[str, Any]) -> dict[str, Any]:
        unknown = sorted(set(recipe) - OF_THE_RECIPE)
        if unknown:
            raise ValueError(f"'{unknown[0]}' is unknown; known: {', '.join(sorted(OF_THE_RECIPE))}")
        return recipe

    @property
    def rows(self) -> tuple[SettingRow, ...]:
        """The lines of table 7 that are asked for, in its order."""
        return tuple(
            SettingRow(setting, kind)
            for setting in SETTINGS
            if setting.number in self.settings
            for kind in SYSTEMS.values()
            if kind.name in self.systems and setting.number in kind.settings
        )

    @classmethod
    def read(cls, file: Path) -> SettingsPlan:
        """The plan in a file.

        Raises:
            InputError: there is no such file, it is no TOML, or a key is unknown, missing or wrong.
        """
        plan = read_toml(cls, file, name=file.stem)
        data = tuple(beside(file, one) for one in plan.data)
        return plan.model_copy(update={"data": data, "model": model_beside(file, plan.model)})


def changed_plan(written: dict[str, Any]) -> SettingsPlan:
    """The plan that says this.

    Raises:
        UnknownNameError: there is no such setting or system.
        ArgumentError: a value is wrong.
    """
    if "settings" in written:
        written = {**written, "settings": choose_settings([str(one) for one in written["settings"]])}
    for name in written.get("systems", ()):
        if name not in SYSTEMS:
            raise UnknownNameError("system of the study", name, SYSTEMS)
    try:
        return SettingsPlan.model_validate(written)
    except ValidationError as error:
        first: Any = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        what = f"'{key}' = {first['input']!r}: {first['msg'].lower()}"
        raise ArgumentError(what, remedy="see docs/settings.md for what a study takes") from None


def choose_settings(written: list[str]) -> tuple[int, ...]:
    """Numbers of settings, in order, from numbers or names.

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
