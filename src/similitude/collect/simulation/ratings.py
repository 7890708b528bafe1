"""Simulated ratings on a scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from similitude.collect.simulation.annotators import Annotators, PerceivedScores
from similitude.data.scale import Scale

__all__ = ["judge_ratings"]


def judge_ratings(
    readings: Mapping[str, Sequence[PerceivedScores]],
    annotators: Annotators,
    *,
    per_item: int,
    scale: Scale,
    step: float,
    rng: np.random.Generator,
) -> pl.DataFrame:
    """Simulate ratings of every item by ``per_item`` different annotators, rounded to ``step`` and clipped.

    Args:
        readings: the readings of each item, by item id.
        annotators: the pool from which each item's raters are drawn.
        per_item: the number of annotators per item.
        scale: the scale of the answers.
        step: the distance between two neighbouring answers on the scale.
        rng: the source of randomness.

    Returns:
        One row per item: id, ratings, raters, rounds.
    """
    names = np.array(annotators.names)
    rows = []
    for item, ways in readings.items():
        who = np.sort(rng.choice(len(annotators), size=per_item, replace=False))
        answers = annotators.answers(who, ways, rng) * scale.width / step
        steps = np.clip(np.round(answers), 0, round(scale.width / step))
        ratings = np.round(scale.low + steps * step, 6)
        rounds = ["first"] * per_item
        rows.append({"id": item, "ratings": ratings.tolist(), "raters": names[who].tolist(), "rounds": rounds})
    return pl.DataFrame(rows)
