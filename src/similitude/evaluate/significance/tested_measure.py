"""A measure together with the systems on which it is defined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.measure import Figure, Measure
from similitude.evaluate.measures.resampled_comparison import drawn
from similitude.stats.arrays import Array, Integers

__all__ = ["TestedMeasure", "subjects_of"]


@dataclass(frozen=True, eq=False)
class TestedMeasure:
    """One measure on one comparison.

    Attributes:
        figures: one per system of the whole comparison.
        defined: the systems whose figure is defined.
        comparison: limited to these systems.
    """

    measure: Measure
    figures: tuple[Figure, ...]
    defined: Integers
    comparison: Comparison

    @property
    def values(self) -> Array:
        """The figures of the systems for which it is defined."""
        return np.array([self.figures[system].value for system in self.defined])

    def of_items(self, items: Integers) -> TestedMeasure:
        """The same measure on some of the items."""
        return replace(self, comparison=drawn(self.comparison, items))


def subjects_of(comparison: Comparison, measures: Sequence[Measure]) -> list[TestedMeasure]:
    """One entry per measure; those defined on the same systems share a comparison, and so its sorting."""
    parts: dict[bytes, Comparison] = {}
    made = []
    for measure in measures:
        figures = tuple(measure(comparison))
        defined = np.flatnonzero([np.isfinite(figure.value) for figure in figures])
        if defined.tobytes() not in parts:
            parts[defined.tobytes()] = _part(comparison, defined)
        made.append(TestedMeasure(measure, figures, defined, parts[defined.tobytes()]))
    return made


def _part(comparison: Comparison, systems: Integers) -> Comparison:
    return comparison if systems.size == comparison.systems else comparison.of_systems(systems)
