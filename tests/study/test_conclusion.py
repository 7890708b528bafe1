"""The conclusion in one sentence, from every kind of run."""

import io
import json
import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.evaluate.significance import Contrast, Decision
from similitude.registry import Spec
from similitude.stats import Interval
from similitude.study import load_run
from similitude.study.conclusion_sentence import Standing

NAN = float("nan")


class Noisy:
    """Gold with noise."""

    summary = "gold with noise"
    range = Scale(low=0, high=5)
    reads = frozenset()

    def __init__(self, name, scores):
        self.name, self.scores = name, scores

    @property
    def identity(self):
        return Spec(self.name)

    def score(self, items):
        return Predictions(np.array([self.scores[int(name)] for name in items.ids]))


def benchmark(items=200, groups=0):
    gold = np.random.default_rng(7).uniform(0, 5, items)
    columns = {"id": [str(n) for n in range(items)], "left": ["a"] * items, "right": ["b"] * items, "score": gold}
    if groups:
        columns["group"] = [str(n % groups) for n in range(items)]
    return Benchmark(name="made", frame=pl.DataFrame(columns), scale=Scale(low=0, high=5))


def noisy(data, noise):
    rng = np.random.default_rng(1)
    return [Noisy(name, data.gold.scores + size * rng.normal(size=len(data))) for name, size in noise.items()]


def run(noise, items=200, groups=0, **options):
    data = benchmark(items, groups)
    return sim.run(data, noisy(data, noise), ["spearman"], **options)


def decision(best=(0,), more=None, **options):
    return Decision(level=0.95, may_be_best=best, more_units=more, **options)


def against(verdicts, margin=None, equivalent=(), not_worse=(), more=None):
    made = tuple(
        Contrast(
            system=row,
            difference=0.1,
            interval=Interval(0.0, 0.2),
            p_value=0.01,
            is_floor=False,
            verdict=verdict,
            more_units=more,
            not_worse_p_value=None if margin is None else 0.01 if row in not_worse else 0.5,
            equivalent_p_value=None if margin is None else 0.05 if row in equivalent else 0.0501,
        )
        for row, verdict in enumerate(verdicts, start=1)
    )
    return decision(baseline=0, contrasts=made, margin=margin)


STANDING = Standing(names=["x", "b", "c", "d"], values=[0.8, 0.81, 0.7, 0.6], by="spearman")


@pytest.mark.parametrize(
    ("decided", "sentence"),
    [
        (decision((1,)), "b is best by spearman (0.810), significantly better than all 3 others"),
        (
            decision((1, 0)),
            "2 of 4 systems are not significantly worse than the best by spearman at 95 %: b (0.810), x (0.800)",
        ),
        (
            decision((1, 0), 1300),
            "2 of 4 systems are not significantly worse than the best by spearman at 95 %: b (0.810), x (0.800); "
            "about 1,300 more items would show a difference",
        ),
        (
            decision((1, 0, 2, 3), 40),
            "none of 4 systems is significantly worse than the best by spearman at 95 %: "
            "b (0.810), x (0.800), c (0.700), d (0.600); "
            "about 40 more items would show that the first is better than the others",
        ),
        (
            decision((1,), margin=0.02, near_best=(1, 0)),
            "b is best by spearman (0.810), significantly better than all 3 others; "
            "within 0.02 of the best: b (0.810), x (0.800)",
        ),
        (
            decision((1,), margin=0.02),
            "b is best by spearman (0.810), significantly better than all 3 others; "
            "within 0.02 of the best: none is sure to be",
        ),
        (against(["better", "worse", "worse"]), "1 of 3 systems is significantly better than x by spearman, 2 worse"),
        (
            against(["better", "better", "undecided"]),
            "2 of 3 systems are significantly better than x by spearman, 1 undecided",
        ),
        (against(["undecided"] * 3), "none of 3 systems is significantly better than x by spearman, 3 undecided"),
        (
            against(["better", "worse", "undecided"], 0.01, equivalent=(3,), not_worse=(1, 3)),
            "1 of 3 systems is significantly better than x by spearman, 1 worse, 1 undecided; "
            "2 are surely not worse by more than 0.01, 1 of them equivalent",
        ),
        (
            against(["worse"] * 3, 0.01),
            "none of 3 systems is significantly better than x by spearman, 3 worse; "
            "none is surely not worse by more than 0.01",
        ),
        (decision(baseline=0), "x cannot be compared with other systems by spearman"),
    ],
)
def test_sentences(decided, sentence):
    assert STANDING.decided(decided) == sentence


@pytest.mark.parametrize(
    ("decided", "sentence"),
    [
        (decision((1,)), "b is best by mae (0.500), significantly better than x"),
        (decision((1, 0)), "neither system is significantly better by mae at 95 %: b (0.500), x (0.800)"),
        (against(["better"]), "b (0.500) is significantly better than x (0.800) by mae"),
        (
            against(["undecided"], more=70),
            "b (0.500) is not significantly different from x (0.800) by mae; about 70 more groups would decide",
        ),
    ],
)
def test_sentences_on_two_systems(decided, sentence):
    two = Standing(names=["x", "b"], values=[0.8, 0.5], by="mae", units="groups", higher_is_better=False)
    assert two.decided(decided) == sentence


def test_long_lists_end_in_a_number():
    many = Standing(names=[f"s{n}" for n in range(9)], values=[0.9 - n / 100 for n in range(9)], by="pearson")
    said = many.decided(decision(tuple(range(8))))
    assert said.endswith("s3 (0.870), s4 (0.860) and 3 more")


def test_systems_without_a_figure_are_not_counted():
    some = Standing(names=["a", "b", "c"], values=[0.9, NAN, 0.5], by="pearson")
    assert some.decided(decision((0,))) == "a is best by pearson (0.900), significantly better than c"
    assert some.untested().startswith("a (0.900) is best by pearson, c (0.500) follows; whether the difference is")
    assert replace(some, higher_is_better=False).known == [2, 0]


def test_equal_figures_without_a_test():
    assert (
        Standing(names=["a", "b", "c"], values=[0.9, 0.1, 0.9], by="pearson").untested()
        == "a, c are equally good by pearson (0.900); nothing was tested"
    )


def test_one_system_has_its_figure_with_interval():
    one = run({"alone": 1.0})
    low, high, _ = one.confidence.intervals[0][0]
    assert one.conclusion.sentence == f"alone has spearman {one.figures[0][0].value:.3f} [{low:.2f}, {high:.2f}]"
    assert run({"alone": 1.0}, resamples=0).conclusion.sentence == f"alone has spearman {one.figures[0][0].value:.3f}"


def test_the_best_is_told_apart_from_all_others():
    made = run({"good": 0.5, "poor": 2.0, "bad": 3.0})
    assert made.conclusion.sentence.endswith("significantly better than both others")
    assert made.conclusion.may_be_best == ("good",)
    assert next(iter(made.record())) == "conclusion"
    assert made.record()["conclusion"]["sentence"] == made.conclusion.sentence
    assert str(made).splitlines()[0] == made.conclusion.sentence
    assert [row["may_be_best"] for row in made.rows()] == [True, False, False]


def test_groups_are_called_groups():
    made = run({"one": 1.0, "other": 1.01}, items=60, groups=12)
    assert "more groups would show a difference" in made.conclusion.sentence


def test_a_baseline_may_be_written_in_another_way():
    made = sim.run("sample:opinions", ["levenshtein", "char-ngram-cosine"], ["spearman"], against="char-ngram-cosine()")
    assert made.against == "char-ngram-cosine"
    assert made.record()["decisions"][0]["against"] == "char-ngram-cosine"
    (row, own) = made.rows()
    assert row["against_verdict"] in ("better", "worse", "undecided")
    assert row["against_low"] < row["against_difference"] < row["against_high"]
    assert row["against_is_floor"] is False
    assert own["against_verdict"] is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"against": "lev"}, "the baseline 'lev' is none of the systems; name one of: levenshtein, damerau"),
        ({"against": "jaccard"}, "the baseline 'jaccard' is none of the systems"),
        ({"against": "damerau", "resamples": 0}, "against= needs tests"),
        ({"margin": 0.0}, "a margin of 0 leaves nothing"),
        ({"margin": -0.5}, "a margin of -0.5 leaves nothing"),
        ({"margin": float("inf")}, "a margin of inf leaves nothing"),
        ({"margin": 0.1, "resamples": 0}, "margin= needs tests"),
    ],
)
def test_mistakes_are_found_before_anything_is_scored(options, words, monkeypatch):
    monkeypatch.setattr("similitude.study.scorer.Scorer.score", lambda *_: pytest.fail("scored"))
    with pytest.raises(ArgumentError) as error:
        sim.run("sample:opinions", ["levenshtein", "damerau"], ["spearman"], **options)
    assert words in str(error.value)


def test_a_baseline_alone_is_refused():
    with pytest.raises(ArgumentError, match="there is no system to compare with 'levenshtein'"):
        sim.run("sample:opinions", ["levenshtein"], ["spearman"], against="levenshtein")


def test_a_saved_run_concludes_the_same(tmp_path):
    made = sim.run(
        "sample:opinions", ["levenshtein", "tfidf-cosine"], ["spearman"],
        against="levenshtein", margin=0.2, out=tmp_path,
    )  # fmt: skip
    back = load_run(tmp_path)
    assert (back.against, back.margin) == ("levenshtein", 0.2)
    assert back.record()["conclusion"] == made.record()["conclusion"]
    assert back.record()["decisions"] == made.record()["decisions"]


def test_a_run_of_an_earlier_version_concludes_from_its_letters(tmp_path):
    sim.run("sample:opinions", ["levenshtein", "tfidf-cosine", "damerau"], ["spearman"], out=tmp_path)
    record = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    for name in ("conclusion", "against", "margin", "decisions"):
        del record[name]
    for name in ("units", "covariances", "freedoms", "single_p_values"):
        del record["confidence"][name]
    (tmp_path / "run.json").write_text(json.dumps(record), encoding="utf-8")
    old = load_run(tmp_path)
    said = "none of 3 systems is significantly worse than the best by spearman at 95 %: tfidf-cosine ("
    assert old.conclusion.sentence.startswith(said)
    assert old.conclusion.more_units is None


class TestReplacedAnswers:
    """Systems with more than 10 % replaced answers are marked and never called best."""

    @staticmethod
    def run(**shares):
        """Systems that say gold, with noise in that order, and that replaced this share of their answers."""

        class Partly(Noisy):
            def __init__(self, name, scores, share):
                super().__init__(name, scores)
                self.share = share

            def score(self, items):
                made = super().score(items)
                invalid = np.zeros(len(made))
                invalid[: round(self.share * len(made))] = 1
                return replace(made, invalid=invalid)

        data = benchmark()
        made = noisy(data, {name: 0.2 + 0.6 * place for place, name in enumerate(shares)})
        return sim.run(data, [Partly(one.name, one.scores, shares[one.name]) for one in made], ["spearman"])

    def test_the_best_figure_is_not_called_best(self):
        found = self.run(first=0.11, second=0.0, third=0.0)
        assert found.never_best == (True, False, False)
        assert found.conclusion.may_be_best == ("second",)
        assert found.conclusion.sentence.startswith("second is best by spearman")
        assert found.conclusion.sentence.endswith(
            "; not called best, since more than 10 % of the answers were replaced: first"
        )

    def test_ten_per_cent_are_not_too_many(self):
        assert self.run(first=0.1, second=0.0).conclusion.may_be_best == ("first",)

    def test_no_system_is_best_if_all_are_marked(self):
        found = self.run(first=0.5, second=0.5)
        assert found.conclusion.may_be_best == ()
        assert found.conclusion.sentence.startswith("no system can be called best by spearman")

    def test_the_terminal_marks_it_too(self):
        from rich.console import Console

        from similitude.report.comparison import comparison_table

        console = Console(width=100, record=True, file=io.StringIO())
        console.print(comparison_table(self.run(first=0.11, second=0.0)))
        text = console.export_text()
        assert re.search(r"- +first \*", text)
        assert "* more than 10 % of the answers were replaced: no rank, and never called best" in text

    def test_the_table_marks_it_without_rank_or_bold(self):
        from similitude.report.tables import ranking_table

        table = ranking_table(self.run(first=0.11, second=0.0))
        assert [row[1].text for row in table.rows[:2]] == ["second", "first"]
        assert [row[2].is_best for row in table.rows[:2]] == [True, False]
        assert table.rows[1][0].text == "–"
        assert "11 % of its answers" in table.notes[table.rows[1][1].note - 1]
