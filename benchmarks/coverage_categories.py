"""Cases of benchmarks/coverage.py for coefficients of agreement on categories.

Each item has a true category, drawn with fixed shares. An annotator sees it with a fixed probability and else guesses
with the same shares, so that Fleiss', Conger's and Cohen's kappa are the squared probability; the truth of the others
follows from a large sample. With ordered categories, who does not see the true category gives a neighbour or
guesses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from similitude.gold.reliability.bootstrap import Resampling
from similitude.gold.reliability.categories import (
    Classification,
    Weights,
    brennan_prediger,
    classified_ratings,
    coefficient_estimate,
    cohen_coefficient,
    conger,
    fleiss,
    gwet,
    observed_agreement,
    score_estimate,
)
from similitude.gold.reliability.coefficient_figures import label_figure
from similitude.gold.reliability.estimate import Estimate
from simulated_case import Case, Ends

LARGE = 200_000
ONCE = Resampling(resamples=1)
"""Intervals come from formulas; one resample asks for them."""


class Design(NamedTuple):
    """How answers are made."""

    name: str
    raters: int
    shares: tuple[float, ...]
    kappa: float
    missing: float = 0.0
    weights: Weights = "identity"
    raters_of_many: int = 0


DESIGNS = (
    Design("2 raters, 2 even categories, kappa .6", 2, (0.5, 0.5), 0.6),
    Design("2 raters, 2 categories 85:15, kappa .6", 2, (0.85, 0.15), 0.6),
    Design("2 raters, 4 categories, kappa .4, 20 % missing", 2, (0.4, 0.3, 0.2, 0.1), 0.4, 0.2),
    Design("3 raters, 3 categories, kappa .5", 3, (0.5, 0.3, 0.2), 0.5),
    Design("3 of 12 raters, 4 categories, kappa .8", 3, (0.4, 0.3, 0.2, 0.1), 0.8, raters_of_many=12),
    Design("5 raters, 5 categories, kappa .9", 5, (0.3, 0.25, 0.2, 0.15, 0.1), 0.9),
    Design("5 raters, 3 categories 70:20:10, kappa .3", 5, (0.7, 0.2, 0.1), 0.3),
    Design("3 raters, 5 ordered categories, quadratic", 3, (0.1, 0.2, 0.3, 0.25, 0.15), 0.5, weights="quadratic"),
    Design("2 raters, 5 ordered categories, linear", 2, (0.1, 0.2, 0.3, 0.25, 0.15), 0.7, weights="linear"),
)
COEFFICIENTS = {
    "percent agreement": observed_agreement,
    "Fleiss' kappa": fleiss,
    "Cohen's kappa": cohen_coefficient,
    "Conger's kappa": conger,
    "Gwet's AC1 or AC2": gwet,
    "Brennan-Prediger": brennan_prediger,
}
LABEL = "agreement on a label"


def draw(design: Design, items: int, rng: np.random.Generator) -> Classification:
    categories = len(design.shares)
    truth = rng.choice(categories, p=design.shares, size=items)
    sees = rng.random((design.raters, items)) < np.sqrt(design.kappa)
    guess = rng.choice(categories, p=design.shares, size=sees.shape)
    if design.weights != "identity":
        near = np.clip(truth + rng.choice([-1, 1], size=sees.shape), 0, categories - 1)
        guess = np.where(rng.random(sees.shape) < 0.7, near, guess)
    values = np.where(sees, truth, guess).astype(float)
    values[rng.random(values.shape) < design.missing] = np.nan
    rater, item = np.indices(values.shape)
    if design.raters_of_many:
        rater = np.argsort(rng.random((design.raters_of_many, items)), axis=0)[: design.raters]
    there, possible = ~np.isnan(values), np.arange(categories, dtype=float)
    return classified_ratings(item[there], values[there], rater[there], possible=possible)


def estimate(answers: Classification, design: Design, name: str) -> Estimate:
    if name == LABEL:
        return label_figure(answers, 1, "", ONCE).estimate
    found = COEFFICIENTS[name](answers, design.weights)
    return coefficient_estimate(found, ONCE.level) if "kappa" in name else score_estimate(found, ONCE.level)


@cache
def population(design: Design) -> Classification:
    return draw(design, LARGE, np.random.default_rng(1))


def interval(design: Design, name: str) -> Callable[[int, np.random.Generator], Ends]:
    def ends(items: int, rng: np.random.Generator) -> Ends:
        found = estimate(draw(design, items, rng), design, name)
        return found.low, found.high

    return ends


def _truth(design: Design, name: str, items: int) -> float:
    return estimate(population(design), design, name).value


def _names(design: Design) -> list[str]:
    absent = "Conger's kappa" if max(design.raters, design.raters_of_many) == 2 else "Cohen's kappa"
    names = [name for name in COEFFICIENTS if name != absent]
    return names if design.weights != "identity" else [*names, LABEL]


CASES = [
    Case(name, design.name, interval(design, name), partial(_truth, design, name))
    for design in DESIGNS
    for name in _names(design)
]
