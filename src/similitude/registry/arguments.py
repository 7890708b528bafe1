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


def bind(maker: Callable[..., Any], kind: str, spec: Spec, keywords: Mapping[str, Any]) -> inspect.BoundArguments:
    """Arguments by parameter, each checked against its annotation.

    Raises:
        ArgumentError: they do not fit the maker.
    """
    from pydantic import ConfigDict, TypeAdapter, ValidationError

    signature = inspect.signature(maker)
    try:
        bound = signature.bind(*spec.arguments, **keywords)
    except TypeError as error:
        raise _misfit(f"cannot make {kind} '{spec}': {error}", maker, spec) from None
    hints = typing.get_type_hints(maker.__init__ if inspect.isclass(maker) else maker)
    for name, value in bound.arguments.items():
        hint = hints.get(name, Any)
        if signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
            hint = types.GenericAlias(tuple, (hint, ...))
        try:
            adapter: TypeAdapter[Any] = TypeAdapter(hint, config=ConfigDict(strict=False))
            bound.arguments[name] = adapter.validate_python(value)
        except ValidationError as error:
            why = error.errors()[0]["msg"]
            what = f"cannot make {kind} '{spec}': {name}={written_value(value)} is not valid ({why.lower()})"
            raise _misfit(what, maker, spec) from None
    return bound


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
