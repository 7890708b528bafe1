"""Coverage of the intervals of split-half reliability.

The population is that of items, judged in the same way: the truth is the figure of very many items, from a large
simulated sample. Ratings: any raters, or items in groups that share most of their score. Best-worst: four-tuples, each
item in eight of them; or GiCCS's design, all triples of the five items of a dialogue.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import combinations

import numpy as np
import polars as pl

from latent_ratings import draw_ratings
from similitude.data.judgements import Judgements
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.split_half import SplitHalf, split_half, split_half_of_ratings
from simulated_case import Case, Ends

FIVE, SKEWED = (0.1, 0.2, 0.4, 0.2, 0.1), (0.6, 0.2, 0.1, 0.05, 0.05)
MANY_RATED, MANY_COMPARED = 200_000, 20_000
TRIPLES = np.array(list(combinations(range(5), 3)))

Sample = np.ndarray | Judgements
Draw = Callable[[int, np.random.Generator], Sample]


def _found(sample: Sample, **more: object) -> SplitHalf:
    if isinstance(sample, Judgements):
        return split_half(sample, **more)  # type: ignore[arg-type]
    return split_half_of_ratings(sample, **more)  # type: ignore[arg-type]


def _interval(draw: Draw, correlation: str, items: int, rng: np.random.Generator) -> Ends:
    estimate = getattr(_found(draw(items, rng)), correlation)
    return estimate.low, estimate.high


def _cases(design: str, draw: Draw, many: int) -> list[Case]:
    @cache
    def large() -> SplitHalf:
        return _found(draw(many, np.random.default_rng(1)), repeats=10, resampling=NO_INTERVALS)

    def truth(correlation: str, items: int) -> float:
        return float(getattr(large(), correlation).value)

    return [
        Case(f"split-half, {name}", design, partial(_interval, draw, correlation), partial(truth, correlation))
        for name, correlation in (("Pearson", "pearson"), ("Spearman", "spearman"))
    ]


def _normal(raters: int, share: float, items: int, rng: np.random.Generator) -> np.ndarray:
    return rng.normal(size=items) * share**0.5 + rng.normal(size=(raters, items)) * (1 - share) ** 0.5


def _incomplete(raters: int, share: float, items: int, rng: np.random.Generator) -> np.ndarray:
    values = _normal(raters, share, items, rng)
    values[rng.random(values.shape) < 1 / 3] = np.nan
    return values


def _valued(raters: int, share: float, prevalence: tuple[float, ...], items: int, rng: np.random.Generator):
    return draw_ratings(raters, items, share, prevalence, rng)


def _lenient(raters: int, share: float, items: int, rng: np.random.Generator) -> np.ndarray:
    """The same raters for all items and samples; they differ in leniency."""
    return _normal(raters, share, items, rng) + np.linspace(-0.5, 0.5, raters)[:, None]


def _grouped(raters: int, share: float, items: int, rng: np.random.Generator) -> Judgements:
    """Items in groups of five, whose means have two thirds of the variance of the items."""
    middle = np.repeat(rng.normal(size=items // 5), 5) * (2 / 3) ** 0.5
    score = (middle + rng.normal(size=items) * (1 / 3) ** 0.5) * share**0.5
    values = score + rng.normal(size=(raters, items)) * (1 - share) ** 0.5
    ids, groups = np.arange(items).astype(str), np.repeat(np.arange(items // 5), 5).astype(str)
    rated = pl.DataFrame({"item": np.tile(ids, raters), "value": values.ravel()})
    return Judgements(name="grouped", frame=rated, items=pl.DataFrame({"id": ids, "group": groups}))


def _tuples(items: int, rng: np.random.Generator) -> np.ndarray:
    """Four-tuples, every item in about eight; an item that is twice in a tuple is replaced."""
    tuples = np.concatenate([rng.permutation(items) for _ in range(8)]).reshape(-1, 4)
    for row in tuples[np.any(np.diff(np.sort(tuples, axis=1), axis=1) == 0, axis=1)]:
        row[:] = rng.choice(items, 4, replace=False)
    return tuples


def _triples(items: int, rng: np.random.Generator) -> np.ndarray:
    return np.asarray((TRIPLES + 5 * np.arange(items // 5)[:, None, None]).reshape(-1, 3))


def _compared(
    tuples: Callable[[int, np.random.Generator], np.ndarray],
    answers: int,
    noise: float,
    items: int,
    rng: np.random.Generator,
) -> Judgements:
    shown = np.repeat(tuples(items, rng), answers, axis=0)
    seen = rng.uniform(size=items)[shown] + rng.normal(0.0, noise, shown.shape)
    best, worst = (
        np.take_along_axis(shown, at[:, None], axis=1)[:, 0].astype(str) for at in (seen.argmax(1), seen.argmin(1))
    )
    question = np.repeat(np.arange(len(shown) // answers), answers).astype(str)
    frame = pl.DataFrame({"question": question, "items": shown.astype(str).tolist(), "best": best, "worst": worst})
    return Judgements(name="compared", frame=frame)


def _all_cases() -> list[Case]:
    cases = []
    for raters, share in ((2, 0.2), (2, 0.8), (3, 0.5), (5, 0.2), (5, 0.8)):
        told = f"{raters} raters, share {share}"
        cases += _cases(f"normal, {told}", partial(_normal, raters, share), MANY_RATED)
        cases += _cases(f"5 values, {told}", partial(_valued, raters, share, FIVE), MANY_RATED)
    cases += _cases("5 skewed values, 3 raters, share 0.5", partial(_valued, 3, 0.5, SKEWED), MANY_RATED)
    cases += _cases("normal, 1/3 missing, 5 raters, share 0.5", partial(_incomplete, 5, 0.5), MANY_RATED)
    cases += _cases("lenient raters, 4 raters, share 0.5", partial(_lenient, 4, 0.5), MANY_RATED)
    cases += _cases("groups of 5, 4 raters, share 0.5", partial(_grouped, 4, 0.5), MANY_RATED)
    for answers, noise in ((2, 0.3), (3, 0.2), (5, 0.1), (5, 0.5)):
        told = f"{answers} answers, noise {noise}"
        cases += _cases(f"four-tuples, {told}", partial(_compared, _tuples, answers, noise), MANY_COMPARED)
        cases += _cases(f"triples of dialogues, {told}", partial(_compared, _triples, answers, noise), MANY_COMPARED)
    return cases


CASES = _all_cases()
