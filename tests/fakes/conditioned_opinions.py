"""Opinions under conditions that a tiny model can learn: the condition decides which word counts, and who agrees."""

from __future__ import annotations

import numpy as np

from similitude.data.benchmark import Benchmark

NOUNS = ["car", "bus", "dog", "cat"]
WORDS = [*NOUNS, "alike", "unlike", "near", "far", "colour", "shape"]


def conditioned(pairs: int, seed: int, name: str = "asked") -> Benchmark:
    """Every pair under two conditions, with eight ratings on 0..5.

    One word of the right text says how alike the two are in colour, another one how alike in shape. People agree about
    colours (sigma 0.2) and differ over shapes (0.9). So without the condition nothing is known of the spread, and the
    two words count the same.
    """
    rng = np.random.default_rng(seed)
    alike = rng.random((pairs, 2)) < 0.5
    rights = [
        f"{'alike' if in_colour else 'unlike'} {'near' if in_shape else 'far'} {noun}"
        for (in_colour, in_shape), noun in zip(alike, rng.choice(NOUNS, pairs), strict=True)
    ]
    means, sigmas = np.where(alike.T.ravel(), 4.0, 1.0), np.repeat([0.2, 0.9], pairs)
    ratings = rng.normal(means[:, None], sigmas[:, None], (2 * pairs, 8)).clip(0, 5)
    return Benchmark.from_columns(
        name,
        scale="0..5",
        left=rng.choice(NOUNS, pairs).tolist() * 2,
        right=rights * 2,
        condition=["colour"] * pairs + ["shape"] * pairs,
        score=ratings.mean(axis=1),
        sigma=ratings.std(axis=1),
        ratings=ratings.tolist(),
    )
