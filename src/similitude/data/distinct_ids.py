"""Whether ids are distinct, found out from their hashes."""

from __future__ import annotations

import polars as pl

__all__ = ["are_distinct"]


def are_distinct(ids: pl.Series) -> bool:
    """Whether no id occurs twice.

    Ids with distinct hashes are distinct, and hashes are compared several times faster than texts. Only if two hashes
    agree are the ids themselves compared.
    """
    return ids.hash().n_unique() == len(ids) or ids.n_unique() == len(ids)
