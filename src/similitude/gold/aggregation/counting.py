"""Best-worst scores by counting."""

from __future__ import annotations

import polars as pl

__all__ = ["count_best_worst"]


def count_best_worst(judgements: pl.DataFrame) -> pl.DataFrame:
    """Score = (#best - #worst) / #appearances, in -1..1.

    A judgement that names one item both best and worst counts as both; an item that a tuple repeats counts once for
    each appearance.

    Args:
        judgements: one row a judgement, with columns ``items``, ``best`` and ``worst``.

    Returns:
        One row an item: id, appearances, best, worst, score (-1..1) and normalised ((score + 1) / 2).

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
