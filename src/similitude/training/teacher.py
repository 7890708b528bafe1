"""A trained system as a teacher: it labels unrated pairs, and a smaller model learns from the labels.

The labels are saved in the folder of the training, so a training that resumes does not ask the teacher again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.plural import agreeing, counted
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener, VectorCache
from similitude.data.provenance import Provenance
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.systems import make_system
from similitude.systems.attach_cache import fingerprint_of
from similitude.training.labeller import Labeller, label_scale, without_conditions
from similitude.training.splits import SeveralData
from similitude.training.teacher_labels import LABELS, Labelled, LabelsFolder
from similitude.training.unlabelled_pairs import PairsToLabel, pairs_to_label

__all__ = ["TeacherLabels", "Teaching", "depends_on", "label_pairs", "labels_benchmark", "teaching_plan"]


@dataclass(frozen=True, slots=True)
class Teaching:
    """A teacher and the number of new pairs that it labels.

    Attributes:
        teacher: a system that predicts a standard deviation, as a user writes it.
        pairs: to make from the texts of the data: half by changing rated pairs, half by pairing neighbours.
        fewer_pairs: whether all that there are will do, because nobody asked for a number.
    """

    teacher: str
    pairs: int = 0
    fewer_pairs: bool = False

    def __post_init__(self) -> None:
        if self.pairs < 0:
            raise ArgumentError(f"cannot make {self.pairs:,} new pairs", remedy="give --new-pairs as 0 or more")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TeacherLabels:
    """The labels of a teacher.

    Attributes:
        benchmark: the pairs with the teacher's score and sigma, on the scale of the first training data.
        record: of the teacher and its labels, ready for JSON.
    """

    benchmark: Benchmark
    record: dict[str, Any]

    @property
    def note(self) -> str:
        """For the user: what was labelled, in one sentence."""
        return _note(self.record)


def teaching_plan(teaching: Teaching, unlabelled: Benchmark | None) -> dict[str, Any]:
    """What must be unchanged for a training with a teacher to be resumed.

    Raises:
        UnknownNameError: there is no such system.
        ArgumentError: its arguments are wrong.
    """
    return {
        "teacher": teaching.teacher,
        "model": fingerprint_of(make_system(teaching.teacher)),
        "pairs": teaching.pairs,
        "unlabelled": None if unlabelled is None else unlabelled.fingerprint,
    }


def label_pairs(
    data: SeveralData,
    teaching: Teaching,
    folder: Path,
    *,
    seed: int = 0,
    asks: bool = True,
    unlabelled: Benchmark | None = None,
    cache: VectorCache | None = None,
    listener: Listener | None = None,
) -> TeacherLabels:
    """Have a teacher label unrated pairs: new ones, and those that the user gives.

    New pairs are made from the training texts: half are rated pairs in which a text has lost or gained a part, half are
    pairs of neighbouring texts; if there are too few of one kind, the other makes up for it. Pairs of the training or
    validation data are never labelled, in either order; given pairs that are among them, or repeated, are left out and
    counted in the note. Scores are mapped to the scale of the first training data and clipped to it; sigmas are mapped
    likewise. The teacher scores one item first, so that an unsuitable one is refused before anything else is computed.

    Args:
        data: to learn from and to validate on.
        teaching: the teacher and the number of new pairs.
        folder: of the training; labels found there for the same inputs are read instead.
        seed: of new pairs, and of the order in which the teacher sees the pairs.
        asks: whether this process asks the teacher; of several processes one does, and the others wait.
        unlabelled: further pairs to label; their gold, if any, is ignored.
        cache: where encoders keep what they compute.
        listener: is told the progress.

    Raises:
        ArgumentError: there is nothing to label, there are too few texts for this many pairs, or the teacher predicts
            no standard deviation or has no range.
        PredictionError: a score is not a number.
        RunError: the folder holds labels of another teacher or for other pairs, or damaged ones.
        ScaleError: the data have no scale.
    """
    scale = label_scale(data.train[0])
    plan = teaching_plan(teaching, unlabelled)

    def label() -> Labelled:
        rng = np.random.default_rng(seed)
        labeller = Labeller.named(teaching.teacher, scale, cache=cache, listener=listener, needs_sigmas=True)
        _check_that_there_are_pairs(teaching, unlabelled)
        labeller.label(without_conditions(data.train[0].items.take(np.array([0]))), rng)
        pairs = pairs_to_label(
            data,
            teaching.pairs,
            unlabelled,
            rng=rng,
            or_fewer=teaching.fewer_pairs,
            cache=cache,
            listener=listener,
        )
        table = _labels(pairs.items, labeller.label(pairs.items, rng))
        return Labelled(table, _record(plan, pairs, table))

    labelled = LabelsFolder(folder / "runs", depends_on(data, plan, seed)).labelled(label, asks=asks)
    return TeacherLabels(
        benchmark=labels_benchmark(labelled.table, teaching.teacher, scale),
        record=labelled.record,
    )


def depends_on(data: SeveralData, plan: dict[str, Any], seed: int) -> dict[str, Any]:
    """What must be unchanged for labels to be reused, ready for JSON."""
    return {
        **plan,
        "seed": seed,
        "train": [part.fingerprint for part in data.train],
        "validation": [part.fingerprint for part in data.validation],
    }


def _check_that_there_are_pairs(teaching: Teaching, unlabelled: Benchmark | None) -> None:
    if not teaching.pairs and unlabelled is None:
        raise ArgumentError("there are no pairs for the teacher to label", remedy="give --new-pairs N or --unlabelled")


def _labels(items: Items, said: Predictions) -> pl.DataFrame:
    pairs = items.frame.select("id", "left", "right")
    return pairs.with_columns(pl.Series("score", said.scores), pl.Series("sigma", said.sigmas))


def _record(plan: dict[str, Any], pairs: PairsToLabel, table: pl.DataFrame) -> dict[str, Any]:
    return {
        "teacher": plan["teacher"],
        "model": plan["model"],
        "new_pairs": pairs.changed + pairs.neighbours,
        "changed_pairs": pairs.changed,
        "unlabelled_pairs": pairs.given,
        "left_out": pairs.left_out,
        "mean_score": round(float(table["score"].to_numpy().mean()), 6),
        "mean_sigma": round(float(table["sigma"].to_numpy().mean()), 6),
    }


def labels_benchmark(table: pl.DataFrame, teacher: str, scale: Scale) -> Benchmark:
    """The labels as gold of a benchmark."""
    provenance = Provenance(format="label_pairs", judged_by=f"the system {teacher}; nobody was asked")
    return Benchmark(name=f"taught by {teacher}", frame=table, scale=scale, provenance=provenance)


def _note(record: dict[str, Any]) -> str:
    made, given, out = (record[name] for name in ("new_pairs", "unlabelled_pairs", "left_out"))
    changed = record["changed_pairs"]
    kinds = {"rated pairs changed": changed, "neighbours": made - changed, "given by the user": given}
    parts = [f"{count:,} {kind}" for kind, count in kinds.items() if count]
    was_out = agreeing(out, "given pair", "was left out: it is", "were left out: they are")
    repeated = f"; {was_out} in the training or validation data, or repeated"
    return (
        f"{record['teacher']} labelled {counted(made + given, 'unrated pair')} ({', '.join(parts)}), mean "
        f"{record['mean_score']:.2f} and sigma {record['mean_sigma']:.2f} on average (runs/{LABELS})"
        f"{repeated if out else ''}"
    )
