"""The cells of a study that asks language models: every combination of what its plan names, each a system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import polars as pl

from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, SimilitudeError
from similitude.registry import Spec
from similitude.study.prompt_grid.plan import INSTRUCTIONS, ChoicePlan, JudgingPlan, ModelEntry, ScorePlan
from similitude.systems import SYSTEMS
from similitude.systems.prompted.choice_system import MultipleChoice
from similitude.systems.prompted.system import Prompted
from similitude.training.splits import first_of_pairs

__all__ = ["Asking", "Cell", "cells_of", "measured_items"]

Asking = Prompted | MultipleChoice
TRAINING = "train"
_TOLD = {
    "model": "{}",
    "instruction": "{} instruction",
    "shots": "{}-shot",
    "by": "by {}",
    "dialogue": "{} dialogue",
}
OF_TEXTS = ("sum", "token", "character")
"""Ways to choose that come from the same likelihoods."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One system of the grid.

    Attributes:
        setting: what sets it apart, by name: model, instruction, shots, by; or model, by, dialogue.
        system: who is asked, and how.
    """

    setting: Mapping[str, Any]
    system: Asking

    @property
    def name(self) -> str:
        """For people."""
        return ", ".join(_TOLD[key].format(_written(value)) for key, value in self.setting.items())

    @property
    def asks(self) -> tuple[Any, ...]:
        """Equal for cells that ask the same and read different things off the answers."""
        setting = {**self.setting, "by": "text" if self.setting["by"] in OF_TEXTS else self.setting["by"]}
        return tuple(setting.items())


def measured_items(plan: JudgingPlan) -> Benchmark:
    """The items that a plan asks about: of its split, with gold, so many whole groups of them as it says."""
    chosen = open_benchmark(plan.data).select(split=plan.split, with_gold=True)
    if isinstance(plan, ChoicePlan):
        chosen = _grouped(chosen)
    return chosen if plan.items is None else first_of_pairs(chosen, plan.items, plan.seed)


def cells_of(plan: ScorePlan | ChoicePlan, benchmark: Benchmark) -> tuple[Cell, ...]:
    """The cells, model by model, so that each is loaded once.

    Raises:
        ArgumentError: a system cannot be made so; the message names the plan.
    """
    labels = [model.label for model in plan.models]
    if doubles := [label for label in labels if labels.count(label) > 1]:
        what = f"two models are called '{doubles[0]}'"
        raise ArgumentError(what, where=plan.name, remedy="give each a name of its own")
    try:
        made = _score_cells(plan, benchmark) if isinstance(plan, ScorePlan) else _choice_cells(plan)
        return tuple(made)
    except SimilitudeError as error:
        if error.where:
            raise
        raise ArgumentError(error.what, where=f"plan '{plan.name}'", remedy=error.remedy) from None


def _score_cells(plan: ScorePlan, benchmark: Benchmark) -> Iterator[Cell]:
    examples = _examples(plan)
    usual = _usual_scale(benchmark.scale)
    for model in plan.models:
        for by in plan.by:
            for instruction in plan.instructions:
                told = (
                    {"instruction": _none_or(instruction)} if instruction in INSTRUCTIONS else {"template": instruction}
                )
                for shots in plan.shots:
                    shown = {"shots": shots, **examples} if shots else {}
                    wanted = {**usual, **_own(plan, model), "by": by, **told, **shown}
                    if by != "expected":
                        wanted.pop("levels", None)
                    name = instruction if instruction in INSTRUCTIONS else Path(instruction).name
                    setting = {"model": model.label, "instruction": name, "shots": shots, "by": by}
                    yield Cell(setting=setting, system=_system("prompted", model, wanted))


def _choice_cells(plan: ChoicePlan) -> Iterator[Cell]:
    for model in plan.models:
        for by in plan.by:
            for dialogue in plan.dialogue:
                wanted = {**_own(plan, model), "by": by, "dialogue": dialogue}
                setting = {"model": model.label, "by": by, "dialogue": dialogue}
                yield Cell(setting=setting, system=_system("choice", model, wanted))


def _own(plan: ScorePlan | ChoicePlan, model: ModelEntry) -> dict[str, Any]:
    """What the plan says of every system and of this model; not what the grid decides."""
    wanted = {**plan.settings, **model.arguments}
    decided = {"scores": ("by", "instruction", "template", "shots", "examples", "examples_split")}
    for name in ("model", *decided.get(plan.ask, ("by", "dialogue"))):
        if name in wanted:
            what = f"'{name}' is no setting: it is what the grid varies"
            raise ArgumentError(what, remedy="name its values at the top of the plan")
    return wanted


def _system(kind: str, model: ModelEntry, keywords: dict[str, Any]) -> Asking:
    return cast(Asking, SYSTEMS.make(Spec(kind, None, (model.model,), keywords)))


def _examples(plan: ScorePlan) -> dict[str, Any]:
    """Where examples come from: as the plan says, else the training split of the data."""
    if not any(plan.shots):
        return {}
    if plan.examples is None:
        splits = open_benchmark(plan.data).splits
        own = plan.examples_split or TRAINING
        if own not in splits or own == plan.split:
            there = ", ".join(splits) or "none"
            raise ArgumentError(
                f"there is nothing to draw {max(plan.shots)} examples from: splits of the data: {there}",
                remedy='name data with gold as examples = "...", or write shots = [0]',
            )
        return {"examples": plan.data, "examples_split": own}
    split = {} if plan.examples_split is None else {"examples_split": plan.examples_split}
    return {"examples": plan.examples, **split}


def _usual_scale(scale: Scale | None) -> dict[str, Any]:
    """The gold's own scale where its steps are whole numbers of one digit; else that of the system."""
    if scale is None or scale.low < 0 or scale.high > 9 or scale.width < 2:
        return {}
    return {"scale": str(scale)} if float(scale.low).is_integer() and float(scale.high).is_integer() else {}


def _grouped(benchmark: Benchmark) -> Benchmark:
    """Where no group is named, items that share left text and dialogue are one."""
    if not benchmark.frame["group"].null_count():
        return benchmark
    turns = pl.col("context").list.join("\x1f").fill_null("")
    shared = pl.concat_str(pl.lit("\x1f"), pl.col("left"), pl.lit("\x1f"), turns)
    return replace(benchmark, frame=benchmark.frame.with_columns(pl.coalesce("group", shared).alias("group")))


def _none_or(instruction: str) -> str | None:
    return None if instruction == "none" else instruction


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "with" if value else "without"
    return "no" if value == "none" else str(value)
