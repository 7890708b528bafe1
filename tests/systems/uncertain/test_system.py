"""Models of opinions as systems: against transformers by hand, item by item, and what they refuse."""

import json
from functools import partial
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from similitude.data.item import Items
from similitude.errors import ArgumentError
from similitude.models.cache import VectorStore
from similitude.systems import make_system
from similitude.systems.uncertain.architecture import Architecture
from similitude.systems.uncertain.heads import camps_of, moments_of
from similitude.systems.uncertain.moments import outputs_of, predict_moments

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")

MODES = {
    "cross": ({}, ""),
    "cross, one order": ({}, ", both_orders=false"),
    "bi": ({"encoding": "bi", "pooling": "mean"}, ""),
    "joint": ({"encoding": "joint", "separator": 3}, ""),
    "passes of a joint reading": ({"encoding": "joint", "separator": 3}, ", passes=4"),
    "a mixture": ({"head": "mixture"}, ""),
    "a histogram": ({"head": "histogram", "hidden": 8}, ""),
    "passes": ({}, ", passes=5"),
    "passes of a bi-encoder": ({"encoding": "bi", "head": "point"}, ", passes=3"),
    "an ensemble": ({"members": 3, "head": "point"}, ""),
    "an ensemble of bi-encoders with passes": ({"members": 2, "encoding": "bi"}, ", passes=3"),
}


@pytest.fixture(scope="module")
def systems(build):
    made = {}

    def get(mode: str, more: str = ""):
        options, arguments = MODES[mode]
        if mode not in made:
            made[mode] = build(**options)
        return make_system(f"uncertain({made[mode]}, device=cpu{arguments}{more})")

    return get


@pytest.fixture
def items(pairs) -> Items:
    return Items.from_pairs(*pairs)


class TestByHand:
    @pytest.mark.slow
    def test_a_cross_encoder(self, build, bert, pairs):
        from safetensors.numpy import load_file

        folder = build(pooling="cls", low=1.0, high=5.0)
        head = load_file(folder / "head.safetensors")
        model = transformers.BertModel.from_pretrained(bert).eval()
        tokenizer = transformers.AutoTokenizer.from_pretrained(bert)

        def say(left: str, right: str) -> tuple[float, float]:
            with torch.inference_mode():
                vector = model(**tokenizer(left, right, return_tensors="pt")).last_hidden_state[0, 0].numpy()
            inner = np.tanh(head["inner.weight"] @ vector + head["inner.bias"])
            mean, sigma = head["outer.weight"] @ inner + head["outer.bias"]
            return 1 / (1 + np.exp(-mean)), 0.005 + np.log1p(np.exp(sigma - 2))

        system = make_system(f"uncertain({folder}, device=cpu)")
        said = system.score(Items.from_pairs(*pairs))
        for place, (left, right) in enumerate(zip(*pairs, strict=True)):
            (m1, s1), (m2, s2) = say(left, right), say(right, left)
            # both orders in equal parts: mean of variances plus variance of means, on 1..5
            sigma = np.sqrt((s1**2 + s2**2) / 2 + ((m1 - m2) / 2) ** 2)
            assert said.scores[place] == pytest.approx(1 + 4 * (m1 + m2) / 2, abs=1e-5)
            assert said.sigmas[place] == pytest.approx(4 * sigma, abs=1e-5)

    def test_an_ensemble_is_the_equal_mixture_of_its_members(self):
        # Two members, one order, one pass: N(0.2, 0.1) and N(0.6, 0.2). Mean 0.4; variance (0.01 + 0.04) / 2 + 0.04
        architecture = Architecture(floor=0.001)
        raw = [[np.log(m / (1 - m)), np.log(np.expm1(s - 0.001)) + 2] for m, s in ((0.2, 0.1), (0.6, 0.2))]
        mean, sigma = predict_moments(architecture, np.array(raw)[None, None])
        assert mean[0] == pytest.approx(0.4)
        assert sigma[0] == pytest.approx(np.sqrt(0.065))

    def test_points_differ_over_draws_alone(self):
        # Two orders x two draws of sigmoid^-1: draws average to 0.3 and 0.5: mean 0.4, standard deviation 0.1
        means = np.array([[0.2, 0.4], [0.4, 0.6]])
        outputs = np.log(means / (1 - means))[None, :, :, None]
        mean, sigma = predict_moments(Architecture(head="point"), outputs)
        assert (mean[0], sigma[0]) == (pytest.approx(0.4), pytest.approx(0.1))
        assert predict_moments(Architecture(head="point"), outputs[:, :, :1]).sigmas is None

    @pytest.mark.parametrize("mode", ["cross", "bi", "a histogram"])
    def test_numpy_after_the_encoder_is_what_torch_does_in_training(self, systems, items, mode):
        from similitude.models.encoders.loader import LoadOptions
        from similitude.models.encoders.token_table import TokenTable
        from similitude.systems.uncertain.input_text import read_orders
        from similitude.systems.uncertain.loader import open_network
        from similitude.training.uncertain.validation import OpinionValidator

        system = systems(mode)
        architecture = system.folder.architecture
        opened = open_network(LoadOptions(system.files, "cpu", "float32"), architecture)
        read = read_orders(architecture, items, both=True)
        table = TokenTable(opened.reader, read.texts, "cpu")
        validator = OpinionValidator(
            table=table, rows=read.rows, opinions=None, objective=None, precision=torch.float32
        )
        means, sigmas = predict_moments(architecture, validator.outputs(opened.network))
        said = system.score(items)
        np.testing.assert_allclose(said.scores, 5 * means, atol=1e-5)
        np.testing.assert_allclose(said.sigmas, 5 * sigmas, atol=1e-5)

    def test_vectors_of_a_bi_encoder_meet_in_the_head(self):
        rng = np.random.default_rng(0)
        head = {
            "inner.weight": rng.normal(size=(3, 8)).astype(np.float32),
            "inner.bias": rng.normal(size=3).astype(np.float32),
            "outer.weight": rng.normal(size=(2, 3)).astype(np.float32),
            "outer.bias": rng.normal(size=2).astype(np.float32),
        }
        vectors = rng.normal(size=(4, 2 * 2)).astype(np.float32)  # two passes of width 2
        rows = np.array([[[0, 1]], [[2, 3]], [[3, 2]]])
        outputs = outputs_of(Architecture(encoding="bi"), vectors, rows, [head])
        u, v = vectors[2, 2:], vectors[3, 2:]
        inner = np.tanh(head["inner.weight"] @ np.concatenate([u, v, abs(u - v), u * v]) + head["inner.bias"])
        np.testing.assert_allclose(outputs[1, 0, 1], head["outer.weight"] @ inner + head["outer.bias"], rtol=1e-5)
        assert outputs.shape == (3, 1, 2, 2)


class TestAsASystem:
    @pytest.mark.parametrize("mode", MODES)
    def test_an_answer_depends_on_its_item_alone(self, systems, items, mode):
        system = systems(mode)
        together = system.score(items)
        order = np.array([3, 0, 5, 1, 4, 2])
        turned = system.score(items.take(order))
        assert turned.scores.tolist() == together.scores[order].tolist()
        assert turned.sigmas.tolist() == together.sigmas[order].tolist()
        for row in (0, 3):
            alone = system.score(items.take(np.array([row])))
            assert (alone.scores[0], alone.sigmas[0]) == (together.scores[row], together.sigmas[row])
        assert (together.sigmas > 0).all()

    @pytest.mark.parametrize("mode", ["cross", "bi", "passes"])
    def test_symmetric_in_both_orders_and_not_in_one(self, systems, pairs, mode):
        lefts, rights = pairs
        system, one = systems(mode), systems(mode, ", both_orders=false")
        assert system.similarities(lefts, rights) == pytest.approx(system.similarities(rights, lefts), abs=1e-12)
        assert np.abs(one.similarities(lefts, rights) - one.similarities(rights, lefts)).max() > 1e-4

    def test_batches_change_nothing(self, systems, items):
        system, small = systems("passes"), systems("passes", ", batch=1")
        np.testing.assert_allclose(small.score(items).sigmas, system.score(items).sigmas, atol=1e-5)

    @pytest.mark.parametrize("mode", ["passes", "an ensemble of bi-encoders with passes"])
    @pytest.mark.slow
    def test_batches_side_by_side_do_not_disturb_each_other(self, systems, pairs, mode, request):
        from similitude.models.encoders.vector_cache import MODEL

        request.addfinalizer(MODEL.clear)
        request.addfinalizer(partial(torch.set_num_threads, torch.get_num_threads()))
        many = Items.from_pairs(*([f"{text} {n}" for n in range(40) for text in side] for side in pairs))
        expected = systems(mode).score(many)
        MODEL.clear()  # so that it is loaded again, for two cores
        torch.set_num_threads(2)
        said = systems(mode).score(many)
        assert said.sigmas.tolist() == expected.sigmas.tolist()

    def test_more_passes_begin_with_the_fewer(self, build, items):
        folder = build(head="point")
        one, two, none = (make_system(f"uncertain({folder}, device=cpu, passes={n})").score(items) for n in (1, 2, 0))
        assert one.sigmas is None
        assert none.sigmas is None
        # sigma of two passes: half their difference; the second pass is twice the mean less the first
        second = 2 * two.scores - one.scores
        np.testing.assert_allclose(two.sigmas, np.abs(second - one.scores) / 2, atol=1e-6)

    def test_what_it_says_of_itself(self, build, items):
        folder = build(low=1.0, high=7.0)
        system = make_system(f"uncertain({folder}, passes=4)")
        assert str(system.identity) == f"uncertain({folder}, passes=4)"
        assert system.reads == frozenset()
        assert (system.range.low, system.range.high) == (1, 7)
        nothing = system.score(items.take(np.array([], np.intp)))
        assert (len(nothing), nothing.sigmas.shape) == (0, (0,))

    def test_what_was_computed_is_kept_with_the_passes_it_was_computed_by(self, systems, items, tmp_path, monkeypatch):
        from similitude.models.encoders.text_model import TokenModel

        store = VectorStore(tmp_path / "vectors")
        seen: list = []
        honest = TokenModel.prepare
        monkeypatch.setattr(
            TokenModel, "prepare", lambda self, texts, prompt: seen.extend(texts) or honest(self, texts, prompt)
        )
        first = systems("passes").with_cache(store).score(items)
        assert len(seen) == 12  # each pair in both orders, tokenised once for all passes
        again = systems("passes").with_cache(store).score(items)
        one_order = systems("passes", ", both_orders=false").with_cache(store).score(items)
        assert len(seen) == 12
        assert again.sigmas.tolist() == first.sigmas.tolist()
        assert np.isfinite(one_order.sigmas).all()

    def test_sigmas_are_recalibrated_where_the_folder_says_so(self, build, items):
        plain = make_system(f"uncertain({build()}, device=cpu)").score(items)
        record = {"kind": "scaling", "factor": 0.5, "items": 100}
        scaled = make_system(f"uncertain({build(recalibration=record)}, device=cpu)").score(items)
        np.testing.assert_allclose(scaled.sigmas, 0.5 * plain.sigmas)
        assert scaled.scores.tolist() == plain.scores.tolist()

    def test_pairs_that_are_too_long_are_told_of(self, systems, items):
        class Ear:
            notes: ClassVar[list[str]] = []

            def progress(self, stage, done, total):
                pass

            def note(self, text):
                self.notes.append(text)

        long = Items(items.frame[:2].with_columns(left=pl.lit("long " * 40)))
        systems("cross").with_listener(Ear()).score(long)
        assert any("2 of 2 items (4 of 4 distinct pairs) were cut to the 64 tokens" in note for note in Ear.notes)


class TestRefusals:
    def test_a_folder_that_was_not_trained_here(self, bert, items):
        with pytest.raises(ArgumentError, match=r"was not trained by 'similitude train uncertain'.*encoder\("):
            make_system(f"uncertain({bert})").score(items)

    def test_a_model_of_opinions_is_not_one_of_conditions(self, build, items):
        folder = build()
        with pytest.raises(ArgumentError, match=r"was trained as an uncertain model.*write uncertain\("):
            make_system(f"conditional({folder})").score(items)

    def test_a_model_without_dropout_has_no_passes(self, build, items):
        with pytest.raises(ArgumentError, match="no dropout, so 5 passes would all be equal"):
            make_system(f"uncertain({build(dropout=0.0)}, device=cpu, passes=5)").score(items)

    @pytest.mark.parametrize("passes", [-1, 1001])
    def test_passes_that_cannot_be(self, bert, passes):
        with pytest.raises(ArgumentError, match=f"passes={passes}"):
            make_system(f"uncertain({bert}, passes={passes})")

    def test_a_member_that_is_missing_or_does_not_fit(self, build, items):
        folder = build(members=2)
        told = json.loads((folder / "similitude.json").read_text())
        (folder / "similitude.json").write_text(json.dumps(told | {"members": 3}))
        with pytest.raises(ArgumentError, match=r"member-2\.safetensors is missing"):
            make_system(f"uncertain({folder}, device=cpu)").score(items)
        (folder / "member-2.safetensors").write_bytes((folder / "head.safetensors").read_bytes())
        with pytest.raises(ArgumentError, match=r"member-2\.safetensors does not fit similitude\.json"):
            make_system(f"uncertain({folder}, device=cpu)").score(items)


def test_what_a_histogram_says_is_not_cut_at_its_ends():
    # All opinions at the upper end: mean 1, and no less
    outputs = np.full((1, 21), -50.0)
    outputs[0, -1] = 50.0
    mean, variance = moments_of(camps_of(Architecture(head="histogram"), outputs))
    assert (float(mean[0]), float(variance[0])) == (pytest.approx(1.0), pytest.approx(0.005**2))
