import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.collect.simulation import Annotators, judge_best_worst
from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import InputError
from similitude.gold.reliability.annotator_table import annotator_table
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.samples import read_sample

FIVE = Scale(low=0, high=5)


def rated(rows, **columns) -> Judgements:
    """Rows of (annotator, item, value)."""
    frame = pl.DataFrame(rows, schema=["annotator", "item", "value"], orient="row").with_columns(**columns)
    return Judgements(name="made", frame=frame, scale=FIVE)


def of_matrix(values, **columns) -> Judgements:
    rows = [(f"r{a}", f"i{i}", float(value)) for a, row in enumerate(values) for i, value in enumerate(row)]
    return rated(rows, **columns)


def row_of(table: pl.DataFrame, annotator: str) -> dict:
    return table.row(by_predicate=pl.col("annotator") == annotator, named=True)


def test_ratings_by_hand():
    # x against y, the only other: bias (1 + 1 + 1) / 3; x's ratings 1, 3, 5 spread as y's 0, 2, 4
    table = annotator_table(rated([("x", "a", 1.0), ("x", "b", 3.0), ("x", "c", 5.0),
                                   ("y", "a", 0.0), ("y", "b", 2.0), ("y", "c", 4.0)]))  # fmt: skip
    x, y = row_of(table, "x"), row_of(table, "y")
    assert (x["answers"], x["items"]) == (3, 3)
    assert (x["bias"], y["bias"]) == (1.0, -1.0)
    assert x["spread_ratio"] == pytest.approx(1.0)
    assert x["pearson"] == pytest.approx(1.0)
    assert (x["extremes"], y["extremes"]) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert (x["longest_run"], x["commonest"]) == (1, pytest.approx(1 / 3))
    assert x["seconds"] is None
    assert x["flags"] == []


def test_the_spread_ratio_compares_with_single_ratings_of_the_others():
    # x: 0, 4 -> sigma 2; the others' four single ratings 1, 3, 1, 3 -> sigma 1
    table = annotator_table(of_matrix([[0, 4], [1, 3], [1, 3]]))
    assert row_of(table, "r0")["spread_ratio"] == pytest.approx(2.0)


def test_runs_and_the_commonest_value():
    # 2 2 2 1 2: the longest run is 3, and 4 of 5 are the same; float noise does not break a run
    values = [[2.0, 2.0000000000000004, 2.0, 1.0, 2.0], [0, 1, 2, 3, 4]]
    first = row_of(annotator_table(of_matrix(values)), "r0")
    assert (first["longest_run"], first["commonest"]) == (3, 0.8)


def test_too_fast_is_below_a_third_of_everybodys_median():
    # median of 9, 9, 9, 9, 2, 4 is 9: a third is 3, so that 2 is too fast and 4 is not
    values = [[1, 2, 3], [1, 2, 3]]
    table = annotator_table(of_matrix(values, seconds=pl.Series([9.0, 9, 9, 9, 2, 4])))
    assert table["seconds"].to_list() == [9.0, 4.0]
    assert table["too_fast"].to_list() == [0.0, pytest.approx(1 / 3)]


IMPOSSIBLE = "answers in less than 0.3 s, or than a tenth of the usual time, which nobody can: {} %"


@pytest.mark.parametrize(
    ("seconds", "flags"),
    [
        ([[8.0] * 6, [9.0] * 6, [0.0] * 6], [None, None, 100]),  # three people, six answers
        ([[20.0] * 6, [30.0] * 6, [1.9, 1.9, 25, 25, 25, 25]], [None, None, 33]),  # a tenth of 25 is 2.5
        ([[20.0] * 6, [30.0] * 6, [0.0, 25, 25, 25, 25, 25]], [None, None, None]),  # once is a slip
        ([[0.2] * 6, [0.1] * 6, [9.0] * 6], [100, 100, None]),  # most of them
        ([[0.0] * 6] * 3, [None] * 3),  # nobody measured
    ],
)
def test_impossible_times_are_flagged_however_many_annotators_there_are(seconds, flags):
    rows = {
        "annotator": np.repeat(["x", "y", "z"], 6),
        "item": np.tile(list("abcdef"), 3),
        "value": np.tile([1.0, 2, 3, 4, 5, 3], 3),
        "seconds": np.ravel(seconds),
    }
    table = sim.reliability(pl.DataFrame(rows), resamples=0).annotators
    told = [[flag for flag in each if "nobody can" in flag] for each in table["flags"].to_list()]
    assert told == [[] if share is None else [IMPOSSIBLE.format(share)] for share in flags]


def test_repeats_hold_the_first_answer_against_the_second():
    # a: 1.0 then 1.4 (the same, within 0.5), b: 1.0 then 1.5 (not); the copied row of c is no repeat
    rows = [("x", "a", 1.0), ("x", "a", 1.4), ("x", "b", 1.0), ("x", "b", 1.5), ("x", "c", 1.0), ("x", "c", 3.0)]
    table = annotator_table(rated(rows, question=pl.Series(["a", "a2", "b", "b2", "c", "c"])))
    assert table.select("repeats", "repeat_agreement").row(0) == (2, 0.5)


def test_gold_questions_by_question_or_item():
    # gold 2.0: x gives 2.4 (right) and y 2.5 (wrong: the difference has to be below 0.5, USTS 3.2)
    rows = [("x", "a", 2.4), ("y", "a", 2.5), ("x", "b", 1.0), ("y", "b", 1.0)]
    table = annotator_table(rated(rows), gold_answers={"a": 2.0})
    assert table.select("annotator", "gold_asked", "gold_right").rows() == [("x", 1, 1), ("y", 1, 0)]
    with pytest.raises(InputError, match="none of the 1 gold questions was answered"):
        annotator_table(rated(rows), gold_answers={"z": 2.0})


def test_failed_gold_questions_are_said_even_of_two_annotators():
    values = [[1, 2, 3, 4], [5, 5, 3, 4]]
    gold = {f"i{place}": float(place + 1) for place in range(4)}
    table = annotator_table(of_matrix(values), gold_answers=gold)
    assert table["flags"].to_list() == [[], ["right on 2 of 4 gold questions; 75 % are expected"]]


def test_one_annotator_has_nobody_to_compare_with():
    alone = row_of(annotator_table(of_matrix([[1, 2, 3]])), "r0")
    assert np.isnan(alone["pearson"])
    assert alone["flags"] == ["only one annotator: there is nobody to compare with"]


def test_no_overlap_and_constant_answers_are_told_apart():
    apart = annotator_table(rated([("x", "a", 1.0), ("y", "b", 2.0)]))
    assert apart["flags"].to_list() == [["shares no item with another annotator: there is nothing to compare"]] * 2
    flat = annotator_table(of_matrix([[2, 2, 2], [1, 2, 3], [1, 3, 2]]))
    assert row_of(flat, "r0")["flags"][0].startswith("no correlation with the others")
    assert np.isnan(row_of(flat, "r0")["pearson"])


def test_one_answer_is_no_reason_to_look_at_a_person():
    """In a large crowd most people with one or two answers have no correlation, and would hide those who stand out."""
    ratings = [
        *(("often", f"i{n}", 2.0) for n in range(4)),
        ("once", "i0", 1.0),
        ("twice", "i1", 1.0),
        ("twice", "i2", 3.0),
    ]
    others = [(name, f"i{n}", float(n + shift)) for shift, name in enumerate(("ann", "bob")) for n in range(4)]
    table = annotator_table(rated([*ratings, *others]))
    assert row_of(table, "once")["flags"] == []
    assert row_of(table, "twice")["flags"] == []
    assert row_of(table, "often")["flags"][0].startswith("no correlation with the others")


def test_nameless_answers_are_refused():
    with pytest.raises(InputError, match="annotators are not named"):
        annotator_table(rated([(None, "a", 1.0)]))


def simulated(rng) -> np.ndarray:
    """Ten people rate 120 items on 0..5 in steps of a tenth."""
    truth = rng.uniform(0.5, 4.5, 120)
    leniency = rng.normal(0, 0.1, 10)[:, None]
    return np.clip(np.round(truth + leniency + rng.normal(0, 0.4, (10, 120)), 1), 0, 5)


def test_careful_people_are_not_pointed_out():
    said = [
        annotator_table(of_matrix(simulated(np.random.default_rng(seed))), resampling=NO_INTERVALS) for seed in range(5)
    ]
    assert sum(len(flags) for table in said for flags in table["flags"]) == 0
    sample = Judgements.of_benchmark(read_sample("opinions"))
    assert annotator_table(sample)["flags"].list.len().sum() == 0


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda row, rng: rng.permutation(row), "agrees with the others at r ="),
        (lambda row, rng: np.clip(row + 1.2, 0, 5), "higher than the others on average"),
        (lambda row, rng: 2.5 + (row - 2.5) * 0.2, "spread of ratings over that of the others: 0."),
        (lambda row, rng: np.where(row > 2.5, 5.0, 0.0), "answers at the ends of the scale: 100 %"),
        (lambda row, rng: np.where(np.arange(row.size) < 40, 3.0, row), "most equal answers in a row: 4"),
    ],
)
def test_a_spoiled_annotator_is_pointed_out_and_nobody_else(spoil, sentence):
    rng = np.random.default_rng(11)
    values = simulated(rng)
    values[4] = spoil(values[4], rng)
    table = annotator_table(of_matrix(values), resampling=Resampling(rng=rng))
    assert any(sentence in said for said in row_of(table, "r4")["flags"])
    assert table.filter(pl.col("annotator") != "r4")["flags"].list.len().sum() == 0


def test_intervals_of_agreement():
    table = annotator_table(
        of_matrix(simulated(np.random.default_rng(3))), resampling=Resampling(rng=np.random.default_rng(0))
    )
    assert (table["pearson_low"] < table["pearson"]).all()
    assert (table["pearson"] < table["pearson_high"]).all()


# Best-worst

HAND = pl.DataFrame(
    {
        "question": ["q"] * 4,
        "annotator": ["w", "x", "y", "z"],
        "items": [["a", "b", "c"], ["c", "b", "a"], ["b", "a", "c"], ["a", "c", "b"]],
        "best": ["a", "a", "b", "a"],
        "worst": ["c", "b", "c", "b"],
    }
)


def test_best_worst_by_hand():
    # w: of x, y, z two name a best (2/3, the majority) and one names c worst (1/3; b has two: not the majority)
    table = annotator_table(Judgements(name="made", frame=HAND))
    w, y = row_of(table, "w"), row_of(table, "y")
    assert (w["same_best"], w["majority_best"]) == (pytest.approx(2 / 3), 1.0)
    assert (w["same_worst"], w["majority_worst"]) == (pytest.approx(1 / 3), 0.0)
    assert (y["same_best"], y["majority_best"]) == (0.0, 0.0)
    # places as shown: x saw c, b, a and named a: place 3
    assert table["best_place"].to_list() == [1, 3, 1, 1]
    assert table["worst_place"].to_list() == [3, 2, 3, 3]


def test_best_worst_repeats_and_gold():
    # w is asked about the same three items again and changes the worst: half agreement; gold (a, c) is right once
    again = pl.DataFrame(
        {"question": ["q2"], "annotator": ["w"], "items": [["c", "a", "b"]], "best": ["a"], "worst": ["b"]}
    )
    judged = Judgements(name="made", frame=pl.concat([HAND, again]))
    w = row_of(annotator_table(judged, gold_answers={"q": ("a", "c"), "q2": ("a", "c")}), "w")
    assert (w["repeats"], w["repeat_agreement"]) == (1, 0.5)
    assert (w["gold_asked"], w["gold_right"]) == (2, 1)
    with pytest.raises(InputError, match="pairs of best and worst"):
        annotator_table(judged, gold_answers={"q": 1.0})


def test_an_annotator_who_always_clicks_the_first_is_pointed_out():
    rng = np.random.default_rng(6)
    ids = [f"i{n}" for n in range(30)]
    truth = dict(zip(ids, rng.uniform(0, 1, 30), strict=True))
    tuples = {f"q{n}": rng.choice(ids, 4, replace=False).tolist() for n in range(60)}
    frame = judge_best_worst(tuples, truth, Annotators.draw(8, rng), per_tuple=8, rng=rng)
    clicks = pl.col("annotator") == "sim-03"
    clicked = frame.with_columns(
        best=pl.when(clicks).then(pl.col("items").list.first()).otherwise("best"),
        worst=pl.when(clicks).then(pl.col("items").list.last()).otherwise("worst"),
    )
    table = annotator_table(Judgements(name="made", frame=clicked), resampling=Resampling(rng=rng))
    said = " / ".join(row_of(table, "sim-03")["flags"])
    assert "names the item at place 1 best in 100 % of answers" in said
    assert "share of the others who name the same best" in said
    assert table.filter(pl.col("annotator") != "sim-03")["flags"].list.len().sum() == 0
