"""Coverage of the intervals of noise-corrected correlations and of human ceilings.

The truth of a corrected correlation is the correlation with gold from infinitely many judgements; of another panel, the
correlation of two panels; of one person, that with the mean of the other raters. Each is taken from a sample of
300,000 items. ``python benchmarks/coverage_ceiling.py`` prints bias and coverage of corrected correlations.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.gold.reliability.estimate import Estimate
from similitude.stats import pearson, spearman
from similitude.study.ceiling import RunCeiling, ceiling_of_run
from simulated_case import ITEMS, Case, Ends

LARGE, SEED = 300_000, 20_261
CORRELATIONS = {"pearson": pearson, "spearman": spearman}
MEASURES = [make_measure(name) for name in CORRELATIONS]


class Sample(NamedTuple):
    """Simulated items.

    Attributes:
        truth: gold from infinitely many judgements.
        predicted: of one system.
        frame: ratings or best-worst answers.
        gold: what they add up to.
        panel: gold of another panel.
        groups: of items that are not independent; None if all are.
    """

    truth: np.ndarray
    predicted: np.ndarray
    frame: Callable[[], pl.DataFrame]
    gold: np.ndarray
    panel: np.ndarray
    groups: np.ndarray | None = None


Draw = Callable[[int, np.random.Generator], Sample]


def _predicted(truth: np.ndarray, r: float, rng: np.random.Generator) -> np.ndarray:
    spread = truth.std() if truth.size > 1 else 1.0
    return r * truth / spread + np.sqrt(1 - r * r) * rng.normal(size=truth.size)


def _rated(values: np.ndarray, panel: np.ndarray, truth: np.ndarray, predicted: np.ndarray, groups=None) -> Sample:
    """Raters x items, nan where there is none; raters are named."""
    rater, item = np.nonzero(np.isfinite(values))

    def frame() -> pl.DataFrame:
        columns = {"annotator": rater, "item": item, "value": values[rater, item]}
        return pl.DataFrame(columns).with_columns(pl.col("annotator", "item").cast(pl.String))

    return Sample(truth, predicted, frame, np.nanmean(values, axis=0), np.nanmean(panel, axis=0), groups)


def _normal(raters: int, noise: float, r: float, items: int, rng: np.random.Generator) -> Sample:
    truth = rng.normal(size=items)
    values, panel = truth + noise * rng.normal(size=(2, raters, items))
    return _rated(values, panel, truth, _predicted(truth, r, rng))


def _uneven(r: float, items: int, rng: np.random.Generator) -> Sample:
    """Contentious items have more raters, as after a second round."""
    truth = rng.normal(size=items)
    number = rng.integers(2, 9, items)
    noise = np.where(number > 4, 1.4, 0.6)
    values, panel = truth + noise * rng.normal(size=(2, 8, items))
    for each in (values, panel):
        each[np.arange(8)[:, None] >= number] = np.nan
    return _rated(values, panel, truth, _predicted(truth, r, rng))


def _lenient(r: float, items: int, rng: np.random.Generator) -> Sample:
    """The same five raters for all items, who differ in leniency as much as items differ."""
    truth = rng.normal(size=items)
    values, panel = truth + rng.normal(size=(2, 5, items)) + rng.normal(size=(2, 5, 1))
    return _rated(values, panel, truth, _predicted(truth, r, rng))


def _sharing(r: float, items: int, rng: np.random.Generator) -> Sample:
    """Five of twenty raters for each item, who differ in leniency as much as items differ."""
    truth = rng.normal(size=items)
    values, panel = truth + rng.normal(size=(2, 20, items)) + rng.normal(size=(2, 20, 1))
    for each in (values, panel):
        each[rng.permuted(np.tile(np.arange(20)[:, None] >= 5, (1, items)), axis=0)] = np.nan
    return _rated(values, panel, truth, _predicted(truth, r, rng))


def _steps(r: float, items: int, rng: np.random.Generator) -> Sample:
    """Ratings of 0, 1, ... 5; the truth is the expected rating."""
    from scipy.special import ndtr

    latent = rng.normal(size=items)
    borders = (np.arange(5) + 0.5 - 2.5) / 1.5
    truth = ndtr(latent[:, None] - borders).sum(axis=1)
    values, panel = (np.clip(np.round(2.5 + 1.5 * (latent + rng.normal(size=(5, items)))), 0, 5) for _ in range(2))
    return _rated(values, panel, truth, _predicted(latent, r, rng))


def _skewed(r: float, items: int, rng: np.random.Generator) -> Sample:
    """Most items are near the low end."""
    truth = np.exp(0.7 * rng.normal(size=items))
    values, panel = truth + 0.8 * rng.normal(size=(2, 4, items))
    return _rated(values, panel, truth, _predicted(truth, r, rng))


def _clustered(r: float, items: int, rng: np.random.Generator) -> Sample:
    """Dialogues of four items, which share half of the variance of truth and of what the system gets wrong."""
    groups = np.arange(items) // 4
    shared = rng.normal(size=(2, groups[-1] + 1))[:, groups]
    truth, own = (shared + rng.normal(size=(2, items))) / np.sqrt(2)
    values, panel = truth + rng.normal(size=(2, 3, items))
    return _rated(values, panel, truth, r * truth + np.sqrt(1 - r * r) * own, groups)


def _best_worst(r: float, items: int, rng: np.random.Generator) -> Sample:
    """Five answers to each of 1.6n random tuples of five; best, then worst of the rest, by Luce's rule."""
    utility = 1.5 * rng.normal(size=items)
    tuples = np.concatenate([rng.permutation(items).reshape(-1, 5) for _ in range(8)])
    best = _shares(utility[tuples])
    truth = _counted(tuples, best - _expected_worst(utility[tuples], best), items)
    answers = [_answered(utility, tuples, best, rng) for _ in range(2)]
    gold, panel = (_counted(tuples, points.mean(axis=0), items) for points in answers)

    def frame() -> pl.DataFrame:
        ids, rows = tuples.astype(str), np.arange(len(tuples))
        return pl.concat(
            pl.DataFrame(
                {
                    "annotator": [f"{who} {row % 7}" for row in rows],
                    "question": rows.astype(str),
                    "items": ids,
                    "best": ids[rows, points.argmax(axis=1)],
                    "worst": ids[rows, points.argmin(axis=1)],
                },
                schema_overrides={"items": pl.List(pl.String)},
            )
            for who, points in enumerate(answers[0])
        )

    return Sample(truth, _predicted(truth, r, rng), frame, gold, panel)


def _shares(utility: np.ndarray) -> np.ndarray:
    power = np.exp(utility)
    return power / power.sum(axis=-1, keepdims=True)


def _expected_worst(utility: np.ndarray, best: np.ndarray) -> np.ndarray:
    power = np.exp(-utility)
    rest = power.sum(axis=1, keepdims=True) - power
    return power * ((best / rest).sum(axis=1, keepdims=True) - best / rest)


def _answered(utility: np.ndarray, tuples: np.ndarray, best: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Five answers x tuples x places: 1 for the best, -1 for the worst."""
    rows = np.arange(len(tuples))
    points = np.zeros((5, *tuples.shape))
    for answer in points:
        chosen = (best.cumsum(axis=1) > rng.random(len(tuples))[:, None]).argmax(axis=1)
        power = np.exp(-utility[tuples])
        power[rows, chosen] = 0.0
        drawn = rng.random(len(tuples))[:, None] * power.sum(axis=1, keepdims=True)
        answer[rows, chosen] = 1.0
        answer[rows, (power.cumsum(axis=1) > drawn).argmax(axis=1)] = -1.0
    return points


def _counted(tuples: np.ndarray, points: np.ndarray, items: int) -> np.ndarray:
    return np.bincount(tuples.ravel(), points.ravel(), items) / np.bincount(tuples.ravel(), minlength=items)


SHARING = "5 of 20 raters, lenient or strict"
DESIGNS: dict[str, Draw] = {
    "3 raters, r .8": partial(_normal, 3, 1.0, 0.8),
    "3 raters, r .95": partial(_normal, 3, 1.0, 0.95),
    "5 raters, r .8": partial(_normal, 5, 1.0, 0.8),
    "10 raters, r .5": partial(_normal, 10, 0.7, 0.5),
    "2 to 8 raters, more where they differ": partial(_uneven, 0.8),
    "5 raters of all items, lenient or strict": partial(_lenient, 0.8),
    SHARING: partial(_sharing, 0.8),
    "5 raters, six steps": partial(_steps, 0.8),
    "4 raters, skewed truth": partial(_skewed, 0.8),
    "3 raters, clusters of 4": partial(_clustered, 0.8),
    "best-worst, 5 answers": partial(_best_worst, 0.8),
}


@cache
def _large(design: str) -> Sample:
    return DESIGNS[design](LARGE, np.random.default_rng(SEED))


def _found(design: str, items: int, rng: np.random.Generator) -> RunCeiling:
    sample = DESIGNS[design](items, rng)
    ids = [str(place) for place in range(items)]
    comparison = Comparison.of_scores(sample.gold, sample.predicted, groups=sample.groups)
    texts = pl.DataFrame({"id": ids, "left": "", "right": ""})
    known = None if sample.groups is None else texts.with_columns(group=pl.Series(sample.groups).cast(pl.String))
    judgements = Judgements(name=design, frame=sample.frame(), items=known)
    found = ceiling_of_run(judgements, ids, comparison, MEASURES)
    assert found is not None
    return found


def _corrected(design: str, place: int, items: int, rng: np.random.Generator) -> Estimate:
    found = _found(design, items, rng).corrected[0][place]
    assert found is not None
    return found


def _ceiling(design: str, place: int, which: str, items: int, rng: np.random.Generator) -> Estimate:
    return getattr(_found(design, items, rng).ceilings[place], which)


def _ends(estimate: Callable[[int, np.random.Generator], Estimate], items: int, rng: np.random.Generator) -> Ends:
    found = estimate(items, rng)
    return found.low, found.high


def _true_correlation(design: str, correlation: str, items: int) -> float:
    sample = _large(design)
    return float(CORRELATIONS[correlation](sample.truth, sample.predicted))


def _true_panel(design: str, correlation: str, items: int) -> float:
    sample = _large(design)
    return float(CORRELATIONS[correlation](sample.gold, sample.panel))


def _cases() -> list[Case]:
    made = []
    for place, name in enumerate(CORRELATIONS):
        for design in DESIGNS:
            corrected, panel = partial(_corrected, design, place), partial(_ceiling, design, place, "panel")
            truth, other = partial(_true_correlation, design, name), partial(_true_panel, design, name)
            made.append(Case(f"corrected {name}", design, partial(_ends, corrected), truth, ITEMS))
            if design != SHARING:  # the interval is over items, for these raters
                made.append(Case(f"another panel, {name}", design, partial(_ends, panel), other, ITEMS))
    return made


CASES = _cases()


def table(replications: int) -> None:
    """Print bias and coverage of corrected correlations; a fifth of the replications for 2,000 items."""
    for number, design in enumerate(DESIGNS):
        for items in ITEMS:
            seeds = range(replications if items < 2000 else max(2, replications // 5))
            rows = [_found(design, items, np.random.default_rng([items, seed, number])).corrected[0] for seed in seeds]
            for place, name in enumerate(CORRELATIONS):
                value, low, high = np.array([row[place][:3] for row in rows]).T
                truth, known = _true_correlation(design, name, items), np.isfinite(low)
                errors, covered = value[np.isfinite(value)] - truth, (low <= truth) & (truth <= high)
                room = errors.std(ddof=1) / np.sqrt(errors.size)
                print(
                    f"{design:42} {items:6,} {name:9} bias {errors.mean():+.4f} (SE {room:.4f}) "
                    f"coverage {covered[known].mean():.3f}, none {np.count_nonzero(~known)}",
                    flush=True,
                )


if __name__ == "__main__":
    table(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
