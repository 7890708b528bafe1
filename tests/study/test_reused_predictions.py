"""Predictions in the folder of a run are reused only for the model and the code that made them."""

import json
import os
import shutil
import sys

import numpy as np
import pytest

import similitude as sim
from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.errors import ArgumentError
from similitude.systems import make_system
from similitude.systems.encoders.sentence_encoder import SentenceEncoder
from similitude.systems.recorded import Recorded
from similitude.systems.scores import score_items
from similitude.systems.source_code import code_of

LEFTS, RIGHTS = ["ab ba", "abc", "cab a", "bb", "c a b"] * 3, ["ab", "cab", "a a a", "bbb", "abcabc"] * 3


@pytest.fixture
def data(tmp_path):
    file = tmp_path / "pairs.csv"
    rows = [f"{left} {n},{right},{n % 5}" for n, (left, right) in enumerate(zip(LEFTS, RIGHTS, strict=True))]
    file.write_text("\n".join(["left,right,score", *rows]))
    return file


def scores(data, system, out, **options):
    return sim.run(data, [system], ["pearson"], resamples=0, out=out, **options).predictions[0].scores


class TestModels:
    @pytest.fixture
    def folder(self, tiny_bert, letters, tmp_path):
        pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.sentence_transformer import modules

        parts = [modules.Transformer(str(tiny_bert(letters))), modules.Pooling(16)]
        SentenceTransformer(modules=parts, device="cpu").save(str(tmp_path / "model"))
        return tmp_path / "model"

    def test_pooling_in_a_subfolder(self, folder, data, tmp_path):
        before = scores(data, f"encoder({folder})", tmp_path / "run")
        config = folder / "1_Pooling" / "config.json"
        config.write_text(json.dumps(json.loads(config.read_text()) | {"pooling_mode": "cls"}))
        after = scores(data, f"encoder({folder})", tmp_path / "run")
        assert not np.allclose(after, before)
        anew = scores(data, f"encoder({folder})", tmp_path / "other", cache=None)
        np.testing.assert_array_equal(after, anew)

    def test_a_system_whose_model_changes_all_the_time(self, folder, data, monkeypatch):
        weights, honest = folder / "model.safetensors", SentenceEncoder.load

        def load(system, how):
            model = honest(system, how)
            weights.write_bytes(weights.read_bytes()[:-4] + os.urandom(4))
            return model

        monkeypatch.setattr(SentenceEncoder, "load", load)
        with pytest.raises(ArgumentError, match="its files changed while it was loaded or used, 4 times in a row"):
            sim.run(data, [f"encoder({folder})"], ["pearson"], resamples=0, cache=None)


class Moody:
    """A system whose model changes under it for some time."""

    range, reads, summary = None, frozenset(), "moody"
    identity = make_system("levenshtein").identity

    def __init__(self, changes: int) -> None:
        self.states = iter([*range(2 * changes), *[99] * 20])
        self.asked = 0

    def model_fingerprint(self) -> str:
        return str(next(self.states))

    def score(self, items: Items) -> Predictions:
        self.asked += 1
        return Predictions(np.full(len(items), float(self.asked)))


@pytest.mark.parametrize("changes", [0, 2])
def test_items_are_scored_again_if_the_model_changed_meanwhile(changes):
    system = Moody(changes)
    predictions, record = score_items(system, Items.from_pairs(["a"], ["b"]), np.random.default_rng(0))
    assert record.model == "99"
    assert predictions.scores.tolist() == [changes + 1.0]


def test_a_file_of_predictions_that_changed_is_read_again(data, tmp_path):
    benchmark, said = sim.read(data), tmp_path / "said.csv"

    def recorded(shift: float) -> Recorded:
        predictions = Predictions(np.arange(len(benchmark)) + shift)
        return Recorded(file=str(said), range=None, ids=benchmark.items.frame["id"], predictions=predictions)

    assert scores(benchmark, recorded(0.0), tmp_path / "run")[0] == 0.0
    assert scores(benchmark, recorded(0.5), tmp_path / "run")[0] == 0.5


def test_predictions_differ_by_each_of_their_columns(data):
    items, base = sim.read(data).items, np.zeros(15)
    each = [
        Predictions(base),
        Predictions(base + 1),
        Predictions(base, base + 1),
        Predictions(base, None, np.ones((15, 2))),
        Predictions(base, invalid=base),
    ]
    made = [Recorded(file="f", range=None, ids=items.frame["id"], predictions=one) for one in each]
    assert len({one.model_fingerprint() for one in made}) == 5


class TestOwnCode:
    def test_a_helper_that_was_edited_but_not_imported_again(self, data, tmp_path, monkeypatch):
        """Python goes on with the old helper, so its predictions must not be kept under the new one's name."""
        place = tmp_path / "own"
        place.mkdir()
        (place / "own_helper.py").write_text("VALUE = 1.0\n")
        code = "import own_helper\n\n\nclass Same:\n    def score(self, items):\n"
        (place / "mine.py").write_text(f"{code}        return [own_helper.VALUE] * len(items)\n")
        monkeypatch.syspath_prepend(place)
        system = f"{place / 'mine.py'}:Same"
        first = code_of(make_system(system))
        assert scores(data, system, tmp_path / "run")[0] == 1.0
        (place / "own_helper.py").write_text("VALUE = 2.0\n")
        assert code_of(make_system(system)) == first
        assert scores(data, system, tmp_path / "run")[0] == 1.0
        (place / "mine.py").write_text(f"{code}        return [own_helper.VALUE + 1] * len(items)\n")
        second = code_of(make_system(system))
        assert second != first
        sys.modules.pop("own_helper")
        shutil.rmtree(place / "__pycache__", ignore_errors=True)
        (place / "mine.py").write_text(f"{code}        return [own_helper.VALUE + 1] * len(items)  # once more\n")
        assert code_of(make_system(system)) not in (first, second)
        assert scores(data, system, tmp_path / "run")[0] == 3.0


@pytest.mark.parametrize("system", ["use", "wordllama"])
def test_a_model_from_a_package_is_known_by_its_files(system, monkeypatch):
    if system == "wordllama":
        pytest.importorskip("wordllama", reason="the extra 'wordllama' is not installed")
    made = make_system(system)
    before = made.model_fingerprint()
    assert made.model_fingerprint() == before
    monkeypatch.setattr("similitude.models.fingerprint._version", lambda package: "0.0")
    assert made.model_fingerprint() != before


class TestSuites:
    @pytest.fixture
    def files(self, data, tmp_path):
        """Two benchmarks of other pairs than each other, and a class whose scores depend on a file of weights."""
        other = tmp_path / "more.csv"
        other.write_text(data.read_text().replace("ab", "xy"))
        code = "from pathlib import Path\n\n\nclass Weighed:\n    file = Path(__file__).with_name('weights')\n\n"
        code += "    def model_fingerprint(self):\n        return self.file.read_text()\n\n"
        code += "    def score(self, items):\n"
        code += "        return [float(self.file.read_text()) * n for n in range(len(items))]\n"
        (tmp_path / "weighed.py").write_text(code)
        (tmp_path / "weights").write_text("1")
        return data, other

    def test_no_average_mixes_two_states_of_a_model(self, files, tmp_path):
        system, out = f"{tmp_path / 'weighed.py'}:Weighed", tmp_path / "suite"
        options = {"resamples": 0, "out": out, "cache": None}
        sim.run_suite([files[0]], [system], ["pearson"], **options)
        (tmp_path / "weights").write_text("2")
        found = sim.run_suite([files[1]], ["levenshtein"], ["pearson"], **options)
        models = {
            record.model for each in found.benchmarks for record in each.run.systems if "Weighed" in record.identity
        }
        assert len(found.benchmarks) == 2
        assert models == {"2"}

    def test_predictions_of_two_states_are_computed_again(self, files, tmp_path):
        system, out = f"{tmp_path / 'weighed.py'}:Weighed", tmp_path / "suite"
        options = {"resamples": 0, "out": out, "cache": None}
        sim.run_suite([files[0]], [system], ["pearson"], **options)
        (tmp_path / "weights").write_text("2")
        sim.run_suite([files[1]], [system], ["pearson"], join=False, **options)
        found = sim.run_suite(list(files), ["levenshtein"], ["pearson"], **options)
        models = [
            record.model for each in found.benchmarks for record in each.run.systems if "Weighed" in record.identity
        ]
        assert set(models) <= {"2"}
