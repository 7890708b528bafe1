"""Turns items into the input texts of a conditional model.

A bi-encoder reads condition and sentence as a *pair* of texts, as the transformer did in pretraining: with the
tokeniser's separator between them. `SentenceTransformer.encode([(condition, sentence)])` does the same, so a trained
bi-encoder can be used elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.errors import ArgumentError, InputError
from similitude.models.encoders.text_model import Text
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.encoders.embedding import clean

__all__ = [
    "InputTexts",
    "PairUnderCondition",
    "conditions_of",
    "lacks_conditions",
    "read_item",
    "read_items",
    "reads_no_text_alone",
    "texts_of_pair",
]


def read_item(architecture: Architecture, left: str, right: str, condition: str) -> tuple[Text, ...]:
    """The input texts of one item, one per part.

    >>> read_item(Architecture(), "A red car.", "A red bus.", "the colour")
    (('the colour', 'A red car.'), ('the colour', 'A red bus.'))
    >>> read_item(Architecture(encoding="tri"), "A red car.", "A red bus.", "the colour")
    ('A red car.', 'A red bus.', 'the colour')
    >>> read_item(Architecture(encoding="cross", separator="[SEP]"), "A red car.", "A red bus.", "the colour")
    (('A red car.', 'A red bus.[SEP]the colour'),)
    >>> read_item(Architecture(encoding="joint"), "A red car.", "A red bus.", "the colour")[1:]
    (('the colour', 'A red car.'), ('the colour', 'A red bus.'))
    """
    if architecture.encoding == "tri":
        return (left, right, condition)
    if architecture.reads == "condition":
        return (condition,)
    sides = (_side(architecture, left, condition), _side(architecture, right, condition))
    if architecture.encoding == "shift":
        return (*sides, ("", condition) if architecture.side_template else condition)
    if architecture.encoding == "bi":
        return sides
    together = _together(architecture, left, right, condition)
    return (together, *sides) if architecture.encoding == "joint" else (together,)


def _together(architecture: Architecture, left: str, right: str, condition: str) -> Text:
    """Both sentences and the condition as one input."""
    if architecture.reads == "sentences":
        return (left, right)
    if architecture.template:
        return (left, right, condition)
    return (left, f"{right}{architecture.separator}{condition}")


class PairUnderCondition(NamedTuple):
    """Two sentences and their condition; empty if it is not read."""

    left: str
    right: str
    condition: str


def texts_of_pair(architecture: Architecture, together: tuple[str, ...]) -> PairUnderCondition:
    """The two sentences and the condition of an input that has both sentences: the inverse of `read_item`.

    >>> shape = Architecture(encoding="cross", separator="[SEP]")
    >>> texts_of_pair(shape, ("A red car.", "A red bus.[SEP]the colour"))
    PairUnderCondition(left='A red car.', right='A red bus.', condition='the colour')
    """
    left, right, *rest = together
    if architecture.reads == "sentences":
        return PairUnderCondition(left, right, "")
    if rest:
        return PairUnderCondition(left, right, rest[0])
    sentence, _, condition = right.rpartition(architecture.separator)
    return PairUnderCondition(left, sentence, condition)


def _side(architecture: Architecture, text: str, condition: str) -> Text:
    """One sentence with the condition as one input."""
    if architecture.reads == "sentences":
        return (text,) if architecture.side_template else text
    return (condition, text) if architecture.place == "before" and not architecture.side_template else (text, condition)


class InputTexts(NamedTuple):
    """The input texts of some items.

    Attributes:
        rows: items x parts: indices into ``texts``.
    """

    texts: list[Text]
    rows: NDArray[np.intp]


def read_items(architecture: Architecture, items: Items, *, swapped: bool = False, where: str = "") -> InputTexts:
    """The distinct input texts of the items, and the indices of each item's texts.

    Args:
        architecture: determines the input.
        items: items with their conditions.
        swapped: whether to swap left and right.
        where: the system that reads them, for the error.

    Raises:
        InputError: an item lacks a condition that the model needs.
    """
    conditions = conditions_of(items, needed=architecture.needs_condition, where=where)
    sides = (items.rights, items.lefts) if swapped else (items.lefts, items.rights)
    seen: dict[Text, int] = {}
    columns = zip(map(clean, sides[0]), map(clean, sides[1]), conditions, strict=True)
    rows = [
        [seen.setdefault(text, len(seen)) for text in read_item(architecture, left, right, condition)]
        for left, right, condition in columns
    ]
    return InputTexts(list(seen), np.array(rows, np.intp).reshape(-1, architecture.parts))


def lacks_conditions(model: str) -> ArgumentError:
    """The error for pairs of texts without conditions, given to a model that needs them."""
    return ArgumentError(
        "needs a condition for each pair", where=f"model '{model}'", remedy="score items that have one"
    )


def reads_no_text_alone(model: str) -> ArgumentError:
    """The error for vectors of single texts, asked of a model that reads both together."""
    return ArgumentError(
        "reads both texts together and has no vectors of single texts",
        where=f"model '{model}'",
        remedy="use a model that was trained with --architecture bi, or encoder(FOLDER)",
    )


def conditions_of(items: Items, *, needed: bool, where: str = "") -> Sequence[str]:
    """The condition of each item; empty where there is none.

    Args:
        items: the items.
        needed: whether each must have one.
        where: the system that needs it, for the error.

    Raises:
        InputError: conditions are needed, and an item has none.
    """
    conditions = [clean(condition or "") for condition in items.conditions]
    missing = [name for name, condition in zip(items.ids, conditions, strict=True) if not condition.strip()]
    if missing and needed:
        raise InputError(
            f"{len(missing):,} of {len(items):,} items have no condition (first: '{missing[0]}')",
            where=where,
            remedy="add conditions, or train a model that reads the sentences alone: --reads sentences",
        )
    return conditions
