"""The registry of systems: a name such as ``char-ngram-cosine(n=3)`` to the system that it names."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from similitude.data.protocols import System
from similitude.errors import ArgumentError, ExtensionError, UnknownNameError
from similitude.registry import Registry, Spec, parse
from similitude.registry.outside import is_in_file
from similitude.systems.own import adopted, complete_system, lacks_of_system

__all__ = ["DEFAULT_SYSTEM", "OBJECT", "SYSTEMS", "make_system"]

ROOMS = ("encoders", "strings", "prompted", "conditional", "uncertain", "pool")
"""The packages of our systems, those that are asked for most first."""

SYSTEMS: Registry[System] = Registry(
    "system",
    "similitude.systems",
    contract=lacks_of_system,
    complete=complete_system,
    files=True,
    rooms=[f"similitude.systems.{room}" for room in ROOMS],
)

DEFAULT_SYSTEM = "use-multilingual"
"""What is meant wherever a system is needed and none is named: works offline, in 16 languages, without torch."""


OBJECT = "object"
"""The name of systems that are objects in Python: ``object(mine)``. They cannot be made from their name."""


def make_system(written: str | Spec | Any = DEFAULT_SYSTEM) -> System:
    """The system that ``written`` names, or that an object is.

    Args:
        written: a registered name with arguments; a class, or a function that makes a system, in a file,
            ``path/to/file.py:MySystem(n=3)``; a function of two texts in a file, ``path/to/file.py:overlap``; or an
            object: see `similitude.systems.objects`.

    Raises:
        UnknownNameError: nothing has that name.
        ArgumentError: the arguments do not fit.
        ExtensionError: a system of another package, of a file or of one's own lacks something.

    >>> make_system("levenshtein").identity
    Spec(name='levenshtein', at=None, arguments=(), keywords={})
    """
    if not isinstance(written, str | Spec):
        return _of_object(written)
    spec = parse(written) if isinstance(written, str) else written
    if spec.name == OBJECT:
        name = ", ".join(map(str, spec.arguments))
        what = f"system '{name}' was an object in Python, which its name alone does not bring back"
        raise ArgumentError(what, remedy=f'give the object again, as in sim.run(data, {{"{name}": ...}})')
    if is_in_file(spec.name) and _scores_two_texts(SYSTEMS.maker(spec.name), spec):
        function: System = import_module("similitude.systems.objects.file_function").file_function(
            SYSTEMS.maker(spec.name), spec.name
        )
        return function
    try:
        made = adopted(SYSTEMS.make(spec), name=spec.name)
    except UnknownNameError as error:
        if error.name == spec.name and ("/" in spec.name or "did you mean" not in error.remedy):
            error.remedy = f"if it is a model of the hub or in a folder: encoder({spec.name}); {error.remedy}"
        raise
    if not type(made).__module__.startswith("similitude."):
        _check_name(made, spec)
    return made


def _scores_two_texts(maker: Any, spec: Spec) -> bool:
    """Whether a function in a file is itself the system: it needs two arguments, and gets none here."""
    if not inspect.isfunction(maker) or spec.arguments or spec.keywords:
        return False
    needed = [each for each in inspect.signature(maker).parameters.values() if each.default is each.empty]
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in places for each in needed) >= 2


def _of_object(thing: Any) -> System:
    if hasattr(thing, "inner_system"):
        found: System = thing.inner_system
        return found
    if type(thing).__module__.startswith("similitude.") and hasattr(thing, "score"):
        return adopted(thing)
    # The room of objects lies above this module, so it is imported by name, when it is asked for.
    made: System = import_module("similitude.systems.objects").system(thing).inner_system
    return made


def _check_name(made: System, spec: Spec) -> None:
    """A system from outside must say under which name it can be made again.

    Raises:
        ExtensionError: its identity names nothing, or something else.
    """
    name = getattr(made.identity, "name", None)  # a class that only inherits from the protocol has no identity
    try:
        is_same = name is not None and SYSTEMS.maker(name) is SYSTEMS.maker(spec.name)
    except UnknownNameError:
        is_same = False
    if not is_same:
        raise ExtensionError(
            f"system '{spec.name}' calls itself '{name}', by which its run could not be rebuilt",
            where=f"{type(made).__module__}:{type(made).__qualname__}",
            remedy=f"set name = '{spec.name}', or leave 'name' and 'identity' out",
        )
