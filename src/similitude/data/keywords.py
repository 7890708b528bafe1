"""Keyword arguments that are handed on to another function: which are known, and which were given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from similitude.errors import ArgumentError
from similitude.python_words import check_known

__all__ = ["as_names", "as_path", "check_keywords", "keywords_given", "keywords_of", "record_of"]

Record = TypeVar("Record")


def record_of(kind: type[Record], given: Any, name: str) -> Record:
    """A record of options: as it is, made of a mapping, or the usual one for None.

    Args:
        kind: the class, a dataclass with defaults.
        given: what the user gave.
        name: of the argument.

    Raises:
        ArgumentError: it is something else, or a key is not known.
    """
    if given is None or isinstance(given, kind):
        return kind() if given is None else given
    if not isinstance(given, Mapping):
        what = f"{name} is {given!r:.60}, not options by name"
        raise ArgumentError(what, remedy=f"give a dict with some of {', '.join(keywords_of(kind))}")
    check_keywords(kind, given, name)
    return kind(**given)


def as_names(name: str, given: Any) -> tuple[str, ...]:
    """An argument that takes names: one of them, or several; None for none.

    >>> as_names("by", "language"), as_names("by", ["language", "turns"]), as_names("by", None)
    (('language',), ('language', 'turns'), ())

    Raises:
        ArgumentError: it is something else.
    """
    if given is None or isinstance(given, str):
        return () if given is None else (given,)
    names = tuple(given) if isinstance(given, Iterable) else (given,)
    odd = next((each for each in names if not isinstance(each, str)), None)
    if odd is not None:
        raise ArgumentError(f"{name} holds {odd!r:.60}, which is no name", remedy=f'give names, as in {name}=["..."]')
    return names


def as_path(name: str, given: Any) -> Path:
    """An argument that is a path.

    Raises:
        ArgumentError: it is something else.
    """
    if isinstance(given, str | Path) and str(given):
        return Path(given)
    raise ArgumentError(f"{name}={given!r:.60} is no path", remedy=f'give a text or a Path, as in {name}="results"')


def keywords_of(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The keyword arguments of a function, each with its default.

    >>> keywords_of(sorted)
    {'key': None, 'reverse': False}
    """
    parameters = inspect.signature(function).parameters.values()
    return {each.name: each.default for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY}


def keywords_given(function: Callable[..., Any], given: Mapping[str, Any]) -> list[str]:
    """The names of those arguments that differ from their default; an empty one is as good as none.

    >>> keywords_given(sorted, {"key": len, "reverse": False})
    ['key']
    """
    usual = keywords_of(function)
    return [name for name, value in given.items() if not _is_usual(value, usual.get(name))]


def _is_usual(value: Any, usual: Any) -> bool:
    if value is None or (isinstance(value, Collection) and not len(value)):
        return True
    return type(value) is type(usual) and bool(value == usual)


def check_keywords(function: Callable[..., Any], given: Iterable[str], name: str, *, but: Iterable[str] = ()) -> None:
    """Check that a function has these keyword arguments.

    Args:
        function: the function.
        given: the names of the arguments.
        name: of the function, for the message.
        but: arguments that somebody else sets.

    Raises:
        ArgumentError: it has not; the message suggests the nearest name and lists all.
    """
    known = [each for each in keywords_of(function) if each not in set(but)]
    check_known(given, known, name)
