"""What a function or class computes, as far as Python shows it: code, defaults, closure, and the globals that it names.

Code of the standard library and of installed packages is known by its name and version; code of anybody's own by its
instructions, wherever it was typed. Each function here yields parts; the caller digests every part in turn.
"""

from __future__ import annotations

import builtins
import dis
import sys
from collections.abc import Iterator
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import CodeType, FunctionType, ModuleType
from typing import Any

__all__ = ["UnknownStateError", "class_parts", "function_parts", "library_of", "module_parts"]

_CHANGING = frozenset(
    ("open", "input", "exec", "eval", "globals", "locals", "vars", "import_module", "environ", "getenv", "urlopen",
     "read_text", "read_bytes", "load", "rand", "randn", "randint", "random", "uniform", "normal", "shuffle", "now",
     "default_rng", "time", "today", "perf_counter", "monotonic", "uuid4", "system", "popen", "Popen", "connect",
     "request", "execute")
)  # fmt: skip
"""Names in code that may read what changes from call to call: files, the network, the clock, random numbers."""

_IMPURE_MODULES = frozenset(
    ("random", "time", "os", "io", "socket", "subprocess", "urllib", "http", "requests", "httpx", "openai", "anthropic",
     "aiohttp", "secrets", "uuid", "sqlite3", "multiprocessing", "threading", "asyncio")
)  # fmt: skip
_SITE = ("site-packages", "dist-packages")
_SKIPPED = frozenset(
    ["__dict__", "__weakref__", "__module__", "__doc__", "__firstlineno__", "__static_attributes__", "__slotnames__"]
)


class UnknownStateError(Exception):
    """What a value computes with cannot be known; the message says why, in words for the user."""


def function_parts(function: FunctionType) -> Iterator[Any]:
    """What a function computes: its code, or the library it is from; its defaults and closure; the globals it names.

    Raises:
        UnknownStateError: it may read what changes.
    """
    yield "function"
    yield (function.__defaults__, function.__kwdefaults__)
    for cell in function.__closure__ or ():
        yield from _cell(cell)
    library = library_of(str(function.__globals__.get("__name__")))
    if library is not None:
        yield (library, function.__code__.co_qualname)
        return
    yield vars(function)
    yield from _instructions(function.__code__)
    names = _names(function.__code__)
    _refuse_changing(names, function.__qualname__)
    yield from _globals(function, names)
    for name in _imported(function.__code__):
        yield from module_parts(_import(name), names)


def class_parts(kind: type) -> Iterator[Any]:
    """What a class computes: its methods and attributes and those of its bases, or the library that it is from."""
    yield f"class {kind.__qualname__}"
    for each in kind.__mro__[:-1]:
        library = library_of(each.__module__)
        if library is not None:
            yield (library, each.__qualname__)
            continue
        for name in sorted(vars(each).keys() - _SKIPPED):
            yield name
            yield _unwrapped(vars(each)[name])


def module_parts(module: ModuleType, names: frozenset[str], above: tuple[ModuleType, ...] = ()) -> Iterator[Any]:
    """A module: the library that it is of, or else the values of those names that it has, and its modules likewise.

    Raises:
        UnknownStateError: it reads files, the network, the clock or random numbers.
    """
    yield f"module {module.__name__}"
    if module.__name__.partition(".")[0] in _IMPURE_MODULES:
        raise UnknownStateError(f"it uses the module '{module.__name__}'")
    library = library_of(module.__name__)
    if library is not None:
        yield library
        return
    for name in sorted(names & vars(module).keys()):
        yield name
        value = vars(module)[name]
        if not isinstance(value, ModuleType):
            yield value
        elif value not in (*above, module):
            yield from module_parts(value, names, (*above, module))


@cache
def library_of(module: str) -> str | None:
    """The library that a module belongs to, with its version; None for anybody's own code.

    >>> library_of("json.decoder").startswith("python"), library_of("__main__")
    (True, None)
    """
    top = module.partition(".")[0]
    if top == "__main__":  # its file may be a launcher of a library, as in notebooks
        return None
    if top in sys.stdlib_module_names:
        return f"python {sys.version_info[:3]} {module}"
    known = sys.modules.get(top)
    file = str(getattr(known, "__file__", None) or "")
    if known is None or not (any(part in file for part in _SITE) or top == "similitude"):
        return None
    declared = getattr(known, "__version__", None)
    return f"{module} {declared if isinstance(declared, str) else _installed(top)}"


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "of unknown version"


def _cell(cell: Any) -> Iterator[Any]:
    try:
        yield cell.cell_contents
    except ValueError:
        yield "empty cell"


def _instructions(code: CodeType) -> Iterator[Any]:
    """The instructions and constants of code and of the code inside it, without file and lines."""
    yield (sys.version_info[:2], code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_flags)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _instructions(constant)
        else:
            yield constant


def _names(code: CodeType) -> frozenset[str]:
    """All names of globals, attributes and imports in code and in the code inside it."""
    inner = [_names(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return frozenset(code.co_names).union(*inner)


def _refuse_changing(names: frozenset[str], function: str) -> None:
    found = sorted(names & _CHANGING)
    if found:
        raise UnknownStateError(f"{function} may read what changes ('{found[0]}')")


def _globals(function: FunctionType, names: frozenset[str]) -> Iterator[Any]:
    """The globals that a function names; of a module among them, the attributes that it names."""
    there = function.__globals__
    for name in sorted(names & there.keys()):
        yield name
        value = there[name]
        if isinstance(value, ModuleType):
            yield from module_parts(value, names)
        else:
            yield value
    yield sorted(name for name in names if name not in there and not hasattr(builtins, name))


def _imported(code: CodeType) -> Iterator[str]:
    """The modules that code imports when it runs."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    for each in dis.get_instructions(code):
        if each.opname == "IMPORT_NAME":
            yield str(each.argval)
    for constant in inner:
        yield from _imported(constant)


def _import(name: str) -> ModuleType:
    """The module that the function would import.

    Raises:
        UnknownStateError: there is none.
    """
    try:
        return import_module(name)
    except Exception:
        raise UnknownStateError(f"it imports '{name}', which cannot be imported from here") from None


def _unwrapped(member: Any) -> Any:
    """The functions of a property, a static or a class method."""
    if isinstance(member, property):
        return (member.fget, member.fset)
    if isinstance(member, cached_property):
        return member.func
    return getattr(member, "__func__", member) if isinstance(member, staticmethod | classmethod) else member
