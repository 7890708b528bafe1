"""Measures within groups: the option of a dialogue that a system puts first, and its ranking of all options.

A group is the candidates of one dialogue in GiCCS, or the two conditions of one pair in C-STS. Every group gives one
figure, and the measure is their mean. A language model that only chooses among options and systems that score each
item can therefore share a table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from similitude import stats
from similitude.errors import ArgumentError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.catalogue import MEASURES
from similitude.evaluate.measures.cumulative_gain import AVERAGED_CUTS, Cut, Gain, check_cut, reversed_gains
from similitude.evaluate.measures.measure import Measure, Need, Sampling, Shares, parts_of, with_parts
from similitude.evaluate.measures.resampled_comparison import Swapped, comparable
from similitude.registry import Spec
from similitude.stats.arrays import Array, Integers

__all__ = [
    "ChoiceAccuracy",
    "Grouped",
    "GroupedCumulativeGain",
    "GroupedDiscountedGain",
    "GroupedGain",
    "ranks_one_list",
    "within_groups",
]


@dataclass(frozen=True, repr=False)
class Grouped(Measure):
    """A measure that is the mean of one figure per group.

    A subclass defines ``figures_of``. Groups for which it is nan are left out.
    """

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    needs: ClassVar[frozenset[Need]] = frozenset({"groups"})
    swapped: ClassVar[Swapped] = "ranks"
    sampling: ClassVar[Sampling] = "logit"

    def figures_of(self, gold: Array, predicted: Array) -> Array:
        """Systems x groups, for groups that all have the same number of items.

        Args:
            gold: groups x items.
            predicted: systems x groups x items.
        """
        raise NotImplementedError

    def figures_by_group(self, comparison: Comparison) -> Array:
        """Systems x groups, in the order of the group numbers; nan where a group is uninformative."""
        names, group_of = np.unique(_groups(comparison), return_inverse=True)
        found = np.full((comparison.systems, names.size), np.nan)
        order = np.argsort(group_of)
        sizes = np.bincount(group_of)
        starts = np.cumsum(sizes) - sizes
        for size in np.unique(sizes[sizes > 1]).tolist():
            same = np.flatnonzero(sizes == size)
            items = order[starts[same][:, None] + np.arange(size)]
            found[:, same] = self.figures_of(comparison.gold[items], comparison.predicted[:, items])
        return found

    def values(self, comparison: Comparison) -> Array:
        """One mean per system."""
        figures = self.figures_by_group(comparison)
        return _mean(figures, np.ones((1, figures.shape[1]))).ravel()

    def standard_errors(self, comparison: Comparison) -> Array:
        """Per system: the standard deviation over groups (ddof 1) / the root of their number; nan for one group."""
        figures = self.figures_by_group(comparison)
        kept = figures[:, np.isfinite(figures).all(axis=0)]
        number = kept.shape[1]
        if number < 2:
            return np.full(len(figures), np.nan)
        return np.asarray(kept.std(axis=1, ddof=1) / np.sqrt(number))

    def left_out(self, comparison: Comparison, units: stats.Units) -> Array | None:
        """Systems x units, from the figures of the groups; None if the units are not these groups."""
        _, of_item = np.unique(_groups(comparison), return_inverse=True)
        if units.of_item is None or not np.array_equal(units.of_item, of_item):
            return None
        figures = self.figures_by_group(comparison)
        kept = np.isfinite(figures).all(axis=0)
        counted = np.where(kept, figures, 0.0)
        rest = kept.sum() - kept
        return stats.share(counted.sum(axis=1, keepdims=True) - counted, np.broadcast_to(rest, counted.shape))

    def caveats(self, comparison: Comparison) -> list[str]:
        """How many groups are uninformative, and so left out."""
        if not self.is_defined_on(comparison):
            return []
        known = np.isfinite(self.figures_by_group(comparison)).all(axis=0)
        left_out = int((~known).sum())
        if left_out in (0, known.size):
            return []
        return [f"{self}: {left_out:,} of {known.size:,} groups cannot rank systems and are left out"]

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """Systems x resamples; if whole groups are drawn, from the figures of the groups."""
        by_group = _by_group(comparison, weights)
        if by_group is None:
            return super().weighted_values(comparison, weights)
        return _mean(self.figures_by_group(comparison), by_group)

    def swapped_values(self, comparison: Comparison, swaps: Array) -> Array:
        """Systems x systems x permutations; if whole groups are swapped, from the figures of the groups."""
        by_group = _by_group(comparison, swaps)
        if by_group is None:
            return super().swapped_values(comparison, swaps)
        figures = self.figures_by_group(comparable(comparison, self.swapped))
        own = _mean(figures, np.ones((1, figures.shape[1])))[:, None]
        kept = np.isfinite(figures).all(axis=0)
        moved = figures[:, kept] @ by_group[:, kept].T / max(int(kept.sum()), 1)
        return np.asarray(own - moved[:, None] + moved[None])


@MEASURES.register("choice_accuracy")
@dataclass(frozen=True, repr=False)
class ChoiceAccuracy(Grouped):
    """Share of groups in which the item that the system scores highest is the one that gold scores highest.

    Range 0..1, higher is better. If the system ties items at the top, each is chosen with equal probability; if gold
    ties, any of the best is right. Groups of one item, and groups in which gold ties all items, are left out.
    Undefined if no group is left. `standard_errors` gives the ± of GiCCS, Table 6.

    Reference: GiCCS, section 5.1.2.

    >>> gold, groups = np.array([0.9, 0.1, 0.2, 0.8]), np.array([0, 0, 1, 1])
    >>> ChoiceAccuracy()(Comparison.of_scores(gold, np.array([2.0, 1.0, 4.0, 3.0]), groups=groups))[0].value
    0.5
    """

    name: ClassVar[str] = "choice_accuracy"
    meaning: ClassVar[str] = "share of groups whose best item the system scores highest"
    formula: ClassVar[str] = r"\frac{1}{|G|} \sum_{g \in G} \frac{|\hat{B}_g \cap B_g|}{|\hat{B}_g|}"
    on_ties: ClassVar[str] = "each of the highest is chosen with equal probability"
    undefined: ClassVar[str] = "no group has two items with different gold"
    sampling: ClassVar[Sampling] = "share"

    def shares(self, comparison: Comparison) -> Shares:
        """The share itself, of the groups that count."""
        kept = np.isfinite(self.figures_by_group(comparison)).all(axis=0)
        return Shares(np.full(comparison.systems, float(kept.sum())))

    def figures_of(self, gold: Array, predicted: Array) -> Array:
        """The probability of a right choice."""
        best = gold == gold.max(axis=1, keepdims=True)
        chosen = predicted == predicted.max(axis=-1, keepdims=True)
        right = (chosen & best).sum(axis=-1) / chosen.sum(axis=-1)
        return np.where(best.all(axis=1), np.nan, right)


@dataclass(frozen=True, repr=False)
class GroupedGain(Grouped):
    """Base of nDCG and nCG inside groups.

    Attributes:
        k: number of places that count; None for all; "avgrank" for the mean of k = 3, 5 and 10.
        reverse: rank the lowest score first, with the top of the scale minus gold as the gain.
    """

    k: Cut = None
    reverse: bool = False

    on_ties: ClassVar[str] = "expected value over random order"
    undefined: ClassVar[str] = "no group has two items and an ideal gain above 0"
    discounted: ClassVar[bool]

    def __post_init__(self) -> None:
        check_cut(self.k, self.name)

    @property
    def requires(self) -> frozenset[Need]:
        """Groups, and the gold scale if gains are counted from its top."""
        return self.needs | ({"gold scale"} if self.reverse else set())

    @property
    def identity(self) -> Spec:
        """Written ``group_ndcg@3``."""
        return Spec(self.name, self.k, (), {"reverse": True} if self.reverse else {})

    def figures_by_group(self, comparison: Comparison) -> Array:
        """Systems x groups; nan where a group has one item, or nothing to gain."""
        if not self.reverse:
            return super().figures_by_group(comparison)
        turned = replace(comparison, gold=reversed_gains(comparison), predicted=-comparison.predicted)
        return super().figures_by_group(turned)

    def figures_of(self, gold: Array, predicted: Array) -> Array:
        """The share of the ideal gain."""
        size = gold.shape[1]
        ranked = stats.gains_by_rank_expected(gold, stats.Ordering(predicted))
        ideal = np.sort(gold)[..., ::-1]
        cuts = AVERAGED_CUTS if self.k == "avgrank" else (self.k or size,)
        shares = [stats.normalised_gain(ranked, ideal, cut, discounted=self.discounted) for cut in cuts]
        return np.asarray(np.mean(shares, axis=0))


@MEASURES.register("group_ndcg")
@dataclass(frozen=True, repr=False)
class GroupedDiscountedGain(GroupedGain):
    """nDCG@k inside each group, averaged over groups: how well a system ranks the candidates of each query.

    DCG_k = m_1 + sum_{i=2..k} m_i / log2(i) over the group's items as the system ranks them, divided by the same for
    the best order. Range 0..1 for non-negative gold, higher is better. Ties in the system's scores: the
    expected value over random order. Groups of one item and groups whose ideal gain is not above 0 are left out;
    undefined if none is left.

    Reference: Kekäläinen (2005); Reimers et al. (2016), section 2.1.

    >>> # ranked by the system, gold reads 1 3 2: (1 + 3 + 2/log2(3)) / (3 + 2 + 1/log2(3))
    >>> gold, groups = np.array([3.0, 2.0, 1.0]), np.zeros(3, dtype=int)
    >>> made = Comparison.of_scores(gold, np.array([2.0, 1.0, 3.0]), groups=groups)
    >>> round(GroupedDiscountedGain()(made)[0].value, 6)
    0.934457
    """

    name: ClassVar[str] = "group_ndcg"
    meaning: ClassVar[str] = "nDCG inside each group, averaged over groups"
    formula: ClassVar[str] = r"\frac{1}{|G|} \sum_{g \in G} \mathrm{nDCG}_k(g)"
    discounted: ClassVar[bool] = True


@MEASURES.register("group_ncg")
@dataclass(frozen=True, repr=False)
class GroupedCumulativeGain(GroupedGain):
    """nCG@k inside each group, averaged over groups: the gold among the k best candidates of each query.

    The sum of gold over the group's first k items as the system ranks them, divided by the largest possible sum. Always
    1 for groups of at most k items. Otherwise like `GroupedDiscountedGain`.

    Reference: Järvelin and Kekäläinen (2000); Reimers et al. (2016), section 2.1.

    >>> # ranked by the system, gold reads 1 3 2; the best two hold 3 + 2: (1 + 3) / 5
    >>> gold, groups = np.array([3.0, 2.0, 1.0]), np.zeros(3, dtype=int)
    >>> GroupedCumulativeGain(k=2)(Comparison.of_scores(gold, np.array([2.0, 1.0, 3.0]), groups=groups))[0].value
    0.8
    """

    name: ClassVar[str] = "group_ncg"
    meaning: ClassVar[str] = "gold among the first k of each group / the largest possible, averaged over groups"
    formula: ClassVar[str] = r"\frac{1}{|G|} \sum_{g \in G} \mathrm{nCG}_k(g)"
    discounted: ClassVar[bool] = False


def within_groups(measure: Measure) -> Measure:
    """The measure with nDCG and nCG over one list replaced by their means over groups.

    Raises:
        ArgumentError: ties are broken by the order of rows, which groups do not have.

    >>> from similitude.evaluate.measures.catalogue import make_measure
    >>> within_groups(make_measure("hmean(ncg@5, pearson)"))
    hmean(group_ncg@5, pearson)
    """
    if isinstance(measure, Gain):
        if measure.ties != "expected":
            raise ArgumentError(f"{measure} cannot be averaged over groups", remedy="leave out ties=stable")
        kind = GroupedDiscountedGain if measure.discounted else GroupedCumulativeGain
        return kind(k=measure.k, reverse=measure.reverse)
    return with_parts(measure, within_groups)


def ranks_one_list(measure: Measure) -> bool:
    """Whether a measure, or a part of it, ranks all pairs as one list."""
    return isinstance(measure, Gain) or any(ranks_one_list(part) for part in parts_of(measure))


def _groups(comparison: Comparison) -> Integers:
    assert comparison.groups is not None  # guaranteed by ``needs``
    return comparison.groups


def _mean(figures: Array, weights: Array) -> Array:
    """Systems x resamples: weighted means over informative groups; nan if a resample has none."""
    kept = np.isfinite(figures).all(axis=0)
    return stats.share(figures[:, kept] @ weights[:, kept].T, weights[:, kept].sum(axis=1))


def _by_group(comparison: Comparison, weights: Array) -> Array | None:
    """Resamples x groups; None if the items of a group have different weights."""
    _, first, group_of = np.unique(_groups(comparison), return_index=True, return_inverse=True)
    by_group = weights[:, first]
    return by_group if np.array_equal(by_group[:, group_of], weights) else None
