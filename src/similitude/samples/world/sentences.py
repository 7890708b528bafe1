"""Sentences of ``sample:world``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from similitude.samples.world.scenes import MENTIONED, Scenes, ValuePool
from similitude.samples.world.vocabulary import Attribute, WorldVocabulary

__all__ = ["sentences"]

_MOST = 1 << 30


def sentences(
    rng: np.random.Generator, words: WorldVocabulary, pool: ValuePool, scenes: Scenes
) -> list[tuple[str, str]]:
    """The left and the right sentence of every pair.

    Frames, templates, actors and the order of predicates are random in each sentence, so that they tell nothing about
    the label.
    """
    # One large random number for each choice, taken modulo the number of choices.
    draws = iter(rng.integers(0, _MOST, (len(scenes) * 2, 4 + MENTIONED)).tolist())
    orders = iter(rng.permuted(np.tile(np.arange(MENTIONED), (len(scenes) * 2, 1)), axis=1).tolist())
    sides = (_mentioned(scenes, side) for side in (0, 1))
    return [
        (
            _sentence(words, pool, left, next(draws), next(orders)),
            _sentence(words, pool, right, next(draws), next(orders)),
        )
        for left, right in zip(*sides, strict=True)
    ]


def _mentioned(scenes: Scenes, side: int) -> Iterator[list[tuple[Attribute, str]]]:
    """The attributes of each scene with the wordings of their values."""
    columns = (scenes.attributes, *(array[..., side] for array in (scenes.kinds, scenes.places, scenes.wordings)))
    for row in zip(*(column.tolist() for column in columns), strict=True):
        yield [
            (scenes.known[number], scenes.known[number].values[kind][place][wording])
            for number, kind, place, wording in zip(*row, strict=True)
        ]


def _sentence(
    words: WorldVocabulary, pool: ValuePool, mentioned: list[tuple[Attribute, str]], draws: list[int], order: list[int]
) -> str:
    who, what, frame, template, *frames = draws
    mentioned = [mentioned[place] for place in order]
    predicates = [
        _chosen(attribute.frames, draw).replace("*", wording)
        for (attribute, wording), draw in zip(mentioned, frames, strict=True)
        if not attribute.describes_thing
    ]
    descriptions = [wording for attribute, wording in mentioned if attribute.describes_thing]
    if descriptions:
        thing = _described(_chosen(pool.things, what), descriptions)
        predicates.insert(frame % (len(predicates) + 1), _chosen(words.thing_frames, frame).replace("*", thing))
    noun = _chosen(pool.actors, who)
    actor = _with_article(noun)
    written = _chosen(words.templates[len(predicates) - 1], template)
    said = dict(zip("pqr", predicates, strict=False))
    return written.format(A=actor[0].upper() + actor[1:], a=actor, n=noun, **said)


def _chosen(choices: Sequence[str], draw: int) -> str:
    return choices[draw % len(choices)]


def _described(thing: str, descriptions: list[str]) -> str:
    """The thing with its descriptions before and after it, and an article."""
    before, after = zip(*(description.split("*") for description in descriptions), strict=True)
    return _with_article(f"{''.join(before)}{thing}{''.join(after)}")


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"
