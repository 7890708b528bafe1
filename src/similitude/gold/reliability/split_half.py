"""Split-half reliability: the correlation between scores from two random halves of the answers."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, get_args

import numpy as np

from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError, UnknownNameError
from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.estimate import Estimate, estimate_of, undefined
from similitude.gold.reliability.pairable_ratings import checked, without_noise
from similitude.gold.reliability.random_halves import BestWorstHalves, HalfScores, Halves, OddTo, RatingHalves
from similitude.gold.reliability.rating_spread import ratings_of, ratings_on
from similitude.gold.reliability.resampled_correlations import Correlation, correlations_of_resamples
from similitude.gold.reliability.tuple_answers import TupleAnswers
from similitude.stats import bootstrap_weights, in_chunks, pearson, spearman
from similitude.stats.arrays import Array, Booleans, Integers

__all__ = ["REPEATS", "SplitHalf", "split_half", "split_half_of_ratings"]


REPEATS = 100
ROUNDING = 1e-9
"""A correlation this close to -1 counts as -1."""
CHUNK_CELLS = 1_250_000
"""How many answers x repeats are held at a time: 5 MB, which fits into the processor's cache."""


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


class _Settings(NamedTuple):
    repeats: int
    spearman_brown: bool
    odd_to: OddTo
    resampling: Resampling


def split_half(
    judgements: Judgements,
    *,
    repeats: int = REPEATS,
    spearman_brown: bool = False,
    odd_to: OddTo = "either",
    without: Collection[str] = (),
    resampling: Resampling = USUAL,
) -> SplitHalf:
    """Split the answers to every tuple (or item) in half at random, score both halves, correlate; repeat.

    Best-worst answers are scored by counting, (#best - #worst) / #appearances, ratings by their mean. An item
    without an answer in one half is left out of that repeat and counted. Range -1..1; 1 if both halves give the same
    scores (Pearson) or the same order (Spearman). Each half has only half of the answers, so scores from all answers
    are more reliable; the Spearman-Brown formula 2r / (1 + r) estimates their reliability, if asked for.

    The interval is over items: every resample draws items and uses one of the halvings.

    Undefined if every tuple (item) has one answer, if fewer than two items have scores in both halves, and if a half
    gives all items the same score.

    Reference: GiCCS 4.2; Kiritchenko and Mohammad (2017); Spearman (1910), Brown (1910).

    Args:
        judgements: best-worst answers or ratings.
        repeats: number of random halvings.
        spearman_brown: correct every correlation to the full number of answers.
        odd_to: which half gets 3 of 5 answers. "either": random for each tuple;
            "second": always the second, as in GiCCS.
        without: items that are shown and counted but not correlated, such as placeholders.
        resampling: how intervals are drawn.

    Raises:
        ArgumentError: fewer than one repeat, or an item in ``without`` that nobody judged.
        InputError: a best-worst answer names an item that its tuple does not show.

    >>> from similitude.gold.reliability import NO_INTERVALS
    >>> import polars as pl
    >>> rows = {"items": [list("abc")] * 4 + [list("abd")] * 4, "best": list("aaaaabab"), "worst": list("cbccdddd")}
    >>> found = split_half(Judgements(name="made", frame=pl.DataFrame(rows)), resampling=NO_INTERVALS)
    >>> found.repeats, found.items, bool(0 < found.spearman.value < 1)
    (100, 4, True)
    """
    strangers = set(without) - set(judgements.judged)
    if strangers:
        what = f"nobody judged '{min(strangers)}'"
        raise ArgumentError(what, where=judgements.name, remedy="leave out items that were judged")
    settings = _checked(_Settings(repeats, spearman_brown, odd_to, resampling))
    if judgements.kind == "rating":
        kept = [item for item in judgements.judged if item not in without]
        return _of_ratings(ratings_on(ratings_of(judgements), kept), settings)
    answers = TupleAnswers.of(judgements)
    if answers.sizes.max() < 2:
        return _undefined("every tuple was answered once: there is nothing to split", settings, answers.notes)
    is_scored = np.array([item not in without for item in answers.items])
    return _split(BestWorstHalves(answers), answers.best.size, is_scored, settings)._replace(notes=answers.notes)


def split_half_of_ratings(
    values: Array,
    *,
    repeats: int = REPEATS,
    spearman_brown: bool = False,
    odd_to: OddTo = "either",
    resampling: Resampling = USUAL,
) -> SplitHalf:
    """`split_half` of an array of raters x items, nan where a rating is missing.

    Each item's ratings are split separately; items with one rating are left out.

    >>> rng = np.random.default_rng(0)
    >>> ratings = rng.normal(size=500) + rng.normal(size=(4, 500))  # a mean of two has reliability 1 / (1 + 1 / 2)
    >>> bool(abs(split_half_of_ratings(ratings).pearson.value - 2 / 3) < 0.05)
    True
    """
    return _of_ratings(values, _checked(_Settings(repeats, spearman_brown, odd_to, resampling)))


def _of_ratings(values: Array, settings: _Settings) -> SplitHalf:
    halves = RatingHalves(without_noise(checked(values)))
    if halves.items < 2:
        which = "no item" if halves.items == 0 else "only one item"
        return _undefined(f"{which} has two ratings: there is nothing to split", settings)
    return _split(halves, values.size, np.ones(halves.items, dtype=np.bool_), settings)


def _undefined(reason: str, settings: _Settings, notes: tuple[str, ...] = ()) -> SplitHalf:
    none, nan = undefined(reason), float("nan")
    return SplitHalf(none, none, nan, nan, settings.repeats, 0, 0, settings.spearman_brown, notes)


def _split(halves: Halves, answers: int, is_scored: Booleans, settings: _Settings) -> SplitHalf:
    cuts, draws = settings.resampling.generator.spawn(2)
    shares = np.bincount(np.arange(settings.resampling.resamples) % settings.repeats, minlength=settings.repeats)
    parts = []
    for first, last in in_chunks(settings.repeats, max(1, CHUNK_CELLS // answers)):
        both = halves.draw(last - first, settings.odd_to, cuts)
        scores = HalfScores(both.first[:, is_scored], both.second[:, is_scored])
        parts.append(_Part(_between(scores), _resampled(scores, shares[first:last], draws), _left_out(scores)))
    found, drawn = (np.concatenate([part[field] for part in parts], axis=1) for field in (0, 1))
    (rho, rho_sd), (r, r_sd) = (_figure(*each, settings) for each in zip(found, drawn, strict=True))
    left_out = max(part.left_out for part in parts)
    return SplitHalf(rho, r, rho_sd, r_sd, settings.repeats, int(is_scored.sum()), left_out, settings.spearman_brown)


class _Part(NamedTuple):
    """The figures of some of the repeats, Spearman's rho above Pearson's r.

    Attributes:
        between: the correlation between the halves of every repeat.
        resampled: the same in resamples of items.
        left_out: the largest number of items that a repeat leaves out.
    """

    between: Array
    resampled: Array
    left_out: int


def _checked(settings: _Settings) -> _Settings:
    if settings.repeats < 1:
        raise ArgumentError(f"cannot split {settings.repeats} times", remedy="split 100 times, or at least once")
    if settings.odd_to not in get_args(OddTo):
        raise UnknownNameError("half for the odd answer", settings.odd_to, get_args(OddTo))
    return settings


def _left_out(scores: HalfScores) -> int:
    return int(np.isnan(scores.first + scores.second).sum(axis=1).max())


def _between(scores: HalfScores) -> Array:
    known = ~np.isnan(scores.first + scores.second)
    if known.all():
        return np.stack([spearman(*scores), pearson(*scores)])
    rows = [(one[there], other[there]) for one, other, there in zip(*scores, known, strict=True)]
    return np.array([[correlate(*row) if row[0].size else np.nan for row in rows] for correlate in (spearman, pearson)])


def _resampled(scores: HalfScores, shares: Integers, rng: np.random.Generator) -> Array:
    """This many resamples of each repeat."""
    kinds: tuple[Correlation, ...] = ("spearman", "pearson")
    found = [np.empty((2, 0))]
    for one, other, number in zip(*scores, shares.tolist(), strict=True):
        both = np.stack([one, other])[:, ~np.isnan(one + other)]
        if number and both.shape[1] > 1:
            weights = bootstrap_weights(both.shape[1], number, rng)
            found.append(np.stack([correlations_of_resamples(both, weights, kind)[:, 0, 1] for kind in kinds]))
    return np.concatenate(found, axis=1)


def _figure(found: Array, drawn: Array, settings: _Settings) -> tuple[Estimate, float]:
    """The mean over repeats with its interval, and the standard deviation over repeats."""
    if settings.spearman_brown:
        found, drawn = _stepped_up(found), _stepped_up(drawn)
    known = found[np.isfinite(found)]
    if known.size == 0:
        return undefined("a half gives all items the same score, or scores fewer than two items"), float("nan")
    value = float(known.mean())
    estimate = estimate_of(value, drawn, settings.resampling.level) if drawn.size else Estimate(value)
    if known.size < found.size:
        note = f"left out {found.size - known.size:,} of {found.size:,} repeats in which the figure is undefined"
        estimate = estimate._replace(reason=note if estimate.reason is None else f"{note}; {estimate.reason}")
    return estimate, float(known.std(ddof=1)) if known.size > 1 else float("nan")


def _stepped_up(r: Array) -> Array:
    """2r / (1 + r): the reliability of all answers together, from that of half of them; nan for r = -1."""
    return np.divide(2 * r, 1 + r, out=np.full_like(r, np.nan), where=r > -1 + ROUNDING)
