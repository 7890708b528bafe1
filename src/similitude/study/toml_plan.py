"""A plan in a TOML file: read, checked, and every mistake told in one line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from similitude.data.addresses import SAMPLE_PREFIX
from similitude.errors import InputError

__all__ = ["beside", "model_beside", "read_toml_plan"]

Plan = TypeVar("Plan", bound=BaseModel)


def read_toml_plan(kind: type[Plan], file: Path) -> Plan:
    """What a file says, its name the plan's name where it says no other.

    Raises:
        InputError: there is no such file, it is no TOML, or a key is unknown, missing or wrong.
    """
    try:
        written = tomllib.loads(file.read_text(encoding="utf-8"))
        return kind.model_validate({"name": file.stem, **written})
    except FileNotFoundError:
        raise InputError("there is no such file", where=str(file), remedy="name a plan in TOML") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is no TOML: {error}", where=str(file), remedy="mend that line") from None
    except ValidationError as error:
        first: Any = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        known = ", ".join(kind.model_fields)
        raise InputError(f"'{key}': {first['msg']}", where=str(file), remedy=f"known keys: {known}") from None


def beside(file: Path, written: str) -> str:
    """A path relative to the plan's file; names of the sample and of the hub stay what they are."""
    if written.startswith((SAMPLE_PREFIX, "hf:")) or Path(written).is_absolute():
        return written
    return str(file.parent / written)


def model_beside(file: Path, written: str) -> str:
    """A folder beside the plan's file, if there is one; else the name as it is."""
    return str(file.parent / written) if (file.parent / written).is_dir() else written
