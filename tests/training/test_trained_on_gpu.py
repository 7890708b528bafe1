"""A model that learns on a GPU, in half precision and with recorded steps, scores like one that learned on the CPU."""

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
from similitude.training import adapters, loop  # noqa: E402

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")

WORDS = ["red", "blue", "car", "bus", "dog", "sun", "sea", "one", "two", "big"]
CONDITIONS = ("colour", "size")
PAIRS, EPOCHS = 48, 16


def data():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, size)) for size in rng.integers(1, 24, 2 * PAIRS)]
    shared = [len({*left.split()} & {*right.split()}) for left, right in zip(texts[::2], texts[1::2], strict=True)]
    rows = [(pair, kind) for pair in range(PAIRS) for kind in CONDITIONS]
    return unchecked_benchmark(
        "data",
        scale="0..10",
        id=[f"{pair}-{kind}" for pair, kind in rows],
        left=[texts[2 * pair] for pair, _ in rows],
        right=[texts[2 * pair + 1] for pair, _ in rows],
        condition=[kind for _, kind in rows],
        score=[float(shared[pair] if kind == "size" else 10 - shared[pair]) for pair, kind in rows],
    )


ENCODERS = [("bi", "off"), ("bi", "on"), ("tri", "on"), ("joint", "on"), ("cross", "off")]


@pytest.mark.parametrize(("encoding", "packing"), ENCODERS)
@pytest.mark.parametrize("width", [16, 128], ids=["small weights", "large weights"])
def test_an_encoder(width, encoding, packing, tiny_bert, tmp_path, monkeypatch):
    without = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "initializer_range": 0.2}
    model = tiny_bert([*WORDS, *CONDITIONS], hidden_size=width, intermediate_size=2 * width, **without)
    request = {"model": str(model), "architecture": Architecture(encoding=encoding)}
    assert_alike(request, packing, tmp_path, monkeypatch)


@pytest.mark.parametrize(
    "architecture",
    [
        Architecture(encoding="cross"),
        Architecture(encoding="joint"),
        Architecture(encoding="bi", place="after", side_template="{text} {condition}"),
    ],
    ids=lambda architecture: architecture.encoding,
)
@pytest.mark.parametrize("rank", [0, 4, 128])
def test_a_language_model(rank, architecture, tiny_language_model, tmp_path, monkeypatch):
    model = tiny_language_model(longest=512)
    request = {"model": str(model), "architecture": architecture, "adapters": rank}
    assert_alike(request, "auto", tmp_path, monkeypatch)


def assert_alike(request, packing, folder, monkeypatch):
    """Learn on both devices: one step per epoch, since lengths decide which items meet, and no dropout.

    On the GPU, most steps are replayed.
    """
    monkeypatch.setattr(adapters, "_DROPOUT", 0.0)
    steppers = []

    class Watched(loop.Stepper):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            steppers.append(self)

        def _replay(self, *arguments):
            self.replayed = getattr(self, "replayed", 0) + 1
            return super()._replay(*arguments)

    monkeypatch.setattr(loop, "Stepper", Watched)
    scores = {}
    for device in ("cpu", "cuda"):
        recipe = Recipe(epochs=EPOCHS, batch=2 * PAIRS, lr=3e-3, packing=packing)
        asked = SimilarityRequest(**request, objective=MseQuad(), recipe=recipe, device=device)
        train_model(TrainingData(data(), data(), ()), asked, folder / device)
        scores[device] = make_system(f"conditional({folder / device})").score(data().items).scores
    assert [getattr(stepper, "replayed", 0) > EPOCHS / 2 for stepper in steppers] == [False, True]
    assert np.corrcoef(scores["cpu"], scores["cuda"])[0, 1] > 0.9
    assert np.corrcoef(scores["cuda"], data().gold.scores)[0, 1] > 0.2
