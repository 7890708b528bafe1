"""A filter: which pairs are kept, as a value that can be written, pickled and applied to any block of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from similitude.collect.candidates.features import Feature, PairColumn, SystemScore, TextProperty
from similitude.collect.candidates.filters.condition import Comparison, Condition
from similitude.collect.candidates.filters.names import Names
from similitude.collect.candidates.filters.parser import parse_condition
from similitude.errors import ArgumentError

__all__ = ["Filter", "Needs", "make_features", "make_filters", "needs"]


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition that pairs must meet.

    Attributes:
        text: as it was written, with single blanks.
        condition: what it means.

    >>> (one,) = make_filters("0.1 <= iou  <= 0.7")
    >>> print(one, "|", *one.features)
    0.1 <= iou <= 0.7 | iou
    """

    text: str
    condition: Condition

    def __str__(self) -> str:
        return self.text

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The comparisons, in order of their numbers."""
        return tuple(self.condition.comparisons())

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features that are compared, each once, in order."""
        sides = ((one.feature, one.border) for one in self.comparisons)
        return tuple(dict.fromkeys(side for both in sides for side in both if isinstance(side, Feature)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What must be there before features can be computed.

    Attributes:
        properties: of each text.
        systems: as they are written.
        pair_columns: that must have come with the pairs.
        vectors: whether the texts need vectors.
    """

    properties: tuple[TextProperty, ...] = ()
    systems: tuple[str, ...] = ()
    pair_columns: tuple[str, ...] = field(default=())
    vectors: bool = False


def make_filters(written: str | Iterable[str], names: Names | None = None) -> tuple[Filter, ...]:
    """The filters that a user wrote, checked before anything is computed.

    Args:
        written: one filter or several.
        names: what they can name; by default features, and columns of texts.

    Raises:
        ArgumentError: one cannot be read, or never holds.
        UnknownNameError: a name means nothing.
    """
    several = [written] if isinstance(written, str) else list(written)
    for one in several:
        if not isinstance(one, str):
            what = f"a filter is a text, not {type(one).__name__} {one!r:.60}"
            raise ArgumentError(what, remedy='write it as in "cosine >= 0.4"')
    known = names or Names()
    return tuple(Filter(" ".join(one.split()), parse_condition(one, known)) for one in several)


def make_features(written: Iterable[str], names: Names | None = None) -> tuple[Feature, ...]:
    """The features that a user names, systems and columns included, as in filters.

    Raises:
        UnknownNameError: a name means nothing.
        ArgumentError: arguments do not fit.
    """
    known = names or Names()
    return tuple(known.feature(one) for one in written)


def needs(wanted: Iterable[Filter | Feature]) -> Needs:
    """What filters and features need, each thing once.

    >>> [one.name for one in needs(make_filters(["words >= 5", "length_ratio >= 0.7"])).properties]
    ['words']
    """
    features = [feature for one in wanted for feature in _all_features(one)]
    return Needs(
        properties=tuple(dict.fromkeys(one for feature in features for one in feature.properties)),
        systems=tuple(dict.fromkeys(one.system for one in features if isinstance(one, SystemScore))),
        pair_columns=tuple(dict.fromkeys(one.column for one in features if isinstance(one, PairColumn))),
        vectors=any(one.uses_vectors for one in features),
    )


def _all_features(one: Filter | Feature) -> Iterator[Feature]:
    """The features of a filter, or a feature, with all that they combine."""
    for feature in one.features if isinstance(one, Filter) else (one,):
        yield feature
        for part in feature.parts:
            yield from _all_features(part)
