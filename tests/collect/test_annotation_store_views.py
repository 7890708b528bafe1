"""Questions, answers and people in view: lists, search, summaries, decisions, habits, counts over time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from similitude.collect.annotation.answer_records import QuestionSearch
from similitude.collect.annotation.plan import Study, StudyPlan
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.store import (
    add_questions,
    answer_counts,
    audit_log,
    backup,
    decide,
    exclude,
    import_rows,
    item_languages,
    judgements,
    keep_snapshot,
    kept_snapshots,
    list_questions,
    put_study,
    question_detail,
    question_number,
    read_person,
    readmit,
    refresh,
    restore,
    stale,
    take_back_decision,
    timed_judgements,
    withdraw,
)
from similitude.collect.annotation.store.refusals import Conflict, InvalidAnswer, NotThere
from similitude.collect.annotation.store.search_words import index_words, query_words


def caught_up(lab: Any) -> None:
    while refresh(lab.db, chunk=7):
        pass
    assert stale(lab.db) == 0


def keys(lab: Any, *, limit: int = 25, **search: Any) -> list[str]:
    """The keys of all pages of a list, one after the other."""
    caught_up(lab)
    asked, found = QuestionSearch(**search), []
    while True:
        page = list_questions(lab.db, asked, limit=limit)
        found += [each.key for each in page.questions]
        if not page.next:
            return found
        asked = replace(asked, after=page.next)


def answered(lab: Any, *values: Callable[[Any], Any]) -> list[int]:
    """People who answer everything, each by a function of the question, a minute apart."""
    people = []
    for value in values:
        people.append(lab.annotator())
        lab.later(minutes=1)
        lab.work_off(people[-1], value)
    return people


def number(question: Any) -> int:
    return int(question.key.removeprefix("work").removeprefix("gold"))


def apart(question: Any) -> int:
    """Question 0 gets 3, as the other person gives; question 1 gets 4, question 2 gets 5."""
    return 3 + min(number(question), 2)


def test_disagreement_is_the_spread_of_the_answers_that_count(lab: Any) -> None:
    lab.study(3, judgements=2)
    answered(lab, lambda _: 3, apart)
    caught_up(lab)
    listed = list_questions(lab.db, QuestionSearch()).questions
    # 3 and 3; 3 and 4; 3 and 5: population standard deviations of 0, 1/2 and 1.
    assert [each.disagreement for each in listed] == [0.0, 0.5, 1.0]
    assert [each.answers for each in listed] == [2, 2, 2]
    assert [sorted(value["value"] for value in each.values) for each in listed] == [[3, 3], [3, 4], [3, 5]]
    assert {each.state for each in listed} == {"complete"}


def test_lists_are_sorted_and_read_page_by_page(lab: Any) -> None:
    lab.study(11, judgements=2)
    answered(lab, lambda _: 2, lambda question: number(question) % 4)
    in_order = [f"work{place}" for place in range(11)]
    for limit in (1, 3, 25):
        assert keys(lab, limit=limit) == in_order
        widest = keys(lab, limit=limit, sort="disagreement")
        assert sorted(widest) == sorted(in_order)
        spread = {0: 1.0, 1: 0.5, 2: 0.0, 3: 0.5}  # of 2 and 0, 1, 2, 3
        found = [spread[int(key.removeprefix("work")) % 4] for key in widest]
        assert found == sorted(found, reverse=True)
        assert keys(lab, limit=limit, sort="agreement") == widest[::-1]
        assert len(set(keys(lab, limit=limit, sort="time"))) == 11


def test_lists_are_filtered(lab: Any) -> None:
    lab.study(6, gold=2, judgements=2, batch={"questions": 4, "gold_share": 0.25})
    assert keys(lab, least=1) == []
    assert keys(lab, state="open") == keys(lab)
    answered(lab, lambda _: 3, apart)
    assert keys(lab, kind="gold") == ["gold0", "gold1"]
    assert keys(lab, apart=0.6) == ["work2", "work3", "work4", "work5"]
    assert keys(lab, most=1) == []
    assert len(keys(lab, state="complete")) == 6
    assert keys(lab, state="retired") == []
    lab.study(2, gold=2, judgements=2, batch={"questions": 4, "gold_share": 0.25})
    assert keys(lab, state="retired") == ["work2", "work3", "work4", "work5"]
    assert keys(lab, language="de") == []


def test_a_page_of_another_list_is_refused(lab: Any) -> None:
    lab.study(3)
    caught_up(lab)
    after = list_questions(lab.db, QuestionSearch(), limit=1).next
    for wrong in (QuestionSearch(after=after, sort="time"), QuestionSearch(after="x"), QuestionSearch(after="W10")):
        with pytest.raises(Conflict):
            list_questions(lab.db, wrong)


TEXTS = [
    ("Ein grüner Ball", "Der Hund schläft.", "de"),
    ("A green ball bounced.", "I bought a greenhouse.", "en"),
    ("今天天气很好", "我们去公园吧", "zh"),
    ("<b>O'Brien & Söhne</b>", "100 % sure", "en"),
]


def put_texts(lab: Any, texts: Any = tuple(TEXTS)) -> None:
    questions = tuple(
        Question(
            key=f"q{place}",
            items=({"id": f"item-{place}", "left": left, "right": right, "language": language, "group": f"g{place}"},),
        )
        for place, (left, right, language) in enumerate(texts)
    )
    plan = StudyPlan.model_validate({"name": "texts", "task": "rating", "judgements": 2, "access": {"open": True}})
    put_study(lab.db, Study(plan=plan, questions=questions), now=lab.now)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("green", ["q1"]),
        ("gree bal", ["q1"]),
        ("GRÜN", ["q0"]),
        ("ball", ["q0", "q1"]),
        ("ball schläf", ["q0"]),
        ("天气", ["q2"]),
        ("天", ["q2"]),
        ("好", ["q2"]),
        ("气天", []),
        ("o'brien", ["q3"]),
        ("100 %", ["q3"]),
        ("item-2", ["q2"]),
        ('"*) OR (', []),
        ("%", []),
        ("q0", ["q0"]),
    ],
)
def test_words_are_found_in_any_language(lab: Any, words: str, found: list[str]) -> None:
    put_texts(lab)
    assert keys(lab, words=words) == found


def test_search_follows_a_change_of_texts(lab: Any) -> None:
    put_texts(lab)
    assert keys(lab, words="hund") == ["q0"]
    put_texts(lab, [("Ein grüner Ball", "Die Katze schläft.", "de"), *TEXTS[1:]])
    assert keys(lab, words="hund") == []
    assert keys(lab, words="katze") == ["q0"]
    assert keys(lab, language="en") == ["q1", "q3"]
    assert keys(lab, group="g2") == ["q2"]
    assert item_languages(lab.db) == ["de", "en", "zh"]
    assert len(question_detail(lab.db, question_number(lab.db, "q0")).wordings) == 2


def test_words_without_blanks_are_pairs_of_characters() -> None:
    assert index_words("k", [{"id": "k", "left": "a天气好b", "right": "A-1"}]).split() == [
        "1", "a", "b", "k", "天气", "好", "气好",
    ]  # fmt: skip
    assert query_words("天气好") == ["天气", "气好"]
    assert len(query_words(" ".join(map(str, range(50))))) == 20


def test_summaries_follow_exclusion_withdrawal_and_new_questions(lab: Any) -> None:
    lab.study(2, judgements=3)
    first, second = answered(lab, lambda _: 1, lambda _: 5)
    assert keys(lab, apart=2) == ["work0", "work1"]
    exclude(lab.db, lab.pseudonym(second), why="test", now=lab.now, by="test")
    assert keys(lab, apart=0) == []
    assert keys(lab, most=1) == ["work0", "work1"]
    readmit(lab.db, lab.pseudonym(second), why="", now=lab.now, by="test")
    assert keys(lab, apart=2) == ["work0", "work1"]
    withdraw(lab.db, first, now=lab.now)
    assert keys(lab, most=1) == ["work0", "work1"]
    new = Question(key="new", items=({"id": "new", "left": "fresh", "right": "text"},))
    add_questions(lab.db, [new], now=lab.now, by="test")
    assert keys(lab, words="fresh", most=0) == ["new"]


def test_two_who_refresh_at_once_leave_nothing_out_of_date(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from similitude.collect.annotation.store import question_summary

    lab.study(4, judgements=2)
    caught_up(lab)
    lab.work_off(lab.annotator(), 1)
    real = question_summary._due

    def overtaken(connection: Any, there: Any, ids: Any) -> Any:
        """Somebody else answers and refreshes between our reading and our writing."""
        due = real(connection, there, ids)
        monkeypatch.setattr(question_summary, "_due", real)
        lab.work_off(lab.annotator(), 5)
        caught_up(lab)
        return due

    monkeypatch.setattr(question_summary, "_due", overtaken)
    refresh(lab.db)
    assert keys(lab, apart=2) == [f"work{place}" for place in range(4)]


def test_a_question_shows_every_answer_and_marks_those_that_do_not_count(lab: Any) -> None:
    lab.study(1, judgements=3)
    first, second = lab.annotator(), lab.annotator()
    batch = lab.work(first).batch
    lab.save(first, batch, 1, 2)
    lab.later(seconds=30)
    lab.answer_all(first, batch, 4)
    lab.work_off(second, 1)
    exclude(lab.db, lab.pseudonym(second), why="test", now=lab.now, by="test")
    seen = question_detail(lab.db, question_number(lab.db, "work0"))
    assert [(each.value["value"], each.current, each.counts) for each in seen.answers] == [
        (2, False, False),
        (4, True, True),
        (1, True, False),
    ]
    assert [each.annotator for each in seen.answers] == [lab.pseudonym(who) for who in (first, first, second)]
    assert seen.answers[1].seconds == 30
    assert (seen.state, seen.wanted, seen.wording.shown.left) == ("open", 3, "left 0")
    assert math.isnan(seen.disagreement)
    with pytest.raises(NotThere):
        question_detail(lab.db, 10**6)
    with pytest.raises(NotThere):
        question_number(lab.db, "nothing")


def test_a_decision_is_a_judgement_of_its_own(lab: Any) -> None:
    lab.study(2, judgements=2)
    answered(lab, lambda _: 1, lambda _: 5)
    before = lab.rows()
    one = question_number(lab.db, "work0")
    for form, reason, field in (({"value": "9"}, "because", "value"), ({"value": "3"}, "  ", "reason")):
        with pytest.raises(InvalidAnswer) as refused:
            decide(lab.db, one, form, reason=reason, now=lab.now, by="anna")
        assert [problem.field for problem in refused.value.problems] == [field]
    decide(lab.db, one, {"value": "3"}, reason="both are half right", now=lab.now, by="anna")
    lab.later(minutes=5)
    decide(lab.db, one, {"value": "4"}, reason="on second thought", now=lab.now, by="ben")
    seen = question_detail(lab.db, one)
    assert seen.decision is not None
    assert (seen.decision.value, seen.decision.by, seen.decision.reason) == ({"value": 4.0}, "ben", "on second thought")
    assert [each.value["value"] for each in seen.answers] == [1, 5]
    assert keys(lab, decided=True) == ["work0"]
    assert keys(lab, decided=False) == ["work1"]
    rows = lab.rows()
    assert [{**row, "reason": None} for row in rows[:4]] == [{**row, "reason": None} for row in before]
    assert [(row["annotator"], row["round"], row["value"], row["reason"]) for row in rows[4:]] == [
        ("leader:ben", "adjudication", 4.0, "on second thought")
    ]
    assert [row["current"] for row in lab.rows(everything=True)[4:]] == [False, True]
    known = judgements(lab.db)
    assert known is not None
    assert len(known) == 4
    assert [entry.what for entry in audit_log(lab.db)[:2]] == ["decided", "decided"]


def test_a_decision_can_be_taken_back(lab: Any) -> None:
    lab.study(1)
    one = question_number(lab.db, "work0")
    with pytest.raises(Conflict):
        take_back_decision(lab.db, one, reason="none", now=lab.now, by="anna")
    decide(lab.db, one, {"value": "3"}, reason="so", now=lab.now, by="anna")
    with pytest.raises(InvalidAnswer):
        take_back_decision(lab.db, one, reason="", now=lab.now, by="anna")
    take_back_decision(lab.db, one, reason="too early", now=lab.now, by="anna")
    seen = question_detail(lab.db, one)
    assert seen.decision is None
    assert [each.reason for each in seen.decisions] == ["so", "too early"]
    assert lab.rows() == []
    assert keys(lab, decided=True) == []
    with pytest.raises(NotThere):
        decide(lab.db, 10**6, {"value": "3"}, reason="so", now=lab.now, by="anna")


def test_nobody_can_change_a_decision(lab: Any) -> None:
    import sqlalchemy as sa

    lab.study(1)
    decide(lab.db, question_number(lab.db, "work0"), {"value": "3"}, reason="so", now=lab.now, by="anna")
    for statement in ("UPDATE decision SET reason = 'x'", "DELETE FROM decision"):
        with pytest.raises(sa.exc.DBAPIError), lab.db.engine.begin() as connection:
            connection.exec_driver_sql(statement)


def test_decisions_are_exported_imported_backed_up_and_restored(make_lab: Callable[[], Any], tmp_path: Any) -> None:
    first, second, third = make_lab(), make_lab(), make_lab()
    first.study(3, judgements=2)
    answered(first, lambda _: 1, lambda _: 5)
    numbers = [question_number(first.db, f"work{place}") for place in range(2)]
    for place in numbers:
        decide(first.db, place, {"value": "3"}, reason="=so", now=first.now, by="anna")
    take_back_decision(first.db, numbers[1], reason="no", now=first.now, by="anna")
    second.study(3, judgements=2)
    rows = first.rows(everything=True)
    assert len(rows) == 6 + 2
    assert import_rows(second.db, rows, now=second.now, by="test") == 8
    assert second.rows(everything=True) == rows
    assert second.rows() == first.rows()
    restore(third.db, backup(first.db, tmp_path / "all.zip"))
    assert third.rows(everything=True) == rows
    assert keys(third, decided=True) == keys(first, decided=True) == ["work0"]


def test_a_person_who_always_takes_the_first_place_is_found_out(lab: Any) -> None:
    lab.tuples(24, judgements=2, batch={"questions": 24})
    who, batch = lab.annotator(), None
    batch = lab.work(who).batch
    for question in batch.questions:
        options = question.shown.options
        lab.later(seconds=50 - question.position)
        lab.save(who, batch, question.position, best=options[0].id, worst=options[1 + question.position % 2].id)
    lab.send(who, batch)
    person = read_person(lab.db, lab.pseudonym(who))
    best, worst = person.habits
    assert (best.field, best.of, best.counts, best.tested) == ("best", "places", (24, 0, 0), 24)
    assert best.expected == pytest.approx((8, 8, 8))
    assert best.p_value < 0.001
    # Twelve times the second and twelve times the third place: (0-8)^2/8 + 2 (12-8)^2/8 = 12, against 48 for best.
    assert worst.counts == (0, 12, 12)
    assert best.p_value <= worst.p_value < 0.01
    assert person.slowing == -1
    assert person.seconds == pytest.approx((50 - 12 + 50 - 13) / 2)
    assert len(person.counted("work")) == 24


def test_values_are_compared_with_what_others_say_of_the_same_questions(lab: Any) -> None:
    lab.study(30, judgements=3, batch={"questions": 30})
    same, also, odd = answered(lab, lambda q: number(q) % 5, lambda q: number(q) % 5, lambda _: 2)
    (usual,), (strange,) = (read_person(lab.db, lab.pseudonym(who)).habits for who in (same, odd))
    assert (usual.of, usual.labels, usual.counts) == ("values", ("0", "1", "2", "3", "4", "5"), (6, 6, 6, 6, 6, 0))
    # Two of three answers to a question are its number modulo 5, the third is 2: 2/3 of 6 each, and 1/3 of 30 more.
    assert usual.expected == pytest.approx((4, 4, 4 + 10, 4, 4, 0))
    assert strange.counts == (0, 0, 30, 0, 0, 0)
    assert strange.expected == pytest.approx(usual.expected)
    assert strange.p_value < 0.001
    assert read_person(lab.db, lab.pseudonym(also)).habits[0].counts == usual.counts


def test_a_persons_gold_repeats_and_changes(lab: Any) -> None:
    lab.study(8, gold=2, judgements=2, batch={"questions": 8, "gold_share": 0.25, "repeat_share": 0.25})
    who = lab.annotator()
    batch = lab.work(who).batch
    lab.save(who, batch, 1, 0)
    lab.answer_all(who, batch, 3)
    person = read_person(lab.db, lab.pseudonym(who))
    assert [each.right for each in person.counted("gold")] == [True] * len(person.counted("gold"))
    assert [each.same for each in person.counted("repeat")] == [True] * len(person.counted("repeat"))
    assert person.counted("gold")
    assert person.counted("repeat")
    assert [each.current for each in person.answers][:2] == [False, True]
    with pytest.raises(NotThere):
        read_person(lab.db, "nobody")


def test_counts_over_time(lab: Any) -> None:
    lab.study(4, judgements=2, batch={"questions": 4})
    assert answer_counts(lab.db).total == 0
    for hours in (1, 3):
        lab.later(hours=hours)
        who = lab.annotator()
        batch = lab.work(who).batch
        for question in batch.questions:
            lab.later(seconds=5)
            lab.save(who, batch, question.position)
        lab.send(who, batch)
    counts = answer_counts(lab.db)
    assert (counts.unit, counts.counts) == (timedelta(hours=1), (4, 0, 0, 4))
    assert counts.starts[0].hour == 10
    assert sum(counts.seconds) == counts.seconds[4] == 8  # 5 seconds lie between 4 and 6
    exclude(lab.db, lab.pseudonym(who), why="test", now=lab.now, by="test")
    assert answer_counts(lab.db).total == 4
    timed = timed_judgements(lab.db)
    assert timed is not None
    assert list(timed.moments) == sorted(timed.moments)


def test_snapshots_are_kept_once(lab: Any) -> None:
    lab.study(1)
    keep_snapshot(lab.db, lab.now, "4 answers", {"value": 0.5}, now=lab.now)
    keep_snapshot(lab.db, lab.now, "4 answers", {"value": 0.9}, now=lab.now)
    keep_snapshot(lab.db, lab.now, "3 answers", {"value": 0.7}, now=lab.now)
    kept = kept_snapshots(lab.db, [lab.now])
    assert kept == {(lab.now, "4 answers"): {"value": 0.5}, (lab.now, "3 answers"): {"value": 0.7}}
    assert kept_snapshots(lab.db, [lab.later(hours=1)]) == {}


def test_skips_and_comments_are_shown_and_a_skip_takes_an_answer_out_of_the_count(lab: Any) -> None:
    from similitude.collect.annotation.records import Entry, Skipped
    from similitude.collect.annotation.store import save_answer
    from similitude.collect.annotation.store.skips import skip_question

    lab.study(1, judgements=2, skip={"allowed": True})
    who = lab.annotator()
    batch = lab.work(who).batch
    save_answer(lab.db, who, batch.id, Entry(1, {"value": "4"}, "first", None, "rather <b>odd</b>"), now=lab.now)
    assert keys(lab, least=1) == ["work0"]
    seen = question_detail(lab.db, question_number(lab.db, "work0"))
    assert [each.comment for each in seen.answers] == ["rather <b>odd</b>"]
    assert read_person(lab.db, lab.pseudonym(who)).answers[0].comment == "rather <b>odd</b>"
    skip_question(lab.db, who, batch.id, 1, Skipped("other", "no idea"), nonce="skip", now=lab.now)
    assert keys(lab, least=1) == []
    (skipped,) = question_detail(lab.db, question_number(lab.db, "work0")).skips
    assert (skipped.annotator, skipped.reason, skipped.note) == (lab.pseudonym(who), "other", "no idea")
    assert skipped.stands
    lab.save(who, batch, 1, 2)
    assert keys(lab, least=1) == ["work0"]
    assert not question_detail(lab.db, question_number(lab.db, "work0")).skips[0].stands
