"""Sentences of ``sample:opinions``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from similitude.samples.opinions.meetings import FACTS, Meeting, Meetings
from similitude.samples.opinions.vocabulary import Domain, Fact, OpinionVocabulary

__all__ = ["sentences"]

T = TypeVar("T")

_MOST = 1 << 30
_DRAWS = 5
"""Random numbers for each fact: the kind, another kind, the value, the wording, and which side is vague."""


class _Told(NamedTuple):
    """The statements of the two sentences about one fact."""

    left: str
    right: str


def sentences(
    rng: np.random.Generator, words: OpinionVocabulary, domain: Domain, pairs: Meetings
) -> list[tuple[str, str]]:
    """The left and the right sentence of every pair.

    Both are about the same person. The templates, which always differ, the order of the statements, and the sentence
    that leaves a fact vague are random, so that they tell nothing about the score.
    """
    # One large random number for each choice, taken modulo the number of choices.
    draws = rng.integers(0, _MOST, (len(pairs), FACTS * _DRAWS + 6)).tolist()
    orders = rng.random((len(pairs), 2, FACTS + 1)).argsort(axis=-1).tolist()
    rows = zip(pairs.facts.tolist(), pairs.of_facts.tolist(), pairs.feeling.tolist(), draws, orders, strict=True)
    made = []
    for facts, met, feeling, drawn, order in rows:
        told = [
            _fact(domain.facts[fact], Meeting(meeting), drawn[place * _DRAWS : (place + 1) * _DRAWS])
            for place, (fact, meeting) in enumerate(zip(facts, met, strict=True))
        ]
        name, *rest = drawn[FACTS * _DRAWS :]
        if feeling:
            told.append(_feeling(domain, feeling == 1, rest))
        who = _chosen(words.names, name)
        templates = words.four if feeling else words.three
        made.append(
            (
                _sentence(_chosen(templates, rest[3]), who, [one.left for one in told], order[0]),
                _sentence(
                    _chosen(templates, rest[3] + 1 + rest[4] % (len(templates) - 1)),
                    who,
                    [one.right for one in told],
                    order[1],
                ),
            )
        )
    return made


def _fact(fact: Fact, meeting: Meeting, draws: Sequence[int]) -> _Told:
    first, second, value, wording, side = draws
    number = first % len(fact.kinds)
    other = fact.kinds[(number + 1 + second % (len(fact.kinds) - 1)) % len(fact.kinds)]
    kind = fact.kinds[number]
    place = value % len(kind.values)
    exact = kind.values[place]
    one = _chosen(exact, wording)
    if meeting is Meeting.SAME:
        against = _chosen(exact, side // 2)
    elif meeting is Meeting.NEAR:
        against = _chosen(kind.values[(place + 1 + second % (len(kind.values) - 1)) % len(kind.values)], side // 2)
    elif meeting is Meeting.FAR:
        against = _chosen(_chosen(other.values, value), side // 2)
    else:
        against = _chosen(kind.vague if meeting is Meeting.VAGUE else other.vague, side // 2)
    return _Told(one, against) if side % 2 else _Told(against, one)


def _feeling(domain: Domain, is_same: bool, draws: Sequence[int]) -> _Told:
    good = draws[0] % 2
    left = domain.feelings[good]
    right = domain.feelings[good if is_same else 1 - good]
    place = draws[1] % len(left)
    if is_same:
        return _Told(left[place], right[(place + 1 + draws[2] % (len(right) - 1)) % len(right)])
    return _Told(left[place], _chosen(right, draws[2]))


def _sentence(template: str, who: str, told: Sequence[str], order: Sequence[int]) -> str:
    shown = [told[place] for place in order if place < len(told)]
    return template.format(n=who, **dict(zip("pqrs", shown, strict=False)))


def _chosen(choices: Sequence[T], draw: int) -> T:
    return choices[draw % len(choices)]
