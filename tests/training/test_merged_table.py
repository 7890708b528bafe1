"""A language model learns the same from merged rows as from rows of their own."""

import numpy as np
import pytest

from similitude.systems import make_system
from similitude.testing.unchecked_benchmark import unchecked_benchmark
from similitude.training import MseQuad, Recipe
from similitude.training.conditional.request import SimilarityRequest
from similitude.training.splits import TrainingData
from similitude.training.train import train_model

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

from similitude.systems.conditional.architecture import Architecture  # noqa: E402
from similitude.training import merged_table  # noqa: E402

TEXTS = [("a red car", "a red bus"), ("a big dog", "a sun"), ("the sea", "the sea"), ("one dog", "two dogs")]


def data():
    rows = [(place, kind) for place in range(len(TEXTS)) for kind in ("colour", "size")]
    return unchecked_benchmark(
        "data",
        scale="1..5",
        id=[f"{place}{kind}" for place, kind in rows],
        left=[TEXTS[place][0] for place, _ in rows],
        right=[TEXTS[place][1] for place, _ in rows],
        condition=[kind for _, kind in rows],
        score=[float(1 + (3 * place + len(kind)) % 5) for place, kind in rows],
    )


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cross", "joint"])
def test_the_same_model(encoding, tiny_language_model, tmp_path, monkeypatch):
    # Dropout of none: a random mask depends on the shape of what it masks.
    request = SimilarityRequest(
        model=str(tiny_language_model()),
        architecture=Architecture(encoding=encoding),
        objective=MseQuad(),
        recipe=Recipe(epochs=2, batch=4, lr=1e-2),
    )
    scored, merged = [], []
    plain = merged_table.merges

    def watched(*arguments):
        merged.append(plain(*arguments))
        return merged[-1]

    for name, function in {"merged": watched, "alone": lambda *arguments: False}.items():
        monkeypatch.setattr(merged_table, "merges", function)
        train_model(TrainingData(data(), data(), ()), request, tmp_path / name)
        scored.append(make_system(f"conditional({tmp_path / name})").score(data().items).scores)
    assert merged == [True]
    np.testing.assert_allclose(*scored, atol=1e-3)


def test_rows_that_share_too_little_stay_alone(monkeypatch):
    class Table:
        cut, lengths = 0, np.array([4, 4])

        def take(self, rows, length):
            ids = torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])[rows]
            return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}

    class Network(torch.nn.Module):
        reads_forward, transformer = True, None

        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.zeros(1))

    monkeypatch.setattr(merged_table, "reads_merged", lambda transformer: True)
    apart, alike = np.array([[0], [1]]), np.array([[0], [0]])
    assert not merged_table.merges(Network(), Table(), apart, 2, torch.float32)
    assert merged_table.merges(Network(), Table(), alike, 2, torch.float32)
    assert not merged_table.merges(Network(), Table(), alike, 1, torch.float32)
