"""Cross-, bi- and tri-encoders: against transformers by hand, and as systems."""

import json
import string
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.errors import ArgumentError, InputError, MissingExtraError
from similitude.models.cache import VectorStore
from similitude.models.encoders.loader import usable_device
from similitude.systems import make_system
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.conditional.input_text import read_items
from similitude.systems.conditional.vector_scores import scores_of

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

LEFTS = ["a red car", "two dogs run", "a man sings", "rain on a tin roof", "a red car", "no"]
RIGHTS = ["a red bus", "three dogs sleep", "a woman sings aloud", "snow", "a blue car", "yes"]
CONDITIONS = ["the colour", "the number", "who it is", "the weather", "the colour of it", "?"]


def items_of(rows: list[int]) -> Items:
    columns = {
        "id": [str(row) for row in rows],
        "left": [LEFTS[row] for row in rows],
        "right": [RIGHTS[row] for row in rows],
        "condition": [CONDITIONS[row] for row in rows],
    }
    return Benchmark.from_columns(**columns).items


ITEMS = items_of(list(range(6)))


@pytest.fixture(scope="module")
def bert(tiny_bert, letters) -> Path:
    return tiny_bert([*letters, *string.punctuation], num_hidden_layers=2, initializer_range=0.3)


@pytest.fixture(scope="module")
def build(bert, tmp_path_factory):
    """A folder as training leaves it, with random layers where the architecture has any."""
    from similitude.models.encoders.loader import LoadOptions
    from similitude.models.files import ModelFiles
    from similitude.systems.conditional.loader import open_network
    from similitude.training.folder import TrainingFolder
    from similitude.training.network_export import export_network

    def save(**options) -> Path:
        folder = tmp_path_factory.mktemp("trained")
        architecture = Architecture(separator="[SEP]", **options)
        torch.manual_seed(1)
        opened = open_network(LoadOptions(ModelFiles(str(bert)), "cpu", "float32"), architecture)
        record = {"architecture": architecture.record(), "longest": opened.reader.longest}
        export_network(folder, opened.backbone, opened.network)
        TrainingFolder(folder).finish(record, "card")
        return folder

    return save


@pytest.fixture(scope="module")
def by_hand(bert):
    """Token vectors pooled by hand, one text or pair at a time, nothing padded."""
    model = transformers.BertModel.from_pretrained(bert).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(bert)

    def embed(*texts: str, pooling: str = "mean") -> np.ndarray:
        with torch.inference_mode():
            hidden = model(**tokenizer(*texts, return_tensors="pt")).last_hidden_state[0]
        return (hidden.mean(dim=0) if pooling == "mean" else hidden[0]).numpy().astype(np.float64)

    return embed


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


SHAPES = {
    "bi": {},
    "bi with an MLP": {"mlp": True, "pooling": "cls"},
    "cross": {"encoding": "cross"},
    "cross with an MLP": {"encoding": "cross", "mlp": True},
    "tri": {"encoding": "tri"},
    "tri by an MLP": {"encoding": "tri", "combination": "concat", "mlp": True},
}


class TestAgainstTransformers:
    @pytest.mark.parametrize("pooling", ["mean", "cls"])
    @pytest.mark.parametrize("place", ["before", "after"])
    def test_bi(self, build, by_hand, pooling, place):
        system = make_system(f"conditional({build(pooling=pooling, place=place)}, device=cpu)")
        expected = []
        for left, right, condition in zip(LEFTS, RIGHTS, CONDITIONS, strict=True):
            texts = [(condition, text) if place == "before" else (text, condition) for text in (left, right)]
            expected.append(cosine(*(by_hand(*pair, pooling=pooling) for pair in texts)))
        np.testing.assert_allclose(system.score(ITEMS).scores, expected, atol=1e-6)

    def test_tri_is_the_cosine_of_products(self, build, by_hand):
        system = make_system(f"conditional({build(encoding='tri')}, device=cpu)")
        expected = [
            cosine(by_hand(condition) * by_hand(left), by_hand(condition) * by_hand(right))
            for left, right, condition in zip(LEFTS, RIGHTS, CONDITIONS, strict=True)
        ]
        np.testing.assert_allclose(system.score(ITEMS).scores, expected, atol=1e-6)

    def test_cross_reads_all_three_together(self, build, by_hand):
        from safetensors.numpy import load_file

        folder = build(encoding="cross")
        head = load_file(folder / "head.safetensors")
        expected = []
        for left, right, condition in zip(LEFTS, RIGHTS, CONDITIONS, strict=True):
            vector = by_hand(left, f"{right}[SEP]{condition}")
            expected.append(1 / (1 + np.exp(-(head["out.weight"][0] @ vector + head["out.bias"][0]))))
        system = make_system(f"conditional({folder}, device=cpu)")
        np.testing.assert_allclose(system.score(ITEMS).scores, expected, atol=1e-6)

    @pytest.mark.parametrize("shape", SHAPES)
    def test_numpy_after_the_encoder_is_what_torch_does_in_training(self, build, shape):
        from similitude.models.encoders.loader import LoadOptions
        from similitude.models.encoders.token_table import TokenTable
        from similitude.models.files import ModelFiles
        from similitude.systems.conditional.loader import open_network
        from similitude.training.network_scores import network_scores

        folder = build(**SHAPES[shape])
        architecture = Architecture(separator="[SEP]", **SHAPES[shape])
        opened = open_network(LoadOptions(ModelFiles(str(folder)), "cpu", "float32"), architecture)
        read = read_items(architecture, ITEMS)
        table = TokenTable(opened.reader, read.texts, "cpu")
        in_training = network_scores(opened.network, table, read.rows, torch.float32)
        system = make_system(f"conditional({folder}, device=cpu)")
        np.testing.assert_allclose(system.score(ITEMS).scores, in_training, atol=2e-6)


class TestAsASystem:
    @pytest.mark.parametrize("shape", SHAPES)
    def test_a_score_depends_on_its_item_alone(self, build, shape):
        system = make_system(f"conditional({build(**SHAPES[shape])}, device=cpu)")
        together = system.score(ITEMS).scores
        order = [3, 0, 5, 1, 4, 2]
        assert system.score(items_of(order)).scores.tolist() == together[order].tolist()
        alone = [float(system.score(items_of([row])).scores[0]) for row in range(6)]
        assert alone == together.tolist()

    def test_what_it_says_of_itself(self, build):
        folder = build()
        system = make_system(f"conditional({folder})")
        assert str(system.identity) == f"conditional({folder})"
        assert system.reads == {"condition"}
        assert (system.range.low, system.range.high) == (0, 1)
        assert system.score(Items(ITEMS.frame[:0])).scores.shape == (0,)

    def test_a_condition_changes_the_score(self, build):
        system = make_system(f"conditional({build()}, device=cpu)")
        first = ITEMS.frame[:1]
        both = Items(pl.concat([first, first.with_columns(id=pl.lit("x"), condition=pl.lit("the size"))]))
        scores = system.score(both).scores
        assert abs(scores[0] - scores[1]) > 1e-4

    def test_vectors_are_kept_whatever_they_are_compared_with(self, build, tmp_path, monkeypatch):
        from similitude.models.encoders.text_model import TokenModel

        system = make_system(f"conditional({build()}, device=cpu)").with_cache(VectorStore(tmp_path / "vectors"))
        before = system.score(ITEMS).scores
        seen: list = []
        honest = TokenModel.prepare
        monkeypatch.setattr(
            TokenModel, "prepare", lambda self, texts, prompt: seen.extend(texts) or honest(self, texts, prompt)
        )
        assert system.score(ITEMS).scores.tolist() == before.tolist()
        swapped = Items(ITEMS.frame.rename({"left": "right", "right": "left"}))
        assert system.score(swapped).scores.tolist() == before.tolist()
        assert seen == []

    def test_a_model_of_plain_pairs_reads_no_condition(self, build, by_hand):
        system = make_system(f"conditional({build(reads='sentences')}, device=cpu)")
        assert system.reads == frozenset()
        expected = [cosine(by_hand(left), by_hand(right)) for left, right in zip(LEFTS, RIGHTS, strict=True)]
        np.testing.assert_allclose(system.similarities(LEFTS, RIGHTS), expected, atol=1e-6)

    def test_sentence_transformers_opens_a_plain_bi_encoder(self, build):
        from sentence_transformers import SentenceTransformer

        folder = build()
        model = SentenceTransformer(str(folder), device="cpu")
        lefts, rights = (model.encode(list(zip(CONDITIONS, side, strict=True))) for side in (LEFTS, RIGHTS))
        expected = model.similarity_pairwise(lefts, rights).numpy()
        scores = make_system(f"conditional({folder}, device=cpu)").score(ITEMS).scores
        np.testing.assert_allclose(scores, expected, atol=1e-6)

    def test_texts_that_are_too_long_are_told_of(self, build):
        class Ear:
            notes: ClassVar[list[str]] = []

            def progress(self, stage, done, total):
                pass

            def note(self, text):
                self.notes.append(text)

        long = Items(ITEMS.frame[:2].with_columns(left=pl.lit("long " * 40)))
        make_system(f"conditional({build()}, device=cpu)").with_listener(Ear()).score(long)
        assert any("2 of 2 items (2 of 4 distinct pairs) were cut to the 64 tokens" in note for note in Ear.notes)


class TestRefusals:
    def test_an_item_without_a_condition(self, build):
        system = make_system(f"conditional({build()}, device=cpu)")
        with pytest.raises(InputError, match=r"1 of 6 items have no condition \(first: '2'\)"):
            system.score(Items(ITEMS.frame.with_columns(condition=pl.when(pl.col("id") != "2").then("condition"))))

    def test_a_folder_that_was_not_trained_here(self, bert):
        with pytest.raises(ArgumentError, match=r"was not trained by 'similitude train'.*condition=append"):
            make_system(f"conditional({bert})").score(ITEMS)

    def test_pairs_alone_where_conditions_are_needed(self, build):
        with pytest.raises(ArgumentError, match="needs a condition"):
            make_system(f"conditional({build()})").similarities(["a"], ["b"])

    @pytest.mark.parametrize("options", [{"reads": "condition"}, {"encoding": "tri", "reads": "sentences"}])
    def test_architectures_that_make_no_sense(self, options):
        with pytest.raises(ArgumentError, match="--architecture"):
            Architecture(**options)

    def test_a_head_that_does_not_fit(self, build):
        folder = build(encoding="cross")
        told = json.loads((folder / "similitude.json").read_text())
        told["architecture"] = replace(Architecture(), encoding="tri", combination="concat").record()
        (folder / "similitude.json").write_text(json.dumps(told))
        with pytest.raises(ArgumentError, match=r"does not fit similitude\.json"):
            make_system(f"conditional({folder}, device=cpu)").score(ITEMS)

    def test_torch_is_missing(self, build, monkeypatch):
        folder = build()
        monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
        with pytest.raises(MissingExtraError, match=r"'\.\[encoders\]"):
            make_system(f"conditional({folder}, device=cpu, dtype=float32)").score(ITEMS)


def test_combining_in_blocks_is_the_product_itself():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(150, 8)).astype(np.float32)
    head = {
        "inner.weight": rng.normal(size=(8, 16)).astype(np.float32),
        "inner.bias": rng.normal(size=8).astype(np.float32),
        "outer.weight": rng.normal(size=(8, 8)).astype(np.float32),
        "outer.bias": rng.normal(size=8).astype(np.float32),
    }
    rows = np.arange(150).reshape(50, 3)

    def h(condition, sentence):
        inner = np.tanh(head["inner.weight"] @ np.concatenate([condition, sentence]) + head["inner.bias"])
        return head["outer.weight"] @ inner + head["outer.bias"]

    architecture = Architecture(encoding="tri", combination="concat")
    expected = [cosine(h(vectors[c], vectors[a]), h(vectors[c], vectors[b])) for a, b, c in rows]
    np.testing.assert_allclose(scores_of(architecture, vectors, rows, head), expected, atol=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
def test_half_precision_says_nearly_the_same(build, shape):
    folder = build(**SHAPES[shape])
    half, whole = (
        make_system(f"conditional({folder}, device=cpu, dtype={dtype})").score(ITEMS).scores
        for dtype in ("float16", "float32")
    )
    np.testing.assert_allclose(half, whole, atol=5e-3)
    assert (half != whole).any()  # it was computed in half precision indeed


@pytest.mark.parametrize(("is_there", "remedy"), [(False, "use device=cpu"), (True, "use device=cpu or cuda:0")])
def test_a_device_that_is_not_there(is_there, remedy, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: is_there)
    with pytest.raises(ArgumentError, match=r"device=gpu7 cannot be used \(.*gpu7.*\)") as told:
        usable_device("gpu7")
    assert told.value.remedy == remedy
