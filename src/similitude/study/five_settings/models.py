"""The models of a five-settings study, each a training of its own.

A model is identified by its kind and the benchmarks that it is trained on. With two families of one benchmark each, the
domain-specific model of one is also the cross-domain model of the other, and is trained only once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from similitude.registry import Spec
from similitude.stats.recalibration import FEWEST
from similitude.study.cells.training_cell import TrainingCell
from similitude.study.five_settings.domains import Domain, merged
from similitude.study.five_settings.plan import FiveSettingsPlan
from similitude.study.five_settings.table import ModelSpec, SettingRow
from similitude.systems.attach_cache import CacheChoice
from similitude.training.conditions import ReadConditions, read_conditions
from similitude.training.kinds import TRAININGS
from similitude.training.splits import SeveralData

__all__ = ["MissingCell", "Models", "SettingModel", "TrainedSetting", "models_of", "trained_on", "why_not"]


class SettingModel(NamedTuple):
    """A model to train.

    Attributes:
        what: the kind of model.
        on: the names of the benchmarks that it is trained on.
    """

    what: str
    on: tuple[str, ...]

    @property
    def stem(self) -> str:
        """A readable name, for its folder."""
        return "-".join([self.what, *(re.sub(r"[^\w.]+", "-", name).strip("-") for name in self.on)])


class MissingCell(NamedTuple):
    """An empty cell of the table, and the reason."""

    domain: str
    row: SettingRow
    why: str


class TrainedSetting(NamedTuple):
    """A trained model, its folder, and its figures on the validation items."""

    model: SettingModel
    label: str
    folder: Path
    validation: Mapping[str, float]
    items: int


def trained_on(row: SettingRow, domain: str, families: Mapping[str, str]) -> tuple[str, ...]:
    """The benchmarks that the system of a row is trained on before it is tested on a domain.

    Args:
        row: the setting and the kind of system.
        domain: the test domain.
        families: of all domains, by name.
    """
    number = row.setting.number
    if number == 1:
        return ()
    if number == 4:
        return tuple(families)
    if number == 5:
        return tuple(name for name, family in families.items() if family != families[domain])
    return (domain,)


def models_of(
    row: SettingRow, domain: str, families: Mapping[str, str], specs: Mapping[str, ModelSpec]
) -> tuple[SettingModel, ...]:
    """The models that one cell of the table needs, in the order in which they are trained."""
    on = trained_on(row, domain, families)
    if not on or row.model is None:
        return ()
    base = specs[row.model].base
    return tuple(SettingModel(what, on) for what in (base, row.model) if what is not None)


def why_not(row: SettingRow, learned: Sequence[Domain]) -> str | None:
    """Why a cell of the table stays empty; None if it does not."""
    if row.setting.number == 5 and not learned:
        return "all benchmarks are of one family: there is no other to learn from"
    without = [domain.name for domain in learned if not domain.has_spread]
    if row.kind.needs_spread and without:
        return f"the gold of {' and '.join(without)} does not say how far people differ, so it cannot be learned"
    if row.kind.needs_recalibration and not _can_recalibrate(learned):
        return f"fewer than {FEWEST} validation items on which people differ: too few to recalibrate on"
    return None


def _can_recalibrate(learned: Sequence[Domain]) -> bool:
    sigmas = [domain.validation.gold.sigmas for domain in learned]
    return sum(int(np.count_nonzero(each > 0)) for each in sigmas if each is not None) >= FEWEST


@dataclass(frozen=True, kw_only=True)
class Models:
    """Makes the trainings, and names the system of each cell of the table.

    Attributes:
        domains: the benchmarks, by name.
        folder: of the study.
        device: as torch writes it; None for a GPU if there is one.
        cache: where encoders keep vectors.
    """

    plan: FiveSettingsPlan
    domains: dict[str, Domain]
    folder: Path
    device: str | None = None
    cache: CacheChoice = None

    @cached_property
    def conditions(self) -> ReadConditions:
        """Whether all systems read the condition of each item.

        Raises:
            InputError: only some items have one.
        """
        parts = [part for domain in self.domains.values() for part in (domain.train, domain.validation, domain.test)]
        return read_conditions(self.plan.reads, parts)

    @property
    def families(self) -> dict[str, str]:
        """The family of each benchmark."""
        return {name: domain.family for name, domain in self.domains.items()}

    @property
    def root(self) -> Path:
        """The folder of all models."""
        return self.folder / "models"

    def run_folder(self, domain: str) -> Path:
        """The folder of the run on the test items of a benchmark."""
        return self.folder / "runs" / re.sub(r"[^\w.]+", "-", domain).strip("-")

    def missing(self) -> Iterator[MissingCell]:
        """The cells of the table that cannot be filled."""
        for name in self.domains:
            for row in self.plan.rows:
                why = why_not(row, [self.domains[one] for one in trained_on(row, name, self.families)])
                if why is not None:
                    yield MissingCell(name, row, why)

    def needed(self, cells: Sequence[tuple[str, SettingRow]]) -> list[SettingModel]:
        """The models that these cells need, each once."""
        every = chain.from_iterable(models_of(row, name, self.families, self.plan.models) for name, row in cells)
        return list(dict.fromkeys(every))

    def trainings(self, cells: Sequence[tuple[str, SettingRow]]) -> list[TrainingCell]:
        """The trainings that these cells need."""
        return [self.training(model) for model in self.needed(cells)]

    def training(self, model: SettingModel) -> TrainingCell:
        """The training of a model."""
        spec = self.plan.models[model.what]
        base = None if spec.base is None else self.training(SettingModel(spec.base, model.on))
        return TrainingCell(
            kind=spec.train,
            keywords=self._keywords(spec, model, base),
            data=self.data_name(model),
            parts=self.parts(model),
            root=self.root,
            stem=model.stem,
            label=f"{spec.label} from {' + '.join(model.on)}",
            needs=() if base is None else (base,),
            device=self.device,
            cache=self.cache,
        )

    def system(self, row: SettingRow, domain: str) -> str:
        """The system of a row, tested on a domain, as a user writes it."""
        kind = row.kind
        models = models_of(row, domain, self.families, self.plan.models)
        if kind.model is None:
            return kind.system
        if not models:
            return self._untrained()
        chosen = {name: getattr(self.plan, name) for name in kind.plan_arguments}
        device = self._device() if kind.takes_device else {}
        return _written(kind.system, self.training(models[-1]).folder, **kind.arguments, **chosen, **device)

    def data_name(self, model: SettingModel) -> str:
        """The name under which workers find the items that a model learns from."""
        return " + ".join(model.on) + (" as one" if self.plan.models[model.what].is_merged else "")

    def parts(self, model: SettingModel) -> SeveralData:
        """The items that a model learns from, and those that it is validated on."""
        parts = [self.domains[name] for name in model.on]
        train, validation = tuple(part.train for part in parts), tuple(part.validation for part in parts)
        if self.plan.models[model.what].is_merged:
            return SeveralData((merged(train),), (merged(validation),))
        return SeveralData(train, validation)

    def _keywords(self, spec: ModelSpec, model: SettingModel, base: TrainingCell | None) -> dict[str, Any]:
        """The keywords of a training; those of the kind go before the plan's."""
        source = TRAININGS[spec.train].source
        usual: dict[str, Any] = {"seed": self.plan.seed, **self._reads(spec)}
        if source == "model":
            usual |= {source: str(self.plan.model if base is None else base.folder)}
        else:
            usual |= {source: self._untrained() if base is None else self._vectors(base)}
        if spec.train != "gaussian-process":
            usual |= self.plan.recipe
        if spec.can_recalibrate and _can_recalibrate([self.domains[name] for name in model.on]):
            usual["recalibrate"] = "scale"
        return {**usual, **spec.keywords}

    def _reads(self, spec: ModelSpec) -> dict[str, Any]:
        """Which texts a training reads; nothing where items have no conditions and it reads the sentences anyway."""
        if spec.train == "pairs":
            return {}
        if self.conditions.are_read:
            return {"reads": "all"}
        return {"reads": "sentences"} if self.conditions.are_ignored or spec.train == "conditional" else {}

    def _untrained(self) -> str:
        """The plan's encoder as it is, which reads the condition after each sentence if there is one."""
        condition = {"condition": "append"} if self.conditions.are_read else {}
        return _written("encoder", self.plan.model, **condition, **self._device())

    def _vectors(self, base: TrainingCell) -> str:
        """The trained bi-encoder whose vectors a process reads; with conditions, only its own system knows how."""
        return _written("conditional" if self.conditions.are_read else "encoder", base.folder, **self._device())

    def _device(self) -> dict[str, Any]:
        return {} if self.device is None else {"device": self.device}


def _written(name: str, model: str | Path, **keywords: Any) -> str:
    return str(Spec(name, None, (str(model),), keywords))
