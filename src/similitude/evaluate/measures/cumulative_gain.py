"""Normalised cumulative gain: the gold at the top of a system's ranking (nCG, nDCG)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from similitude import stats
from similitude.errors import ArgumentError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.catalogue import MEASURES
from similitude.evaluate.measures.measure import Measure, Need, Sampling
from similitude.evaluate.measures.resampled_comparison import Swapped
from similitude.registry import Spec, spec_of
from similitude.stats.arrays import Array, Integers

__all__ = [
    "AVERAGED_CUTS",
    "Cut",
    "Gain",
    "NormalisedCumulativeGain",
    "NormalisedDiscountedCumulativeGain",
    "check_cut",
    "reversed_gains",
]

Cut = int | Literal["avgrank"] | None

AVERAGED_CUTS = (3, 5, 10)
"""``@avgrank`` is the mean over these cuts."""


def check_cut(k: Cut, name: str) -> None:
    """Refuse a cut before the first place.

    Raises:
        ArgumentError: ``k`` is not positive.
    """
    if isinstance(k, int) and k < 1:
        raise ArgumentError(f"cannot rank the first {k} places", remedy=f"write {name}@1 or more")


def reversed_gains(comparison: Comparison) -> Array:
    """The gains of items that are ranked lowest first: the top of the scale minus gold."""
    assert comparison.scale is not None  # measures that reverse require it
    return comparison.scale.high - comparison.gold


@dataclass(frozen=True, repr=False)
class Gain(Measure):
    """Base of nCG and nDCG.

    Attributes:
        k: number of places that count; None for all; "avgrank" for the mean of k = 3, 5 and 10.
        reverse: rank the lowest score first, with the top of the scale minus gold as the gain.
        ties: "expected" (the mean over random orders of ties, which does not depend on row order) or "stable" (row
            order).
    """

    k: Cut = None
    reverse: bool = False
    ties: stats.Ties = "expected"

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    on_ties: ClassVar[str] = "expected value over random order (ties=stable keeps row order)"
    undefined: ClassVar[str] = "the ideal gain is 0 or less"
    swapped: ClassVar[Swapped] = "ranks"
    discounted: ClassVar[bool]
    ratio: ClassVar[str]

    def __post_init__(self) -> None:
        check_cut(self.k, self.name)

    @property
    def requires(self) -> frozenset[Need]:
        """The gold scale, if gains are counted from its top."""
        return frozenset({"gold scale"}) if self.reverse else frozenset()

    @property
    def formula(self) -> str:  # type: ignore[override]
        """The ratio of gains, or its mean over the cuts."""
        return self.ratio if self.k != "avgrank" else rf"\frac{{1}}{{3}} \sum_{{k \in \{{3, 5, 10\}}}} {self.ratio}"

    @property
    def sampling(self) -> Sampling:  # type: ignore[override]
        """With a cut the figure depends on few items."""
        return "logit" if self.k is None else "cut"

    @property
    def cuts(self) -> tuple[int | None, ...]:
        """The numbers of places over which the figure is averaged; None for all."""
        return AVERAGED_CUTS if self.k == "avgrank" else (self.k,)

    @property
    def identity(self) -> Spec:
        """Written ``ndcg@10(reverse=true)``."""
        keywords = {key: value for key, value in spec_of(self, self.name).keywords.items() if key != "k"}
        return Spec(self.name, self.k, (), keywords)

    def values(self, comparison: Comparison) -> Array:
        """The share of the ideal gain, per system."""
        gains = self._gains(comparison)
        ranked = self._ranked(comparison, gains)
        ideal = np.sort(gains)[::-1]
        n = gains.shape[-1]
        shares = [stats.normalised_gain(ranked, ideal, cut or n, discounted=self.discounted) for cut in self.cuts]
        return np.asarray(np.mean(shares, axis=0))

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """Systems x resamples, using the sorted order of the full sample."""
        gains, rows = self._gains(comparison), self._levels(comparison)
        ideal = stats.Levels.of(gains).reversed()
        return stats.weighted_normalised_gain(weights, gains, rows, ideal, self.cuts, discounted=self.discounted)

    def decisive_items(self, comparison: Comparison, units: stats.Units) -> Integers | None:
        """The first places of every system and of gold, so many that draws from them always fill the cut."""
        if None in self.cuts:
            return None
        most = max(cut for cut in self.cuts if cut is not None)
        enough = math.ceil(most + 7 * math.sqrt(most) + 30)
        ideal = stats.Levels.of(self._gains(comparison)).reversed()
        gold = stats.Levels(ideal.order, np.arange(ideal.order.size))  # all items of a level have one gain
        first = [_first_places(levels, units, enough) for levels in (gold, *self._levels(comparison))]
        return np.unique(np.concatenate(first))

    def left_out(self, comparison: Comparison, units: stats.Units) -> Array:
        """Systems x units; the effect of a group is the sum of those of its items."""
        gains, rows = self._gains(comparison), self._levels(comparison)
        ideal = stats.Levels.of(gains).reversed()
        without = stats.normalised_gain_without_each(gains, rows, ideal, self.cuts, discounted=self.discounted)
        if units.of_item is None:
            return without
        values = self.values(comparison)[:, None]
        return np.asarray(values + units.sums(without - values))

    def caveats(self, comparison: Comparison) -> list[str]:
        """All pairs are one list, whatever text they are about."""
        number = comparison.gold.size
        is_named = comparison.groups is not None and comparison.are_groups_named
        lists = "the pairs share groups" if is_named else "--column group=NAME says which they are"
        within = f"group_{self.name}{'' if self.k is None else f'@{self.k}'}"
        return [f"{self} ranks all {number:,} pairs as one list; {within} ranks those of each query ({lists})"]

    def _levels(self, comparison: Comparison) -> list[stats.Levels]:
        """Each system's items, best first."""
        if self.ties == "stable":
            scores = comparison.predicted if self.reverse else -comparison.predicted
            return [stats.Levels(order, np.arange(order.size)) for order in np.argsort(scores, kind="stable")]
        rising = stats.levels_by_row(comparison.ordering)
        return rising if self.reverse else [levels.reversed() for levels in rising]

    def _gains(self, comparison: Comparison) -> Array:
        return reversed_gains(comparison) if self.reverse else comparison.gold

    def _ranked(self, comparison: Comparison, gains: Array) -> Array:
        if self.ties == "stable":
            scores = -comparison.predicted if self.reverse else comparison.predicted
            return stats.gains_by_rank_stable(gains, scores)
        ranked = stats.gains_by_rank_expected(gains, comparison.ordering)
        return ranked[..., ::-1] if self.reverse else ranked


def _first_places(levels: stats.Levels, units: stats.Units, enough: int) -> Integers:
    """The items of the first levels, so many levels that they hold enough different units."""
    last = min(enough, units.number) - 1
    if units.of_item is not None:
        _, first_seen = np.unique(units.of_item[levels.order], return_index=True)
        last = int(np.partition(first_seen, last)[last])
    level = np.searchsorted(levels.starts, last, side="right") - 1
    return levels.order[: levels.starts[level] + levels.sizes[level]]


@MEASURES.register("ncg")
@dataclass(frozen=True, repr=False)
class NormalisedCumulativeGain(Gain):
    """nCG@k: sum of gold over the system's first k items / the largest possible sum.

    Range 0..1 for non-negative gold, higher is better; always 1 without a cut. Undefined if the ideal gain is 0. Ties
    in the system's scores: see ``ties``.

    Reference: Järvelin and Kekäläinen (2000); Reimers et al. (2016), section 2.1.

    >>> # ranked by the system, gold reads 4 3 2 1 5 0; the best three hold 5 + 4 + 3: (4 + 3 + 2) / 12
    >>> gold, system = np.array([5.0, 4, 3, 2, 1, 0]), np.array([1.0, 5, 4, 3, 2, 0])
    >>> NormalisedCumulativeGain(k=3)(Comparison.of_scores(gold, system))[0].value
    0.75
    """

    name: ClassVar[str] = "ncg"
    meaning: ClassVar[str] = "gold collected in the first k places / the largest possible"
    ratio: ClassVar[str] = r"\frac{\sum_{i=1}^{k} m_i}{\sum_{i=1}^{k} m^{*}_i}"
    discounted: ClassVar[bool] = False


@MEASURES.register("ndcg")
@dataclass(frozen=True, repr=False)
class NormalisedDiscountedCumulativeGain(Gain):
    """nDCG@k: like nCG@k, but place i counts 1/log2(i); the first two places count 1.

    DCG_k = m_1 + sum_{i=2..k} m_i / log2(i), as in the paper; log2(i + 1) is another measure. Range 0..1 for
    non-negative gold, higher is better. Undefined if the ideal gain is 0. Ties: see ``ties``.

    Reference: Kekäläinen (2005); Reimers et al. (2016), section 2.1.

    >>> # (4 + 3 + 2/log2(3)) / (5 + 4 + 3/log2(3))
    >>> gold, system = np.array([5.0, 4, 3, 2, 1, 0]), np.array([1.0, 5, 4, 3, 2, 0])
    >>> round(NormalisedDiscountedCumulativeGain(k=3)(Comparison.of_scores(gold, system))[0].value, 6)
    0.758471
    """

    name: ClassVar[str] = "ndcg"
    meaning: ClassVar[str] = "the same, later places discounted by log2 of the place"
    ratio: ClassVar[str] = r"\frac{m_1 + \sum_{i=2}^{k} m_i / \log_2 i}{m^{*}_1 + \sum_{i=2}^{k} m^{*}_i / \log_2 i}"
    discounted: ClassVar[bool] = True


@MEASURES.register("ncg_avgrank")
def ncg_avgrank(reverse: bool = False, ties: stats.Ties = "expected") -> Measure:
    """``ncg@avgrank``, under the paper's name."""
    return NormalisedCumulativeGain(k="avgrank", reverse=reverse, ties=ties)


@MEASURES.register("ndcg_avgrank")
def ndcg_avgrank(reverse: bool = False, ties: stats.Ties = "expected") -> Measure:
    """``ndcg@avgrank``, under the paper's name."""
    return NormalisedDiscountedCumulativeGain(k="avgrank", reverse=reverse, ties=ties)
