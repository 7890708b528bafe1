"""The cross-encoder against sentence-transformers' own."""

import string
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from similitude.data.item import Items
from similitude.errors import ArgumentError
from similitude.models.cache import VectorStore
from similitude.models.encoders.text_model import TokenModel
from similitude.systems import make_system

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
st = pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

LONGEST = 48
LEFTS = ["a man plays a guitar", "the market fell", "word", "", "no", "a man plays a guitar", "x y z " * 30]
RIGHTS = ["somebody plays guitar", "it rains", "word", "word", "yes, or perhaps not", "somebody plays guitar", "a"]


class Ear:
    def __init__(self) -> None:
        self.notes: list[str] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        pass

    def note(self, text: str) -> None:
        self.notes.append(text)


def save(folder: Path, **options) -> Path:
    """Random weights, one token a letter; what segment a token is in counts."""
    letters = string.ascii_lowercase
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{c}" for c in letters), *string.punctuation]
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=LONGEST,
        initializer_range=0.3,
        **options,
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    vocabulary = {word: number for number, word in enumerate(words)}
    transformers.BertTokenizer(vocabulary, model_max_length=LONGEST).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def one_label(tmp_path_factory) -> Path:
    return save(tmp_path_factory.mktemp("one"), num_labels=1)


@pytest.fixture(scope="module")
def three_labels(tmp_path_factory) -> Path:
    names = {0: "contradiction", 1: "entailment", 2: "neutral"}
    numbers = {name: number for number, name in names.items()}
    return save(tmp_path_factory.mktemp("three"), id2label=names, label2id=numbers)


@pytest.fixture
def counted(monkeypatch):
    seen: list[tuple[str, str]] = []
    honest = TokenModel.prepare

    def prepare(self, texts, prompt):
        seen.extend(texts)
        return honest(self, texts, prompt)

    monkeypatch.setattr(TokenModel, "prepare", prepare)
    return seen


def theirs(folder: Path, **options) -> np.ndarray:
    return st.CrossEncoder(str(folder), device="cpu").predict(list(zip(LEFTS, RIGHTS, strict=True)), **options)


@pytest.mark.slow
def test_the_same_scores(one_label):
    system = make_system(f"cross-encoder({one_label})")
    scores = system.similarities(LEFTS, RIGHTS)
    np.testing.assert_allclose(scores, theirs(one_label), atol=1e-5)
    assert scores.dtype == np.float64
    assert scores.min() > 0
    assert scores.max() < 1
    assert (system.range.low, system.range.high) == (0, 1)
    assert np.ptp(scores) > 0.01


def test_a_model_saved_by_sentence_transformers_with_another_activation(one_label, tmp_path):
    activation = torch.nn.Identity()
    st.CrossEncoder(str(one_label), device="cpu", activation_fn=activation).save_pretrained(str(tmp_path))
    system = make_system(f"cross-encoder({tmp_path})")
    np.testing.assert_allclose(system.similarities(LEFTS, RIGHTS), theirs(tmp_path), atol=1e-5)
    assert system.range is None
    assert theirs(tmp_path).min() < 0 or theirs(tmp_path).max() > 1


def test_the_activation_that_older_models_name(one_label, tmp_path):
    import json
    import shutil

    folder = shutil.copytree(one_label, tmp_path / "old")
    told = json.loads((folder / "config.json").read_text())
    told["sbert_ce_default_activation_function"] = "torch.nn.modules.linear.Identity"
    (folder / "config.json").write_text(json.dumps(told))
    system = make_system(f"cross-encoder({folder})")
    assert system.range is None
    np.testing.assert_allclose(system.similarities(LEFTS, RIGHTS), theirs(folder), atol=1e-5)


@pytest.mark.parametrize("label", ["entailment", "1"])
def test_one_of_several_labels(three_labels, label):
    system = make_system(f"cross-encoder({three_labels}, label={label})")
    expected = theirs(three_labels, apply_softmax=True)[:, 1]
    np.testing.assert_allclose(system.similarities(LEFTS, RIGHTS), expected, atol=1e-5)
    assert (system.range.low, system.range.high) == (0, 1)
    assert make_system(str(system.identity)) == system


@pytest.mark.parametrize("label", ["none", "similar", "7"])
def test_several_labels_and_none_of_them_named(three_labels, label):
    with pytest.raises(ArgumentError, match="labels: contradiction, entailment, neutral"):
        make_system(f"cross-encoder({three_labels}, label={label})").similarities(["a"], ["b"])


def test_a_model_without_a_head_is_refused(one_label, tmp_path):
    model = transformers.AutoModel.from_pretrained(one_label)
    model.save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(one_label).save_pretrained(tmp_path)
    with pytest.raises(ArgumentError, match=r"it is not a cross-encoder.*encoder\("):
        make_system(f"cross-encoder({tmp_path})").similarities(["a"], ["b"])


def test_each_distinct_pair_is_read_once_and_kept(one_label, tmp_path, counted):
    system = make_system(f"cross-encoder({one_label})")
    none = system.similarities(LEFTS, RIGHTS)
    assert len(counted) == len(set(zip(LEFTS, RIGHTS, strict=True))) == len(LEFTS) - 1
    cached = system.with_cache(VectorStore(tmp_path / "vectors"))
    counted.clear()
    np.testing.assert_array_equal(cached.similarities(LEFTS[:2], RIGHTS[:2]), none[:2])
    np.testing.assert_array_equal(cached.similarities(LEFTS, RIGHTS), none)
    np.testing.assert_array_equal(cached.similarities(LEFTS, RIGHTS), none)
    assert len(counted) == len(LEFTS) - 1


@pytest.mark.slow
def test_scores_are_independent_of_other_items_and_of_order_to_the_bit(one_label):
    system = make_system(f"cross-encoder({one_label})")
    lefts, rights = [f"{a} {b}" for a in LEFTS[:5] for b in RIGHTS[:5]], [b for _ in LEFTS[:5] for b in RIGHTS[:5]]
    together = system.similarities(lefts, rights)
    np.testing.assert_array_equal(system.similarities(lefts[::-1], rights[::-1]), together[::-1])
    alone = [system.similarities([left], [right])[0] for left, right in zip(lefts[:6], rights[:6], strict=True)]
    np.testing.assert_array_equal(alone, together[:6])


def test_the_order_of_a_pair_matters_and_is_kept(one_label):
    system = make_system(f"cross-encoder({one_label})")
    one, other = system.similarities(["abc", "xyz q"], ["xyz q", "abc"])
    assert one != other


def test_cut_pairs_are_counted(one_label):
    ear = Ear()
    make_system(f"cross-encoder({one_label})").with_listener(ear).similarities(LEFTS, RIGHTS)
    (note,) = ear.notes
    assert note.startswith("1 of 7 items (1 of 6 distinct pairs) were cut to the 48 tokens that ")


def test_context_and_condition(one_label, counted):
    pair = Items.from_pairs(["yes"], ["no"]).frame
    items = Items(pair.with_columns(context=pl.Series([["tea?", "yes"]]), condition=pl.Series(["tone"])))
    system = make_system(f"cross-encoder({one_label}, context=prepend, condition=append)")
    system.score(items)
    assert counted == [("tea?\nyes\ntone", "tea?\nno\ntone")]
    assert system.reads == {"context", "condition"}


def test_a_language_model_that_is_asked_for_yes_or_no(tmp_path):
    letters = string.ascii_lowercase
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "yes", "no", *letters, *(f"##{c}" for c in letters), ","]
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        intermediate_size=64,
        max_position_embeddings=LONGEST,
        initializer_range=0.3,
        pad_token_id=0,
    )
    transformers.LlamaForCausalLM(config).save_pretrained(tmp_path)
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = transformers.BertTokenizer(vocabulary, model_max_length=LONGEST)
    tokenizer.model_input_names = ["input_ids", "attention_mask"]
    tokenizer.save_pretrained(tmp_path)
    system = make_system(f"cross-encoder({tmp_path})")
    np.testing.assert_allclose(system.similarities(LEFTS, RIGHTS), theirs(tmp_path), atol=1e-4)
    assert (system.range.low, system.range.high) == (0, 1)


def test_no_items(one_label):
    assert make_system(f"cross-encoder({one_label})").similarities([], []).tolist() == []


@pytest.fixture(scope="module")
def two_unnamed(tmp_path_factory) -> Path:
    return save(tmp_path_factory.mktemp("two"), num_labels=2)


def both_orders(folder: Path) -> np.ndarray:
    model = st.CrossEncoder(str(folder), device="cpu")
    forth, back = zip(LEFTS, RIGHTS, strict=True), zip(RIGHTS, LEFTS, strict=True)
    return (model.predict(list(forth)) + model.predict(list(back))) / 2


def test_the_mean_of_both_orders_is_exactly_symmetric(one_label, counted):
    system = make_system(f"cross-encoder({one_label}, symmetric=true)")
    scores = system.similarities(LEFTS, RIGHTS)
    assert len(counted) == len({*zip(LEFTS, RIGHTS, strict=True), *zip(RIGHTS, LEFTS, strict=True)})
    np.testing.assert_array_equal(system.similarities(RIGHTS, LEFTS), scores)
    np.testing.assert_allclose(scores, both_orders(one_label), atol=1e-5)
    one_way = make_system(f"cross-encoder({one_label})").similarities(LEFTS, RIGHTS)
    assert np.abs(scores - one_way).max() > 1e-3
    assert make_system(str(system.identity)) == system


def test_a_symmetric_system_finds_the_pairs_that_another_has_stored(one_label, tmp_path, counted):
    store = VectorStore(tmp_path / "vectors")
    make_system(f"cross-encoder({one_label})").with_cache(store).similarities(LEFTS[:1], RIGHTS[:1])
    counted.clear()
    make_system(f"cross-encoder({one_label}, symmetric=true)").with_cache(store).similarities(LEFTS[:1], RIGHTS[:1])
    assert counted == [(RIGHTS[0], LEFTS[0])]


def test_two_outputs_without_names_are_no_and_yes(two_unnamed):
    ear = Ear()
    system = make_system(f"cross-encoder({two_unnamed})").with_listener(ear)
    expected = theirs(two_unnamed, apply_softmax=True)[:, 1]
    np.testing.assert_allclose(system.similarities(LEFTS, RIGHTS), expected, atol=1e-5)
    assert "the score is the probability of the second" in ear.notes[0]
    named = make_system(f"cross-encoder({two_unnamed}, label=0)").similarities(LEFTS, RIGHTS)
    np.testing.assert_allclose(named, 1 - expected, atol=1e-5)


def letters(system, left: str, right: str) -> str:
    """What the model reads of a pair, one letter a token; / for [SEP]."""
    model = system.load(system.load_options)
    prepared = model.prepare([(left, right)], "")
    assert prepared.cut.tolist() == [len(left) + len(right) + 3 > LONGEST]
    assert len(prepared.inputs[0]["token_type_ids"]) == prepared.lengths[0] <= LONGEST
    words = model.tokenizer.convert_ids_to_tokens(prepared.inputs[0]["input_ids"])
    return "".join("/" if word == "[SEP]" else word.removeprefix("##") for word in words[1:-1])


@pytest.mark.parametrize(
    ("cut", "left", "right", "expected"),
    [
        # 48 tokens, 3 of them special: 45 for the texts.
        ("longest_first", "a" * 40, "b" * 10, "a" * 35 + "/" + "b" * 10),
        ("left", "a" * 40, "b" * 30, "a" * 15 + "/" + "b" * 30),
        ("left", "a" * 40, "b" * 60, "a" * 11 + "/" + "b" * 34),
        ("right", "a" * 40, "b" * 30, "a" * 34 + "/" + "b" * 11),
        ("right", "a" * 30, "b" * 40, "a" * 30 + "/" + "b" * 15),
        ("head-tail", "x" * 20 + "y" * 40 + "z" * 20, "b" * 10, "x" * 18 + "z" * 17 + "/" + "b" * 10),
        ("head-tail", "x" * 30 + "z" * 30, "b" * 30 + "c" * 30, "x" * 12 + "z" * 11 + "/" + "b" * 11 + "c" * 11),
        ("head-tail", "ab", "ba", "ab/ba"),
    ],
)
def test_what_is_read_of_a_pair_that_is_too_long(one_label, cut, left, right, expected):
    assert letters(make_system(f"cross-encoder({one_label}, cut={cut})"), left, right) == expected


def test_the_cut_is_noted_and_part_of_the_key(one_label):
    notes = {}
    for cut in ("longest_first", "head-tail"):
        ear = Ear()
        system = make_system(f"cross-encoder({one_label}, cut={cut})").with_listener(ear)
        notes[cut] = system.similarities(LEFTS, RIGHTS), ear.notes, system.model_fingerprint()
    (usual, said, key), (other, said_other, key_other) = notes.values()
    assert "1 of 7 items" in said[0]
    assert said[0].endswith("(cut=longest_first: the longer text at its end, then both)")
    assert said_other[0].endswith("(cut=head-tail: the longer text in its middle, then both)")
    assert key != key_other
    np.testing.assert_array_equal(usual[:-1], other[:-1])
    assert usual[-1] != other[-1]


def test_int8(one_label):
    ear = Ear()
    lefts, rights = LEFTS[:5] * 3, RIGHTS[:5] * 3
    system = make_system(f"cross-encoder({one_label}, backend=int8, device=cpu)").with_listener(ear)
    usual = make_system(f"cross-encoder({one_label}, device=cpu)").similarities(lefts, rights)
    scores = system.similarities(lefts, rights)
    np.testing.assert_allclose(scores, usual, atol=0.1)
    assert np.abs(scores - usual).max() > 1e-6
    assert ear.notes[-1].startswith("int8: Spearman correlation")
