"""The order of questions in a batch: random, but gold is never first and a repeat keeps its distance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from similitude.collect.design.design import PlannedQuestion

__all__ = ["arrange", "reachable_distance"]


def arrange(questions: Sequence[PlannedQuestion], draws: Mapping[str, float], distance: int) -> list[PlannedQuestion]:
    """Put the questions of one batch in order.

    The order depends on the draws alone. They come from a random generator when a plan is made, and from a hash for
    each annotator.

    Args:
        questions: the questions of one batch.
        draws: for each question, a number in [0, 1).
        distance: the number of places that a repeat keeps from its original; `reachable_distance` lowers it if the
            batch is too short.

    >>> asked = [PlannedQuestion(question=name, items=(name,)) for name in "abc"]
    >>> asked.append(PlannedQuestion(question="a#again", items=("a",), kind="repeat", repeats="a"))
    >>> drawn = {"a": 0.9, "b": 0.1, "c": 0.5, "a#again": 0.0}
    >>> [one.question for one in arrange(asked, drawn, 2)]
    ['b', 'a', 'c', 'a#again']
    """
    repeats = sorted((one for one in questions if one.kind == "repeat"), key=lambda one: draws[one.question])
    by_name = {one.question: one for one in questions}
    keep = reachable_distance(len(questions), len(repeats), distance)
    slots: dict[int, PlannedQuestion] = {}
    for left, repeat in zip(reversed(range(len(repeats))), repeats, strict=True):
        original = by_name[str(repeat.repeats)]
        free = [place for place in range(len(questions)) if place not in slots]
        drawn = (draws[original.question], draws[repeat.question])
        first, second = _two_slots(free, left, keep, drawn)
        slots |= {first: original, second: repeat}
    placed = {one.question for one in slots.values()}
    rest = sorted((one for one in questions if one.question not in placed), key=lambda one: draws[one.question])
    waiting = iter(rest)
    return _work_first([slots[place] if place in slots else next(waiting) for place in range(len(questions))])


def reachable_distance(questions: int, repeats: int, wanted: int) -> int:
    """The distance that all repeats of a batch can keep from their originals: at most questions - repeats.

    >>> reachable_distance(20, 1, 5), reachable_distance(4, 1, 5), reachable_distance(4, 2, 5)
    (5, 3, 2)
    """
    return min(wanted, questions - repeats)


def _two_slots(free: Sequence[int], left: int, distance: int, draws: tuple[float, float]) -> tuple[int, int]:
    """Choose slots for an original and its repeat by two draws, so that ``left`` more pairs still fit."""
    firsts = [place for place in free if free[-1] - place >= distance]
    for first in _turned(firsts, draws[0]):
        seconds = [place for place in free if place - first >= distance]
        for second in _turned(seconds, draws[1]):
            if _fit([place for place in free if place not in (first, second)], left, distance):
                return first, second
    raise AssertionError("a reachable distance always leaves two slots")


def _fit(free: Sequence[int], pairs: int, distance: int) -> bool:
    """Whether this many pairs fit: place originals as early and repeats as late as possible."""
    return all(free[len(free) - pairs + place] - free[place] >= distance for place in range(pairs))


def _turned(places: list[int], draw: float) -> list[int]:
    """Rotate the places to begin at the one that was drawn."""
    start = int(draw * len(places))
    return places[start:] + places[:start]


def _work_first(order: list[PlannedQuestion]) -> list[PlannedQuestion]:
    """Exchange the first question with the first work question; this moves an original only forward."""
    place = next((place for place, one in enumerate(order) if one.kind == "work"), 0)
    order[0], order[place] = order[place], order[0]
    return order
