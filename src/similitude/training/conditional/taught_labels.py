"""A teacher labels items for a similarity model: new ones, and those that people rated.

The labels are saved in the folder of the training, so a training that resumes does not ask the teacher again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.plural import agreeing, counted
from similitude.data.protocols import AnswerCache, Listener, VectorCache
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.stats import pearson, spearman
from similitude.systems import make_system
from similitude.systems.attach_cache import fingerprint_of
from similitude.systems.prompted.language_model_system import file_fingerprint
from similitude.systems.prompted.named_model import named_language_model
from similitude.training.conditional.items_to_label import (
    ItemsToLabel,
    has_conditions,
    items_to_label,
    plain_pairs_to_label,
)
from similitude.training.conditional.new_conditions import ConditionSource
from similitude.training.conditional.similarity_teaching import SimilarityTeaching
from similitude.training.examples import Examples
from similitude.training.labeller import Labeller, label_scale, without_conditions
from similitude.training.splits import SeveralData, TrainingData
from similitude.training.teacher import depends_on
from similitude.training.teacher_labels import LABELS, Labelled, LabelsFolder

__all__ = ["TaughtLabels", "TeachingInputs", "label_items", "similarity_teaching_plan"]

RATED = "rated-"
"""What the ids of rated items begin with among the labels."""


class TeachingInputs(NamedTuple):
    """What a teacher needs beside the data.

    Attributes:
        unlabelled: items that the user gives; None for none.
        cache: where encoders keep what they compute.
        answers: where language models' answers are kept.
        listener: is told the progress.
    """

    unlabelled: Benchmark | None = None
    cache: VectorCache | None = None
    answers: AnswerCache | None = None
    listener: Listener | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class TaughtLabels:
    """The labels of a teacher, as shares of the scale.

    Attributes:
        items: new and given ones; those that share their texts share a group and are adjacent.
        scores: of the items.
        rated: the teacher's scores of the rated items, in the order of the examples; None if it was not asked.
        record: of the teacher and its labels, ready for JSON.
    """

    items: Items
    scores: NDArray[np.float32]
    rated: NDArray[np.float64] | None
    record: Mapping[str, Any]

    @property
    def notes(self) -> tuple[str, ...]:
        """For the user: what was labelled."""
        return (_note(self.record), *self.record["notes"])


def similarity_teaching_plan(teaching: SimilarityTeaching, unlabelled: Benchmark | None) -> dict[str, Any]:
    """What must be unchanged for a training with a teacher to be resumed.

    Raises:
        UnknownNameError: there is no such system.
        ArgumentError: its arguments are wrong.
        InputError: the file of conditions cannot be read.
    """
    return {
        "teacher": teaching.teacher,
        "model": fingerprint_of(make_system(teaching.teacher)),
        **teaching.record(),
        **_source_fingerprint(teaching),
        "unlabelled": None if unlabelled is None else unlabelled.fingerprint,
    }


def _source_fingerprint(teaching: SimilarityTeaching) -> dict[str, str]:
    if teaching.conditions_file is not None:
        return {"conditions": file_fingerprint(teaching.conditions_file)}
    if teaching.language_model is not None:
        return {"conditions": named_language_model(teaching.language_model).language_model.key.fingerprint}
    return {}


def label_items(
    data: TrainingData,
    examples: Examples,
    teaching: SimilarityTeaching,
    folder: Path,
    inputs: TeachingInputs,
    *,
    reads_conditions: bool,
    seed: int = 0,
    asks: bool = True,
) -> TaughtLabels:
    """Have a teacher label new and given items and, if its scores are blended with gold, the rated ones.

    The teacher scores one rated item first, so that an unsuitable one is refused before anything else is computed.

    Args:
        data: to learn from and to validate on.
        examples: the items to learn from, in the order of training.
        teaching: the teacher, and what it labels.
        folder: of the training; labels found there for the same inputs are read instead.
        inputs: given items, caches and listener.
        reads_conditions: whether the student reads conditions.
        seed: of new items, and of the order in which the teacher sees them.
        asks: whether this process asks the teacher; of several processes one does, and the others wait.

    Raises:
        ArgumentError: there is nothing to label or learn, there are too few texts or conditions, or the teacher has no
            range or does not read conditions.
        InputError: a given item has no condition, or the file of conditions cannot be used.
        PredictionError: a score is not a number.
        RunError: the folder holds labels of another teacher or of other items, or damaged ones.
        ScaleError: the data has no scale.
    """
    scale = label_scale(data.train)
    plan = similarity_teaching_plan(teaching, inputs.unlabelled)
    with_conditions = reads_conditions and has_conditions(data.train.items)
    known = examples.items if with_conditions else without_conditions(examples.items)
    rated = known if teaching.blend else Items(known.frame.clear())

    def label() -> Labelled:
        rng = np.random.default_rng(seed)
        labeller = Labeller.named(
            teaching.teacher, scale, cache=inputs.cache, answers=inputs.answers, listener=inputs.listener
        )
        _check(labeller, teaching, inputs, with_conditions=with_conditions)
        labeller.label(known.take(np.array([0])), rng)
        source = ConditionSource(teaching, inputs.cache, inputs.answers, inputs.listener)
        find = items_to_label if with_conditions else plain_pairs_to_label
        found = find(data, source, inputs.unlabelled, rng)
        everything = pl.concat([found.items.frame, rated.frame.with_columns(id=RATED + pl.col("id"))])
        said = labeller.label(Items(everything), rng)
        columns = ["id", "left", "right", *(["condition", "group"] if with_conditions else [])]
        table = everything.select(columns).with_columns(pl.Series("score", said.scores))
        return Labelled(table, _record(plan, found, _gold_figures(examples, said.scores[len(found.items) :])))

    several = SeveralData((data.train,), (data.validation,))
    labelled = LabelsFolder(folder / "runs", depends_on(several, plan, seed)).labelled(label, asks=asks)
    return _labels(labelled, len(rated), scale)


def _check(labeller: Labeller, teaching: SimilarityTeaching, inputs: TeachingInputs, *, with_conditions: bool) -> None:
    if with_conditions and "condition" not in labeller.system.reads:
        raise ArgumentError(
            f"teacher '{teaching.teacher}' does not read conditions",
            remedy="use one that does, such as conditional(FOLDER), made by 'similitude train conditional'",
        )
    if not teaching.wants_new and inputs.unlabelled is None and not teaching.blend:
        flags = "--new-conditions N, --new-pairs N" if with_conditions else "--new-pairs N"
        raise ArgumentError(
            "there are no items for the teacher to label", remedy=f"give {flags}, --unlabelled or --teacher-weight"
        )
    asks_for_conditions = bool(teaching.conditions) and not teaching.fewer_conditions
    if not with_conditions and (teaching.conditions_from is not None or asks_for_conditions):
        raise ArgumentError(
            "there are no conditions to learn", remedy="use 'similitude train pairs', or give --new-conditions 0"
        )


def _gold_figures(examples: Examples, scores: NDArray[np.float64]) -> dict[str, float | None] | None:
    """The correlation of the teacher's scores of rated items with gold; None if it was not asked."""
    if not len(scores):
        return None
    wanted = examples.gold.astype(np.float64)
    figures = {"spearman": float(spearman(scores, wanted)), "pearson": float(pearson(scores, wanted))}
    return {name: None if value != value else round(value, 6) for name, value in figures.items()}


def _record(plan: Mapping[str, Any], found: ItemsToLabel, on_rated: dict[str, float | None] | None) -> dict[str, Any]:
    return {
        "teacher": plan["teacher"],
        "model": plan["model"],
        **found.counts,
        "items": len(found.items),
        "left_out": found.left_out,
        "conditions_from": plan["conditions_from"],
        "teacher_weight": plan["teacher_weight"],
        "taught_weight": plan["taught_weight"],
        "on_rated": on_rated,
        "notes": list(found.notes),
    }


def _labels(labelled: Labelled, rated: int, scale: Scale) -> TaughtLabels:
    new = labelled.table.height - rated
    shares = (labelled.table["score"].to_numpy() - scale.low) / scale.width
    frame = labelled.table.head(new).drop("score")
    items = Benchmark(name="taught", frame=frame, scale=None).items if new else Items.from_pairs([], [])
    return TaughtLabels(
        items=items,
        scores=shares[:new].astype(np.float32),
        rated=shares[new:] if rated else None,
        record=labelled.record,
    )


def _note(record: Mapping[str, Any]) -> str:
    kinds = {
        "new_conditions": ("rated pair", " under new conditions"),
        "new_pairs": ("new pair", " under two conditions each" if "new_conditions" in record else ""),
    }
    parts = [counted(record[name], kind) + more for name, (kind, more) in kinds.items() if record.get(name)]
    parts += [f"{record['unlabelled']:,} given by the user"] if record.get("unlabelled") else []
    unrated = f"{counted(record['items'], 'unrated item')} ({', '.join(parts)})" if parts else ""
    rated = "the rated items" if record["on_rated"] is not None else ""
    out = record["left_out"]
    was_out = agreeing(out, "given item", "was left out: it is", "were left out: they are")
    repeated = f"; {was_out} rated, validated on, or repeated" if out else ""
    both = " and ".join(part for part in (unrated, rated) if part)
    return f"{record['teacher']} labelled {both} (runs/{LABELS}){repeated}"
