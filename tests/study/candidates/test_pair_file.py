"""Pairs in files: each stands there once after a merge, whatever found it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from similitude.study.candidates.pair_file import PairRows, merged_pairs, open_pairs, write_pairs


def rows(pairs: list[tuple[int, int, int]]) -> PairRows:
    left, right, strata = (np.array(column) for column in zip(*pairs, strict=True))
    return PairRows(left.astype(np.int64), right.astype(np.int64), strata.astype(np.uint8))


def listed(pairs: PairRows) -> list[tuple[int, ...]]:
    return list(zip(pairs.left.tolist(), pairs.right.tolist(), pairs.strata.tolist(), strict=True))


def test_the_first_stratum_counts_and_lower_rows_stand_left() -> None:
    found = rows([(2, 1, 1), (1, 2, 0), (0, 3, 2), (3, 0, 2)])
    assert listed(found.in_order(is_directed=False)) == [(0, 3, 2), (1, 2, 0)]


def test_directed_pairs_stay_two() -> None:
    found = rows([(2, 1, 1), (1, 2, 0), (1, 2, 1)])
    assert listed(found.in_order(is_directed=True)) == [(1, 2, 0), (2, 1, 1)]


def test_files_come_back_and_merge_by_rows(tmp_path: Path) -> None:
    first = rows([(0, 5, 1), (1, 4, 1), (3, 4, 0)])
    second = rows([(0, 5, 0), (1, 9, 3), (2, 3, 3)])
    for name, pairs in {"a": first, "b": second}.items():
        write_pairs(pairs, tmp_path / name)
    assert listed(open_pairs(tmp_path / "a")) == listed(first)
    paths = [tmp_path / "a", tmp_path / "b"]
    assert listed(merged_pairs(paths, 0, 2, is_directed=False)) == [(0, 5, 0), (1, 4, 1), (1, 9, 3)]
    assert listed(merged_pairs(paths, 2, 4, is_directed=False)) == [(2, 3, 3), (3, 4, 0)]
    assert listed(merged_pairs(paths, 4, 9, is_directed=False)) == []


def test_columns_of_pairs_stay_with_them(tmp_path: Path) -> None:
    found = PairRows(
        np.array([4, 1]), np.array([5, 2]), np.zeros(2, np.uint8), {"label": np.array(["x", "y"], dtype=object)}
    )
    write_pairs(found.in_order(is_directed=True), tmp_path / "a")
    assert open_pairs(tmp_path / "a").columns["label"].tolist() == ["y", "x"]
