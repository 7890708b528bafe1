"""How the answers to one question are distributed, field by field, and how far they lie apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from similitude.collect.annotation.answer_habits import category_of, value_categories
from similitude.collect.annotation.records import Shown
from similitude.collect.annotation.tasks import AnnotationTask
from similitude.stats.choice_counts import commonest_share, normalised_entropy

__all__ = ["FieldSpread", "field_spreads"]


class FieldSpread(NamedTuple):
    """The answers to one field.

    Attributes:
        of: "options" of the question, or "values" of a scale and of yes or no.
        labels: the texts of options, or the values.
        counts: how often each was chosen.
        commonest: the share of the commonest; nan without answers.
        entropy: 0 when all choose the same, 1 when all labels are equally frequent; nan without answers.
        mean: of numbers, else nan.
        deviation: the population standard deviation of numbers; nan for fewer than two.
    """

    field: str
    of: Literal["options", "values"]
    labels: tuple[str, ...]
    counts: tuple[int, ...]
    commonest: float
    entropy: float
    mean: float = float("nan")
    deviation: float = float("nan")


def field_spreads(task: AnnotationTask, shown: Shown, answers: Sequence[Mapping[str, Any]]) -> tuple[FieldSpread, ...]:
    """The spread of each field whose answers can be counted; none for what people write freely.

    >>> from similitude.collect.annotation.tasks import RatingTask
    >>> spread = field_spreads(RatingTask(), Shown(left="a", right="b"), [{"value": 1.0}, {"value": 3.0}])[0]
    >>> spread.counts, spread.mean, spread.deviation
    ((0, 1, 0, 1, 0, 0), 2.0, 1.0)
    """
    return tuple(spread for field in task.fields for spread in _spread(task, field, shown, answers))


def _spread(
    task: AnnotationTask, field: str, shown: Shown, answers: Sequence[Mapping[str, Any]]
) -> Iterator[FieldSpread]:
    if field in task.choice_fields:
        ids = [option.id for option in shown.options]
        counts = np.array([sum(answer[field] == id_ for answer in answers) for id_ in ids], dtype=np.intp)
        yield _counted(field, "options", tuple(option.text for option in shown.options), counts)
        return
    labels = tuple(dict.fromkeys(value_categories(task, field, answers).values()))
    if not labels:
        return
    given = [category_of(task.scale, field, answer) for answer in answers]
    counts = np.array([given.count(label) for label in labels], dtype=np.intp)
    numbers = [answer[field] for answer in answers if _is_number(answer.get(field))]
    mean = float(np.mean(numbers)) if numbers else float("nan")
    deviation = float(np.std(numbers)) if len(numbers) > 1 else float("nan")
    yield _counted(field, "values", labels, counts)._replace(mean=mean, deviation=deviation)


def _counted(field: str, of: Literal["options", "values"], labels: tuple[str, ...], counts: Any) -> FieldSpread:
    return FieldSpread(field, of, labels, tuple(counts.tolist()), commonest_share(counts), normalised_entropy(counts))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
