"""Split-half reliability: the correlation between scores from two random halves of the answers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple, get_args

import numpy as np

from similitude.data.judgements import Judgements
from similitude.data.protocols import Listener
from similitude.errors import ArgumentError, UnknownNameError
from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.independent_units import independent_units
from similitude.gold.reliability.pairable_ratings import checked, without_noise
from similitude.gold.reliability.random_halves import BestWorstHalves, HalfScores, Halves, OddTo, RatingHalves
from similitude.gold.reliability.rating_spread import ratings_of, ratings_on
from similitude.gold.reliability.repeated_correlation import RepeatedCorrelation
from similitude.gold.reliability.tuple_answers import TupleAnswers
from similitude.stats import Units, in_chunks
from similitude.stats.arrays import Array, Integers
from similitude.stats.unit_changes import pearson_changes, spearman_changes

__all__ = ["REPEATS", "USUAL_HALVES", "Halving", "SplitHalf", "split_half", "split_half_of_ratings"]


REPEATS = 100
CHUNK_CELLS = 1_250_000
"""How many answers x repeats are held at a time: 5 MB, which fits into the processor's cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Halving:
    """How answers are split in halves.

    Attributes:
        repeats: random halvings for split-half reliability.
        odd_to: the half that gets the odd answer (3 of 5): second, the same for all tuples or items, as in GiCCS; or
            toss, either of them by a toss of a coin for each.
        spearman_brown: step split-half correlations up to the full number of answers.
        without: items that are shown and counted but not correlated, such as placeholders.

    Raises:
        ArgumentError: fewer than one repeat.
        UnknownNameError: an unknown half for the odd answer.
    """

    repeats: int = REPEATS
    odd_to: OddTo = "second"
    spearman_brown: bool = False
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.repeats < 1:
            raise ArgumentError(f"cannot split {self.repeats} times", remedy="split 100 times, or at least once")
        if self.odd_to not in get_args(OddTo):
            raise UnknownNameError("half for the odd answer", self.odd_to, get_args(OddTo))


USUAL_HALVES = Halving()


class SplitHalf(NamedTuple):
    """The correlation between the scores of two random halves, over many repeats.

    Attributes:
        spearman: mean over repeats, with an interval over items.
        pearson: the same for Pearson's r.
        spearman_sd: standard deviation over repeats (ddof 1): how much depends on the halving.
        pearson_sd: the same for Pearson's r.
        repeats: number of random halvings.
        items: number of items correlated.
        left_out: the largest number of items that a repeat left out because one half had no answer about them.
        stepped_up: whether correlations were corrected to the full number of answers (Spearman-Brown).
        notes: what was left out of the answers, and why.
    """

    spearman: Estimate
    pearson: Estimate
    spearman_sd: float
    pearson_sd: float
    repeats: int
    items: int
    left_out: int
    stepped_up: bool
    notes: tuple[str, ...] = ()


def split_half(
    judgements: Judgements,
    *,
    repeats: int = REPEATS,
    spearman_brown: bool = False,
    odd_to: OddTo = "second",
    without: Collection[str] = (),
    resampling: Resampling = USUAL,
    listener: Listener | None = None,
) -> SplitHalf:
    """Split the answers to every tuple (or item) in half at random, score both halves, correlate; repeat.

    Best-worst answers are scored by counting, (#best - #worst) / #appearances, ratings by their mean. An item
    without an answer in one half is left out of that repeat and counted. Range -1..1; 1 if both halves give the same
    scores (Pearson) or the same order (Spearman). Each half has only half of the answers, so scores from all answers
    are more reliable; the Spearman-Brown formula 2r / (1 + r) estimates their reliability from the mean r, if asked
    for. (It takes the halves to be equal. With 2 answers against 3 it is slightly low: .828 for a reliability of .833.)

    The interval is for the population of items, judged in the same way: what the figure would be with many more items
    like these. It is a jackknife of the mean over all repeats, on Fisher's scale (see `jackknife_interval`). It leaves
    out items or, where they form at least four sets that share no tuple and no group, whole sets.

    The halvings depend on the generator and on the answers, not on the order of their rows.

    Undefined if every tuple (item) has one answer, if fewer than two items have scores in both halves, and if a half
    gives all items the same score.

    Reference: GiCCS 4.2; Kiritchenko and Mohammad (2017); Spearman (1910), Brown (1910).

    Args:
        judgements: best-worst answers or ratings.
        repeats: number of random halvings.
        spearman_brown: correct the mean correlation to the full number of answers.
        odd_to: which half gets the odd answer. "second": the second half has 3 of 5 answers to every tuple, as in
            GiCCS; "toss": a coin is tossed for each tuple.
        without: items that are shown and counted but not correlated, such as placeholders.
        resampling: the level of the interval, and the generator of the halvings; 0 resamples for no interval.
        listener: is told the progress.

    Raises:
        ArgumentError: fewer than one repeat, or an item in ``without`` that nobody judged.
        InputError: a best-worst answer names an item that its tuple does not show.

    >>> import polars as pl
    >>> rows = {"items": [list("abc")] * 4 + [list("abd")] * 4, "best": list("aaaaabab"), "worst": list("cbccdddd")}
    >>> found = split_half(Judgements(name="made", frame=pl.DataFrame(rows)), resampling=Resampling(resamples=0))
    >>> found.repeats, found.items, bool(0 < found.spearman.value < 1)
    (100, 4, True)
    """
    strangers = set(without) - set(judgements.judged)
    if strangers:
        what = f"nobody judged '{min(strangers)}'"
        raise ArgumentError(what, where=judgements.name, remedy="leave out items that were judged (--without)")
    halving = Halving(repeats=repeats, odd_to=odd_to, spearman_brown=spearman_brown)
    kept = np.flatnonzero([item not in without for item in judgements.judged])
    units = independent_units(judgements)
    if judgements.kind == "rating":
        kept = np.array(sorted(kept, key=judgements.judged.__getitem__))  # so that the order of rows does not matter
        values = ratings_on(ratings_of(judgements), judgements.judged)[:, kept]
        return _of_ratings(values, _units_of(units, kept), halving, resampling, listener)
    answers = TupleAnswers.of(judgements)
    if answers.sizes.max() < 2:
        return _undefined("every tuple was answered once: there is nothing to split", halving, answers.notes)
    drawn = _Drawn(BestWorstHalves(answers), kept, _units_of(units, kept), answers.best.size)
    return _split(drawn, halving, resampling, listener)._replace(notes=answers.notes)


def split_half_of_ratings(
    values: Array,
    *,
    repeats: int = REPEATS,
    spearman_brown: bool = False,
    odd_to: OddTo = "second",
    resampling: Resampling = USUAL,
) -> SplitHalf:
    """`split_half` of an array of raters x items, nan where a rating is missing.

    Each item's ratings are split separately; items with one rating are left out.

    >>> rng = np.random.default_rng(0)
    >>> ratings = rng.normal(size=500) + rng.normal(size=(4, 500))  # a mean of two has reliability 1 / (1 + 1 / 2)
    >>> bool(abs(split_half_of_ratings(ratings).pearson.value - 2 / 3) < 0.05)
    True
    """
    halving = Halving(repeats=repeats, odd_to=odd_to, spearman_brown=spearman_brown)
    ratings = checked(values)
    return _of_ratings(ratings, Units(ratings.shape[1]), halving, resampling, None)


class _Drawn(NamedTuple):
    """What is split.

    Attributes:
        halves: the answers.
        kept: the items that are correlated, as columns of the halves' scores.
        units: the units that the interval leaves out, of these items.
        answers: number of answers, for the size of chunks.
    """

    halves: Halves
    kept: Integers
    units: Units
    answers: int


def _of_ratings(
    values: Array, units: Units, halving: Halving, resampling: Resampling, listener: Listener | None
) -> SplitHalf:
    halves = RatingHalves(without_noise(values))
    if halves.items < 2:
        which = "no item" if halves.items == 0 else "only one item"
        return _undefined(f"{which} has two ratings: there is nothing to split", halving)
    drawn = _Drawn(halves, np.arange(halves.items), _units_of(units, halves.columns), values.size)
    return _split(drawn, halving, resampling, listener)


def _units_of(units: Units, items: Integers) -> Units:
    """The units of a selection of items."""
    return Units(items.size) if units.of_item is None else Units.of_groups(units.of_item[items])


def _undefined(reason: str, halving: Halving, notes: tuple[str, ...] = ()) -> SplitHalf:
    none, nan = undefined(reason), float("nan")
    return SplitHalf(none, none, nan, nan, halving.repeats, 0, 0, halving.spearman_brown, notes)


def _split(drawn: _Drawn, halving: Halving, resampling: Resampling, listener: Listener | None) -> SplitHalf:
    rng, repeats = resampling.generator.spawn(1)[0], halving.repeats
    units = drawn.units if resampling.resamples else None
    rho, r = (RepeatedCorrelation(drawn.units.number) for _ in range(2))
    left_out = 0
    for first, last in in_chunks(repeats, max(1, CHUNK_CELLS // drawn.answers)):
        both = drawn.halves.draw(last - first, halving.odd_to, rng)
        scores = HalfScores(both.first[:, drawn.kept], both.second[:, drawn.kept])
        left_out = max(left_out, int(np.isnan(scores.first + scores.second).sum(axis=1).max()))
        rho.add(spearman_changes(*scores, units))
        r.add(pearson_changes(*scores, units))
        if listener is not None:
            listener.progress("split-half", last, repeats)
    step_up = halving.spearman_brown
    return SplitHalf(
        spearman=rho.estimate(resampling, step_up=step_up),
        pearson=r.estimate(resampling, step_up=step_up),
        spearman_sd=rho.deviation(step_up=step_up),
        pearson_sd=r.deviation(step_up=step_up),
        repeats=repeats,
        items=drawn.kept.size,
        left_out=left_out,
        stepped_up=step_up,
    )
