"""Pairs made for the purpose: their numbers are known, their texts say which row they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from similitude.collect.candidates.pairs import PairBlock
from similitude.data.texts import Texts


@pytest.fixture
def make_pairs() -> Callable[..., PairBlock]:
    def make(
        left: Any,
        right: Any,
        *,
        texts: dict[str, Any] | None = None,
        strata: Any = None,
        vectors: Any = None,
        **columns: Any,
    ) -> PairBlock:
        left, right = np.asarray(left, np.int64), np.asarray(right, np.int64)
        rows = int(max(left.max(initial=0), right.max(initial=0))) + 1
        rows = max(rows, *(len(values) for values in (texts or {"": []}).values()))
        frame = {
            "id": [f"t{row}" for row in range(rows)],
            "text": [f"text {row}" for row in range(rows)],
            **(texts or {}),
        }
        held = np.zeros(len(left), np.uint8) if strata is None else np.asarray(strata, np.uint8)
        values = {name: np.asarray(column) for name, column in columns.items()}
        return PairBlock(Texts(pl.DataFrame(frame)), left, right, held, vectors, values)

    return make
