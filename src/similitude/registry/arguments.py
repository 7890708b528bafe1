"""The arguments of a maker: checked against its annotations, and written as a user would."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

from similitude.errors import ArgumentError
from similitude.registry.spec import Spec, written_value

__all__ = ["bind", "parameters_of"]

PLAIN = (str, int, float, bool, type(None))


def bind(maker: Callable[..., Any], kind: str, spec: Spec, keywords: Mapping[str, Any]) -> inspect.BoundArguments:
    """Arguments by parameter, each checked against its annotation.

    Raises:
        ArgumentError: they do not fit the maker.
    """
    signature = inspect.signature(maker)
    try:
        bound = signature.bind(*spec.arguments, **keywords)
    except TypeError as error:
        raise _misfit(f"cannot make {kind} '{spec}': {error}", maker, spec) from None
    hints = _hints(maker)
    for name, value in bound.arguments.items():
        hint = hints.get(name, Any)
        if signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
            hint = types.GenericAlias(tuple, (hint, ...))
        if not _fits(value, hint):
            try:
                bound.arguments[name] = _validated(value, hint)
            except ValueError as error:
                what = f"cannot make {kind} '{spec}': {name}={written_value(value)} is not valid ({error})"
                raise _misfit(what, maker, spec) from None
    return bound


def _hints(maker: Callable[..., Any]) -> dict[str, Any]:
    """The annotations of a maker's parameters."""
    if not inspect.isclass(maker):
        return typing.get_type_hints(maker)
    try:
        return typing.get_type_hints(maker.__init__)
    except NameError:  # a field that a dataclass inherits is annotated by a name of the other module
        return typing.get_type_hints(maker)


def _fits(value: object, hint: object) -> bool:
    """Whether a value has the plain type that is asked for, so that pydantic, which is slow to import, need not check.

    >>> _fits("a", str), _fits(None, str | None), _fits(1, float), _fits(True, int), _fits("cls", typing.Literal["cls"])
    (True, True, False, False, True)
    """
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, each) for each in typing.get_args(hint))
    if origin is typing.Literal:
        return any(type(value) is type(each) and value == each for each in typing.get_args(hint))
    return hint is Any or (hint in PLAIN and type(value) is hint)


def _validated(value: object, hint: Any) -> Any:
    """The value as the annotation asks for it.

    Raises:
        ValueError: it does not fit.
    """
    from pydantic import ConfigDict, TypeAdapter, ValidationError

    try:
        return TypeAdapter(hint, config=ConfigDict(strict=False)).validate_python(value)
    except ValidationError as error:
        raise ValueError(error.errors()[0]["msg"].lower()) from None


def _misfit(what: str, maker: Callable[..., Any], spec: Spec) -> ArgumentError:
    return ArgumentError(what, remedy=f"arguments of '{spec.name}': {parameters_of(maker) or 'none'}")


def parameters_of(maker: Callable[..., Any]) -> str:
    """The arguments with their defaults, as a user would write them."""
    fields = dataclasses.fields(maker) if dataclasses.is_dataclass(maker) else ()
    hidden = {field.name for field in fields if not field.repr}
    shown = [p for p in inspect.signature(maker).parameters.values() if p.name not in hidden]
    return ", ".join(_parameter(p) for p in shown)


def _parameter(parameter: inspect.Parameter) -> str:
    if parameter.kind is parameter.VAR_POSITIONAL:
        return f"{parameter.name}..."
    if parameter.default is parameter.empty:
        return parameter.name
    return f"{parameter.name}={written_value(parameter.default)}"
