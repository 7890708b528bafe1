"""Coverage of the intervals of Krippendorff's alpha, intraclass correlations and mean pairwise correlations.

Raters are exchangeable unless a design says otherwise: every item is answered anew, and the truth is the figure of all
items and all answers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from latent_ratings import draw_ratings, latent_share
from similitude.gold.reliability import intraclass_correlations, krippendorff_alpha, pairwise_correlation
from similitude.gold.reliability.estimate import Estimate
from simulated_case import Case, Ends

FIVE = (0.1, 0.2, 0.4, 0.2, 0.1)
SKEWED = (0.6, 0.2, 0.1, 0.05, 0.05)
TWO = (0.5, 0.5)
ALPHAS, RATERS = (0.2, 0.5, 0.8, 0.95), (2, 3, 5)

Draw = Callable[[int, np.random.Generator], np.ndarray]
Figure = Callable[[np.ndarray], Estimate]


def _ends(estimate: Estimate) -> Ends:
    return estimate.low, estimate.high


def _interval(draw: Draw, figure: Figure, items: int, rng: np.random.Generator) -> Ends:
    return _ends(figure(draw(items, rng)))


def _case(name: str, design: str, draw: Draw, figure: Figure, truth: float | Callable[[int], float]) -> Case:
    known = truth if callable(truth) else (lambda items: truth)
    return Case(name, design, partial(_interval, draw, figure), known)


def _alpha_cases() -> list[Case]:
    designs = [("interval", FIVE, "5 values"), ("ordinal", FIVE, "5 values"), ("ratio", FIVE, "5 values")]
    designs += [("nominal", FIVE, "5 values"), ("nominal", SKEWED, "5 skewed values"), ("nominal", TWO, "2 values")]
    designs += [("interval", SKEWED, "5 skewed values"), ("ordinal", SKEWED, "5 skewed values")]
    return [
        _case(
            f"alpha, {level}",
            f"{values}, {raters} raters, truth {alpha}",
            partial(_latent, raters, latent_share(alpha, level, prevalence), prevalence),
            partial(krippendorff_alpha, measurement=level),
            alpha,
        )
        for level, prevalence, values in designs
        for raters in RATERS
        for alpha in ALPHAS
    ]


def _latent(raters: int, share: float, prevalence: tuple[float, ...], items: int, rng: np.random.Generator):
    return draw_ratings(raters, items, share, prevalence, rng)


def _normal(raters: int, share: float, items: int, rng: np.random.Generator) -> np.ndarray:
    return rng.normal(size=items) * share**0.5 + rng.normal(size=(raters, items)) * (1 - share) ** 0.5


def _exponential(raters: int, share: float, items: int, rng: np.random.Generator) -> np.ndarray:
    return rng.exponential(size=items) * share**0.5 + rng.normal(size=(raters, items)) * (1 - share) ** 0.5


def _incomplete(raters: int, share: float, items: int, rng: np.random.Generator) -> np.ndarray:
    """A third of the ratings is missing; items with fewer than two are left out by alpha."""
    values = _normal(raters, share, items, rng)
    values[rng.random(values.shape) < 1 / 3] = np.nan
    return values


def _continuous_cases() -> list[Case]:
    draws = {"normal": _normal, "exponential items": _exponential, "normal, 1/3 missing": _incomplete}
    return [
        _case(
            "alpha, interval",
            f"{name}, {raters} raters, truth {alpha}",
            partial(draw, raters, alpha),
            partial(krippendorff_alpha, measurement="interval"),
            alpha,
        )
        for name, draw in draws.items()
        for raters in RATERS
        for alpha in ALPHAS
    ]


def _icc(form: str, values: np.ndarray) -> Estimate:
    return intraclass_correlations(values)[form]


def _lenient(raters: int, share: float, items: int, rng: np.random.Generator) -> np.ndarray:
    """Raters, drawn anew for every sample, differ in leniency by a tenth of the variance."""
    return _normal(raters, share / 0.9, items, rng) * 0.9**0.5 + rng.normal(size=(raters, 1)) * 0.1**0.5


def _of_mean(share: float, raters: int) -> float:
    return raters * share / (1 + (raters - 1) * share)


def _intraclass_cases() -> list[Case]:
    return [case for raters in RATERS for share in (0.2, 0.5, 0.8) for case in _forms(raters, share)]


def _forms(raters: int, share: float) -> list[Case]:
    """Each form under the design that it is made for; ICC(1,1) also under others."""
    kinds = {"normal": _normal, "exponential items": _exponential, "normal, 1/3 missing": _incomplete}
    draws = {name: partial(draw, raters, share) for name, draw in kinds.items()}
    lenient, fixed = {"lenient raters": partial(_lenient, raters, share)}, share / 0.9
    forms = {
        "ICC(1,1)": (draws, share),
        "ICC(1,k)": ({"normal": draws["normal"]}, _of_mean(share, raters)),
        "ICC(2,1)": (lenient, share),
        "ICC(2,k)": (lenient, _of_mean(share, raters)),
        "ICC(3,1)": (lenient, fixed),
        "ICC(3,k)": (lenient, _of_mean(fixed, raters)),
    }
    return [
        _case(form, f"{name}, {raters} raters, truth {truth:.3g}", draw, partial(_icc, form), truth)
        for form, (designs, truth) in forms.items()
        for name, draw in designs.items()
    ]


def _pairwise(correlation: str, values: np.ndarray) -> Estimate:
    return pairwise_correlation(values, correlation).estimate


def _pairwise_cases() -> list[Case]:
    cases = []
    for raters in RATERS:
        for share in ALPHAS:
            design, draw = f"normal, {raters} raters, truth {share}", partial(_normal, raters, share)
            rho = float(6 / np.pi * np.arcsin(share / 2))
            cases += [
                _case("mean pairwise r", design, draw, partial(_pairwise, "pearson"), share),
                _case("mean pairwise rho", design, draw, partial(_pairwise, "spearman"), rho),
            ]
    return cases


CASES = [*_alpha_cases(), *_continuous_cases(), *_intraclass_cases(), *_pairwise_cases()]
