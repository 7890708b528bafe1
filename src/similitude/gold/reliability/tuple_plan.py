"""A plan for best-worst scaling: how many annotations per tuple, or tuples per item, make scores reliable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError, UnknownNameError
from similitude.gold.reliability.bootstrap import USUAL, Resampling, Statistic, bootstrap_estimates, sums_to_draw
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.sample_size import (
    LEAST_ITEMS,
    MOST,
    far_beyond,
    raters_for,
    spearman_brown,
    told_plainly,
)
from similitude.gold.reliability.tuple_answers import TupleAnswers
from similitude.stats import pearson_features, pearson_from_sums
from similitude.stats.arrays import Array, Integers

__all__ = ["By", "TuplePlan", "part_by_annotation", "part_by_tuple", "plan_tuples", "scores_of_parts"]


By = Literal["annotations", "tuples"]
"""What is added: more annotations of the same tuples, or more tuples."""

SPLITS = 20
LONGEST = 20
NEITHER = 2
"""The part number of answers that belong to neither of the two parts."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TuplePlan:
    """The answers needed for a collection, estimated from a best-worst pilot.

    Attributes:
        by: what is added.
        pilot: mean annotations per tuple, or tuples per item, of the pilot.
        reliability: of the pilot's own scores: the squared correlation with scores from unlimited answers.
        needed: the smallest number that reaches the target; nan, with the reason, if unknown.
        table: one row per number: ``annotations`` or ``tuples``; ``reliability`` with ``reliability_low`` and
            ``reliability_high``; ``observed``, the correlation of two disjoint parts of about that size, if the
            pilot has them; ``answers``, the total number of answers.
        notes: caveats.
    """

    by: By
    pilot: float
    reliability: Estimate
    needed: Estimate
    table: pl.DataFrame
    notes: tuple[str, ...]


class _Halves(NamedTuple):
    """How to split the pilot: sizes of parts, and the annotations per tuple, or tuples per item, of each."""

    cut: Callable[[TupleAnswers, int, np.random.Generator], Integers]
    sizes: list[int]
    amounts: Array
    pilot: float
    answers: float


def plan_tuples(
    pilot: Judgements,
    *,
    reliability: float = 0.9,
    by: By = "annotations",
    resampling: Resampling = USUAL,
) -> TuplePlan:
    """The annotations per tuple, or tuples per item, that make counting scores reliable.

    The pilot is split at random into two disjoint parts, as large as it allows. Both are scored; their Pearson
    correlation, averaged over 20 splits, is the reliability of one part. Spearman-Brown extrapolates it to other
    numbers. Split-half reliability as papers report it, between halves of n annotations, is that of n / 2. More
    annotations do not change the tuples: chance in which items meet is reduced only by more tuples.

    Args:
        pilot: best-worst answers; annotators may be unnamed.
        reliability: the target, below 1.
        by: "annotations" a tuple, or "tuples" an item.
        resampling: how the intervals are drawn, over items.

    Raises:
        ArgumentError: these are ratings, or the target is not between 0 and 1.

    >>> import similitude as sim
    >>> sim.agreement.plan_tuples("sample:dialogues").table.columns
    ['annotations', 'reliability', 'reliability_low', 'reliability_high', 'observed', 'answers']
    """
    _check(pilot, reliability, by)
    answers = TupleAnswers.of(pilot)
    halves = _by_annotations(answers) if by == "annotations" else _by_tuples(answers)
    too_small = _too_small(answers, halves, by)
    if too_small:
        return _no_plan(too_small, by, halves)
    resampling = resampling.with_generator()
    features = _cuts(answers, halves, resampling.generator)
    statistic = _forecasts(features, halves, reliability)
    found = bootstrap_estimates(statistic, features[0].shape[-1], width=MOST, resampling=resampling)
    own, needed, curve, observed = found[0], told_plainly(found[1], by), found[2 : 2 + LONGEST], found[2 + LONGEST :]
    return TuplePlan(
        by=by,
        pilot=halves.pilot,
        reliability=own,
        needed=needed,
        table=_table(by, curve, halves, observed),
        notes=(*answers.notes, *far_beyond(needed, halves.pilot, by)),
    )


def _check(pilot: Judgements, reliability: float, by: By) -> None:
    if pilot.kind != "best-worst":
        raise ArgumentError("these are ratings", where=pilot.name, remedy="plan them with plan_raters")
    if not 0 < reliability < 1:
        raise ArgumentError(f"{reliability:g} is not a target", remedy="give a reliability between 0 and 1")
    if by not in get_args(By):
        raise UnknownNameError("way to add answers", by, get_args(By))


def _no_plan(why: str, by: By, halves: _Halves) -> TuplePlan:
    table = pl.DataFrame(schema={by: pl.Int64, "reliability": pl.Float64})
    none = undefined(why)
    return TuplePlan(by=by, pilot=halves.pilot, reliability=none, needed=none, table=table, notes=(why,))


def _cuts(answers: TupleAnswers, halves: _Halves, rng: np.random.Generator) -> list[Array]:
    """For parts of every size, the terms of their correlation: splits x 6 x items, or blocks of items."""
    blocks, *parts = rng.spawn(1 + len(halves.sizes) * SPLITS)
    seed = blocks.integers(2**32)  # all splits have the same blocks
    drawn = [
        sums_to_draw(_features_of_parts(answers, halves.cut(answers, size, part)), np.random.default_rng(seed))
        for size, part in zip(np.repeat(halves.sizes, SPLITS).tolist(), parts, strict=True)
    ]
    return [np.array(drawn[place : place + SPLITS]) for place in range(0, len(drawn), SPLITS)]


def _by_annotations(answers: TupleAnswers) -> _Halves:
    """Parts of 1, 2, ... annotations, as long as half of the tuples allow two such parts."""
    sizes = list(range(1, int(np.median(answers.sizes)) // 2 + 1))
    amounts = np.array(sizes)
    return _Halves(part_by_annotation, sizes, amounts, float(answers.sizes.mean()), len(answers.tuples))


def _by_tuples(answers: TupleAnswers) -> _Halves:
    """Parts of a quarter and of half of the tuples."""
    tuples = len(answers.tuples)
    sizes = sorted({size for size in (tuples // 4, tuples // 2) if size})
    asked = np.unique(np.stack([answers.tuple_of[answers.shown_in], answers.shown]), axis=1)
    an_item = asked.shape[1] / len(answers.items)
    of_one_more = answers.tuple_of.size / an_item  # answers that one more tuple an item costs
    return _Halves(part_by_tuple, sizes, an_item * np.array(sizes) / tuples, an_item, of_one_more)


def _too_small(answers: TupleAnswers, halves: _Halves, by: By) -> str | None:
    items = len(answers.items)
    if not halves.sizes:
        remedy = "plan by tuples" if by == "annotations" else "ask more"
        return f"the pilot cannot tell: most tuples have one annotation, or there is one tuple only; {remedy}"
    if items < LEAST_ITEMS:
        return f"the pilot cannot tell: {items} items are too few, at least {LEAST_ITEMS} are needed"
    return None


def _forecasts(features: list[Array], halves: _Halves, target: float) -> Statistic:
    """The pilot's reliability, the number that the target needs, the curve, and the observed correlations of parts."""
    numbers = np.arange(1.0, MOST + 1)[:, None]

    def statistic(weights: Array) -> Array:
        observed = [pearson_from_sums(np.swapaxes(cuts @ weights.T, 1, 2)).mean(axis=0) for cuts in features]
        largest = np.where(observed[-1] > 0, observed[-1], np.nan)
        single = spearman_brown(largest, np.array(1 / halves.amounts[-1]))
        curve = spearman_brown(single, numbers)
        own, needed = spearman_brown(single, np.array(halves.pilot)), raters_for(curve, target, at_most=False)
        return np.concatenate([[own, needed], curve[:LONGEST], observed])

    return statistic


def _table(by: By, curve: list[Estimate], halves: _Halves, observed: list[Estimate]) -> pl.DataFrame:
    numbers = np.arange(1, LONGEST + 1)
    seen = {round(amount): estimate.value for amount, estimate in zip(halves.amounts, observed, strict=True)}
    return pl.DataFrame(
        {
            by: numbers,
            "reliability": [estimate.value for estimate in curve],
            "reliability_low": [estimate.low for estimate in curve],
            "reliability_high": [estimate.high for estimate in curve],
            "observed": [seen.get(number) for number in numbers.tolist()],
            "answers": np.ceil(numbers * halves.answers).astype(np.int64),
        },
        schema_overrides={"observed": pl.Float64},
    )


def part_by_annotation(answers: TupleAnswers, size: int, rng: np.random.Generator) -> Integers:
    """For every answer 0, 1 or `NEITHER`: of each tuple with 2 ``size`` answers, ``size`` go to either part."""
    order = np.argsort((answers.tuple_of << 32) | rng.integers(2**32, size=answers.tuple_of.size))
    starts = np.cumsum(answers.sizes) - answers.sizes
    place = np.empty_like(order)
    place[order] = np.arange(order.size) - starts[answers.tuple_of[order]]
    enough = answers.sizes[answers.tuple_of] >= 2 * size
    return np.where(enough, np.minimum(place // size, NEITHER), NEITHER)


def part_by_tuple(answers: TupleAnswers, size: int, rng: np.random.Generator) -> Integers:
    """For every answer 0, 1 or `NEITHER`: all answers to ``size`` tuples go to either part."""
    part_of_tuple = np.minimum(rng.permutation(len(answers.tuples)) // size, NEITHER)
    return np.asarray(part_of_tuple[answers.tuple_of])


def scores_of_parts(answers: TupleAnswers, part: Integers) -> Array:
    """(#best - #worst) / #appearances in both parts, parts x items; nan where a part does not show an item."""
    items = len(answers.items)

    def count(of_answer: Integers, item: Integers) -> Array:
        counts = np.bincount(of_answer * items + item, minlength=(NEITHER + 1) * items)
        return counts.reshape(-1, items)[:NEITHER].astype(np.float64)

    shown = count(part[answers.shown_in], answers.shown)
    return (count(part, answers.best) - count(part, answers.worst)) / np.where(shown > 0, shown, np.nan)


def _features_of_parts(answers: TupleAnswers, part: Integers) -> Array:
    """The terms of the correlation of the two parts' scores: 6 x items, 0 for an item missing from one part."""
    one, other = scores_of_parts(answers, part)
    both = np.isfinite(one) & np.isfinite(other)
    features = np.zeros((6, one.size))
    if both.any():
        features[:, both] = pearson_features(one[both], other[None, both])[0]
    return features
