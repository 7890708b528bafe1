"""The four tasks: what is shown, what is an answer, what is right, how far answers lie apart, and the row it makes."""

from __future__ import annotations

import math
from typing import Any

import pytest

from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.rating_scale import RatingScale
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.tasks import (
    AnnotationTask,
    BestWorstTask,
    ConditionsTask,
    RatingTask,
    VerificationTask,
)
from similitude.collect.annotation.tasks.contract import lacks_of_task

DIALOGUE = ["Where is the station?", "Which one?", "The old one."]
TRIPLE = [
    {"id": letter, "left": DIALOGUE[-1], "right": f"reply {letter}", "context": DIALOGUE, "language": "en"}
    for letter in "abc"
]
PAIR = [
    {"id": "p", "left": "A large green ball was bouncing on the street.", "right": "I bought a small green avocado."}
]
RATING = RatingTask(scale=RatingScale(low=0, high=5, step=0.5))
VERIFICATION = VerificationTask(scale=RatingScale(low=1, high=5))


def keys(task: AnnotationTask, items: Any, form: dict[str, str]) -> list[tuple[str, str]]:
    return [(problem.field, problem.key) for problem in task.read(items, form).problems]


def test_a_triple_shares_its_dialogue_and_options_come_in_the_order_asked_for() -> None:
    shown = BestWorstTask().shown(TRIPLE, [2, 0, 1])
    assert (shown.left, shown.context, shown.right) == (DIALOGUE[-1], tuple(DIALOGUE[:-1]), None)
    assert [(option.id, option.text, option.left) for option in shown.options] == [
        ("c", "reply c", None),
        ("a", "reply a", None),
        ("b", "reply b", None),
    ]
    assert shown.language == "en"


def test_a_tuple_of_pairs_shows_both_texts_of_each() -> None:
    mixed = [{"id": "1", "left": "x", "right": "y"}, {"id": "2", "left": "u", "right": "v"}]
    shown = BestWorstTask().shown(mixed)
    assert shown.left is None
    assert [(option.left, option.text) for option in shown.options] == [("x", "y"), ("u", "v")]


def test_a_dialogue_that_does_not_end_in_the_left_text_is_shown_whole() -> None:
    shown = RATING.shown([{**PAIR[0], "context": ["hello", "who is it?"]}])
    assert shown.context == ("hello", "who is it?")


@pytest.mark.parametrize(
    ("form", "problems"),
    [
        ({"best": "a", "worst": "b"}, []),
        ({"best": "a"}, [("worst", "missing")]),
        ({}, [("best", "missing"), ("worst", "missing")]),
        ({"best": "a", "worst": "z"}, [("worst", "not_in_tuple")]),
        ({"best": "a", "worst": "a"}, [("worst", "same_item")]),
    ],
)
def test_best_and_worst_are_two_of_the_tuple(form: dict[str, str], problems: list[tuple[str, str]]) -> None:
    assert keys(BestWorstTask(), TRIPLE, form) == problems


@pytest.mark.parametrize(
    ("written", "read"),
    [("3", 3.0), (" 3.5 ", 3.5), ("3,5", 3.5), ("0", 0.0), ("5", 5.0), ("3.0", 3.0), ("4.5000000001", 4.5)],
)
def test_numbers_as_people_write_them(written: str, read: float) -> None:
    assert RATING.read(PAIR, {"value": written}).answer == {"value": read}


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("", "missing"),
        ("three", "not_a_number"),
        ("nan", "not_a_number"),
        ("1e400", "not_a_number"),
        ("1" * 40, "not_a_number"),
        ("-0.5", "off_scale"),
        ("5.5", "off_scale"),
        ("3.2", "off_step"),
    ],
)
def test_numbers_that_are_no_answer(written: str, key: str) -> None:
    assert keys(RATING, PAIR, {"value": written}) == [("value", key)]


def test_a_continuous_scale_takes_every_tenth() -> None:
    # 0.1 * 3 is 0.30000000000000004: what is kept is the number that was meant.
    task = RatingTask(scale=RatingScale(low=0, high=5, step=0.1))
    assert task.read(PAIR, {"value": "0.3"}).answer == {"value": 0.3}
    assert len(task.scale.points) == 51


@pytest.mark.parametrize(("value", "right"), [(3.0, True), (3.4, True), (3.5, False), (2.6, True), (2.5, False)])
def test_right_is_closer_than_the_tolerance(value: float, right: bool) -> None:
    # USTS 3.2: right when the difference is < 0.5.
    assert RATING.is_right({"value": value}, {"value": 3.0}, 0.5) is right


@pytest.mark.parametrize(
    ("form", "problems"),
    [
        ({"applies": "yes", "value": "4"}, []),
        ({"applies": "no"}, []),
        ({"applies": "no", "value": ""}, []),
        ({}, [("applies", "missing")]),
        ({"applies": "perhaps", "value": "4"}, [("applies", "missing")]),
        ({"applies": "yes"}, [("value", "missing")]),
        ({"applies": "yes", "value": "0"}, [("value", "off_scale")]),
        ({"applies": "no", "value": "4"}, [("value", "contradiction")]),
    ],
)
def test_a_condition_applies_and_then_has_a_rating(form: dict[str, str], problems: list[tuple[str, str]]) -> None:
    assert keys(VERIFICATION, PAIR, form) == problems


def test_verification_is_right_when_both_say_the_same() -> None:
    yes, no = {"applies": True, "value": 4.0}, {"applies": False, "value": None}
    assert VERIFICATION.is_right(no, no, 0.5)
    assert VERIFICATION.is_right(yes, {"applies": True, "value": 4.2}, 0.5)
    assert not VERIFICATION.is_right(yes, {"applies": True, "value": 5.0}, 0.5)
    assert not VERIFICATION.is_right(yes, no, 0.5)


def test_spread_of_ratings_is_the_population_standard_deviation() -> None:
    # 1, 2, 3, 4: mean 2.5, squares 2.25 + 0.25 + 0.25 + 2.25 = 5, over 4 is 1.25.
    assert RATING.spread([{"value": value} for value in (1, 2, 3, 4)]) == pytest.approx(math.sqrt(1.25))
    assert math.isnan(RATING.spread([{"value": 1.0}]))


def test_spread_of_verifications_sees_both_questions() -> None:
    yes = [{"applies": True, "value": value} for value in (2.0, 4.0)]
    no = {"applies": False, "value": None}
    assert VERIFICATION.spread(yes) == 1.0
    # One of five says no: the standard deviation of 1, 1, 1, 1, 0 is 0.4, twice that is 0.8; all rate 3.
    assert VERIFICATION.spread([{"applies": True, "value": 3.0}] * 4 + [no]) == pytest.approx(0.8)
    assert VERIFICATION.spread([yes[0], no]) == 1.0
    assert math.isnan(VERIFICATION.spread([no]))


def test_spread_of_best_worst_is_the_share_outside_the_commonest_answer() -> None:
    answers = [{"best": "a", "worst": "b"}] * 3 + [{"best": "a", "worst": "c"}] * 2
    assert BestWorstTask().spread(answers) == pytest.approx(0.4)
    assert BestWorstTask().spread(answers[:3]) == 0.0
    assert math.isnan(BestWorstTask().spread(answers[:1]))


@pytest.mark.parametrize(
    ("task", "items", "form"),
    [
        (BestWorstTask(), TRIPLE, {"best": "c", "worst": "a"}),
        (RATING, PAIR, {"value": "3.5"}),
        (VERIFICATION, PAIR, {"applies": "yes", "value": "2"}),
        (VERIFICATION, PAIR, {"applies": "no", "value": ""}),
        (ConditionsTask(), PAIR, {"alike": "the colour", "differ": "the size"}),
    ],
)
def test_an_answer_finds_its_way_through_form_and_row(task: AnnotationTask, items: Any, form: dict[str, str]) -> None:
    answer = task.read(items, form).answer
    assert answer is not None
    assert task.form(answer) == form
    assert task.answer_of(task.row(items, answer)) == answer
    assert set(form) == set(task.fields)


def test_rows_have_the_columns_of_our_judgements() -> None:
    assert BestWorstTask().row(TRIPLE, {"best": "c", "worst": "a"}) == {
        "items": ["a", "b", "c"],
        "best": "c",
        "worst": "a",
    }
    assert RATING.row(PAIR, {"value": 1.0}) == {"item": "p", "value": 1.0}
    assert VERIFICATION.row(PAIR, {"applies": False, "value": None}) == {"item": "p", "value": None, "applies": False}
    written = {"alike": "the colour", "differ": "the size"}
    assert ConditionsTask().row([{**PAIR[0], "group": "g"}], written) == {"group": "g", **written}
    assert ConditionsTask().row(PAIR, written)["group"] == "p"


@pytest.mark.parametrize(
    "condition",
    [
        "The color",
        "The size of the object",
        "The color of the fruit",
        "The game being played.",
        "The speed of the cyclists.",
        "The number of people",
        "The sentiment of the people.",
        "the way the object is propelled",
        "the base of the object",
        "What is being worn",
        "whether the person is happy",
        "The type of clothing people are wearing",
        "Die Farbe",
        "wie groß der Gegenstand ist",
        "颜色",
        "物体的大小",
        "是否在室内",
    ],
)
def test_conditions_that_follow_the_guidelines(condition: str) -> None:
    # Most are the good examples of C-STS, table 1 and figure 7.
    assert keys(ConditionsTask(), PAIR, {"alike": condition, "differ": "something quite different"}) == []


@pytest.mark.parametrize(
    ("condition", "key"),
    [
        ("", "missing"),
        ("   ", "missing"),
        ("...", "missing"),
        ("x", "too_short"),
        ("a" * 201, "too_long"),
        ("the col\x00our", "bad_characters"),
        ("the colour \ud800", "bad_characters"),
        ("the color in the sentence", "says_sentence"),
        ("The instrument in both Sentences", "says_sentence"),
        ("die Farbe im Satz", "says_sentence"),
        ("句子的颜色", "says_sentence"),
        ("The activity", "too_vague"),
        ("the activity.", "too_vague"),
        ("Die Tätigkeit", "too_vague"),
        ("活动", "too_vague"),
        ("The color is green", "is_value"),
        ("The size of the object is large", "is_value"),
        ("green", "is_value"),
        ("The street", "is_value"),
        ("a small green avocado", "is_value"),
        ("Die Farbe ist grün", "is_value"),
        ("颜色是绿色", "is_value"),
    ],
)
def test_conditions_that_break_a_guideline(condition: str, key: str) -> None:
    # C-STS figure 7: guidelines 3 (attributes, not values), 4 (no "sentence"), 5 (not vague).
    form = {"alike": condition, "differ": "the way it moves"}
    assert keys(ConditionsTask(), PAIR, form) == [("alike", key)]


def test_a_chinese_condition_that_stands_in_a_text_is_a_value() -> None:
    pair = [{"id": "z", "left": "他买了一个绿色的苹果", "right": "街上有一个球"}]
    assert keys(ConditionsTask(), pair, {"alike": "绿色", "differ": "物体的大小"}) == [("alike", "is_value")]


def test_the_two_conditions_differ_in_more_than_dress() -> None:
    form = {"alike": "The colour", "differ": "  the COLOUR. "}
    assert keys(ConditionsTask(), PAIR, form) == [("differ", "not_different")]
    assert ConditionsTask().read(PAIR, {"alike": " The  colour\n", "differ": "The size"}).answer == {
        "alike": "The colour",
        "differ": "The size",
    }


def test_nobody_is_shown_a_condition_that_they_are_to_write() -> None:
    assert ConditionsTask().shown([{**PAIR[0], "condition": "the colour"}]).condition is None
    assert RATING.shown([{**PAIR[0], "condition": "the colour"}]).condition == "the colour"


@pytest.mark.parametrize(
    ("task", "question", "fault"),
    [
        (BestWorstTask(), Question(key="q", items=tuple(TRIPLE[:1])), "at least two items"),
        (BestWorstTask(), Question(key="q", items=(TRIPLE[0], TRIPLE[0])), "names an item twice"),
        (BestWorstTask(), Question(key="q", kind="gold", items=tuple(TRIPLE), expected={"best": "z"}), "not in the"),
        (BestWorstTask(), Question(key="q", kind="gold", items=tuple(TRIPLE)), "right answer is missing"),
        (RATING, Question(key="q", items=tuple(TRIPLE)), "about one item"),
        (RATING, Question(key="q", kind="gold", items=tuple(PAIR), expected={"value": 9}), "off the scale 0..5"),
        (RATING, Question(key="q", kind="gold", items=tuple(PAIR)), "missing: a value"),
        (VERIFICATION, Question(key="q", items=tuple(PAIR)), "has no condition"),
        (ConditionsTask(), Question(key="q", items=tuple(TRIPLE)), "about one item"),
    ],
)
def test_questions_that_cannot_be_asked(task: AnnotationTask, question: Question, fault: str) -> None:
    assert fault in task.faults(question)[0]


def test_gold_may_know_the_best_alone() -> None:
    question = Question(key="q", kind="gold", items=tuple(TRIPLE), expected={"best": "a", "worst": None})
    assert BestWorstTask().faults(question) == []
    assert BestWorstTask().is_right({"best": "a", "worst": "c"}, {"best": "a", "worst": None}, 0.5)


def test_tasks_come_from_plans_with_their_scales() -> None:
    made = [
        StudyPlan(name="s", task=name).annotation_task()
        for name in ("best-worst", "rating", "conditions", "verification")
    ]
    assert [task.name for task in made] == ["best-worst", "rating", "conditions", "verification"]
    assert [task.checkable for task in made] == [True, True, False, True]
    assert made[1].scale.points == (0, 1, 2, 3, 4, 5)  # type: ignore[attr-defined]
    assert made[3].scale.points == (1, 2, 3, 4, 5)  # type: ignore[attr-defined]


@pytest.mark.parametrize("task", [BestWorstTask, RatingTask, ConditionsTask, VerificationTask])
def test_our_own_tasks_keep_the_contract(task: type) -> None:
    made = task()
    assert isinstance(made, AnnotationTask)
    assert list(lacks_of_task(made.name, task)) == []
    assert set(made.texts) == {"en", "de", "zh"}
    assert "<fieldset" in made.template or "<input" in made.template
