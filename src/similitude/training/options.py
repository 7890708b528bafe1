"""Options of trainings: fields of dataclasses that are keywords in Python and flags on the command line."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from textwrap import fill
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar, get_type_hints

from similitude.errors import ArgumentError, SimilitudeError
from similitude.python_words import check_known, in_python

__all__ = ["Option", "OptionPart", "TrainingOptions", "taking"]

P = ParamSpec("P")
Result = TypeVar("Result")


class Option(NamedTuple):
    """One option of a training.

    Attributes:
        name: the keyword.
        kind: its type.
        default: its value if it is not given.
        meaning: what it does.
        part: the dataclass that has it.
        field: its name there.
    """

    name: str
    kind: Any
    default: Any
    meaning: str
    part: type[Any]
    field: str


@dataclass(frozen=True)
class OptionPart:
    """A dataclass whose fields are options.

    Attributes:
        kind: the dataclass.
        without: fields that are not options.
        names: options whose name differs from that of their field, by field.
    """

    kind: type[Any]
    without: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    def options(self) -> Iterator[Option]:
        """The options, in the order of the fields."""
        kinds, meanings = get_type_hints(self.kind), _meanings(self.kind)
        for each in dataclasses.fields(self.kind):
            if each.name not in self.without:
                default = each.default if each.default_factory is dataclasses.MISSING else each.default_factory()
                name, meaning = self.names.get(each.name, each.name), meanings.get(each.name, "")
                yield Option(name, kinds[each.name], default, meaning, self.kind, each.name)


class TrainingOptions:
    """All options of one kind of training."""

    def __init__(self, *parts: OptionPart) -> None:
        self.options: Final = {option.name: option for part in parts for option in part.options()}

    def read(self, given: Mapping[str, Any], caller: str) -> dict[type[Any], dict[str, Any]]:
        """The given options as arguments of the dataclasses that have them.

        Args:
            given: values by keyword.
            caller: the function, for messages.

        Raises:
            ArgumentError: there is no such option, or its value has the wrong type.
        """
        found: dict[type[Any], dict[str, Any]] = {option.part: {} for option in self.options.values()}
        check_known(given, self.options, caller)
        for name, value in given.items():
            option = self.options[name]
            found[option.part][option.field] = _checked(value, option, caller)
        return found

    def described(self) -> str:
        """The options with their meanings, as in the section of a docstring."""
        lines = (f"{each.name}: {each.meaning}" for each in self.options.values())
        return "\n".join(fill(line, 112, initial_indent="    ", subsequent_indent="        ") for line in lines)


def _checked(value: Any, option: Option, caller: str) -> Any:
    """The value, brought to the type of its field as far as nothing is lost.

    Raises:
        ArgumentError: it is of another type, or none of the choices.
    """
    from pydantic import TypeAdapter, ValidationError

    if option.kind == tuple[str, ...] and isinstance(value, str):
        value = (value,)
    try:
        return TypeAdapter(option.kind).validate_python(value)
    except ValidationError as error:
        why = error.errors()[0]["msg"].removeprefix("Input ")
        raise ArgumentError(
            f"{caller}: {option.name}={value!r} {why}", remedy=f"by default {option.name}={option.default!r}"
        ) from None


def _meanings(kind: type[Any]) -> dict[str, str]:
    """What the docstrings of a dataclass and of its bases say about each field."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        section = (inspect.getdoc(each) or "").partition("\nAttributes:\n")[2].partition("\n\n")[0]
        for entry in re.split(r"\n(?=    \w)", "\n" + section)[1:]:
            name, _, meaning = entry.strip().partition(":")
            found[name] = " ".join(meaning.split())
    return found


def taking(options: TrainingOptions) -> Callable[[Callable[P, Result]], Callable[P, Result]]:
    """Decorate a function of a training with ``**options``: its help lists them, and its errors speak of keywords."""

    def decorated(function: Callable[P, Result]) -> Callable[P, Result]:
        @wraps(function)
        def trained(*arguments: P.args, **keywords: P.kwargs) -> Result:
            try:
                return function(*arguments, **keywords)
            except SimilitudeError as error:
                error.what, error.remedy = in_python(error.what), in_python(error.remedy)
                raise

        own = [each for each in inspect.signature(function).parameters.values() if each.kind is not each.VAR_KEYWORD]
        trained.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [*own, *(_parameter(each) for each in options.options.values())],
            return_annotation=inspect.signature(function).return_annotation,
        )
        before, _, after = (inspect.getdoc(function) or "").partition("\n\nRaises:")
        trained.__doc__ = f"{before}\n{options.described()}\n\nRaises:{after}"
        return trained

    return decorated


def _parameter(option: Option) -> inspect.Parameter:
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=option.kind
    )
