"""Language models, adapters and frozen models in ``train conditional`` and ``train pairs``."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from similitude.errors import ArgumentError
from similitude.systems import make_system
from similitude.systems.conditional.architecture import SIDE_TEMPLATE, TEMPLATE, Architecture
from similitude.testing.unchecked_benchmark import unchecked_benchmark
from similitude.training import MseQuad, Recipe
from similitude.training.conditional.augmentation import Augmentation
from similitude.training.conditional.request import PairArchitecture, SimilarityRequest
from similitude.training.splits import TrainingData
from similitude.training.train import train_model

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

from safetensors.torch import load_file  # noqa: E402

RECIPE = Recipe(epochs=2, batch=8, lr=1e-2)
WORDS = ("car", "dog", "sun", "sea")


def conditioned(pairs: int, start: int = 0):
    """Two words: alike in what they name if they are the same, and always alike in their length."""
    rows = [(number, kind) for number in range(start, start + pairs) for kind in ("what", "size")]
    lefts = [WORDS[number % 4] for number, _ in rows]
    rights = [WORDS[(number // 4) % 4] for number, _ in rows]
    scores = [
        5.0 if kind == "size" or left == right else 1.0
        for (_, kind), left, right in zip(rows, lefts, rights, strict=True)
    ]
    return unchecked_benchmark(
        "data",
        scale="1..5",
        id=[f"{number}{kind}" for number, kind in rows],
        left=[f"{left} {number}" for left, (number, _) in zip(lefts, rows, strict=True)],
        right=rights,
        condition=[kind for _, kind in rows],
        score=scores,
    )


DATA = TrainingData(conditioned(16), conditioned(8, start=4), ())


@pytest.fixture(scope="module")
def qwen(tiny_language_model) -> Path:
    return tiny_language_model()


@pytest.fixture(scope="module")
def gpt2(qwen, tmp_path_factory) -> Path:
    """GPT-2's kind: positions are learned, and linear layers are transposed; it reads bytes as the other one does."""
    folder = tmp_path_factory.mktemp("gpt2")
    torch.manual_seed(0)
    shape = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 256, "vocab_size": 300, "initializer_range": 0.1}
    transformers.GPT2Model(transformers.GPT2Config(**shape)).save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(qwen).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def bert(tiny_bert, letters) -> Path:
    return tiny_bert([*letters, *map(str, range(10))], longest=512)


def wanted(model: Path, encoding: str = "bi", *, shape: dict | None = None, **options) -> SimilarityRequest:
    given = {"recipe": RECIPE, "device": "cpu", "objective": MseQuad()} | options
    return SimilarityRequest(model=str(model), architecture=Architecture(encoding=encoding, **(shape or {})), **given)


def described(folder: Path) -> dict:
    return json.loads((folder / "similitude.json").read_text())


def scores(folder: Path, benchmark=DATA.validation) -> np.ndarray:
    return make_system(f"conditional({folder}, device=cpu)").score(benchmark.items).scores


@pytest.fixture(scope="module")
def joint(qwen, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("joint") / "model"
    train_model(DATA, wanted(qwen, "joint", adapters=4, layers=1), folder)
    return folder


@pytest.mark.slow
class TestEveryEncoding:
    @pytest.mark.parametrize("encoding", ["cross", "bi", "tri", "joint", "shift"])
    @pytest.mark.parametrize("kind", ["qwen", "gpt2", "bert"])
    def test_the_folder_scores_as_the_network_did(self, kind, encoding, tmp_path, request):
        model = request.getfixturevalue(kind)
        trained = train_model(DATA, wanted(model, encoding, adapters=4), tmp_path / "model")
        said = scores(tmp_path / "model")
        gold = np.array(DATA.validation.gold.scores, float)
        assert said.std() > 1e-4
        # The record's Pearson is that of the network before its adapters were merged.
        assert np.corrcoef(said, gold)[0, 1] == pytest.approx(trained.record["validation"]["pearson"], abs=1e-3)

    @pytest.mark.parametrize("objective", [MseQuad(quad=0), MseQuad(mse=0, quad=1), MseQuad()])
    @pytest.mark.parametrize("encoding", ["cross", "joint"])
    def test_hinge_squared_error_and_their_sum(self, qwen, encoding, objective, tmp_path):
        trained = train_model(DATA, wanted(qwen, encoding, adapters=2, objective=objective), tmp_path / "model")
        assert np.isfinite(trained.record["validation"]["spearman"])


class TestLanguageModels:
    def test_is_shown_texts_in_templates_and_asked_at_their_end(self, joint):
        shape = described(joint)["architecture"]
        assert (shape["template"], shape["side_template"], shape["pooling"]) == (TEMPLATE, SIDE_TEMPLATE, "last")

    def test_layers_and_adapters_are_recorded(self, joint):
        record = described(joint)
        assert (record["layers"], record["adapters"]) == (1, 4)
        assert "| layers kept | the first 1 |" in (joint / "README.md").read_text()
        assert json.loads((joint / "config.json").read_text())["num_hidden_layers"] == 1

    def test_adapters_are_merged(self, joint, qwen):
        before, after = (load_file(folder / "model.safetensors") for folder in (qwen, joint))
        moved = {name for name in after if not torch.equal(before[name], after[name])}
        assert moved == {name for name in after if "_proj.weight" in name}

    def test_scores_do_not_depend_on_the_other_items(self, joint):
        alone = [scores(joint, DATA.validation.take(np.array([place])))[0] for place in range(3)]
        np.testing.assert_array_equal(scores(joint)[:3], alone)

    def test_own_templates(self, qwen, tmp_path):
        shape = {"template": r"{condition}?\n{left}|{right}", "side_template": "{text} {condition}"}
        train_model(DATA, wanted(qwen, "joint", shape=shape, adapters=2), tmp_path / "model")
        recorded = described(tmp_path / "model")["architecture"]
        assert (recorded["template"], recorded["side_template"]) == (
            "{condition}?\n{left}|{right}",
            "{text} {condition}",
        )

    def test_long_texts_are_cut_and_templates_are_not(self, qwen, tmp_path):
        train_model(DATA, wanted(qwen, "cross", adapters=2), tmp_path / "model")
        long = unchecked_benchmark(
            "long", scale="1..5", id=["a"], left=["x" * 900], right=["y"], condition=["what"], score=[1.0]
        )
        other = unchecked_benchmark(
            "long", scale="1..5", id=["a"], left=["x" * 900], right=["y"], condition=["size"], score=[1.0]
        )
        said = [scores(tmp_path / "model", each) for each in (long, other)]
        assert said[0] != said[1]  # the condition, which is last, was read


class TestPlainPairs:
    def test_a_language_model_with_adapters(self, qwen, tmp_path):
        asked = replace(
            wanted(qwen, adapters=2), architecture=PairArchitecture(encoding="joint"), objective=MseQuad(quad=0)
        )
        train_model(DATA, asked, tmp_path / "model")
        assert described(tmp_path / "model")["architecture"]["template"].count("{condition}") == 0
        system = make_system(f"conditional({tmp_path / 'model'}, device=cpu)")
        assert len(system.similarities(["a", "b"], ["b", "c"])) == 2


class TestFrozen:
    @pytest.mark.parametrize("encoding", ["shift", "joint", "cross"])
    def test_only_the_head_learns_on_vectors_that_are_computed_once(self, qwen, encoding, tmp_path, monkeypatch):
        from similitude.systems.conditional.network import ConditionalNetwork

        passes, honest = [], ConditionalNetwork.pool
        monkeypatch.setattr(ConditionalNetwork, "pool", lambda *given: passes.append(1) or honest(*given))
        short = replace(RECIPE, epochs=1)
        train_model(DATA, wanted(qwen, encoding, frozen=True, recipe=short), tmp_path / "short")
        once = len(passes)
        trained = train_model(DATA, wanted(qwen, encoding, frozen=True), tmp_path / "model")
        assert len(passes) == 2 * once  # as many, however many epochs
        before, after = (load_file(folder / "model.safetensors") for folder in (qwen, tmp_path / "model"))
        assert all(torch.equal(before[name], after[name]) for name in after)
        gold = np.array(DATA.validation.gold.scores, float)
        found = np.corrcoef(scores(tmp_path / "model"), gold)[0, 1]
        assert found == pytest.approx(trained.record["validation"]["pearson"], abs=1e-3)

    def test_it_learns(self, qwen, tmp_path):
        recipe = replace(RECIPE, epochs=30)
        data = TrainingData(DATA.train, DATA.train, ())
        trained = train_model(data, wanted(qwen, "shift", frozen=True, recipe=recipe), tmp_path / "model")
        assert trained.record["validation"]["pearson"] > 0.9

    def test_a_cosine_alone_cannot_learn(self, qwen, tmp_path):
        with pytest.raises(ArgumentError, match=r"nothing to train; add --mlp, or use --architecture shift"):
            train_model(DATA, wanted(qwen, "bi", frozen=True), tmp_path / "model")

    def test_not_with_adapters(self, qwen):
        with pytest.raises(ArgumentError, match="use one of the two"):
            wanted(qwen, "shift", frozen=True, adapters=2)


@pytest.mark.parametrize(
    ("shape", "told"),
    [
        (
            {"encoding": "cross", "template": "{left}"},
            r"as text with \{left\} and \{right\} and \{condition\}$",
        ),
        ({"encoding": "bi", "template": "{left} {right} {condition}"}, "'bi' has no use for --template"),
        ({"encoding": "cross", "side_template": "{text}"}, "'cross' has no use for --side-template"),
        ({"encoding": "bi", "side_template": "{text} {condition} {x}"}, "side_template .* is not valid"),
        ({"encoding": "shift", "reads": "sentences"}, "a shift-encoder without a condition is a bi-encoder"),
    ],
)
def test_bad_shapes(shape, told):
    with pytest.raises(ArgumentError, match=told):
        Architecture(**shape)


@pytest.mark.parametrize(
    ("shape", "options", "told"),
    [
        ({"combination": "concat"}, {}, "--combination has no effect with --architecture bi; omit --combination"),
        ({"encoding": "cross", "place": "after"}, {}, "--place has no effect with --architecture cross"),
        ({"reads": "sentences", "place": "after"}, {}, "--place has no effect with --reads sentences"),
        (
            {"reads": "sentences"},
            {"augmentation": Augmentation(rewording=0.5)},
            "--rewording 0.5 has no effect with --reads sentences",
        ),
        (
            {"reads": "sentences"},
            {"augmentation": Augmentation(condition_dropout=0.1)},
            "--condition-dropout 0.1 has no effect with --reads sentences",
        ),
        (
            {"encoding": "shift"},
            {"frozen": True, "recipe": replace(RECIPE, layer_decay=0.8)},
            "--layer-decay 0.8 has no effect with --frozen",
        ),
    ],
)
def test_options_without_effect_are_refused(shape, options, told):
    with pytest.raises(ArgumentError, match=told):
        SimilarityRequest(model="m", architecture=Architecture(**shape), **options)


def test_a_language_model_has_no_place_for_the_condition(qwen, tmp_path):
    with pytest.raises(ArgumentError, match="so that --place has no effect; omit --place, or write a --side-template"):
        train_model(DATA, wanted(qwen, shape={"place": "after"}), tmp_path / "model")


@pytest.mark.parametrize(
    ("encoding", "options", "told"),
    [
        ("bi", {}, "--consistency 1 has no effect: the model has no dropout, so both"),
        ("shift", {"frozen": True}, "--consistency 1 has no effect: vectors are computed once, so both"),
    ],
)
def test_two_passes_that_cannot_differ_are_refused(qwen, encoding, options, told, tmp_path):
    asked = wanted(qwen, encoding, augmentation=Augmentation(consistency=1.0), **options)
    with pytest.raises(ArgumentError, match=told):
        train_model(DATA, asked, tmp_path / "model")


def test_adapters_drop_something_in_each_pass(qwen, tmp_path):
    asked = wanted(qwen, augmentation=Augmentation(consistency=1.0), adapters=2, recipe=replace(RECIPE, epochs=1))
    train_model(DATA, asked, tmp_path / "model")
