"""Options of trainings: fields of dataclasses that are keywords in Python and flags on the command line.

Each kind of training has a list of parts here. Names, types, defaults and meanings come from the dataclasses alone.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, get_type_hints

from similitude.errors import ArgumentError
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.uncertain.architecture import Architecture as OpinionArchitecture
from similitude.training.conditional.cross_fit import CrossFit
from similitude.training.conditional.loss import Loss
from similitude.training.conditional.request import PairArchitecture, SimilarityRequest
from similitude.training.gaussian_process.recipe import GprRecipe
from similitude.training.gaussian_process.request import GprRequest
from similitude.training.holdout import Holdout
from similitude.training.recipe import Recipe
from similitude.training.teacher_choice import TeacherChoice
from similitude.training.uncertain.request import OpinionRecipe, OpinionRequest

__all__ = [
    "CONDITIONAL",
    "GAUSSIAN_PROCESS",
    "OPINION_SHAPE",
    "PAIRS",
    "PAIR_SHAPE",
    "PROCESS_RECIPE",
    "SHAPE",
    "UNCERTAIN",
    "Option",
    "OptionPart",
    "TrainingOptions",
]

COMPUTED: Final = ("pooling", "separator", "low", "high", "evidence")
"""Fields of an architecture that follow from the model and the data."""

BUILT: Final = ("model", "recipe", "architecture")
"""Fields of a request that have options of their own."""


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
        for name, value in given.items():
            if name not in self.options:
                raise _unknown(name, caller, self.options)
            option = self.options[name]
            found[option.part][option.field] = _checked(value, option, caller)
        return found


def _unknown(name: str, caller: str, known: Mapping[str, Option]) -> ArgumentError:
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]}=? " if near else ""
    return ArgumentError(f"{caller} has no argument '{name}'", remedy=f"{hint}known: {', '.join(sorted(known))}")


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


SHAPE: Final = OptionPart(Architecture, without=COMPUTED, names={"encoding": "architecture"})
PAIR_SHAPE: Final = OptionPart(
    PairArchitecture, without=(*COMPUTED, "reads", "combination", "place"), names={"encoding": "architecture"}
)
OPINION_SHAPE: Final = OptionPart(OpinionArchitecture, without=(*COMPUTED, "encoding"))
PROCESS_RECIPE: Final = OptionPart(GprRecipe, names={"method": "inference", "components": "principal_components"})
SIMILARITY: Final = OptionPart(
    SimilarityRequest, without=(*BUILT, "objective", "teachers", "default_teachers", "ensemble")
)

CONDITIONAL: Final = TrainingOptions(
    SHAPE, SIMILARITY, OptionPart(Loss), OptionPart(CrossFit), OptionPart(Recipe), OptionPart(Holdout)
)
"""The options of a training under a condition."""

PAIRS: Final = TrainingOptions(PAIR_SHAPE, SIMILARITY, OptionPart(CrossFit), OptionPart(Recipe), OptionPart(Holdout))
"""The options of a training on plain pairs."""

UNCERTAIN: Final = TrainingOptions(
    OPINION_SHAPE,
    OptionPart(OpinionRequest, without=(*BUILT, "default_encoding", "teaching")),
    OptionPart(TeacherChoice),
    OptionPart(OpinionRecipe),
    OptionPart(Holdout),
)
"""The options of a training on opinions, beside its architecture."""

GAUSSIAN_PROCESS: Final = TrainingOptions(
    OptionPart(GprRequest, without=("encoder", "recipe")), PROCESS_RECIPE, OptionPart(Holdout)
)
"""The options of the training of a Gaussian process."""
