"""Reliability of the scores that judgements add up to: their correlation with those of another panel of the same size.

Ratings are averaged, best-worst answers counted. Every reliability comes with what it would be without each item, so
that its error, and that of figures made with it, needs no resamples. Random halvings are always the same ones: a set of
judgements has one reliability, whatever the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations
from math import comb

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.gold.aggregation.counting import count_best_worst
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.reliability.latent_panels import latent_panels
from similitude.gold.reliability.pairable_ratings import without_noise
from similitude.gold.reliability.random_halves import BestWorstHalves, HalfScores, Halves, OddTo, RatingHalves
from similitude.gold.reliability.rating_spread import raters_on, ratings_of, ratings_on
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
        truth_of: from reliabilities, at least 0, to the correlations with what all people would say on average.
    """

    value: float
    without: Array
    reason: str | None = None
    truth_of: Callable[[Array], Array] = np.sqrt


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

    If nearly all items were rated by the same raters: the mean correlation of two halves of the raters, in all ways to
    halve them, or in random ones. What is particular to a rater (leniency, how much of the scale is used) moves all
    scores of a half alike. Best-worst answers: the mean correlation of random halves of the answers to each tuple.
    Pearson's is carried to all answers by the formula of Horst (`unequal_halves`), for halves of one size that of
    Spearman-Brown; Spearman's, and that of gold with the truth, by a model of labels that holds with and without ties
    (`latent_panels`).

    Other ratings: Spearman likewise, from random halves of the ratings of each item. Pearson: 1 - (mean noise variance)
    / (variance of the scores). The noise of an item is the sample variance of its ratings over their number, so that
    numbers of raters and disagreement may differ from item to item; with equal numbers it is ICC(1,k). An item with one
    rating is taken to be as noisy as the mean item. If raters share some of the items, the part of their leniency that
    is shared does not count as noise (`shared_leniency`).

    Undefined if fewer than two items have two ratings (no tuple has two answers), if all scores are equal, and, with
    halves, if these do not correlate positively. Without halves it can be negative.

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
        table = _summary(rated, variance=pl.col("value").var(), number=pl.len())
        self.items, self.scores = table["item"].to_list(), scores.to_numpy()
        self._rated, self._is_crossed = rated, _is_crossed(rated)
        self._number, self._variance = table["number"].to_numpy(), table["variance"].to_numpy()
        self._several = int(np.count_nonzero(self._number > 1))
        self._shared = 0.0 if self._is_crossed else shared_leniency(rated)

    @property
    def _noise(self) -> Array:
        """The noise variance of each item's mean."""
        known = self._variance[: self._several]
        variance = np.append(known, np.full(len(self.items) - self._several, known.mean()))
        return np.asarray(variance / self._number)

    def pearson(self) -> ScoreReliability:
        if reason := self._reason():
            return _undefined(reason, len(self.items))
        if self._is_crossed:
            raters = int(self._number[0])
            whole = HalfNoise(1 / raters, 1 / (raters // 2), 1 / (raters - raters // 2))
            return _by_halves(self._halves(), "pearson", partial(reliability_of_all, noise=whole), len(self.items))
        noise = self._noise
        shared = min(self._shared, float(noise.mean()))
        value = 1 - (noise.mean() - shared) / self.scores.var(ddof=1)
        noise_without = (noise.sum() - noise) / (noise.size - 1) - shared
        return ScoreReliability(value=float(value), without=1 - noise_without / _variance_without(self.scores))

    def spearman(self) -> ScoreReliability:
        if reason := self._reason():
            return _undefined(reason, len(self.items))
        number = self._number[: self._several]
        labels, times = np.unique(without_noise(self._rated["value"].to_numpy()), return_counts=True)
        model = latent_panels(labels, times, number // 2, number - number // 2, self._number)
        found = _by_halves(self._halves(), "spearman", model.panel_of, len(self.items))
        more = self._shared / float(self.scores.var(ddof=1))  # halves count all leniency as noise
        value, without = min(found.value + more, 1.0), np.minimum(found.without + more, 1.0)
        return replace(found, value=value, without=without, truth_of=model.truth_of)

    def _halves(self) -> Iterator[HalfScores]:
        items, answers = self.items[: self._several], int(self._number.sum())
        values = ratings_on(self._rated, items)
        if not self._is_crossed:
            return _random_halves(RatingHalves(values), answers)
        return _halved_raters(_by_rater(values, raters_on(self._rated, items)), answers)

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
        if reason := self._reason():
            return _undefined(reason, len(self.items))
        answers, first = self._answers.best.size, int((self._answers.sizes // 2).sum())
        noise = HalfNoise(1 / answers, 1 / first, 1 / (answers - first))
        return _by_halves(self._halves(), "pearson", partial(reliability_of_all, noise=noise), len(self.items))

    def spearman(self) -> ScoreReliability:
        if reason := self._reason():
            return _undefined(reason, len(self.items))
        answers = self._answers
        share = (answers.sizes // 2 / answers.sizes)[answers.tuple_of[answers.shown_in]]
        whole = np.bincount(answers.shown)[self._chosen]
        first = np.round(np.bincount(answers.shown, share)[self._chosen]).astype(np.intp)
        split = (first > 0) & (first < whole)
        given = answers.best.size
        times = np.array([given, max(answers.shown.size - 2 * given, 0), given])
        model = latent_panels(np.array([-1.0, 0, 1]), times, first[split], (whole - first)[split], whole)
        found = _by_halves(self._halves(), "spearman", model.panel_of, len(self.items))
        return replace(found, truth_of=model.truth_of)

    def _halves(self) -> Iterator[HalfScores]:
        for drawn in _random_halves(BestWorstHalves(self._answers), self._answers.best.size):
            yield HalfScores(drawn.first[:, self._chosen], drawn.second[:, self._chosen])

    def _reason(self) -> str | None:
        if self._answers.sizes.max() < 2:
            return "every tuple was answered once: there is nothing to compare"
        return "only one item was judged: there is nothing to compare" if len(self.items) < 2 else None


def _by_halves(
    halves: Iterator[HalfScores], correlation: Correlation, carried: Callable[[Array], Array], items: int
) -> ScoreReliability:
    """The mean correlation of halves, carried to all answers. Halves have the first of the items, or all."""
    changes = pearson_changes if correlation == "pearson" else spearman_changes
    first = next(halves)
    split = first.first.shape[1]
    found = RepeatedCorrelation(split)
    for scores in chain([first], halves):
        found.add(changes(*scores, Units(split)))
    known = found.figures[np.isfinite(found.figures)]
    if not known.size:
        return _undefined("a half gives all items the same score, or scores fewer than two items", items)
    value = float(carried(known.mean()))
    if np.isnan(value):
        return _undefined("two halves of the judgements do not agree at all", items)
    # Items with one rating stand last and are not split: without one of them, the halves stay the same.
    without = np.append(found.without_units(), np.full(items - split, known.mean()))
    return ScoreReliability(value=value, without=carried(without))


def _repeats(answers: int) -> int:
    return min(HALVINGS, max(FEWEST_HALVINGS, CELLS // answers))


def _random_halves(halves: Halves, answers: int) -> Iterator[HalfScores]:
    rng = np.random.default_rng(0)
    for first, last in in_chunks(_repeats(answers), max(1, AT_ONCE // answers)):
        yield halves.draw(last - first, ODD_TO, rng)


def _halved_raters(values: Array, answers: int) -> Iterator[HalfScores]:
    """Mean ratings by half of the raters, and by the others, for all halvings, or for random ones if these are many.

    Args:
        values: raters x items, nan where a rating is missing.
        answers: the number of ratings.
    """
    raters, repeats = len(values), _repeats(answers)
    if comb(raters, raters // 2) <= repeats:
        chosen = np.array(list(combinations(range(raters), raters // 2)))
    else:
        order = np.tile(np.arange(raters), (repeats, 1))
        chosen = np.random.default_rng(0).permuted(order, axis=1)[:, : raters // 2]
    in_first = np.zeros((len(chosen), raters))
    np.put_along_axis(in_first, chosen, 1.0, axis=1)
    there = np.isfinite(values)
    filled, given = np.where(there, values, 0.0), there.astype(np.float64)
    for first, last in in_chunks(len(chosen), max(1, AT_ONCE // answers)):
        halves = (in_first[first:last], 1 - in_first[first:last])
        with np.errstate(invalid="ignore"):  # where a half has no rating
            yield HalfScores(*(without_noise(half @ filled / (half @ given)) for half in halves))


def _by_rater(values: Array, raters: Array) -> Array:
    """Ratings in row order, as raters x items."""
    there = np.isfinite(values)
    number = raters[there].astype(np.intp)
    table = np.full((number.max() + 1, values.shape[1]), np.nan)
    table[number, np.nonzero(there)[1]] = values[there]
    return table


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


def _undefined(reason: str, items: int) -> ScoreReliability:
    return ScoreReliability(value=float("nan"), without=np.full(items, np.nan), reason=reason)
