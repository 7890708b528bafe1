"""Simulated best-worst judgements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl

from similitude.collect.simulation.annotators import Annotators, PerceivedScores
from similitude.data.judgement import BEST_WORST_SCHEMA

__all__ = ["judge_best_worst"]


def judge_best_worst(
    tuples: Mapping[str, Sequence[str]],
    similarity: Mapping[str, float],
    annotators: Annotators,
    *,
    per_tuple: int,
    rng: np.random.Generator,
) -> pl.DataFrame:
    """Simulate ``per_tuple`` different annotators for every tuple, who name its best and its worst item.

    Each annotator sees the items in a random order, perceives a similarity for every item (with the bias and noise of
    `Annotators`), and names the highest and the lowest.

    Args:
        tuples: question id -> ids of the items shown.
        similarity: item id -> true similarity, as a fraction of the scale.
        annotators: the pool.
        per_tuple: how many annotators answer each question.
        rng: the source of randomness.

    Returns:
        One row per judgement, with the columns of `BEST_WORST_SCHEMA`.
    """
    rows = [
        row
        for question, items in tuples.items()
        for row in _judge_one(question, list(items), similarity, annotators, per_tuple, rng)
    ]
    return pl.DataFrame(rows, schema=BEST_WORST_SCHEMA)


def _judge_one(
    question: str,
    items: list[str],
    similarity: Mapping[str, float],
    annotators: Annotators,
    per_tuple: int,
    rng: np.random.Generator,
) -> Iterable[dict[str, object]]:
    who = np.sort(rng.choice(len(annotators), size=per_tuple, replace=False))
    impressions = np.stack(
        [annotators.answers(who, [PerceivedScores(similarity[item])], rng) for item in items], axis=1
    )
    for annotator, impression in zip(who, impressions, strict=True):
        shown = [items[place] for place in rng.permutation(len(items))]
        yield {
            "question": question,
            "annotator": annotators.names[annotator],
            "round": "first",
            "seconds": None,
            "items": shown,
            "best": items[int(impression.argmax())],
            "worst": items[int(impression.argmin())],
        }
