"""The plan of a prompt grid, read from a TOML file.

::

    ask = "scores"                          # or "choice": which of several texts is the most similar
    data = "csts/validation.csv"
    examples = "csts/train.csv"             # default: the split "train" of the data
    instructions = ["none", "short", "long", "my-prompt.txt"]
    shots = [0, 2, 4]
    by = ["answer"]                         # also "expected" and "raters"
    references = ["conditional(my-model)"]  # systems to compare the language models with

    [settings]                              # arguments of every prompted system
    longest = 20

    [[models]]
    model = "./SmolLM2-135M-Instruct"       # a folder, a name on the hub, a GGUF file, package:NAME

    [[models]]
    name = "GPT-4o mini"                    # shown in tables
    model = "gpt-4o-mini"
    url = "https://api.openai.com/v1"
    price_in = 0.15
    price_out = 0.60

Paths are relative to the file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from similitude.data.reading.toml_file import TomlFile
from similitude.errors import InputError
from similitude.evaluate.significance import Test
from similitude.models.language.local.origin import in_package
from similitude.models.packages import PACKAGE
from similitude.study.plan_paths import beside
from similitude.systems.prompted.option_scores import ChoiceBy
from similitude.systems.prompted.paper_templates import PAPER_TEMPLATES
from similitude.systems.prompted.system import By

__all__ = [
    "INSTRUCTIONS",
    "ChoicePlan",
    "ModelEntry",
    "Plan",
    "PromptGridPlan",
    "ReferenceEntry",
    "ScorePlan",
    "placed",
    "read_prompt_grid",
]

INSTRUCTIONS = ("none", "short", "long")
SCORE_TEMPLATES = tuple(name for name, template in PAPER_TEMPLATES.items() if template.asks == "scores")
Part = Literal["turns", "language", "domain"]


class _Entry(BaseModel):
    name: str = ""


class ModelEntry(_Entry):
    """A language model; all other keys of its table are arguments of the systems that ask it."""

    model_config = ConfigDict(extra="allow", frozen=True)
    model: str = Field(min_length=1)

    @property
    def label(self) -> str:
        """The name in tables."""
        if self.name or "url" in self.arguments or not Path(self.model).exists():
            return self.name or self.model.removeprefix(PACKAGE)
        path = Path(self.model).resolve()
        return path.stem if path.is_file() else path.name

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of the systems that ask it."""
        return dict(self.model_extra or {})


class ReferenceEntry(_Entry):
    """A system to compare the language models with, such as a fine-tuned encoder."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    system: str = Field(min_length=1)

    @property
    def label(self) -> str:
        """The name in tables."""
        return self.name or self.system


class PromptGridPlan(BaseModel):
    """The keys that both kinds of plan share; paths are relative to the file.

    Attributes:
        name: of the grid.
        data: the items; only those with gold are used.
        split: of the data; all by default.
        items: at most about so many, in whole groups drawn by the seed.
        models: names, or tables with ``model``, ``name`` and any argument of the systems that ask it.
        references: systems to compare with: names, or tables with ``system`` and ``name``.
        settings: arguments of all systems that ask a model.
        resamples: of intervals and tests.
        level: of the intervals.
        test: of differences.
        seed: of the draw of items and of resamples.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = "judging"
    data: str
    split: str | None = None
    items: int | None = Field(default=None, ge=2)
    models: tuple[ModelEntry, ...] = Field(min_length=1)
    references: tuple[ReferenceEntry, ...] = ()
    settings: dict[str, Any] = Field(default_factory=dict)
    resamples: int | None = Field(default=None, ge=0)
    level: float = Field(default=0.95, ge=0.5, lt=1)
    test: Test = "bootstrap"
    seed: int = Field(default=0, ge=0)

    @model_validator(mode="before")
    @classmethod
    def _spell_out(cls, written: dict[str, Any]) -> dict[str, Any]:
        """Turn a bare model or system name into a table."""
        spelt = dict(written)
        for key, field in (("models", "model"), ("references", "system")):
            if isinstance(spelt.get(key), list):
                spelt[key] = [{field: one} if isinstance(one, str) else one for one in spelt[key]]
        return spelt

    @field_validator("models", "references")
    @classmethod
    def _different(cls, entries: tuple[Any, ...]) -> tuple[Any, ...]:
        labels = [entry.label for entry in entries]
        if doubles := [label for label in labels if labels.count(label) > 1]:
            raise ValueError(f"two are called '{doubles[0]}'; give each a name of its own: name = \"...\"")
        return entries


class ScorePlan(PromptGridPlan):
    """Language models score the similarity of two texts: the grid of the C-STS paper, tables 4, 11 and 12.

    Attributes:
        instructions: none, short, long, names of papers' templates, or template files.
        shots: numbers of examples.
        by: how a score is obtained: answer, expected, raters.
        examples: data to draw examples from.
        examples_split: of that data; default "train".
    """

    ask: Literal["scores"] = "scores"
    instructions: tuple[str, ...] = Field(default=INSTRUCTIONS, min_length=1)
    shots: tuple[int, ...] = Field(default=(0, 2, 4), min_length=1)
    by: tuple[By, ...] = Field(default=("answer",), min_length=1)
    examples: str | None = None
    examples_split: str | None = None

    @field_validator("instructions", "shots", "by")
    @classmethod
    def _once(cls, values: tuple[Any, ...]) -> tuple[Any, ...]:
        return _each_once(values)


class ChoicePlan(PromptGridPlan):
    """Language models choose among the items of a group: GiCCS, table 6.

    Attributes:
        by: how a choice is obtained: sum, token, character, letter, answer.
        dialogue: whether the prompt contains the earlier turns; both values to compare.
        parts: what divides the items into columns: numbers of turns, languages, domains.
    """

    ask: Literal["choice"]
    by: tuple[ChoiceBy, ...] = Field(default=("sum",), min_length=1)
    dialogue: tuple[bool, ...] = Field(default=(True, False), min_length=1)
    parts: Part = "turns"

    @field_validator("by", "dialogue")
    @classmethod
    def _once(cls, values: tuple[Any, ...]) -> tuple[Any, ...]:
        return _each_once(values)


Plan = TypeVar("Plan", bound=PromptGridPlan)

KINDS: dict[str, type[ScorePlan] | type[ChoicePlan]] = {"scores": ScorePlan, "choice": ChoicePlan}


def read_prompt_grid(path: str | Path) -> ScorePlan | ChoicePlan:
    """Read a plan from a file.

    Raises:
        InputError: the file does not exist or is not TOML, or a key is unknown, missing or wrong.
    """
    file = Path(path)
    written = TomlFile.read(file)
    asked = str(written.values.get("ask", "scores"))
    if asked not in KINDS:
        what = f"ask = '{asked}' is not a kind of plan"
        raise InputError(what, where=written.where(["ask"]), remedy=f"write one of {', '.join(KINDS)}")
    return placed(written.validated(KINDS[asked], name=file.stem), file)


def _each_once(values: tuple[Any, ...]) -> tuple[Any, ...]:
    if doubles := [value for value in values if values.count(value) > 1]:
        raise ValueError(f"'{doubles[0]}' is listed twice")
    return values


def placed(plan: Plan, file: Path) -> Plan:
    """The plan with paths relative to the working directory, as written in this file."""
    changes: dict[str, Any] = {
        "data": beside(file, plan.data),
        "models": tuple(entry.model_copy(update={"model": _model(file, entry)}) for entry in plan.models),
    }
    if isinstance(plan, ScorePlan):
        changes["examples"] = None if plan.examples is None else beside(file, plan.examples)
        changes["instructions"] = tuple(_instruction(file, one) for one in plan.instructions)
    return plan.model_copy(update=changes)


def _model(file: Path, entry: ModelEntry) -> str:
    """A folder or file beside the plan, if there is one; otherwise the name unchanged.

    Raises:
        ArgumentError: it names a package that is not installed.
    """
    if "url" in entry.arguments:
        return entry.model
    in_package(entry.model)
    return str(file.parent / entry.model) if (file.parent / entry.model).exists() else entry.model


def _instruction(file: Path, written: str) -> str:
    if written in (*INSTRUCTIONS, *SCORE_TEMPLATES) or Path(written).is_absolute():
        return written
    if not (file.parent / written).is_file():
        raise InputError(
            f"'instructions': '{written}' is not one of {', '.join((*INSTRUCTIONS, *SCORE_TEMPLATES))}, "
            "nor a file beside the plan",
            where=str(file),
            remedy="write one of these, or the name of a template",
        )
    return str(file.parent / written)
