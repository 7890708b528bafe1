"""Evaluates all measures and systems on the same resamples, in chunks that bound memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from similitude import stats
from similitude.evaluate.measures.resampled_comparison import drawn
from similitude.evaluate.significance.redraw import redrawn, redrawn_systems
from similitude.evaluate.significance.tested_measure import TestedMeasure
from similitude.stats.arrays import Array, Integers

__all__ = ["Permuted", "Progress", "Resampler", "Steps"]

Progress = Callable[[str, int, int], None]
"""Called with the stage, the number of resamples done, and the total."""

CHUNK_CELLS = 8_000_000
"""How many weights are held at a time: 64 MB, and a few times that during computation."""
CHUNK_RESAMPLES = 1000
"""The largest number of resamples per chunk."""
REPORTS = 24
"""About how often progress is reported."""
BOOTSTRAP, JACKKNIFE, PERMUTATION, REDRAW = range(4)
"""Each has its own random stream, so none depends on whether another is used."""


class Permuted(NamedTuple):
    """Counts of permutations for every pair of systems.

    Attributes:
        exceeding: systems x systems, permutations with at least the observed difference.
        defined: systems x systems, permutations with a defined difference.
    """

    exceeding: Integers
    defined: Integers


@dataclass
class Steps:
    """Counts what is done and reports it a few dozen times at most.

    Attributes:
        progress: is told the progress.
        total: the number of steps.
    """

    progress: Progress | None = None
    total: int = 0
    _done: int = field(default=0, init=False)
    _reported: int = field(default=0, init=False)

    def take(self, more: int) -> None:
        """Count some more steps as done."""
        self._done += more
        is_due = self._done == self.total or (self._done - self._reported) * REPORTS >= self.total
        if self.progress is not None and is_due:
            self._reported = self._done
            self.progress("resampling", self._done, self.total)


@dataclass(frozen=True)
class Resampler:
    """Draws resamples of units and evaluates every tested measure on them.

    Attributes:
        subjects: measures with the systems on which they are defined.
        units: items or groups to draw.
        items: number of items.
        seed: the same seed draws the same resamples, whatever the chunks.
        steps: counts resamples.
        among: number of all units, if the units here are only those on which the measures depend. How many of the
            draws hit them is then random.
    """

    subjects: Sequence[TestedMeasure]
    units: stats.Units
    items: int
    seed: int
    steps: Steps = field(default_factory=Steps)
    among: int | None = None

    def bootstrap(self, resamples: int) -> list[Array]:
        """The resampled figures of every measure, systems x resamples; replaced answers are drawn anew in each."""
        rng = self._rng(BOOTSTRAP)
        return self._weighted(
            resamples,
            lambda a, b: stats.bootstrap_weights(self.units.number, b - a, rng, self.among),
            draws_anew=True,
        )

    def jackknife(self) -> list[Array]:
        """The jackknife figures of every measure, systems x left-out blocks."""
        blocks = stats.jackknife_blocks(self.units.number, self._rng(JACKKNIFE))
        return self._weighted(
            stats.jackknife_size(self.units.number), lambda a, b: stats.jackknife_weights(blocks, a, b)
        )

    def permutations(self, permutations: int) -> list[Permuted]:
        """For every measure, how often swapped predictions give at least the observed difference."""
        rng = self._rng(PERMUTATION)
        found = [Permuted(*np.zeros((2, s.defined.size, s.defined.size), dtype=np.intp)) for s in self.subjects]
        for first, last in self._chunks(permutations):
            swaps = self.units.over_items(stats.random_swaps(self.units.number, last - first, rng))
            for subject, (exceeding, defined) in zip(self.subjects, found, strict=True):
                if subject.defined.size:
                    more = _permuted(subject, swaps)
                    exceeding += more.exceeding
                    defined += more.defined
        return found

    def _weighted(self, resamples: int, draw: Callable[[int, int], Array], *, draws_anew: bool = False) -> list[Array]:
        found = [np.empty((subject.defined.size, resamples)) for subject in self.subjects]
        for first, last in self._chunks(resamples):
            weights = self.units.over_items(draw(first, last))
            for subject, values in zip(self.subjects, found, strict=True):
                if subject.defined.size:
                    values[:, first:last] = subject.measure.weighted_values(subject.comparison, weights)
                    rows = redrawn_systems(subject.comparison)
                    if draws_anew and rows.size:
                        values[rows, first:last] = self._drawn_anew(subject, rows, weights, first)
        return found

    def _drawn_anew(self, subject: TestedMeasure, rows: Integers, weights: Array, first: int) -> Array:
        """The figures of systems with replaced answers; the draws of a resample are the same for all measures.

        An item that is drawn twice gets two replacements, as two items would.
        """
        part, found = subject.comparison.of_systems(rows), np.empty((len(rows), len(weights)))
        for place, counts in enumerate(weights):
            rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(REDRAW, first + place)))
            sample = drawn(part, np.repeat(np.arange(counts.size), counts.astype(np.intp)))
            with np.errstate(divide="ignore", invalid="ignore"):
                found[:, place] = subject.measure.values(redrawn(sample, rng))
        return found

    def _chunks(self, number: int) -> Iterator[tuple[int, int]]:
        for first, last in stats.in_chunks(number, max(1, min(CHUNK_RESAMPLES, CHUNK_CELLS // self.items))):
            yield first, last
            self.steps.take(last - first)

    def _rng(self, purpose: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(purpose,)))


def _permuted(subject: TestedMeasure, swaps: Array) -> Permuted:
    own, values = subject.measure.swapped_values(subject.comparison, swaps), subject.values
    differences = np.abs(own - own.transpose(1, 0, 2))
    observed = np.abs(values[:, None] - values)
    room = stats.rounding_of(np.abs(values).max())
    with np.errstate(invalid="ignore"):
        exceeding = differences >= observed[..., None] - room
    return Permuted(exceeding.sum(axis=-1), np.isfinite(differences).sum(axis=-1))
