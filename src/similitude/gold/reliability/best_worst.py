"""Agreement on best-worst answers: Krippendorff's alpha in three codings, and strong agreement."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.data.judgements import Judgements
from similitude.gold.reliability.alpha import alpha_estimate, nominal_alpha
from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.chance_alpha import ChanceAlphas, chance_alphas
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.jackknife import share_estimate
from similitude.gold.reliability.tuple_answers import TupleAnswers
from similitude.gold.reliability.value_counts import ValueCounts, count_values
from similitude.stats.arrays import Array, Integers

__all__ = ["STRONG", "BestWorstAgreement", "best_worst_agreement"]


STRONG = 0.8
"""The share of a tuple's annotators that must give the same answer: 4 of 5."""


class BestWorstAgreement(NamedTuple):
    """Agreement on best-worst answers.

    Attributes:
        combined: alpha of one label per tuple, the places of best and worst in it: two answers agree if both items are
            the same.
        by_position: alpha of two questions per tuple, best and worst; a label is the item's place in its tuple.
        by_item: the same, but a label is the item itself, so that alpha's chance means choosing among all items, and
            random answers have an alpha above 0.
        strong_best: share of tuples where at least ceil(0.8 n) of n annotators named the same item best.
        strong_worst: the same for worst.
        tuples: tuples with at least two answers.
        answers: number of their answers.
        left_out: tuples with one answer.
        by_chance: the alpha that random answers to these tuples would give, in each coding; None without tuples.
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
    by_chance: ChanceAlphas | None = None
    notes: tuple[str, ...] = ()


def best_worst_agreement(
    judgements: Judgements,
    *,
    resampling: Resampling = USUAL,
) -> BestWorstAgreement:
    """Krippendorff's nominal alpha in three codings, and strong agreement, with intervals.

    Alpha is 1 for full agreement; ``by_chance`` says what random answers would give. Strong agreement is a share,
    0..1; with fewer than 5 annotators it requires all of them. Tuples with one answer are left out and counted.
    Annotators may be unnamed.

    The intervals are about all items and tuples from which these are a sample, answered by anybody. Those of alpha are
    the jackknife's over tuples, as in `krippendorff_alpha`, with a variance that allows for tuples which share an item
    (`similitude.stats.jackknife_interval`); those of shares are Wilson's.

    Undefined if fewer than two tuples have two answers; alpha also if all answers are the same.

    Reference: GiCCS, 3.3 and Table 1; `krippendorff_alpha`.

    Args:
        judgements: best-worst answers.
        resampling: the confidence level; with ``resamples=0`` there are no intervals.

    Raises:
        ArgumentError: these are ratings.
        InputError: an answer names an item that its tuple does not show.

    >>> import polars as pl
    >>> rows = {"items": [["a", "b", "c"]] * 3 + [["a", "b", "d"]] * 3, "best": list("aaabbb"), "worst": list("cccada")}
    >>> found = best_worst_agreement(Judgements(name="made", frame=pl.DataFrame(rows)))
    >>> round(found.combined.value, 3), found.strong_best.value, found.strong_worst.value
    (0.545, 1.0, 0.5)
    """
    answers = TupleAnswers.of(judgements)
    is_kept = answers.sizes[answers.tuple_of] >= 2
    tuples, tuple_of = np.unique(answers.tuple_of[is_kept], return_inverse=True)
    figures, by_chance = dict.fromkeys(_FIGURES, undefined(_reason(tuples.size))), None
    if tuples.size >= 2:
        best, worst = (answers.places(each)[is_kept] for each in (answers.best, answers.worst))
        shown = answers.shown_in_tuples(tuples)
        asked = _Asked(tuple_of, answers.sizes[tuples].astype(np.float64), shown, resampling)
        figures = asked.figures(best, worst, answers.best[is_kept], answers.worst[is_kept])
        by_chance = chance_alphas(*shown, asked.number)
    return BestWorstAgreement(
        **figures,
        tuples=tuples.size,
        answers=tuple_of.size,
        left_out=len(answers.tuples) - tuples.size,
        by_chance=by_chance,
        notes=answers.notes,
    )


_FIGURES = ("combined", "by_position", "by_item", "strong_best", "strong_worst")
_SAME = "all answers are the same: agreement cannot be distinguished from chance"


def _reason(tuples: int) -> str:
    return f"{'only one' if tuples else 'no'} tuple was answered twice: there is nothing to compare"


class _Asked(NamedTuple):
    """The tuple of each answer, the number of answers of each tuple, its items, and the confidence level."""

    tuple_of: Integers
    number: Array
    shown: tuple[Integers, Integers]
    resampling: Resampling

    def figures(
        self, best_place: Integers, worst_place: Integers, best: Integers, worst: Integers
    ) -> dict[str, Estimate]:
        """The five figures."""
        pair = best_place * (int(max(best_place.max(), worst_place.max())) + 1) + worst_place
        return {
            "combined": self.alpha(pair),
            "by_position": self.alpha(best_place, worst_place),
            "by_item": self.alpha(best, worst),
            "strong_best": self.strong(best_place),
            "strong_worst": self.strong(worst_place),
        }

    def tally(self, *answers: Integers) -> ValueCounts:
        """How often each tuple was given each label, over all these questions."""
        labels = np.concatenate(answers)
        tuples = np.tile(self.tuple_of, len(answers))
        return count_values(tuples, labels, self.number.size, int(labels.max()) + 1)

    def alpha(self, *answers: Integers) -> Estimate:
        """Nominal alpha over all these questions; a tuple is left out with all of them."""
        together = self.tally(*answers)
        differing = sum((self.tally(each).pairs_that_differ for each in answers), np.zeros(self.number.size))
        alpha = nominal_alpha(together.number, differing, together)
        found = alpha_estimate(alpha, self.number, lambda: together, shared=self.shown, resampling=self.resampling)
        return found if found.is_defined else undefined(_SAME)

    def strong(self, answers: Integers) -> Estimate:
        """Share of tuples where nearly all give the same answer."""
        counted = self.tally(answers)
        # Rounding may lift 0.8 * 15 slightly above 12, which must not require 13.
        is_strong = counted.most >= np.ceil(STRONG * counted.number - 1e-9)
        return share_estimate(float(is_strong.sum()), is_strong.size, self.resampling)
