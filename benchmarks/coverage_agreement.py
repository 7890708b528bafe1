"""Coverage of the intervals of Krippendorff's alpha, intraclass correlations and mean pairwise correlations.

Raters are exchangeable unless a design says otherwise: every item is answered anew, and the truth is the figure of all
items and all answers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import polars as pl

from latent_ratings import draw_ratings, latent_share
from similitude.data.judgements import Judgements
from similitude.gold.reliability.alpha import krippendorff_alpha
from similitude.gold.reliability.best_worst import best_worst_agreement
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.estimate import Estimate
from similitude.gold.reliability.intraclass import intraclass_correlations
from similitude.gold.reliability.pairwise import pairwise_correlation
from similitude.gold.reliability.rater_rest_correlation import rest_correlations
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


def _case(name: str, design: str, draw: Draw, figure: Figure, truth: float) -> Case:
    return Case(name, design, partial(_interval, draw, figure), partial(_given, truth))


def _alpha_cases() -> list[Case]:
    designs = [("interval", FIVE, "5 values"), ("ordinal", FIVE, "5 values"), ("ratio", FIVE, "5 values")]
    designs += [("nominal", FIVE, "5 values"), ("nominal", SKEWED, "5 skewed values"), ("nominal", TWO, "2 values")]
    designs += [("interval", SKEWED, "5 skewed values"), ("ordinal", SKEWED, "5 skewed values")]
    designs += [("ratio", FIVE, "5 values from 1")]
    return [
        _case(
            f"alpha, {level}",
            f"{values}, {raters} raters, truth {alpha}",
            partial(_latent, raters, latent_share(alpha, level, prevalence, lowest), prevalence, lowest),
            partial(krippendorff_alpha, measurement=level),
            alpha,
        )
        for level, prevalence, values in designs
        for lowest in [1.0 if "from 1" in values else 0.0]
        for raters in RATERS
        for alpha in ALPHAS
    ]


def _latent(
    raters: int, share: float, prevalence: tuple[float, ...], lowest: float, items: int, rng: np.random.Generator
) -> np.ndarray:
    return lowest + draw_ratings(raters, items, share, prevalence, rng)


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


def _clustered(raters: int, share: float, items: int, rng: np.random.Generator) -> np.ndarray:
    """Items in groups of four, which share half of the variance of the items."""
    common = rng.normal(size=items)[np.arange(items) // 4]
    truth = (common + rng.normal(size=items)) / 2**0.5
    return truth * share**0.5 + rng.normal(size=(raters, items)) * (1 - share) ** 0.5


def _by_group(values: np.ndarray) -> Estimate:
    return krippendorff_alpha(values, groups=np.arange(values.shape[1]) // 4)


LENIENCY = np.array([[-0.5], [0.0], [0.5]])


def _biased(share: float, items: int, rng: np.random.Generator) -> np.ndarray:
    """The same three raters for all items, of different leniency."""
    return _normal(3, share, items, rng) + LENIENCY


def _alpha_of_biased(share: float) -> float:
    """Mean squared differences: between two raters of an item, and of any two ratings."""
    apart = float(((LENIENCY - LENIENCY.T) ** 2).mean())
    return 1 - (2 * (1 - share) + apart * 9 / 6) / (2 + apart)


def _dependent_cases() -> list[Case]:
    designs = [
        (f"groups of 4 items, {raters} raters, truth {share}", partial(_clustered, raters, share), _by_group, share)
        for raters in RATERS
        for share in ALPHAS
    ]
    designs += [
        (f"3 raters of different leniency, share {share}", partial(_biased, share), krippendorff_alpha, truth)
        for share in ALPHAS
        for truth in [_alpha_of_biased(share)]
    ]
    return [_case("alpha, interval", *design) for design in designs]


CODINGS = ("combined", "by_position", "by_item")
NOISES = {"much noise": 2.0, "some noise": 0.5, "little noise": 0.1}


def _answers(noise: float, annotators: int, items: int, rng: np.random.Generator) -> Judgements:
    """Two tuples of four for each item, each item in eight tuples; utilities and noise are normal."""
    tuples = 2 * items
    shown = np.concatenate([rng.permutation(items) for _ in range(8)]).reshape(-1, 4)
    repeated = (np.diff(np.sort(shown, axis=1), axis=1) == 0).any(axis=1)
    for place in np.flatnonzero(repeated):
        shown[place] = rng.choice(items, 4, replace=False)
    shown = np.repeat(shown, annotators, axis=0)
    seen = rng.normal(size=items)[shown] + noise * rng.normal(size=shown.shape)
    names = np.array([f"i{item}" for item in range(items)])
    best, worst = (np.take_along_axis(shown, at[:, None], axis=1)[:, 0] for at in (seen.argmax(1), seen.argmin(1)))
    question = np.repeat([f"q{place}" for place in range(tuples)], annotators)
    columns = {"question": question, "items": names[shown].tolist(), "best": names[best], "worst": names[worst]}
    return Judgements(name="simulated", frame=pl.DataFrame(columns))


def _best_worst(noise: float, annotators: int, coding: str, items: int, rng: np.random.Generator) -> Ends:
    found = best_worst_agreement(_answers(noise, annotators, items, rng))
    return _ends(getattr(found, coding))


def _true_best_worst(noise: float, annotators: int, coding: str, items: int) -> float:
    return _mean_alphas(noise, annotators, items)[coding]


@cache
def _mean_alphas(noise: float, annotators: int, items: int) -> dict[str, float]:
    """The mean alpha of many samples of this size: with another number of items, chance is another one."""
    rng, number = np.random.default_rng(1), max(60, 8000 // items)
    samples = (_answers(noise, annotators, items, rng) for _ in range(number))
    drawn = [best_worst_agreement(sample, resampling=NO_INTERVALS) for sample in samples]
    return {coding: float(np.mean([getattr(each, coding).value for each in drawn])) for coding in CODINGS}


def _best_worst_cases() -> list[Case]:
    return [
        Case(
            f"best-worst alpha, {coding.replace('_', ' ')}",
            f"{name}, {annotators} annotators",
            partial(_best_worst, noise, annotators, coding),
            partial(_true_best_worst, noise, annotators, coding),
        )
        for coding in CODINGS
        for annotators in (2, 5)
        for name, noise in NOISES.items()
    ]


def _against_the_rest(correlation: str, raters: int, share: float, items: int, rng: np.random.Generator) -> Ends:
    values = _normal(raters, share, items, rng)
    rest = (values.sum(axis=0) - values) / (raters - 1)
    rows = {"annotator": np.repeat(np.arange(raters).astype(str), items), "item": np.tile(np.arange(items), raters)}
    table = pl.DataFrame({**rows, "own": values.ravel(), "rest": rest.ravel()})
    return _ends(rest_correlations(table, correlation).mean(Resampling()))


def _rest_cases() -> list[Case]:
    """Pearson's r of one rater with the mean of the others is share / sqrt(share + (1 - share) / (raters - 1))."""
    cases = []
    for raters in (3, 5):
        for share in ALPHAS:
            r = share / (share + (1 - share) / (raters - 1)) ** 0.5
            for name, truth in (("pearson", r), ("spearman", 6 / np.pi * np.arcsin(r / 2))):
                draw = partial(_against_the_rest, name, raters, share)
                design = f"normal, {raters} raters, share {share}"
                cases.append(Case(f"one rater against the rest, {name}", design, draw, partial(_given, float(truth))))
    return cases


def _given(truth: float, items: int) -> float:
    return truth


CASES = [
    *_alpha_cases(),
    *_continuous_cases(),
    *_dependent_cases(),
    *_best_worst_cases(),
    *_intraclass_cases(),
    *_pairwise_cases(),
    *_rest_cases(),
]
