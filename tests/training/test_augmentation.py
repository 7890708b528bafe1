"""Augmented trainings as a whole: determinism, resume, row order, records, refusals, and the loss by hand."""

import json
import string
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.errors import ArgumentError, InputError
from similitude.training import Recipe, Teachers
from similitude.training.conditional.augmentation import Augmentation
from similitude.training.splits import TrainingData

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

from similitude.systems import SYSTEMS  # noqa: E402
from similitude.systems.conditional.architecture import Architecture  # noqa: E402
from similitude.training import loop  # noqa: E402
from similitude.training.conditional.trainer import SimilarityTrainer  # noqa: E402
from similitude.training.conditional.worded_inputs import worded_inputs  # noqa: E402
from similitude.training.train import SimilarityRequest, train_model  # noqa: E402

COLOURS = ("red", "blue", "grey", "pink")
ALL = Augmentation(rewording=0.5, condition_dropout=0.3, rater_agreement=0.8, consistency=0.5)


@pytest.fixture(scope="module")
def bert(tiny_bert, letters) -> Path:
    return tiny_bert([*letters, *string.digits], intermediate_size=16)


def conditioned(first: int, count: int) -> Benchmark:
    rows = [(pair, end) for pair in range(first, first + count) for end in (0, 1)]
    return Benchmark.from_columns(
        "cars",
        scale="1..5",
        id=[f"{pair}-{end}" for pair, end in rows],
        left=[f"one {COLOURS[pair % 4]} car {pair}" for pair, _ in rows],
        right=[f"two {COLOURS[pair % 4]} cars {pair}" for pair, _ in rows],
        condition=["the number of cars" if end else "the colour of the object" for _, end in rows],
        score=[1 + pair % 2 if end else 5 - pair % 2 for pair, end in rows],
    )


DATA = TrainingData(conditioned(0, 9), conditioned(100, 3))


def request(bert: Path, augmentation: Augmentation = ALL, **options) -> SimilarityRequest:
    recipe = Recipe(epochs=2, batch=6, lr=1e-3, seed=3)
    return SimilarityRequest(
        **{"model": str(bert), "recipe": recipe, "augmentation": augmentation, "device": "cpu", **options}
    )


def weights(folder: Path) -> bytes:
    heads = sorted(folder.glob("*.safetensors"))
    return b"".join(path.read_bytes() for path in heads)


class TestInputs:
    def test_every_wording_is_read_and_short_rows_repeat_their_own(self):
        read = worded_inputs(Architecture(), DATA.train.items, Augmentation(rewording=0.5))
        texts = [[read.texts[row] for row in rows] for rows in read.worded[0, :, :, 0]]
        assert texts[0][0] == ("the colour of the object", "one red car 0")
        assert ("the object's colour", "one red car 0") in texts[0]
        assert texts[1][0] == ("the number of cars", "one red car 0")
        assert read.others[1] == 3  # number of cars, how many cars there are, how many cars
        assert texts[1][4:] == [texts[1][0]] * (len(texts[1]) - 4)

    def test_a_cross_encoder_has_both_orders(self):
        shape = Architecture(encoding="cross", separator="[SEP]")
        read = worded_inputs(shape, DATA.train.items, Augmentation(condition_dropout=0.1))
        assert read.worded.shape == (2, 18, 1, 1)
        assert [read.texts[row] for row in read.bare[:, 0, 0]] == [
            ("one red car 0", "two red cars 0[SEP]"),
            ("two red cars 0", "one red car 0[SEP]"),
        ]

    def test_all_ways_count_for_the_length_of_a_batch(self):
        read = worded_inputs(Architecture(), DATA.train.items, ALL)
        wordings = read.worded.shape[2]
        assert read.all_rows.shape == (18, 2 * (wordings + 1))
        assert read.rows.tolist() == read.all_rows[:, :2].tolist()

    def test_an_item_without_condition_is_refused(self):
        items = Items(DATA.train.items.frame.with_columns(condition=pl.lit(None, pl.String)))
        with pytest.raises(InputError, match="18 of 18 items have no condition"):
            worded_inputs(Architecture(), items, ALL)


class TestLoss:
    def test_by_hand(self, bert):
        """Two passes without dropout are equal, so what remains is the objective at the changed targets."""
        wanted = request(bert, Augmentation(rater_agreement=0.8, consistency=5.0))
        trainer = SimilarityTrainer(DATA, wanted)
        # The mean of all labels is 3, .5 of the scale: 5 is 1 and becomes .9, 4 becomes .7.
        assert np.unique(trainer.train.gold) == pytest.approx([0.1, 0.3, 0.7, 0.9])
        from similitude.training.network_job import NetworkJob

        job = NetworkJob(trainer, wanted, None)
        job.open(None)
        setup = trainer.prepare(job.opened, job.recipe).setup
        network = setup.network.eval()
        items = torch.arange(4)
        changed = setup.loss(network, items, 32).item()
        plain = replace(setup, changes=None).loss(network, items, 32).item()
        assert changed == pytest.approx(plain, abs=1e-6)
        assert setup.loss(setup.network.train(), items, 32).item() != pytest.approx(plain, abs=1e-6)


class TestTrainings:
    @pytest.mark.parametrize("encoding", ["bi", "cross", "joint", "tri", "shift"])
    def test_every_architecture_learns(self, bert, tmp_path, encoding):
        wanted = request(bert, architecture=Architecture(encoding=encoding), recipe=Recipe(epochs=1, batch=6, lr=1e-3))
        trained = train_model(DATA, wanted, tmp_path / "model")
        assert trained.record["augmentation"] == {
            "rewording": 0.5, "condition_dropout": 0.3, "rater_agreement": 0.8, "consistency": 0.5,
        }  # fmt: skip
        assert np.isfinite(trained.curves[0]).all()
        card = (tmp_path / "model" / "README.md").read_text()
        assert "| condition dropout | 0.3 |" in card

    def test_the_same_seed_gives_the_same_bytes_whatever_the_order_of_rows(self, bert, tmp_path):
        shuffled = np.random.default_rng(0).permutation(len(DATA.train))
        other = TrainingData(DATA.train.take(shuffled), DATA.validation)
        for name, data in (("one", DATA), ("other", other)):
            train_model(data, request(bert), tmp_path / name)
        assert weights(tmp_path / "one") == weights(tmp_path / "other")
        train_model(DATA, request(bert, recipe=Recipe(epochs=2, batch=6, lr=1e-3, seed=4)), tmp_path / "seed")
        assert weights(tmp_path / "one") != weights(tmp_path / "seed")

    def test_a_killed_training_resumes_with_the_same_bytes(self, bert, tmp_path, monkeypatch):
        train_model(DATA, request(bert), tmp_path / "whole")
        step, left = loop._Training._step, [4]

        def dying(self, *arguments):
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return step(self, *arguments)

        monkeypatch.setattr(loop._Training, "_step", dying)
        with pytest.raises(KeyboardInterrupt):
            train_model(DATA, request(bert), tmp_path / "killed")
        monkeypatch.undo()
        train_model(DATA, request(bert), tmp_path / "killed")
        assert weights(tmp_path / "whole") == weights(tmp_path / "killed")

    def test_teachers_see_the_same_changes(self, bert, tmp_path):
        changes = Augmentation(rewording=0.5, condition_dropout=0.5, consistency=0.5)
        trained = train_model(DATA, request(bert, changes, teachers=Teachers(count=2)), tmp_path / "model")
        assert np.isfinite(trained.curves[3]).all()
        assert (tmp_path / "model" / "runs" / "teacher-2.csv").is_file()

    @pytest.mark.parametrize("options", [{"adapters": 2}, {"frozen": True}])
    def test_language_models_with_adapters_and_frozen_ones(self, tiny_language_model, tmp_path, options):
        wanted = request(tiny_language_model(), architecture=Architecture(encoding="joint"), **options)
        trained = train_model(DATA, wanted, tmp_path / "model")
        assert np.isfinite(trained.curves[3]).all()
        scores = SYSTEMS.make(f"conditional({tmp_path / 'model'}, device=cpu)").score(DATA.validation.items).scores
        assert np.isfinite(scores).all()

    def test_a_plan_without_augmentation_is_that_of_before(self, bert):
        plans = [SimilarityTrainer(DATA, request(bert, wanted)).plan(_files(bert)) for wanted in (Augmentation(), ALL)]
        assert "augmentation" not in plans[0]
        assert {**plans[0], "augmentation": ALL.record()} == plans[1]
        assert "pooled" not in plans[0]["architecture"]


def _files(bert: Path):
    from similitude.models.files import resolve

    return resolve(str(bert), None, "")


class TestPooledTokens:
    @pytest.mark.parametrize(("pooled", "segment"), [("condition", 0), ("sentence", 1)])
    def test_the_saved_model_averages_the_states_of_these_tokens(self, bert, tmp_path, pooled, segment):
        folder = tmp_path / "model"
        wanted = request(bert, Augmentation(), architecture=Architecture(pooled=pooled), pooling="mean")
        train_model(DATA, wanted, folder)
        assert not (folder / "modules.json").exists()  # sentence-transformers would average all tokens
        assert json.loads((folder / "similitude.json").read_text())["architecture"]["pooled"] == pooled
        texts = [("the colour", "one red car"), ("the number of cars", "two")]
        found = SYSTEMS.make(f"conditional({folder}, device=cpu)").cached_encoder.rows(texts).values
        tokens = transformers.AutoTokenizer.from_pretrained(folder)(
            *map(list, zip(*texts, strict=True)), return_tensors="pt", padding=True
        )
        with torch.inference_mode():
            states = transformers.AutoModel.from_pretrained(folder)(**tokens).last_hidden_state
        own = (tokens["token_type_ids"] == segment) & (tokens["attention_mask"] == 1)
        for vector, state, mask in zip(found, states, own, strict=True):
            assert vector == pytest.approx(state[mask].mean(dim=0).numpy(), abs=1e-5)

    def test_tokens_of_each_text(self):
        from similitude.systems.conditional.network import tokens_of_text

        # <s> a b </s></s> c </s>, as MPNet reads two texts
        ids = torch.tensor([[0, 5, 6, 2, 2, 7, 2]])
        assert tokens_of_text(ids, 2, is_first=True).tolist() == [[1, 1, 1, 1, 0, 0, 0]]
        assert tokens_of_text(ids, 2, is_first=False).tolist() == [[0, 0, 0, 0, 1, 1, 1]]

    def test_other_architectures_and_poolings_are_refused(self, bert, tmp_path):
        with pytest.raises(ArgumentError, match="only a bi-encoder"):
            Architecture(encoding="cross", pooled="condition")
        wanted = request(bert, architecture=Architecture(pooled="condition"), pooling="cls")
        with pytest.raises(ArgumentError, match="its pooling is cls"):
            train_model(DATA, wanted, tmp_path / "model")


class TestRefusals:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"rewording": 1.5}, "rewording 1.5 is not valid"),
            ({"condition_dropout": 1.0}, "condition-dropout 1 is not valid"),
            ({"rater_agreement": 0.0}, "rater-agreement 0 is not valid"),
            ({"consistency": -1.0}, "consistency -1 is not valid"),
            ({"consistency": float("nan")}, "consistency nan is not valid"),
        ],
    )
    def test_values(self, options, message):
        with pytest.raises(ArgumentError, match=message):
            Augmentation(**options)

    def test_dropout_needs_two_conditions_of_each_pair(self, bert):
        single = TrainingData(DATA.train.take(np.arange(0, 18, 2)), DATA.validation)
        wanted = request(bert, Augmentation(condition_dropout=0.1), architecture=Architecture(encoding="cross"))
        from similitude.training import make_objective

        with pytest.raises(InputError, match="--condition-dropout"):
            SimilarityTrainer(single, replace(wanted, objective=make_objective("mse")))

    def test_rewording_needs_conditions_that_can_be_reworded(self, bert):
        wanted = request(bert, Augmentation(rewording=0.5))
        assert "18 of 18 items have conditions that can be said in other words" in SimilarityTrainer(DATA, wanted).notes
        frame = DATA.train.frame.with_columns(condition="Frage " + pl.col("condition").rank("dense").cast(pl.String))
        german = Benchmark(name="autos", frame=frame, scale=DATA.train.scale)
        with pytest.raises(ArgumentError, match=r"autos: rewording 0\.5 has no effect"):
            SimilarityTrainer(TrainingData(german, DATA.validation), wanted)

    def test_agreement_and_teachers_are_one_thing_twice(self, bert):
        with pytest.raises(ArgumentError, match="--cross-fit"):
            request(bert, Augmentation(rater_agreement=0.8), teachers=Teachers(count=3))

    def test_dropout_and_a_teacher_exclude_each_other(self, bert):
        from similitude.training.conditional.similarity_teaching import SimilarityTeaching

        with pytest.raises(ArgumentError, match="omit --condition-dropout or --teacher"):
            request(bert, Augmentation(condition_dropout=0.1), teaching=SimilarityTeaching(teacher="jaro", pairs=1))
