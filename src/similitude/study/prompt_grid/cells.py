"""The cells of a prompt grid: one system for each combination of what the plan names."""

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
from similitude.study.prompt_grid.plan import INSTRUCTIONS, ChoicePlan, ModelEntry, PromptGridPlan, ScorePlan
from similitude.systems import SYSTEMS
from similitude.systems.prompted.choice_system import MultipleChoice
from similitude.systems.prompted.system import Prompted
from similitude.training.splits import draw_items

__all__ = ["AskingSystem", "Cell", "cells_of", "measured_items"]

AskingSystem = Prompted | MultipleChoice
TRAINING = "train"
_LABELS = {
    "model": "{}",
    "instruction": "{} instruction",
    "shots": "{}-shot",
    "by": "by {}",
    "dialogue": "{} dialogue",
}
OF_TEXTS = ("sum", "token", "character")
"""Ways to choose that use the same likelihoods."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One system of the grid.

    Attributes:
        setting: its place in the grid: model, instruction, shots, by; or model, by, dialogue.
    """

    setting: Mapping[str, Any]
    system: AskingSystem

    @property
    def name(self) -> str:
        """A label for people."""
        return ", ".join(_LABELS[key].format(_written(value)) for key, value in self.setting.items())

    @property
    def asks(self) -> tuple[Any, ...]:
        """A key that is equal for cells that send the same prompts."""
        setting = {**self.setting, "by": "text" if self.setting["by"] in OF_TEXTS else self.setting["by"]}
        return tuple(setting.items())


def measured_items(plan: PromptGridPlan) -> Benchmark:
    """The items of a plan: those of its split with gold, or as many of them as it says."""
    chosen = open_benchmark(plan.data).select(split=plan.split, with_gold=True)
    if isinstance(plan, ChoicePlan):
        chosen = _grouped(chosen)
    return draw_items(chosen, plan.items, plan.seed)


def cells_of(plan: ScorePlan | ChoicePlan, benchmark: Benchmark) -> tuple[Cell, ...]:
    """The cells, model by model, so that each model is loaded once.

    Raises:
        ArgumentError: a system cannot be made with these arguments; the message names the plan.
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
    scale = _scale_argument(benchmark.scale)
    for model in plan.models:
        for by in plan.by:
            for instruction in plan.instructions:
                prompt = (
                    {"instruction": _none_or(instruction)} if instruction in INSTRUCTIONS else {"template": instruction}
                )
                for shots in plan.shots:
                    shown = {"shots": shots, **examples} if shots else {}
                    wanted = {**scale, **_own(plan, model), "by": by, **prompt, **shown}
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
    """Arguments that the plan gives to all systems and to this model, but not those that the grid varies."""
    wanted = {**plan.settings, **model.arguments}
    decided = {"scores": ("by", "instruction", "template", "shots", "examples", "examples_split")}
    for name in ("model", *decided.get(plan.ask, ("by", "dialogue"))):
        if name in wanted:
            what = f"'{name}' cannot be a setting: the grid varies it"
            raise ArgumentError(what, remedy="name its values at the top of the plan")
    return wanted


def _system(kind: str, model: ModelEntry, keywords: dict[str, Any]) -> AskingSystem:
    return cast(AskingSystem, SYSTEMS.make(Spec(kind, None, (model.model,), keywords)))


def _examples(plan: ScorePlan) -> dict[str, Any]:
    """Arguments for the source of examples: as in the plan, otherwise the training split of the data."""
    if not any(plan.shots):
        return {}
    if plan.examples is None:
        splits = open_benchmark(plan.data).splits
        own = plan.examples_split or TRAINING
        if own not in splits or own == plan.split:
            there = ", ".join(splits) or "none"
            raise ArgumentError(
                f"there is no data to draw {max(plan.shots)} examples from; splits of the data: {there}",
                remedy='name data with gold as examples = "...", or write shots = [0]',
            )
        return {"examples": plan.data, "examples_split": own}
    split = {} if plan.examples_split is None else {"examples_split": plan.examples_split}
    return {"examples": plan.examples, **split}


def _scale_argument(scale: Scale | None) -> dict[str, Any]:
    """The scale of gold if its ends are whole numbers from 0 to 9; otherwise the system's default."""
    if scale is None or scale.low < 0 or scale.high > 9 or scale.width < 2:
        return {}
    return {"scale": str(scale)} if float(scale.low).is_integer() and float(scale.high).is_integer() else {}


def _grouped(benchmark: Benchmark) -> Benchmark:
    """Items without a group are grouped by left text and dialogue."""
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
