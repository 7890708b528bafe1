"""Suites: averages by hand, missing cells, joining, resuming, overlap, and mistakes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

import similitude as sim
from similitude.errors import ArgumentError, InputError, PredictionError, RunError, UnknownNameError
from similitude.registry import Spec
from similitude.study.suite import load_suite
from similitude.study.suite.overlap import overlap_notes, overlaps


def benchmark(name: str, items: int = 12, *, scale: str = "0..5", seed: int = 0, **columns) -> sim.Benchmark:
    rng = np.random.default_rng([seed, *name.encode()])
    texts = [f"{name} {number} {rng.integers(1000)}" for number in range(2 * items)]
    low, high = map(float, scale.split(".."))
    scores = rng.uniform(low, high, items).round(3)
    ids = [f"{name}{number}" for number in range(items)]
    given = {"id": ids, "left": texts[::2], "right": texts[1::2], "score": scores.tolist()} | columns
    return sim.Benchmark.from_columns(name, scale=scale, **given)


@dataclass(frozen=True)
class Noisy:
    """A system whose scores are made of the id: gold it never sees. It counts its calls."""

    seed: int
    calls: list = field(default_factory=list, repr=False, compare=False)
    fails_on: str = ""
    nan_on: str = ""
    summary = "noise"
    range = sim.Scale(low=0, high=1)
    reads = frozenset()

    @property
    def identity(self) -> Spec:
        return Spec("noisy", None, (), {"seed": self.seed})

    def score(self, items: sim.Items) -> sim.Predictions:
        self.calls.append(items.ids[0][:1])
        if self.fails_on and items.ids[0].startswith(self.fails_on):
            raise RuntimeError("out of memory")
        scores = [np.random.default_rng([self.seed, *name.encode()]).random() for name in items.ids]
        if self.nan_on and items.ids[0].startswith(self.nan_on):
            scores[0] = np.nan
        return sim.Predictions(np.array(scores))


def spearman(data: sim.Benchmark, system: Noisy) -> float:
    return float(spearmanr(data.gold.scores, system.score(data.items).scores)[0])


A, B, C = benchmark("a"), benchmark("b", 20), benchmark("c", 30)


# --- averages -------------------------------------------------------------------------------------------------------


def test_mean_and_mean_by_pairs_by_hand():
    systems = [Noisy(1), Noisy(2)]
    found = sim.run_suite([A, B, C], systems)
    figures = np.array([[spearman(data, system) for system in systems] for data in (A, B, C)])
    assert found.main.values == pytest.approx(figures)
    assert found.mean.values == pytest.approx(figures.mean(axis=0))
    assert found.by_pairs.values == pytest.approx((12 * figures[0] + 20 * figures[1] + 30 * figures[2]) / 62)
    assert found["noisy(seed=2)", "b"] == pytest.approx(figures[1, 1])
    with pytest.raises(KeyError, match="no benchmark in this suite named 'z'; known: a, b, c"):
        found["noisy(seed=2)", "z"]


def test_mean_by_pairs_weights_sources_as_semeval_does():
    sources = ["x"] * 10 + ["y"] * 20
    data, system = benchmark("s", 30, source=sources), Noisy(3)
    found = sim.run_suite([A, data], [system], ["pearson"])
    gold, scores = data.gold.scores, system.score(data.items).scores
    parts = [pearsonr(gold[:10], scores[:10])[0], pearsonr(gold[10:], scores[10:])[0]]
    other = pearsonr(A.gold.scores, system.score(A.items).scores)[0]
    assert found.by_pairs.values[0] == pytest.approx((12 * other + 10 * parts[0] + 20 * parts[1]) / 42)
    pooled = pearsonr(gold, scores)[0]
    assert found.mean.values[0] == pytest.approx((other + pooled) / 2)
    assert [str(measure) for measure in found.benchmarks[1].run.measures] == ["pearson", "mean_over_sources(pearson)"]


def test_sources_of_fewer_than_ten_items_are_not_weighted_one_by_one():
    data = benchmark("s", 19, source=["x"] * 9 + ["y"] * 10)
    found = sim.run_suite([A, data], [Noisy(3)])
    assert [str(measure) for measure in found.benchmarks[1].run.measures] == ["spearman"]
    assert np.isfinite(found.by_pairs.values[0])


def test_borda_and_mean_rank_are_of_the_main_figures():
    systems = [Noisy(seed) for seed in range(4)]
    found = sim.run_suite([A, B, C], systems)
    ranks = np.array([(-row).argsort().argsort() + 1 for row in found.main.values])
    assert found.ranks.mean_rank == pytest.approx(ranks.mean(axis=0))
    assert found.ranks.borda == pytest.approx((4 - ranks).sum(axis=0))
    best = int(np.argmax(found.ranks.borda))
    assert found.ranks.borda_rank[best] == 1


def test_lower_is_better_turns_ranks_round_and_errors_on_one_scale_have_a_mean():
    systems = [Noisy(seed) for seed in range(3)]
    found = sim.run_suite([A, B], systems, ["mae"])
    assert not found.mean.higher_is_better
    assert found.order == np.argsort(found.mean.values).tolist()
    ranks = np.array([row.argsort().argsort() + 1 for row in found.main.values])
    assert found.ranks.mean_rank == pytest.approx(ranks.mean(axis=0))


def test_errors_on_different_scales_have_no_mean_but_ranks():
    found = sim.run_suite([A, benchmark("d", scale="0..1")], [Noisy(1), Noisy(2)], ["mae"])
    assert np.isnan(found.mean.values).all()
    assert found.mean.undefined_because == "mae depends on the scale, and the benchmarks have different scales"
    assert np.isfinite(found.ranks.borda).all()
    assert found.conclusion.sentence.startswith("there is no mean over the benchmarks: mae depends")
    correlation = sim.run_suite([A, benchmark("d", scale="0..1")], [Noisy(1)])
    assert np.isfinite(correlation.mean.values).all()


def test_the_interval_of_the_mean_comes_from_those_of_the_benchmarks():
    found = sim.run_suite([A, B, C], [Noisy(1), Noisy(2)])
    ends = np.array([[each.run.confidence.intervals[0][0][:2] for each in found.benchmarks]])[0]
    values = found.main.values[:, 0]
    squares, shifts = (np.diff(ends)[:, 0] / 2) ** 2, ends.mean(axis=1) - values
    middle = values.mean() + (shifts * squares).sum() / squares.sum() / 3
    reach = np.sqrt(squares.sum()) / 3
    assert found.mean.intervals[0][:2] == pytest.approx((middle - reach, middle + reach))
    covariances = [each.run.confidence.covariances[0] for each in found.benchmarks]
    assert found.mean.covariance == pytest.approx(sum(covariances) / 9)


def test_without_resamples_there_are_no_intervals_and_nothing_is_decided():
    found = sim.run_suite([A, B], [Noisy(1), Noisy(2)], resamples=0)
    assert np.isnan(found.mean.intervals[0].low)
    assert found.decision is None
    assert "was not tested" in found.conclusion.sentence
    assert found.record()["averages"][0]["systems"][0]["low"] is None


# --- missing cells --------------------------------------------------------------------------------------------------


def test_a_system_that_fails_on_one_benchmark_has_no_average_and_says_why():
    good, bad = Noisy(1), Noisy(2, fails_on="b")
    found = sim.run_suite([A, B, C], [good, bad, Noisy(3)])
    assert np.isnan(found.mean.values[1])
    assert np.isnan(found.ranks.borda[1])
    assert found.missing("noisy(seed=2)") == {
        "b": "system 'noisy(seed=2)': score() raised RuntimeError: out of memory; mend the system"
    }
    assert np.isfinite(found.main.values[[0, 2], 1]).all()  # what it has is still shown
    assert found.order[-1] == 1
    assert found.ranks.borda[[0, 2]].sum() == 3  # three benchmarks, one point each: the failed one does not vote
    assert found.conclusion.sentence.endswith("1 of 3 systems lack figures")
    rows = [row for row in found.rows() if row["system"] == "noisy(seed=2)" and row["average"] == "mean"]
    assert (rows[0]["value"], rows[0]["undefined_because"]) == (None, "no figure on b")


def test_a_number_that_is_none_costs_the_cell_or_the_item():
    bad = Noisy(2, nan_on="b")
    found = sim.run_suite([A, B], [Noisy(1), bad])
    assert "gave nan for item 'b" in found.missing("noisy(seed=2)")["b"]
    assert found.benchmarks[1].items == 20
    skipped = sim.run_suite([A, B], [Noisy(1), bad], on_error="skip")
    assert not skipped.missing("noisy(seed=2)")
    assert skipped.benchmarks[1].items == 19


def test_where_all_fail_the_first_error_is_raised():
    with pytest.raises(PredictionError, match="gave nan for item"):
        sim.run_suite([B], [Noisy(2, nan_on="b")])


def test_an_undefined_measure_is_a_missing_figure():
    constant = benchmark("k", score=[2.0] * 12)
    found = sim.run_suite([A, constant], [Noisy(1)])
    assert np.isnan(found.mean.values[0])
    assert list(found.missing("noisy(seed=1)")) == ["k"]
    assert found.conclusion.sentence == "no system has a figure on every benchmark, so there are no averages"


# --- results join ---------------------------------------------------------------------------------------------------


def test_a_second_call_computes_only_what_is_new(tmp_path):
    first, second = Noisy(1), Noisy(2)
    sim.run_suite([A, B], [first], out=tmp_path / "s")
    assert sorted(first.calls) == ["a", "b"]
    joined = sim.run_suite([A, B], [second], out=tmp_path / "s")
    assert sorted(second.calls) == ["a", "b"]
    assert sorted(first.calls) == ["a", "b"]
    assert joined.systems == ("noisy(seed=1)", "noisy(seed=2)")
    assert joined.main.values == pytest.approx(sim.run_suite([A, B], [Noisy(1), Noisy(2)]).main.values)
    again = sim.run_suite([A, B, C], [first, second], out=tmp_path / "s")
    assert sorted(first.calls) == sorted(second.calls) == ["a", "b", "c"]
    assert [each.name for each in again.benchmarks] == ["a", "b", "c"]


def test_a_benchmark_alone_joins_those_that_the_folder_holds(tmp_path):
    first, second = Noisy(1), Noisy(2)
    sim.run_suite([A, B], [first], out=tmp_path / "s")
    joined = sim.run_suite([C], [first, second], out=tmp_path / "s")
    assert sorted(first.calls) == ["a", "b", "c"]
    assert sorted(second.calls) == ["a", "b", "c"]  # the grid is filled
    assert [each.name for each in joined.benchmarks] == ["a", "b", "c"]
    assert np.isfinite(joined.main.values).all()
    alone = sim.run_suite([C], [first], out=tmp_path / "s", join=False)
    assert ([each.name for each in alone.benchmarks], alone.systems) == (["c"], ("noisy(seed=1)",))
    later = sim.run_suite([C], [first], out=tmp_path / "s")  # what was not shown is not forgotten
    assert ([each.name for each in later.benchmarks], len(later.systems)) == (["a", "b", "c"], 2)
    assert sorted(first.calls) == sorted(second.calls) == ["a", "b", "c"]


def test_a_system_that_left_nothing_behind_is_noted(tmp_path):
    sim.run_suite([A], [Noisy(1), Noisy(2, fails_on="a")], out=tmp_path / "s")
    found = sim.run_suite([A], [Noisy(3)], out=tmp_path / "s")
    assert found.systems == ("noisy(seed=1)", "noisy(seed=3)")
    assert found.notes[0].startswith("left out: noisy(seed=2) of an earlier call, which has no predictions")


def test_fresh_computes_the_named_systems_again_and_no_others(tmp_path):
    first, second = Noisy(1), Noisy(2)
    sim.run_suite([A], [first, second], out=tmp_path / "s")
    sim.run_suite([A], [second], out=tmp_path / "s", fresh=True)
    assert (first.calls, second.calls) == (["a"], ["a", "a"])


def test_a_killed_suite_resumes(tmp_path):
    class Killed(KeyboardInterrupt):
        pass

    @dataclass(frozen=True)
    class Mortal(Noisy):
        def score(self, items):
            if items.ids[0].startswith("c") and len(self.calls) < 3:
                self.calls.append("killed")
                raise Killed
            return super().score(items)

    system = Mortal(1)
    with pytest.raises(Killed):
        sim.run_suite([A, B, C], [system], out=tmp_path / "s")
    with pytest.raises(RunError, match="holds no finished suite; run the same 'evaluate' again: it resumes"):
        load_suite(tmp_path / "s")
    found = sim.run_suite([A, B, C], [system], out=tmp_path / "s")
    assert system.calls == ["a", "b", "killed", "c"]
    assert np.isfinite(found.mean.values).all()


def test_a_saved_suite_is_loaded_with_the_same_averages(tmp_path):
    made = sim.run_suite([A, B], [Noisy(1), Noisy(2, fails_on="b"), Noisy(3)], ["spearman", "mae"], out=tmp_path / "s")
    found = sim.load_run(tmp_path / "s")
    assert isinstance(found, sim.SuiteRun)
    assert found.record() == made.record()
    written = json.loads((tmp_path / "s" / "suite.json").read_text(encoding="utf-8"))
    assert written.pop("members")["systems"] == list(made.systems)
    assert written == made.record()
    assert next(iter(made.record())) == "conclusion"
    assert isinstance(sim.load_run(tmp_path / "s" / "a"), sim.Run)


def test_folders_that_are_something_else_are_refused(tmp_path):
    sim.run(A, [Noisy(1)], ["spearman"], out=tmp_path / "single")
    with pytest.raises(RunError, match="holds the run of one benchmark; choose another out="):
        sim.run_suite([A, B], [Noisy(1)], out=tmp_path / "single")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("Dear")
    with pytest.raises(RunError, match="is a folder with other files in it"):
        sim.run_suite([A, B], [Noisy(1)], out=tmp_path / "other")
    sim.run_suite([A, B], [Noisy(1)], out=tmp_path / "s")
    with pytest.raises(RunError, match="holds a run on other items"):
        sim.run_suite([benchmark("a", 13), B], [Noisy(1)], out=tmp_path / "s")
    (tmp_path / "s" / "suite.json").write_text("{")
    with pytest.raises(RunError, match=r"suite\.json is damaged"):
        sim.run_suite([A, B], [Noisy(1)], out=tmp_path / "s")


# --- decisions ------------------------------------------------------------------------------------------------------


def test_the_conclusion_is_drawn_from_the_mean():
    @dataclass(frozen=True)
    class Knowing(Noisy):
        def score(self, items):
            gold = {name: score for data in (A, B, C) for name, score in zip(data.items.ids, data.gold.scores)}  # noqa: B905
            noise = super().score(items).scores
            return sim.Predictions(np.array([gold[name] for name in items.ids]) + noise)

    best, others = Knowing(9), [Noisy(1), Noisy(2)]
    found = sim.run_suite([A, B, C], [*others, best])
    assert found.decision.may_be_best == (2,)
    assert found.conclusion.sentence.startswith("noisy(seed=9) is best by mean spearman over 3 benchmarks (0.")
    assert found.conclusion.may_be_best == ("noisy(seed=9)",)
    against = sim.run_suite([A, B, C], [*others, best], against="noisy(seed=9)")
    assert "none of 2 systems is significantly better than noisy(seed=9)" in against.conclusion.sentence
    with pytest.raises(ArgumentError, match="the baseline 'levenshtein' is none of the systems"):
        sim.run_suite([A, B], others, against="levenshtein")


# --- mistakes -------------------------------------------------------------------------------------------------------


def test_copies_are_refused_and_shared_texts_are_noted():
    copy = sim.Benchmark.from_columns(
        "copy", scale="0..5", left=A.items.lefts[::-1], right=A.items.rights[::-1], score=[1.0] * 6 + [2.0] * 6
    )
    with pytest.raises(ArgumentError, match="'a' and 'copy' hold the same items"):
        sim.run_suite([A, copy], [Noisy(1)])
    part = sim.Benchmark.from_columns(
        "part", scale="0..5", left=[*A.items.rights[:3], "new"], right=[*A.items.lefts[:3], A.items.lefts[5]],
        score=[1.0, 2.0, 3.0, 4.0],
    )  # fmt: skip
    assert overlaps([A, B, part]) == [(0, 2, 3, 7)]
    assert list(overlap_notes([A, B, part])) == [
        "a and part share 3 pairs of texts (75% of the smaller one)",
        "intervals of averages take benchmarks as independent, so shared pairs make them too narrow",
    ]
    assert "a and part share 3 pairs of texts (75% of the smaller one)" in sim.run_suite([A, part], [Noisy(1)]).notes


def test_systems_and_measures_are_checked_before_anything_runs():
    system = Noisy(1)
    with pytest.raises(UnknownNameError, match="did you mean 'spearman'"):
        sim.run_suite([A, B], [system], ["spearmann"])
    with pytest.raises(ArgumentError, match="a system is named twice"):
        sim.run_suite([A, B], [system, system])
    with pytest.raises(ArgumentError, match="no system to run"):
        sim.run_suite([A, B], [])
    with pytest.raises(ArgumentError, match="'a' has no split 'test'"):
        sim.run_suite([A, B], [system], split="test")
    assert system.calls == []


def test_benchmarks_with_the_same_name_get_that_of_their_folder(tmp_path):
    files = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        files.append(tmp_path / name / "test.csv")
        benchmark(name).frame.select("id", "left", "right", "score").write_csv(files[-1])
    found = sim.run_suite(files, [Noisy(1)])
    assert [each.name for each in found.benchmarks] == ["one/test", "two/test"]
    with pytest.raises(ArgumentError, match="is named twice"):
        sim.run_suite([files[0], files[0].parent / ".." / "one" / "test.csv"], [Noisy(1)])


# --- suites in files ------------------------------------------------------------------------------------------------

SUITE = """
name = "mine"
description = "two small ones"
language = "en"
measures = ["pearson"]

[[benchmarks]]
name = "first"
path = ["nowhere.csv", "a.csv"]
weight = 3
description = "the first"

[[benchmarks]]
name = "second"
path = "b.csv"
scale = "0..5"
measure = "spearman"
homepage = "example.org/b"
"""


@pytest.fixture
def suite(tmp_path) -> Path:
    sim.write(A, tmp_path / "a.csv")
    sim.write(B, tmp_path / "b.csv")
    (tmp_path / "mine.toml").write_text(SUITE, encoding="utf-8")
    return tmp_path / "mine.toml"


def test_a_suite_says_names_weights_and_measures(suite):
    found = sim.run_suite(suite, [Noisy(1)])
    assert [(each.name, each.weight) for each in found.benchmarks] == [("first", 3.0), ("second", 1.0)]
    scores = Noisy(1).score(A.items).scores
    first, second = pearsonr(A.gold.scores, scores)[0], spearman(B, Noisy(1))
    assert found.mean.values[0] == pytest.approx(0.75 * first + 0.25 * second)
    assert found.mean.measure == "pearson and spearman"
    assert "averages mix measures: pearson on first, spearman on second" in found.notes
    assert (found.name, found.language, found.benchmarks[1].homepage) == ("mine", "en", "example.org/b")


def changed(suite: Path, old: str, new: str) -> Path:
    text = suite.read_text(encoding="utf-8")
    assert old in text
    suite.write_text(text.replace(old, new, 1), encoding="utf-8")
    return suite


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "second"', 'name = "first"', "mine.toml, line 14: two benchmarks are named 'first'"),
        ('measure = "spearman"', 'measure = "spearmann"', "mine.toml, line 17: benchmarks.1.measure"),
        ("weight = 3", "weight = 0", "mine.toml, line 10: benchmarks.0.weight = 0"),
        ("weight = 3", "wieght = 3", "line 10: 'benchmarks.0.wieght' is not a known key; did you mean 'weight'"),
        ('scale = "0..5"', 'scale = "five"', "mine.toml, line 16: benchmarks.1.scale"),
        ('scale = "0..5"', 'columns = { lefft = "x" }', "mine.toml, line 16: benchmarks.1.columns"),
        ('path = "b.csv"', 'path = "c.csv"', "mine.toml, line 15: 1 benchmark of 2 not found"),
        ('path = "b.csv"', 'pth = "b.csv"', "'benchmarks.1.path' is missing"),
        ('scale = "0..5"', 'split = "test"', "has no split"),
        ('scale = "0..5"', 'sources = "topic"', "mine.toml, line 14"),
    ],
)  # fmt: skip
def test_mistakes_in_a_suite_name_file_line_and_remedy(suite, old, new, words):
    if "has no split" in words:
        sim.write(benchmark("b", 20, split=["dev"] * 20), suite.parent / "b.csv")
    with pytest.raises((InputError, ArgumentError)) as error:
        sim.run_suite(changed(suite, old, new), [Noisy(1)])
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_what_is_not_there_is_listed_with_its_page_or_skipped(suite, monkeypatch, tmp_path):
    (suite.parent / "b.csv").unlink()
    with pytest.raises(InputError, match=r"second \(b.csv, published at example.org/b\)") as error:
        sim.run_suite(suite, [Noisy(1)])
    assert "data_folder=" in str(error.value)
    assert "skip_missing=True" in str(error.value)
    found = sim.run_suite(suite, [Noisy(1)], skip_missing=True)
    assert [each.name for each in found.benchmarks] == ["first"]
    assert any("left out, because there is no data" in note and "second" in note for note in found.notes)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with pytest.raises(InputError, match="2 benchmarks of 2 not found"):
        sim.run_suite(suite, [Noisy(1)], data_folder=elsewhere, skip_missing=True)
    monkeypatch.setenv("SIMILITUDE_DATA", str(elsewhere))
    sim.write(A, elsewhere / "a.csv")
    sim.write(B, elsewhere / "b.csv")
    assert len(sim.run_suite(suite, [Noisy(1)]).benchmarks) == 2


def test_a_suite_in_a_file_does_not_take_over_benchmarks_that_it_no_longer_names(suite, tmp_path):
    sim.run_suite(suite, [Noisy(1)], out=tmp_path / "out")
    text = suite.read_text(encoding="utf-8")
    suite.write_text(text[: text.rindex("[[benchmarks]]")], encoding="utf-8")
    found = sim.run_suite(suite, [Noisy(2)], out=tmp_path / "out")
    assert ([each.name for each in found.benchmarks], len(found.systems)) == (["first"], 2)


def test_sources_may_stand_in_another_column(suite):
    sim.write(benchmark("b", 20, domain=["x"] * 10 + ["y"] * 10), suite.parent / "b.csv")
    found = sim.run_suite(changed(suite, 'scale = "0..5"', 'sources = "domain"'), [Noisy(1)])
    assert [each.name for each, _ in found.sources()] == ["second"]
    assert str(found.benchmarks[1].run.measures[-1]) == "mean_over_sources(spearman)"


def test_many_benchmarks_do_not_all_stand_in_the_name_but_have_a_folder_of_their_own():
    from similitude.study.suite import default_suite_folder, open_entries

    many = open_entries([benchmark(f"benchmark {number}") for number in range(12)])
    others = open_entries([*(entry.benchmark for entry in many.entries[:11]), benchmark("another")])
    assert many.described_name == "benchmark 0 and 11 more benchmarks"
    assert open_entries([A, B, C]).described_name == "a + b + c"
    assert default_suite_folder(many) != default_suite_folder(others)
    assert max(len(default_suite_folder(each).name) for each in (many, others)) < 80
    assert default_suite_folder(open_entries([A, B])) == Path("runs/suite-a-b")
