"""Static models against the package model2vec, and against vectors by hand."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from similitude.errors import ArgumentError, MissingExtraError
from similitude.models.encoders import static_table
from similitude.systems import make_system
from similitude.systems.encoders import static_system

tokenizers = pytest.importorskip("tokenizers", reason="the extra 'model2vec' is not installed")
safetensors = pytest.importorskip("safetensors.numpy", reason="the extra 'model2vec' is not installed")

WORDS = ["[UNK]", "[PAD]", "a", "man", "plays", "guitar", "it", "rains", "##s", "no"]
TEXTS = ["a man plays", "it rains", "man", "a a a guitar", "xylophone", "man xylophone", "", "A MAN", "no no no no"]


class Ear:
    def __init__(self) -> None:
        self.notes: list[str] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        pass

    def note(self, text: str) -> None:
        self.notes.append(text)


def tokeniser() -> "tokenizers.Tokenizer":
    made = tokenizers.Tokenizer(
        tokenizers.models.WordPiece({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    made.normalizer = tokenizers.normalizers.Lowercase()
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.enable_padding(pad_id=1, pad_token="[PAD]")
    return made


def vectors(rows: int = len(WORDS), seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(rows, 16)).astype(np.float32)


def save(folder: Path, config: dict, **tensors: np.ndarray) -> Path:
    folder.mkdir(exist_ok=True)
    tokeniser().save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps(config))
    safetensors.save_file(tensors, folder / "model.safetensors")
    return folder


@pytest.fixture
def plain(tmp_path) -> Path:
    return save(tmp_path / "plain", {"model_type": "model2vec", "normalize": False}, embeddings=vectors())


def test_by_hand(tmp_path):
    # "a man" is ((1, 0) + (0, 1)) / 2 and "a" is (1, 0): a cosine of the root of 1/2. The unknown word counts nothing.
    table = np.zeros((len(WORDS), 2), np.float32)
    table[0] = -5, 7  # [UNK]
    table[2:4] = [[1, 0], [0, 1]]
    system = make_system(f"model2vec({save(tmp_path / 'hand', {}, embeddings=table)})")
    found = system.similarities(["a man", "a man", "a", "", "", "what"], ["a", "what man", "man", "", "a", "what"])
    np.testing.assert_allclose(found, [0.5**0.5, 0.5**0.5, 0, 1, 0, 0], atol=1e-7)


@pytest.mark.parametrize("normalize", [True, False])
def test_the_same_vectors_as_the_package(tmp_path, normalize):
    theirs = pytest.importorskip("model2vec")
    folder = save(tmp_path / "one", {"normalize": normalize}, embeddings=vectors())
    model = theirs.StaticModel.from_pretrained(folder)
    found = make_system(f"model2vec({folder})").embed(TEXTS)
    np.testing.assert_allclose(found, model.encode(TEXTS), atol=1e-6)
    assert np.isclose(np.linalg.norm(found[0]), 1) == normalize


def test_weights_and_shared_vectors_as_the_package_has_them(tmp_path):
    theirs = pytest.importorskip("model2vec")
    weights = np.linspace(0.1, 2, len(WORDS), dtype=np.float32)
    mapping = np.arange(len(WORDS), dtype=np.int64) % 4
    tensors = {"embeddings": vectors(4), "weights": weights, "mapping": mapping}
    folder = save(tmp_path / "small", {"normalize": False}, **tensors)
    expected = theirs.StaticModel.from_pretrained(folder).encode(TEXTS)
    np.testing.assert_allclose(make_system(f"model2vec({folder})").embed(TEXTS), expected, atol=1e-6)


def test_what_is_too_long_is_cut_as_by_the_package_and_noted(tmp_path):
    theirs = pytest.importorskip("model2vec")
    folder = save(tmp_path / "short", {"normalize": False, "max_length": 3}, embeddings=vectors())
    # The median word has 4.5 characters: 3 * 4 are read at most.
    texts = ["a man plays guitar", "a a a man", "a a a", "it rains no no no no"]
    ear = Ear()
    found = make_system(f"model2vec({folder})").with_listener(ear).embed(texts)
    np.testing.assert_allclose(found, theirs.StaticModel.from_pretrained(folder).encode(texts), atol=1e-6)
    assert ear.notes == [f"3 of 4 texts were cut to the 3 tokens that 'model2vec({folder})' reads at most"]


def test_a_static_model_of_sentence_transformers(tmp_path):
    st = pytest.importorskip("sentence_transformers")
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    model = st.SentenceTransformer(modules=[StaticEmbedding(tokeniser(), embedding_weights=vectors())], device="cpu")
    model.save(str(tmp_path / "st"))
    texts = ["a man plays", "it rains", "no no guitar"]  # It counts unknown words, which model2vec leaves out.
    found = make_system(f"model2vec({tmp_path / 'st'})").embed(texts)
    np.testing.assert_allclose(found, model.encode(texts), atol=1e-6)


def test_blocks_and_chunks_change_nothing(plain, monkeypatch):
    system = make_system(f"model2vec({plain})")
    lefts, rights = TEXTS * 7, TEXTS[3:] * 7 + TEXTS[:3] * 7
    whole = system.similarities(lefts, rights)
    monkeypatch.setattr(static_system, "_BLOCK", 5)
    monkeypatch.setattr(static_table, "_CHUNK", 3)
    np.testing.assert_array_equal(system.similarities(lefts, rights), whole)
    assert whole.shape == (63,)
    assert system.similarities([], []).shape == (0,)


def test_a_changed_file_is_read_again(plain):
    system = make_system(f"model2vec({plain})")
    before, was = system.embed(["a man"]), system.model_fingerprint()
    save(plain, {"normalize": False}, embeddings=vectors(seed=1))
    assert system.model_fingerprint() != was
    assert not np.allclose(system.embed(["a man"]), before)


def test_its_identity_makes_it_again(plain):
    system = make_system(f"model2vec({plain})")
    assert make_system(str(system.identity)) == system


def test_folders_without_a_static_model(plain, tmp_path):
    safetensors.save_file({"weight": vectors()}, plain / "model.safetensors")
    with pytest.raises(ArgumentError, match="it has no table 'embeddings' but weight"):
        make_system(f"model2vec({plain})").embed(["a"])
    safetensors.save_file({"embeddings": vectors(5)}, plain / "model.safetensors")
    with pytest.raises(ArgumentError, match="10 tokens, its table 5 vectors"):
        make_system(f"model2vec({plain})").embed(["a"])
    (plain / "model.safetensors").unlink()
    with pytest.raises(ArgumentError, match=r"no model.safetensors.*use encoder"):
        make_system(f"model2vec({plain})").embed(["a"])


def test_a_missing_hub_says_how_to_get_it_without_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(
        MissingExtraError,
        match=r"huggingface_hub is not installed; in your clone of Similitude: pip install '\.\[model2vec",
    ):
        make_system("model2vec(nobody/knows-it)").embed(["a"])


def test_a_missing_extra_says_how_to_get_it(plain, monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[model2vec\]'"):
        make_system(f"model2vec({plain})").embed(["a"])
