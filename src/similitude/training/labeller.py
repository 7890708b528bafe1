"""A system that labels items on the scale of some data: scores, and sigmas where they are needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.listeners import NamedListener
from similitude.data.prediction import Predictions
from similitude.data.protocols import AnswerCache, Listener, System, VectorCache
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, PredictionError, ScaleError
from similitude.evaluate.rescaling import mapping_from_range
from similitude.systems import make_system
from similitude.systems.attach_cache import attach_cache
from similitude.systems.scores import score_items

__all__ = ["Labeller", "label_scale", "without_conditions"]


def label_scale(data: Benchmark) -> Scale:
    """The scale of the labels: that of the data.

    Raises:
        ScaleError: it is unknown.
    """
    if data.scale is None:
        raise ScaleError("the scale of its scores is unknown", where=data.name, remedy="declare it: --scale 0..5")
    return data.scale


def without_conditions(items: Items) -> Items:
    """The items as a student that reads no conditions sees them."""
    return Items(items.frame.with_columns(condition=pl.lit(None, pl.String)))


@dataclass(frozen=True, slots=True)
class Labeller:
    """A teacher and the scale of its labels.

    Attributes:
        written: the teacher as the user writes it.
        system: the teacher.
        scale: to which its scores are mapped.
        listener: is told the progress.
        needs_sigmas: whether the teacher must predict how far people differ.
    """

    written: str
    system: System
    scale: Scale
    listener: Listener | None
    needs_sigmas: bool = False

    @classmethod
    def named(
        cls,
        written: str,
        scale: Scale,
        *,
        cache: VectorCache | None = None,
        answers: AnswerCache | None = None,
        listener: Listener | None = None,
        needs_sigmas: bool = False,
    ) -> Labeller:
        """The teacher of that name, with caches.

        Raises:
            UnknownNameError: there is no such system.
            ArgumentError: its arguments are wrong.
        """
        system = attach_cache(make_system(written), cache, answers)
        return cls(written, system, scale, listener, needs_sigmas)

    def label(self, items: Items, rng: np.random.Generator) -> Predictions:
        """The score of each item on the scale, clipped to it, and its sigma if the teacher predicts one.

        Raises:
            ArgumentError: the teacher predicts no sigma where one is needed, or has no range.
            PredictionError: a score is not a number.
        """
        said, _ = score_items(self.system, items, rng, NamedListener(self.listener, name="teacher"))
        if self.needs_sigmas:
            self._check_sigmas(said, items)
        bad = np.flatnonzero(~np.isfinite(said.scores))
        if bad.size:
            what = f"teacher '{self.written}' gave no number for '{items.lefts[bad[0]]}' and '{items.rights[bad[0]]}'"
            raise PredictionError(what, remedy="fix the system, or use another teacher")
        mapping = mapping_from_range(self.system.range, self.scale)
        if not mapping.reaches_scale:
            what = f"teacher '{self.written}' declares no range, so its scores cannot be mapped to {self.scale}"
            usual = "uncertain(FOLDER)" if self.needs_sigmas else "conditional(FOLDER)"
            raise ArgumentError(what, remedy=f"use one with a range, such as {usual}")
        there = mapping.apply(said)
        return Predictions(np.clip(there.scores, self.scale.low, self.scale.high), there.sigmas)

    def _check_sigmas(self, said: Predictions, items: Items) -> None:
        remedy = "use one that does, such as uncertain(FOLDER), made by 'similitude train uncertain'"
        what = f"teacher '{self.written}' does not predict how far people differ"
        if said.sigmas is None:
            raise ArgumentError(what, remedy=remedy)
        bad = np.flatnonzero(~(np.isfinite(said.sigmas) & (said.sigmas >= 0)))
        if bad.size:
            first = f"'{items.lefts[bad[0]]}' and '{items.rights[bad[0]]}'"
            raise ArgumentError(f"{what} over {bad.size:,} of {len(items):,} pairs, first {first}", remedy=remedy)
