"""Training on opinions: what can be learned is learned and kept, and a kill changes nothing."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError, EstimationError, InputError, RunError
from similitude.stats import pearson, spearman
from similitude.systems import make_system
from similitude.systems.uncertain.architecture import Architecture
from similitude.training import Recipe
from similitude.training.checkpoints import CheckpointFolder
from similitude.training.splits import SeveralData, several_training_data

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

from similitude.training import loop  # noqa: E402
from similitude.training.train import OpinionRequest, train_opinions  # noqa: E402
from similitude.training.uncertain.objectives import OpinionObjective  # noqa: E402
from similitude.training.uncertain.opinions import opinions_of  # noqa: E402
from similitude.training.uncertain.validation import figures_of  # noqa: E402

NOUNS = ["car", "bus", "dog", "cat", "sun", "sea", "tree", "king"]
RECIPE = Recipe(epochs=3, batch=16, lr=5e-3, weight_decay=0.0)


@pytest.fixture(scope="module")
def bert(tiny_bert) -> Path:
    return tiny_bert([*NOUNS, "surely", "maybe", "alike", "unlike"], longest=32)


def words(items: int, seed: int, raters: int = 8, name: str = "words") -> Benchmark:
    """Opinions of a made-up people: one word decides how alike two texts are, another how far people differ."""
    rng = np.random.default_rng(seed)
    alike, sure = rng.random(items) < 0.5, rng.random(items) < 0.5
    means, sigmas = np.where(alike, 3.5, 1.5), np.where(sure, 0.25, 0.9)
    ratings = rng.normal(means[:, None], sigmas[:, None], (items, raters)).clip(0, 5)
    lefts = zip(np.where(sure, "surely", "maybe"), rng.choice(NOUNS, items), strict=True)
    rights = zip(np.where(alike, "alike", "unlike"), rng.choice(NOUNS, items), strict=True)
    return Benchmark.from_columns(
        name,
        scale="0..5",
        left=[" ".join(pair) for pair in lefts],
        right=[" ".join(pair) for pair in rights],
        score=ratings.mean(axis=1),
        sigma=ratings.std(axis=1),
        ratings=ratings.tolist(),
    )


TRAIN, HELD_OUT, TEST = words(300, 0), words(80, 1), words(100, 2)
DATA = SeveralData((TRAIN,), (HELD_OUT,))
SMALL = SeveralData((words(48, 3),), (words(16, 4),))


def request(bert: Path, objective: str = "nll", recipe: Recipe = RECIPE, head: str = "gaussian", **options):
    shape = {name: options.pop(name) for name in ("encoding", "dropout") if name in options}
    return OpinionRequest(
        model=str(bert),
        architecture=Architecture(head=head, **shape),
        objective=objective,
        recipe=recipe,
        device="cpu",
        **options,
    )


class TestWhatIsLearned:
    @pytest.mark.parametrize(
        ("head", "objective", "encoding"),
        [
            ("gaussian", "nll", "cross"),
            ("gaussian", "kl", "bi"),
            ("mixture", "nll", "cross"),
            ("histogram", "nll", "cross"),
        ],
    )
    @pytest.mark.slow
    def test_spread_and_mean(self, bert, tmp_path, head, objective, encoding):
        recipe = replace(RECIPE, epochs=6)
        wanted = request(bert, objective, recipe, head, encoding=encoding)
        trained = train_opinions(DATA, wanted, tmp_path / "model")
        said = make_system(f"uncertain({tmp_path / 'model'}, device=cpu)").score(TEST.items)
        # One word decides over sigma; what eight raters make of it correlates with the truth at about 0.8.
        assert spearman(said.sigmas, TEST.gold.sigmas) > 0.65
        assert pearson(said.scores, TEST.gold.scores) > 0.9
        assert trained.figures["sigma_rho"] > 0.65
        assert next(iter(trained.figures)) == f"-{objective}"

    @pytest.mark.slow
    def test_a_point_with_dropout_does_not_know_what_people_doubt(self, bert, tmp_path):
        trained = train_opinions(DATA, request(bert, "mse", replace(RECIPE, epochs=6), "point"), tmp_path / "model")
        assert list(trained.figures) == ["r", "rho"]
        system = f"uncertain({tmp_path / 'model'}, device=cpu"
        assert make_system(f"{system})").score(TEST.items).sigmas is None
        said = make_system(f"{system}, passes=20)").score(TEST.items)
        assert pearson(said.scores, TEST.gold.scores) > 0.9
        assert abs(spearman(said.sigmas, TEST.gold.sigmas)) < 0.4

    @pytest.mark.slow
    def test_opinions_known_by_their_spread_alone(self, bert, tmp_path):
        bare = [
            Benchmark.from_columns(
                "bare",
                scale="0..5",
                left=part.items.lefts,
                right=part.items.rights,
                score=part.gold.scores,
                sigma=part.gold.sigmas,
            )
            for part in (TRAIN, HELD_OUT)
        ]
        data = SeveralData((bare[0],), (bare[1],))
        train_opinions(data, request(bert, recipe=replace(RECIPE, epochs=6)), tmp_path / "model")
        said = make_system(f"uncertain({tmp_path / 'model'}, device=cpu)").score(TEST.items)
        assert spearman(said.sigmas, TEST.gold.sigmas) > 0.65


class TestWhatIsKept:
    def test_the_system_says_what_validation_measured(self, bert, tmp_path):
        trained = train_opinions(SMALL, request(bert), tmp_path / "model")
        said = make_system(f"uncertain({tmp_path / 'model'}, device=cpu)").score(SMALL.validation[0].items)
        gold = SMALL.validation[0].gold
        assert float(pearson(said.scores, gold.scores)) == pytest.approx(trained.figures["r"], abs=1e-4)
        assert float(spearman(said.sigmas, gold.sigmas)) == pytest.approx(trained.figures["sigma_rho"], abs=0.02)
        assert not list((tmp_path / "model/runs").glob("seed-*"))

    @pytest.mark.slow
    def test_an_ensemble_keeps_all_members(self, bert, tmp_path):
        from safetensors.numpy import load_file

        folder = tmp_path / "model"
        trained = train_opinions(SMALL, request(bert, ensemble=3), folder)
        assert trained.record["members"] == 3
        assert sorted(trained.history) == [0, 1, 2]
        first, second, third = (
            {f"head.{name}": value for name, value in load_file(folder / "head.safetensors").items()},
            load_file(folder / "member-1.safetensors"),
            load_file(folder / "member-2.safetensors"),
        )
        # Members begin with heads of their own: far apart, which training from one start would not make them.
        assert np.abs(first["head.inner.weight"] - second["head.inner.weight"]).mean() > 0.05
        assert np.abs(second["head.inner.weight"] - third["head.inner.weight"]).mean() > 0.05
        alone = tmp_path / "alone"
        train_opinions(SMALL, request(bert), alone)
        assert (alone / "model.safetensors").read_bytes() == (folder / "model.safetensors").read_bytes()
        items = TEST.items
        together = make_system(f"uncertain({folder}, device=cpu)").score(items)
        parts = [make_system(f"uncertain({alone}, device=cpu)").score(items)]
        for seed in (1, 2):
            # A member of the ensemble, opened as a model of its own.
            parts.append(_opened_alone(folder, tmp_path / f"member-{seed}", seed).score(items))
        means = np.stack([part.scores for part in parts])
        variances = np.stack([part.sigmas for part in parts]) ** 2
        np.testing.assert_allclose(together.scores, means.mean(axis=0), atol=1e-5)
        np.testing.assert_allclose(together.sigmas**2, variances.mean(axis=0) + means.var(axis=0), atol=1e-5)

    def test_the_average_of_seeds_begins_with_one_head(self, bert, tmp_path):
        trained = train_opinions(SMALL, request(bert, seeds=2), tmp_path / "model")
        assert trained.record["members"] == 1
        assert "2 seeds" in " ".join(trained.notes)

    @pytest.mark.parametrize("how", ["scale", "isotonic"])
    @pytest.mark.slow
    def test_recalibration_is_fitted_on_the_validation_items_and_applied(self, bert, tmp_path, how):
        from similitude.stats import kl_divergence

        plain = train_opinions(DATA, request(bert, "crps", replace(RECIPE, epochs=1)), tmp_path / "plain")
        recalibrated = request(bert, "crps", replace(RECIPE, epochs=1), recalibrate=how)
        done = train_opinions(DATA, recalibrated, tmp_path / "done")
        assert done.figures == plain.figures
        assert "predicted sigmas are" in done.notes[-1]
        gold = HELD_OUT.gold
        before, after = (
            make_system(f"uncertain({tmp_path / name}, device=cpu)").score(HELD_OUT.items) for name in ("plain", "done")
        )
        kl = [float(kl_divergence(gold.scores, gold.sigmas, p.scores, p.sigmas).mean()) for p in (before, after)]
        assert kl[1] < kl[0]

    def test_the_card_says_whose_opinions_these_are(self, bert, tmp_path):
        other = words(24, 9, raters=3, name="others")
        data = SeveralData((SMALL.train[0], other), SMALL.validation)
        trained = train_opinions(data, request(bert, recipe=replace(RECIPE, epochs=1), balanced=True), tmp_path / "m")
        card = (tmp_path / "m/README.md").read_text()
        assert "It predicts mean and standard deviation of people's opinions, on the scale 0..5." in card
        assert "- words: 48 items\n- others: 24 items" in card
        assert "Each item was rated by 3 to 8 people. Validated on 16 other items." in card
        assert "words 48 items, others 24 items; all benchmarks have the same weight" in trained.notes
        assert trained.name == "words + others"
        assert trained.record["data"]["raters"] == {"fewest": 3, "most": 8}

    def test_figures_of_each_benchmark(self, bert, tmp_path):
        data = SeveralData(SMALL.train, (SMALL.validation[0], words(20, 11, name="others")))
        trained = train_opinions(data, request(bert, recipe=replace(RECIPE, epochs=1)), tmp_path / "model")
        assert {"kl words", "sigma_rho words", "kl others", "sigma_rho others"} <= set(trained.figures)

    def test_the_loss_that_selects_the_epoch_counts_benchmarks_alike_where_they_are_balanced(self):
        parts = words(6, 10), words(2, 11, name="others")
        outputs = np.random.default_rng(0).normal(size=(8, 2, 1, 2))
        objective = OpinionObjective(name="nll", architecture=Architecture())

        def loss(numbers, *benchmarks, **options):
            figures = figures_of(objective, outputs[numbers], opinions_of(benchmarks, needs_spread=True, **options))
            return figures["-nll"]

        alone = [loss(slice(0, 6), parts[0]), loss(slice(6, 8), parts[1])]
        assert loss(slice(0, 8), *parts, balanced=True) == pytest.approx(np.mean(alone))
        assert loss(slice(0, 8), *parts) == pytest.approx((6 * alone[0] + 2 * alone[1]) / 8)


class Killed(BaseException):
    """What no handler catches."""


class TestGoingOn:
    @pytest.mark.parametrize("when", [0, 2, 4])
    @pytest.mark.slow
    def test_the_same_model_after_a_kill(self, bert, tmp_path, monkeypatch, when):
        wanted = request(bert, ensemble=2, recalibrate="scale")
        train_opinions(SMALL, wanted, tmp_path / "whole")
        honest, count = CheckpointFolder.save, iter(range(100))

        def dies(self, progress):
            if next(count) == when:
                raise Killed
            honest(self, progress)

        with monkeypatch.context() as patch:
            patch.setattr(CheckpointFolder, "save", dies)
            with pytest.raises(Killed):
                train_opinions(SMALL, wanted, tmp_path / "killed")
        assert not (tmp_path / "killed/similitude.json").exists()
        train_opinions(SMALL, wanted, tmp_path / "killed")
        for file in ("model.safetensors", "head.safetensors", "member-1.safetensors", "runs/losses-1.csv"):
            assert (tmp_path / "killed" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes(), file
        told = [json.loads((tmp_path / name / "similitude.json").read_text()) for name in ("killed", "whole")]
        assert told[0]["recalibration"] == told[1]["recalibration"]
        assert told[0]["validation"] == told[1]["validation"]

    def test_a_finished_training_is_recalled_and_another_refused(self, bert, tmp_path, monkeypatch):
        first = train_opinions(SMALL, request(bert), tmp_path / "model")
        monkeypatch.setattr(loop, "train", lambda *_: pytest.fail("trained again"))
        again = train_opinions(SMALL, request(bert), tmp_path / "model")
        assert again.figures == first.figures
        assert again.system == f"uncertain({tmp_path / 'model'})"
        with pytest.raises(RunError, match=r"another training \(it differs in: objective\)"):
            train_opinions(SMALL, request(bert, "crps"), tmp_path / "model")

    def test_no_order_of_rows_leaks(self, bert, tmp_path):
        shuffled = SMALL.train[0].take(np.random.default_rng(0).permutation(48))
        train_opinions(SMALL, request(bert), tmp_path / "plain")
        train_opinions(SeveralData((shuffled,), SMALL.validation), request(bert), tmp_path / "shuffled")
        plain, other = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("plain", "shuffled"))
        assert plain == other


class TestBadInput:
    def test_no_ratings(self, bert, tmp_path):
        bare = Benchmark.from_columns(
            "bare", scale="0..5", left=["a", "b", "c"], right=["x", "y", "z"], score=[1, 2, 3]
        )
        data = SeveralData((bare,), (bare,))
        with pytest.raises(InputError, match=r"bare: 3 of 3 items have neither ratings nor a standard deviation"):
            train_opinions(data, request(bert), tmp_path / "model")
        assert not (tmp_path / "model").exists()
        train_opinions(data, request(bert, "mse", replace(RECIPE, epochs=1), "point"), tmp_path / "model")

    def test_one_rater(self, bert, tmp_path):
        lonely = words(40, 5, raters=1)
        with pytest.raises(InputError, match="every item has only one rating"):
            train_opinions(SeveralData((lonely,), (lonely,)), request(bert), tmp_path / "model")

    def test_people_who_agree_on_everything_can_be_learned_from(self, bert, tmp_path):
        agreed = Benchmark.from_columns(
            "agreed",
            scale="0..5",
            left=[f"maybe {noun}" for noun in NOUNS],
            right=["alike"] * 8,
            score=[2.0] * 8,
            sigma=[0.0] * 8,
            ratings=[[2.0, 2.0]] * 8,
        )
        data = SeveralData((agreed,), (agreed,))
        for objective in ("nll", "kl", "crps"):
            trained = train_opinions(data, request(bert, objective), tmp_path / objective)
            assert np.isfinite(trained.figures[f"-{objective}"])
            assert np.isnan(trained.figures["kl"])  # no item on which people differ
            assert np.isnan(trained.figures["r"])

    @pytest.mark.parametrize(("how", "items", "needed"), [("scale", 5, 10), ("isotonic", 49, 50)])
    def test_too_few_items_to_recalibrate_on_are_found_before_training(self, bert, tmp_path, how, items, needed):
        data = SeveralData(SMALL.train, (words(items, 6),))
        with pytest.raises(InputError, match=f"{items} validation items .* too few .* give {needed} or more"):
            train_opinions(data, request(bert, recalibrate=how), tmp_path / "model")
        assert not (tmp_path / "model").exists()

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({"objective": "mse"}, "learns no spread"),
            ({"objective": "nll", "head": "point"}, "has no spread"),
            ({"seeds": 2, "ensemble": 2}, "--ensemble keeps all of them"),
            ({"objective": "mse", "head": "point", "recalibrate": "scale"}, "no spread to recalibrate"),
        ],
    )
    def test_requests_that_make_no_sense(self, bert, options, told):
        with pytest.raises(ArgumentError, match=told):
            request(bert, **options)

    def test_a_loss_that_is_no_number_leaves_the_best_epoch(self, bert, tmp_path):
        # With such a rate the first epoch's few steps survive the warm-up, and the next ones do not.
        from similitude.training.uncertain.objectives import OpinionObjective

        honest, calls = OpinionObjective.__call__, iter(range(1000))

        def failing(self, outputs, gold, **weights):
            return honest(self, outputs, gold, **weights) * (float("nan") if next(calls) > 6 else 1.0)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(OpinionObjective, "__call__", failing)
            with pytest.raises(EstimationError, match="not a number"):
                train_opinions(SMALL, request(bert), tmp_path / "model")
        said = make_system(f"uncertain({tmp_path / 'model'}, device=cpu)").score(TEST.items)
        assert np.isfinite(said.sigmas).all()


class TestSeveralData:
    both = Benchmark.from_columns(
        "split",
        scale="0..5",
        left=[f"left {i}" for i in range(30)],
        right=["right"] * 30,
        score=[float(i % 6) for i in range(30)],
        split=["train"] * 10 + ["dev"] * 10 + ["test"] * 10,
    )

    def test_each_by_its_own_splits(self):
        parts = several_training_data([self.both, TEST], share=0.2)
        assert [len(part) for part in parts.train] == [10, 80]
        assert [len(part) for part in parts.validation] == [10, 20]
        assert parts.notes[0].startswith("words: 20 items (20% of the sentence pairs")

    def test_one_validation_for_all(self):
        parts = several_training_data([self.both, TEST], HELD_OUT)
        assert [len(part) for part in parts.train] == [10, 100]
        assert [part.name for part in parts.validation] == ["words"]

    def test_two_splits_to_learn_from(self):
        parts = several_training_data([self.both], split="train+dev", share=0.25)
        assert len(parts.train[0]) + len(parts.validation[0]) == 20
        assert set(parts.train[0].splits) == {"train", "dev"}
        with pytest.raises(ArgumentError, match="has no split 'devel'"):
            several_training_data([self.both], split="train+devel")
        with pytest.raises(ArgumentError, match="both learned from and validated on"):
            several_training_data([self.both], split="train+dev", validation_split="dev")


def _opened_alone(folder: Path, alone: Path, member: int):
    """One member of an ensemble as a folder of its own."""
    import shutil

    from safetensors.torch import load_file, save_file

    shutil.copytree(folder, alone, ignore=shutil.ignore_patterns("runs", "member-*", "*.safetensors"))
    weights = load_file(folder / f"member-{member}.safetensors")
    for file, start in (("model.safetensors", "transformer."), ("head.safetensors", "head.")):
        own = {name.removeprefix(start): value for name, value in weights.items() if name.startswith(start)}
        save_file(own, alone / file, metadata={"format": "pt"})
    record = json.loads((folder / "similitude.json").read_text()) | {"members": 1}
    (alone / "similitude.json").write_text(json.dumps(record))
    return make_system(f"uncertain({alone}, device=cpu)")


def strangers(items: int, seed: int) -> Benchmark:
    """Pairs of words that the tokeniser knows none of: only their letters say whether they are the same."""
    rng = np.random.default_rng(seed)
    words = np.array(["".join(rng.choice(list("bdfgjklmnpqrtvwxz"), 6)) for _ in range(2 * items)])
    same = rng.random(items) < 0.5
    lefts, rights = words[:items], np.where(same, words[:items], words[items:])
    ratings = rng.normal(np.where(same, 4.0, 1.0)[:, None], 0.3, (items, 6)).clip(0, 5)
    return Benchmark.from_columns(
        "strangers",
        scale="0..5",
        left=lefts.tolist(),
        right=rights.tolist(),
        score=ratings.mean(axis=1),
        sigma=ratings.std(axis=1),
        ratings=ratings.tolist(),
    )


class TestEvidence:
    DATA = SeveralData((strangers(200, 10),), (strangers(60, 11),))

    @pytest.mark.parametrize("encoding", ["joint", "cross"])
    def test_the_head_hears_what_the_encoder_cannot_read(self, bert, tmp_path, encoding):
        wanted = request(bert, encoding=encoding, evidence=("overlap",))
        train_opinions(self.DATA, wanted, tmp_path / "model")
        test = strangers(80, 12)
        system = make_system(f"uncertain({tmp_path / 'model'})")
        said = system.score(test.items)
        assert pearson(said.scores, test.gold.scores) > 0.9
        told = json.loads((tmp_path / "model/similitude.json").read_text())
        assert told["evidence"]["written"] == ["overlap"]
        assert told["architecture"]["evidence"] > 10
        assert "| evidence | overlap |" in (tmp_path / "model/README.md").read_text()
        alone = system.score(test.items.take(np.array([5])))
        assert alone.scores[0] == pytest.approx(said.scores[5], abs=1e-5)
        passes = make_system(f"uncertain({tmp_path / 'model'}, passes=4)").score(test.items)
        assert pearson(passes.scores, test.gold.scores) > 0.85

    def test_without_it_there_is_nothing_to_learn(self, bert, tmp_path):
        wanted = request(bert, encoding="cross")
        train_opinions(self.DATA, wanted, tmp_path / "model")
        test = strangers(80, 12)
        said = make_system(f"uncertain({tmp_path / 'model'})").score(test.items)
        assert said.scores.std() < 0.05  # all pairs look the same: [UNK] and [UNK]

    @pytest.mark.slow
    def test_after_a_kill_and_under_another_name(self, bert, tmp_path, monkeypatch):
        wanted = request(bert, evidence=("overlap", "jaccard"))
        train_opinions(self.DATA, wanted, tmp_path / "whole")
        honest, count = CheckpointFolder.save, iter(range(100))

        def dies(self, progress):
            if next(count) == 1:
                raise Killed
            honest(self, progress)

        with monkeypatch.context() as patch:
            patch.setattr(CheckpointFolder, "save", dies)
            with pytest.raises(Killed):
                train_opinions(self.DATA, wanted, tmp_path / "killed")
        train_opinions(self.DATA, wanted, tmp_path / "killed")
        for file in ("model.safetensors", "head.safetensors"):
            assert (tmp_path / "killed" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes(), file
        with pytest.raises(RunError, match=r"differs in: evidence"):
            train_opinions(self.DATA, request(bert, evidence=("overlap",)), tmp_path / "whole")

    def test_a_lost_file_is_named(self, bert, tmp_path):
        train_opinions(self.DATA, request(bert, evidence=("overlap",)), tmp_path / "model")
        (tmp_path / "model/evidence.npz").unlink()
        with pytest.raises(ArgumentError, match=r"evidence.npz is missing.*train it again"):
            make_system(f"uncertain({tmp_path / 'model'})").score(TEST.items)

    def test_a_damaged_file_is_named(self, bert, tmp_path):
        train_opinions(self.DATA, request(bert, evidence=("overlap",)), tmp_path / "model")
        (tmp_path / "model/evidence.npz").write_bytes(b"no archive")
        with pytest.raises(ArgumentError, match=r"model '.*model': evidence.npz is damaged.*train it again"):
            make_system(f"uncertain({tmp_path / 'model'})").score(TEST.items)

    def test_texts_read_alone_have_none(self, bert):
        with pytest.raises(ArgumentError, match="architecture 'bi' compares texts read alone"):
            request(bert, encoding="bi", evidence=("overlap",))
