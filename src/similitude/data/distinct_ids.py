"""Whether ids are distinct, found out from their order or their hashes."""

from __future__ import annotations

import polars as pl

__all__ = ["are_distinct"]

FEW = 1000
"""Ids that are looked at before all of them are."""


def are_distinct(ids: pl.Series) -> bool:
    """Whether no id occurs twice.

    Ids that are numbered, as most are, are distinct because each is greater than the one before. Ids with distinct
    hashes are distinct, and hashes are compared several times faster than texts. Only if two hashes agree are the ids
    themselves compared.
    """
    return _rise(ids) or ids.hash().n_unique() == len(ids) or ids.n_unique() == len(ids)


def _rise(ids: pl.Series) -> bool:
    """Whether each id is longer than the one before, or as long and greater, as 9, 10 and 11 are."""
    if ids.dtype != pl.String or not _rises(ids[:FEW]):
        return False
    return _rises(ids)


def _rises(ids: pl.Series) -> bool:
    lengths = ids.str.len_bytes()
    longer, as_long = lengths[1:] > lengths[:-1], lengths[1:] == lengths[:-1]
    return bool((longer | (as_long & (ids[1:] > ids[:-1]))).all(ignore_nulls=False))
