"""The tables of a recipe, such as ``[container]`` and ``[[beside]]``."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

__all__ = [
    "Beside",
    "Codes",
    "Container",
    "Documents",
    "Files",
    "Name",
    "RatingColumns",
    "RecipeTable",
    "Recognised",
    "SplitCell",
    "Turns",
]

Name = Annotated[str, StringConstraints(min_length=1)]


class RecipeTable(BaseModel):
    """A table of keys, none of which may be unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Recognised(RecipeTable):
    """How files are recognised without ``--format``. Every key that is given must fit; none given: never."""

    columns: tuple[Name, ...] = Field(default=(), description="names that the header must have, all of them")
    files: tuple[Name, ...] = Field(
        default=(), description="patterns of the path, such as `cnsd-sts-*.txt`; one must fit"
    )
    folders: tuple[Name, ...] = Field(default=(), description="patterns of files that a folder must hold; one must fit")
    hub: tuple[Name, ...] = Field(
        default=(), description="names of datasets on the Hugging Face hub, such as `mteb/sts12-sts`"
    )


class Files(RecipeTable):
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


class Container(RecipeTable):
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


class SplitCell(RecipeTable):
    """One cell that holds several values."""

    column: Name = Field(description="the column that is split")
    by: tuple[Name, ...] = Field(description="the separators; the first that occurs in a cell splits it")
    into: tuple[Name, ...] = Field(min_length=2, description="the columns that result, such as `left` and `right`")

    @field_validator("by", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


class Turns(RecipeTable):
    """A dialogue in one cell: all turns become the context, the last one becomes left."""

    column: Name = Field(description="the column that holds the dialogue")
    by: Name = Field(description="the separator between turns")


class Beside(RecipeTable):
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


class Documents(RecipeTable):
    """Texts in files of their own, each named after the id of its text."""

    files: Name = Field(description="the pattern of these files, from the folder of the table: `articles/**/*.json`")
    keys: tuple[Name, ...] = Field(description="the keys of the texts in such a file; joined by a line break")
    left: Name = Field(description="the column with the id of the first text")
    right: Name = Field(description="the column with the id of the second text")


class RatingColumns(RecipeTable):
    """Columns that each hold one person's ratings."""

    columns: tuple[Name, ...] = Field(min_length=1, description="the columns; their names become the raters")
    mean: bool = Field(default=True, description="whether the mean of the ratings is the gold score, if no column is")


class Codes(RecipeTable):
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
