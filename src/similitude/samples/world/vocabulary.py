"""The vocabulary of ``sample:world``: objects, attributes and wordings, from ``world.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["TRAINING", "Attribute", "WorldVocabulary", "vocabulary"]

TRAINING = "train"
"""The split whose attributes and objects are not new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A respect in which two scenes can be compared.

    Attributes:
        name: the name of the attribute.
        order: the order of its four kinds of values, "tree", "line" or "ring" (see `likeness`).
        conditions: phrases that ask about it without naming a value.
        values: the kinds, the values of each kind, and the wordings of each value.
        frames: predicates with ``*`` for the wording; empty if the attribute describes the thing of the scene.
        split: the first split that mentions it; "train" if training does.
    """

    name: str
    order: str
    conditions: tuple[str, ...]
    values: tuple[tuple[tuple[str, ...], ...], ...]
    frames: tuple[str, ...] = ()
    split: str = TRAINING

    @property
    def describes_thing(self) -> bool:
        """Whether it describes the thing, not an action of the actor."""
        return not self.frames

    @property
    def size(self) -> int:
        """The number of values in each kind."""
        return len(self.values[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldVocabulary:
    """The vocabulary of all scenes.

    Attributes:
        actors: the people of scenes, by split.
        things: the things of scenes, by split.
        attributes: the respects in which scenes can be compared.
        thing_frames: predicates about the thing.
        templates: the templates for one, two and three predicates.
    """

    actors: Mapping[str, tuple[str, ...]]
    things: Mapping[str, tuple[str, ...]]
    attributes: tuple[Attribute, ...]
    thing_frames: tuple[str, ...]
    templates: tuple[tuple[str, ...], ...]

    def attributes_of(self, split: str) -> tuple[Attribute, ...]:
        """The attributes that this split mentions first."""
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
    """The value with tuples in place of lists."""
    if isinstance(value, dict):
        return {key: _frozen(inside) for key, inside in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
