"""Files of vectors that workers fill in any order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from similitude.errors import PredictionError
from similitude.study.candidates.vector_file import PAGE, create_vectors, open_vectors, write_vectors
from similitude.study.candidates.vector_stage import checked_vectors


def test_numpy_reads_what_pieces_wrote_in_any_order(tmp_path: Path) -> None:
    rows = np.arange(15, dtype=np.float32).reshape(5, 3)
    path = tmp_path / "vectors.npy"
    create_vectors(path, 5, 3)
    write_vectors(path, 3, rows[3:])
    write_vectors(path, 0, rows[:3])
    np.testing.assert_array_equal(np.load(path), rows)
    np.testing.assert_array_equal(open_vectors(path), rows)
    assert path.stat().st_size == PAGE + 5 * 3 * 4


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "vectors.npy"
    create_vectors(path, 1, 2)
    write_vectors(path, 0, np.ones((1, 2), np.float32))
    create_vectors(path, 1, 2)
    np.testing.assert_array_equal(open_vectors(path), [[1, 1]])


def test_checked_vectors_by_hand() -> None:
    np.testing.assert_array_equal(
        checked_vectors(np.array([[3.0, 4.0], [0, 2]]), "x"), np.float32([[0.6, 0.8], [0, 1]])
    )


@pytest.mark.parametrize(("bad", "told"), [([0.0, 0.0], "only zeros"), ([np.nan, 1.0], "nan or infinite")])
def test_vectors_without_a_direction_are_refused_by_row(bad: list[float], told: str) -> None:
    with pytest.raises(PredictionError, match=f"x: the vector of text 12 has {told}"):
        checked_vectors(np.array([[1.0, 0.0], bad]), "x", 10)
