"""A function in a file as a system: ``path/to/file.py:overlap``, where ``overlap(left, right)`` gives one number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from similitude.registry import Spec
from similitude.systems.objects.function_signature import signature_of
from similitude.systems.objects.function_system import FunctionSystem

__all__ = ["FileFunction", "file_function"]


@dataclass(frozen=True, kw_only=True, eq=False)
class FileFunction(FunctionSystem):
    """As in Python, but its name brings it back."""

    @property
    def identity(self) -> Spec:
        """File and function."""
        return Spec(self.called)


def file_function(function: Callable[..., Any], written: str) -> FileFunction:
    """The system of a function in a file.

    Raises:
        ArgumentError: it cannot be called with two texts.
    """
    return FileFunction(called=written, thing=function, signature=signature_of(function, written))
