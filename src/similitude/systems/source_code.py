"""The state of a system's code, so that a run is never answered by what older code said."""

from __future__ import annotations

import hashlib
import inspect
import sys
import uuid
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["code_of"]

_OURS = ("similitude.", "builtins", "typing", "abc")
_Hashes = dict[Path, bytes]

_seen: weakref.WeakKeyDictionary[ModuleType, tuple[Any, _Hashes]] = weakref.WeakKeyDictionary()
"""For each module and for its last import, the hashes of its files as they were when it was first seen."""

_unknown: weakref.WeakKeyDictionary[type, str] = weakref.WeakKeyDictionary()
"""A text of its own for each class whose source is nowhere, such as one that was typed at a prompt."""


def code_of(system: Any) -> str | None:
    """What changes when the code of a system does; None for one of Similitude's own.

    A system that declares ``version`` vouches for it: its code may change as long as the version stays. Otherwise it is
    a hash of the source: of every file of the package that its class is in, or of the file alone and of those beside
    it that it imports. Where no source can be found, it holds for this class in this process alone. A file counts as it
    was when it was first seen here, since Python does not run what is written into it later.
    """
    kind = type(system)
    if kind.__module__.startswith(_OURS):
        return None
    declared = getattr(system, "version", None)
    if isinstance(declared, str):
        return f"version {declared}"
    sources = {file: content for each in kind.__mro__ for file, content in _files_of(each, kind)}
    if not sources:
        return f"source {_written(kind)}"
    digest = hashlib.sha256()
    for file in sorted(sources, key=str):
        digest.update(file.name.encode() + b"\0" + sources[file])
    return f"source {digest.hexdigest()[:16]}"


def _hashes(module: ModuleType, files: Iterator[Path]) -> _Hashes:
    """The hashes of the files of a module or package; anew only after it was imported again."""
    imported = getattr(module, "__spec__", None)
    if module not in _seen or _seen[module][0] is not imported:
        _seen[module] = (imported, {file: hashlib.sha256(file.read_bytes()).digest() for file in files})
    return _seen[module][1]


def _files_of(each: type, kind: type) -> Iterator[tuple[Path, bytes]]:
    """The files in which a class, a base of ``kind``, is written: the whole package where it is that of ``kind``."""
    module = sys.modules.get(each.__module__)
    file = getattr(module, "__file__", None)
    if (
        module is None
        or file is None
        or not Path(file).is_file()  # <stdin>, or a script that was deleted since
        or each.__module__.startswith(_OURS)
        or each.__module__ in sys.stdlib_module_names
    ):
        return
    package = each.__module__.partition(".")[0]
    if package == kind.__module__.partition(".")[0] and hasattr(sys.modules.get(package), "__path__"):
        whole = sys.modules[package]
        yield from _hashes(whole, (path for root in whole.__path__ for path in Path(root).rglob("*.py"))).items()
    else:
        yield from _with_neighbours(module, {})


def _with_neighbours(module: ModuleType, seen: dict[str, Path]) -> Iterator[tuple[Path, bytes]]:
    """The file of a module, and those in its folder that it imports, and so on."""
    file = Path(str(module.__file__))
    seen[module.__name__] = file
    yield from _hashes(module, iter([file])).items()
    for value in list(vars(module).values()):
        name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        other = sys.modules.get(name) if isinstance(name, str) and name not in seen else None
        beside = getattr(other, "__file__", None)
        if other is not None and beside is not None and Path(beside).parent == file.parent and Path(beside).is_file():
            yield from _with_neighbours(other, seen)


def _written(kind: type) -> str:
    """A hash of the class as it was typed in, in a notebook for one; where even that is unknown, one of its own."""
    if kind in _unknown:
        return _unknown[kind]
    try:
        return hashlib.sha256(inspect.getsource(kind).encode()).hexdigest()[:16]
    except (OSError, TypeError):
        return _unknown.setdefault(kind, uuid.uuid4().hex[:16])
