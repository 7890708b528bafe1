"""The models of a five-settings study, each trained once in a folder of its own.

A model is identified by its kind and the benchmarks that it is trained on. With two benchmarks, the domain-specific
model of one is also the cross-domain model of the other, and is trained only once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from similitude.data.listeners import NamedListener
from similitude.data.protocols import Listener, VectorCache
from similitude.registry import Spec
from similitude.stats.recalibration import FEWEST
from similitude.study.five_settings.domains import Domain, merged
from similitude.study.five_settings.plan import FiveSettingsPlan
from similitude.study.five_settings.table import ModelKind, SettingRow
from similitude.systems.conditional.architecture import Architecture as Similarity
from similitude.systems.uncertain import architecture as opinions
from similitude.systems.uncertain.heads import make_head
from similitude.training import Recipe, make_objective
from similitude.training.gaussian_process.recipe import GprRecipe
from similitude.training.splits import SeveralData, TrainingData
from similitude.training.train import GprRequest, SimilarityRequest, train_gpr, train_model, train_opinions
from similitude.training.trained_model import Trained
from similitude.training.uncertain.request import OpinionRecipe, OpinionRequest

__all__ = ["Models", "SettingModel", "TrainedSetting", "models_of", "trained_on", "why_not"]

LABELS: dict[ModelKind, str] = {
    "pairs": "BERT-lr",
    "sentences": "SBERT",
    "frozen-process": "GPR on the frozen encoder",
    "process": "GPR on SBERT",
    "opinions": "distribution head",
}
BASES: dict[ModelKind, tuple[ModelKind, ...]] = {"process": ("sentences",)}
"""The models that a model is trained on top of."""


class SettingModel(NamedTuple):
    """A model to train.

    Attributes:
        what: the kind of model.
        on: the names of the benchmarks that it is trained on.
    """

    what: ModelKind
    on: tuple[str, ...]

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return "-".join([self.what, *(re.sub(r"[^\w.]+", "-", name).strip("-") for name in self.on)])

    def __str__(self) -> str:
        return f"{LABELS[self.what]} from {' + '.join(self.on)}"


class TrainedSetting(NamedTuple):
    """A trained model, its folder, and its figures on the validation items."""

    model: SettingModel
    folder: Path
    validation: dict[str, float]
    items: int


def trained_on(row: SettingRow, domain: str, domains: Sequence[str]) -> tuple[str, ...]:
    """The benchmarks that the system of a row is trained on before it is tested on a domain.

    Args:
        row: the setting and the kind of system.
        domain: the test domain.
        domains: all domains.
    """
    number = row.setting.number
    if number == 1:
        return ()
    if number == 4:
        return tuple(domains)
    return tuple(name for name in domains if (name == domain) == (number != 5))


def models_of(row: SettingRow, domain: str, domains: Sequence[str]) -> tuple[SettingModel, ...]:
    """The models that one cell of the table needs, in the order in which they are trained."""
    on = trained_on(row, domain, domains)
    return tuple(SettingModel(what, on) for what in (*BASES.get(row.model, ()), row.model)) if on else ()


def why_not(row: SettingRow, learned: Sequence[Domain]) -> str | None:
    """Why a cell of the table stays empty; None if it does not."""
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
    """Trains models, and names the system of each cell of the table.

    Attributes:
        domains: the benchmarks, by name.
        folder: of all models.
        device: as torch writes it; None for a GPU if there is one.
        cache: where encoders keep vectors.
    """

    plan: FiveSettingsPlan
    domains: dict[str, Domain]
    folder: Path
    device: str | None = None
    cache: VectorCache | None = None

    def train(self, model: SettingModel, listener: Listener | None) -> TrainedSetting:
        """Train a model, or find it trained."""
        trainings = {
            "pairs": self._pairs,
            "sentences": self._sentences,
            "frozen-process": self._process,
            "process": self._process,
            "opinions": self._opinions,
        }
        done = trainings[model.what](model, NamedListener(listener, name=str(model)))
        return TrainedSetting(model, self._at(model), done.figures, done.record["data"]["items"])

    def system(self, row: SettingRow, domain: str) -> str:
        """The system of a row, tested on a domain, as a user writes it."""
        models = models_of(row, domain, list(self.domains))
        if not models:
            return _written("encoder", self.plan.model, **self._device())
        kind = row.kind
        chosen = {name: getattr(self.plan, name) for name in kind.plan_arguments}
        device = self._device() if kind.takes_device else {}
        return _written(kind.system, self._at(models[-1]), **kind.arguments, **chosen, **device)

    def _at(self, model: SettingModel) -> Path:
        return self.folder / model.folder

    def _device(self) -> dict[str, Any]:
        return {} if self.device is None else {"device": self.device}

    def _data(self, model: SettingModel) -> SeveralData:
        parts = [self.domains[name] for name in model.on]
        return SeveralData(tuple(part.train for part in parts), tuple(part.validation for part in parts))

    def _opinion_request(self, head: str, recalibrate: Literal["none", "scale"]) -> OpinionRequest:
        """The defaults of ``similitude train uncertain``, with the plan's recipe."""
        return OpinionRequest(
            model=self.plan.model,
            architecture=opinions.Architecture(head=head, encoding=make_head(head).encoding),
            objective=make_head(head).objective,
            recipe=OpinionRecipe(**self.plan.recipe, seed=self.plan.seed),
            recalibrate=recalibrate,
            device=self.device,
        )

    def _pairs(self, model: SettingModel, listener: Listener) -> Trained:
        return train_opinions(self._data(model), self._opinion_request("point", "none"), self._at(model), listener)

    def _opinions(self, model: SettingModel, listener: Listener) -> Trained:
        learned = [self.domains[name] for name in model.on]
        request = self._opinion_request("gaussian", "scale" if _can_recalibrate(learned) else "none")
        return train_opinions(self._data(model), request, self._at(model), listener)

    def _sentences(self, model: SettingModel, listener: Listener) -> Trained:
        data = self._data(model)
        request = SimilarityRequest(
            model=self.plan.model,
            architecture=Similarity(encoding="bi", reads="sentences"),
            objective=make_objective("mse"),
            recipe=Recipe(**self.plan.recipe, seed=self.plan.seed),
            device=self.device,
        )
        return train_model(
            TrainingData(merged(data.train), merged(data.validation)), request, self._at(model), listener
        )

    def _process(self, model: SettingModel, listener: Listener) -> Trained:
        tuned = self._at(SettingModel("sentences", model.on))
        encoder = self.plan.model if model.what == "frozen-process" else tuned
        request = GprRequest(
            encoder=_written("encoder", encoder, **self._device()),
            recipe=GprRecipe(seed=self.plan.seed),
            device=self.device,
        )
        return train_gpr(self._data(model), request, self._at(model), cache=self.cache, listener=listener)


def _written(name: str, model: str | Path, **keywords: Any) -> str:
    return str(Spec(name, None, (str(model),), keywords))
