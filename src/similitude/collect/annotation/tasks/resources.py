"""The template and the texts that lie beside a task's module, under its name."""

from __future__ import annotations

import pkgutil
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import PurePath
from typing import Any

__all__ = ["template_beside", "texts_beside"]


def template_beside(task: object) -> str:
    """The Jinja source in ``NAME.html`` beside the module ``NAME.py`` that defines a task.

    A class without such a file uses that of the class that it extends.

    Raises:
        FileNotFoundError: there is none.
    """
    found = _nearest(task, ".html")
    if found is None:
        raise FileNotFoundError(f"no template beside {type(task).__module__}")
    return found


def texts_beside(task: object) -> Mapping[str, Mapping[str, Any]]:
    """The texts in ``NAME.toml``, which has a table per language; empty where there is no such file."""
    return _parsed(_nearest(task, ".toml") or "")


@cache
def _parsed(text: str) -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(text)


def _nearest(task: object, ending: str) -> str | None:
    found = (_beside(kind.__module__, ending) for kind in type(task).__mro__ if kind is not object)
    return next((text for text in found if text is not None), None)


@cache
def _beside(module: str, ending: str) -> str | None:
    file = PurePath(str(sys.modules[module].__file__)).with_suffix(ending)
    try:
        content = pkgutil.get_data(module, file.name)
    except FileNotFoundError:
        return None
    return None if content is None else content.decode("utf-8")
