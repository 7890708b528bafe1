"""The vocabulary of the small world: its objects, its attributes and their wordings, as written in ``world.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["TRAINING", "Attribute", "WorldVocabulary", "vocabulary"]

TRAINING = "train"
"""The split whose attributes and objects count as seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A respect in which two scenes can be compared.

    Attributes:
        name: what to call it.
        order: which of its four kinds of values are near each other: "tree", "line" or "ring" (see `likeness`).
        conditions: phrases that ask about it and never name a value.
        values: kinds, the values of each kind, the wordings of each value.
        frames: what somebody did, with ``*`` for the wording; none where it describes the thing of the scene.
        split: the split that mentions it first; "train" where it is seen in training.
    """

    name: str
    order: str
    conditions: tuple[str, ...]
    values: tuple[tuple[tuple[str, ...], ...], ...]
    frames: tuple[str, ...] = ()
    split: str = TRAINING

    @property
    def describes_thing(self) -> bool:
        """Whether it says what the thing is like, and not what the actor did."""
        return not self.frames

    @property
    def size(self) -> int:
        """How many values each kind has."""
        return len(self.values[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldVocabulary:
    """All that scenes are made of.

    Attributes:
        actors: by split, who a scene can be about.
        things: by split, what a scene can be about.
        attributes: the respects in which scenes can be compared.
        thing_frames: what somebody did with the thing.
        templates: by the number of predicates, the sentences that hold them.
    """

    actors: Mapping[str, tuple[str, ...]]
    things: Mapping[str, tuple[str, ...]]
    attributes: tuple[Attribute, ...]
    thing_frames: tuple[str, ...]
    templates: tuple[tuple[str, ...], ...]

    def attributes_of(self, split: str) -> tuple[Attribute, ...]:
        """The attributes that this split is the first to mention."""
        return tuple(attribute for attribute in self.attributes if attribute.split == split)


@cache
def vocabulary() -> WorldVocabulary:
    """The vocabulary that ships with the package.

    >>> words = vocabulary()
    >>> len(words.attributes), [attribute.name for attribute in words.attributes_of("validation")]
    (94, ['companion', 'subject', 'duration', 'energy'])
    """
    written = (files("similitude.samples") / "files" / "world.toml").read_text(encoding="utf-8")
    table = _frozen(tomllib.loads(written))
    sentences = table["sentences"]
    return WorldVocabulary(
        actors=table["actors"],
        things=table["things"],
        attributes=tuple(Attribute(name=name, **rest) for name, rest in table["attributes"].items()),
        thing_frames=sentences["thing"],
        templates=(sentences["one"], sentences["two"], sentences["three"]),
    )


def _frozen(value: Any) -> Any:
    """The same with tuples for lists."""
    if isinstance(value, dict):
        return {key: _frozen(inside) for key, inside in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
