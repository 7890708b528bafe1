"""Agreement on best-worst answers: Krippendorff's alpha in three codings, and strong agreement."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.data.judgements import Judgements
from similitude.gold.reliability.alpha import nominal_alpha
from similitude.gold.reliability.bootstrap import USUAL, Resampling, Statistic, bootstrap_estimates
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.tuple_answers import TupleAnswers
from similitude.gold.reliability.value_counts import ValueCounts, count_values
from similitude.stats.arrays import Booleans, Integers

__all__ = ["STRONG", "BestWorstAgreement", "best_worst_agreement"]


STRONG = 0.8
"""The share of a tuple's annotators that must give the same answer: 4 of 5."""


class BestWorstAgreement(NamedTuple):
    """Agreement on best-worst answers.

    Attributes:
        combined: alpha of one label per tuple, the pair (best, worst): two answers agree if both items are the same.
            The literal reading of GiCCS 3.3.
        by_position: alpha of two questions per tuple, best and worst; a label is the item's place in its tuple, so
            chance means choosing among the places.
        by_item: the same, but a label is the item itself, so chance means choosing among all items.
        strong_best: share of tuples where at least ceil(0.8 n) of n annotators named the same item best.
        strong_worst: the same for worst.
        tuples: tuples with at least two answers.
        answers: number of their answers.
        left_out: tuples with one answer.
        notes: what was left out of the answers, and why.
    """

    combined: Estimate
    by_position: Estimate
    by_item: Estimate
    strong_best: Estimate
    strong_worst: Estimate
    tuples: int
    answers: int
    left_out: int
    notes: tuple[str, ...] = ()


def best_worst_agreement(
    judgements: Judgements,
    *,
    resampling: Resampling = USUAL,
) -> BestWorstAgreement:
    """Krippendorff's nominal alpha in three codings, and strong agreement, with bootstrap intervals over tuples.

    Alpha is 1 for full agreement and 0 at chance level; the codings differ in the chance level. Strong agreement is a
    share, 0..1; with fewer than 5 annotators it requires all of them. Tuples with one answer are left out and counted.
    Annotators may be unnamed.

    Undefined if fewer than two tuples have two answers; alpha also if all answers are the same.

    Reference: GiCCS, 3.3 and Table 1; `krippendorff_alpha`.

    Args:
        judgements: best-worst answers.
        resampling: how intervals are drawn.

    Raises:
        ArgumentError: these are ratings.
        InputError: an answer names an item that its tuple does not show.

    >>> from similitude.gold.reliability import NO_INTERVALS
    >>> import polars as pl
    >>> rows = {"items": [["a", "b", "c"]] * 3 + [["a", "b", "d"]] * 3, "best": list("aaabbb"), "worst": list("cccada")}
    >>> found = best_worst_agreement(Judgements(name="made", frame=pl.DataFrame(rows)), resampling=NO_INTERVALS)
    >>> round(found.combined.value, 3), found.strong_best.value, found.strong_worst.value
    (0.545, 1.0, 0.5)
    """
    answers = TupleAnswers.of(judgements)
    is_kept = answers.sizes[answers.tuple_of] >= 2
    tuples, tuple_of = np.unique(answers.tuple_of[is_kept], return_inverse=True)
    figures = dict.fromkeys(_FIGURES, undefined(_reason(tuples.size)))
    if tuples.size >= 2:
        statistic, width = _statistic(answers, is_kept, _Asked(tuple_of, tuples.size))
        found = bootstrap_estimates(statistic, tuples.size, width=width, resampling=resampling)
        known = (each if each.is_defined else undefined(_SAME) for each in found)
        figures = dict(zip(_FIGURES, known, strict=True))
    return BestWorstAgreement(
        **figures,
        tuples=tuples.size,
        answers=tuple_of.size,
        left_out=len(answers.tuples) - tuples.size,
        notes=answers.notes,
    )


_FIGURES = ("combined", "by_position", "by_item", "strong_best", "strong_worst")
_SAME = "all answers are the same: agreement cannot be distinguished from chance"


def _reason(tuples: int) -> str:
    return f"{'only one' if tuples else 'no'} tuple was answered twice: there is nothing to compare"


class _Asked(NamedTuple):
    """The tuple of each answer, and the number of tuples."""

    tuple_of: Integers
    tuples: int

    def tally(self, *answers: Integers) -> ValueCounts:
        """How often each tuple was given each label, over all these questions."""
        labels = np.concatenate(answers)
        return count_values(np.tile(self.tuple_of, len(answers)), labels, self.tuples, int(labels.max()) + 1)

    def alpha(self, *answers: Integers) -> Statistic:
        """Nominal alpha over all these questions; a tuple is drawn with all of them."""
        together = self.tally(*answers)
        differing = sum((self.tally(each).pairs_that_differ for each in answers), np.zeros(self.tuples))
        return nominal_alpha(together.number, differing, together)

    def strong(self, answers: Integers) -> Statistic:
        """Share of tuples where nearly all give the same answer."""
        counted = self.tally(answers)
        # Rounding may lift 0.8 * 15 slightly above 12, which must not require 13.
        is_strong = (counted.most >= np.ceil(STRONG * counted.number - 1e-9)).astype(np.float64)
        return lambda weights: (weights @ is_strong / weights.sum(axis=1))[None]


def _statistic(answers: TupleAnswers, is_kept: Booleans, asked: _Asked) -> tuple[Statistic, int]:
    """The five figures in the order of their names, and the greatest number of labels."""
    best, worst = answers.best[is_kept], answers.worst[is_kept]
    best_place, worst_place = answers.places(answers.best)[is_kept], answers.places(answers.worst)[is_kept]
    _, pair = np.unique(best * np.int64(len(answers.items)) + worst, return_inverse=True)
    figures = [
        asked.alpha(pair),
        asked.alpha(best_place, worst_place),
        asked.alpha(best, worst),
        asked.strong(best_place),
        asked.strong(worst_place),
    ]
    width = max(len(answers.items), int(pair.max()) + 1)
    return lambda weights: np.concatenate([figure(weights) for figure in figures]), width
