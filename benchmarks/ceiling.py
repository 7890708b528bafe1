"""Human ceilings and corrected correlations: against real second panels, and their time.

The first table simulates two panels of different people for the same items, and a system, and compares what the first
panel's ratings give with what the second panel, the latent truth and the system show: means of the replications, their
difference, and its standard error. The second part is the time with five systems on a million ratings and best-worst
answers.

python benchmarks/ceiling.py [replications] [standard deviation of the raters' leniency, .4 by default]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import numpy as np
import polars as pl

import similitude as sim
from similitude.data.judgements import Judgements
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.stats import spearman
from similitude.study.ceiling import ceiling_of_run

MEASURES = [make_measure(name) for name in ("pearson", "spearman")]
ANSWERS, PER_ITEM, PEOPLE, SYSTEMS = 1_000_000, 10, 2000, 5
ITEMS = 400
LABELS = {"binary": (0.3,), "three levels": (-0.5, 0.8), "Likert": (-1.5, -0.5, 0.5, 1.5), "continuous": None}
RATERS = (2, 5, 10)
DESIGNS = ("same raters", "others each")
NOISE, LENIENCY, SKILL = 0.8, 0.4, 0.7


def _people(number: int, rng: np.random.Generator) -> pl.Series:
    return pl.Series(rng.integers(0, PEOPLE, number)).cast(pl.String)


def ratings(rng: np.random.Generator) -> tuple[Judgements, np.ndarray]:
    """Ten ratings of each item in steps of a half, and gold."""
    items = ANSWERS // PER_ITEM
    values = np.round(2 * (rng.normal(size=items) + rng.normal(size=(PER_ITEM, items)))) / 2
    columns = {
        "item": pl.Series(np.tile(np.arange(items), PER_ITEM)).cast(pl.String),
        "annotator": _people(ANSWERS, rng),
        "value": values.ravel(),
    }
    frame = pl.DataFrame(columns).unique(["item", "annotator"], keep="last", maintain_order=True)
    means = frame.group_by("item").agg(pl.col("value").mean()).sort(pl.col("item").cast(pl.Int64))
    return Judgements(name="ratings", frame=frame), means["value"].to_numpy()


def best_worst(rng: np.random.Generator) -> tuple[Judgements, np.ndarray]:
    """Five answers to each tuple of four; every item is in eight tuples."""
    items = ANSWERS // 10
    tuples = np.concatenate([rng.permutation(items).reshape(-1, 4) for _ in range(8)])
    truth = rng.normal(size=items)
    felt = truth[tuples] + rng.normal(size=(5, *tuples.shape))
    rows = np.arange(len(tuples))
    best, worst = (np.concatenate([tuples[rows, place] for place in chosen(felt)]) for chosen in (_best, _worst))
    shown = np.tile(tuples, (5, 1))
    points = np.bincount(best, minlength=items) - np.bincount(worst, minlength=items)
    columns = {
        "question": pl.Series(np.tile(rows, 5)).cast(pl.String),
        "annotator": _people(best.size, rng),
        "items": pl.Series(shown).cast(pl.Array(pl.String, 4)).arr.to_list(),
        "best": pl.Series(best).cast(pl.String),
        "worst": pl.Series(worst).cast(pl.String),
    }
    return Judgements(name="best-worst answers", frame=pl.DataFrame(columns)), points / 40


def _best(felt: np.ndarray) -> Iterator[np.ndarray]:
    return iter(felt.argmax(axis=2))


def _worst(felt: np.ndarray) -> Iterator[np.ndarray]:
    return iter(felt.argmin(axis=2))


def panel(
    truth: np.ndarray, raters: int, borders: tuple[float, ...] | None, design: str, leniency: float, rng
) -> np.ndarray:
    """Raters x items; the same people rate all items, or each item has its own. Some people are lenient."""
    lenient = leniency * rng.normal(size=(raters, 1 if design == "same raters" else truth.size))
    felt = truth + lenient + NOISE * rng.normal(size=(raters, truth.size))
    return felt if borders is None else np.digitize(felt, borders).astype(float)


def second_panel(
    labels: str, raters: int, design: str, leniency: float, rng: np.random.Generator
) -> list[tuple[float, float]]:
    """Ours and the real value: of another panel, of a perfect system, and corrected for a system."""
    truth = rng.normal(size=ITEMS)
    one, other = (panel(truth, raters, LABELS[labels], design, leniency, rng) for _ in range(2))
    predicted = SKILL * truth + np.sqrt(1 - SKILL**2) * rng.normal(size=ITEMS)
    rater, item = np.indices(one.shape).reshape(2, -1)
    columns = {"item": item.astype(str), "value": one.ravel()}
    if design == "same raters":
        columns["annotator"] = np.char.add("r", rater.astype(str))
    judgements = sim.read_judgements(pl.DataFrame(columns))
    gold, ids = one.mean(axis=0), [str(place) for place in range(ITEMS)]
    found = ceiling_of_run(judgements, ids, Comparison.of_scores(gold, predicted), MEASURES[1:], level=None)
    assert found is not None
    ceiling, corrected = found.ceilings[0], found.corrected[0][0]
    assert ceiling is not None
    assert corrected is not None
    return [
        (ceiling.panel.value, float(spearman(gold, other.mean(axis=0)))),
        (ceiling.perfect.value, float(spearman(gold, truth))),
        (corrected.value, float(spearman(truth, predicted))),
    ]


def panels(replications: int, leniency: float) -> None:
    """Print ours, the real value, the difference and its standard error."""
    for design in DESIGNS:
        for number, labels in enumerate(LABELS):
            for raters in RATERS:
                draws = [np.random.default_rng([raters, number, seed]) for seed in range(replications)]
                found = np.array([second_panel(labels, raters, design, leniency, rng) for rng in draws])
                apart = found[..., 0] - found[..., 1]
                error = apart.std(axis=0, ddof=1) / np.sqrt(replications)
                for place, what in enumerate(("another panel", "perfect system", "corrected")):
                    ours, real = found[:, place].mean(axis=0)
                    told = f"{ours:.4f} real {real:.4f} difference {ours - real:+.4f} (SE {error[place]:.4f})"
                    print(f"{design}, {labels}, {raters} raters: {what} {told}", flush=True)


def main() -> None:
    replications = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    panels(replications, float(sys.argv[2]) if len(sys.argv) > 2 else LENIENCY)
    rng = np.random.default_rng(0)
    for made, gold in (ratings(rng), best_worst(rng)):
        predicted = gold + rng.normal(size=(SYSTEMS, gold.size))
        comparison = Comparison.of_scores(gold, predicted)
        ids = [str(place) for place in range(gold.size)]
        start, spent = time.perf_counter(), time.process_time()
        found = ceiling_of_run(made, ids, comparison, MEASURES)
        wall, cpu = time.perf_counter() - start, time.process_time() - spent
        assert found is not None
        assert not found.notes
        print(f"{len(made):,} {made.name} of {gold.size:,} items, {SYSTEMS} systems: {wall:.1f} s ({cpu:.1f} s of CPU)")


if __name__ == "__main__":
    main()
