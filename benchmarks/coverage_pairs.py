"""How often intervals of differences hold the truth, each alone and all of a run together, by simulation.

Gold is uniform on 0..5; each system adds normal noise, of which 36 % of the variance is shared by all.

- each: the share of intervals that hold the true difference (that of 1,000,000 items).
- all: the share of samples in which all intervals do.
- wrong: the share of samples in which any interval leaves out a true difference of 0.
- agree: the share of samples in which every interval leaves out 0 exactly if its p-value is at most .05.

    python benchmarks/coverage_pairs.py 600
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from multiprocessing import get_context

import numpy as np

from similitude.data.scale import Scale
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.evaluate.significance import confidence

NOISE = ((1.0, 1.0), (1.0,) * 6, (1.0, 1.0, 1.5, 1.5, 2.2, 3.0))
MEASURES, ITEMS = ("spearman", "mae"), (30, 100)

Case = tuple[tuple[float, ...], str, int]


def draw(noise: tuple[float, ...], items: int, rng: np.random.Generator) -> Comparison:
    """One sample."""
    gold = rng.uniform(0, 5, items)
    shared, own = rng.normal(size=items), rng.normal(size=(len(noise), items))
    predicted = gold + np.array(noise)[:, None] * (0.6 * shared + 0.8 * own)
    return Comparison.of_scores(gold, predicted, Scale(low=0, high=5))


@cache
def truth(noise: tuple[float, ...], name: str) -> np.ndarray:
    """The differences of all pairs; 0 for systems with the same noise."""
    rng, measure = np.random.default_rng(1), make_measure(name)
    values = np.mean([measure.values(draw(noise, 200_000, rng)) for _ in range(5)], axis=0)
    apart = values[:, None] - values
    return np.where(np.subtract.outer(noise, noise) == 0, 0.0, apart)[np.triu_indices(len(noise), 1)]


def sample(asked: tuple[Case, int]) -> tuple[float, bool, bool, bool]:
    """Each, all, wrong and agree of one sample."""
    (noise, name, items), seed = asked
    rng, pairs, true = (
        np.random.default_rng([seed, items, len(noise)]),
        np.triu_indices(len(noise), 1),
        truth(*asked[0][:2]),
    )
    sure = confidence(draw(noise, items, rng), [make_measure(name)])
    low, high = (np.array([[each[end] for each in row] for row in sure.differences[0]])[pairs] for end in (0, 1))
    holds, is_apart = (low <= true) & (true <= high), (low > 0) | (high < 0)
    is_wrong = bool((is_apart & (true == 0)).any())
    return float(holds.mean()), bool(holds.all()), is_wrong, bool((is_apart == (sure.p_values[0][pairs] <= 0.05)).all())


def cases() -> Iterator[Case]:
    for noise in NOISE:
        for name in MEASURES:
            yield from ((noise, name, items) for items in ITEMS)


def main() -> None:
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with get_context("spawn").Pool() as pool:
        for case in cases():
            found = np.array(pool.map(sample, [(case, seed) for seed in range(samples)], chunksize=20), dtype=float)
            each, together, wrong, agree = 100 * found.mean(axis=0)
            print(
                *case,
                f"each {each:.1f} all {together:.1f} wrong {wrong:.1f} agree {agree:.1f} ({samples} samples)",
                flush=True,
            )


if __name__ == "__main__":
    main()
