"""Where somebody stands: training, qualification, gold, second round; leaving, exclusion, withdrawal."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from similitude.collect.annotation.store import (
    annotator_of_session,
    annotator_rows,
    audit_log,
    consent,
    decide_qualification,
    enter_from_platform,
    exclude,
    finish,
    judgements,
    opt_out,
    progress,
    qualification_answers,
    readmit,
    study_summary,
    withdraw,
)
from similitude.collect.annotation.store.refusals import Conflict, NotAdmitted, NotNow, NotThere


@pytest.mark.slow
def test_training_goes_three_rounds_of_five_with_feedback_at_once(lab: Any) -> None:
    # USTS 3.2: up to 15 questions, right when less than 0.5 away, three rounds, 75 % over all of them.
    lab.study(4, training=20, scale={"step": 0.5})
    who = lab.annotator()
    rounds = []
    for wrong in (2, 1, 0):
        work = lab.work(who)
        assert work.annotator.state == "training"
        batch = work.batch
        rounds.append((batch.purpose, batch.round, len(batch.questions)))
        for question in batch.questions:
            value = 3.5 if question.position <= wrong else 3  # 0.5 away is wrong
            saved = lab.save(who, batch, question.position, value)
            assert saved.feedback.expected == {"value": 3.0}
            assert saved.feedback.right is (value == 3)
        sent = lab.send(who, batch)
    assert rounds == [("training", number, 5) for number in (1, 2, 3)]
    # 12 of 15 right is 80 %.
    assert (sent.result.right, sent.result.of, sent.result.needed, sent.result.passed) == (12, 15, 0.75, True)
    assert lab.work(who).batch.purpose == "work"


def test_who_fails_the_training_is_stopped_and_told(lab: Any) -> None:
    lab.study(4, training=6)
    who = lab.annotator()
    decided = []
    for values in ((3, 1), (3, 3), (3, 1)):  # 4 of 6 right: 67 %
        batch = lab.work(who).batch
        for question, value in zip(batch.questions, values, strict=True):
            lab.save(who, batch, question.position, value)
        decided.append(lab.send(who, batch).result.passed)
    assert decided == [None, None, False]
    work = lab.work(who)
    assert (work.kind, work.annotator.reason) == ("stopped", "training")
    assert work.annotator.completion_code
    assert "stopped" in [entry.what for entry in audit_log(lab.db)]
    assert len(lab.rows(everything=True)) == 6  # their answers stay
    assert all(row["stopped"] for row in lab.rows(everything=True))


def test_three_of_four_reach_75_percent(lab: Any) -> None:
    lab.study(2, training=4, plans={"training": {"questions": "t.jsonl", "rounds": 1}})
    who = lab.annotator()
    sent = lab.answer_all(who, lab.work(who).batch, lambda question: 1 if question.key == "training0" else 3)
    assert sent.result == (3, 4, 0.75, True)


def test_a_training_answer_stands_once_the_right_one_was_shown(lab: Any) -> None:
    lab.study(2, training=3)
    who = lab.annotator()
    batch = lab.work(who).batch
    first = lab.save(who, batch, 1, 1, nonce="n")
    with pytest.raises(Conflict) as caught:
        lab.save(who, batch, 1, 3)
    assert caught.value.key == "training_final"
    again = lab.save(who, batch, 1, 1, nonce="n")
    assert again.replayed
    assert again.feedback == first.feedback
    shown = lab.work(who).batch.questions[0]
    assert shown.feedback.right is False


def test_training_that_timed_out_goes_on_where_it_was(lab: Any) -> None:
    lab.study(2, training=6)
    who = lab.annotator()
    lab.save(who, lab.work(who).batch, 1)
    lab.later(minutes=61)
    batch = lab.work(who).batch
    assert (batch.round, len(batch.questions)) == (1, 1)  # one of the round's two was answered
    lab.answer_all(who, batch)
    assert lab.work(who).batch.round == 2


@pytest.mark.parametrize(("wrong", "state"), [(1, "active"), (2, "stopped")])
def test_qualification_has_no_feedback_and_a_threshold(lab: Any, wrong: int, state: str) -> None:
    lab.study(4, qualification=5)  # 80 %: four of five
    who = lab.annotator()
    batch = lab.work(who).batch
    for question in batch.questions:
        assert lab.save(who, batch, question.position, 1 if question.position <= wrong else 3).feedback is None
    sent = lab.send(who, batch)
    assert (sent.annotator.state, sent.result.right, sent.result.of) == (state, 5 - wrong, 5)
    assert sent.annotator.reason == (None if state == "active" else "qualification")


def test_training_then_qualification_then_work(lab: Any) -> None:
    lab.study(2, training=3, qualification=2)
    who = lab.annotator()
    purposes = []
    while (work := lab.work(who)).kind == "batch":
        purposes.append(work.batch.purpose)
        lab.answer_all(who, work.batch)
    assert purposes == ["training"] * 3 + ["qualification", "work"]


def test_a_leader_reads_the_qualification_where_the_plan_says_so(lab: Any) -> None:
    from similitude.collect.annotation.plan import Study, StudyPlan
    from similitude.collect.annotation.records import Question
    from similitude.collect.annotation.store import put_study

    pair = {"left": "A large green ball.", "right": "A small green avocado."}
    questions = tuple(
        Question(key=f"{kind}{number}", kind=kind, items=({"id": f"{kind}{number}", **pair},))  # type: ignore[arg-type]
        for kind in ("work", "qualification")
        for number in range(2)
    )
    plan = {
        "name": "study",
        "task": "conditions",
        "access": {"open": True},
        "qualification": {"questions": "q.jsonl", "review": True},
    }
    put_study(lab.db, Study(plan=StudyPlan.model_validate(plan), questions=questions), now=lab.now)
    people = [lab.annotator() for _ in range(2)]
    for who in people:
        batch = lab.work(who).batch
        for question in batch.questions:
            lab.save(who, batch, question.position, alike="the colour", differ="the size")
        assert lab.send(who, batch).annotator.state == "waiting"
        assert lab.work(who).kind == "waiting"
    good, bad = (lab.pseudonym(who) for who in people)
    read = qualification_answers(lab.db, good)
    assert [question.answer for question in read.questions] == [{"alike": "the colour", "differ": "the size"}] * 2
    decide_qualification(lab.db, good, passed=True, now=lab.now, by="anna")
    decide_qualification(lab.db, bad, passed=False, now=lab.now, by="anna")
    assert lab.work(people[0]).batch.purpose == "work"
    assert (lab.work(people[1]).kind, lab.work(people[1]).annotator.reason) == ("stopped", "review")
    with pytest.raises(Conflict):
        decide_qualification(lab.db, good, passed=False, now=lab.now, by="anna")


@pytest.mark.parametrize(("wrong", "kind"), [(1, "finished"), (2, "stopped")])
def test_gold_below_the_threshold_stops_and_says_why(lab: Any, wrong: int, kind: str) -> None:
    gold = {"questions": "g.jsonl", "stop_below": 0.7, "after": 4}
    lab.study(16, gold=4, judgements=1, batch={"questions": 10, "gold_share": 0.2}, plans={"gold": gold})
    who = lab.annotator()
    golds: list[str] = []

    def value(question: Any) -> int:
        if question.key.startswith("gold"):
            golds.append(question.key)
        return 1 if question.key in golds[:wrong] else 3

    end = lab.work_off(who, value)
    assert len(golds) == 4
    assert end.kind == kind
    if kind == "stopped":
        assert end.annotator.reason == "gold"
        assert end.annotator.completion_code
        assert len(lab.rows()) == 16  # what they had answered stays, marked
        assert {row["stopped"] for row in lab.rows()} == {True}


def test_the_second_round_opens_once_for_questions_on_which_people_differ(lab: Any) -> None:
    lab.study(3, judgements=2, second_round={"spread": 0.5, "judgements": 3}, batch={"questions": 3})
    first = [lab.annotator() for _ in range(2)]
    batches = [lab.work(who).batch for who in first]
    # work0: 1 and 3, standard deviation 1. work1: 2 and 3, exactly 0.5, which is not above it. work2: 3 and 3.
    given = {"work0": (1, 3), "work1": (2, 3), "work2": (3, 3)}
    lab.answer_all(first[0], batches[0], lambda question: given[question.key][0])
    assert progress(lab.db, now=lab.now).undecided == 3
    for question in batches[1].questions:
        lab.save(first[1], batches[1], question.position, given[question.key][1])
    assert progress(lab.db, now=lab.now).wanted == 6  # nothing is decided before the batch is sent
    lab.send(first[1], batches[1])
    standing = progress(lab.db, now=lab.now)
    assert (standing.wanted, standing.second_round, standing.undecided, standing.free) == (9, 1, 0, 3)
    more = [lab.annotator() for _ in range(4)]
    ends = [lab.work_off(who).kind for who in more]
    assert ends == ["finished"] * 4
    rounds = Counter((row["question"], row["round"]) for row in lab.rows())
    assert rounds == {
        ("work0", "first"): 2,
        ("work0", "second"): 3,
        ("work1", "first"): 2,
        ("work2", "first"): 2,
    }


def test_the_second_round_also_follows_from_a_batch_that_timed_out(lab: Any) -> None:
    lab.study(1, judgements=2, second_round={"spread": 0.5, "judgements": 2}, batch={"questions": 1})
    one, two = lab.annotator(), lab.annotator()
    lab.answer_all(one, lab.work(one).batch, 0)
    lab.save(two, lab.work(two).batch, 1, 5)
    lab.later(minutes=61)
    assert progress(lab.db, now=lab.now).second_round == 1


def test_two_who_send_the_last_batches_at_once_open_one_second_round(lab: Any) -> None:
    lab.study(6, judgements=4, second_round={"spread": 0.5, "judgements": 2}, batch={"questions": 6})
    people = [lab.annotator() for _ in range(4)]
    batches = [lab.work(who).batch for who in people]
    for number, (who, batch) in enumerate(zip(people, batches, strict=True)):
        for question in batch.questions:
            lab.save(who, batch, question.position, number)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda pair: lab.send(*pair), zip(people, batches, strict=True)))
    standing = progress(lab.db, now=lab.now)
    assert (standing.second_round, standing.wanted) == (6, 6 * 4 + 6 * 2)


def test_excluded_answers_count_no_more_and_can_be_replaced(lab: Any) -> None:
    lab.study(3, judgements=1)
    bad, good = lab.annotator(), lab.annotator()
    lab.work_off(bad, 5)
    name = lab.pseudonym(bad)
    exclude(lab.db, name, why="answers 5 always", replace=True, now=lab.now, by="anna")
    assert lab.rows() == []
    assert [row["excluded"] for row in lab.rows(everything=True)] == [True] * 3
    assert judgements(lab.db) is None
    assert lab.work(bad).kind == "excluded"
    with pytest.raises(Conflict):
        exclude(lab.db, name, why="again", now=lab.now, by="anna")
    lab.answer_all(good, lab.work(good).batch)
    assert len(lab.rows()) == 3
    readmit(lab.db, name, why="a mistake", now=lab.now, by="anna")
    assert Counter(row["question"] for row in lab.rows()) == {"work0": 2, "work1": 2, "work2": 2}
    assert lab.work(bad).kind == "finished"
    told = [(entry.what, entry.by) for entry in audit_log(lab.db) if entry.subject == name]
    assert told[:2] == [("readmitted", "anna"), ("excluded", "anna")]
    with pytest.raises(Conflict):
        readmit(lab.db, name, now=lab.now, by="anna")
    with pytest.raises(NotThere):
        exclude(lab.db, "NOBODY", why="", now=lab.now, by="anna")


def test_excluding_frees_nothing_unless_asked_and_readmitting_closes_what_nobody_took(lab: Any) -> None:
    lab.study(2, judgements=1)
    who = lab.annotator()
    lab.work_off(who)
    name = lab.pseudonym(who)
    exclude(lab.db, name, why="", now=lab.now, by="anna")
    assert progress(lab.db, now=lab.now).free == 0
    readmit(lab.db, name, now=lab.now, by="anna")
    exclude(lab.db, name, why="", replace=True, now=lab.now, by="anna")
    assert progress(lab.db, now=lab.now).free == 2
    readmit(lab.db, name, now=lab.now, by="anna")
    assert progress(lab.db, now=lab.now).free == 0


@pytest.mark.parametrize(("replace", "wanted"), [(False, 4), (True, 6)])
def test_progress_counts_the_answers_of_the_export(lab: Any, replace: bool, wanted: int) -> None:
    lab.study(2, judgements=3)
    bad, good = lab.annotator(), lab.annotator()
    for who in (bad, good):
        lab.work_off(who)
    exclude(lab.db, lab.pseudonym(bad), why="", replace=replace, now=lab.now, by="anna")
    standing, line = progress(lab.db, now=lab.now), study_summary(lab.db)
    assert (standing.done, standing.wanted) == (line.done, line.wanted) == (len(lab.rows()), wanted) == (2, wanted)
    readmit(lab.db, lab.pseudonym(bad), now=lab.now, by="anna")
    assert (progress(lab.db, now=lab.now).done, study_summary(lab.db).wanted) == (4, 6)


def test_withdrawal_deletes_content_and_identity_and_reopens_the_questions(lab: Any) -> None:
    lab.study(3, judgements=1, access={"open": True, "prolific": {"completion_url": "https://example.org"}})
    entered = enter_from_platform(lab.db, "prolific", "PID-123", language="de", now=lab.now)
    who, name = entered.annotator.id, entered.annotator.pseudonym
    consent(lab.db, who, agreed=True, now=lab.now)
    batch = lab.work(who).batch
    lab.answer_all(who, batch, 4)
    exclude(lab.db, name, why="says secret-things", now=lab.now, by="anna")
    withdraw(lab.db, who, now=lab.now)
    withdraw(lab.db, who, now=lab.now)  # twice is once
    assert annotator_of_session(lab.db, entered.session) is None
    assert lab.rows(everything=True) == []
    answers = lab.table("SELECT value, seconds, withdrawn FROM answer")
    assert [(row[0], row[1], bool(row[2])) for row in answers] == [(None, None, True)] * 3
    everywhere = str([lab.table(f"SELECT * FROM {table}") for table in ("annotator", "audit", "exclusion", "batch")])
    assert name not in everywhere
    assert "secret-things" not in everywhere
    assert "PID-123" not in everywhere
    assert audit_log(lab.db)[0].what == "withdrawn"
    assert audit_log(lab.db)[0].subject is None
    assert progress(lab.db, now=lab.now).free == 3
    lab.work_off(lab.annotator(), 2)
    assert sorted(row["value"] for row in lab.rows()) == [2.0, 2.0, 2.0]
    # The hash of their id is gone too: should they come again, they are new.
    assert enter_from_platform(lab.db, "prolific", "PID-123", language="de", now=lab.now).new


def test_withdrawal_in_the_midst_of_a_batch(lab: Any) -> None:
    lab.study(3, judgements=1)
    who = lab.annotator()
    batch = lab.work(who).batch
    lab.save(who, batch, 1)
    withdraw(lab.db, who, now=lab.now)
    with pytest.raises(NotNow):
        lab.save(who, batch, 2)
    assert lab.work(who).kind == "withdrawn"
    assert progress(lab.db, now=lab.now).free == 3


def test_opting_out_and_finishing_keep_the_answers_and_give_the_rest_back(lab: Any) -> None:
    lab.study(4, judgements=1, batch={"questions": 2})
    quitter = lab.annotator()
    lab.save(quitter, lab.work(quitter).batch, 1)
    assert opt_out(lab.db, quitter, now=lab.now).state == "declined"
    assert lab.work(quitter).kind == "declined"
    assert progress(lab.db, now=lab.now).free == 3
    other = lab.annotator()
    lab.answer_all(other, lab.work(other).batch)
    done = finish(lab.db, other, now=lab.now)
    assert done.state == "finished"
    assert done.completion_code
    assert finish(lab.db, other, now=lab.now).completion_code == done.completion_code
    with pytest.raises(Conflict):
        finish(lab.db, lab.annotator(agreed=False), now=lab.now)
    assert len(lab.rows()) == 3


@pytest.mark.slow
def test_the_leaders_table_flags_what_is_odd(lab: Any) -> None:
    lab.study(
        40,
        gold=12,
        judgements=4,
        batch={"questions": 26, "gold_share": 0.2, "repeat_share": 0.2},
    )
    careful, careless, third = (lab.annotator() for _ in range(3))
    values = iter(range(10**6))

    def thoughtful(question: Any) -> int:
        lab.later(seconds=20)
        return 3 if question.key.startswith("gold") else int(question.key[4:]) % 6

    def hasty(question: Any) -> int:
        lab.later(seconds=1)
        return next(values) % 2  # never 3, and hardly ever the same again

    for who, way in ((careful, thoughtful), (careless, hasty), (third, thoughtful)):
        for _ in range(2):
            work = lab.work(who)
            if work.kind == "batch":
                lab.answer_all(who, work.batch, way)
    rows = {row.annotator.id: row for row in annotator_rows(lab.db, now=lab.now)}
    assert rows[careful].flags == rows[third].flags == ()
    assert rows[careful].gold_right == rows[careful].gold_asked > 0
    assert rows[careful].repeats_same == rows[careful].repeats_asked > 0
    assert rows[careful].seconds == 20.0
    assert rows[careless].gold_right == 0
    assert {"gold_low", "fast"} <= set(rows[careless].flags)
    monotonous = lab.annotator()
    for _ in range(2):
        lab.answer_all(monotonous, lab.work(monotonous).batch, lambda question: (lab.later(seconds=20), 3)[1])
    last = annotator_rows(lab.db, now=lab.now)[-1]
    assert last.answered >= 20
    assert last.flags == ("one_sided",)


def test_declined_people_leave_their_place(lab: Any) -> None:
    lab.study(3, access={"open": True, "limit": 1})
    first = lab.annotator(agreed=False)
    with pytest.raises(NotAdmitted) as caught:
        lab.annotator()
    assert caught.value.key == "study_full"
    assert consent(lab.db, first, agreed=False, now=lab.now).state == "declined"
    second = lab.annotator()
    assert lab.work(second).kind == "batch"
    with pytest.raises(Conflict):
        consent(lab.db, second, agreed=False, now=lab.now)
    assert consent(lab.db, second, agreed=True, now=lab.now).state == "active"
