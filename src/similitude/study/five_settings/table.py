"""Table 7 of the USTS paper: five settings, the kinds of systems in each, and the models that these need.

A kind names a registered system and the model that the system opens; a model is a kind of training and its keywords.
Nothing else in the study knows kinds by name, so that a plan can add kinds of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from similitude.systems.uncertain.heads import make_head

__all__ = ["KINDS", "MODELS", "SETTINGS", "ModelSpec", "Setting", "SettingRow", "SystemKind"]


class ModelSpec(NamedTuple):
    """A model that is trained.

    Attributes:
        label: for people.
        train: the kind of training.
        keywords: of the training, beside the plan's recipe, model and seed.
        base: the model whose vectors it reads; None for the plan's model.
        is_merged: whether several benchmarks are learned from as one.
        can_recalibrate: whether its sigmas are corrected where there are enough validation items.
    """

    label: str
    train: str
    keywords: Mapping[str, Any]
    base: str | None = None
    is_merged: bool = False
    can_recalibrate: bool = False


def _opinions(head: str) -> dict[str, Any]:
    return {"head": head, "architecture": make_head(head).encoding}


MODELS: dict[str, ModelSpec] = {
    "pairs": ModelSpec("BERT-lr", "uncertain", _opinions("point")),
    "sentences": ModelSpec(
        "SBERT",
        "conditional",
        {"architecture": "bi", "objective": "mse", "cross_fit": 0},
        is_merged=True,
    ),
    "frozen-process": ModelSpec("GPR on the frozen encoder", "gaussian-process", {}),
    "process": ModelSpec("GPR on SBERT", "gaussian-process", {}, base="sentences"),
    "opinions": ModelSpec("distribution head", "uncertain", _opinions("gaussian"), can_recalibrate=True),
}
"""The models of the table: BERT-lr, SBERT, processes over frozen or SBERT vectors, and a head with a spread."""


class Setting(NamedTuple):
    """What a system was trained on, relative to the benchmark that it is tested on.

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
        settings: the numbers of its settings.
        system: the registered system that opens the trained model, or a whole system if nothing is trained.
        model: the model that is trained for it; None if nothing is.
        frozen_model: the model in the setting "frozen", if it differs.
        arguments: of the system.
        plan_arguments: arguments of the system that are named in the plan.
        takes_device: whether the system has an argument device.
        reads_together: whether it reads both texts together; otherwise it compares vectors of single texts.
        needs_spread: whether it needs gold that says how far people differ.
        needs_recalibration: whether its standard deviations are corrected on the validation items.
    """

    name: str
    label: str
    settings: tuple[int, ...]
    system: str
    model: str | None
    frozen_model: str | None = None
    arguments: Mapping[str, Any] = {}
    plan_arguments: tuple[str, ...] = ()
    takes_device: bool = True
    reads_together: bool = True
    needs_spread: bool = False
    needs_recalibration: bool = False


class SettingRow(NamedTuple):
    """A row of table 7: a kind of system in a setting."""

    setting: Setting
    kind: SystemKind

    @property
    def label(self) -> str:
        """For people; unique among rows."""
        return f"({self.setting.number}) {self.kind.label}"

    @property
    def model(self) -> str | None:
        """The model that is trained for it; None if nothing is."""
        is_frozen = self.setting.number == FROZEN.number
        return self.kind.frozen_model if is_frozen and self.kind.frozen_model is not None else self.kind.model


ZERO_SHOT = Setting(1, "zero-shot", "zero-shot")
FROZEN = Setting(2, "frozen", "frozen encoder")
SETTINGS = (
    ZERO_SHOT,
    FROZEN,
    Setting(3, "domain-specific", "domain-specific"),
    Setting(4, "domain-generalised", "domain-generalised"),
    Setting(5, "cross-domain", "cross-domain"),
)

_TRAINED = (3, 4, 5)

KINDS: dict[str, SystemKind] = {
    kind.name: kind
    for kind in (
        SystemKind("bert-lr", "BERT-lr", _TRAINED, "uncertain", "pairs"),
        SystemKind("bert-lr-mc", "BERT-lr-MC", _TRAINED, "uncertain", "pairs", plan_arguments=("passes",)),
        SystemKind("sbert-cosine", "SBERT-cosine", (1, *_TRAINED), "conditional", "sentences", reads_together=False),
        SystemKind(
            "sbert-gpr",
            "SBERT-GPR",
            (2, *_TRAINED),
            "gpr",
            "process",
            frozen_model="frozen-process",
            takes_device=False,
            reads_together=False,
        ),
        SystemKind(
            "distribution",
            "distribution head",
            _TRAINED,
            "uncertain",
            "opinions",
            arguments={"recalibrated": False},
            needs_spread=True,
        ),
        SystemKind(
            "distribution-recalibrated",
            "recalibrated head",
            _TRAINED,
            "uncertain",
            "opinions",
            needs_spread=True,
            needs_recalibration=True,
        ),
    )
}
"""The kinds by name, in the order of the table."""
