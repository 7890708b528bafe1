"""The clock jumps while people work: no answer is lost or collected twice, and none took less than no time."""

import random
from collections import Counter
from datetime import timedelta

import pytest

TEN_MINUTES = {"questions": 3, "minutes": 10}


def test_a_clock_that_is_set_back_takes_no_work_away_and_makes_no_negative_seconds(site):
    served = site("rating", judgements=1, batch=TEN_MINUTES)
    person = served.annotator()
    person.answer(value="3")
    served.clock.passed = timedelta(hours=-2)
    assert "data-questions" not in served.annotator().page.text  # the first one still holds all three questions
    assert person.answer(value="2").status_code == 200
    assert served.leader().get("/leader").status_code == 200
    served.clock.passed = timedelta(minutes=5)
    assert "data-questions" not in served.annotator().page.text
    assert "review" in str(person.answer(value="1").url)
    rows = served.rows()
    assert [row["value"] for row in rows] == [3, 2, 1]
    assert all(row["seconds"] >= 0 for row in rows)


def test_a_clock_that_jumps_ahead_ends_nothing_while_nobody_else_wants_the_work(site):
    served = site("rating", judgements=1, batch=TEN_MINUTES)
    person = served.annotator()
    person.answer(value="3")
    served.clock.passed = timedelta(hours=5)
    person.answer(value="2")
    served.clock.passed = timedelta()
    assert "review" in str(person.answer(value="1").url)
    assert "data-code" in person.post(f"/batch/{person.batch}/send").text + person.get("/work").text
    assert len(served.rows()) == 3


def test_a_clock_that_jumps_ahead_and_back_loses_no_answer_and_collects_none_twice(site):
    served = site("rating", judgements=1, batch=TEN_MINUTES)
    first = served.annotator()
    first.answer(value="3")
    served.clock.passed = timedelta(hours=5)
    second = served.annotator()  # is dealt the two questions that seem to be abandoned
    served.clock.passed = timedelta()
    refused = first.answer(value="2")
    assert refused.status_code == 409
    assert "data-questions" not in refused.text
    second.answer_all(value="4")
    assert "review" in str(second.page.url)
    rows = served.rows()
    assert sorted(row["value"] for row in rows) == [3, 4, 4]
    assert len({row["question"] for row in rows}) == 3


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_a_clock_that_jumps_about_all_the_time(site, seed):
    served, rng = site("rating", judgements=2, batch=TEN_MINUTES), random.Random(seed)
    people = [served.annotator() for _ in range(4)]
    for _ in range(250):
        served.clock.passed = timedelta(minutes=rng.choice([-180, -30, -1, 0, 0, 0, 1, 30, 180]))
        person = rng.choice(people)
        page = person.get("/work") if rng.random() < 0.7 else person.page
        if "data-questions" in page.text:
            assert person.answer(value=str(rng.randrange(6))).status_code in (200, 409)
        elif str(page.url).endswith("/review"):
            assert person.post(f"/batch/{person.batch}/send").status_code in (200, 409)
    rows = served.rows()
    assert Counter(row["question"] for row in rows) == dict.fromkeys(("work0", "work1", "work2"), 2)
    assert len({(row["annotator"], row["question"]) for row in rows}) == 6
    assert all(row["seconds"] >= 0 for row in rows)
