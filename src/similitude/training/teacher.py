"""A trained system as a teacher: what it says of pairs that nobody rated, for a smaller one to learn from.

Its labels stay in the folder of the training, so that one that was stopped does not ask again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark, Provenance
from similitude.data.item import Items
from similitude.data.listeners import NamedListener
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener, System, VectorCache
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, PredictionError, ScaleError
from similitude.evaluate.rescaling import mapping_from_range
from similitude.systems import make_system
from similitude.systems.attach_cache import attach_cache, fingerprint_of
from similitude.systems.scores import score_items
from similitude.training.splits import SeveralData
from similitude.training.teacher_labels import LABELS, Labelled, LabelsShelf
from similitude.training.unlabelled_pairs import PairsToLabel, pairs_to_label

__all__ = ["Taught", "Teaching", "taught", "teaching_plan"]


@dataclass(frozen=True, slots=True)
class Teaching:
    """Who teaches, and how much.

    Attributes:
        teacher: a system that says how far people would differ, as a user writes it.
        pairs: to be made anew from the texts of the data: half by changing rated pairs, half of neighbours.
    """

    teacher: str
    pairs: int = 0

    def __post_init__(self) -> None:
        if self.pairs < 0:
            raise ArgumentError(f"cannot make {self.pairs:,} new pairs", remedy="give --new-pairs from 0 up")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Taught:
    """What the teacher leaves to the student.

    Attributes:
        benchmark: the pairs with the teacher's score and sigma, on the scale of the first data to learn from.
        record: of the teaching, ready for JSON.
        note: that the user should read.
        seconds: that it took in this process.
    """

    benchmark: Benchmark
    record: dict[str, Any]
    note: str
    seconds: float


def teaching_plan(teaching: Teaching, unlabelled: Benchmark | None) -> dict[str, Any]:
    """What must be the same for a training with a teacher to go on.

    Raises:
        UnknownNameError: there is no such teacher.
        ArgumentError: it cannot be made as it is written.
    """
    return {
        "teacher": teaching.teacher,
        "model": fingerprint_of(make_system(teaching.teacher)),
        "pairs": teaching.pairs,
        "unlabelled": None if unlabelled is None else unlabelled.fingerprint,
    }


def taught(
    data: SeveralData,
    teaching: Teaching,
    folder: Path,
    *,
    unlabelled: Benchmark | None = None,
    seed: int = 0,
    asks: bool = True,
    cache: VectorCache | None = None,
    listener: Listener | None = None,
) -> Taught:
    """What a teacher says of pairs that nobody rated: new ones, and those that the user gives.

    New pairs are made of the texts to learn from: half of them are rated pairs of which a text has lost or gained a
    part, half neighbours; where there are too few of one kind, the other makes up for it. No pair to learn from or to
    validate on is ever labelled, in either order; given pairs that are one of those, or that came before, are left out
    and counted in the note. Scores are mapped to the scale of the first data to learn from and cut to it; sigmas go
    along. The teacher is asked about one item first, so that one that will not do is refused before anything is
    computed.

    Args:
        data: to learn from and to validate on.
        teaching: the teacher, and how many new pairs.
        folder: of the training; labels that are there and depend on the same are read instead of asked for.
        unlabelled: pairs to be labelled as well; their gold, if any, is not looked at.
        seed: of new pairs, and of the order in which the teacher sees all pairs.
        asks: whether this process asks the teacher; of several that train together one does, and the others wait.
        cache: where encoders keep what they compute.
        listener: hears how far it is.

    Raises:
        ArgumentError: there is nothing to label, there are too few texts for so many pairs, or the teacher says
            nothing of disagreement or has no range.
        PredictionError: a score is not a number.
        RunError: the folder holds the labels of another teaching, or damaged ones.
        ScaleError: the data have no scale.
    """
    started = time.monotonic()
    scale = _scale(data)
    plan = teaching_plan(teaching, unlabelled)
    shelf = LabelsShelf(folder / "runs", _depends_on(data, plan, seed))
    labelled = shelf.read() if asks else shelf.awaited()
    if labelled is None:
        rng = np.random.default_rng(seed)
        ask = _Asking(teaching.teacher, attach_cache(make_system(teaching.teacher), cache), scale, listener)
        _check_that_there_are_pairs(teaching, unlabelled)
        ask.about(data.train[0].items.take(np.array([0])), rng)
        pairs = pairs_to_label(data, teaching.pairs, unlabelled, rng=rng, cache=cache, listener=listener)
        table = _labels(pairs.items, ask.about(pairs.items, rng))
        labelled = Labelled(table, _record(plan, pairs, table))
        shelf.write(labelled)
    return Taught(
        benchmark=_benchmark(labelled.table, teaching.teacher, scale),
        record=labelled.record,
        note=_note(labelled.record),
        seconds=time.monotonic() - started,
    )


def _depends_on(data: SeveralData, plan: dict[str, Any], seed: int) -> dict[str, Any]:
    return {
        **plan,
        "seed": seed,
        "train": [part.fingerprint for part in data.train],
        "validation": [part.fingerprint for part in data.validation],
    }


def _check_that_there_are_pairs(teaching: Teaching, unlabelled: Benchmark | None) -> None:
    if not teaching.pairs and unlabelled is None:
        raise ArgumentError("there are no pairs for the teacher to label", remedy="give --new-pairs N or --unlabelled")


def _scale(data: SeveralData) -> Scale:
    first = data.train[0]
    if first.scale is None:
        raise ScaleError("the scale of its scores is not known", where=first.name, remedy="declare it: --scale 0..5")
    return first.scale


@dataclass(frozen=True, slots=True)
class _Asking:
    """A teacher and the scale on which it is to answer."""

    written: str
    system: System
    scale: Scale
    listener: Listener | None

    def about(self, items: Items, rng: np.random.Generator) -> Predictions:
        """Score and sigma of each item, on the scale.

        Raises:
            ArgumentError: there is no sigma, or no range.
            PredictionError: a score is not a number.
        """
        said, _ = score_items(self.system, items, rng, NamedListener(self.listener, name="teacher"))
        self._check_sigmas(said, items)
        bad = np.flatnonzero(~np.isfinite(said.scores))
        if bad.size:
            what = f"teacher '{self.written}' gave no number for '{items.lefts[bad[0]]}' and '{items.rights[bad[0]]}'"
            raise PredictionError(what, remedy="mend the system, or take another as a teacher")
        mapping = mapping_from_range(self.system.range, self.scale)
        if not mapping.reaches_scale:
            what = f"teacher '{self.written}' declares no range: what it says cannot be brought to {self.scale}"
            raise ArgumentError(what, remedy="take one with a range, such as uncertain(FOLDER)")
        there = mapping.apply(said)
        return Predictions(np.clip(there.scores, self.scale.low, self.scale.high), there.sigmas)

    def _check_sigmas(self, said: Predictions, items: Items) -> None:
        remedy = "take one that does, such as uncertain(FOLDER), made by 'similitude train uncertain'"
        what = f"teacher '{self.written}' does not say how far people would differ"
        if said.sigmas is None:
            raise ArgumentError(what, remedy=remedy)
        bad = np.flatnonzero(~(np.isfinite(said.sigmas) & (said.sigmas >= 0)))
        if bad.size:
            first = f"'{items.lefts[bad[0]]}' and '{items.rights[bad[0]]}'"
            raise ArgumentError(f"{what} over {bad.size:,} of {len(items):,} pairs, first {first}", remedy=remedy)


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


def _benchmark(table: pl.DataFrame, teacher: str, scale: Scale) -> Benchmark:
    provenance = Provenance(format="taught", judged_by=f"the system {teacher}; nobody was asked")
    return Benchmark(name=f"taught by {teacher}", frame=table, scale=scale, provenance=provenance)


def _note(record: dict[str, Any]) -> str:
    """In one sentence."""
    made, given, out = (record[name] for name in ("new_pairs", "unlabelled_pairs", "left_out"))
    changed = record["changed_pairs"]
    kinds = {"rated pairs changed": changed, "neighbours": made - changed, "that were given": given}
    parts = [f"{count:,} {kind}" for kind, count in kinds.items() if count]
    told = f"; {out:,} given pairs were left out: they are learned from or validated on, or came before" if out else ""
    return (
        f"{record['teacher']} labelled {made + given:,} pairs that nobody rated ({', '.join(parts)}), mean "
        f"{record['mean_score']:.2f} and sigma {record['mean_sigma']:.2f} on average (runs/{LABELS}){told}"
    )
