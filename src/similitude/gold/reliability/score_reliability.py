"""Reliability of the scores that judgements add up to: their correlation with those of another panel of the same size.

Ratings are averaged, best-worst answers counted. Every reliability comes with what it would be without each item, so
that its error, and that of figures made with it, needs no resamples. Random halvings are always the same ones: a set of
judgements has one reliability, whatever the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.gold.aggregation.counting import count_best_worst
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.reliability.random_halves import BestWorstHalves, HalfScores, OddTo, RatingHalves
from similitude.gold.reliability.rating_spread import ratings_of, ratings_on
from similitude.gold.reliability.repeated_correlation import RepeatedCorrelation
from similitude.gold.reliability.shared_leniency import shared_leniency
from similitude.gold.reliability.tuple_answers import TupleAnswers
from similitude.gold.reliability.unequal_halves import HalfNoise, reliability_of_all
from similitude.gold.reliability.variance_components import design_of
from similitude.stats import Units, in_chunks
from similitude.stats.arrays import Array
from similitude.stats.correlation import Correlation
from similitude.stats.unit_changes import pearson_changes, spearman_changes

__all__ = ["ScoreReliability", "Scores", "score_reliability"]

HALVINGS, FEWEST_HALVINGS = 50, 5
CELLS = 4_000_000
"""About how many answers are halved in all: with many answers, few halvings agree in three decimals."""
AT_ONCE = 1_000_000
"""How many scores of halves are held at a time."""
ODD_TO: OddTo = "second"
ROUNDING = 1e-12
"""A variance below this fraction of the sum of squares counts as 0."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreReliability:
    """The reliability of scores for one kind of correlation.

    Attributes:
        value: the correlation to expect with the scores of another panel; nan where it is undefined.
        without: the value without each item.
        reason: why it is undefined; else None.
    """

    value: float
    without: Array
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """The scores that judgements add up to, and their reliability.

    Attributes:
        items: item ids.
        scores: mean ratings, or counting scores.
        pearson: reliability for Pearson's r.
        spearman: reliability for Spearman's rho.
    """

    items: list[str]
    scores: Array
    pearson: ScoreReliability
    spearman: ScoreReliability


def score_reliability(judgements: Judgements, items: Collection[str] | None = None) -> Scores:
    """The reliability of mean ratings or best-worst scores, for Pearson's r and for Spearman's rho.

    Ratings, Pearson: 1 - (mean noise variance) / (variance of the scores). The noise of an item is the sample variance
    of its ratings over their number, so that numbers of raters and disagreement may differ from item to item; with
    equal numbers it is ICC(1,k). An item with one rating is taken to be as noisy as the mean item. If nearly all items
    were rated by the same raters, their leniency moves all scores alike and is removed first: ICC(3,k). If raters share
    some of the items, the part that is shared does not count as noise (`shared_leniency`).

    Ratings, Spearman, and best-worst answers: mean correlation of random halves, carried to all answers by the formula
    of Horst (`unequal_halves`), which for halves of one size is Spearman-Brown.

    Undefined if fewer than two items have two ratings (no tuple has two answers), if all scores are equal, and, with
    halves, if these do not correlate positively. Pearson's reliability of ratings can be negative.

    Args:
        judgements: ratings or best-worst answers.
        items: the items to correlate; by default all that were judged. Best-worst scores count all answers.

    >>> ratings = {"a": (1, 2), "b": (3, 3), "c": (5, 6)}
    >>> rows = [{"item": item, "value": float(value)} for item, both in ratings.items() for value in both]
    >>> found = score_reliability(Judgements(name="made", frame=pl.DataFrame(rows)))
    >>> round(found.pearson.value, 4)  # noise (0.25 + 0 + 0.25) / 3, variance of 1.5, 3 and 5.5: 49 / 12
    0.9592
    """
    found = _Ratings(judgements, items) if judgements.kind == "rating" else _Counts(judgements, items)
    return Scores(items=found.items, scores=found.scores, pearson=found.pearson(), spearman=found.spearman())


class _Ratings:
    """Ratings, each item's averaged."""

    def __init__(self, judgements: Judgements, items: Collection[str] | None) -> None:
        rated = ratings_of(judgements)
        if items is not None:
            rated = rated.filter(pl.col("item").is_in(list(items)))
        scores = _summary(rated, score=pl.col("value").mean())["score"]
        is_crossed = _is_crossed(rated)
        self._rated = _without_leniency(rated) if is_crossed else rated
        table = _summary(self._rated, variance=pl.col("value").var(), number=pl.len())
        self.items, self.scores = table["item"].to_list(), scores.to_numpy()
        freedom = len(self.items) / (len(self.items) - 1) if is_crossed and len(self.items) > 1 else 1.0
        self._number, self._variance = table["number"].to_numpy(), freedom * table["variance"].to_numpy()
        self._several = int(np.count_nonzero(self._number > 1))
        self._shared = 0.0 if is_crossed else shared_leniency(rated)

    @property
    def _noise(self) -> Array:
        """The noise variance of each item's mean."""
        known = self._variance[: self._several]
        variance = np.append(known, np.full(len(self.items) - self._several, known.mean()))
        return np.asarray(variance / self._number)

    def pearson(self) -> ScoreReliability:
        if reason := self._reason():
            return _undefined(reason, len(self.items))
        noise = self._noise
        shared = min(self._shared, float(noise.mean()))
        value = 1 - (noise.mean() - shared) / self.scores.var(ddof=1)
        noise_without = (noise.sum() - noise) / (noise.size - 1) - shared
        return ScoreReliability(value=float(value), without=1 - noise_without / _variance_without(self.scores))

    def spearman(self) -> ScoreReliability:
        if reason := self._reason():
            return _undefined(reason, len(self.items))
        number, variance = self._number[: self._several], self._variance[: self._several]
        first, second = (float((variance / size).mean()) for size in (number // 2, number - number // 2))
        halves = RatingHalves(ratings_on(self._rated, self.items[: self._several]))
        noise = HalfNoise(float(self._noise.mean()), first, second)
        found = _by_halves(lambda repeats, rng: halves.draw(repeats, ODD_TO, rng), "spearman", noise, self)
        more = self._shared / float(self.scores.var(ddof=1))  # halves count all leniency as noise
        return replace(found, value=min(found.value + more, 1.0), without=np.minimum(found.without + more, 1.0))

    def answers(self) -> int:
        return int(self._number.sum())

    def _reason(self) -> str | None:
        if self._several < 2:
            return f"{'only one' if self._several else 'no'} item has two ratings: there is nothing to compare"
        return "every item has the same score" if np.ptp(self.scores) == 0 else None


class _Counts:
    """Best-worst answers, counted."""

    def __init__(self, judgements: Judgements, items: Collection[str] | None) -> None:
        self._answers = TupleAnswers.of(judgements)
        counted = count_best_worst(last_answers(judgements).frame)
        scores = dict(zip(counted["id"], counted["score"], strict=True))
        wanted = set(judgements.judged if items is None else items)
        self._chosen = np.array([item in wanted for item in self._answers.items])
        self.items = [item for item in self._answers.items if item in wanted]
        self.scores = np.array([scores[item] for item in self.items])

    def pearson(self) -> ScoreReliability:
        return self._reliability("pearson")

    def spearman(self) -> ScoreReliability:
        return self._reliability("spearman")

    def answers(self) -> int:
        return int(self._answers.best.size)

    def _reliability(self, correlation: Correlation) -> ScoreReliability:
        sizes = self._answers.sizes
        if sizes.max() < 2:
            return _undefined("every tuple was answered once: there is nothing to compare", len(self.items))
        if len(self.items) < 2:
            return _undefined("only one item was judged: there is nothing to compare", len(self.items))
        first = int((sizes // 2).sum())
        noise = HalfNoise(1 / self.answers(), 1 / first, 1 / (self.answers() - first))
        halves = BestWorstHalves(self._answers)
        return _by_halves(lambda repeats, rng: self._drawn(halves, repeats, rng), correlation, noise, self)

    def _drawn(self, halves: BestWorstHalves, repeats: int, rng: np.random.Generator) -> HalfScores:
        drawn = halves.draw(repeats, ODD_TO, rng)
        return HalfScores(drawn.first[:, self._chosen], drawn.second[:, self._chosen])


def _by_halves(
    draw: Callable[[int, np.random.Generator], HalfScores],
    correlation: Correlation,
    noise: HalfNoise,
    of: _Ratings | _Counts,
) -> ScoreReliability:
    halves, split = _halvings(draw, correlation, of.answers())
    known = halves.figures[np.isfinite(halves.figures)]
    if not known.size:
        return _undefined("a half gives all items the same score, or scores fewer than two items", len(of.items))
    value = float(reliability_of_all(known.mean(), noise))
    if np.isnan(value):
        return _undefined("two halves of the judgements do not agree at all", len(of.items))
    # Items with one rating stand last and are not split: without one of them, the halves stay the same.
    without = np.append(halves.without_units(), np.full(len(of.items) - split, known.mean()))
    return ScoreReliability(value=value, without=reliability_of_all(without, noise))


def _halvings(
    draw: Callable[[int, np.random.Generator], HalfScores], correlation: Correlation, answers: int
) -> tuple[RepeatedCorrelation, int]:
    """The correlation of the halves over many halvings, and the number of items that are split."""
    rng, repeats = np.random.default_rng(0), min(HALVINGS, max(FEWEST_HALVINGS, CELLS // answers))
    changes = pearson_changes if correlation == "pearson" else spearman_changes
    found: RepeatedCorrelation | None = None
    for first, last in in_chunks(repeats, max(1, AT_ONCE // answers)):
        scores = draw(last - first, rng)
        items = scores.first.shape[1]
        found = found or RepeatedCorrelation(items)
        found.add(changes(*scores, Units(items)))
    assert found is not None
    return found, items


def _variance_without(values: Array) -> Array:
    """The sample variance without each value; nan where it is 0 or fewer than two values are left."""
    number = values.size
    if number < 3:
        return np.full(number, np.nan)
    squares = (values - values.mean()) ** 2
    variance = (squares.sum() - squares * number / (number - 1)) / (number - 2)
    return np.where(variance > ROUNDING * squares.sum(), variance, np.nan)


def _summary(rated: pl.DataFrame, **figures: pl.Expr) -> pl.DataFrame:
    """Figures of each item, those with most ratings first, then by name: halves are drawn in this order."""
    number = rated.group_by("item", maintain_order=True).agg(_number=pl.len(), **figures)
    return number.sort("_number", "item", descending=[True, False]).drop("_number")


def _is_crossed(rated: pl.DataFrame) -> bool:
    """Whether nearly all items have the same, named raters."""
    if rated.is_empty() or rated["annotator"].null_count():
        return False
    number = rated.group_by("item").len()["len"].to_numpy()
    return design_of(number, rated["annotator"].n_unique()) == "crossed"


def _without_leniency(rated: pl.DataFrame) -> pl.DataFrame:
    """The ratings minus the mean deviation of their raters from the items' means."""
    apart = rated.with_columns(apart=pl.col("value") - pl.col("value").mean().over("item"))
    return apart.with_columns(value=pl.col("value") - pl.col("apart").mean().over("annotator"))


def _undefined(reason: str, items: int) -> ScoreReliability:
    return ScoreReliability(value=float("nan"), without=np.full(items, np.nan), reason=reason)
