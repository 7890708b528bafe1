"""Training opinions on a language model: adapters learn and vanish, a kill changes nothing, mistakes are one line."""

import json
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from similitude.data.addresses import open_benchmark
from similitude.data.item import Items
from similitude.errors import ArgumentError, RunError
from similitude.systems import make_system
from similitude.systems.conditional.architecture import PAIR_TEMPLATE
from similitude.systems.uncertain.architecture import Architecture
from similitude.training import Recipe
from similitude.training.checkpoints import CheckpointFolder
from similitude.training.splits import SeveralData

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

from safetensors.torch import load_file  # noqa: E402

from similitude.models.encoders.loader import LoadOptions  # noqa: E402
from similitude.models.files import ModelFiles  # noqa: E402
from similitude.systems.uncertain.moments import predict_moments  # noqa: E402
from similitude.training.train import OpinionRequest, train_opinions  # noqa: E402
from similitude.training.uncertain.initial_network import (  # noqa: E402
    InitialNetwork,
    build_initial_network,
)
from similitude.training.uncertain.validation import OpinionValidator  # noqa: E402

RECIPE = Recipe(epochs=2, batch=8, lr=1e-2, weight_decay=0.0)
LAYERS, RANK = 2, 4
SAMPLE = open_benchmark("sample:opinions")
DATA = SeveralData((SAMPLE.take(np.arange(24)),), (SAMPLE.take(np.arange(24, 36)),))
TEST = SAMPLE.take(np.arange(36, 48))


@pytest.fixture(scope="module")
def language_model(tiny_language_model) -> Path:
    return tiny_language_model(num_hidden_layers=LAYERS)


@pytest.fixture(scope="module")
def bert(tiny_bert, letters) -> Path:
    return tiny_bert(letters, longest=512)


def request(model: Path, **options) -> OpinionRequest:
    """As the command line asks where the user does not say: joint, or whatever else the model can be read in."""
    shape = {name: options.pop(name) for name in ("encoding", "template", "head") if name in options}
    options = {"recipe": RECIPE, "device": "cpu", "default_encoding": "encoding" not in shape} | options
    return OpinionRequest(model=str(model), architecture=Architecture(**{"encoding": "joint"} | shape), **options)


def said_by(folder: Path, items: Items = TEST.items, **options):
    told = "".join(f", {name}={value}" for name, value in options.items())
    return make_system(f"uncertain({folder}, device=cpu{told})").score(items)


def described(folder: Path) -> dict:
    return json.loads((folder / "similitude.json").read_text())


class Adapting(NamedTuple):
    """A training with adapters that is over, what its network last said before they were merged, and of which items."""

    folder: Path
    items: Items
    outputs: np.ndarray
    kept: set[str]


@pytest.fixture(scope="module")
def adapting(language_model, tmp_path_factory) -> Adapting:
    folder = tmp_path_factory.mktemp("adapted") / "model"
    honest, keep, heard, kept = OpinionValidator.outputs, CheckpointFolder.keep_best, [], set()

    def listening(self, network):
        heard.append((self.opinions.items, honest(self, network)))
        return heard[-1][1]

    def watching(self, weights):
        kept.update(weights)
        keep(self, weights)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OpinionValidator, "outputs", listening)
        patch.setattr(CheckpointFolder, "keep_best", watching)
        train_opinions(DATA, request(language_model, adapters=RANK), folder)
    return Adapting(folder, *heard[-1], kept)


class TestWhatIsKept:
    def test_the_folder_says_what_the_network_said_before_it_was_merged(self, adapting):
        said = said_by(adapting.folder, adapting.items)
        means, sigmas = predict_moments(Architecture(), adapting.outputs)
        np.testing.assert_allclose(said.scores, 5 * means, atol=1e-4)  # on 0..5
        np.testing.assert_allclose(said.sigmas, 5 * sigmas, atol=1e-4)
        assert said.scores.std() > 1e-3  # else all items would look alike, and this test could not fail

    def test_as_a_plain_model_of_transformers(self, adapting, language_model):
        before, after = (load_file(folder / "model.safetensors") for folder in (language_model, adapting.folder))
        assert set(after) == set(before)
        moved = {name for name in before if not torch.equal(before[name], after[name])}
        # Every linear layer of both layers moved by its adapter; embeddings, norms and biases never learned.
        assert moved == {name for name in before if "_proj.weight" in name}
        assert len(moved) == 7 * LAYERS

    def test_checkpoints_leave_out_what_never_changes(self, adapting):
        heads = {name for name in adapting.kept if name.startswith("head.")}
        assert len(heads) == 4
        assert len(adapting.kept - heads) == 2 * 7 * LAYERS
        assert all(name.endswith((".up", ".down")) for name in adapting.kept - heads)

    def test_read_at_the_end_of_a_template(self, adapting):
        shape = described(adapting.folder)["architecture"]
        assert (shape["encoding"], shape["pooling"], shape["template"]) == ("cross", "last", PAIR_TEMPLATE)
        assert load_file(adapting.folder / "head.safetensors")["inner.weight"].shape == (32, 2 * 32)

    def test_an_item_alone_is_read_as_among_others(self, adapting):
        alone, together = said_by(adapting.folder, TEST.items.take(np.array([3]))), said_by(adapting.folder)
        assert alone.scores[0] == pytest.approx(together.scores[3], abs=1e-4)
        assert alone.sigmas[0] == pytest.approx(together.sigmas[3], abs=1e-4)

    def test_passes_of_dropout_differ(self, adapting):
        assert (said_by(adapting.folder, passes=3).sigmas > 0).all()

    @pytest.mark.slow
    def test_an_ensemble_of_two_that_differ(self, language_model, tmp_path):
        folder = tmp_path / "model"
        wanted = request(language_model, adapters=RANK, ensemble=2, recipe=replace(RECIPE, epochs=1))
        assert train_opinions(DATA, wanted, folder).record["members"] == 2
        own = {f"transformer.{name}": value for name, value in load_file(folder / "model.safetensors").items()}
        own |= {f"head.{name}": value for name, value in load_file(folder / "head.safetensors").items()}
        other = load_file(folder / "member-1.safetensors")
        assert set(other) == set(own)
        moved = {name for name in own if not torch.equal(own[name], other[name])}
        assert moved == {name for name in own if "_proj.weight" in name or name.startswith("head.")}
        first, second = (_opened_alone(folder, tmp_path / f"{i}", weights) for i, weights in enumerate((own, other)))
        assert np.abs(first.scores - second.scores).max() > 1e-3
        together = said_by(folder)
        np.testing.assert_allclose(together.scores, (first.scores + second.scores) / 2, atol=1e-4)

    def test_fewer_layers_make_a_smaller_model(self, language_model, adapting, tmp_path):
        wanted = request(language_model, layers=1, adapters=RANK, recipe=replace(RECIPE, epochs=1))
        train_opinions(DATA, wanted, tmp_path / "model")
        assert json.loads((tmp_path / "model/config.json").read_text())["num_hidden_layers"] == 1
        sizes = [(folder / "model.safetensors").stat().st_size for folder in (tmp_path / "model", adapting.folder)]
        assert sizes[0] < sizes[1]
        assert (said_by(tmp_path / "model").sigmas > 0).all()
        with pytest.raises(RunError, match="differs in: layers"):
            train_opinions(DATA, replace(wanted, layers=2), tmp_path / "model")
        with pytest.raises(RunError, match="differs in: adapters"):
            train_opinions(DATA, replace(wanted, adapters=2), tmp_path / "model")

    def test_evidence_goes_along_with_a_template(self, language_model, tmp_path):
        template = "{right}\n{left}\n="
        wanted = request(language_model, adapters=RANK, template=template, evidence=("overlap",))
        train_opinions(DATA, wanted, tmp_path / "model")
        shape = described(tmp_path / "model")["architecture"]
        assert shape["template"] == template
        assert shape["evidence"] > 10
        whole = said_by(tmp_path / "model")
        alone = said_by(tmp_path / "model", TEST.items.take(np.array([5])))
        assert alone.scores[0] == pytest.approx(whole.scores[5], abs=1e-4)

    def test_texts_read_alone_have_no_template(self, language_model, tmp_path):
        wanted = request(language_model, encoding="bi", recipe=replace(RECIPE, epochs=1))
        train_opinions(DATA, wanted, tmp_path / "model")
        shape = described(tmp_path / "model")["architecture"]
        assert (shape["encoding"], shape["pooling"], shape["template"]) == ("bi", "last", "")
        assert said_by(tmp_path / "model").scores.std() > 0


class Killed(BaseException):
    """What no handler catches."""


@pytest.mark.parametrize("adapters", [0, RANK])
@pytest.mark.slow
def test_the_same_model_after_a_kill(language_model, tmp_path, monkeypatch, adapters):
    # Saved after each of three steps and each epoch: dies in the second epoch of the second member.
    recipe = replace(RECIPE, checkpoint_seconds=0.0)
    wanted = request(language_model, adapters=adapters, ensemble=2, recipe=recipe)
    train_opinions(DATA, wanted, tmp_path / "whole")
    honest, count, stood = CheckpointFolder.save, iter(range(100)), []

    def dies(self, progress):
        if next(count) == 10:
            raise Killed
        honest(self, progress)
        stood.append((self.path.name, progress.epoch, progress.step))

    with monkeypatch.context() as patch:
        patch.setattr(CheckpointFolder, "save", dies)
        with pytest.raises(Killed):
            train_opinions(DATA, wanted, tmp_path / "killed")
    assert stood[-1] == ("seed-1", 1, 1)
    assert not (tmp_path / "killed/similitude.json").exists()
    train_opinions(DATA, wanted, tmp_path / "killed")
    for file in ("model.safetensors", "head.safetensors", "member-1.safetensors", "runs/losses-1.csv"):
        assert (tmp_path / "killed" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes(), file
    assert described(tmp_path / "killed")["validation"] == described(tmp_path / "whole")["validation"]


class TestHowPairsAreShown:
    def test_braces_in_a_text_are_read_as_they_are(self, language_model, adapting):
        how = LoadOptions(ModelFiles(str(language_model)), "cpu", "float32")
        reader = build_initial_network(how, InitialNetwork(Architecture(template="1: {left} 2: {right}!"))).reader
        prepared = reader.prepare([("{left}", "{right} {0} {"), ("a", "b")], "")
        read = [reader.tokenizer.decode(tokens["input_ids"]) for tokens in prepared.inputs]
        assert read == ["1: {left} 2: {right} {0} {!", "1: a 2: b!"]
        said = said_by(adapting.folder, Items.from_pairs(["{left}", "{"], ["{right}", "}}"]))
        assert np.isfinite(said.scores).all()

    def test_a_joint_reading_that_was_asked_for_is_refused(self, language_model, tmp_path):
        told = (
            r"^model '.*': has no separator token, which joint encoding needs between two texts; "
            r"use --architecture cross or --architecture bi$"
        )
        with pytest.raises(ArgumentError, match=told):
            train_opinions(DATA, request(language_model, encoding="joint"), tmp_path / "model")

    @pytest.mark.parametrize("template", ["{left}", "{right}", "{left} {right} {}", "none"])
    def test_a_template_without_a_place_for_each_is_refused(self, template):
        told = r"^template .* is not valid; give template as text with \{left\} and \{right\}, .*$"
        with pytest.raises(ArgumentError, match=told):
            Architecture(template=template)

    def test_the_error_is_one_line_though_the_template_is_not(self):
        with pytest.raises(ArgumentError) as refused:
            Architecture(template="First: {left}\nSecond:")
        assert "\n" not in str(refused.value)

    @pytest.mark.parametrize("encoding", ["bi", "joint"])
    def test_a_template_where_texts_are_read_alone_is_refused(self, language_model, bert, encoding):
        for model in (language_model, bert):
            how = LoadOptions(ModelFiles(str(model)), "cpu", "float32")
            with pytest.raises(ArgumentError, match=r"^a template makes one text of a pair.*use --architecture cross"):
                build_initial_network(how, InitialNetwork(Architecture(encoding=encoding, template="{left}{right}")))

    def test_too_many_layers_are_refused(self, language_model, tmp_path):
        with pytest.raises(ArgumentError, match=r"model '.*': cannot keep 3 of its layers: it has 2; give --layers"):
            train_opinions(DATA, request(language_model, layers=3), tmp_path / "model")


class TestEncoders:
    def test_the_last_token_and_adapters(self, bert, tmp_path):
        wanted = request(bert, pooling="last", adapters=RANK)
        train_opinions(DATA, wanted, tmp_path / "model")
        shape = described(tmp_path / "model")["architecture"]
        assert (shape["encoding"], shape["pooling"], shape["template"]) == ("cross", "last", "")
        assert load_file(tmp_path / "model/head.safetensors")["inner.weight"].shape == (16, 2 * 16)
        said = said_by(tmp_path / "model")
        assert said.scores.std() > 0
        assert (said.sigmas > 0).all()

    def test_a_joint_reading_does_not_know_it(self, bert):
        how = LoadOptions(ModelFiles(str(bert)), "cpu", "float32")
        with pytest.raises(ArgumentError, match=r"^architecture 'joint' does not support last-token pooling"):
            build_initial_network(how, InitialNetwork(Architecture(encoding="joint"), pooling="last"))

    def test_joint_with_adapters(self, bert, tmp_path):
        trained = train_opinions(DATA, request(bert, adapters=RANK), tmp_path / "model")
        assert described(tmp_path / "model")["architecture"]["encoding"] == "joint"
        said = said_by(tmp_path / "model", DATA.validation[0].items)
        gold = DATA.validation[0].gold.scores
        assert np.corrcoef(said.scores, gold)[0, 1] == pytest.approx(trained.figures["r"], abs=1e-4)

    def test_a_folder_from_before_there_were_templates(self, bert, tmp_path):
        train_opinions(DATA, request(bert, recipe=replace(RECIPE, epochs=1)), tmp_path / "model")
        before = said_by(tmp_path / "model")
        record = described(tmp_path / "model")
        assert record["architecture"].pop("template") == ""
        (tmp_path / "model/similitude.json").write_text(json.dumps(record))
        np.testing.assert_array_equal(said_by(tmp_path / "model").scores, before.scores)


def _opened_alone(folder: Path, alone: Path, weights: dict):
    """What one member of an ensemble says, as a folder of its own."""
    import shutil

    from safetensors.torch import save_file

    shutil.copytree(folder, alone, ignore=shutil.ignore_patterns("runs", "member-*", "*.safetensors"))
    for file, start in (("model.safetensors", "transformer."), ("head.safetensors", "head.")):
        own = {name.removeprefix(start): value for name, value in weights.items() if name.startswith(start)}
        save_file(own, alone / file, metadata={"format": "pt"})
    (alone / "similitude.json").write_text(json.dumps(described(folder) | {"members": 1}))
    return said_by(alone)
