"""Agreement on best-worst answers: Krippendorff's alpha in three codings, and strong agreement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from similitude.data.judgements import Judgements
from similitude.gold.reliability.alpha import Alpha, alpha_estimate, nominal_alpha
from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.chance_alpha import ChanceAlphas, chance_alphas
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.jackknife import share_estimate
from similitude.gold.reliability.tuple_answers import TupleAnswers, name_ranks
from similitude.gold.reliability.value_counts import ValueCounts, count_values
from similitude.stats.arrays import Array, Integers

__all__ = ["STRONG", "BestWorstAgreement", "best_worst_agreement"]


STRONG = 0.8
"""The share of a tuple's annotators that must give the same answer: 4 of 5."""
LISTINGS, FEWEST_LISTINGS = 200, 4
CELLS = 2_000_000
"""About how many answers are listed in all: with many tuples, few listings agree in three decimals."""


class BestWorstAgreement(NamedTuple):
    """Agreement on best-worst answers.

    Attributes:
        combined: alpha of one label per tuple, the places of best and worst in it: two answers agree if both items are
            the same. The one that compares with GiCCS's Table 1.
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
        listings: over how many random listings of the items of each tuple ``combined`` and ``by_position`` are means;
            None for one listing, that of the answers.
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
    listings: int | None = None


def best_worst_agreement(
    judgements: Judgements,
    *,
    as_listed: bool = False,
    resampling: Resampling = USUAL,
) -> BestWorstAgreement:
    """Krippendorff's nominal alpha in three codings, and strong agreement, with intervals.

    Alpha is 1 for full agreement; ``by_chance`` says what random answers would give. Strong agreement is a share,
    0..1; with fewer than 5 annotators it requires all of them. Tuples with one answer are left out and counted.
    Annotators may be unnamed.

    Alpha of places depends on the order in which the items of a tuple are listed: its chance is how often a place is
    named in all tuples. It is the mean over 200 random listings, always the same ones (fewer from 10,000 answers on,
    where they hardly differ), and so the same however the items are listed.

    The intervals are about all items and tuples from which these are a sample, answered by anybody. Those of alpha are
    the jackknife's over tuples, as in `krippendorff_alpha`, with a variance that allows for tuples which share an item
    (`similitude.stats.jackknife_interval`); those of shares are Wilson's.

    Undefined if fewer than two tuples have two answers; alpha also if all answers are the same.

    Reference: GiCCS, 3.3 and Table 1; `krippendorff_alpha`.

    Args:
        judgements: best-worst answers.
        as_listed: whether people saw the items of a tuple in the order in which its first answer lists them; places
            are then those in this order.
        resampling: the confidence level; with ``resamples=0`` there are no intervals.

    Raises:
        ArgumentError: these are ratings.
        InputError: an answer names an item that its tuple does not show.

    >>> import polars as pl
    >>> rows = {"items": [["a", "b", "c"]] * 3 + [["a", "b", "d"]] * 3, "best": list("aaabbb"), "worst": list("cccada")}
    >>> found = best_worst_agreement(Judgements(name="made", frame=pl.DataFrame(rows)))
    >>> round(found.combined.value, 3), found.strong_best.value, found.strong_worst.value
    (0.419, 1.0, 0.5)
    """
    answers = TupleAnswers.of(judgements)
    is_kept = answers.sizes[answers.tuple_of] >= 2
    tuples, tuple_of = np.unique(answers.tuple_of[is_kept], return_inverse=True)
    figures, by_chance = dict.fromkeys(_FIGURES, undefined(_reason(tuples.size))), None
    listings = None if as_listed else min(LISTINGS, max(FEWEST_LISTINGS, CELLS // max(tuple_of.size, 1)))
    if tuples.size >= 2:
        shown = answers.shown_in_tuples(tuples)
        named = answers.best[is_kept], answers.worst[is_kept]
        if listings is None:
            places = iter([tuple(answers.places(each)[is_kept] for each in (answers.best, answers.worst))])
        else:
            places = _random_places(answers, tuples, shown, tuple_of, named, listings)
        asked = _Asked(tuple_of, answers.sizes[tuples].astype(np.float64), shown, resampling)
        figures = asked.figures(places, *named)
        by_chance = chance_alphas(*shown, asked.number)
    return BestWorstAgreement(
        **figures,
        tuples=tuples.size,
        answers=tuple_of.size,
        left_out=len(answers.tuples) - tuples.size,
        by_chance=by_chance,
        notes=answers.notes,
        listings=listings,
    )


_FIGURES = ("combined", "by_position", "by_item", "strong_best", "strong_worst")
_SAME = "all answers are the same: agreement cannot be distinguished from chance"


def _reason(tuples: int) -> str:
    return f"{'only one' if tuples else 'no'} tuple was answered twice: there is nothing to compare"


def _random_places(
    answers: TupleAnswers,
    tuples: Integers,
    shown: tuple[Integers, Integers],
    tuple_of: Integers,
    named: tuple[Integers, Integers],
    listings: int,
) -> Iterator[tuple[Integers, ...]]:
    """The places of the named items in random listings, which do not depend on the order of items or answers."""
    at, item = shown
    by_name = np.lexsort((name_ranks(answers.items)[item], name_ranks(answers.tuples)[tuples][at]))
    width = np.int64(len(answers.items))
    pairs = [np.searchsorted(at * width + item, tuple_of * width + each) for each in named]
    sizes = np.bincount(at)
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    rng, drawn, place = np.random.default_rng(0), np.empty(at.size), np.empty(at.size, dtype=np.intp)
    for _ in range(listings):
        drawn[by_name] = rng.random(at.size)
        place[np.lexsort((drawn, at))] = np.arange(at.size) - first
        yield tuple(place[each] for each in pairs)


class _Asked(NamedTuple):
    """The tuple of each answer, the number of answers of each tuple, its items, and the confidence level."""

    tuple_of: Integers
    number: Array
    shown: tuple[Integers, Integers]
    resampling: Resampling

    def figures(self, places: Iterator[tuple[Integers, ...]], best: Integers, worst: Integers) -> dict[str, Estimate]:
        """The five figures: of places the mean over listings."""
        combined, by_position = _MeanAlpha(), _MeanAlpha()
        for best_place, worst_place in places:
            pair = best_place * (int(max(best_place.max(), worst_place.max())) + 1) + worst_place
            combined.add(*self.alpha(pair))
            by_position.add(*self.alpha(best_place, worst_place))
        by_item = _MeanAlpha()
        by_item.add(*self.alpha(best, worst))
        return {
            "combined": self.estimate(combined),
            "by_position": self.estimate(by_position),
            "by_item": self.estimate(by_item),
            "strong_best": self.strong(best_place),
            "strong_worst": self.strong(worst_place),
        }

    def tally(self, *answers: Integers) -> ValueCounts:
        """How often each tuple was given each label, over all these questions."""
        labels = np.concatenate(answers)
        tuples = np.tile(self.tuple_of, len(answers))
        return count_values(tuples, labels, self.number.size, int(labels.max()) + 1)

    def alpha(self, *answers: Integers) -> tuple[Alpha, ValueCounts]:
        """Nominal alpha over all these questions, and their answers; a tuple is left out with all of them."""
        together = self.tally(*answers)
        differing = sum((self.tally(each).pairs_that_differ for each in answers), np.zeros(self.number.size))
        return nominal_alpha(together.number, differing, together), together

    def estimate(self, mean: _MeanAlpha) -> Estimate:
        """The mean with its interval."""
        alpha, together = mean.alpha(), mean.together
        found = alpha_estimate(alpha, self.number, lambda: together, shared=self.shown, resampling=self.resampling)
        return found if found.is_defined else undefined(_SAME)

    def strong(self, answers: Integers) -> Estimate:
        """Share of tuples where nearly all give the same answer."""
        counted = self.tally(answers)
        # Rounding may lift 0.8 * 15 slightly above 12, which must not require 13.
        is_strong = counted.most >= np.ceil(STRONG * counted.number - 1e-9)
        return share_estimate(float(is_strong.sum()), is_strong.size, self.resampling)


class _MeanAlpha:
    """The mean of alpha over listings, and what it is without each tuple.

    Attributes:
        together: the answers in the last listing.
    """

    together: ValueCounts

    def __init__(self) -> None:
        self._values: list[float] = []
        self._without: list[Array] = []

    def add(self, alpha: Alpha, together: ValueCounts) -> None:
        """Add alpha in one listing."""
        assert alpha.left_out is not None
        self.together = together
        self._values.append(alpha.of_weights(np.ones((1, together.number.size))).item())
        self._without.append(alpha.left_out())

    def alpha(self) -> Alpha:
        """The mean, of all tuples alone."""
        value = np.array([[np.mean(self._values)]])
        return Alpha(lambda weights: value, lambda: np.asarray(np.mean(self._without, axis=0)))
