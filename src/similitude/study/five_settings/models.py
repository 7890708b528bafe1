"""The models of a study of settings: which are needed, each trained once in a folder of its own, and their names.

A model is told by what it is and by the benchmarks that it learned from. With two benchmarks, that of one domain alone
is also the cross-domain model of the other, and is trained once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from similitude.data.protocols import Listener, VectorCache
from similitude.registry import Spec
from similitude.stats.recalibration import FEWEST
from similitude.study.five_settings.domains import Domain, merged
from similitude.study.five_settings.plan import SettingRow, SettingsPlan
from similitude.systems.conditional.architecture import Architecture as Similarity
from similitude.systems.uncertain import architecture as opinions
from similitude.training import Recipe, make_objective
from similitude.training.distillation import Named
from similitude.training.gaussian_process.recipe import GprRecipe
from similitude.training.splits import SeveralData, TrainingData
from similitude.training.train import GprRequest, SimilarityRequest, train_gpr, train_model, train_opinions
from similitude.training.trained_model import Trained
from similitude.training.uncertain.request import DEFAULT_RECIPE, OpinionRequest

__all__ = ["Models", "SettingModel", "TrainedSetting", "learned_from", "lessons_of", "why_not"]

What = Literal["pairs", "sentences", "frozen-process", "process", "opinions"]

WORDS: dict[What, str] = {
    "pairs": "BERT-lr",
    "sentences": "SBERT",
    "frozen-process": "GPR on the frozen encoder",
    "process": "GPR on SBERT",
    "opinions": "distribution head",
}


class SettingModel(NamedTuple):
    """A model to be trained.

    Attributes:
        what: pairs (BERT-lr), sentences (SBERT), a process over either frozen or trained vectors, opinions.
        on: the names of the benchmarks that it learns from.
    """

    what: What
    on: tuple[str, ...]

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return "-".join([self.what, *(re.sub(r"[^\w.]+", "-", name).strip("-") for name in self.on)])

    def __str__(self) -> str:
        return f"{WORDS[self.what]} from {' + '.join(self.on)}"


class TrainedSetting(NamedTuple):
    """A model that was trained: what it is, where it lies, and its figures on the validation items."""

    lesson: SettingModel
    folder: Path
    validation: dict[str, float]
    items: int


def learned_from(row: SettingRow, domain: str, domains: Sequence[str]) -> tuple[str, ...]:
    """The benchmarks that a system of this row has learned from when it is judged on a domain.

    Args:
        row: the setting and the kind of system.
        domain: what it is judged on.
        domains: all there are.
    """
    number = row.setting.number
    if number == 1:
        return ()
    if number == 4:
        return tuple(domains)
    return tuple(name for name in domains if (name == domain) == (number != 5))


def lessons_of(row: SettingRow, domain: str, domains: Sequence[str]) -> tuple[SettingModel, ...]:
    """What has to be trained for one cell of the table, in order."""
    on = learned_from(row, domain, domains)
    if not on:
        return ()
    if row.kind.name in ("bert-lr", "bert-lr-mc"):
        return (SettingModel("pairs", on),)
    if row.kind.name == "sbert-cosine":
        return (SettingModel("sentences", on),)
    if row.kind.name == "sbert-gpr":
        return (SettingModel("frozen-process", on),) if row.setting.number == 2 else _two_steps(on)
    return (SettingModel("opinions", on),)


def _two_steps(on: tuple[str, ...]) -> tuple[SettingModel, ...]:
    return SettingModel("sentences", on), SettingModel("process", on)


def why_not(row: SettingRow, learned: Sequence[Domain]) -> str | None:
    """Why a cell of the table stays empty; None where it does not."""
    without = [domain.name for domain in learned if not domain.has_spread]
    if row.kind.needs_spread and without:
        return f"gold of {' and '.join(without)} does not say how far people differ, so it cannot be learned"
    if row.kind.name == "distribution-recalibrated" and not _can_recalibrate(learned):
        return f"fewer than {FEWEST} validation items on which people differ: too few to recalibrate on"
    return None


def _can_recalibrate(learned: Sequence[Domain]) -> bool:
    sigmas = [domain.validation.gold.sigmas for domain in learned]
    return sum(int(np.count_nonzero(each > 0)) for each in sigmas if each is not None) >= FEWEST


@dataclass(frozen=True, kw_only=True)
class Models:
    """Trains what is needed, and says what each cell of the table is called as a system.

    Attributes:
        plan: what is asked for.
        domains: the benchmarks, by name.
        folder: where models are kept, each in its own folder.
        device: as torch writes it; None for a GPU where there is one.
        cache: where encoders keep vectors.
    """

    plan: SettingsPlan
    domains: dict[str, Domain]
    folder: Path
    device: str | None = None
    cache: VectorCache | None = None

    def train(self, lesson: SettingModel, listener: Listener | None) -> TrainedSetting:
        """Train a model, or find it trained."""
        steps = {
            "pairs": self._pairs,
            "sentences": self._sentences,
            "frozen-process": self._process,
            "process": self._process,
            "opinions": self._opinions,
        }
        done = steps[lesson.what](lesson, Named(listener, str(lesson)))
        return TrainedSetting(lesson, self._at(lesson), done.figures, done.record["data"]["items"])

    def written(self, row: SettingRow, domain: str) -> str:
        """The system of a row, judged on a domain, as a user writes it."""
        on = learned_from(row, domain, list(self.domains))
        name, device = row.kind.name, self._device()
        if row.setting.number == 1:
            return _written("encoder", self.plan.model, **device)
        if name in ("bert-lr", "bert-lr-mc"):
            passes = {"passes": self.plan.passes} if name == "bert-lr-mc" else {}
            return _written("uncertain", self._at(SettingModel("pairs", on)), **passes, **device)
        if name == "sbert-cosine":
            return _written("conditional", self._at(SettingModel("sentences", on)), **device)
        if name == "sbert-gpr":
            what: What = "frozen-process" if row.setting.number == 2 else "process"
            return _written("gpr", self._at(SettingModel(what, on)))
        raw = {} if name == "distribution-recalibrated" else {"recalibrated": False}
        return _written("uncertain", self._at(SettingModel("opinions", on)), **raw, **device)

    def _at(self, lesson: SettingModel) -> Path:
        return self.folder / lesson.folder

    def _device(self) -> dict[str, Any]:
        return {} if self.device is None else {"device": self.device}

    def _data(self, lesson: SettingModel) -> SeveralData:
        parts = [self.domains[name] for name in lesson.on]
        return SeveralData(tuple(part.train for part in parts), tuple(part.validation for part in parts))

    def _opinion_request(self, head: opinions.Head, recalibrate: Literal["none", "scale"]) -> OpinionRequest:
        """As ``similitude train uncertain`` has it where nothing is said."""
        changes = self.plan.recipe
        rate = changes.get("lr", opinions.DEFAULT_RATE)
        recipe = replace(DEFAULT_RECIPE, **changes, seed=self.plan.seed)
        return OpinionRequest(
            model=self.plan.model,
            architecture=opinions.Architecture(head=head, encoding=opinions.DEFAULT_ENCODINGS[head]),
            objective=opinions.DEFAULT_OBJECTIVES[head],
            recipe=recipe if rate is None else replace(recipe, lr=rate),
            recalibrate=recalibrate,
            usual_lr=rate is None,
            device=self.device,
        )

    def _pairs(self, lesson: SettingModel, listener: Listener) -> Trained:
        return train_opinions(self._data(lesson), self._opinion_request("point", "none"), self._at(lesson), listener)

    def _opinions(self, lesson: SettingModel, listener: Listener) -> Trained:
        learned = [self.domains[name] for name in lesson.on]
        request = self._opinion_request("gaussian", "scale" if _can_recalibrate(learned) else "none")
        return train_opinions(self._data(lesson), request, self._at(lesson), listener)

    def _sentences(self, lesson: SettingModel, listener: Listener) -> Trained:
        data = self._data(lesson)
        request = SimilarityRequest(
            model=self.plan.model,
            architecture=Similarity(encoding="bi", reads="sentences"),
            objective=make_objective("mse"),
            recipe=Recipe(**self.plan.recipe, seed=self.plan.seed),
            usual_lr="lr" not in self.plan.recipe,
            device=self.device,
        )
        return train_model(
            TrainingData(merged(data.train), merged(data.validation)), request, self._at(lesson), listener
        )

    def _process(self, lesson: SettingModel, listener: Listener) -> Trained:
        tuned = self._at(SettingModel("sentences", lesson.on))
        encoder = self.plan.model if lesson.what == "frozen-process" else tuned
        request = GprRequest(
            encoder=_written("encoder", encoder, **self._device()),
            recipe=GprRecipe(seed=self.plan.seed),
            device=self.device,
        )
        return train_gpr(self._data(lesson), request, self._at(lesson), cache=self.cache, listener=listener)


def _written(name: str, model: str | Path, **keywords: Any) -> str:
    return str(Spec(name, None, (str(model),), keywords))
