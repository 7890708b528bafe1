"""Random pairs of scenes: their attributes, the values of these, and the two attributes of the conditions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from similitude.samples.world.likeness import partners
from similitude.samples.world.vocabulary import Attribute

__all__ = ["MENTIONED", "Scenes", "ValuePool", "draw_scenes"]

Indices = NDArray[np.int64]

MENTIONED = 3
"""The number of attributes in a sentence: those of the high and the low condition, and one other."""

_HIGH_AND_LOW = np.array([[5, 1], [4, 2]])
_LEVELS = np.array([1, 2, 4, 5])


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuePool:
    """The vocabulary of one part of the benchmark.

    Attributes:
        conditions: the attributes that conditions ask about.
        distractors: the attributes that may be added to them.
        actors: the people of scenes.
        things: the things of scenes.
    """

    conditions: tuple[Attribute, ...]
    distractors: tuple[Attribute, ...]
    actors: tuple[str, ...]
    things: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenes:
    """Pairs of scenes as indices; all arrays but ``attributes`` and ``levels`` are pairs x 3 x 2 (left and right).

    Attributes:
        known: the attributes that ``attributes`` refers to.
        attributes: pairs x 3, the attributes of the high and the low condition, and one other.
        levels: pairs x 3, the similarity of the two scenes in each attribute.
        kinds: the kind of each value.
        places: the place of each value in its kind.
        wordings: the wording of each value.
    """

    known: tuple[Attribute, ...]
    attributes: Indices
    levels: Indices
    kinds: Indices
    places: Indices
    wordings: Indices

    def __len__(self) -> int:
        return len(self.attributes)


def draw_scenes(rng: np.random.Generator, pool: ValuePool, pairs: int) -> Scenes:
    """Random pairs of scenes, generated two at a time.

    Of every two pairs, the second swaps the attributes of the high and the low condition of the first, so that each
    attribute has high and low labels equally often. The two labels of a pair add up to 6. So neither the condition nor
    the two sentences alone tell anything about the label.

    Args:
        rng: source of randomness.
        pool: the vocabulary.
        pairs: the number of pairs, which must be even.
    """
    known = tuple(dict.fromkeys(pool.conditions + pool.distractors))
    asked = _two_of(rng, len(pool.conditions), pairs // 2)
    asked = np.concatenate([asked, asked[:, ::-1]])
    attributes = np.column_stack([asked, _another(rng, known, pool, asked)])
    spread = np.tile(_HIGH_AND_LOW[rng.integers(0, 2, pairs // 2)], (2, 1))
    levels = np.column_stack([spread, _LEVELS[rng.integers(0, len(_LEVELS), pairs)]])
    kinds, places = _values(rng, known, attributes, levels)
    wordings = _wordings(rng, known, attributes, levels, kinds, places)
    return Scenes(known=known, attributes=attributes, levels=levels, kinds=kinds, places=places, wordings=wordings)


def _two_of(rng: np.random.Generator, number: int, times: int) -> Indices:
    first = rng.integers(0, number, times)
    return np.column_stack([first, (first + rng.integers(1, number, times)) % number])


def _another(rng: np.random.Generator, known: tuple[Attribute, ...], pool: ValuePool, asked: Indices) -> Indices:
    """A distractor that no condition of the pair asks about."""
    allowed = np.isin(np.arange(len(known)), [known.index(attribute) for attribute in pool.distractors])
    free = np.tile(allowed, (len(asked), 1))
    np.put_along_axis(free, asked, values=False, axis=1)
    wanted = rng.integers(0, free.sum(axis=1))
    return np.asarray((free.cumsum(axis=1) > wanted[:, None]).argmax(axis=1))


def _values(
    rng: np.random.Generator, known: tuple[Attribute, ...], attributes: Indices, levels: Indices
) -> tuple[Indices, Indices]:
    """The kinds and places of all values, left and right."""
    flat = attributes.ravel()
    sizes = np.array([attribute.size for attribute in known])[flat]
    kinds, places = rng.integers(0, 4, flat.size), rng.integers(0, sizes)
    orders = [known[number].order for number in flat]
    others = partners(rng, orders=orders, sizes=sizes, kinds=kinds, places=places, levels=levels.ravel())
    both = (
        np.stack(sides, axis=-1).reshape(*attributes.shape, 2) for sides in zip((kinds, places), others, strict=True)
    )
    return next(both), next(both)


def _wordings(
    rng: np.random.Generator,
    known: tuple[Attribute, ...],
    attributes: Indices,
    levels: Indices,
    kinds: Indices,
    places: Indices,
) -> Indices:
    """The wording of each value; two scenes with the same value have different wordings."""
    numbers = np.zeros((len(known), 4, max(attribute.size for attribute in known)), dtype=np.int64)
    for row, attribute in zip(numbers, known, strict=True):
        row[:, : attribute.size] = [[len(wordings) for wordings in kind] for kind in attribute.values]
    there = numbers[attributes[..., None], kinds, places]
    drawn = rng.integers(0, there)
    shift = rng.integers(1, there[..., 1])
    drawn[..., 1] = np.where(levels == 5, (drawn[..., 0] + shift) % there[..., 1], drawn[..., 1])
    return drawn
