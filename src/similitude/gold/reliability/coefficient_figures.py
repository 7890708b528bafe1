"""The coefficients of agreement on categories as figures: what each says, and what random answers would give."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from similitude.data.plural import counted
from similitude.gold.reliability.agreement import Agreement
from similitude.gold.reliability.alpha import krippendorff_alpha
from similitude.gold.reliability.bootstrap import Resampling
from similitude.gold.reliability.categories import (
    Classification,
    Coefficient,
    Weights,
    brennan_prediger,
    coefficient_estimate,
    cohen_coefficient,
    conger,
    fleiss,
    gwet,
    krippendorff,
    observed_agreement,
    score_estimate,
    share_estimate,
)
from similitude.gold.reliability.estimate import Estimate, undefined

__all__ = ["coefficient_figures", "label_figure"]


class _Row(NamedTuple):
    """One coefficient: its names without and with weights, how to compute it, and when to report it."""

    plain: str
    weighted: str
    compute: Callable[[Classification, Weights], Coefficient]
    what: str


PERCENT = _Row(
    "percent agreement",
    "percent agreement",
    observed_agreement,
    "share of pairs of answers about an item that are the same, chance included; report it beside another",
)
COHEN = _Row(
    "Cohen's kappa",
    "Cohen's weighted kappa",
    cohen_coefficient,
    "1: both give the same label, 0: as by chance, each with own habits; the usual figure for two annotators",
)
CONGER = _Row(
    "Conger's kappa",
    "Conger's weighted kappa",
    conger,
    "Cohen's kappa for several annotators, each with own habits; report it if all of them rated most items",
)
FLEISS = _Row(
    "Fleiss' kappa",
    "Fleiss' weighted kappa",
    fleiss,
    "1: all give the same label, 0: as by chance; the usual figure for many interchangeable annotators",
)
BRENNAN_PREDIGER = _Row(
    "Brennan-Prediger",
    "weighted Brennan-Prediger",
    brennan_prediger,
    "0: as if every category were equally likely; report it if annotators know no shares beforehand",
)
GWET = _Row(
    "Gwet's AC1",
    "Gwet's AC2",
    gwet,
    "1: all agree; report it if nearly all answers are one label, where kappas fall though people agree",
)
ALPHA = _Row(
    "Krippendorff's alpha, nominal",
    "Krippendorff's alpha",
    krippendorff,
    "1: all agree, 0: as by chance; the usual figure with missing answers and few items",
)


def coefficient_figures(
    answers: Classification,
    resampling: Resampling,
    *,
    weights: Weights = "identity",
    prefix: str = "",
    with_alpha: bool = True,
) -> list[Agreement]:
    """Every coefficient that applies, with its standard error and the value that random answers would give.

    Random answers have the same shares of categories as these. They give 0 for Krippendorff's alpha and the kappas
    of Fleiss, Conger and Cohen, but not for Gwet's coefficient nor Brennan and Prediger's.

    Args:
        answers: who put which item into which category.
        resampling: the level of the intervals; none with 0 resamples.
        weights: how far two different categories agree.
        prefix: what the names begin with.
        with_alpha: whether Krippendorff's alpha is among them.
    """
    rows = [ALPHA] if with_alpha else []
    rows += [PERCENT, FLEISS, *_of_people(answers), GWET, BRENNAN_PREDIGER]
    return [_told(row, answers, resampling, weights, prefix) for row in rows]


def label_figure(answers: Classification, code: int, label: str, resampling: Resampling) -> Agreement:
    """Agreement on one category: if one answer about an item is this label, the share of the others that are.

    The sum of c (c - 1) over the sum of c (n - 1), over items with c of n answers of this label: the probability that
    another answer about the same item is this label too (Fleiss, 1971; Cicchetti and Feinstein, 1990). The standard
    error is that of a ratio of two means. Random answers give the share of the label.
    """
    count = np.bincount(answers.item[answers.label == code], minlength=answers.items).astype(np.float64)
    together, all_pairs = count * (count - 1), count * (answers.tally.number - 1)
    name, what = (
        f"agreement on '{label}'",
        f"if one answer about an item is '{label}', the share of the others that are",
    )
    share, error, units = _ratio(together, all_pairs)
    raters = answers.raters or None
    if not units:
        reason = answers.reason or "no item with two answers has this label"
        return Agreement(name, undefined(reason), what, 0, raters)
    estimate = share_estimate(share, error, units, resampling.level) if resampling.resamples else Estimate(share)
    chance = float(np.mean(answers.label == code))
    return Agreement(name, estimate, what, units, raters, chance, error)


def _ratio(upper: np.ndarray, lower: np.ndarray) -> tuple[float, float, int]:
    """A ratio of two sums over items with its standard error, and how many items have a part in it."""
    there = lower > 0
    units = int(there.sum())
    if not units:
        return float("nan"), float("nan"), 0
    share = float(upper.sum() / lower.sum())
    gaps = (upper - share * lower)[there] / lower[there].mean()
    return share, float(np.sqrt(gaps @ gaps / (units * max(units - 1, 1)))), units


def _of_people(answers: Classification) -> list[_Row]:
    """Coefficients of named raters: Cohen's for two, Conger's for more."""
    return [] if answers.raters < 2 else [COHEN] if answers.raters == 2 else [CONGER]


def _told(row: _Row, answers: Classification, resampling: Resampling, weights: Weights, prefix: str) -> Agreement:
    found = row.compute(answers, weights)
    estimate = _estimate(row, found, answers, weights, resampling)
    name = row.plain if weights == "identity" else f"{row.weighted}, {weights} weights"
    return Agreement(
        prefix + name,
        estimate,
        row.what + _alone(answers),
        found.pairs,
        answers.raters or None,
        _by_chance(row, found, answers, weights),
        None if found.reason is not None else found.standard_error,
    )


def _estimate(
    row: _Row, found: Coefficient, answers: Classification, weights: Weights, resampling: Resampling
) -> Estimate:
    if found.reason is None and resampling.resamples == 0:
        return Estimate(found.value)
    if row in (PERCENT, GWET, BRENNAN_PREDIGER):
        return score_estimate(found, resampling.level)
    if row is ALPHA and weights == "identity" and found.reason is None:
        # The interval of nominal alpha is the same, whether labels are words or numbers.
        return krippendorff_alpha(answers.stacked(), "nominal", resampling=resampling)
    return coefficient_estimate(found, resampling.level)


def _by_chance(row: _Row, found: Coefficient, answers: Classification, weights: Weights) -> float | None:
    """The value of random answers: 0, or (Pe of Fleiss - own Pe) / (1 - own Pe)."""
    if found.reason is not None:
        return None
    if row.compute in (krippendorff, fleiss, conger, cohen_coefficient):
        return 0.0
    pooled = fleiss(answers, weights)
    at_random = 1.0 if pooled.reason is not None else pooled.chance
    return (at_random - found.chance) / (1 - found.chance)


def _alone(answers: Classification) -> str:
    once = answers.items - int(answers.is_paired.sum())
    tells = "tells" if once == 1 else "tell"
    return f"; {counted(once, 'item')} with one answer {tells} nothing about agreement" if once else ""
