"""Best-worst scores by counting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, Kind
from similitude.data.scale import Scale
from similitude.gold.aggregation.aggregation import AGGREGATIONS, Aggregated, Aggregation
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.aggregation.tuple_arrays import oddities, refuse_strays

__all__ = ["Counting", "count_best_worst"]


@AGGREGATIONS.register("counting", "best-worst-counting")
@dataclass(frozen=True, repr=False)
class Counting(Aggregation):
    """Score = (#best - #worst) / #appearances, in -1..1 (Orme, 2009; GiCCS 3.4).

    An answer that names one item both best and worst counts as both; a tuple that repeats an item counts it once for
    each appearance. ``standard_error`` is that of the mean of 1, 0 and -1 over appearances, assumed independent; it
    is 0 where all appearances agree, and null for a single one.

    Attributes:
        normalised: map scores to (score + 1) / 2, in 0..1, as GiCCS does.
    """

    normalised: bool = False

    name: ClassVar[str] = "counting"
    summary: ClassVar[str] = "times best minus times worst, over appearances"
    kind: ClassVar[Kind] = "best-worst"

    def aggregate(self, judgements: Judgements, rng: np.random.Generator) -> Aggregated:
        """One score per item shown."""
        self.require_kind(judgements)
        refuse_strays(judgements)
        answers, notes = last_answers(judgements)
        scale = Scale(low=0 if self.normalised else -1, high=1)
        size = scale.width / 2
        told = (pl.col("best") + pl.col("worst")) / pl.col("appearances")
        variance = (told - pl.col("score") ** 2) / (pl.col("appearances") - 1)
        frame = count_best_worst(answers).select(
            "id",
            score=pl.col("normalised" if self.normalised else "score"),
            standard_error=pl.when(pl.col("appearances") > 1).then(size * variance.sqrt()),
            answers=pl.col("appearances").cast(pl.Int64),
            best="best",
            worst="worst",
        )
        ends = ", mapped to 0..1" if self.normalised else ""
        return Aggregated(
            frame=frame,
            scale=scale,
            how=f"{self}: (#best - #worst) / #appearances{ends}",
            notes=notes + oddities(answers, same="counted as both", repeated="counted once for each appearance"),
        )


def count_best_worst(judgements: pl.DataFrame) -> pl.DataFrame:
    """Score = (#best - #worst) / #appearances, in -1..1.

    A judgement that names one item both best and worst counts as both; an item that a tuple repeats counts once for
    each appearance.

    Args:
        judgements: one row per judgement, with columns ``items``, ``best`` and ``worst``.

    Returns:
        One row per item: id, appearances, best, worst, score (-1..1) and normalised ((score + 1) / 2).

    >>> made = pl.DataFrame({"items": [["a", "b", "c"]] * 2, "best": ["a", "a"], "worst": ["c", "b"]})
    >>> count_best_worst(made)["score"].to_list()
    [1.0, -0.5, -0.5]
    """
    shown = judgements.select(id=pl.col("items").explode()).group_by("id", maintain_order=True).len("appearances")
    for name in ("best", "worst"):
        named = judgements.group_by(id=name).len(name)
        shown = shown.join(named, on="id", how="left", maintain_order="left")
    counts = pl.col("best", "worst").fill_null(0).cast(pl.Int64)
    score = (pl.col("best") - pl.col("worst")) / pl.col("appearances")
    return shown.with_columns(counts).with_columns(score=score).with_columns(normalised=(pl.col("score") + 1) / 2)
