"""The keys of a suite: a TOML file that names benchmarks and says how each is read and weighted."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from similitude.data.benchmark import BENCHMARK_SCHEMA
from similitude.data.scale import Scale
from similitude.errors import ScaleError, SimilitudeError
from similitude.evaluate.measures import make_measure

__all__ = ["Place", "PlannedBenchmark", "SuitePlan", "documented_suite_keys"]

Name = Annotated[str, StringConstraints(min_length=1)]


class SuiteTable(BaseModel):
    """A table of keys, none of which may be unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Place(SuiteTable):
    """One of the places where a benchmark may lie, in a layout of its own."""

    path: Name = Field(description="a file or a folder, as in `path` of the benchmark")
    recipe: Name | None = Field(default=None, description="the recipe or format of what lies there")
    split: Name | None = Field(default=None, description="the split to measure there")


class PlannedBenchmark(SuiteTable):
    """One benchmark of the suite."""

    name: Name = Field(description="its name in tables")
    path: tuple[Place, ...] = Field(
        min_length=1,
        description="a file, a folder, `hf:NAME` or `sample:NAME`; relative to the folder of the data, which is that "
        "of the suite by default. Of several, the first that is there is read. An entry can be a table with its own "
        "`recipe` and `split`",
    )
    recipe: Name | None = Field(default=None, description="a recipe or format, if the layout is not recognised")
    split: Name | None = Field(default=None, description="the split to measure, where the data has splits")
    scale: str | None = Field(default=None, description="the scale of the scores, lower end first: `0..5`")
    columns: dict[str, Name] = Field(default={}, description='our columns to theirs: `left = "question1"`')
    sources: Name | None = Field(
        default=None, description="the column that names the source of an item, such as MSRpar; default: `source`"
    )
    measure: Name | None = Field(default=None, description="its main measure, if it differs from that of the suite")
    weight: float = Field(default=1.0, gt=0, allow_inf_nan=False, description="its weight in the mean over benchmarks")
    description: Name | None = Field(default=None, description="what it is, in one line")
    licence: Name | None = Field(default=None, description="the licence of the data")
    homepage: Name | None = Field(default=None, description="where the data is published")

    @field_validator("path", mode="before")
    @classmethod
    def _places(cls, value: object) -> object:
        listed = value if isinstance(value, list | tuple) else [value]
        return tuple({"path": each} if isinstance(each, str) else each for each in listed)

    @field_validator("scale")
    @classmethod
    def _is_scale(cls, value: str | None) -> str | None:
        try:
            return value if value is None else str(Scale.parse(value))
        except ScaleError as error:
            raise ValueError(str(error)) from None

    @field_validator("columns")
    @classmethod
    def _ours(cls, value: dict[str, str]) -> dict[str, str]:
        other = next((name for name in value if name not in BENCHMARK_SCHEMA), None)
        if other is not None:
            raise ValueError(f"'{other}' is not a column of ours; ours: {', '.join(BENCHMARK_SCHEMA)}")
        return value

    @field_validator("measure")
    @classmethod
    def _is_measure(cls, value: str | None) -> str | None:
        return None if value is None else _known_measure(value)


class SuitePlan(SuiteTable):
    """Several benchmarks that are measured together."""

    name: Annotated[str, StringConstraints(pattern=r"^[\w.-]+$")] = Field(
        description="its name, after which the folder of results is named: letters, digits, `.`, `_`, `-`"
    )
    description: Name | None = Field(default=None, description="what it is, in one line")
    language: Name | None = Field(default=None, description="the language of the texts, such as `en`")
    licence: Name | None = Field(default=None, description="the terms under which the data may be used")
    measures: tuple[Name, ...] = Field(default=(), description="the measures, the main one first; default: spearman")
    benchmarks: tuple[PlannedBenchmark, ...] = Field(min_length=1, description=str(PlannedBenchmark.__doc__))

    @field_validator("measures")
    @classmethod
    def _are_measures(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(_known_measure, value))


def documented_suite_keys() -> list[tuple[str, str]]:
    """Every key of a suite with its description; keys of a benchmark are written ``benchmarks.key``."""
    own = [(name, field.description or "") for name, field in SuitePlan.model_fields.items() if name != "benchmarks"]
    return own + [
        (f"benchmarks.{name}", field.description or "") for name, field in PlannedBenchmark.model_fields.items()
    ]


def _known_measure(written: str) -> str:
    try:
        make_measure(written)
    except SimilitudeError as error:
        raise ValueError(str(error)) from None
    return written
