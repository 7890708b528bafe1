"""What a signature tells: whether a function takes pairs or lists, and whether it reads context and condition."""

from __future__ import annotations

import collections.abc
import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, get_origin

import numpy as np
import polars as pl

from similitude.errors import ArgumentError

__all__ = ["NO_SIGNATURE", "FunctionSignature", "Takes", "signature_of"]

Takes = Literal["pairs", "lists"]
"""``pairs``: f(left, right) gives one number; ``lists``: f(lefts, rights) gives one number for each pair."""

_SINGULAR = {"condition": "condition", "conditions": "condition", "context": "context", "contexts": "context"}
_LISTS = (list, tuple, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection, np.ndarray,
          pl.Series)  # fmt: skip


class FunctionSignature(NamedTuple):
    """What a signature tells.

    Attributes:
        takes: None if it does not tell.
        extra: the parameters for condition and context, by the column that they take.
    """

    takes: Takes | None
    extra: Mapping[str, str]


NO_SIGNATURE = FunctionSignature(None, {})
"""That of a function that does not tell."""


def signature_of(function: Callable[..., Any], name: str, *, is_told: bool = False) -> FunctionSignature:
    """Read the signature of a function.

    Args:
        function: any callable.
        name: of the system, for errors.
        is_told: whether the user said how to call it; then a second parameter with a default is no reason for doubt.

    Raises:
        ArgumentError: it cannot be called with two texts.
    """
    if inspect.iscoroutinefunction(function):
        what, remedy = "the function is asynchronous", "wrap it: lambda left, right: asyncio.run(f(left, right))"
        raise ArgumentError(what, where=f"system '{name}'", remedy=remedy)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a function in C that does not tell
        return NO_SIGNATURE
    extra = {_SINGULAR[each.name]: each.name for each in parameters[2:] if each.name in _SINGULAR}
    _refuse_others(parameters, extra, name, is_told=is_told)
    return FunctionSignature(_takes(function, parameters, extra), extra)


def _refuse_others(parameters: list[inspect.Parameter], extra: Mapping[str, str], name: str, *, is_told: bool) -> None:
    """Check that two texts fill the parameters that must be filled.

    Raises:
        ArgumentError: there are too few or too many.
    """
    places = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    many = any(each.kind == each.VAR_POSITIONAL for each in parameters)
    needed = [each.name for each in parameters if each.default is each.empty and each.kind not in (2, 4)]
    filled = {*(each.name for each in places[:2]), *extra.values()}
    lacking = [each for each in needed if each not in filled]
    if lacking:
        raise ArgumentError(
            f"the function needs '{lacking[0]}' beside the two texts",
            where=f"system '{name}'",
            remedy=f"give it a default, bind it with functools.partial(f, {lacking[0]}=...), or call it 'condition' or "
            "'context' if it is one of these",
        )
    needs_one = not is_told and len([each for each in places if each.name in needed]) == 1
    if not many and (len(places) < 2 or needs_one):
        raise ArgumentError(
            f"the function takes {'no' if not needed else 'one'} text, not two",
            where=f"system '{name}'",
            remedy="give f(left, right), or f(lefts, rights); for pairs in one list, "
            "lambda lefts, rights: f(list(zip(lefts, rights))); if it makes vectors, types.SimpleNamespace(encode=f)",
        )


def _takes(function: Callable[..., Any], parameters: list[inspect.Parameter], extra: Mapping[str, str]) -> Takes | None:
    """What annotations and names tell; None if they tell nothing, or two things."""
    hints = _hints(function)
    told = {_by_annotation(hints.get(each.name)) for each in parameters[:2]} | {_by_result(hints.get("return"))}
    told |= {"lists" for name in extra.values() if name.endswith("s")}
    told -= {None}
    return told.pop() if len(told) == 1 else None


def _hints(function: Any) -> dict[str, Any]:
    """The annotations of a function, of a method, or of ``__call__``."""
    plain = getattr(function, "func", function)  # of a partial
    if not inspect.isroutine(plain):
        plain = type(plain).__call__
    try:
        return typing.get_type_hints(plain)
    except Exception:  # a name in an annotation that is not there
        return {}


def _by_annotation(hint: Any) -> Takes | None:
    if hint is str:
        return "pairs"
    return "lists" if _is_list(hint) else None


def _by_result(hint: Any) -> Takes | None:
    if hint in (float, int, bool):
        return "pairs"
    return "lists" if _is_list(hint) and get_origin(hint) is not tuple and hint is not np.ndarray else None


def _is_list(hint: Any) -> bool:
    kind = get_origin(hint) or hint
    return isinstance(kind, type) and any(kind is each for each in _LISTS)
