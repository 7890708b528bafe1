"""What a taught student learns from: rated items whose targets are blended with a teacher's scores, and its labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.item_keys import item_keys
from similitude.training.conditional.similarity_teaching import SimilarityTeaching
from similitude.training.conditional.taught_labels import TaughtLabels
from similitude.training.examples import Examples
from similitude.training.fold_teachers import TwoGolds, blend
from similitude.training.objectives import Objective

__all__ = ["ORDERED", "Taught", "taught_by"]

ORDERED = 0.25
"""How far apart, as a share of the scale, a teacher's two scores must lie for the hinge to keep their order."""


class Taught(NamedTuple):
    """Items to learn from, the rated ones first, and the objective over their gold.

    Attributes:
        items: in units of one or two.
        gold: items x 2: the target of the squared error, and the order of the hinge.
        sources: how much each item counts by who labelled it; None if all count alike.
        objective: maps scores and gold to the loss of a batch.
        record: of the teacher, ready for JSON.
        notes: what the user should know.
    """

    items: Items
    gold: NDArray[np.float32]
    sources: NDArray[np.float32] | None
    objective: TwoGolds
    record: Mapping[str, Any]
    notes: tuple[str, ...]


def taught_by(examples: Examples, labels: TaughtLabels, teaching: SimilarityTeaching, objective: Objective) -> Taught:
    """The rated items and those that the teacher labelled.

    The target of a rated item is a blend of gold and the teacher's score; its order is that of gold. The target of a
    labelled item is the teacher's score. Where the objective needs twos, two labelled items with the same texts are one
    unit, and the hinge keeps their order if their scores are at least a quarter of the scale apart: it demands the
    whole margin, however small the difference. Items without such a partner are put together two by two, without order.

    Args:
        examples: the rated items.
        labels: of the teacher.
        teaching: the weights.
        objective: of the student.
    """
    gold = examples.gold
    target = gold if labels.rated is None else blend(gold, labels.rated, teaching.blend)
    people = np.stack([target, gold], axis=1)
    places, is_together = _units(labels.items, examples.unit)
    score = labels.scores[places]
    taught = np.stack([score, _orders(score, is_together, examples.unit)], axis=1)
    return Taught(
        items=Items(pl.concat([examples.items.frame, labels.items.take(places).frame])),
        gold=np.concatenate([people, taught]),
        sources=_sources(len(people), len(taught), teaching),
        objective=TwoGolds(objective),
        record=labels.record,
        notes=(*labels.notes, *_notes(len(labels.items) - len(places))),
    )


def _sources(rated: int, taught: int, teaching: SimilarityTeaching) -> NDArray[np.float32] | None:
    """1 for labels of people and the weight of those of the teacher; None if both count alike."""
    if teaching.weight == 1:
        return None
    return np.repeat(np.array([1.0, teaching.weight], np.float32), [rated, taught])


def _notes(dropped: int) -> tuple[str, ...]:
    return ("1 labelled item was left out: it has no partner for the objective's pairs",) if dropped else ()


def _units(items: Items, unit: int) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The places of items, unit by unit, and whether the items of each unit share their texts."""
    if unit == 1:
        return np.arange(len(items)), np.zeros(len(items), bool)
    waiting: dict[object, int] = {}
    twos: list[int] = []
    groups = items.frame["group"].to_list()
    for place, (pair, _) in enumerate(item_keys(items)):
        key = (pair, groups[place])
        if key in waiting:
            twos += [waiting.pop(key), place]
        else:
            waiting[key] = place
    alone = list(waiting.values())
    alone = alone[: len(alone) - len(alone) % 2]
    is_together = np.repeat([True, False], [len(twos) // 2, len(alone) // 2])
    return np.array([*twos, *alone], np.intp), is_together


def _orders(scores: NDArray[np.float32], is_together: NDArray[np.bool_], unit: int) -> NDArray[np.float32]:
    """The scores; the two of a unit that are near each other, or do not belong together, are equal: no order."""
    if unit == 1:
        return scores
    twos = scores.reshape(-1, 2)
    counts = is_together & (np.abs(twos[:, 0] - twos[:, 1]) >= ORDERED)
    return np.where(counts[:, None], twos, 0.0).astype(np.float32).reshape(-1)
