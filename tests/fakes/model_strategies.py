"""Hypothesis strategies for pydantic models, made from their fields: a new section of a plan is covered by itself."""

from __future__ import annotations

import types
from decimal import Decimal
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from hypothesis import assume
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
PLAIN = st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False) | TEXTS


def models(kind: type[BaseModel], **instead: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Models of a kind, each field given or left out; ``instead`` replaces the strategies of some fields."""
    named = {field.alias or name: (name, field) for name, field in kind.model_fields.items()}
    parts = {key: instead[name] if name in instead else _field(field) for key, (name, field) in named.items()}
    needed = {key: parts[key] for key, (_, field) in named.items() if field.is_required()}
    others = {key: parts[key] for key in parts if key not in needed}
    return st.fixed_dictionaries(needed, optional=others).map(lambda fields: _made(kind, fields))


def _made(kind: type[BaseModel], fields: dict[str, Any]) -> BaseModel:
    try:
        return kind.model_validate(fields)
    except ValidationError:
        assume(False)
        raise


def _field(field: FieldInfo) -> st.SearchStrategy[Any]:
    return _values(field.annotation, field.metadata)


def _values(annotation: Any, limits: list[Any]) -> st.SearchStrategy[Any]:
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _values(inside[0], [*limits, *_flat(inside[1:])])
    if origin in (Union, types.UnionType):
        return st.one_of([_values(each, limits) for each in inside])
    if origin is Literal:
        return st.sampled_from(inside)
    if origin is tuple:
        most = _limit(limits, "min_length", 0)
        return st.lists(_values(inside[0], []), min_size=most, max_size=3).map(tuple)
    if origin is dict:
        return st.dictionaries(_values(inside[0], []), _values(inside[1], []), max_size=4)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return models(annotation)
    return _scalars(annotation, limits)


def _scalars(kind: Any, limits: list[Any]) -> st.SearchStrategy[Any]:
    low, high = _limit(limits, "ge", _limit(limits, "gt", None)), _limit(limits, "le", _limit(limits, "lt", None))
    if kind is type(None):
        return st.none()
    if kind is bool:
        return st.booleans()
    if kind is int:
        return st.integers(low, high)
    if kind is float:
        return st.floats(-1e9 if low is None else low, 1e9 if high is None else high)
    if kind is Decimal:
        return st.decimals(0 if low is None else low, 10_000, places=2)
    if kind is str:
        return _texts(limits)
    return PLAIN | st.lists(PLAIN, max_size=3)


def _texts(limits: list[Any]) -> st.SearchStrategy[str]:
    pattern = _limit(limits, "pattern", None)
    if pattern is not None:
        return st.from_regex(pattern, fullmatch=True).filter(lambda text: "\n" not in text)
    return TEXTS.filter(lambda text: len(text) >= _limit(limits, "min_length", 0))


def _limit(limits: list[Any], name: str, default: Any) -> Any:
    return next((value for each in limits if (value := getattr(each, name, None)) is not None), default)


def _flat(parts: tuple[Any, ...]) -> list[Any]:
    return [each for part in parts for each in (part.metadata if isinstance(part, FieldInfo) else [part])]
