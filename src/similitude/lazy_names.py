"""Names of a package that are imported when they are first used, so that importing the package itself stays cheap."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

__all__ = ["LazyNames", "lazy_names", "refuse_call"]


class LazyNames(NamedTuple):
    """The two functions that Python asks for the names of a module."""

    getattr: Callable[[str], Any]
    dir: Callable[[], list[str]]


def lazy_names(
    module: str,
    homes: Mapping[str, str],
    *,
    then: str = "",
    calls: Mapping[str, str] = MappingProxyType({}),
) -> LazyNames:
    """Functions for ``__getattr__`` and ``__dir__`` of a module that load a name when it is first used.

    Args:
        module: the name of the module.
        homes: where each name lives: ``"package.module:attribute"``, or ``"package.module"`` for a module. A home
            that starts with a dot is relative to ``module``. An attribute may be left out where it has the same name.
        then: where the function lives that each value goes through before it is handed out.
        calls: what to write instead of names that users of other libraries, or of the command line, try.

    >>> load, names = lazy_names("similitude", {"Scale": ".data.scale:"})
    >>> load("Scale").__name__, "Scale" in names()
    ('Scale', True)
    """

    def value_of(name: str) -> Any:
        if name not in homes:
            instead = f"; write {calls[name]}" if name in calls else ""
            raise AttributeError(f"module '{module}' has no attribute '{name}'{instead}")
        value = _at(homes[name], name, module)
        value = _at(then, "", module)(value) if then else value
        setattr(sys.modules[module], name, value)
        return value

    return LazyNames(value_of, lambda: sorted(sys.modules[module].__all__))


def refuse_call(package: str, instead: str) -> None:
    """Let a package that is called like a function say what to write instead.

    Args:
        package: its name.
        instead: the call that is meant.
    """

    class Room(ModuleType):
        def __call__(self, *arguments: Any, **options: Any) -> None:
            raise TypeError(f"{package} is a package, not a function; write {instead}")

    sys.modules[package].__class__ = Room


def _at(home: str, name: str, package: str) -> Any:
    where, colon, attribute = home.partition(":")
    found = import_module(where, package)
    return getattr(found, attribute or name) if colon else found
