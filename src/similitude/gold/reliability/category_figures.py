"""Figures of agreement on categories: alpha, percent agreement, kappa, and agreement on each label."""

from __future__ import annotations

from functools import partial

import numpy as np

from similitude.data.judgements import Judgements
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.reliability.agreement import Agreement, Step
from similitude.gold.reliability.alpha import krippendorff_alpha
from similitude.gold.reliability.bootstrap import Resampling, Statistic, bootstrap_estimates
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.kappa import cohen_kappa, fleiss_kappa
from similitude.gold.reliability.named_raters import number_of_raters
from similitude.gold.reliability.pairable_ratings import Pairable
from similitude.gold.reliability.rating_spread import ratings_on
from similitude.stats.arrays import Array

__all__ = ["CategoryFigures", "percent_agreement", "specific_agreement"]

MOST_LABELS = 12
"""With more categories, agreement is given for the commonest ones only."""
TOO_FEW = "fewer than two items have two answers: there is nothing to compare"


class CategoryFigures:
    """The figures of answers in categories. Answers are the same or not: categories have no order."""

    def __init__(self, judgements: Judgements) -> None:
        self._judgements = judgements
        self._answers = last_answers(judgements).frame
        self._values = ratings_on(self._answers, judgements.judged)
        self._pairable = Pairable(self._values)
        self._units = self._pairable.number.size
        self._raters = number_of_raters(judgements)

    def steps(self) -> list[Step]:
        """Every figure that applies."""
        cohen: list[Step] = [self._cohen] if self._raters == 2 else []
        labels = [partial(self._label, code) for code in self._commonest()]
        return [self._alpha, self._percent, self._fleiss, *cohen, *labels]

    def _commonest(self) -> list[int]:
        """The commonest categories, in the order of all categories."""
        counts = self._answers["value"].value_counts(sort=True)["value"].head(MOST_LABELS)
        return sorted(int(code) for code in counts)

    def _told(self, name: str, estimate: Estimate, what: str) -> list[Agreement]:
        if self._units < 2:
            which = "only one item has" if self._units else "no item has"
            estimate = undefined(f"{which} two answers: there is nothing to compare")
        once = self._values.shape[1] - self._units
        left_out = f"; {once:,} items with fewer than two answers are left out" if once else ""
        return [Agreement(name, estimate, what + left_out, self._units, self._raters)]

    def _alpha(self, resampling: Resampling) -> list[Agreement]:
        estimate = krippendorff_alpha(self._values, "nominal", resampling=resampling)
        return self._told("Krippendorff's alpha, nominal", estimate, "1: all agree, 0: as by chance")

    def _percent(self, resampling: Resampling) -> list[Agreement]:
        estimate = percent_agreement(self._pairable, resampling=resampling)
        return self._told("percent agreement", estimate, "share of pairs of answers about an item that are the same")

    def _fleiss(self, resampling: Resampling) -> list[Agreement]:
        estimate = fleiss_kappa(self._values, resampling=resampling)
        return self._told("Fleiss' kappa", estimate, "1: all give the same label, 0: as by chance")

    def _cohen(self, resampling: Resampling) -> list[Agreement]:
        both = self._answers.pivot("annotator", index="item", values="value").drop_nulls()
        one, other = (both[name].to_numpy() for name in self._judgements.annotators)
        estimate = cohen_kappa(one, other, resampling=resampling)
        return self._told(
            "Cohen's kappa", estimate, "1: both give the same label, 0: as by chance, each with own habits"
        )

    def _label(self, code: int, resampling: Resampling) -> list[Agreement]:
        label = self._judgements.categories[code]
        what = f"if one answer about an item is '{label}', the share of the others that are"
        estimate = specific_agreement(self._pairable, code, resampling=resampling)
        return self._told(f"agreement on '{label}'", estimate, what)


def percent_agreement(labels: Pairable, *, resampling: Resampling) -> Estimate:
    """The mean over items of the share of pairs of answers that are the same: the P of Fleiss' kappa."""
    if labels.number.size < 2:
        return undefined(TOO_FEW)
    tally = labels.tally
    agreeing = (tally.squares - tally.number) / (tally.number * (tally.number - 1))
    return _estimate(lambda weights: (weights @ agreeing / weights.sum(axis=1))[None], labels, resampling)


def specific_agreement(labels: Pairable, code: float, *, resampling: Resampling) -> Estimate:
    """The share of pairs of answers that agree among those in which at least one is this label, counted from its side.

    Sum of c (c - 1) over sum of c (n - 1), over items with c of n answers of this label: the probability that another
    answer about the same item is this label too (Fleiss, 1971; Cicchetti and Feinstein, 1990).
    """
    count = (labels.values == code).sum(axis=0).astype(np.float64)
    together, all_pairs = count * (count - 1), count * (labels.number - 1)

    def share(weights: Array) -> Array:
        total = weights @ all_pairs
        shares = np.divide(weights @ together, total, out=np.full_like(total, np.nan), where=total > 0)
        return np.asarray(shares)[None]

    found = _estimate(share, labels, resampling)
    return found if found.is_defined else undefined("no item with two answers has this label")


def _estimate(statistic: Statistic, labels: Pairable, resampling: Resampling) -> Estimate:
    if labels.number.size < 2:
        return undefined(TOO_FEW)
    return bootstrap_estimates(statistic, labels.number.size, resampling=resampling)[0]
