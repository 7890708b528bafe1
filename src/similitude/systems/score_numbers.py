"""Numbers out of whatever a function, a model or a table gives: lists, arrays, tensors of any float type, columns."""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.plural import counted

__all__ = ["NotNumbersError", "array_of", "is_column", "is_tensor", "one_number", "score_numbers", "shown"]

Floats = NDArray[np.float64]


class NotNumbersError(Exception):
    """What was given is not one number each; the message says what it is instead.

    Attributes:
        position: of the first that is no number; None if it is not about one.
    """

    def __init__(self, what: str, position: int | None = None) -> None:
        super().__init__(what)
        self.position = position


def score_numbers(said: Any, count: int) -> Floats:
    """One number each, as an array; an array of one column is taken, nan is left in.

    Args:
        said: a list, an iterator, an array, a tensor or a column.
        count: how many there must be.

    Raises:
        NotNumbersError: it is something else, there are more or fewer, or one of them is no number.

    >>> score_numbers([[1], [0.5]], 2)
    array([1. , 0.5])
    """
    found = array_of(said)
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim == 0:
        raise NotNumbersError(f"one number ({found:g}) for {counted(count, 'pair')}")
    if found.ndim > 1:
        shape = " x ".join(map(str, found.shape))
        raise NotNumbersError(f"a table of {shape} numbers for {counted(count, 'pair')}")
    if len(found) != count:
        raise NotNumbersError(f"{counted(len(found), 'number')} for {counted(count, 'pair')}")
    return found


def one_number(said: Any) -> float:
    """One number, also from an array or tensor of size one; nan is left.

    Raises:
        NotNumbersError: it is something else.
    """
    if isinstance(said, float | int):
        return float(said)
    found = array_of(said)
    if found.size != 1:
        raise NotNumbersError(f"{counted(found.size, 'number')} for one pair")
    return float(found.reshape(-1)[0])


def array_of(said: Any) -> Floats:
    """Numbers of any shape as an array of doubles.

    Raises:
        NotNumbersError: it is not made of numbers.
    """
    plain = _as_plain(said)
    if isinstance(plain, str | bytes | Mapping | type(None)):
        raise NotNumbersError(shown(plain))
    if isinstance(plain, set | frozenset):
        raise NotNumbersError(f"{shown(plain)}, which has no order,")
    if not isinstance(plain, np.ndarray) and isinstance(plain, Iterable):
        plain = list(plain)
    try:
        found = np.asarray(plain)
    except (TypeError, ValueError, RuntimeError):
        return _one_by_one(plain)
    if found.dtype.kind in "fiub" or (found.dtype.kind == "V" and "float" in found.dtype.name):
        return found.astype(np.float64)
    if found.dtype.kind in "Mm":
        raise NotNumbersError(f"a {'date' if found.dtype.kind == 'M' else 'time'} ({found.reshape(-1)[0]})", 0)
    return _one_by_one(plain)


def is_column(thing: Any) -> bool:
    """Whether an object is a column of values: an array, a tensor, a series, or a list of numbers."""
    if isinstance(thing, np.ndarray) or is_tensor(thing):
        return True
    if isinstance(thing, list | tuple | range):
        return bool(thing) and all(isinstance(each, numbers.Number | np.generic) or is_tensor(each) for each in thing)
    return not isinstance(thing, type) and hasattr(thing, "to_numpy") and hasattr(thing, "__len__")


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor of torch, which need not be installed."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def shown(value: Any) -> str:
    """A value in a message: its type, and itself where it is short.

    >>> shown(None), shown("a"), shown([1, 2])
    ('None', "the text 'a'", 'a list ([1, 2])')
    """
    if value is None:
        return "None"
    written = repr(value)
    short = written if len(written) <= 40 and "\n" not in written else ""
    if isinstance(value, str):
        return f"the text {short or repr(value[:30] + '...')}"
    name = type(value).__name__
    kind = f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
    return f"{kind} ({short})" if short and not short.startswith("<") else kind


def _as_plain(said: Any) -> Any:
    """An array for a tensor, a column or a masked array; anything else as it is.

    Raises:
        NotNumbersError: the numbers are complex.
    """
    if is_tensor(said):
        if said.is_complex():
            raise NotNumbersError("complex numbers")
        dense = said.detach().to_dense() if said.is_sparse else said.detach()
        return dense.double().cpu().numpy()
    if isinstance(said, np.ma.MaskedArray):
        return np.ma.filled(said.astype(np.float64), np.nan)
    if not isinstance(said, np.ndarray | np.generic) and hasattr(said, "to_numpy"):
        return said.to_numpy()
    return said


def _one_by_one(values: Any) -> Floats:
    """Numbers that numpy does not read at once: tensors in a list, rows of them, or something that is no number.

    Raises:
        NotNumbersError: a value is no number.
    """
    if isinstance(values, np.ndarray) and values.ndim == 0:
        values = values.item()
    if not isinstance(values, list | tuple | np.ndarray):
        return np.array(_number(values))
    found = []
    for position, value in enumerate(values):
        try:
            found.append(_number(value))
        except NotNumbersError as error:
            raise NotNumbersError(str(error), position) from None
    return np.array(found, np.float64)


def _number(value: Any) -> float:
    if isinstance(value, str | bytes | complex | np.complexfloating | type(None) | Mapping):
        raise NotNumbersError("None" if value is None else shown(value))
    if isinstance(value, float | np.generic) and not isinstance(value, np.datetime64 | np.timedelta64):
        return float(value)
    if is_tensor(value) or isinstance(value, np.ndarray | list | tuple):
        return one_number(value)
    try:
        return math.fsum([value])  # Decimal, Fraction and anything else with __float__
    except (TypeError, ValueError, OverflowError):
        raise NotNumbersError(shown(value)) from None
