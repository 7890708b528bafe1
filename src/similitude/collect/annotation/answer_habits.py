"""Habits: how often a person chooses each place or value, against what chance would give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from similitude.collect.annotation.answer_records import Habit
from similitude.collect.annotation.rating_scale import RatingScale, written_number
from similitude.collect.annotation.records import Shown
from similitude.collect.annotation.tasks import AnnotationTask
from similitude.stats.choice_counts import choice_test

__all__ = ["Trial", "category_of", "habits_of", "value_categories"]

MOST_VALUES = 21
"""The most categories of a scale; a finer one is cut into `PARTS`."""
PARTS = 10
SEED = 1


class Trial(NamedTuple):
    """One answer of a person: what they chose, how they saw the question, and what others chose."""

    value: Mapping[str, Any]
    shown: Shown
    others: Sequence[Mapping[str, Any]]


def habits_of(task: AnnotationTask, trials: Sequence[Trial]) -> tuple[Habit, ...]:
    """A habit for each field that can be counted: places for options, values for a scale and for yes or no.

    Places are expected to be chosen equally often, because every person sees options in an order of their own. Values
    are expected as often as anybody gives them to the same questions, the person included.
    """
    return tuple(habit for field in task.fields for habit in _habit(task, field, trials))


def _habit(task: AnnotationTask, field: str, trials: Sequence[Trial]) -> Iterator[Habit]:
    if field in task.choice_fields:
        yield from _places(field, trials)
        return
    labels = value_categories(task, field, [trial.value for trial in trials])
    if labels:
        yield from _values(task.scale, field, labels, trials)


def _places(field: str, trials: Sequence[Trial]) -> Iterator[Habit]:
    seen = [[option.id for option in trial.shown.options] for trial in trials]
    kept = [(ids, trial.value[field]) for ids, trial in zip(seen, trials, strict=True) if trial.value[field] in ids]
    if not kept:
        return
    sizes = np.array([len(ids) for ids, _ in kept])
    chosen = np.array([ids.index(value) for ids, value in kept])
    pool = np.concatenate([np.arange(size) for size in sizes])
    found = choice_test(chosen, pool, sizes, int(sizes.max()), rng=np.random.default_rng(SEED))
    labels = tuple(str(place + 1) for place in range(int(sizes.max())))
    counts, expected = tuple(found.counts.tolist()), tuple(found.expected.tolist())
    yield Habit(field, "places", labels, counts, expected, found.p_value, len(kept))


def _values(
    scale: RatingScale | None, field: str, labels: Mapping[Any, str], trials: Sequence[Trial]
) -> Iterator[Habit]:
    places = {label: place for place, label in enumerate(dict.fromkeys(labels.values()))}

    def place(value: Mapping[str, Any]) -> int | None:
        return places.get(category_of(scale, field, value))

    told = [(own, trial) for trial in trials if (own := place(trial.value)) is not None]
    if not told:
        return
    pools = [[own, *(at for other in trial.others if (at := place(other)) is not None)] for own, trial in told]
    sizes = np.array([len(pool) for pool in pools])
    chosen = np.array([own for own, _ in told])
    found = choice_test(chosen, np.concatenate(pools), sizes, len(places), rng=np.random.default_rng(SEED))
    counts, expected = tuple(found.counts.tolist()), tuple(found.expected.tolist())
    yield Habit(field, "values", tuple(places), counts, expected, found.p_value, int((sizes > 1).sum()))


def value_categories(task: AnnotationTask, field: str, answers: Sequence[Mapping[str, Any]]) -> dict[Any, str]:
    """The categories that a field's values fall into, by value; empty for options and for texts that people write."""
    given = [answer[field] for answer in answers if answer.get(field) is not None]
    if field in task.choice_fields or not given:
        return {}
    if all(isinstance(value, bool) for value in given):
        return {True: "yes", False: "no"}
    if task.scale is None or any(isinstance(value, bool | str) for value in given):
        return {}
    return {value: category_of(task.scale, field, {field: value}) for value in _points(task.scale)}


def _points(scale: RatingScale) -> Sequence[float]:
    if len(scale.points) <= MOST_VALUES:
        return scale.points
    width = (scale.high - scale.low) / PARTS
    return [scale.low + (part + 0.5) * width for part in range(PARTS)]


def category_of(scale: RatingScale | None, field: str, answer: Mapping[str, Any]) -> str:
    """The category of one answer's value, in words; empty where it has none."""
    value = answer.get(field)
    if value is None or isinstance(value, str):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if scale is None or len(scale.points) <= MOST_VALUES:
        return written_number(value)
    width = (scale.high - scale.low) / PARTS
    part = min(int((value - scale.low) / width), PARTS - 1)
    ends = (scale.low + part * width, scale.low + (part + 1) * width)
    return "–".join(written_number(end) for end in ends)
