from collections import Counter
from itertools import permutations

import polars as pl
import pytest

from similitude.collect.design import (
    BatchMix,
    Design,
    PlannedQuestion,
    Subjects,
    TupleRequest,
    plan_best_worst,
    plan_ratings,
    presentation,
    show,
)

PEOPLE = [f"p{number}" for number in range(600)]


@pytest.fixture(scope="module")
def rated() -> Design:
    subjects = Subjects.of_ids("ids", [f"i{n}" for n in range(68)])
    mix = BatchMix(size=20, gold_share=0.1, repeat_share=0.05, repeat_distance=6)
    return plan_ratings(subjects, mix, gold=["g1", "g2", "g3"], seed=3)


@pytest.fixture(scope="module")
def compared() -> Design:
    return plan_best_worst(
        Subjects.of_ids("ids", [f"i{n}" for n in range(12)]), TupleRequest(size=3, tuples=10), seed=3
    )


def test_every_annotator_sees_every_question_with_its_items(compared):
    for person in PEOPLE[:5]:
        seen = presentation(compared, person)
        assert {one.question: sorted(one.items) for one in seen} == {
            one.question: sorted(one.items) for one in compared
        }
        assert all(len(one.swapped) == 3 for one in seen)


def test_who_asks_first_does_not_matter(compared):
    forwards = {person: presentation(compared, person) for person in PEOPLE[:20]}
    backwards = {person: presentation(compared, person) for person in reversed(PEOPLE[:20])}
    assert forwards == backwards


def test_a_question_is_shown_the_same_whatever_else_is_in_the_plan(compared):
    fewer = Design(task="best-worst", frame=compared.frame[::2], seed=compared.seed)
    whole = {one.question: one for one in presentation(compared, "anna")}
    part = presentation(fewer, "anna")
    assert all(whole[one.question] == one for one in part)
    # And the questions that are left keep their order.
    order = [one.question for one in presentation(compared, "anna")]
    assert [one.question for one in part] == sorted((one.question for one in part), key=order.index)
    question = next(iter(compared))
    assert show(question, "anna", compared.seed) == whole[question.question]


def test_every_order_is_as_likely_as_any_other(compared):
    question = next(iter(compared))
    orders = Counter(show(question, person, 1).items for person in PEOPLE)
    assert set(orders) == set(permutations(question.items))
    # 600 people over 6 orders: 100 expected, standard deviation sqrt(600 x 1/6 x 5/6) = 9.1.
    assert all(60 < count < 140 for count in orders.values())


def test_sides_are_left_or_right_about_equally_often(rated):
    question = next(iter(rated))
    swapped = sum(show(question, person, 1).swapped[0] for person in PEOPLE)
    # Binomial: 300 expected, standard deviation 12.2.
    assert 250 < swapped < 350


def test_questions_come_in_an_order_of_ones_own(compared):
    first = Counter(presentation(compared, person)[0].question for person in PEOPLE)
    assert len(first) == 10
    assert all(30 < count < 95 for count in first.values())  # 60 expected, standard deviation 7.3


def test_seed_and_annotator_decide(compared):
    anna = presentation(compared, "anna")
    assert presentation(compared, "anna", seed=compared.seed) == anna
    assert presentation(compared, "anna", seed=99) != anna
    assert presentation(compared, "ben") != anna


def test_batches_stay_whole_and_keep_their_rules(rated):
    plan = {one.question: one for one in rated}
    starts = Counter()
    for person in PEOPLE[:40]:
        seen = presentation(rated, person)
        batches = list(dict.fromkeys(one.batch for one in seen))
        starts[batches[0]] += 1
        for number in batches:
            batch = [plan[one.question] for one in seen if one.batch == number]
            assert len(batch) == rated.frame.filter(pl.col("batch") == number).height
            assert batch[0].kind == "work"
            place = {one.question: position for position, one in enumerate(batch)}
            assert all(place[one.question] - place[one.repeats] >= 6 for one in batch if one.repeats)
        assert [one.batch for one in seen] == [number for number in batches for _ in range(20)]
    assert len(starts) == 4


def test_stays_as_it_is_from_release_to_release():
    # Annotators who come back must see what they saw. These were written down when the function was.
    again = show(PlannedQuestion(question="q01", items=("a", "b", "c", "d")), "anna", 7)
    assert (again.items, again.swapped) == (("d", "c", "a", "b"), (True, True, False, False))
