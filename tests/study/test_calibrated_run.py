"""Runs with calibrated scores: the default, what is printed and saved, and what a narrow band of cosines did before."""

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.errors import UnknownNameError
from similitude.evaluate.tasks import Requirements
from similitude.evaluate.tasks.reading import open_task
from similitude.registry import Spec
from similitude.report.notation import column_notes
from similitude.study.breakdown import breakdown
from similitude.study.predictiveness.study import run_predictiveness

CLASSES = Requirements(cardinality="1:1", information="classification")


class Band:
    """A system whose scores are gold with noise, squeezed into a band of 0..1."""

    summary = "made"
    reads = frozenset()
    range = sim.Scale(low=0, high=1)

    def __init__(self, name, noise, low, high):
        self.name, self.noise, self.low, self.high = name, noise, low, high

    @property
    def identity(self):
        return Spec(self.name)

    def score(self, items):
        places = np.array([int(name) for name in items.ids])
        rng = np.random.default_rng(sum(self.name.encode()))
        noisy = gold(places) + rng.normal(0, self.noise, 1000)[places]
        return sim.Predictions(self.low + (self.high - self.low) / (1 + np.exp(2.5 - noisy)))


def gold(places):
    return np.random.default_rng(5).uniform(0, 5, 1000)[places]


def benchmark(items=400, **columns):
    texts = [f"text {n}" for n in range(items)]
    frame = {"id": [str(n) for n in range(items)], "left": texts, "right": texts, "score": gold(np.arange(items))}
    return sim.Benchmark(name="made", frame=pl.DataFrame(frame | columns), scale=sim.Scale(low=0, high=5))


SYSTEMS = [
    Band("narrow", 1.3, 0.72, 0.99),  # cosines of an encoder: all of them are high on the declared range
    *(Band(f"wide{n}", 2 + 0.1 * n, 0.0, 1.0) for n in range(6)),
]


def values(run):
    return [figures[0].value for figures in run.figures]


def test_a_band_of_cosines_is_first_after_calibration_and_last_before():
    """The claim of the issue: a system with F1 .668 after calibration got .000 and rank 7."""
    before = values(sim.run(benchmark(), SYSTEMS, ["f1"], calibrate="none", resamples=0))
    after = values(sim.run(benchmark(), SYSTEMS, ["f1"], resamples=0))
    assert before[0] == 0.0
    assert min(before[1:]) > 0.4  # rank 7 of 7
    assert 0.65 < after[0] < 0.8
    assert after[0] == max(after)


def test_the_right_system_is_chosen_and_its_borders_are_told():
    choice = sim.choose(benchmark(), SYSTEMS, CLASSES, resamples=0)
    assert choice.fitting.best == "narrow"
    low, high = choice.borders
    assert 0.72 < low.output < high.output < 0.99
    words = f"In its own scores, low is below {low.output:.4g} and high is above {high.output:.4g}."
    assert choice.decision().endswith(words)
    assert choice.record()["borders"] == [low.record(), high.record()]
    assert set(choice.mappings.values()) == {"calibrated out of fold (quantile, 5 folds of 400 items)"}
    raw = sim.choose(benchmark(), SYSTEMS, CLASSES, calibrate="none", resamples=0)
    assert raw.fitting.best != "narrow"
    assert raw.borders == ()
    assert all(words.startswith("uncalibrated (as asked") for words in raw.mappings.values())


@pytest.mark.parametrize("calibrate", ["auto", "none", "linear", "isotonic", "quantile"])
def test_a_saved_run_gives_the_same_figures(tmp_path, calibrate):
    data = benchmark(60, group=[f"g{n // 3}" for n in range(60)], domain=["a", "b"] * 30)
    before = sim.run(data, SYSTEMS[:2], ["f1", "mae", "pearson"], calibrate=calibrate, out=tmp_path)
    after = sim.load_run(tmp_path)
    assert after.record() == before.record()
    for place, measure in enumerate(after.measures):
        assert measure.values(after.comparison).tolist() == [row[place].value for row in before.figures]
    assert breakdown(after, ["domain"]) == breakdown(before, ["domain"])


def test_what_was_done_is_in_every_output(tmp_path):
    data = benchmark(60, group=[f"g{n // 3}" for n in range(60)])
    run = sim.run(data, SYSTEMS[:2], ["f1", "f1_low", "mae", "pearson"], resamples=0)
    words = "calibrated out of fold (quantile, 5 folds of 20 groups)"
    assert run.caveats[0] == f"f1, f1_low: scores {words}"
    told = run.record()["calibration"]
    assert {name: told[name] for name in ("method", "split", "folds", "units", "is_grouped", "covers_errors")} == {
        "method": "quantile",
        "split": None,
        "folds": 5,
        "units": 20,
        "is_grouped": True,
        "covers_errors": False,
    }
    assert [len(mapping["knots"]) for mapping in told["mappings"]] == [60, 60]
    ways = {row["measure"]: row["onto_scale"] for row in run.rows() if row["onto_scale"] is not None}
    declared = "linear from 0..1 to 0..5"
    assert ways == {"f1": words, "f1_low": words, "mae": declared, "pearson": declared}


def test_nothing_is_calibrated_that_no_measure_looks_at():
    assert sim.run(benchmark(60), SYSTEMS[:2], ["pearson", "mae", "ndcg"], resamples=0).calibration is None
    assert sim.run(benchmark(60), SYSTEMS[:2], ["pearson"], calibrate="linear", resamples=0).calibration is None
    named = sim.run(benchmark(60), SYSTEMS[:2], ["mae"], calibrate="linear", resamples=0)
    assert named.caveats == ("mae: scores calibrated out of fold (linear, 5 folds of 60 items)",)
    raw = sim.run(benchmark(60), SYSTEMS[:2], ["mae"], calibrate="none", resamples=0)
    assert (raw.calibration, raw.caveats) == (None, ())


def test_groups_stay_together():
    run = sim.run(benchmark(80, group=[f"g{n // 4}" for n in range(80)]), SYSTEMS[:1], ["f1"], resamples=0)
    folds = run.comparison.fold_of_item.reshape(-1, 4)
    assert (folds == folds[:, :1]).all()
    assert np.bincount(folds[:, 0]).tolist() == [4, 4, 4, 4, 4]


def test_an_unknown_calibration_is_refused():
    with pytest.raises(UnknownNameError, match="no calibration named 'isotone'; did you mean 'isotonic'"):
        sim.run(benchmark(60), SYSTEMS[:1], ["f1"], calibrate="isotone")


def test_the_paper_is_reproduced_without_calibration():
    task = open_task("sample:deduplication")
    systems = ["levenshtein", "length-ratio"]
    paper = run_predictiveness("sample:opinions", [task], systems, ["f1"], resamples=0)
    assert paper.run.calibration.method == "none"
    asked = run_predictiveness("sample:opinions", [task], systems, ["f1"], resamples=0, calibrate="auto")
    assert asked.run.calibration.method == "quantile"
    raw = sim.run("sample:opinions", systems, ["f1"], calibrate="none", resamples=0)
    assert paper.run.figures == raw.figures


NOTHING_ELSE = "there is nothing else to fit a mapping on; scores are on the declared range"


@pytest.mark.parametrize(
    ("items", "groups", "words"),
    [
        (3, None, "calibrated out of fold (quantile, 3 folds of 3 items)"),
        (6, ["a", "b"] * 3, "calibrated out of fold (quantile, 2 folds of 2 groups)"),
        (
            6,
            ["a"] * 6,
            f"uncalibrated (1 group: {NOTHING_ELSE})",
        ),
        (1, None, f"uncalibrated (1 item: {NOTHING_ELSE})"),
    ],
)
def test_few_groups(items, groups, words):
    data = benchmark(items) if groups is None else benchmark(items, group=groups)
    run = sim.run(data, SYSTEMS[:2], ["accuracy_3bin"])
    assert run.caveats[0] == f"accuracy_3bin: scores {words}"
    assert all(np.isfinite(row[0].value) for row in run.figures)


def test_flat_and_falling_systems_are_noted():
    systems = [Band("flat", 1.0, 0.5, 0.5), Band("distance", 1.0, 1.0, 0.0), SYSTEMS[0]]
    run = sim.run(benchmark(), systems, ["f1", "accuracy_3bin"])
    assert [text.partition(":")[0] for text in run.caveats] == ["f1, accuracy_3bin", "flat", "distance"]
    assert "fall as gold rises" in run.caveats[2]


def test_the_order_of_rows_and_the_seed_change_nothing():
    data = benchmark(100)
    shuffled = data.take(np.random.default_rng(0).permutation(100))
    one = sim.run(data, SYSTEMS[:2], ["f1", "f1_macro_3bin"], resamples=0)
    other = sim.run(shuffled, SYSTEMS[:2], ["f1", "f1_macro_3bin"], resamples=0, seed=7)
    assert one.figures == other.figures


def test_a_run_on_another_split_fits_there():
    data = benchmark(100, split=["dev", "test"] * 50)
    run = sim.run(data, SYSTEMS[:2], ["f1", "mae"], split="test", calibrate_on="dev", resamples=0)
    assert run.caveats[0] == "f1: scores calibrated on split 'dev' (quantile, 50 items)"
    assert run.calibration.mappings[0].description == "quantile mapping fitted on split 'dev' (50 items)"
    own = sim.run(data, SYSTEMS[:2], ["f1", "mae"], split="test", resamples=0)
    assert [row[1] for row in own.figures] == [row[1] for row in run.figures]  # errors are on the declared range
    assert values(own) != values(run)


def test_a_suite_says_how_its_benchmarks_were_calibrated():
    suite = sim.run_suite(["sample:opinions", "sample:dialogues"], ["levenshtein", "jaro"], ["f1"], resamples=0)
    words = "measures with borders on the gold scale: scores calibrated out of fold (quantile) on "
    assert f"{words}sample:opinions, sample:dialogues" in suite.notes
    raw = sim.run_suite(["sample:opinions", "sample:dialogues"], ["jaro"], ["f1"], resamples=0, calibrate="none")
    assert any("scores uncalibrated (as asked" in note for note in raw.notes)
    assert not any("borders" in note for note in sim.run_suite(["sample:opinions"], ["jaro"], ["pearson"]).notes)


def test_a_pair_under_several_conditions_is_one_group_where_none_is_named():
    """In either order of the texts; the conditions are no list to rank within."""
    rng = np.random.default_rng(5)
    lefts = [f"one {n} {'x' * length}" for n, length in enumerate(rng.integers(1, 40, 40))]
    rights = [f"other {'x' * length}" for length in rng.integers(1, 40, 40)]
    columns = {
        "left": [*lefts, *rights],
        "right": [*rights, *lefts],
        "condition": ["a"] * 40 + ["b"] * 40,
        "score": rng.uniform(0, 5, 80).tolist(),
    }
    measures = ["spearman", "f1", "group_ndcg"]
    unnamed, named, alone = (
        sim.run(
            sim.Benchmark.from_columns(scale=sim.Scale(low=0, high=5), **columns, **more), ["length-ratio"], measures
        )
        for more in ({}, {"group": [f"g{n % 40}" for n in range(80)]}, {"group": [f"g{n}" for n in range(80)]})
    )
    assert [run.confidence.groups for run in (unnamed, named, alone)] == [40, 40, None]
    assert unnamed.confidence.intervals[0][0] == named.confidence.intervals[0][0]
    assert (np.diff(unnamed.comparison.fold_of_item.reshape(2, 40), axis=0) == 0).all()
    assert unnamed.figures[0][2].reason == "no two items share a group"
    said = [any("count as one group" in note for note in column_notes(run)) for run in (unnamed, named, alone)]
    assert said == [True, False, False]
