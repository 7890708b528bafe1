"""A million ratings and a million best-worst answers, simulated, for benchmarks of size."""

from __future__ import annotations

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale

__all__ = ["large_answers", "large_ratings"]

PER_UNIT, ANSWERS_PER_PERSON = 5, 2000


def large_ratings(number: int) -> Judgements:
    """So many ratings from 0 to 5 in steps of 0.1, five for each item, by one named rater for every 2,000 ratings."""
    rng, items = np.random.default_rng(0), number // PER_UNIT
    truth = np.repeat(rng.uniform(0, 5, items), PER_UNIT)
    frame = pl.DataFrame(
        {
            "annotator": _people(number, rng),
            "item": np.repeat(np.arange(items), PER_UNIT),
            "value": np.clip(np.round(truth + rng.normal(0, 0.7, number), 1), 0, 5),
        }
    ).with_columns(pl.format("i{}", "item").alias("item"))
    return Judgements(name=f"{number:,} ratings", frame=frame, scale=Scale(low=0, high=5))


def large_answers(number: int) -> Judgements:
    """So many best-worst answers, five for each tuple of four; each item is in eight tuples."""
    rng, tuples = np.random.default_rng(0), number // PER_UNIT
    items = tuples // 2
    shown = np.concatenate([rng.permutation(items) for _ in range(8)]).reshape(-1, 4)[:tuples]
    shown = np.repeat(shown, PER_UNIT, axis=0)
    seen = shown / items + rng.normal(0, 0.2, shown.shape)
    columns = {f"item{place}": shown[:, place] for place in range(4)}
    rows = np.arange(number)
    columns |= {"best": shown[rows, seen.argmax(1)], "worst": shown[rows, seen.argmin(1)]}
    frame = pl.DataFrame(columns).with_columns(pl.format("i{}", name).alias(name) for name in columns)
    question = pl.format("q{}", pl.lit(np.repeat(np.arange(tuples), PER_UNIT)))
    made = frame.select(
        pl.Series("annotator", _people(number, rng)), question.alias("question"),
        pl.concat_list("^item.$").alias("items"), "best", "worst",
    )  # fmt: skip
    return Judgements(name=f"{number:,} best-worst answers", frame=made)


def _people(number: int, rng: np.random.Generator) -> pl.Series:
    """The annotator of each answer; the five of a unit are different people."""
    people, units = max(20, number // ANSWERS_PER_PERSON), number // PER_UNIT
    first = rng.integers(0, people, units)[:, None]
    steps = np.cumsum(rng.integers(1, people // PER_UNIT, (units, PER_UNIT)), axis=1)
    return pl.DataFrame({"n": ((first + steps) % people).ravel()}).select(pl.format("r{}", "n"))["n"]
