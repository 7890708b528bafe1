"""Makers from outside Similitude: entry points of other packages, and classes in files of one's own."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from similitude.errors import ExtensionError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

__all__ = [
    "a",
    "entry_points_of",
    "is_in_file",
    "load_entry_point",
    "load_from_file",
    "outside_modules",
    "package_of",
    "place_of",
    "reason_of",
]

_FILE_MODULE = "_similitude_file_"
_IN_FILE = re.compile(r"^(?P<path>.+\.py):(?P<name>\w+)$")


def is_in_file(name: str) -> bool:
    """Whether a name is that of a class in a file.

    >>> is_in_file("my/systems.py:FirstWord"), is_in_file("levenshtein")
    (True, False)
    """
    return _IN_FILE.match(name) is not None


def load_from_file(written: str, kind: str) -> Callable[..., Any]:
    """What ``path/to/file.py:Name`` names. The file is run once for each state that it is in.

    Raises:
        ExtensionError: there is no such file, it cannot be imported, or it does not have that name.
    """
    match = _IN_FILE.match(written)
    assert match is not None
    path, name = Path(match["path"]).expanduser(), match["name"]
    if not path.is_file():
        raise ExtensionError("there is no such file", where=str(path), remedy=f"{a(kind)} in a file is FILE.py:NAME")
    module = _module_of(path)
    there = _public_names(module)
    if name not in there:
        listed = ", ".join(there) or "none"
        has_other = hasattr(module, name) and not name.startswith("_")
        what = f"'{name}' in it is no class and no function" if has_other else f"nothing in it is named '{name}'"
        raise ExtensionError(what, where=str(path), remedy=f"there are: {listed}")
    maker: Callable[..., Any] = getattr(module, name)
    return maker


def entry_points_of(group: str) -> dict[str, list[EntryPoint]]:
    """The entry points of a group by name; more than one where two packages chose the same name."""
    found: dict[str, list[EntryPoint]] = {}
    for point in _all_entry_points(tuple(sys.path)).select(group=group):
        known = found.setdefault(point.name.lower(), [])
        if point.value not in [other.value for other in known]:  # a package may lie on the path twice
            known.append(point)
    return found


@cache
def _all_entry_points(path: tuple[str, ...]) -> EntryPoints:
    """The entry points of all packages; they are read once, not once for each registry.

    Args:
        path: where packages lie.
    """
    from importlib.metadata import entry_points

    return entry_points()  # type: ignore[return-value,unused-ignore]  # what Python 3.11's stubs say


def load_entry_point(point: EntryPoint) -> Callable[..., Any]:
    """What an entry point names.

    Raises:
        ExtensionError: it cannot be imported, is not there, or cannot be called.
    """
    try:
        maker = point.load()
    except Exception as error:
        why = f"entry point '{point.name} = {point.value}' cannot be loaded: {reason_of(error)}"
        raise ExtensionError(why, where=package_of(point), remedy="mend the package, or uninstall it") from error
    if not callable(maker):
        what = f"entry point '{point.name} = {point.value}' is no class or function"
        raise ExtensionError(what, where=package_of(point), remedy="name one in the package's pyproject.toml")
    found: Callable[..., Any] = maker
    return found


def package_of(point: EntryPoint) -> str:
    """The distribution that an entry point belongs to, for messages."""
    return "a package" if point.dist is None else f"package '{point.dist.name}' {point.dist.version}"


def place_of(maker: Callable[..., Any]) -> str:
    """Where a maker was written, for messages.

    >>> place_of(place_of)
    'similitude.registry.outside:place_of'
    """
    return f"{getattr(maker, '__module__', '?')}:{getattr(maker, '__qualname__', repr(maker))}"


def outside_modules() -> list[ModuleType]:
    """The modules that were read from files; no other process can import them by name."""
    return [module for name, module in list(sys.modules.items()) if name.startswith(_FILE_MODULE)]


def _module_of(path: Path) -> ModuleType:
    """The file as a module; its name holds a hash of its content, so that a file that changed is read again."""
    content = path.read_bytes()
    digest = hashlib.sha256(str(path.resolve()).encode() + b"\0" + content).hexdigest()[:12]
    name = f"{_FILE_MODULE}{path.stem}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up there
    try:
        exec(compile(content, str(path.resolve()), "exec"), module.__dict__)  # the very bytes that were hashed
    except Exception as error:
        del sys.modules[name]
        raise ExtensionError(
            f"cannot be imported: {reason_of(error)}", where=_line(path, error), remedy="mend the file"
        ) from error
    return module


def a(kind: str) -> str:
    """A kind of thing with its article.

    >>> a("measure"), a("aggregation")
    ('a measure', 'an aggregation')
    """
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _public_names(module: ModuleType) -> list[str]:
    """The classes and functions that a file defines."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and callable(value) and getattr(value, "__module__", "") == module.__name__
    ]


def reason_of(error: Exception) -> str:
    """The kind of an error and the first line of its message."""
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no message'}"


def _line(path: Path, error: Exception) -> str:
    """File and line at which an import failed."""
    if isinstance(error, SyntaxError) and error.lineno is not None and error.filename == str(path.resolve()):
        return f"{path}, line {error.lineno}"
    steps = [step.lineno for step in traceback.extract_tb(error.__traceback__) if step.filename == str(path.resolve())]
    return f"{path}, line {steps[-1]}" if steps else str(path)
