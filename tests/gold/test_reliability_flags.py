"""Flags of annotators: each rule just beyond its border and just inside it."""

import numpy as np
import polars as pl
import pytest

from similitude.gold.reliability.flags import RULES, with_flags


def flags_of(values, column: str = "longest_run", *, answers: int = 10, width: float | None = None, **columns) -> list:
    table = pl.DataFrame({column: values, "answers": [answers] * len(values), **columns})
    return with_flags(table, [None] * len(values), width)["flags"].to_list()


FAST = "answers in less than a third of everybody's median time: {} %; the median annotator {} %"
PLACE = "names the item at place 2 {} in {} % of answers; the commonest place of the median annotator has 50 %"


@pytest.mark.parametrize(
    ("column", "middle", "beyond", "inside", "sentence"),
    [
        ("pearson", 0.5, 0.375, 0.40625, "agrees with the others at r = 0.38; the median annotator 0.50"),
        ("same_best", 0.5, 0.375, 0.625, "share of the others who name the same best: 38 %; the median annotator 50 %"),
        (
            "same_worst",
            0.5,
            0.375,
            0.40625,
            "share of the others who name the same worst: 38 %; the median annotator 50 %",
        ),
        (
            "same_label",
            0.5,
            0.375,
            0.40625,
            "share of the others who give the same label: 38 %; the median annotator 50 %",
        ),
        ("spread_ratio", 1.0, 0.5, 0.625, "spread of ratings over that of the others: 0.50; the median annotator 1.00"),
        ("spread_ratio", 1.0, 1.5, 1.375, "spread of ratings over that of the others: 1.50; the median annotator 1.00"),
        ("extremes", 0.25, 0.5, 0.0, "answers at the ends of the scale: 50 %; the median annotator 25 %"),
        ("extremes", 0.25, 0.46875, 0.4375, "answers at the ends of the scale: 47 %; the median annotator 25 %"),
        ("commonest", 0.25, 0.5, 0.4921875, "answers with the same value: 50 %; the median annotator 25 %"),
        ("longest_run", 3, 11, 10, "most equal answers in a row: 11; the median annotator 3"),
        ("too_fast", 0.125, 0.28125, 0.265625, FAST.format(28, 12)),
        ("repeat_agreement", 1.0, 0.84375, 0.859375, "the same answer again: 84 %; the median annotator 100 %"),
        ("best_place_share", 0.5, 0.65625, 0.640625, PLACE.format("best", 66)),
        ("worst_place_share", 0.5, 0.65625, 0.640625, PLACE.format("worst", 66)),
    ],
)
def test_a_figure_beyond_its_margin_is_said_and_one_inside_is_not(column, middle, beyond, inside, sentence):
    places = {"best_place": [2] * 5, "worst_place": [2] * 5}
    found = flags_of([middle, middle, beyond, middle, middle], column, **places)
    assert found == [[], [], [sentence], [], []]
    assert flags_of([middle, middle, inside, middle, middle], column, **places) == [[]] * 5


def test_every_rule_is_tested():
    assert len(RULES) == 13
    assert {rule.column for rule in RULES} == {
        "pearson", "same_best", "same_worst", "same_label", "relative_bias", "spread_ratio", "extremes", "commonest",
        "longest_run", "best_place_share", "worst_place_share", "too_fast", "repeat_agreement",
    }  # fmt: skip


@pytest.mark.parametrize(("bias", "word"), [(-0.5, "lower"), (0.5, "higher")])
def test_bias_is_judged_relative_to_the_scale(bias: float, word: str):
    values = [0.0, 0.0, bias, 0.0, 0.0]
    assert flags_of(values, "bias", width=4.0)[2] == [f"rates 0.50 {word} than the others on average"]
    assert flags_of(values, "bias", width=8.0)[2] == []
    assert flags_of(values, "bias", width=None)[2] == []


def test_where_annotators_differ_anyway_more_is_needed():
    """Distances from the median 10 are 2, 0, 2, 0 and d: usual is 1.4826 * 2, three times that 8.9."""
    assert flags_of([8.0, 10.0, 12.0, 10.0, 18.8]) == [[]] * 5
    assert [len(said) for said in flags_of([8.0, 10.0, 12.0, 10.0, 19.0])] == [0, 0, 0, 0, 1]


def test_four_annotators_can_be_compared_and_three_cannot():
    assert [len(said) for said in flags_of([3, 3, 3, 20])] == [0, 0, 0, 1]
    assert flags_of([3, 3, 20]) == [[]] * 3
    assert [len(said) for said in flags_of([3, 3, None, 3, 20])] == [0, 0, 0, 0, 1]
    assert flags_of([3, 3, None, None, 20]) == [[]] * 5
    assert flags_of([None] * 5) == [[]] * 5


def test_ten_answers_are_enough_to_be_flagged():
    assert flags_of([3, 3, 3, 20], answers=9) == [[]] * 4


@pytest.mark.parametrize(
    ("asked", "right", "said"),
    [
        (4, 3, []),
        (4, 2, ["right on 2 of 4 gold questions; 75 % are expected"]),
        (4, 0, ["right on 0 of 4 gold questions; 75 % are expected"]),
        (3, 0, []),
        (None, None, []),
        (8, 5, ["right on 5 of 8 gold questions; 75 % are expected"]),
    ],
)
def test_gold_questions(asked, right, said):
    assert flags_of([3], gold_asked=[asked], gold_right=[right]) == [said]


def test_why_agreement_is_undefined_comes_first():
    table = pl.DataFrame({"longest_run": [3, 3, 3, 20], "answers": [10] * 4})
    found = with_flags(table, [None, "shares no item", None, "rated one item"], None)["flags"].to_list()
    assert found[1] == ["shares no item"]
    assert found[3] == ["rated one item", "most equal answers in a row: 20; the median annotator 3"]


def test_the_side_matters():
    assert flags_of([0.5, 0.5, 0.9, 0.5], "pearson") == [[]] * 4
    assert flags_of([9, 9, 0, 9], "longest_run") == [[]] * 4
    assert np.array(flags_of([1.0, 1.0, 0.0, 1.0], "spread_ratio"), dtype=object)[2] != []


def test_who_rates_like_the_others_where_nobody_else_does_is_not_called_higher():
    assert flags_of([1.0, 1.0, 0.0, 1.0, 1.0], "bias", width=4.0)[2] == ["rates 0.00 lower than the others on average"]
