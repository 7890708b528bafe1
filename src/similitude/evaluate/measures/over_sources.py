"""Means of a measure over the sources of the items, the official scores of the SemEval STS tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from similitude import stats
from similitude.data.plural import counted
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.catalogue import MEASURES, make_measure
from similitude.evaluate.measures.measure import Measure, Need, Sampling
from similitude.evaluate.measures.resampled_comparison import drawn
from similitude.registry import Spec
from similitude.stats.arrays import Array, Integers

__all__ = ["MeanOverSources", "PlainMeanOverSources"]


@dataclass(frozen=True, repr=False)
class MeanOverSources(Measure):
    """mean_over_sources(m): the mean of m over the sources of the items, each weighted by its number of items.

    With Pearson's r this is "Mean" of SemEval 2012 and the official score of 2013 to 2016, where a source is a test set
    such as MSRpar. The pooled score ("ALL" of 2012) is plain ``pearson``. Items without a source are a source of their
    own. Range and direction are those of m. Undefined if m is undefined on a source, for example because it has one
    item or the same gold for all items: leaving it out would give another score than the official one.

    Reference: Agirre et al. (2012), section 5; Agirre et al. (2013), section 4.

    >>> from similitude.evaluate.comparison import Sources
    >>> # Pearson is 1 on source a (2 items) and -1 on source b (3 items): (2 * 1 - 3 * 1) / 5
    >>> gold, system = np.array([1.0, 2.0, 1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0, 2.0, 1.0])
    >>> sources = Sources(np.array([0, 0, 1, 1, 1]), ("a", "b"))
    >>> made = make_measure("mean_over_sources(pearson)")
    >>> round(made(Comparison.of_scores(gold, system, sources=sources))[0].value, 9)
    -0.2
    """

    part: Measure

    name: ClassVar[str] = "mean_over_sources"
    meaning: ClassVar[str] = "mean of a measure over sources, weighted by their items: the official STS score"
    formula: ClassVar[str] = r"\sum_{s} \frac{n_s}{n} \, m_s"
    undefined: ClassVar[str] = "the measure is undefined on a source"

    @property
    def identity(self) -> Spec:
        """Written ``mean_over_sources(pearson)``."""
        return Spec(self.name, None, (str(self.part),))

    @property
    def requires(self) -> frozenset[Need]:
        """Sources, and what the measure itself requires."""
        return self.part.requires | {"sources"}

    @property
    def low(self) -> float:  # type: ignore[override]
        """As for the measure itself."""
        return self.part.low

    @property
    def high(self) -> float:  # type: ignore[override]
        """As for the measure itself."""
        return self.part.high

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        """As for the measure itself."""
        return self.part.higher_is_better

    @property
    def on_ties(self) -> str:  # type: ignore[override]
        """As for the measure itself."""
        return self.part.on_ties

    @property
    def sampling(self) -> Sampling:  # type: ignore[override]
        """As for the measure itself; a mean of shares is no share."""
        return "logit" if self.part.sampling == "share" else self.part.sampling

    def weights_of(self, items: Array) -> Array:
        """The weights of the sources, from their numbers of items; 0 for a source without items."""
        return items

    def values(self, comparison: Comparison) -> Array:
        """One mean per system."""
        return self.weighted_values(comparison, np.ones((1, comparison.gold.size))).ravel()

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """Systems x resamples; a source of which a resample has no item does not count in it."""
        found = [
            (self.part.weighted_values(part, weights[:, where]), weights[:, where].sum(axis=1))
            for _, where, part in _parts(comparison)
        ]
        return self._mean(np.stack([figures for figures, _ in found]), np.stack([items for _, items in found])[:, None])

    def left_out(self, comparison: Comparison, units: stats.Units) -> Array | None:
        """Systems x units, from the sources; a unit without an item in a source does not change its figure."""
        figures, items = [], []
        for _, where, part in _parts(comparison):
            there, numbers = units.among(where)
            found = self.part.left_out(part, there)
            if found is None:
                return None
            every = np.repeat(np.asarray(self.part.values(part))[:, None], units.number, axis=1)
            every[:, numbers] = found
            rest = np.full(units.number, float(where.size))
            rest[numbers] -= there.sizes
            figures.append(every)
            items.append(rest)
        return self._mean(np.stack(figures), np.stack(items)[:, None])

    def caveats(self, comparison: Comparison) -> list[str]:
        """Those of the measure itself on each source."""
        if not self.is_defined_on(comparison):
            return []
        found = [(name, text) for name, _, part in _parts(comparison) for text in self.part.caveats(part)]
        return [f"source '{name}': {text}" for name, text in found]

    def swapped_values(self, comparison: Comparison, swaps: Array) -> Array:
        """Systems x systems x permutations, from the sources; predictions are swapped within each."""
        found = [(self.part.swapped_values(part, swaps[:, where]), where.size) for _, where, part in _parts(comparison)]
        items = np.array([float(size) for _, size in found])
        return self._mean(np.stack([figures for figures, _ in found]), items[:, None, None, None])

    def why_undefined(self, comparison: Comparison, row: int) -> str:
        """The first source on which the measure is undefined, and why."""
        for name, where, part in _parts(comparison):
            figure = self.part(part)[row]
            if figure.reason is not None:
                return f"{self.part} on source '{name}' ({counted(where.size, 'item')}): {figure.reason}"
        return self.undefined

    def _mean(self, figures: Array, items: Array) -> Array:
        """The weighted mean along the first axis; nan if a source that counts is undefined."""
        shares = np.broadcast_to(self.weights_of(items), figures.shape)
        parts = np.where(shares > 0, figures * shares, 0.0)
        return stats.share(parts.sum(axis=0), shares.sum(axis=0))


@dataclass(frozen=True, repr=False)
class PlainMeanOverSources(MeanOverSources):
    """plain_mean_over_sources(m): the mean of m over the sources of the items, each with the same weight.

    Otherwise like `MeanOverSources`.

    >>> from similitude.evaluate.comparison import Sources
    >>> # Pearson is 1 on source a and -1 on source b: (1 - 1) / 2
    >>> gold, system = np.array([1.0, 2.0, 1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0, 2.0, 1.0])
    >>> sources = Sources(np.array([0, 0, 1, 1, 1]), ("a", "b"))
    >>> made = make_measure("plain_mean_over_sources(pearson)")
    >>> round(made(Comparison.of_scores(gold, system, sources=sources))[0].value, 9)
    0.0
    """

    name: ClassVar[str] = "plain_mean_over_sources"
    meaning: ClassVar[str] = "mean of a measure over sources, all with the same weight"
    formula: ClassVar[str] = r"\frac{1}{|S|} \sum_{s \in S} m_s"

    def weights_of(self, items: Array) -> Array:
        """1 for every source that has items."""
        return (items > 0).astype(np.float64)


def _parts(comparison: Comparison) -> Iterator[tuple[str | None, Integers, Comparison]]:
    """Each source that has items: its name, the positions of its items, and the comparison on them."""
    assert comparison.sources is not None  # guaranteed by ``requires``
    for number, name in enumerate(comparison.sources.names):
        where = np.flatnonzero(comparison.sources.numbers == number)
        if where.size:
            yield name, where, drawn(comparison, where)


def _register(name: str, kind: Callable[[Measure], Measure]) -> None:
    def make(measure: str) -> Measure:
        return kind(make_measure(measure))

    make.example = f"{name}(pearson)"  # type: ignore[attr-defined]
    MEASURES.register(name)(make)


_register("mean_over_sources", MeanOverSources)
_register("plain_mean_over_sources", PlainMeanOverSources)
