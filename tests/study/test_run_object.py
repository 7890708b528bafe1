"""A run in the hands of a user: figures by name, tables, comparisons, disagreements, plots, reports, folders."""

import json
import math
import re
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude import errors
from similitude.evaluate.measured_figure import MeasuredFigure
from similitude.report.run_plots import KINDS
from similitude.study.runs import PlotKind

NAMES = {"edits": "levenshtein", "lengths": "length-ratio", "3-grams": "char-ngram-cosine(n=3)"}


@pytest.fixture(scope="module")
def run() -> sim.Run:
    return sim.run("sample:opinions", NAMES, ["spearman", "pearson", "mae", "kl"])


@pytest.fixture(scope="module")
def untested() -> sim.Run:
    return sim.run("sample:opinions", NAMES, ["spearman", "mae"], resamples=0)


@pytest.fixture(scope="module")
def labels() -> sim.Run:
    bench = sim.read("sample:opinions")
    yes = (bench.frame["score"] > 2.5).cast(pl.Float64).to_list()
    texts = {side: bench.frame[side].to_list() for side in ("left", "right")}
    pairs = sim.Benchmark.from_columns("pairs", score=yes, scale="0..1", **texts)
    return sim.run(pairs, ["levenshtein", "word-ngram-jaccard"], ["f1", "auc"], resamples=50)


class TestFigures:
    def test_a_figure_has_the_numbers_of_the_table(self, run):
        row = next(row for row in run.rows() if (row["name"], row["measure"]) == ("edits", "spearman"))
        figure = run["edits", "spearman"]
        assert isinstance(figure, MeasuredFigure)
        assert (figure.value, figure.low, figure.high, figure.level) == (row["value"], row["low"], row["high"], 0.95)

    def test_identity_and_other_spellings_mean_the_same(self, run):
        for name in ("3-grams", "char-ngram-cosine", "char-ngram-cosine(n=3)"):
            assert run[name, "spearman"] == run.figures[2][0].value

    def test_one_name_gives_all_figures(self, run):
        assert list(run["lengths"]) == ["spearman", "pearson", "mae", "kl"]
        assert run["lengths"]["mae"] == run["lengths", "mae"]

    def test_an_undefined_figure_says_why(self, run):
        figure = run["edits", "kl"]
        assert math.isnan(figure)
        assert figure.reason == "the system gives no standard deviation"
        assert figure.low is None

    def test_without_tests_there_is_no_interval(self, untested):
        figure = untested["edits", "spearman"]
        assert (figure.low, figure.high, figure.reason) == (None, None, None)

    @pytest.mark.parametrize(
        ("key", "said"),
        [
            (("edit", "spearman"), "no system in this run named 'edit'; did you mean 'edits'\\? known: 3-grams, edits"),
            (("edits", "sperman"), "no measure in this run named 'sperman'; did you mean 'spearman'\\?"),
            ("edit", "did you mean 'edits'"),
        ],
    )
    def test_an_unknown_name_is_a_key_error_of_ours(self, run, key, said):
        with pytest.raises(errors.UnknownKeyError, match=said) as caught:
            run[key]
        assert isinstance(caught.value, KeyError)
        assert isinstance(caught.value, errors.SimilitudeError)

    @pytest.mark.parametrize("key", [0, None, ("edits",), ("edits", "mae", "x"), ("edits", 1), slice(None)])
    def test_another_key_is_refused_in_words(self, run, key):
        with pytest.raises(errors.ArgumentError, match=r"run\[system, measure\] or run\[system\]"):
            run[key]

    def test_its_systems_and_measures_are_keys(self, run):
        for system in run.systems:
            for measure in run.measures:
                assert run[system, measure] == run[system.label, str(measure)] or math.isnan(run[system, measure])
            assert run[system].keys() == run[system.label].keys()
        first, second, *_ = run.systems
        assert run.compare(first, second)["mae"].difference == run.compare("edits", "lengths")["mae"].difference
        assert run.disagreements(1, system=second).to_dict() == run.disagreements(1, system="lengths").to_dict()

    def test_a_run_is_not_iterated_by_accident(self, run):
        with pytest.raises(errors.ArgumentError):
            list(run)

    def test_names_complete_in_a_notebook(self, run):
        assert run._ipython_key_completions_() == ["edits", "lengths", "3-grams"]


class TestTables:
    def test_repr_is_short_and_print_is_the_table(self, run):
        assert repr(run).startswith(
            "<Run on 'sample:opinions': 3 systems, 4 measures, 60 items (simulated judgements)\n "
        )
        assert len(repr(run).splitlines()) == 2
        assert str(run).splitlines()[-1].startswith("the mean")
        assert len(str(run).splitlines()) == 7

    def test_frames_hold_the_rows(self, run):
        rows = list(run.rows())
        columns = run.to_polars().columns
        assert run.to_polars().to_dicts() == [dict.fromkeys(columns) | row for row in rows]
        pandas = run.to_pandas()
        assert pandas.shape == (16, len(rows[0])), "three systems and the mean of gold"
        assert pandas["value"].dropna().tolist() == [row["value"] for row in rows if row["value"] is not None]

    def test_to_dict_is_the_record(self, run):
        assert run.to_dict() == run.record()
        json.dumps(run.to_dict(), allow_nan=False)


class TestCompare:
    def test_numbers_are_those_of_the_tests(self, run):
        sure, compared = run.confidence, run.compare("edits", "lengths")
        for column, name in enumerate(("spearman", "pearson", "mae")):
            one = compared[name]
            assert one.difference == run.figures[0][column].value - run.figures[1][column].value
            ends = sure.differences[column][0][1]
            assert one.interval == (ends.low, ends.high)
            assert one.p_value == sure.p_values[column, 0, 1]
            assert (one.interval[0] > 0 or one.interval[1] < 0) == (one.p_value <= 0.05)
            apart = not set(sure.ranks[0][column].letters) & set(sure.ranks[1][column].letters)
            assert (one.outcome in ("better", "worse")) == apart

    def test_the_first_measure_speaks_for_the_whole(self, run):
        compared = run.compare("edits", "lengths")
        first = compared["spearman"]
        assert (compared.difference, compared.interval, compared.p_value, compared.verdict) == (
            first.difference,
            first.interval,
            first.p_value,
            "edits and lengths are not significantly different by spearman",
        )

    def test_the_other_way_round_is_the_mirror_image(self, run):
        one, other = run.compare("edits", "lengths"), run.compare("lengths", "edits")
        assert other.difference == -one.difference
        assert other.interval == pytest.approx((-one.interval[1], -one.interval[0]))
        assert other.p_value == one.p_value

    @pytest.mark.parametrize(("measure", "good", "bad"), [("pearson", "near", "far"), ("mae", "near", "far")])
    def test_better_means_the_better_direction(self, measure, good, bad):
        rng = np.random.default_rng(3)
        gold = rng.uniform(0, 5, 80)
        bench = sim.Benchmark.from_columns(left=["a"] * 80, right=["b"] * 80, score=gold.tolist(), scale="0..5")
        made = sim.run(bench, {"near": _Told(gold, 0.1), "far": _Told(gold, 2.0)}, [measure])
        compared = made.compare(good, bad)
        assert compared.measures[0].outcome == "better"
        assert compared.verdict == f"{good} is significantly better than {bad} by {measure}"
        assert made.compare(bad, good).verdict == f"{bad} is significantly worse than {good} by {measure}"
        assert (compared.difference > 0) == (measure == "pearson")

    def test_undefined_and_untested_are_said(self, run, untested):
        kl = run.compare("edits", "lengths")["kl"]
        assert kl.outcome == "undefined"
        assert kl.verdict == "kl is undefined for one of them: the system gives no standard deviation"
        plain = untested.compare("edits", "lengths")
        assert plain.measures[0].outcome == "untested"
        assert plain.interval is None
        assert math.isnan(plain.p_value)
        assert "was not tested" in plain.verdict

    def test_repr_has_a_line_for_each_measure_and_frames_a_row(self, run):
        compared = run.compare("edits", "lengths")
        lines = repr(compared).splitlines()
        assert lines[0] == "<edits against lengths on 'sample:opinions', 60 items"
        assert re.fullmatch(
            r" spearman  \+0\.107 \[-0\.\d\d, 0\.\d\d\], p \d\.\d{3}: edits and lengths are not .*", lines[1]
        )
        assert compared.to_pandas()["measure"].tolist() == ["spearman", "pearson", "mae", "kl"]
        assert json.loads(json.dumps(compared.to_dict(), allow_nan=False))["pairs"] == 3

    def test_misuse(self, run):
        with pytest.raises(errors.ArgumentError, match="'edits' is compared with itself"):
            run.compare("edits", "levenshtein")
        with pytest.raises(errors.UnknownKeyError, match="did you mean 'lengths'"):
            run.compare("edits", "length")
        with pytest.raises(errors.UnknownKeyError, match="no measure in this comparison named 'auc'"):
            run.compare("edits", "lengths")["auc"]


class _Told:
    """Gold with noise, by item."""

    range = sim.Scale(low=0, high=5)
    reads: frozenset[str] = frozenset()
    summary = "gold with noise"

    def __init__(self, gold, noise) -> None:
        self.answers = gold + np.random.default_rng(5).normal(0, noise, len(gold))
        self.noise = noise

    @property
    def identity(self):
        from similitude.registry import Spec

        return Spec(f"told-{self.noise}")

    def score(self, items):
        return sim.Predictions(np.array([self.answers[int(name) - 1] for name in items.ids]))


class TestDisagreements:
    def test_the_worst_of_one_system_come_farthest_first(self, run):
        found = run.disagreements(5, system="edits")
        comparison = run.comparison.for_errors
        gaps = np.abs(comparison.predicted[0] - comparison.gold)
        rows = list(found.rows())
        assert len(found) == len(rows) == 5
        assert [abs(row["gap"]) for row in rows] == pytest.approx(np.sort(gaps)[::-1][:5])
        item = run.benchmark.items[int(np.argmax(gaps))]
        assert (rows[0]["rank"], rows[0]["id"], rows[0]["left"]) == (1, item.id, item.left)

    def test_those_of_all_have_every_prediction(self, run):
        frame = run.disagreements(4).to_polars()
        assert frame.height == 4
        assert {"edits", "lengths", "3-grams", "median_gap"} <= set(frame.columns)
        assert frame["median_gap"].is_sorted(descending=True)

    def test_one_system_speaks_for_all(self):
        alone = sim.run("sample:opinions", ["levenshtein"], ["mae"], resamples=0)
        assert alone.disagreements(2).who == "levenshtein"

    def test_repr_names_three(self, run):
        lines = repr(run.disagreements(10)).splitlines()
        assert lines[0] == "<10 items of 'sample:opinions' on which most systems and people disagree most"
        assert len(lines) == 5
        assert lines[-1] == " and 7 more>"
        assert len(repr(run.disagreements(3)).splitlines()) == 4

    @pytest.mark.parametrize("top", [0, -1, 2.5, "3", True, None])
    def test_a_wrong_number_is_refused(self, run, top):
        with pytest.raises(errors.ArgumentError, match="is no number of items"):
            run.disagreements(top)

    def test_scores_on_no_scale_are_refused(self):
        gold = np.linspace(0, 5, 12)
        told = _Told(gold, 1.0)
        told.range = None
        bench = sim.Benchmark.from_columns(left=["a"] * 12, right=["b"] * 12, score=gold.tolist(), scale="0..5")
        made = sim.run(bench, {"mine": told}, ["pearson"], resamples=0)
        with pytest.raises(errors.ArgumentError, match=r'predictions of mine .* calibrate="linear"'):
            made.disagreements()


class TestPlots:
    def test_every_kind_is_declared(self):
        assert set(KINDS) == set(get_args(PlotKind))

    @pytest.mark.parametrize(("kind", "panels"), [("scatter", 3), ("intervals", 1), ("ranks", 1), ("distributions", 4)])
    def test_a_plot_is_one_svg_with_its_panels(self, run, kind, panels, tmp_path):
        plot = run.plot(kind)
        assert len(plot.figure.panels) == panels
        root = ElementTree.fromstring(plot.svg)
        assert sum(child.tag.endswith("}svg") for child in root) == panels
        assert "var(--" not in plot.svg
        assert plot.save(tmp_path / "figure.svg").read_text(encoding="utf-8") == plot.svg
        assert repr(plot).startswith(f"<Plot {kind}: ")
        assert "<svg" in plot._repr_html_()

    def test_intervals_are_of_the_measure_asked_for(self, run):
        assert run.plot("intervals", measure="mae").figure.caption.startswith("mae ↓, best first.")
        with pytest.raises(errors.UnknownKeyError):
            run.plot("intervals", measure="maee")

    def test_curves_need_two_labels(self, run, labels):
        assert len(labels.plot("curves").figure.panels) == 2
        assert len(labels.plot("precision-recall").figure.panels) == 1
        for kind in ("curves", "precision-recall"):
            with pytest.raises(errors.ArgumentError, match="need gold with two labels"):
                run.plot(kind)

    def test_ranks_need_two_of_each(self):
        alone = sim.run("sample:opinions", ["levenshtein"], ["mae", "pearson"], resamples=0)
        with pytest.raises(errors.ArgumentError, match="fewer than two measures rank two systems"):
            alone.plot("ranks")

    def test_unknown_kinds_and_endings_are_refused(self, run, tmp_path):
        with pytest.raises(errors.UnknownNameError, match="did you mean 'scatter'"):
            run.plot("scater")
        with pytest.raises(errors.ArgumentError, match=r"'figure.png' is no SVG file; end the name in .svg"):
            run.plot().save(tmp_path / "figure.png")


class TestReport:
    @pytest.mark.parametrize(
        ("ending", "start"),
        [("html", "<!DOCTYPE html>"), ("md", "# sample:opinions"), ("csv", "data,judged_by,system"), ("json", "{")],
    )
    def test_the_ending_decides(self, run, tmp_path, ending, start):
        path = run.report(tmp_path / f"report.{ending}")
        assert path == tmp_path / f"report.{ending}"
        assert path.read_text(encoding="utf-8").lstrip().startswith(start)

    def test_latex_keeps_its_notes_as_comments(self, run, tmp_path):
        text = run.report(str(tmp_path / "report.tex")).read_text(encoding="utf-8")
        assert "\\begin{table}" in text
        assert text.startswith("%")

    def test_json_is_the_record(self, run, tmp_path):
        written = json.loads(run.report(tmp_path / "r.json").read_text(encoding="utf-8"))
        assert written == json.loads(json.dumps(run.record()))

    def test_another_ending_lists_the_known_ones(self, run, tmp_path):
        with pytest.raises(errors.ArgumentError, match=r"'report.pdf' has no ending .* \.html, .*\.json"):
            run.report(tmp_path / "report.pdf")

    def test_a_suite_has_reports_too(self, tmp_path):
        suite = sim.run_suite(["sample:opinions", "sample:dialogues"], ["levenshtein"], resamples=0)
        for ending in ("html", "md", "tex", "csv", "json"):
            assert suite.report(tmp_path / f"suite.{ending}").stat().st_size > 300


class TestSave:
    def test_a_saved_run_loads_again(self, run, tmp_path):
        folder = run.save(tmp_path / "runs" / "x")
        loaded = sim.load_run(folder)
        assert loaded.record() == run.record()
        assert [one.scores.tolist() for one in loaded.predictions] == [one.scores.tolist() for one in run.predictions]
        assert sorted(path.name for path in folder.iterdir()) == [
            "data.json", "items.parquet", "items.provenance.json", "predictions", "results.csv", "run.json",
        ]  # fmt: skip
        assert [path.name for path in folder.parent.iterdir()] == ["x"], "nothing is left of the draft"

    def test_saved_predictions_are_reused(self, run, tmp_path, monkeypatch):
        folder = run.save(tmp_path / "x")
        monkeypatch.setattr("similitude.study.cells.score_cell.score_items", lambda *_: pytest.fail("scored again"))
        again = sim.run("sample:opinions", NAMES, ["spearman"], out=folder, resamples=0)
        assert again["edits", "spearman"].value == run["edits", "spearman"].value

    def test_saving_twice_changes_nothing(self, run, tmp_path):
        folder = run.save(tmp_path / "x")
        before = (folder / "run.json").stat().st_mtime_ns
        assert run.save(folder) == folder
        assert sim.load_run(folder).save(folder) == folder
        assert (folder / "run.json").stat().st_mtime_ns == before

    def test_another_run_is_never_overwritten(self, run, untested, tmp_path):
        folder = run.save(tmp_path / "x")
        before = (folder / "run.json").read_bytes()
        with pytest.raises(errors.RunError, match="holds another run; name a new folder"):
            untested.save(folder)
        assert (folder / "run.json").read_bytes() == before

    def test_other_files_are_never_touched(self, run, tmp_path):
        (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
        with pytest.raises(errors.RunError, match="holds other files"):
            run.save(tmp_path)
        with pytest.raises(errors.RunError, match="is a file"):
            run.save(tmp_path / "notes.txt")
        assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]

    def test_an_empty_folder_is_used(self, run, tmp_path):
        (tmp_path / "x").mkdir()
        assert sim.load_run(run.save(tmp_path / "x")).labels == run.labels

    def test_a_failure_leaves_nothing(self, run, tmp_path, monkeypatch):
        def fail(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("similitude.study.saved_results.write_results", fail)
        with pytest.raises(errors.RunError, match="No space left on device"):
            run.save(tmp_path / "x")
        assert list(tmp_path.iterdir()) == []


class TestOthers:
    def test_a_suite_has_figures_with_intervals(self):
        suite = sim.run_suite(["sample:opinions", "sample:dialogues"], {"edits": "levenshtein", "l": "length-ratio"})
        figure, inner = suite["edits", "sample:opinions"], suite.benchmarks[0].run
        assert (figure.value, figure.low, figure.high) == (
            inner["edits", "spearman"].value,
            inner["edits", "spearman"].low,
            inner["edits", "spearman"].high,
        )
        assert suite["levenshtein", "sample:opinions"] == figure
        assert repr(suite).startswith("<SuiteRun 'sample:opinions + sample:dialogues': 2 systems on 2 benchmarks\n ")
        assert suite.to_polars().height == len(list(suite.rows()))
        with pytest.raises(errors.UnknownKeyError, match="no system in this suite named 'edit'; did you mean 'edits'"):
            suite["edit", "sample:opinions"]
        with pytest.raises(errors.ArgumentError, match=r"suite\[system, benchmark\]"):
            suite["edits"]

    def test_a_task_too(self):
        task = sim.task("sample:deduplication", {"edits": "levenshtein", "w": "word-ngram-jaccard"}, resamples=50)
        low, high = task.result.intervals[0].low, task.result.intervals[0].high
        assert (task["edits"].low, task["edits"].high) == (low, high)
        assert task["levenshtein"] == task["edits"]
        assert repr(task).startswith(
            "<TaskRun 'sample:deduplication': 2 systems, 240 units\n w has the highest F1: 0.44"
        )
        frame = task.to_pandas()
        assert frame["system"].tolist() == ["edits", "w"]
        assert frame["low"].tolist()[0] == low
        with pytest.raises(errors.UnknownKeyError, match="no system in this task named 'edit'"):
            task["edit"]

    def test_a_choice_too(self):
        choice = sim.choose("sample:opinions", NAMES, sim.Requirements(cardinality="1:1"), resamples=0)
        assert repr(choice) == f"<Choice for (1:1, all, value) on 'sample:opinions'\n {choice.decision()}>"
        assert choice.to_polars().height == choice.run.to_polars().height
        assert choice.to_dict() == choice.record()

    def test_quiet_hears_nothing_and_a_listener_hears_all(self, monkeypatch):
        import sys
        from types import SimpleNamespace

        monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: True, write=lambda _: pytest.fail("told")))
        for call in (
            lambda: sim.run("sample:opinions", ["levenshtein"], ["mae"], resamples=0, quiet=True),
            lambda: sim.run_suite(["sample:opinions"], ["levenshtein"], resamples=0, quiet=True),
            lambda: sim.task("sample:deduplication", ["levenshtein"], resamples=0, quiet=True),
        ):
            call()


def test_paths_may_be_texts(tmp_path: Path) -> None:
    run = sim.run("sample:opinions", ["levenshtein"], ["mae"], resamples=0)
    assert run.report(f"{tmp_path}/r.csv") == tmp_path / "r.csv"
    assert run.save(f"{tmp_path}/x") == tmp_path / "x"


def test_intervals_of_a_handful_of_items_are_marked():
    pairs = [("a b", "a c", 3), ("d e", "d f", 4), ("g", "h", 1), ("i", "j", 0), ("k k", "k l", 2)]
    few, enough = (sim.run(pairs[:number], "levenshtein", "spearman").caveats for number in (4, 5))
    assert few == ("intervals and tests rest on 4 items, too few to be trusted",)
    assert enough == ()
    assert sim.run(pairs[:4], "levenshtein", "spearman", resamples=0).caveats == ()


def test_the_name_of_a_column_is_no_system():
    table = {"left": ["a", "b"], "right": ["c", "d"], "score": [1, 2], "old": [0.1, 0.2], "jaro": [1, 2]}
    with pytest.raises(sim.errors.ArgumentError, match=r"'old' is a column .* \{\"old\": data\[\"old\"\]\}"):
        sim.run(table, ["old"], "pearson")
    assert sim.run(table, "jaro", "pearson", resamples=0).systems[0].identity == "jaro"
