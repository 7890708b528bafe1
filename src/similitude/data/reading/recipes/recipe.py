"""The keys of a recipe, which says how a foreign layout is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints, field_validator, model_validator

from similitude.data.benchmark import BENCHMARK_SCHEMA
from similitude.data.reading.recipes.recipe_tables import (
    Beside,
    Codes,
    Container,
    Documents,
    Files,
    Name,
    RatingColumns,
    RecipeTable,
    Recognised,
    SplitCell,
    Turns,
)
from similitude.data.scale import Scale
from similitude.errors import ScaleError

__all__ = ["TEXT_COLUMNS", "Recipe", "documented_keys"]

RecipeName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
BESIDE_FORMAT = ("name", "title", "summary", "reads", "format", "scale", "licence", "citation", "homepage", "described",
                 "recognised")  # fmt: skip
"""Keys that a recipe with a format can have; the format itself says the rest."""

TEXT_COLUMNS = ("id", "left", "right", "condition", "group", "language", "domain", "source", "split")


class Recipe(RecipeTable):
    """How a foreign layout is read."""

    name: RecipeName = Field(description="the name for `--format`: small letters, digits, `.`, `_`, `-`")
    title: Name | None = Field(default=None, description="the name of the data set")
    summary: Name | None = Field(default=None, description="the layout in one line")
    reads: Literal["benchmark", "judgements"] = Field(default="benchmark", description="what is read")
    format: Name | None = Field(
        default=None, description="a format that reads the files; the recipe then only adds to it"
    )
    scale: str | None = Field(default=None, description="the scale of the scores, lower end first: `0..5`")
    reversed: bool = Field(default=False, description="whether low scores mean similar; scores are then turned round")
    licence: Name | None = Field(default=None, description="the licence of the data")
    citation: Name | None = Field(default=None, description="how to cite the data")
    homepage: Name | None = Field(default=None, description="where the data is published")
    described: Name | None = Field(default=None, description="where its layout is described")
    columns: dict[str, Name] = Field(default={}, description='our columns to theirs: `left = "sentence_A"`')
    optional: tuple[str, ...] = Field(
        default=(), description="our columns that a file may lack, such as `score` in a test set"
    )
    constants: dict[str, Name] = Field(
        default={}, description='values of our columns that stand in no file: `language = "zh"`'
    )
    templates: dict[str, Name] = Field(
        default={},
        description='our columns made of others: `id = "{source}-{line}"`; `line` is the line number',
    )
    values: dict[str, dict[str, str]] = Field(
        default={},
        description='their values to ours, column by column: `[values.split]`, `dev = "validation"`',
    )
    number_repeated_ids: bool = Field(default=False, description="whether ids that occur again get a number")
    recognised: Recognised = Field(default=Recognised(), description=str(Recognised.__doc__))
    files: Files = Field(default=Files(), description=str(Files.__doc__))
    container: Container = Field(default=Container(), description=str(Container.__doc__))
    split: SplitCell | None = Field(default=None, description=str(SplitCell.__doc__))
    turns: Turns | None = Field(default=None, description=str(Turns.__doc__))
    beside: tuple[Beside, ...] = Field(default=(), description=str(Beside.__doc__))
    documents: Documents | None = Field(default=None, description=str(Documents.__doc__))
    ratings: RatingColumns | None = Field(default=None, description=str(RatingColumns.__doc__))
    codes: Codes = Field(default=Codes(), description=str(Codes.__doc__))

    @field_validator("scale")
    @classmethod
    def _is_scale(cls, value: str | None) -> str | None:
        try:
            return value if value is None else str(Scale.parse(value))
        except ScaleError as error:
            raise ValueError(str(error)) from None

    @field_validator("columns", "optional")
    @classmethod
    def _ours(cls, value: Iterable[str]) -> Iterable[str]:
        _refuse_others(value, tuple(BENCHMARK_SCHEMA))
        return value

    @field_validator("constants", "templates", "values")
    @classmethod
    def _our_texts(cls, value: Iterable[str]) -> Iterable[str]:
        _refuse_others(value, TEXT_COLUMNS)
        return value

    @model_validator(mode="after")
    def _consistent(self) -> Recipe:
        if self.reversed and self.scale is None:
            raise ValueError("reversed needs a scale")
        beyond = sorted(self.model_fields_set - set(BESIDE_FORMAT)) if self.format else []
        if beyond:
            raise ValueError(f"a recipe with a format cannot say {beyond[0]}; it can say {', '.join(BESIDE_FORMAT)}")
        if self.reads == "judgements" and self.format is None:
            raise ValueError('a recipe for judgements names the format that reads them: format = "best-worst-csv"')
        return self

    @property
    def listed_summary(self) -> str:
        """One line for listings."""
        return self.summary or self.title or self.name

    @property
    def names_columns(self) -> bool:
        """Whether the recipe says what columns are; if not, usual names are recognised as in other files."""
        makers = (self.split, self.turns, self.beside, self.documents, self.ratings)
        return bool(self.columns or any(makers) or self.container.names or self.container.lines)

    @property
    def mentioned(self) -> tuple[str, ...]:
        """The file's columns that the recipe mentions."""
        cells = [each.column for each in (self.split, self.turns) if each is not None]
        ratings = self.ratings.columns if self.ratings else ()
        return (*self.columns.values(), *cells, *ratings, *self.recognised.columns)

    @property
    def only_in_templates(self) -> frozenset[str]:
        """Columns of the file that serve templates and documents only."""
        named = [name for template in self.templates.values() for name in re.findall(r"\{([^{}]+)\}", template)]
        named += [self.documents.left, self.documents.right] if self.documents else []
        return frozenset(named) - {*self.columns.values(), *BENCHMARK_SCHEMA}

    @property
    def parsed_scale(self) -> Scale | None:
        """The scale of the scores."""
        if self.scale is None:
            return None
        ends = Scale.parse(self.scale)
        return Scale(low=ends.low, high=ends.high, origin="format")


def documented_keys(kind: type[BaseModel] = Recipe, table: str = "") -> Iterator[tuple[str, str]]:
    """Every key of a recipe with its description; keys of tables are written ``table.key``."""
    tables: dict[str, type[BaseModel]] = {
        "recognised": Recognised, "files": Files, "container": Container, "split": SplitCell, "turns": Turns,
        "beside": Beside, "documents": Documents, "ratings": RatingColumns, "codes": Codes,
    }  # fmt: skip
    for name, field in kind.model_fields.items():
        yield f"{table}{name}", field.description or ""
        if kind is Recipe and name in tables:
            yield from documented_keys(tables[name], f"{name}.")


def _refuse_others(given: Iterable[str], known: tuple[str, ...]) -> None:
    other = next((name for name in given if name not in known), None)
    if other is not None:
        raise ValueError(f"'{other}' is not a column of ours; ours: {', '.join(known)}")
