"""`sim.measure`: the figures of a run, from arrays."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import similitude as sim
from similitude.errors import ArgumentError, UnknownNameError

GOLD = np.random.default_rng(0).uniform(0, 5, 60)
SCORES = GOLD + np.random.default_rng(1).normal(size=60)


class Column:
    """A system that gives known scores."""

    def __init__(self, scores, called="scores"):
        self.scores, self.called = dict(zip(map(str, range(1, len(scores) + 1)), scores, strict=True)), called

    range = None
    reads = frozenset()
    summary = "known scores"

    @property
    def identity(self):
        from similitude.registry import Spec

        return Spec(self.called)

    def score(self, items):
        return sim.Predictions(np.array([self.scores[name] for name in items.ids]))


def test_spearman_by_hand():
    """Ranks 1..5 against 1, 3, 2, 4, 5: 1 - 6 (1 + 1) / (5 x 24) = 0.9."""
    figure = sim.measure([1, 2, 3, 4, 5], [0.1, 0.3, 0.2, 0.8, 0.9], "spearman")
    assert isinstance(figure, sim.MeasuredFigure)
    assert figure.value == pytest.approx(0.9)
    assert figure.low < figure.value < figure.high
    assert figure.level == 0.95


@pytest.mark.parametrize("name", ["spearman", "pearson", "ndcg@10", "f1_high", "kendall"])
def test_figures_and_intervals_are_those_of_a_run(name):
    texts = [str(number) for number in range(60)]
    data = sim.Benchmark.from_columns(left=texts, right=texts, score=GOLD, scale="0..5")
    run = sim.run(data, [Column(SCORES)], [name])
    found = sim.measure(GOLD, SCORES, name, scale="0..5")
    interval = run.confidence.intervals[0][0]
    assert (found.value, found.low, found.high) == pytest.approx((run.figures[0][0].value, *interval[:2]))


def test_figures_are_those_of_the_command(tmp_path):
    texts = [f"text {number}" for number in range(60)]
    data = sim.Benchmark.from_columns(left=texts, right=texts, score=GOLD, scale="0..5")
    sim.write(data, tmp_path / "gold.jsonl")
    (tmp_path / "scores.txt").write_text("\n".join(map(repr, SCORES.tolist())))
    command = ["measure", tmp_path / "gold.jsonl", tmp_path / "scores.txt", "-m", "spearman", "-m", "mae", "--json"]
    shown = subprocess.run([sys.executable, "-m", "similitude", *map(str, command)], capture_output=True, check=True)
    told = {each["measure"]: each["value"] for each in json.loads(shown.stdout)["figures"]}
    found = sim.measure(GOLD, SCORES, ["spearman", "mae"], scale="0..5")
    assert found == pytest.approx(told, rel=1e-12)


@pytest.mark.parametrize("make", [list, tuple, pl.Series, pd.Series, np.asarray, lambda values: iter(values.tolist())])
def test_any_column_of_numbers_is_taken(make):
    assert sim.measure(make(GOLD), make(SCORES), "pearson") == sim.measure(GOLD, SCORES, "pearson")


def test_tensors_are_taken():
    torch = pytest.importorskip("torch")
    found = sim.measure(torch.tensor(GOLD), torch.tensor(SCORES, dtype=torch.float32), "pearson", resamples=0)
    assert found == pytest.approx(np.corrcoef(GOLD, SCORES)[0, 1], abs=1e-6)


def test_the_shape_of_the_result_follows_what_was_asked():
    both = {"mine": SCORES, "flipped": -SCORES}
    one = sim.measure(GOLD, SCORES, "pearson", resamples=0)
    assert sim.measure(GOLD, SCORES, ["pearson"], resamples=0) == {"pearson": one}
    assert sim.measure(GOLD, both, "pearson", resamples=0) == {"mine": one, "flipped": -one}
    assert sim.measure(GOLD, both, ["pearson"], resamples=0)["flipped"] == {"pearson": -one}
    frame = pd.DataFrame(both)
    assert sim.measure(GOLD, frame, "pearson", resamples=0) == {"mine": one, "flipped": -one}
    rows = np.stack([SCORES, -SCORES])
    expected = {"system 1": one, "system 2": -one}
    assert sim.measure(GOLD, rows, "pearson", resamples=0) == expected
    assert sim.measure(GOLD, rows.T, "pearson", resamples=0) == expected
    assert list(sim.measure(GOLD, SCORES, resamples=0))[:2] == ["pearson", "spearman"]


def test_pairs_of_a_group_are_not_independent():
    """Every pair four times: as one group each, the interval is that of a quarter of the pairs."""
    gold, scores = np.repeat(GOLD, 4), np.repeat(SCORES, 4)
    alone, grouped = (sim.measure(gold, scores, "pearson", groups=each) for each in (None, np.arange(240) // 4))
    once = sim.measure(GOLD, SCORES, "pearson")
    assert grouped.high - grouped.low == pytest.approx(once.high - once.low, rel=0.1)
    assert alone.high - alone.low < 0.7 * (grouped.high - grouped.low)


@pytest.mark.parametrize("kind", ["string", "object", "category"])
def test_pairs_without_a_group_are_groups_of_their_own(kind):
    names = pd.Series(["a", "a", None, "b", "b", None], dtype=kind)
    found = sim.measure([1, 2, 3, 4, 5, 2], [2, 1, 3, 4, 5, 2], "choice_accuracy", groups=names, resamples=0)
    assert found == 0.5


def test_undefined_figures_say_why():
    assert repr(sim.measure([3, 3, 3], [1, 2, 3], "pearson")) == "undefined (all gold scores are the same)"
    assert np.isnan(sim.measure([3], [1], "pearson"))


def test_an_interval_without_width_says_why():
    found = sim.measure(GOLD, GOLD, "mae")
    assert (found.low, found.high) == (0, 0)
    assert found.reason == "the figure is the same whichever of the items is left out"


def test_level_and_resamples():
    wide, narrow = (sim.measure(GOLD, SCORES, "pearson", level=level) for level in (0.99, 0.5))
    assert wide.low < narrow.low < narrow.high < wide.high
    without = sim.measure(GOLD, SCORES, "pearson", resamples=0)
    assert (without.low, without.high) == (None, None)


def test_the_range_of_the_scores_counts_for_errors():
    """Scores 0..1 on gold 0..5: 0.2 is 1 on the scale."""
    assert sim.measure([0, 1, 5], [0, 0.2, 1], "mae", scale="0..5", range="0..1", resamples=0) == pytest.approx(0)
    assert sim.measure([0, 1, 5], [0, 0.2, 1], "mae", scale="0..5", resamples=0) == pytest.approx((0.8 + 4) / 3)


@pytest.mark.parametrize(
    ("gold", "scores", "options", "what"),
    [
        ([1, 2, 3], [1, 2], {}, "gold has 3 numbers, but scores 2"),
        ([1, 2, np.nan], [1, 2, 3], {}, "gold: nan at position 2 is no finite number"),
        ([1, 2, 3], [1, np.inf, 3], {}, "scores: inf at position 1"),
        ([1, "2", 3], [1, 2, 3], {}, "gold: the text '2' at position 1 is no number"),
        ([1, None, 3], [1, 2, 3], {}, "gold: None at position 1"),
        ([[1, 2], [3, 4]], [1, 2], {}, "gold has 2 dimensions"),
        ([1, 2, 3], [[1, 2], [3, 4]], {}, "scores are 2 x 2 for 3 pairs"),
        ([1, 2], [[1, 2], [3, 4]], {}, "scores are 2 x 2 for 2 pairs"),
        ([], [], {}, "gold is empty"),
        (3, 4, {}, "gold is a single number"),
        (None, [1], {}, "gold: None is no number"),
        ({3, 1, 2}, [1, 2, 3], {}, r"gold: a set \({1, 2, 3}\), which has no order, is no number"),
        ([1, 2, 3], [10**400, 1, 2], {}, "scores: an int at position 0 is no number"),
        ("gold.csv", [1], {}, "gold: the text 'gold.csv'"),
        ([1, 2, 3], {}, {}, "there are no scores"),
        ([1, 2, 3], [1, 2, 3], {"scale": "0..1"}, "gold holds 2 at position 1, which is outside the scale 0..1"),
        ([1, 2, 3], [1, 2, 3], {"groups": ["a", "b"]}, "2 groups for 3 pairs"),
        ([1, 2, 3], [1, 2, 3], {"groups": "a"}, "groups is 'a'"),
        ([1, 2, 3], [1, 2, 3], {"groups": {0: "a", 1: "a", 2: "b"}}, "groups is {0: 'a'"),
        ([1, 2, 3], [1, 2, 3], {"groups": {1, 2, 3}}, "groups is {1, 2, 3}"),
        ([1, 2, 3], [1, 2, 3], {"level": "0.9"}, "level='0.9' is not a number"),
        ([1, 2, 3], [1, 2, 3], {"resamples": 1.5}, "resamples=1.5 is not a whole number"),
        ([1, 2, 3], [1, 2, 3], {"seed": None}, "seed=None would give other figures every time"),
        ([1, 2, 3], [1, 2, 3], {"measures": 5}, "measures=5 names no measure"),
    ],
)
def test_what_cannot_be_measured_is_refused(gold, scores, options, what):
    with pytest.raises(ArgumentError, match=what):
        sim.measure(gold, scores, **{"measures": "pearson", **options})


def test_unknown_names():
    with pytest.raises(UnknownNameError, match="did you mean 'spearman'"):
        sim.measure(GOLD, SCORES, "spearmann")
    with pytest.raises(UnknownNameError, match="no calibration named 'best'"):
        sim.measure(GOLD, SCORES, "pearson", calibrate="best")


def test_series_with_one_index_in_two_orders_ask_whether_labels_or_rows_belong_together():
    gold = pd.Series([1.0, 2.0, 3.0, 5.0], index=list("abcd"))
    ranked = gold.sort_values(ascending=False)
    with pytest.raises(ArgumentError, match="the same index in different orders") as error:
        sim.measure(gold, ranked, "spearman", resamples=0)
    with pytest.raises(ArgumentError, match="mine and gold have the same index"):
        sim.measure(gold, {"mine": ranked}, "spearman", resamples=0)
    scores = ranked
    labels, rows = (option.split(": ")[1] for option in str(error.value).rsplit("together?; ", 1)[1].split("; "))
    assert sim.measure(gold, eval(labels), "spearman", resamples=0) == 1.0
    assert sim.measure(gold, eval(rows), "spearman", resamples=0) == -1.0
    assert sim.measure(gold, scores.reset_index(drop=True), "spearman", resamples=0) == -1.0  # other labels: rows
    with pytest.raises(ArgumentError, match="groups and gold have the same index in different orders"):
        sim.measure(gold, gold, "pearson", groups=pd.Series(list("ppqq"), index=list("dcba")))


def test_groups_in_another_order_two_systems_in_two_orders_and_labels_that_occur_twice_are_refused():
    gold = pd.Series([1.0, 2.0, 3.0, 5.0], index=list("abcd"))
    groups = pd.Series(["x", "x", "y", "y"], index=list("acbd"))
    with pytest.raises(ArgumentError, match=r"groups and gold .*; labels: groups.loc\[gold.index\]; rows: groups.to_"):
        sim.measure(gold, gold * 2, "spearman", groups=groups)
    assert sim.measure(gold, gold * 2, "spearman", groups=groups.loc[gold.index], resamples=0) == 1.0
    with pytest.raises(ArgumentError, match="theirs and mine have the same index in different orders"):
        sim.measure(gold.to_numpy(), {"mine": gold, "theirs": gold[::-1]}, "spearman")
    twice = pd.concat([gold, gold])
    with pytest.raises(ArgumentError, match=r"together\?; rows: scores.to_numpy\(\)$"):
        sim.measure(twice, twice.sort_index(), "spearman")
    assert sim.measure(twice, twice * 2, "spearman", resamples=0) == 1.0


def test_indexes_that_share_some_labels_are_refused_unless_one_counts_the_rows():
    gold = pd.Series([1.0, 2.0, 3.0, 5.0], index=list("abcd"))
    shifted = gold.set_axis(list("bcde"))
    with pytest.raises(ArgumentError, match=r"different indexes that share labels: .*\?; rows: scores.to_numpy\(\)$"):
        sim.measure(gold, shifted, "spearman")
    assert sim.measure(gold, gold.set_axis(list("wxyz")), "spearman", resamples=0) == 1.0
    chosen = gold.set_axis([1, 5, 6, 9])
    assert sim.measure(chosen, chosen.reset_index(drop=True), "spearman", resamples=0) == 1.0


def test_the_name_of_a_measure_in_the_first_place_is_no_gold():
    with pytest.raises(ArgumentError, match="gold: the text 'spearman' is no number; give one number for each pair"):
        sim.measure("spearman", GOLD, SCORES)


def test_dates_are_no_scores():
    with pytest.raises(ArgumentError, match=r"scores: a date \(2024-01-01.*\) at position 0 is no number"):
        sim.measure([1, 2], pd.to_datetime(["2024-01-01", "2024-01-02"]), "pearson")
    with pytest.raises(ArgumentError, match="scores: a time"):
        sim.measure([1, 2], pd.to_timedelta([1, 2], "s"), "pearson")
