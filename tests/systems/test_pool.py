"""Pools: both rules by hand, scales, what is missing, names, errors, and a run of ``evaluate``."""

import json
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from similitude import run
from similitude.data.item import Items
from similitude.data.listeners import NoteKeeper
from similitude.data.prediction import Predictions
from similitude.data.protocols import FitsTexts, System, Tells, UsesAnswers, UsesCache, UsesModel
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, PredictionError, UnknownNameError
from similitude.models.cache import VectorStore
from similitude.registry import Spec, spec_of
from similitude.study.prompt_grid.estimates import estimate_systems
from similitude.systems import SYSTEMS, make_system
from similitude.systems.pool import Pool, parts, pool, pool_of, pooled_means, pooled_sigmas
from similitude.systems.pool.weights import read_weights, write_weights
from similitude.systems.scores import score_items

ITEMS = Items.from_pairs(["a red car", "two dogs run", "no"], ["a red bus", "three dogs sleep", "yes"])


@dataclass(frozen=True)
class Says:
    """Says of every item what it is told to, and counts how often it is asked."""

    name: ClassVar[str] = "says"
    summary: ClassVar[str] = "for tests"

    mean: float = 1.0
    sigma: float | None = None
    ends: str | None = "0..5"
    reading: str = ""
    asked: list[int] = field(default_factory=list, repr=False, compare=False)

    @property
    def range(self) -> Scale | None:
        return None if self.ends is None else Scale.parse(self.ends)

    @property
    def reads(self) -> frozenset[str]:
        return frozenset(self.reading.split())

    @property
    def identity(self) -> Spec:
        return spec_of(self, self.name)

    def score(self, items: Items) -> Predictions:
        self.asked.append(len(items))
        return Predictions(
            np.full(len(items), self.mean), None if self.sigma is None else np.full(len(items), self.sigma)
        )


@dataclass(frozen=True)
class FromFile:
    """Reads its mean and sigma, which may change, from a file, and finds its vectors and listener handed on."""

    name: ClassVar[str] = "from-file"
    summary: ClassVar[str] = "for tests"
    range: ClassVar[Scale] = Scale(low=0, high=5)
    reads: ClassVar[frozenset[str]] = frozenset()
    calls: ClassVar[list[str]] = []

    path: str
    given: tuple[object, ...] = field(default=(), repr=False, compare=False, kw_only=True)

    @property
    def identity(self) -> Spec:
        return Spec(self.name, None, (self.path,))

    def model_fingerprint(self) -> str:
        return Path(self.path).read_text()

    def with_cache(self, cache) -> "FromFile":
        return replace(self, given=(*self.given, cache))

    def with_answers(self, answers) -> "FromFile":
        return replace(self, given=(*self.given, answers))

    def with_listener(self, listener) -> "FromFile":
        return replace(self, given=(*self.given, listener))

    def score(self, items: Items) -> Predictions:
        self.calls.append(Path(self.path).name)
        mean, sigma = json.loads(Path(self.path).read_text())
        # means that follow the items, so that they can be correlated with gold
        means = np.array(
            [mean + len(set(a.split()) & set(b.split())) for a, b in zip(items.lefts, items.rights, strict=True)]
        )
        return Predictions(means, np.full(len(items), sigma))


@pytest.fixture(autouse=True)
def known(monkeypatch):
    for maker in (Says, FromFile):
        monkeypatch.setitem(SYSTEMS._makers, maker.name, maker)
    FromFile.calls.clear()


def said(how: str, *members: System, weights: str | None = None) -> tuple[float, float | None]:
    found = pool_of(members, how=how, weights=weights).score(ITEMS)[1]
    return found.score, found.sigma


class TestRules:
    def test_the_logarithmic_pool(self):
        # mean (1 + 4) / 2; ln sigma = (ln 0.5 + ln 2) / 2 = 0, so sigma is 1: how far both lie apart adds nothing
        assert said("log", Says(1.0, 0.5), Says(4.0, 2.0)) == pytest.approx((2.5, 1.0))

    def test_the_linear_pool(self):
        # mean 2.5; variance (0.25 + 4) / 2 + 1.5² = 2.125 + 2.25
        assert said("linear", Says(1.0, 0.5), Says(4.0, 2.0)) == pytest.approx((2.5, 4.375**0.5))

    def test_weights(self):
        # 3 to 1: mean (3 * 1 + 3) / 4 = 1.5; ln sigma = (3 ln 1 + ln 16) / 4 = ln 2
        assert said("log", Says(1.0, 1.0), Says(3.0, 16.0), weights="3,1") == pytest.approx((1.5, 2.0))
        # variance (3 * (1 + 0.5²) + 256 + 1.5²) / 4 = (3.75 + 258.25) / 4 = 65.5
        assert said("linear", Says(1.0, 1.0), Says(3.0, 16.0), weights="3,1") == pytest.approx((1.5, 65.5**0.5))

    @pytest.mark.parametrize("how", ["log", "linear"])
    def test_only_ratios_of_weights_count_and_order_does_not(self, how):
        one, other = Says(1.0, 0.7), Says(4.0, 0.2)
        expected = said(how, one, other, weights="2,1")
        assert said(how, one, other, weights="0.4,0.2") == pytest.approx(expected)
        assert said(how, other, one, weights="1,2") == pytest.approx(expected)

    @pytest.mark.parametrize("how", ["log", "linear"])
    def test_those_who_agree_are_left_as_they_are(self, how):
        assert said(how, Says(2.0, 0.3), Says(2.0, 0.3, reading="context")) == pytest.approx((2.0, 0.3))

    def test_three_systems(self):
        # mean (0 + 1 + 5) / 3; sigma the cube root of 0.5 * 1 * 2
        assert said("log", Says(0.0, 0.5), Says(1.0, 1.0), Says(5.0, 2.0)) == pytest.approx((2.0, 1.0))

    def test_a_certain_system_makes_the_logarithmic_pool_certain_and_not_the_linear_one(self):
        assert said("log", Says(1.0, 0.0), Says(1.0, 2.0)) == (1.0, 0.0)
        assert said("linear", Says(1.0, 0.0), Says(1.0, 2.0)) == pytest.approx((1.0, 2**0.5))

    def test_the_linear_pool_is_the_mixture(self):
        rng = np.random.default_rng(0)
        drawn = np.where(rng.random(400_000) < 0.75, rng.normal(1, 0.5, 400_000), rng.normal(3, 1, 400_000))
        found = said("linear", Says(1.0, 0.5), Says(3.0, 1.0), weights="3,1")
        assert found == pytest.approx((drawn.mean(), drawn.std()), rel=0.01)

    def test_an_item_does_not_depend_on_its_company_to_the_last_bit(self):
        rng = np.random.default_rng(1)
        means, sigmas, weights = rng.normal(size=(11, 37)), rng.uniform(0.1, 2, (11, 37)), rng.uniform(0.1, 1, 11)
        for place in (0, 20, 36):
            alone = slice(place, place + 1)
            assert pooled_means(means[:, alone], weights)[0] == pooled_means(means, weights)[place]
            for rule in ("log", "linear"):
                one = pooled_sigmas(rule, means[:, alone], sigmas[:, alone], weights)[0]
                assert one == pooled_sigmas(rule, means, sigmas, weights)[place]


class TestScales:
    def test_answers_are_mapped_to_the_range_of_the_first(self):
        # 0.5 on 0..1 is 3 on 1..5 and a sigma of 0.25 is 1: mean (2 + 3) / 2, sigma sqrt(4 * 1)
        first, second = Says(2.0, 4.0, "1..5"), Says(0.5, 0.25, "0..1")
        assert said("log", first, second) == pytest.approx((2.5, 2.0))
        assert str(pool_of([first, second]).range) == "1..5"
        # the other way round: 2 on 1..5 is 0.25 on 0..1, a sigma of 4 is 1
        assert said("log", second, first) == pytest.approx((0.375, 0.5))
        assert str(pool_of([second, first]).range) == "0..1"

    def test_without_any_range_answers_are_taken_as_they_are(self):
        both = pool_of([Says(2.0, ends=None), Says(5.0, ends=None)])
        assert both.range is None
        assert both.score(ITEMS).scores.tolist() == [3.5, 3.5, 3.5]

    @pytest.mark.parametrize("members", [(Says(), Says(ends=None)), (Says(ends=None), Says())])
    def test_some_without_a_range_among_others_are_refused(self, members):
        for ask in (lambda made: made.range, lambda made: made.score(ITEMS)):
            with pytest.raises(ArgumentError, match=r"cannot pool 'says.ends=none.', which has no range") as caught:
                ask(pool_of(members))
            assert "leave out 'says(ends=none)'" in caught.value.remedy


class TestWhatIsMissing:
    def test_no_sigma_where_one_has_none_and_a_note_says_why(self):
        book = NoteKeeper()
        mixed = pool_of([Says(1.0, 0.5), Says(3.0)]).with_listener(book)
        found = mixed.score(ITEMS)
        assert found.sigmas is None
        assert found.scores.tolist() == [2.0, 2.0, 2.0]
        assert book.notes == ["the pool has no sigma, because there is none from 'says(mean=3.0)'"]

    def test_no_sigma_and_no_note_where_none_has_one(self):
        book = NoteKeeper()
        assert pool_of([Says(1.0), Says(3.0)]).with_listener(book).score(ITEMS).sigmas is None
        assert book.notes == []

    @pytest.mark.parametrize("how", ["log", "linear"])
    def test_nan_of_one_is_nan_of_all(self, how):
        @dataclass(frozen=True)
        class Gaps(Says):
            def score(self, items: Items) -> Predictions:
                return Predictions(np.array([1.0, np.nan, 1.0]), np.array([0.5, 0.5, np.nan]))

        found = pool_of([Gaps(), Says(3.0, 0.5)], how=how).score(ITEMS)
        np.testing.assert_array_equal(found.scores, [2.0, np.nan, 2.0])
        assert np.isnan(found.sigmas).tolist() == [False, True, True]

    def test_a_run_stops_at_an_item_without_a_pooled_number(self):
        with pytest.raises(PredictionError, match="gave nan for item"):
            run("sample:opinions", ["pool(levenshtein, says(mean=nan))"], ["pearson"], resamples=0)

    def test_a_weight_of_0_leaves_a_system_out(self):
        unsure, silent = Says(1.0, 0.5), Says(np.nan, reading="context")
        assert said("log", unsure, silent, Says(1.0, 0.5, "0..6"), weights="1,0,0") == (1.0, 0.5)
        assert silent.asked == []

    def test_shares_invalid_by_weight_and_no_samples(self):
        @dataclass(frozen=True)
        class Unreadable(Says):
            def score(self, items: Items) -> Predictions:
                samples = np.ones((3, 2))
                return Predictions(np.ones(3), np.ones(3), samples, np.array([0.0, 0.5, 1.0]))

        found = pool_of([Unreadable(), Says(3.0)], weights="1,3").score(ITEMS)
        assert found.invalid.tolist() == [0.0, 0.125, 0.25]  # a quarter of the weight
        assert found.samples is None
        assert pool_of([Says(1.0), Says(3.0)]).score(ITEMS).invalid is None

    def test_a_member_that_does_not_answer_every_item_is_named(self):
        @dataclass(frozen=True)
        class Short(Says):
            def score(self, items: Items) -> Predictions:
                return Predictions(np.ones(1))

        with pytest.raises(PredictionError, match=r"^says.mean=7.*: 1 predictions for 3 items"):
            pool_of([Short(7.0), Says()]).score(ITEMS)

    def test_no_items(self):
        nobody = pool_of([Says(1.0, 0.5), Says(3.0, 0.5)]).score(Items.from_pairs([], []))
        assert (len(nobody), nobody.sigmas.size) == (0, 0)


class TestNames:
    @pytest.mark.parametrize(
        ("written", "identity"),
        [
            ("pool(use, jaccard)", "pool(use-multilingual, word-ngram-jaccard)"),
            ('pool("uncertain(ours)", "gpr(process)")', "pool(uncertain(ours), gpr(process))"),
            (
                "pool(uncertain(ours), gpr(process, encoder=encoder(x)))",
                "pool(uncertain(ours), gpr(process, encoder=encoder(x)))",
            ),
            ("pool(jaro, jaccard, how=linear)", "pool(jaro, word-ngram-jaccard, how=linear)"),
            ("pool(jaro, jaccard, how=log)", "pool(jaro, word-ngram-jaccard)"),
            ("pool(jaro, jaccard, weights='2, 1.50')", "pool(jaro, word-ngram-jaccard, weights='2,1.5')"),
            ("pool(jaro, jaccard, weights=[2, 1])", "pool(jaro, word-ngram-jaccard, weights='2,1')"),
            ("pool('gpr(\"a, b\")', jaro)", "pool(gpr('a, b'), jaro)"),
            ("pool(pool(jaro, jaccard), use)", "pool(pool(jaro, word-ngram-jaccard), use-multilingual)"),
            (
                "pool(pool(jaro, jaccard, weights='2,1'), use, weights='1,3')",
                "pool(pool(jaro, word-ngram-jaccard, weights='2,1'), use-multilingual, weights='1,3')",
            ),
        ],
    )
    def test_a_pool_is_rebuilt_from_its_identity(self, written, identity):
        made = make_system(written)
        assert str(made.identity) == identity
        again = make_system(str(made.identity))
        assert again == made
        assert again.members == made.members

    def test_weights_are_written_as_they_were(self):
        for weights in ((1 / 3, 2.0), (1e-7, 1e6), (0.0, 1.0)):
            assert read_weights(write_weights(weights), 2) == weights

    @pytest.mark.parametrize(
        ("written", "message"),
        [
            ("pool", "a pool needs two systems or more, not 0; write pool("),
            ("pool(use)", "a pool needs two systems or more, not 1"),
            ("pool(use, use-multilingual)", "system 'use-multilingual' is in the pool 2 times"),
            ("pool(jaro, jaro(lowercase=true))", "system 'jaro' is in the pool 2 times"),
            ("pool(use, jaccard, how=product)", "how=product is not valid (input should be 'log' or 'linear')"),
            ("pool(use, jaccard, weights='2,1,1')", "3 weights '2,1,1' for 2 systems; write one number for each"),
            ("pool(use, jaccard, weights='2,-1')", "weights '2,-1' include one that is negative"),
            ("pool(use, jaccard, weights='2,nan')", "weights '2,nan' include one that is negative or not finite"),
            ("pool(use, jaccard, weights='0,0')", "weights '0,0' are all 0"),
            ("pool(use, jaccard, weights='2;1')", "cannot read '2;1' as weights; write one number for each system"),
            ("pool(use, jaccard, weights=[])", "0 weights '' for 2 systems"),
            ("pool(use, jaccard, weights=2, 1)", "systems=('use', 'jaccard', 1) is not valid"),
            ("pool(use, jaccard, speed=3)", "arguments of 'pool': systems..., how=log, weights=none"),
        ],
    )
    def test_mistakes_are_told_in_one_line(self, written, message):
        with pytest.raises(ArgumentError) as caught:
            make_system(written)
        assert message in str(caught.value)

    def test_an_unknown_member_suggests_the_nearest(self):
        with pytest.raises(UnknownNameError, match="no system named 'jacard'; did you mean 'jaccard'"):
            pool("use", "jacard")


class TestAsASystem:
    def test_a_pool_of_pools(self):
        # the inner pool says (1 + 3) / 2 = 2, the outer (2 + 5) / 2
        inner = pool_of([Says(1.0), Says(3.0)])
        outer = pool_of([inner, Says(5.0)])
        assert outer.score(ITEMS).scores.tolist() == [3.5, 3.5, 3.5]
        assert [part.mean for part in parts(outer)] == [1.0, 3.0, 5.0]
        assert [part.mean for part in parts(pool_of([inner, Says(5.0)], weights="0,1"))] == [5.0]

    def test_it_reads_what_any_member_reads(self):
        assert pool_of([Says(1.0), Says(2.0)]).reads == frozenset()
        both = pool_of([Says(reading="context"), Says(reading="condition")])
        assert both.reads == {"context", "condition"}

    def test_similarities_are_means_of_similarities(self):
        both = pool("levenshtein", "jaccard")
        alone = [make_system(name).similarities(ITEMS.lefts, ITEMS.rights) for name in ("levenshtein", "jaccard")]
        np.testing.assert_allclose(both.similarities(ITEMS.lefts, ITEMS.rights), np.mean(alone, axis=0))

    def test_the_fingerprint_follows_every_member(self, tmp_path):
        for name in "ab":
            (tmp_path / name).write_text("[1, 0.5]")
        made = pool(f"from-file({tmp_path}/a)", "jaccard", f"from-file({tmp_path}/b)")
        assert isinstance(made, UsesModel)
        seen = {made.model_fingerprint(), pool_of([made, Says()]).model_fingerprint()}
        (tmp_path / "b").write_text("[1, 0.7]")
        seen |= {made.model_fingerprint(), pool_of([made, Says()]).model_fingerprint()}
        assert len(seen) == 4

    def test_caches_answers_and_listener_reach_the_members_that_can_use_them(self, tmp_path):
        (tmp_path / "a").write_text("[1, 0.5]")
        made = pool_of([pool_of([FromFile(f"{tmp_path}/a"), Says(2.0)]), Says(3.0)])
        assert isinstance(made, UsesCache)
        assert isinstance(made, UsesAnswers)
        assert isinstance(made, Tells)
        cache, answers, book = VectorStore(tmp_path / "cache"), object(), NoteKeeper()
        handed = made.with_cache(cache).with_answers(answers).with_listener(book)
        assert handed == made
        assert next(parts(handed)).given == (cache, answers, book)
        assert next(parts(made)).given == ()

    def test_members_that_must_see_the_texts_first_do(self):
        made = pool("tfidf", "jaccard")
        assert isinstance(made, FitsTexts)
        assert not isinstance(pool("jaro", "jaccard"), FitsTexts)
        with pytest.raises(ArgumentError, match="has not been fitted on the texts"):
            made.score(ITEMS)
        alone = [make_system("tfidf").fit(ITEMS.texts()), make_system("jaccard")]
        expected = np.mean([system.score(ITEMS).scores for system in alone], axis=0)
        np.testing.assert_allclose(made.fit(ITEMS.texts()).score(ITEMS).scores, expected)
        predictions, record = score_items(pool_of([made, make_system("jaro")]), ITEMS, np.random.default_rng(0))
        assert np.isfinite(predictions.scores).all()
        assert record.fitted_on == f"items {ITEMS.fingerprint}"

    def test_two_pools_are_one_where_they_are_written_the_same(self):
        assert pool("jaro", "jaccard") == pool("jaro", "jaccard")
        assert pool("jaro", "jaccard") != pool("jaccard", "jaro")
        assert isinstance(make_system("pool(jaro, jaccard)"), Pool)


class TestInARun:
    def test_a_run_is_resumed_until_a_member_changes(self, tmp_path):
        (tmp_path / "a").write_text("[1, 0.5]")
        (tmp_path / "b").write_text("[2, 2]")
        named = f"pool(from-file({tmp_path}/a), from-file({tmp_path}/b))"

        def measured():
            return run("sample:opinions", [named], ["kl", "pearson"], out=tmp_path / "run", resamples=0)

        first, again = measured(), measured()
        assert first.predictions[0].sigmas == pytest.approx(1.0)  # sqrt(0.5 * 2)
        np.testing.assert_array_equal(again.predictions[0].sigmas, first.predictions[0].sigmas)
        assert FromFile.calls == ["a", "b"]  # not asked again
        (tmp_path / "b").write_text("[2, 8]")
        changed = measured()
        assert FromFile.calls == ["a", "b", "a", "b"]
        assert changed.systems[0].model != first.systems[0].model
        assert changed.predictions[0].sigmas == pytest.approx(2.0)  # sqrt(0.5 * 8)
        assert changed[named, "kl"] != first[named, "kl"]

    def test_what_language_models_in_a_pool_would_be_asked_is_estimated_once(self):
        model = "prompted(m, url=http://127.0.0.1:1/v1)"
        asking = [make_system(f"pool(levenshtein, pool({model}, jaro))"), make_system(model), make_system("jaro")]
        (one,) = estimate_systems(asking, ITEMS)
        assert one.name == "prompted(m, url=http://127.0.0.1:1/v1)"
        assert one.estimate.prompts == 3

    def test_pools_with_long_names_do_not_share_a_file(self, tmp_path):
        long = "pool(char-ngram-jaccard(n=4), char-ngram-cosine(n=5), word-ngram-containment, {})"
        names = [long.format("jaro"), long.format("levenshtein")]
        first = run("sample:opinions", names, ["pearson"], out=tmp_path / "run", resamples=0)
        assert len(list((tmp_path / "run" / "predictions").glob("*.json"))) == 2
        again = run("sample:opinions", names, ["pearson"], out=tmp_path / "run", resamples=0)
        assert again.figures == first.figures

    def test_evaluate_on_the_sample(self, tmp_path, monkeypatch, capsys):
        from similitude.cli import main

        (tmp_path / "a").write_text("[1, 0.5]")
        (tmp_path / "b").write_text("[2, 2]")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setenv("SIMILITUDE_CACHE", "off")
        systems = ["levenshtein", "jaccard", 'pool(levenshtein, "jaccard")', 'pool("from-file(a)", "from-file(b)")']
        named = [option for name in systems for option in ("-s", name)]
        options = ["-m", "spearman", "-m", "nlpd", "--resamples", "0", "--json"]
        monkeypatch.setattr(sys, "argv", ["similitude", "evaluate", "sample:opinions", *named, *options])
        with pytest.raises(SystemExit) as end:
            main()
        told = capsys.readouterr()
        assert not end.value.code, told.err
        found = {(one["system"], one["measure"]): one["value"] for one in json.loads(told.out)["figures"]}
        assert found["pool(levenshtein, word-ngram-jaccard)", "spearman"] > 0
        assert found["pool(levenshtein, word-ngram-jaccard)", "nlpd"] is None
        assert found["pool(from-file(a), from-file(b))", "nlpd"] > 0
