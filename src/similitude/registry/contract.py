"""Registries of subclasses: what each subclass must have, and where its name comes from."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from similitude.registry.registry import Maker, Registry

__all__ = ["subclass_registry"]

T = TypeVar("T")


def subclass_registry(
    kind: str,
    group: str,
    base: type[T],
    *,
    needed: Mapping[str, str] | None = None,
    methods: Mapping[str, str],
    line: str = "meaning",
) -> Registry[T]:
    """A registry of the subclasses of a class; a class in a file can join too.

    Args:
        kind: what the things are called in messages.
        group: the group of entry points by which other packages join.
        base: what each must be a subclass of.
        needed: attributes that each must have beside its name and its line for listings, with what they mean.
        methods: methods that each must write itself, with what they give.
        line: the attribute that holds the line for listings.
    """
    attributes = {"name": "as it is registered", line: "one line for listings", **(needed or {})}

    def lacks(name: str, maker: Maker) -> Iterator[str]:
        return _lacks_of_subclass(name, maker, base, needed=attributes, methods=methods)

    return Registry(kind, group, contract=lacks, complete=_name_as_registered, files=True)


def _lacks_of_subclass(
    name: str, maker: Maker, base: type, *, needed: Mapping[str, str], methods: Mapping[str, str]
) -> Iterator[str]:
    """What a subclass must have and has not; a function is trusted to make one that has it.

    Args:
        name: as registered.
        maker: a class or a function.
        base: what it must be a subclass of.
        needed: attributes to what they mean.
        methods: methods that it must write itself to what they give.
    """
    kind: Any = maker
    if not inspect.isclass(maker):
        return
    if not issubclass(maker, base):
        yield f"is no subclass of similitude.extend.{base.__name__}"
        return
    yield from (f"has no {part}: {meaning}" for part, meaning in needed.items() if not hasattr(kind, part))
    for method, meaning in methods.items():
        if getattr(kind, method) is getattr(base, method):
            yield f"has no method {method}, {meaning}"
    if getattr(kind, "name", name).lower() != name.lower():
        yield f"calls itself '{kind.name}', by which what is saved could not find it: set name = '{name}'"


def _name_as_registered(name: str, maker: Maker) -> None:
    """A class in a file has the name by which the file is found; one that states no name has the registered one."""
    kind: Any = maker
    if inspect.isclass(maker) and (".py:" in name or not hasattr(kind, "name")):
        kind.name = name
