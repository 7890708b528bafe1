"""What features need to know of each text: computed once for all pairs, a pure function of the texts of a slice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.features.bags import Bags
from similitude.data.texts import Texts
from similitude.errors import ArgumentError

__all__ = ["PropertyArrays", "TextProperties", "TextProperty", "property_arrays"]

T = TypeVar("T")

PropertyArrays = dict[str, NDArray[np.generic]]
"""The arrays of one property by the name of the part: ``values``, or those of `Bags`."""


@dataclass(frozen=True, slots=True)
class TextProperty:
    """Something that is known of one text alone.

    Attributes:
        name: of its files.
        kind: a number for each text, or a bag of words.
        compute: from the table of texts to numbers, one per text, or to words as `Bags.of_words` takes them. It can be
            pickled, and what it gives for a text depends on that text alone.
        argument: what ``compute`` takes beside the table, such as the name of a column; part of the name.
    """

    name: str
    kind: Literal["numbers", "bags"]
    compute: Callable[[pl.DataFrame, str], pl.Series | pl.DataFrame] = field(repr=False, compare=False)
    argument: str = ""

    @property
    def key(self) -> str:
        """Name and argument, by which the arrays are found again."""
        return f"{self.name}.{self.argument}" if self.argument else self.name


@dataclass(frozen=True, slots=True, eq=False)
class TextProperties:
    """The properties of all texts, in memory or mapped from files."""

    numbers: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)
    bags: Mapping[str, Bags] = field(default_factory=dict)

    @classmethod
    def of(cls, texts: Texts, properties: Iterable[TextProperty]) -> TextProperties:
        """The properties of texts, in memory."""
        return cls.from_arrays({one: property_arrays(one, texts) for one in properties})

    @classmethod
    def from_arrays(cls, arrays: Mapping[TextProperty, PropertyArrays]) -> TextProperties:
        """Properties from their arrays, wherever they lie."""
        numbers = {one.key: parts["values"] for one, parts in arrays.items() if one.kind == "numbers"}
        bags = {
            one.key: Bags(parts["offsets"], parts["keys"], parts["counts"])  # type: ignore[arg-type]
            for one, parts in arrays.items()
            if one.kind == "bags"
        }
        return cls(numbers, bags)

    def numbers_of(self, wanted: TextProperty) -> NDArray[np.generic]:
        """One number for each text.

        Raises:
            ArgumentError: the property was not computed.
        """
        return _found(self.numbers, wanted)

    def bags_of(self, wanted: TextProperty) -> Bags:
        """One bag for each text.

        Raises:
            ArgumentError: the property was not computed.
        """
        return _found(self.bags, wanted)


def _found(there: Mapping[str, T], wanted: TextProperty) -> T:
    if wanted.key not in there:
        listed = ", ".join(there) or "none"
        remedy = f"compute the properties of the features first, see needs(); there are: {listed}"
        raise ArgumentError(f"the texts have no property '{wanted.key}'", remedy=remedy)
    return there[wanted.key]


def property_arrays(one: TextProperty, texts: Texts) -> PropertyArrays:
    """The arrays of one property of some texts."""
    computed = one.compute(texts.frame, one.argument)
    if isinstance(computed, pl.Series):
        return {"values": computed.to_numpy()}
    return {name: np.asarray(part) for name, part in Bags.of_words(computed, len(texts))._asdict().items()}
