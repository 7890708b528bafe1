"""The template and the texts that lie beside a task's module, under its name."""

from __future__ import annotations

import pkgutil
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import PurePath
from typing import Any

__all__ = ["TaskFiles"]


class TaskFiles:
    """A task whose template and texts lie beside its module: ``NAME.html`` and ``NAME.toml`` beside ``NAME.py``.

    A class without such files uses those of the class that it extends.
    """

    __slots__ = ()

    @property
    def template(self) -> str:
        """The Jinja source.

        Raises:
            FileNotFoundError: there is none.
        """
        found = _nearest(type(self), ".html")
        if found is None:
            raise FileNotFoundError(f"no template beside {type(self).__module__}")
        return found

    @property
    def texts(self) -> Mapping[str, Mapping[str, Any]]:
        """The texts, in a table per language; empty where there is no such file."""
        return _parsed(_nearest(type(self), ".toml") or "")


@cache
def _parsed(text: str) -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(text)


def _nearest(task: type, ending: str) -> str | None:
    found = (_beside(kind.__module__, ending) for kind in task.__mro__ if kind not in (TaskFiles, object))
    return next((text for text in found if text is not None), None)


@cache
def _beside(module: str, ending: str) -> str | None:
    file = PurePath(str(sys.modules[module].__file__)).with_suffix(ending)
    try:
        content = pkgutil.get_data(module, file.name)
    except FileNotFoundError:
        return None
    return None if content is None else content.decode("utf-8")
