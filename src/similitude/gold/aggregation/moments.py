"""Mean and spread of ratings."""

from __future__ import annotations

import polars as pl

__all__ = ["mean_and_spread"]


def mean_and_spread(rated: pl.DataFrame) -> pl.DataFrame:
    """Add ``score`` (mean) and ``sigma`` (population standard deviation, ddof 0) of the list column ``ratings``.

    >>> mean_and_spread(pl.DataFrame({"ratings": [[1.0, 3.0]]})).select("score", "sigma").row(0)
    (2.0, 1.0)
    """
    ratings = pl.col("ratings")
    return rated.with_columns(score=ratings.list.mean(), sigma=ratings.list.std(ddof=0))
