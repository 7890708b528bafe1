"""Time of human ceilings and corrected correlations, with five systems, on a million ratings and best-worst answers.

python benchmarks/ceiling.py
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.study.ceiling import ceiling_of_run

MEASURES = [make_measure(name) for name in ("pearson", "spearman")]
ANSWERS, PER_ITEM, PEOPLE, SYSTEMS = 1_000_000, 10, 2000, 5


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


def main() -> None:
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
