"""TOML files checked against a pydantic model; every error names file, line, key, value and remedy."""

from __future__ import annotations

import difflib
import re
import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from similitude.data.reading.files import existing
from similitude.data.reading.toml_lines import line_of
from similitude.errors import InputError

__all__ = ["TomlFile", "read_toml"]

WIDTH = 60
"""Characters of a value that a message quotes."""

LIST, TABLE = "input should be a list in brackets", "input should be a table, as in {name = value}"
KINDS = {
    "dataclass_type": TABLE,
    "dict_type": TABLE,
    "list_type": LIST,
    "model_attributes_type": TABLE,
    "model_type": TABLE,
    "tuple_type": LIST,
}
"""What TOML calls the types of Python, by the type of pydantic's error."""

Model = TypeVar("Model", bound=BaseModel)
Key = Sequence[str | int]
"""The way to a value: ``("batch", "minutes")``, ``("models", 1, "name")``."""


def read_toml(kind: type[Model], path: str | Path, **defaults: Any) -> Model:
    """Read a TOML file into a model.

    Args:
        kind: the model.
        path: the file.
        defaults: values of keys that the file leaves out.

    Raises:
        InputError: the file cannot be read, is not TOML, or a key is unknown, missing or has a wrong value.
    """
    return TomlFile.read(path).validated(kind, **defaults)


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlFile:
    """A TOML file that has been parsed but not checked.

    Attributes:
        path: the file.
        text: its text, in which lines are looked up.
        values: the parsed keys and tables.
    """

    path: Path
    text: str
    values: Mapping[str, Any]

    @classmethod
    def read(cls, path: str | Path) -> TomlFile:
        """Parse a file.

        Raises:
            InputError: the file cannot be read, is not UTF-8, or is not TOML.
        """
        file = existing(Path(path))
        text = _text(file)
        try:
            return cls(path=file, text=text, values=tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            where = f"{file.name}, line {line[1] if line else len(text.splitlines())}"
            what = f"not valid TOML: {str(error).split(' (at')[0].lower()}"
            raise InputError(what, where=where, remedy="correct this line") from None

    def where(self, key: Key) -> str:
        """File and line of a key, as messages give them."""
        return f"{self.path.name}, line {line_of(self.text, key)}"

    def validated(self, kind: type[Model], **defaults: Any) -> Model:
        """The file as a model.

        Args:
            kind: the model.
            defaults: values of keys that the file leaves out.

        Raises:
            InputError: a key is unknown, missing or has a wrong value; the message names the first such key.
        """
        try:
            return kind.model_validate({**defaults, **self.values})
        except ValidationError as error:
            raise self._first_error(error, kind) from None

    def _first_error(self, error: ValidationError, kind: type[BaseModel]) -> InputError:
        first: Any = error.errors()[0]
        tables, loc = _tables_and_key(kind, first["loc"])
        key = _written_key(loc, self.values, is_missing=first["type"] == "missing")
        if first["type"] in ("union_tag_invalid", "union_tag_not_found"):
            return self._tag_error(key, first["ctx"])
        name, where = ".".join(map(str, key)), self.where(key)
        known = [field.alias or name for name, field in tables[0].model_fields.items()]
        if first["type"] == "extra_forbidden":
            near = difflib.get_close_matches(str(key[-1]), known, n=1)
            hint = f"did you mean '{near[0]}'? " if near else ""
            return InputError(f"'{name}' is not a known key", where=where, remedy=f"{hint}known: {', '.join(known)}")
        if first["type"] == "missing":
            return InputError(
                f"'{name}' is missing", where=where, remedy=f"add {name} = ...; known: {', '.join(known)}"
            )
        reason = KINDS.get(first["type"], first["msg"].removeprefix("Value error, "))
        shown = "" if isinstance(first["input"], dict) else f" = {textwrap.shorten(repr(first['input']), WIDTH)}"
        remedy = f"change {key[-1] if key else 'the file'}; known keys: {', '.join(known)}"
        return InputError(f"{name}{shown}: {reason[:1].lower()}{reason[1:]}", where=where, remedy=remedy)

    def _tag_error(self, table: Key, told: Mapping[str, str]) -> InputError:
        """The error of a table whose kind is not known, or not named."""
        key = [*table, told["discriminator"].strip("'")]
        known = [tag.strip("'") for tag in told.get("expected_tags", "").split(", ") if tag]
        name, tag = ".".join(map(str, key)), told.get("tag")
        if tag is None:
            remedy = f"add {key[-1]} = ..."
            return InputError(f"'{name}' is missing", where=self.where(table), remedy=remedy)
        near = difflib.get_close_matches(tag, known, n=1)
        hint = f"did you mean '{near[0]}'? " if near else ""
        return InputError(
            f"{name} = '{tag}' is not known", where=self.where(key), remedy=f"{hint}known: {', '.join(known)}"
        )


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(file), remedy="name a TOML file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 (byte {error.start})", where=file.name, remedy="save it as UTF-8") from None


def _written_key(loc: Key, values: Any, *, is_missing: bool) -> list[str | int]:
    """The parts of pydantic's location that stand in the file; it also names branches of unions, which do not.

    A branch may have the name of a key, so both readings are tried: the one that leads to the end is right.
    """
    if not loc:
        return []
    part, *rest = loc
    is_there = part in values if isinstance(values, Mapping) else _is_index(part, values)
    skipped = _written_key(rest, values, is_missing=is_missing)
    if not is_there:
        return [part] if is_missing and not rest else skipped
    taken = [part, *_written_key(rest, values[part], is_missing=is_missing)]
    leads_to_end = bool(rest) and skipped[-1:] == [rest[-1]] and taken[-1:] != [rest[-1]]
    return skipped if leads_to_end else taken


def _is_index(part: str | int, values: Any) -> bool:
    return isinstance(part, int) and isinstance(values, list) and part < len(values)


def _tables_and_key(kind: type[BaseModel], loc: Key) -> tuple[list[type[BaseModel]], list[str | int]]:
    """The models of the table that holds the key at a location, and the location without the tags of unions."""
    kinds, key = [kind], []
    for place, part in enumerate(loc):
        tagged = [one for one in kinds if part in _tags(one)] if len(kinds) > 1 else []
        if tagged:
            kinds = tagged
            continue
        key.append(part)
        field = next((one.model_fields[part] for one in kinds if part in one.model_fields), None)
        if field is not None and place < len(loc) - 1:
            kinds = list(_models(field.annotation)) or kinds
    return kinds, key


def _tags(kind: type[BaseModel]) -> set[Any]:
    """The values of its keys that can have one value only, by which it is told from others."""
    values = [
        get_args(field.annotation) for field in kind.model_fields.values() if get_origin(field.annotation) is Literal
    ]
    return {one for several in values if len(several) == 1 for one in several}


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models in a type such as ``tuple[Model, ...] | None``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)
