"""The last answer of a person counts, whatever the order of rounds in the file."""

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.gold.aggregation import make_aggregation
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.aggregation.round_order import rounds_in_order
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.annotator_table import annotator_table
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.contention import contention
from similitude.gold.reliability.rater_rest_correlation import own_and_rest_scores
from similitude.gold.reliability.rating_spread import ratings_of
from similitude.gold.reliability.rounds import compare_rounds, rounds_of
from similitude.gold.reliability.split_half import split_half


def made(**columns):
    return Judgements(name="made", frame=pl.DataFrame(columns))


def test_a_later_round_counts_wherever_its_rows_stand():
    answers = made(annotator=["x", "x"], item=["a", "a"], value=[5.0, 1.0], round=["second", "first"])
    assert last_answers(answers).frame["value"].to_list() == [5.0]


def test_the_last_answer_that_says_it_does_not_apply_supersedes_a_rating():
    answers = made(
        annotator=["x", "x", "y"],
        item=["a"] * 3,
        value=[4.0, None, 2.0],
        applies=[True, False, True],
        question=["1", "2", "1"],
    )
    kept = last_answers(answers)
    assert kept.frame["value"].to_list() == [2.0]
    assert kept.notes == (
        "1 answer is followed by a later one of the same annotator; the last one counts",
        "1 answer says that the question does not apply, and holds no value",
    )


def test_rows_that_count_keep_their_order():
    answers = made(
        annotator=["x", "y", "x", None, None], item=["a", "a", "a", "a", "a"], value=[1.0, 2.0, 3.0, 4.0, 4.0]
    )
    assert last_answers(answers).frame["value"].to_list() == [2.0, 3.0, 4.0, 4.0]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["second", "first"], ["first", "second"]),
        (["10", "9", "2"], ["2", "9", "10"]),
        (["round 3", "round 1"], ["round 1", "round 3"]),
        (["2", "first"], ["first", "2"]),
        (["main", "first", "pilot"], ["first", "main", "pilot"]),
        (["main", "pilot"], ["main", "pilot"]),
        (["2024-1", "2024-2"], ["2024-1", "2024-2"]),
    ],
)
def test_order_of_rounds(names, expected):
    assert rounds_in_order(pl.Series(names)) == expected


def test_the_earlier_round_comes_first_in_comparisons():
    answers = made(annotator=list("xyxy"), item=["a"] * 4, value=[5.0, 4.0, 1.0, 2.0], round=["2", "2", "1", "1"])
    assert rounds_of(answers) == ["1", "2"]
    found = compare_rounds(answers, resampling=NO_INTERVALS)
    assert (found.first, found.mean_difference.value) == ("1", -3.0)


@pytest.fixture
def twice():
    """Every rating of 30 items by 4 people, after another one by the same people that is noise."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=30)
    rows = [
        (f"p{person}", f"i{item}", question, value)
        for question in ("noise", "good")
        for person in range(4)
        for item in range(30)
        for value in [rng.normal() if question == "noise" else truth[item] + rng.normal() / 10]
    ]
    return pl.DataFrame(rows, schema=["annotator", "item", "question", "value"], orient="row")


def test_every_figure_is_that_of_the_last_answers(twice):
    both = Judgements(name="made", frame=twice)
    last = Judgements(name="made", frame=twice.filter(pl.col("question") == "good"))
    assert ratings_of(both).drop("question").equals(ratings_of(last).drop("question"))
    for one, other in zip(*(agreement_figures(each, resampling=NO_INTERVALS) for each in (both, last)), strict=True):
        assert one.estimate.value == pytest.approx(other.estimate.value, nan_ok=True), one.name
    assert own_and_rest_scores(both).equals(own_and_rest_scores(last))
    assert contention(both).equals(contention(last))
    assert split_half(both, resampling=NO_INTERVALS).pearson.value > 0.97
    for method in ("mean", "median", "gaussian", "annotator-aware"):
        frames = [make_aggregation(method).aggregate(each, np.random.default_rng(0)).frame for each in (both, last)]
        assert frames[0].equals(frames[1]), method
    columns = ["bias", "spread_ratio", "pearson"]
    tables = [annotator_table(each, resampling=NO_INTERVALS).select(columns) for each in (both, last)]
    assert tables[0].equals(tables[1])


def test_nobody_agrees_with_their_own_earlier_answer():
    # x answers one question in two rounds; nobody else names what x names.
    answers = Judgements(
        name="made",
        frame=pl.DataFrame(
            {
                "annotator": ["x", "x", "y", "x", "y"],
                "round": ["first", "second", "first", "first", "first"],
                "items": [list("abc")] * 3 + [list("abd")] * 2,
                "best": ["a", "a", "b", "d", "b"],
                "worst": ["c", "c", "a", "b", "d"],
            }
        ),
    )
    table = annotator_table(answers, resampling=NO_INTERVALS)
    assert table["same_best"].to_list() == [0.0, 0.0]


def test_a_gold_question_answered_twice_is_asked_once():
    answers = made(annotator=["x", "x", "y"], item=["a"] * 3, value=[1.0, 5.0, 5.0], round=["first", "second", "first"])
    table = annotator_table(answers, gold_answers={"a": 5.0}, resampling=NO_INTERVALS)
    assert table.select("gold_asked", "gold_right").rows() == [(1, 1), (1, 1)]
