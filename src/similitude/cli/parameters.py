"""How options are declared: groups of the help, dataclasses whose fields are options, and usual kinds of values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, TypeVar, get_type_hints

from cyclopts import Group, Parameter
from cyclopts.validators import Number

from similitude.paths import refuse_missing

__all__ = [
    "COMMON",
    "CONFIDENCE",
    "FIGURES",
    "INPUT",
    "MODEL",
    "OUTPUT",
    "TARGETS",
    "TRAINING",
    "data",
    "file",
    "flat",
    "number",
    "page",
    "resolved",
    "systems",
]

Options = TypeVar("Options")

COMMON: Final = Group("Common", sort_key=1)
MODEL: Final = Group("Model", sort_key=2)
TRAINING: Final = Group("Training", sort_key=3)
FIGURES: Final = Group("Figures", sort_key=3)
TARGETS: Final = Group("Targets", sort_key=4)
CONFIDENCE: Final = Group("Confidence", sort_key=5)
INPUT: Final = Group("Input", sort_key=6)
OUTPUT: Final = Group("Output", sort_key=7)


def flat(group: Group, *, without: Sequence[str] = (), prefix: str = "", **names: str) -> Parameter:
    """Let the fields of a dataclass be options of the command.

    Args:
        group: their group in the help.
        without: fields that are not options.
        prefix: what stands before the names of all options.
        **names: names of options that differ from the name of their field.
    """
    fields = re.compile(rf"^(?!(?:{'|'.join(without) or '-'})$)")
    return Parameter(
        name="*", group=group, parse=fields, name_transform=lambda field: prefix + _written(names.get(field, field))
    )


def resolved(cls: type[Options]) -> type[Options]:
    """Let cyclopts build a dataclass that inherits fields from another module.

    cyclopts reads the annotations of ``__init__``, which are text, and looks up their names in the module of the class.
    The names of inherited annotations are not known there.
    """
    cls.__init__.__annotations__ = {**get_type_hints(cls, include_extras=True), "return": None}
    return cls


def _written(name: str) -> str:
    return name.strip("_").replace("_", "-")


def number(help: str, *, least: float | None = None, most: float | None = None, **others: Any) -> Parameter:
    """An option that takes a number from ``least`` to ``most``."""
    return Parameter(help=help, validator=Number(gte=least, lte=most), **others)


def file(help: str, metavar: str = "FILE", **others: Any) -> Parameter:
    """An option that takes a file."""
    return Parameter(help=help, metavar=metavar, **others)


def page(help: str) -> Parameter:
    """An option that takes the page to write."""
    return file(help, "FILE.html", group=OUTPUT)


def data(help: str, metavar: str = "DATA...") -> Parameter:
    """The argument that takes data; a file that does not exist is refused before anything that computes is imported."""
    return Parameter(metavar=metavar, help=help, validator=_existing)


def _existing(kind: type, value: str | Sequence[str]) -> None:
    named = [value] if isinstance(value, str) else value
    refuse_missing(name for name in named if not name.endswith(".toml"))  # a plan or a suite has errors of its own


def systems(help: str) -> Parameter:
    """The option that takes systems."""
    return Parameter(name=["--system", "-s"], metavar="SYSTEM", help=help)
