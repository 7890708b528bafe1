import numpy as np
import pytest

from similitude.systems.encoders import similarity
from similitude.systems.encoders.similarity import paired_cosines, paired_similarities


@pytest.mark.parametrize("block", [1, 3, 4096])
def test_equal_vectors_give_exactly_one(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(similarity, "_BLOCK_PAIRS", block)
    vectors = np.random.default_rng(0).normal(size=(50, 33)).astype(np.float32)
    every = np.arange(50)
    assert paired_cosines(vectors, every, every).tolist() == [1.0] * 50
    crossed = paired_cosines(vectors, every, every[::-1].copy())
    wide = vectors.astype(np.float64)
    expected = (wide * wide[::-1]).sum(1) / np.linalg.norm(wide, axis=1) / np.linalg.norm(wide[::-1], axis=1)
    np.testing.assert_allclose(crossed, expected, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "expected"),
    # (3, 4) and (0, 1): dot 4, lengths 5 and 1; differences 3 and 3
    [("cosine", 0.8), ("dot", 4.0), ("euclidean", -np.sqrt(18)), ("manhattan", -6.0)],
)
def test_by_hand(name: str, expected: float) -> None:
    vectors = np.array([[3, 4], [0, 1]], np.float32)
    ends = paired_similarities(vectors, np.array([0, 0]), np.array([1, 0]), name)
    assert ends[0] == pytest.approx(expected)
    assert ends[1] == pytest.approx({"cosine": 1.0, "dot": 25.0}.get(name, 0.0))
    assert ends.dtype == np.float64
    assert paired_similarities(vectors, np.array([], int), np.array([], int), name).tolist() == []
