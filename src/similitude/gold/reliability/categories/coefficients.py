"""Coefficients of agreement on categories, with standard errors by linearisation.

Every coefficient is (P - Pe) / (1 - Pe). P, the observed agreement, is the mean over items with two answers or more of
the weighted share of pairs of answers that agree. Pe, the agreement by chance, is what tells the coefficients apart:

- **percent agreement** takes Pe = 0;
- **Brennan-Prediger** takes every category to be as likely as any other: the mean weight of all pairs of categories;
- **Gwet's AC1** (AC2 with weights) takes chance to act on hard items only: sum of the weights / (q (q - 1)) times the
  sum of p (1 - p) over the q categories;
- **Fleiss' kappa** takes the shares p of the categories among all answers: the weighted sum of p p';
- **Conger's kappa** lets each rater keep their own shares: the mean over all pairs of raters. For two raters who rate
  all items this is **Cohen's kappa**.

Shares p are means over items of the share of the item's answers, so that every item counts the same. Items with one
answer count in p and not in P, as in Gwet (2014).

The standard error is that of a mean of linearised values, one for each item: (P_i - Pe) / (1 - Pe), 0 for an item with
one answer and scaled up by all items over items with two, minus what the item's answers move Pe by. Its square is
the sum of squared deviations / (n (n - 1)); for Cohen's kappa / n^2, which is the formula of Fleiss, Cohen and Everitt
(1969). Where items have one answer, this counts it as chance how many items have two, and is too large; the error for
intervals takes the items with two answers as given (P is then a ratio of two means).

References: Gwet (2014), Handbook of Inter-Rater Reliability, chapters 2 to 5; Conger (1980); Gwet (2008); Brennan and
Prediger (1981); Fleiss (1971); Cohen (1960, 1968).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from similitude.gold.reliability.categories.category_weights import Weighting, Weights
from similitude.gold.reliability.categories.classification import Classification
from similitude.stats.arrays import Array

__all__ = [
    "Coefficient",
    "brennan_prediger",
    "cohen_coefficient",
    "conger",
    "fleiss",
    "gwet",
    "krippendorff",
    "observed_agreement",
]

ROUNDING = 1e-12
"""If 1 - agreement by chance is smaller than this, the coefficient is undefined."""

ALL_SAME = "all answers are the same: agreement cannot be distinguished from chance"
ONE_CATEGORY = "there is only one category: agreement cannot be distinguished from chance"
UNNAMED = "annotators are not named, and chance is a matter of each annotator's habits"
ONE_RATER = "only one annotator: there is nobody to compare with"
NOT_BOTH = "fewer than two items have answers of both annotators: there is nothing to compare"


class Coefficient(NamedTuple):
    """A coefficient of agreement.

    Attributes:
        value: the coefficient; nan where it is undefined.
        standard_error: as published; nan where it is undefined.
        interval_error: the standard error for intervals; the same if every item has two answers.
        observed: the agreement observed, P.
        chance: the agreement by chance, Pe.
        items: number of items that it is computed from.
        pairs: number of these with two answers or more.
        reason: why it is undefined; None where it is defined.
    """

    value: float
    standard_error: float
    interval_error: float
    observed: float
    chance: float
    items: int
    pairs: int
    reason: str | None = None


class _Chance(NamedTuple):
    """Agreement by chance, and the influence of each item on it."""

    value: float
    of_item: Array


_Rule = Callable[[Classification, Weighting], _Chance]


def observed_agreement(answers: Classification, weights: Weights = "identity") -> Coefficient:
    """The weighted share of pairs of answers about an item that agree: percent agreement.

    >>> from similitude.gold.reliability.categories.classification import classified_counts
    >>> observed_agreement(classified_counts(np.array([[2, 0], [0, 2], [1, 1], [2, 0]]))).value
    0.75
    """
    return _corrected(answers, weights, lambda answers, _: _Chance(0.0, np.zeros(answers.items)))


def brennan_prediger(answers: Classification, weights: Weights = "identity") -> Coefficient:
    """The coefficient of Brennan and Prediger: by chance, all categories are equally likely.

    It depends on how many categories there are, also on those that nobody chose.
    """
    return _one_category(answers) or _corrected(answers, weights, _even_chance)


def gwet(answers: Classification, weights: Weights = "identity") -> Coefficient:
    """Gwet's AC1, and AC2 with weights other than identity.

    It stays high where nearly all answers are in one category and agree, where kappas are near 0. It depends on how
    many categories there are, also on those that nobody chose.

    >>> import similitude as sim
    >>> values = [[1, 1, 2, 2], [1, 2, 2, 2], [1, 1, 2, 1]]  # raters x items
    >>> round(sim.agreement.gwet(values).value, 3)
    0.333
    """
    return _one_category(answers) or _corrected(answers, weights, _gwet_chance)


def fleiss(answers: Classification, weights: Weights = "identity") -> Coefficient:
    """Fleiss' kappa, generalised to weights and to missing answers: by chance, answers have the shares of all answers.

    For two raters this is Scott's pi.

    >>> import similitude as sim
    >>> values = [[1, 1, 2, 2], [1, 2, 2, 2], [1, 1, 2, 1]]  # raters x items
    >>> round(sim.agreement.fleiss(values).value, 3)
    0.333
    """
    return _corrected(answers, weights, _pooled_chance)


def conger(answers: Classification, weights: Weights = "identity") -> Coefficient:
    """Conger's kappa: by chance, each rater keeps their own shares of the categories. Raters must be named.

    >>> import similitude as sim
    >>> values = [[1, 1, 2, 2], [1, 2, 2, 2], [1, 1, 2, 1]]  # raters x items
    >>> round(sim.agreement.conger(values).value, 3)
    0.385
    """
    return _unnamed(answers) or _corrected(answers, weights, _own_chance)


def cohen_coefficient(answers: Classification, weights: Weights = "identity") -> Coefficient:
    """Cohen's kappa of two raters, weighted or not, over the items that both rated.

    Raises:
        ValueError: there are not two raters.
    """
    if answers.raters != 2:
        raise ValueError(f"Cohen's kappa is for two raters, and there are {answers.raters}")
    both = answers.of_items(answers.is_paired)
    if both.items < 2:
        return _undefined(NOT_BOTH, both)
    found = _corrected(both, weights, _own_chance)
    # As Fleiss, Cohen and Everitt (1969) have it: over n, not n - 1.
    return found._replace(standard_error=found.standard_error * float(np.sqrt((both.items - 1) / both.items)))


def krippendorff(answers: Classification, weights: Weights = "identity") -> Coefficient:
    """Krippendorff's alpha: every answer counts the same, items with one answer are left out, and P is corrected.

    With identity weights this is nominal alpha, with quadratic weights interval alpha.
    """
    paired = answers.of_items(answers.is_paired)
    if (reason := answers.reason) is not None:
        return _undefined(reason, answers)
    weighting, tally = Weighting(answers.values, weights), paired.tally
    number, total = tally.number, tally.number.sum()
    agreeing = (weighting.pairs(tally) - number) / (number - 1)
    shares = tally.by_value(np.ones((1, paired.items)))[:, 0] / total
    weighted = weighting.times(shares)
    observed, expected = float(agreeing.sum() / total), float(shares @ weighted)
    if 1 - expected <= ROUNDING:
        return _undefined(ALL_SAME, paired)
    uncorrected = (observed - expected) / (1 - expected)
    lifted = (1 - 1 / total) * observed + 1 / total
    moved = 2 * (tally.by_unit(weighted[:, None])[:, 0] - expected * number)
    influence = (agreeing - observed * number - (1 - uncorrected) * moved) / (number.mean() * (1 - expected))
    error = _error(influence)
    return Coefficient((lifted - expected) / (1 - expected), error, error, lifted, expected, paired.items, paired.items)


def _corrected(answers: Classification, weights: Weights, rule: _Rule) -> Coefficient:
    """(P - Pe) / (1 - Pe) with its standard error."""
    if (reason := answers.reason) is not None:
        return _undefined(reason, answers)
    weighting, number, is_paired = Weighting(answers.values, weights), answers.tally.number, answers.is_paired
    agreeing = (weighting.pairs(answers.tally) - number) / np.maximum(number * (number - 1), 1.0)
    pairs, chance = int(is_paired.sum()), rule(answers, weighting)
    observed, room = float(agreeing[is_paired].sum() / pairs), 1 - chance.value
    if room <= ROUNDING:
        return _undefined(ALL_SAME, answers)
    value, scale = (observed - chance.value) / room, is_paired * (answers.items / pairs)
    moved = (1 - value) * chance.of_item
    published = (scale * (agreeing - chance.value) - moved) / room - value
    of_ratio = (scale * (agreeing - observed) - moved) / room
    return Coefficient(value, _error(published), _error(of_ratio), observed, chance.value, answers.items, pairs)


def _error(influence: Array) -> float:
    return float(np.sqrt(influence @ influence / (influence.size * (influence.size - 1))))


def _shares(answers: Classification) -> Array:
    """The mean over items of the share of each category among the item's answers."""
    return np.asarray(answers.tally.by_value(1 / answers.tally.number[None])[:, 0] / answers.items)


def _item_means(answers: Classification, of_value: Array) -> Array:
    """The mean over each item's answers of a number that each category has."""
    return np.asarray(answers.tally.by_unit(of_value[:, None])[:, 0] / answers.tally.number)


def _pooled_chance(answers: Classification, weighting: Weighting) -> _Chance:
    weighted = weighting.times(shares := _shares(answers))
    value = float(shares @ weighted)
    return _Chance(value, 2 * (_item_means(answers, weighted) - value))


def _gwet_chance(answers: Classification, weighting: Weighting) -> _Chance:
    shares, number = _shares(answers), answers.values.size
    scale = weighting.total / (number * (number - 1))
    squares = float(shares @ shares)
    return _Chance(scale * (1 - squares), -2 * scale * (_item_means(answers, shares) - squares))


def _even_chance(answers: Classification, weighting: Weighting) -> _Chance:
    return _Chance(weighting.total / answers.values.size**2, np.zeros(answers.items))


def _own_chance(answers: Classification, weighting: Weighting) -> _Chance:
    assert answers.rater is not None
    raters, values = answers.raters, answers.values.size
    counts = np.bincount(answers.rater * values + answers.label, minlength=raters * values).reshape(raters, values)
    number = counts.sum(axis=1)
    shares = counts / number[:, None]
    against = weighting.times(shares.sum(axis=0) - shares)
    own = (shares * against).sum(axis=1)
    # What one answer moves its rater's shares by: those who rate few items move more with each.
    moved = (against[answers.rater, answers.label] - own[answers.rater]) * (answers.items / number)[answers.rater]
    of_item = np.bincount(answers.item, moved, answers.items)
    pairs = raters * (raters - 1)
    return _Chance(float(own.sum() / pairs), 2 * of_item / pairs)


def _one_category(answers: Classification) -> Coefficient | None:
    return _undefined(ONE_CATEGORY, answers) if answers.values.size < 2 else None


def _unnamed(answers: Classification) -> Coefficient | None:
    if answers.rater is None:
        return _undefined(UNNAMED, answers)
    return _undefined(ONE_RATER, answers) if answers.raters < 2 else None


def _undefined(reason: str, answers: Classification) -> Coefficient:
    nan = float("nan")
    return Coefficient(nan, nan, nan, nan, nan, answers.items, int(answers.is_paired.sum()), reason)
