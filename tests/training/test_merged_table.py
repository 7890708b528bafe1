"""A model learns the same from rows that hold several texts as from rows of their own."""

import numpy as np
import pytest

from similitude.errors import ArgumentError
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
from similitude.training.batches import Batcher  # noqa: E402

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


LONG = [("a red car", "a bus " * 9), ("a dog " * 8, "a sun"), ("the sea " * 3, "sea"), ("one dog", "two dogs " * 5)]


@pytest.mark.parametrize("encoding", ["bi", "joint", "tri"])
def test_the_same_model_from_packed_rows(encoding, tiny_bert, tmp_path, monkeypatch):
    # One step per epoch and no dropout: which items meet in a step, and random masks, depend on the rows.
    monkeypatch.setattr(f"{__name__}.TEXTS", LONG)
    words = sorted({word for pair in LONG for text in pair for word in text.split()} | {"colour", "size"})
    model = tiny_bert(words, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    scored, tables = [], []
    plain = merged_table.packed

    def watched(*arguments):
        tables.append(plain(*arguments))
        return tables[-1]

    monkeypatch.setattr(merged_table, "packed", watched)
    for packing in ("off", "on", "auto"):
        recipe = Recipe(epochs=3, batch=8, lr=1e-2, packing=packing)
        asked = SimilarityRequest(
            model=str(model), architecture=Architecture(encoding=encoding), objective=MseQuad(), recipe=recipe
        )
        train_model(TrainingData(data(), data(), ()), asked, tmp_path / packing)
        scored.append(make_system(f"conditional({tmp_path / packing})").score(data().items).scores)
    assert [isinstance(table, merged_table.PackedTable) for table, _ in tables] == [False, True, True]
    assert [batcher.rows == 1 for _, batcher in tables] == [False, True, True]
    np.testing.assert_allclose(scored[1], scored[0], atol=1e-4)
    np.testing.assert_array_equal(scored[2], scored[1])
    assert np.ptp(scored[0]) > 0.01


class Encoder(torch.nn.Module):
    reads_forward = False

    def __init__(self, folder):
        super().__init__()
        import transformers

        self.transformer = transformers.AutoModel.from_pretrained(folder)


class Table:
    cut, lengths = 0, np.full(64, 9)


def test_how_much_packing_must_save_depends_on_the_device(tiny_bert, monkeypatch):
    network, table = Encoder(tiny_bert(["a"])), Table()
    lengths = np.array([10, 9] * 16)  # of the longer text of each item
    batcher = Batcher(lengths=lengths, unit=1, batch=8, rows=2, grid=1, longest=64, seed=0)
    sums = np.array([16, 15] * 16)  # packing saves between 10 and 15 % of the work
    assert merged_table.packed(network, table, batcher, sums, "auto")[1].rows == 1
    monkeypatch.setitem(merged_table._LEAST, "cpu", merged_table._LEAST["cuda"])
    assert merged_table.packed(network, table, batcher, sums, "auto") == (table, batcher)
    monkeypatch.delitem(merged_table._LEAST, "cpu")  # as a device on which it was not measured
    assert merged_table.packed(network, table, batcher, sums // 2, "auto") == (table, batcher)


def test_texts_of_equal_length_are_not_packed_unless_requested(tiny_bert):
    batcher = Batcher(lengths=np.full(32, 9), unit=1, batch=8, rows=2, grid=1, longest=64, seed=0)
    sums = np.full(32, 18)
    network, table = Encoder(tiny_bert(["a"])), Table()
    assert merged_table.packed(network, table, batcher, sums, "auto") == (table, batcher)
    assert merged_table.packed(network, table, batcher, sums, "off") == (table, batcher)
    _, own = merged_table.packed(network, table, batcher, sums, "on")
    assert own.lengths is sums


def test_a_language_model_cannot_be_packed(tiny_language_model, tmp_path):
    asked = SimilarityRequest(
        model=str(tiny_language_model()),
        architecture=Architecture(encoding="bi", place="after", side_template="{condition}: {text}"),
        objective=MseQuad(),
        recipe=Recipe(epochs=1, batch=4, packing="on"),
    )
    with pytest.raises(ArgumentError, match="several texts in one row"):
        train_model(TrainingData(data(), data(), ()), asked, tmp_path / "model")


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
