"""The second round by list: exactly the listed questions go to more people, whenever the list comes."""

from collections import Counter
from typing import Any

from similitude.collect.annotation.store import audit_log, exclude, progress

ASKED = {"judgements": 2, "batch": {"questions": 3}}
LISTED = {"items": ["work2"], "judgements": 3}


def answer_first_round(lab: Any, given: dict[str, tuple[int, int]]) -> list[int]:
    """Two people answer everything."""
    people = [lab.annotator() for _ in range(2)]
    batches = [lab.work(who).batch for who in people]
    for number, (who, batch) in enumerate(zip(people, batches, strict=True)):
        lab.answer_all(who, batch, lambda question, number=number: given[question.key][number])
    return people


APART = {"work0": (0, 5), "work1": (2, 3), "work2": (3, 3)}
"""On work0 people lie far apart, on work2 they agree."""


def rounds(lab: Any) -> Counter[tuple[str, str]]:
    return Counter((row["question"], row["round"]) for row in lab.rows())


def test_listed_questions_are_opened_when_their_first_round_is_over_and_no_others(lab: Any) -> None:
    lab.study(3, second_round=LISTED, **ASKED)
    answer_first_round(lab, APART)
    standing = progress(lab.db, now=lab.now)
    assert (standing.second_round, standing.undecided, standing.free) == (1, 0, 3)
    for _ in range(4):
        assert lab.work_off(lab.annotator()).kind == "finished"
    assert rounds(lab) == {
        ("work0", "first"): 2,
        ("work1", "first"): 2,
        ("work2", "first"): 2,
        ("work2", "second"): 3,
    }


def test_a_spread_beside_the_list_opens_its_own(lab: Any) -> None:
    lab.study(3, second_round={**LISTED, "spread": 0.5}, **ASKED)
    answer_first_round(lab, APART)
    assert progress(lab.db, now=lab.now).second_round == 2


def test_a_list_that_comes_after_the_first_round_opens_what_was_settled(lab: Any) -> None:
    """A leader trains a system on the first round, and then says which questions to ask more people about."""
    lab.study(3, second_round={"spread": 0.5, "judgements": 3}, **ASKED)
    people = answer_first_round(lab, APART)
    assert progress(lab.db, now=lab.now).second_round == 1  # work0, by its spread
    lab.study(3, second_round={**LISTED, "spread": 0.5}, **ASKED)
    standing = progress(lab.db, now=lab.now)
    assert (standing.second_round, standing.free) == (2, 6)
    assert [entry.detail for entry in audit_log(lab.db) if entry.what == "second_round_opened"] == [{"questions": 1}]
    lab.study(3, second_round={**LISTED, "spread": 0.5}, **ASKED)  # the server starts again
    assert progress(lab.db, now=lab.now).free == 6
    assert lab.work(people[0]).kind == "finished", "nobody is asked the same question twice"


def test_a_list_for_a_study_that_had_no_second_round(lab: Any) -> None:
    lab.study(3, **ASKED)
    answer_first_round(lab, APART)
    lab.study(3, second_round=LISTED, **ASKED)
    standing = progress(lab.db, now=lab.now)
    assert (standing.second_round, standing.undecided, standing.free) == (1, 0, 3)


def test_questions_whose_first_round_goes_on_wait(lab: Any) -> None:
    lab.study(3, **ASKED)
    who = lab.annotator()
    lab.answer_all(who, lab.work(who).batch)
    lab.study(3, second_round=LISTED, **ASKED)
    standing = progress(lab.db, now=lab.now)
    assert (standing.second_round, standing.undecided) == (0, 3)


def test_a_listed_question_is_opened_even_if_no_answers_are_left_to_judge_it_by(lab: Any) -> None:
    lab.study(3, second_round=LISTED, **ASKED)
    people = [lab.annotator() for _ in range(2)]
    batches = [lab.work(who).batch for who in people]
    lab.answer_all(people[0], batches[0])
    exclude(lab.db, lab.pseudonym(people[0]), why="answers 3 always", replace=False, now=lab.now, by="anna")
    lab.answer_all(people[1], batches[1])
    assert progress(lab.db, now=lab.now).second_round == 1


def test_retired_questions_stay_closed(lab: Any) -> None:
    lab.study(3, second_round={"spread": 4, "judgements": 3}, **ASKED)
    answer_first_round(lab, APART)
    lab.study(2, second_round=LISTED, **ASKED)  # work2 left the plan
    assert progress(lab.db, now=lab.now).free == 0
