"""The steps of the search on a GPU, run on the CPU: they find what sorting all cosines finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from unit_vector_clusters import by_sorting, clusters, found, unit

from similitude.collect.candidates.neighbours import Restrictions, SearchSettings
from similitude.collect.candidates.neighbours.device_search import device_pairs

torch = pytest.importorskip("torch")

from similitude.collect.candidates.gpu_neighbours import DeviceRows, exact_neighbours, exact_search  # noqa: E402
from similitude.collect.candidates.gpu_neighbours.row_scores import row_scores  # noqa: E402
from similitude.collect.candidates.gpu_neighbours.tile_maxima import GROUP, TILE, tile_maxima  # noqa: E402

DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU"))]


def cosines_of(vectors: NDArray[np.float32], rows: NDArray[np.integer]) -> NDArray[np.float64]:
    """Cosines of each row with those of a list; nan for -1."""
    products = vectors.astype(float) @ vectors.astype(float).T
    return np.where(rows < 0, np.nan, np.take_along_axis(products, np.maximum(rows, 0), axis=1))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("count", "width", "k"), [(1, 5, 2), (5, 8, 10), (700, 40, 5), (1100, 384, 64), (256, 128, 3)])
def test_neighbours_are_those_of_sorting(device: str, count: int, width: int, k: int) -> None:
    vectors = unit(np.random.default_rng(0).normal(size=(count, width)))
    others, cosines = exact_neighbours(vectors, k, device=device)
    expected = np.pad(by_sorting(vectors, k), ((0, 0), (0, max(0, k - count))), constant_values=-1)
    assert np.array_equal(others < 0, expected < 0)
    assert np.allclose(cosines, cosines_of(vectors, expected), atol=1e-6, equal_nan=True)
    assert np.allclose(cosines_of(vectors, others), cosines, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("device", DEVICES)
def test_only_allowed_pairs(device: str) -> None:
    rng = np.random.default_rng(2)
    vectors = clusters(900)
    same, other = rng.integers(3, size=900), rng.integers(40, size=900)
    rules = Restrictions(same, (other,), np.ones(900, bool))
    others, cosines = exact_neighbours(vectors, 6, same=(same,), other=(other,), device=device)
    rows = np.repeat(np.arange(900), 6)
    assert rules.allow(rows, others.ravel().astype(np.int64)).all()
    assert np.allclose(cosines, cosines_of(vectors, by_sorting(vectors, 6, rules)), atol=1e-6)


def test_rows_that_may_have_nearer_ones_are_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without spare groups and rows, rounding to bfloat16 decides who is left out: most rows are not sure.
    vectors = unit(np.random.default_rng(1).normal(size=(2000, 64)))
    assert DeviceRows.of(vectors, (), (), "cpu").neighbours(5).again == 0
    monkeypatch.setattr(exact_search, "SPARE_GROUPS", 0)
    monkeypatch.setattr(exact_search, "SPARE_ROWS", 0)
    monkeypatch.setattr(exact_search, "AGAIN_COLUMNS", 300)
    found_again = DeviceRows.of(vectors, (), (), "cpu").neighbours(5)
    assert found_again.again > 1000
    assert np.allclose(found_again.cosines.numpy(), cosines_of(vectors, by_sorting(vectors, 5)), atol=1e-6)


def test_maxima_by_hand() -> None:
    # 256 rows of width 64: the first two rows are unit vectors 1 and 2, all others unit vector 3.
    corpus = torch.zeros(TILE, 64, dtype=torch.bfloat16)
    corpus[0, 0], corpus[1, 1], corpus[2:, 2] = 1, 1, 1
    none = torch.empty(0, TILE, dtype=torch.int32)
    groups = tile_maxima(corpus, range(1, 3), none, none).groups
    assert groups.shape == (2, TILE // GROUP)
    assert groups[0].tolist() == [1.0] + [0.0] * 15
    assert groups[1].tolist() == [1.0] * 16
    numbers = torch.zeros(1, TILE, dtype=torch.int32)
    numbers[0, :2] = 1
    assert tile_maxima(corpus, range(1, 3), numbers, none).groups[1].tolist() == [1.0] * 16
    assert tile_maxima(corpus, range(1, 3), numbers, none).tiles.tolist() == [[1.0], [1.0]]
    assert tile_maxima(corpus, range(1, 3), none, numbers).tiles.tolist() == [[0.0], [0.0]]


def test_scores_of_blocks_by_hand() -> None:
    vectors = torch.eye(6)
    vectors[5, 0] = 0.5
    scores = row_scores(vectors, torch.tensor([0, 5]), torch.tensor([[2, 0], [1, 2]]), 2)
    assert scores.tolist() == [[0.0, 0.5, 1.0, 0.0], [0.0, 0.0, 0.0, 1.25]]


def test_a_device_gives_the_lists_of_the_cpu(tmp_path: Path) -> None:
    vectors = clusters(800)
    rules = Restrictions(np.arange(800) % 2, (np.arange(800) // 4,), np.arange(800) % 10 != 3)
    expected = found(vectors, tmp_path, rules, k=4)
    pairs = device_pairs(vectors, rules, SearchSettings(k=4, device="cpu"))
    usable = expected.others[rules.is_usable]
    assert np.array_equal(pairs["other"].reshape(-1, 4), usable)
    assert np.array_equal(pairs["cosine"].reshape(-1, 4), expected.similarities[rules.is_usable])
