"""The keys of a recipe, which says how a foreign layout is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from similitude.data.benchmark import BENCHMARK_SCHEMA
from similitude.data.scale import Scale
from similitude.errors import ScaleError

__all__ = [
    "TEXT_COLUMNS",
    "Beside",
    "Codes",
    "Container",
    "Documents",
    "Files",
    "RatingColumns",
    "Recipe",
    "Recognised",
    "SplitCell",
    "Turns",
    "documented_keys",
]

Name = Annotated[str, StringConstraints(min_length=1)]
RecipeName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
BESIDE_FORMAT = ("name", "title", "summary", "reads", "format", "scale", "licence", "citation", "homepage", "described",
                 "recognised")  # fmt: skip
"""Keys that a recipe with a format can have; the format itself says the rest."""

TEXT_COLUMNS = ("id", "left", "right", "condition", "group", "language", "domain", "source", "split")


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Recognised(_Table):
    """How files are recognised without ``--format``. Every key that is given must fit; none given: never."""

    columns: tuple[Name, ...] = Field(default=(), description="names that the header must have, all of them")
    files: tuple[Name, ...] = Field(
        default=(), description="patterns of the path, such as `cnsd-sts-*.txt`; one must fit"
    )
    folders: tuple[Name, ...] = Field(default=(), description="patterns of files that a folder must hold; one must fit")
    hub: tuple[Name, ...] = Field(
        default=(), description="names of datasets on the Hugging Face hub, such as `mteb/sts12-sts`"
    )


class Files(_Table):
    """Which files of a folder are tables, and what their names say."""

    tables: tuple[Name, ...] = Field(default=(), description="patterns of the files to read, such as `**/*_train.csv`")
    ignore: tuple[Name, ...] = Field(default=(), description="patterns of files to leave out")
    one_each: bool = Field(
        default=False,
        description="whether of several files with the same groups only one is read: the one whose pattern in `tables` "
        "comes first",
    )
    pattern: str | None = Field(
        default=None,
        description="a regular expression for the end of the path; a named group such as `(?P<split>train|test)` gives "
        "that column of ours, other groups can be used in templates",
    )

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, value: str | None) -> str | None:
        try:
            re.compile(value or "")
        except re.error as error:
            raise ValueError(f"not a regular expression ({error})") from None
        return value

    @model_validator(mode="after")
    def _consistent(self) -> Files:
        if self.one_each and not self.pattern:
            raise ValueError("one_each needs a pattern with named groups")
        return self


class Container(_Table):
    """How the values are stored; what is left out is found out."""

    separator: Name | None = Field(default=None, description="between fields: `,`, a tab (`\\t`), `||`")
    header: bool | None = Field(default=None, description="whether the first row holds the names of columns")
    names: tuple[Name, ...] = Field(
        default=(), description="names for the columns, in order; they replace those of a header"
    )
    fewest: int | None = Field(
        default=None, ge=1, description="the fewest fields of a row without a header; default: all"
    )
    quotes: bool | None = Field(default=None, description="whether quotes may enclose a field; if not, they are text")
    lines: Name | None = Field(default=None, description="every line is one value: the name of its column")
    encoding: Name | None = Field(default=None, description="the encoding of text files")
    decimal: Literal[".", ","] = Field(default=".", description="the character before the decimals of a number")
    sheet: Name | None = Field(default=None, description="the sheet of a workbook")

    @model_validator(mode="after")
    def _consistent(self) -> Container:
        if self.lines and (self.separator or self.names or self.header is not None):
            raise ValueError("lines cannot be combined with separator, names or header")
        if self.header is False and not self.names:
            raise ValueError("a file without a header needs names")
        if (self.quotes is not None or self.fewest) and self.separator is None:
            raise ValueError("quotes and fewest need a separator")
        return self


class SplitCell(_Table):
    """One cell that holds several values."""

    column: Name = Field(description="the column that is split")
    by: tuple[Name, ...] = Field(description="the separators; the first that occurs in a cell splits it")
    into: tuple[Name, ...] = Field(min_length=2, description="the columns that result, such as `left` and `right`")

    @field_validator("by", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


class Turns(_Table):
    """A dialogue in one cell: all turns become the context, the last one becomes left."""

    column: Name = Field(description="the column that holds the dialogue")
    by: Name = Field(description="the separator between turns")


class Beside(_Table):
    """Columns in another file: gold, the second texts, ratings."""

    file: tuple[Name, ...] = Field(
        description="the other file, from the folder of the table: `STS.gs.{name}.txt`; of several, the first there is"
    )
    lines: Name | None = Field(default=None, description="every line there is one value: the name of its column")
    columns: tuple[Name, ...] = Field(default=(), description="the columns to take over from a table")
    id: Name | None = Field(
        default=None, description="the column there that holds ids; default: rows in the same order"
    )
    optional: bool = Field(default=False, description="whether the file may be missing, as where gold is hidden")

    @field_validator("file", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _one_of(self) -> Beside:
        if bool(self.lines) == bool(self.columns):
            raise ValueError("say either lines (one value per line) or columns (a table)")
        if self.lines and self.id:
            raise ValueError("a file of lines has no ids")
        return self

    @property
    def gives(self) -> tuple[str, ...]:
        """The columns that come from the other file."""
        return self.columns or (str(self.lines),)


class Documents(_Table):
    """Texts in files of their own, each named after the id of its text."""

    files: Name = Field(description="the pattern of these files, from the folder of the table: `articles/**/*.json`")
    keys: tuple[Name, ...] = Field(description="the keys of the texts in such a file; joined by a line break")
    left: Name = Field(description="the column with the id of the first text")
    right: Name = Field(description="the column with the id of the second text")


class RatingColumns(_Table):
    """Columns that each hold one person's ratings."""

    columns: tuple[Name, ...] = Field(min_length=1, description="the columns; their names become the raters")
    mean: bool = Field(default=True, description="whether the mean of the ratings is the gold score, if no column is")


class Codes(_Table):
    """Values that stand for something else."""

    hidden: tuple[str, ...] = Field(default=(), description="scores that mean that gold is hidden, such as `-1`")
    missing: tuple[str, ...] = Field(
        default=(), description="values that mean nothing is known, such as `NA`; not in texts"
    )

    @field_validator("hidden", "missing", mode="before")
    @classmethod
    def _as_written(cls, value: object) -> object:
        given = value if isinstance(value, list | tuple) else [value]
        return tuple(
            str(each) if isinstance(each, int | float) and not isinstance(each, bool) else each for each in given
        )


class Recipe(_Table):
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
