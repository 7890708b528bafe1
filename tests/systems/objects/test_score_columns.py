"""Scores in memory: they belong to the rows of the data given, whatever is left out of it later."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import similitude as sim
from similitude.errors import ArgumentError, PredictionError

ROWS = 8
FRAME = pl.DataFrame(
    {
        "id": [f"p{number}" for number in (3, 1, 2, 5, 4, 8, 7, 6)],
        "left": [f"left {number}" for number in range(ROWS)],
        "right": [f"right {number}" for number in range(ROWS)],
        "score": [1.0, 2.0, None, 4.0, 5.0, 1.5, 2.5, 3.5],
        "split": ["train", "test"] * 4,
    }
)
PANDAS = FRAME.to_pandas()
SCORES = np.array([0.1, 0.9, 0.3, 0.4, 0.2, 0.6, 0.7, 0.5])


def told(scores, data=FRAME, **options):
    """What the run took for the predictions, by id."""
    run = sim.run(data, {"old": scores}, ["mae"], resamples=0, **options)
    return dict(zip(run.benchmark.items.ids, run.predictions[0].scores.tolist(), strict=True))


HAS_GOLD = FRAME["score"].is_not_null().to_numpy()
EXPECTED = dict(zip(FRAME["id"].to_numpy()[HAS_GOLD].tolist(), SCORES[HAS_GOLD].tolist(), strict=True))


@pytest.mark.parametrize(
    "made",
    [
        np.asarray, list, tuple, pl.Series, pd.Series, lambda scores: scores.astype(np.float16).astype(object),
        lambda scores: scores[:, None], lambda scores: pl.DataFrame({"x": scores}), lambda scores: scores[None, :],
    ],
)  # fmt: skip
def test_in_the_order_of_the_rows_and_rows_without_gold_are_left_out_later(made):
    found = told(made(SCORES))
    assert found.keys() == EXPECTED.keys()
    np.testing.assert_allclose([found[name] for name in EXPECTED], list(EXPECTED.values()), atol=1e-3)


def test_tensors():
    torch = pytest.importorskip("torch")
    assert told(torch.tensor(SCORES, requires_grad=True)) == EXPECTED
    assert told([torch.tensor(each) for each in SCORES]) == EXPECTED


def test_a_split_is_selected_later():
    assert told(SCORES, split="test") == {name: EXPECTED[name] for name in ("p1", "p5", "p8", "p6")}
    with pytest.raises(ArgumentError, match=r"'old': 4 scores for 8 items .* before a split is selected"):
        told(SCORES[1::2], split="test")


def test_another_split_to_calibrate_on():
    run = sim.run(FRAME, {"old": SCORES}, ["mae"], split="test", calibrate="linear", calibrate_on="train", resamples=0)
    assert run.calibration is not None


def test_by_id():
    assert told(dict(zip(FRAME["id"], SCORES.tolist(), strict=True))) == EXPECTED
    shuffled = pd.Series(SCORES, index=FRAME["id"].to_list()).sample(frac=1, random_state=1)
    assert told(shuffled) == EXPECTED
    assert told(shuffled, PANDAS) == EXPECTED
    with pytest.raises(ArgumentError, match=r"'old': no score for 2 items of 8 \('p7', ...\)"):
        told(dict(list(zip(FRAME["id"], SCORES.tolist(), strict=True))[:6]))
    with pytest.raises(ArgumentError, match="two scores for item 'p3'"):
        told(pd.concat([shuffled, shuffled[["p3"]]]))


class TestIndex:
    def test_that_of_the_data(self):
        moved = PANDAS.set_axis(range(100, 108))
        assert told(pd.Series(SCORES, index=moved.index), moved) == EXPECTED
        assert told(moved.assign(old=SCORES)["old"], moved) == EXPECTED

    def test_a_plain_one_counts_the_rows(self):
        assert told(pd.Series(SCORES), PANDAS.set_axis(range(100, 108))) == EXPECTED

    def test_a_shuffled_table_beside_a_plain_index_has_two_readings(self):
        shuffled = PANDAS.sample(frac=1, random_state=3)
        with pytest.raises(ArgumentError, match=r"the index .* scores.to_numpy\(\) .* scores.reindex\(df.index\)"):
            told(pd.Series(SCORES), shuffled)
        assert told(pd.Series(SCORES).reindex(shuffled.index), shuffled) == EXPECTED
        assert told(pd.Series(SCORES, index=shuffled.index).to_numpy(), shuffled) != EXPECTED

    def test_another_index_is_refused(self):
        with pytest.raises(ArgumentError, match="the index of the series is neither that of the data nor the ids"):
            told(pd.Series(SCORES, index=list("abcdefgh")), PANDAS)
        with pytest.raises(ArgumentError, match="the index of the series"):
            told(pd.Series(SCORES, index=range(1, 9)))

    def test_a_plain_index_beside_ids_that_count_otherwise_has_two_readings(self):
        counted = FRAME.with_columns(id=pl.Series([str(number) for number in (3, 1, 2, 5, 4, 0, 7, 6)]))
        with pytest.raises(ArgumentError, match="the index of the series"):
            told(pd.Series(SCORES), counted)

    NUMBERED = PANDAS.drop(columns="id")

    @pytest.mark.parametrize("made", [dict, pd.Series])
    def test_labels_of_a_larger_table_are_not_the_numbers_of_rows(self, made):
        every = made(pd.Series(np.arange(20) / 20, index=range(20)).drop(15).to_dict())
        chosen = self.NUMBERED.set_axis([1, 3, 4, 7, 9, 12, 13, 18])
        for data in (self.NUMBERED, chosen, pl.DataFrame(chosen), chosen.to_dict("records")):
            with pytest.raises(ArgumentError, match="'old': the ids of the data only count its rows, 1 to 8,"):
                told(every, data)
        assert list(told([every[key] for key in chosen.index], chosen).values())[:2] == [0.05, 0.15]

    def test_labels_that_count_from_1_in_another_order_are_not_the_numbers_of_rows(self):
        moved = self.NUMBERED.set_axis(range(1, 9)).sample(frac=1, random_state=3)
        old = pd.Series(SCORES, index=range(1, 9))
        for scores in (old, old.to_dict()):
            with pytest.raises(
                ArgumentError, match=r"only count its rows, 1 to 8, .* \[scores\[key\] for key in df.index"
            ):
                told(scores, moved)
            assert list(told(scores, self.NUMBERED).values()) == SCORES[HAS_GOLD].tolist()

    def test_in_choose_too(self):
        moved = PANDAS.sample(frac=1, random_state=3)
        old = moved.assign(old=SCORES)["old"]
        choice = sim.choose(moved, {"old": old, "jaro": "jaro"}, cardinality="1:1", resamples=0)
        by_id = dict(zip(choice.run.benchmark.items.ids, choice.run.predictions[0].scores, strict=True))
        assert by_id["p3"] == old[moved["id"] == "p3"].item()


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        (SCORES[:3], "'old': 3 scores for 8 items of"),
        ([], "'old': 0 scores for 8 items"),
        (["a"] * ROWS, "'old': the scores hold the text 'a' at position 0"),
        ([0.5, "0.5", *[0.5] * 6], "'old': the scores hold the text '0.5' at position 1"),
        ([0.5, None, *[0.5] * 6], "'old': the scores hold None at position 1"),
        ([0.5, 1j, *[0.5] * 6], r"'old': the scores hold a complex \(1j\) at position 1"),
        (np.ones((ROWS, 2)), "'old': the scores are a table of 8 x 2 numbers"),
        (pl.Series([0.5, None] * 4), "'object.old.' gave nan for item 'p1'"),
        (np.where(SCORES > 0.8, np.nan, SCORES), "'object.old.' gave nan for item 'p1'"),
    ],
)
def test_what_is_not_one_number_a_row(scores, words):
    with pytest.raises((ArgumentError, PredictionError), match=words):
        told(scores)


def test_scores_alone_score_nothing():
    with pytest.raises(ArgumentError, match="'old': an array of scores belongs to the rows of one table"):
        sim.system(SCORES, name="old")("a", "b")


def test_a_column_has_its_name():
    run = sim.run(PANDAS, [PANDAS.assign(cosine=SCORES)["cosine"], pl.Series("more", SCORES), "jaro"], ["mae"])
    assert [record.label for record in run.systems] == ["cosine", "more", "jaro"]
    assert (run.predictions[0].scores == run.predictions[1].scores).all()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_a_data_frame_has_a_system_in_each_column(kind):
    run = sim.run(PANDAS, kind({"old": SCORES, "new": SCORES**2}), ["mae"], resamples=0)
    assert [record.label for record in run.systems] == ["old", "new"]
    assert run.predictions[1].scores.tolist() == (SCORES**2)[HAS_GOLD].tolist()
    with pytest.raises(ArgumentError, match="'old': the index of the series"):
        sim.run(PANDAS, pd.DataFrame({"old": SCORES}, index=range(7, -1, -1)), ["mae"])


def test_a_named_system_of_scores():
    run = sim.run(FRAME, [sim.system(SCORES, name="old", range="0..1"), "jaro"], ["mae"], resamples=0)
    assert run.systems[0].label == "old"
    assert run.systems[0].range == "0..1"


def test_other_scores_under_the_same_name_are_measured_anew(tmp_path):
    first = told(SCORES, out=tmp_path)
    assert told(SCORES[::-1].copy(), out=tmp_path) != first
    changed = SCORES.copy()
    changed[0] += 1e-12
    assert told(changed, out=tmp_path)["p3"] == changed[0]


def test_the_array_may_change_after_the_run():
    scores = SCORES.copy()
    run = sim.run(FRAME, {"old": scores}, ["mae"], resamples=0)
    before = run.predictions[0].scores.copy()
    scores[:] = 0
    assert (run.predictions[0].scores == before).all()


class TestSuites:
    BOTH = {"one": FRAME, "two": FRAME.with_columns(left=pl.col("left") + "!")}  # noqa: RUF012 - the same ids

    @pytest.mark.parametrize("given", [SCORES, {"one": SCORES}, dict(zip(FRAME["id"], SCORES.tolist(), strict=True))])
    def test_an_array_belongs_to_no_suite(self, given):
        words = r"'old': an array of scores belongs .* one for each benchmark, \{\"NAME\": scores, ...\}.*: one, two"
        with pytest.raises(ArgumentError, match=words):
            sim.run_suite(self.BOTH, {"old": given})

    def test_one_for_each_benchmark(self, tmp_path):
        given = {"one": SCORES, "two": SCORES[::-1].copy()}
        suite = sim.run_suite(self.BOTH, {"old": given, "jaro": "jaro"}, out=tmp_path, resamples=0)
        runs = {each.name: each.run for each in suite.benchmarks}
        assert runs["one"].predictions[0].scores.tolist() == SCORES[HAS_GOLD].tolist()
        assert runs["two"].predictions[0].scores.tolist() == SCORES[::-1][HAS_GOLD].tolist()

    def test_a_table_alone_has_no_names(self):
        with pytest.raises(ArgumentError, match="'old': no score for 8 items"):
            sim.run(FRAME, {"old": {"one": SCORES}})

    def test_a_task_has_rows_of_its_own(self):
        with pytest.raises(ArgumentError, match=r"'old': an array of scores belongs .* a task has pairs of its own"):
            sim.task("sample:deduplication", {"old": SCORES})
