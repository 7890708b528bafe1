"""A digest of any Python value that changes whenever what can be computed with it changes.

Plain data, arrays, functions, classes, models and objects of these are followed to their ends. Where something cannot
be looked into (state inside a C extension, files, the network, random numbers), there is no digest but a reason.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import functools
import hashlib
import pathlib
import re
import types
import uuid
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from similitude.systems.object_state.code_digest import (
    UnknownStateError,
    class_parts,
    function_parts,
    library_of,
    module_parts,
)
from similitude.systems.object_state.model_digest import model_parts

__all__ = ["Digest", "digest_of", "is_unknown_state", "unknown_state"]

MOST_VALUES = 200_000
"""A value with more values inside is not followed to its end, since that would take longer than to score."""

_PLAIN = (
    str, bytes, bytearray, int, float, complex, bool, type(None), type(...), range, slice, pathlib.PurePath,
    decimal.Decimal, fractions.Fraction, datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo, uuid.UUID,
    np.dtype, np.generic, types.MemberDescriptorType, types.GetSetDescriptorType,
)  # fmt: skip
_CONTAINERS = (list, tuple, dict, set, frozenset)
_SETS = (set, frozenset)
_FLAT = frozenset((str, bytes, int, float, complex, bool, type(None)))
_POINTER = 8
_UNKNOWN = "unknown "


class Digest(NamedTuple):
    """A digest, or why there is none.

    Attributes:
        value: None if what the object computes with cannot be known.
        unknown_because: in words for the user.
    """

    value: str | None
    unknown_because: str | None = None


def digest_of(value: Any) -> Digest:
    """The digest of a value.

    >>> digest_of([1, 2]).value == digest_of([1, 2]).value, digest_of([1, 2]).value == digest_of([1, 2.0]).value
    (True, False)
    >>> digest_of(iter([1, 2])).unknown_because
    "it holds a 'builtins.list_iterator', which cannot be looked into"
    """
    walk = _Walk()
    try:
        walk.add(value)
    except UnknownStateError as error:
        return Digest(None, str(error))
    except Exception as error:  # of an object that does not let itself be read, or is nested too deeply
        return Digest(None, f"its state cannot be read ({type(error).__name__})")
    return Digest(walk.hash.hexdigest())


def unknown_state() -> str:
    """A fingerprint that equals no other, for what must be computed anew each time."""
    return f"{_UNKNOWN}{uuid.uuid4().hex}"


def is_unknown_state(fingerprint: str | None) -> bool:
    """Whether a fingerprint is one of `unknown_state`."""
    return fingerprint is not None and fingerprint.startswith(_UNKNOWN)


class _Walk:
    """Adds a value and everything in it to one hash; what was seen before is added as its number."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.seen: dict[int, tuple[int, Any]] = {}
        self.count = 0

    def add(self, value: Any) -> None:
        """Add a value.

        Raises:
            UnknownStateError: it holds something that cannot be looked into.
        """
        self.count += 1
        if self.count > MOST_VALUES:
            raise UnknownStateError("it holds too many values to compare")
        if isinstance(value, _PLAIN):
            self._say(f"{type(value).__qualname__} {value!r}")
            return
        if _is_flat(value):
            self._say(f"{type(value).__qualname__} {sorted(map(repr, value)) if isinstance(value, _SETS) else value!r}")
            return
        if id(value) in self.seen:
            self._say(f"again {self.seen[id(value)][0]}")
            return
        self.seen[id(value)] = (len(self.seen), value)  # kept, so that no other value gets its id
        for part in _parts(value):
            if isinstance(part, _Raw):
                self.hash.update(part.content)
            else:
                self.add(part)
        self._say("end")

    def _say(self, text: str) -> None:
        said = text.encode("utf-8", "surrogatepass")
        self.hash.update(b"%d:" % len(said) + said)


def _is_flat(value: Any) -> bool:
    """Whether a value is a plain container of plain values, which are hashed as they are written, all at once."""
    if type(value) not in _CONTAINERS:
        return False
    inside = {*map(type, value), *(map(type, value.values()) if isinstance(value, dict) else ())}
    return inside <= _FLAT


class _Raw(NamedTuple):
    content: Any


def _parts(value: Any) -> Iterator[Any]:
    """The parts of a value that say what can be computed with it."""
    yield type(value).__qualname__
    for kind, parts in _KINDS.items():
        if isinstance(value, kind):
            yield from parts(value)
            return
    model = model_parts(value)
    if isinstance(getattr(value, "__qualname__", None), str) and library_of(str(value.__module__)) is not None:
        yield from (library_of(str(value.__module__)), value.__qualname__)  # a function of another compiler, a ufunc
    elif model is not None:
        yield from (_Raw(part) if isinstance(part, memoryview) else part for part in model)
    else:
        yield from _object_parts(value)


def _container_parts(value: Any) -> Iterator[Any]:
    """The members; those of a set by their text, since a set has no order."""
    if type(value) not in _CONTAINERS:
        yield from class_parts(type(value))
        yield getattr(value, "__dict__", None)
        yield getattr(value, "default_factory", None)
    yield len(value)
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield item
    elif isinstance(value, set | frozenset):
        yield from sorted(value, key=repr)
    else:
        yield from value


def _array_parts(array: np.ndarray[Any, Any]) -> Iterator[Any]:
    yield (array.shape, array.dtype.str)
    if array.dtype.hasobject:
        yield from array.ravel().tolist()
    else:
        yield _Raw(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data if array.size else b"")
    if isinstance(array, np.ma.MaskedArray):
        yield np.ma.getmaskarray(array)


def _partial_parts(value: functools.partial[Any]) -> Iterator[Any]:
    yield from (value.func, value.args, value.keywords, vars(value))


def _method_parts(value: types.MethodType) -> Iterator[Any]:
    yield from (value.__func__, value.__self__)


def _wrapper_parts(value: Any) -> Iterator[Any]:
    yield value.__wrapped__


def _builtin_parts(value: types.BuiltinFunctionType) -> Iterator[Any]:
    """A function in C is known by its name, if its library has a version."""
    owner = value.__self__
    if owner is not None and not isinstance(owner, types.ModuleType | type):
        yield owner
    module = value.__module__ or (owner.__module__ if isinstance(owner, type) else type(owner).__module__)
    library = library_of(module)
    if library is None or module.partition(".")[0] in ("time", "random", "_random", "posix"):
        raise UnknownStateError(f"'{value.__qualname__}' is a function in C")
    yield (library, value.__qualname__)


def _enum_parts(value: enum.Enum) -> Iterator[Any]:
    yield from (f"{type(value).__module__}.{type(value).__qualname__}", value.name, value.value)


def _pattern_parts(value: re.Pattern[Any]) -> Iterator[Any]:
    yield from (value.pattern, value.flags)  # its repr is cut


def _module_parts(value: types.ModuleType) -> Iterator[Any]:
    yield from module_parts(value, frozenset())


def _object_parts(value: Any) -> Iterator[Any]:
    """Class and attributes of an object.

    Raises:
        UnknownStateError: it has state that is not in its attributes.
    """
    kind = type(value)
    slots = [slot for each in kind.__mro__ for slot in _slots(each)]
    links = (kind.__dictoffset__ > 0) + (kind.__weakrefoffset__ > 0)
    if kind.__itemsize__ or kind.__basicsize__ > object.__basicsize__ + _POINTER * (len(slots) + links):
        raise UnknownStateError(f"it holds a '{kind.__module__}.{kind.__qualname__}', which cannot be looked into")
    yield from class_parts(kind)
    yield getattr(value, "__dict__", None)
    for slot in slots:
        yield (slot, hasattr(value, slot))
        yield getattr(value, slot, None)


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    named = (slots,) if isinstance(slots, str) else tuple(slots)
    own = kind.__name__.lstrip("_")
    mangled = [f"_{own}{slot}" if slot.startswith("__") and not slot.endswith("__") else slot for slot in named]
    return tuple(slot for slot in mangled if slot not in ("__dict__", "__weakref__"))


_KINDS: dict[Any, Callable[[Any], Iterator[Any]]] = {
    enum.Enum: _enum_parts,
    _CONTAINERS: _container_parts,
    np.ndarray: _array_parts,
    types.FunctionType: function_parts,
    types.MethodType: _method_parts,
    functools.partial: _partial_parts,
    type(functools.lru_cache(len)): _wrapper_parts,
    (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType): _builtin_parts,
    type: class_parts,
    types.ModuleType: _module_parts,
    re.Pattern: _pattern_parts,
}
