"""Functions of one noun, made to take it in any form that can be opened as that noun."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Concatenate, ParamSpec, TypeVar

from similitude.python_words import speaking_python

__all__ = ["in_any_form"]

P = ParamSpec("P")
Given = TypeVar("Given")
Noun = TypeVar("Noun")
Result = TypeVar("Result")


def in_any_form(
    opened: Callable[[Given], Noun], compute: Callable[Concatenate[Noun, P], Result]
) -> Callable[Concatenate[Given, P], Result]:
    """The same function for anything that ``opened`` takes.

    Args:
        opened: makes the noun of what a user has.
        compute: a function whose first argument is the noun.

    >>> def length(text: str, *, twice: bool = False) -> int:
    ...     return len(text) * (1 + twice)
    >>> length_of_anything = in_any_form(lambda thing: str(thing), length)
    >>> length_of_anything(1234, twice=True)
    8
    """

    @wraps(compute)
    def of_anything(given: Given, /, *arguments: P.args, **options: P.kwargs) -> Result:
        return compute(opened(given), *arguments, **options)

    shape = signature(compute)
    first, *others = shape.parameters.values()
    given = next(iter(signature(opened).parameters.values()))
    named = first.replace(kind=Parameter.POSITIONAL_ONLY, annotation=given.annotation)
    of_anything.__signature__ = shape.replace(parameters=[named, *others])  # type: ignore[attr-defined]
    spoken: Callable[Concatenate[Given, P], Result] = speaking_python(of_anything)
    return spoken
