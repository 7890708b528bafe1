"""Answers: appended, acknowledged once they are on disk, replayed without harm, refused where they do not belong."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from similitude.collect.annotation.records import Entry
from similitude.collect.annotation.store import (
    exclude,
    open_database,
    read_batch,
    save_answer,
    save_answers,
    send_batch,
    set_state,
)
from similitude.collect.annotation.store.refusals import (
    Conflict,
    InvalidAnswer,
    NotNow,
    NotThere,
    NotYours,
    Unacceptable,
)


def test_an_answer_is_there_when_it_is_acknowledged(lab: Any) -> None:
    lab.study(3)
    who = lab.annotator()
    batch = lab.work(who).batch
    lab.later(seconds=7)
    saved = lab.save(who, batch, 2, 4)
    assert (saved.position, saved.answer, saved.seconds, saved.answered, saved.size) == (2, {"value": 4.0}, 7.0, 1, 3)
    assert not saved.replayed
    assert saved.feedback is None
    other = open_database(lab.db.path or lab.db.engine.url.render_as_string(hide_password=False))
    with other.engine.connect() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM answer")).scalar_one() == 1
    other.close()
    assert lab.work(who).batch.questions[1].answer == {"value": 4.0}


def test_a_change_is_a_new_row_and_the_last_one_counts(lab: Any) -> None:
    lab.study(2)
    who = lab.annotator()
    batch = lab.work(who).batch
    for value in (1, 5, 2):
        saved = lab.save(who, batch, 1, value)
    assert saved.answered == 1
    assert [row["value"] for row in lab.rows()] == [2.0]
    assert [(row["value"], row["current"]) for row in lab.rows(everything=True)] == [
        (1.0, False),
        (5.0, False),
        (2.0, True),
    ]


def test_a_form_that_comes_again_writes_nothing(lab: Any) -> None:
    lab.study(2)
    who = lab.annotator()
    batch = lab.work(who).batch
    first = lab.save(who, batch, 1, 4, nonce="n")
    lab.later(minutes=1)
    again = lab.save(who, batch, 1, 4, nonce="n")
    assert (again.at, again.seconds, again.answered, again.replayed) == (first.at, first.seconds, 1, True)
    lab.save(who, batch, 1, 2, nonce="m")
    assert lab.save(who, batch, 1, 4, nonce="n").replayed  # late, out of order: the change to 2 stands
    assert [row["value"] for row in lab.rows()] == [2.0]
    assert lab.table("SELECT count(*) FROM answer")[0][0] == 2


def test_a_page_from_the_browsers_cache_can_still_change_the_answer(lab: Any) -> None:
    lab.study(2)
    who = lab.annotator()
    batch = lab.work(who).batch
    lab.save(who, batch, 1, 4, nonce="n")
    assert not lab.save(who, batch, 1, 5, nonce="n").replayed
    assert [row["value"] for row in lab.rows()] == [5.0]


def test_a_form_sent_many_times_at_once_is_one_answer(lab: Any) -> None:
    lab.study(2)
    who = lab.annotator()
    batch = lab.work(who).batch
    with ThreadPoolExecutor(8) as pool:
        saved = list(pool.map(lambda _: lab.save(who, batch, 1, 4, nonce="n"), range(16)))
    assert sum(not each.replayed for each in saved) == 1
    assert {each.answered for each in saved} == {1}
    assert lab.table("SELECT count(*) FROM answer")[0][0] == 1


def test_a_page_of_several_is_saved_whole_or_not_at_all(lab: Any) -> None:
    lab.study(4, batch={"questions": 4, "per_page": 2})
    who = lab.annotator()
    batch = lab.work(who).batch
    with pytest.raises(InvalidAnswer) as caught:
        save_answers(lab.db, who, batch.id, [lab.entry(1, 3), lab.entry(2, 9)], now=lab.now)
    assert [(found.position, found.field, found.key) for found in caught.value.problems] == [(2, "value", "off_scale")]
    assert lab.rows() == []
    lab.later(seconds=10)
    saved = save_answers(lab.db, who, batch.id, [lab.entry(1, 3), lab.entry(2, 4)], now=lab.now)
    assert [each.seconds for each in saved] == [5.0, 5.0]  # ten seconds for two questions
    assert [each.answered for each in saved] == [2, 2]
    with pytest.raises(NotThere):
        save_answers(lab.db, who, batch.id, [lab.entry(3, 3), lab.entry(3, 4)], now=lab.now)


def test_the_browsers_time_counts_where_it_makes_sense(lab: Any) -> None:
    lab.study(4)
    who = lab.annotator()
    batch = lab.work(who).batch
    lab.later(seconds=20)
    taken = []
    for position, seconds in ((1, 3.25), (2, -1.0), (3, float("nan")), (4, float("inf"))):
        entry = Entry(position, {"value": "1"}, f"n{position}", seconds)
        taken.append(save_answer(lab.db, who, batch.id, entry, now=lab.now).seconds)
    assert taken == [3.25, 0.0, 0.0, 0.0]  # 0: the server saw no time since the first of the four


def test_batches_are_sent_once_and_then_stand(lab: Any) -> None:
    lab.study(3, batch={"questions": 3})
    who = lab.annotator()
    batch = lab.work(who).batch
    lab.save(who, batch, 1)
    with pytest.raises(Conflict) as caught:
        lab.send(who, batch)
    assert (caught.value.key, caught.value.status) == ("batch_incomplete", 409)
    sent = lab.answer_all(who, batch)
    lab.later(minutes=5)
    again = lab.send(who, batch)
    assert (again.at, again.replayed, sent.replayed) == (sent.at, True, False)
    with pytest.raises(Conflict) as caught:
        lab.save(who, batch, 1, 5)
    assert caught.value.key == "batch_sent"
    assert read_batch(lab.db, who, batch.id).state == "sent"


def test_foreign_and_forged_things_are_refused(lab: Any) -> None:
    lab.study(6, batch={"questions": 3})
    owner, thief = lab.annotator(), lab.annotator()
    batch = lab.work(owner).batch
    for attempt in (
        lambda: lab.save(thief, batch, 1),
        lambda: lab.send(thief, batch),
        lambda: read_batch(lab.db, thief, batch.id),
    ):
        with pytest.raises(NotYours) as caught:
            attempt()
        assert caught.value.status == 403
    for position in (0, -1, 4, 10**12):
        with pytest.raises(NotThere):
            lab.save(owner, batch, position)
    with pytest.raises(NotThere):
        read_batch(lab.db, owner, batch.id + 1000)
    with pytest.raises(Unacceptable):
        read_batch(lab.db, owner, 10**30)
    assert lab.rows() == []


@pytest.mark.parametrize(
    ("form", "key"),
    [
        ({}, "missing"),
        ({"value": ""}, "missing"),
        ({"value": "x"}, "not_a_number"),
        ({"value": "nan"}, "not_a_number"),
        ({"value": "6"}, "off_scale"),
        ({"value": "2.5"}, "off_step"),
        ({"value": "\x00"}, "not_a_number"),
    ],
)
def test_what_is_no_answer_is_refused_by_field(lab: Any, form: dict[str, str], key: str) -> None:
    lab.study(2)
    who = lab.annotator()
    batch = lab.work(who).batch
    with pytest.raises(InvalidAnswer) as caught:
        save_answer(lab.db, who, batch.id, Entry(1, form, "n"), now=lab.now)
    assert [(found.field, found.key) for found in caught.value.problems] == [("value", key)]
    assert caught.value.status == 422


def test_an_item_outside_the_tuple_is_refused(lab: Any) -> None:
    lab.tuples(2)
    who = lab.annotator()
    batch = lab.work(who).batch
    own = [option.id for option in batch.questions[0].shown.options]
    foreign = batch.questions[1].shown.options[0].id
    with pytest.raises(InvalidAnswer) as caught:
        lab.save(who, batch, 1, best=own[0], worst=foreign)
    assert [found.key for found in caught.value.problems] == ["not_in_tuple"]
    assert lab.save(who, batch, 1, best=own[0], worst=own[2]).answer == {"best": own[0], "worst": own[2]}
    [row] = lab.rows()
    assert row["items"] == sorted(own)  # in the order of the design
    assert row["shown"] == own  # and as it was seen


def test_nobody_answers_before_consent_or_after_the_end(lab: Any) -> None:
    lab.study(4, batch={"questions": 2})
    who = lab.annotator()
    batch = lab.work(who).batch
    set_state(lab.db, "closed", now=lab.now, by="test")
    with pytest.raises(NotNow) as caught:
        lab.save(who, batch, 1)
    assert caught.value.key == "closed"
    set_state(lab.db, "open", now=lab.now, by="test")
    lab.save(who, batch, 1)
    exclude(lab.db, lab.pseudonym(who), why="test", now=lab.now, by="test")
    with pytest.raises(NotNow):
        lab.save(who, batch, 2)


def test_a_late_answer_is_welcome_until_somebody_else_has_the_question(lab: Any) -> None:
    lab.study(2, judgements=1, batch={"questions": 2, "minutes": 30})
    slow, quick = lab.annotator(), lab.annotator()
    batch = lab.work(slow).batch
    lab.later(minutes=40)
    from similitude.collect.annotation.store import progress

    assert progress(lab.db, now=lab.now).free == 2  # looking at the dashboard gives the work back
    saved = lab.save(slow, batch, 1)
    assert saved.late
    assert not saved.replayed
    dealt = lab.work(quick).batch
    assert [question.key for question in dealt.questions] == [batch.questions[1].key]
    with pytest.raises(NotThere):  # it is no longer in the late batch
        lab.save(slow, batch, 2)
    lab.answer_all(quick, dealt)
    assert len(lab.rows()) == 2


def test_a_late_answer_to_what_one_was_dealt_anew_is_refused_and_nothing_is_doubled(lab: Any) -> None:
    lab.study(2, judgements=2, batch={"questions": 2, "minutes": 30})
    who = lab.annotator()
    old = lab.work(who).batch
    lab.later(minutes=40)
    new = lab.work(who).batch  # the same two questions: perhaps the same slots, perhaps others
    assert new.id != old.id
    for position in (1, 2):
        with pytest.raises((Conflict, NotThere)):
            lab.save(who, old, position)
    lab.answer_all(who, new)
    assert len(lab.rows()) == 2


def test_an_answer_saved_in_time_cannot_be_changed_after_the_time_out(lab: Any) -> None:
    lab.study(2, judgements=1, batch={"questions": 2, "minutes": 30})
    who, other = lab.annotator(), lab.annotator()
    batch = lab.work(who).batch
    lab.save(who, batch, 1, 4)
    lab.later(minutes=40)
    lab.work(other)
    with pytest.raises(Conflict) as caught:
        lab.save(who, batch, 1, 5)
    assert caught.value.key == "batch_expired"
    with pytest.raises(Conflict) as caught:
        lab.send(who, batch)
    assert caught.value.key == "batch_expired"
    assert [row["value"] for row in lab.rows()] == [4.0]


def test_a_clock_that_was_set_back_does_no_harm(lab: Any) -> None:
    lab.study(4, judgements=1, batch={"questions": 2, "minutes": 30})
    who, other = lab.annotator(), lab.annotator()
    batch = lab.work(who).batch
    lab.save(who, batch, 1)
    lab.now -= timedelta(days=400)
    saved = lab.save(who, batch, 2)
    assert saved.seconds == 0.0  # never negative
    assert lab.work(who).batch.id == batch.id  # still held
    assert lab.send(who, batch).at == lab.now
    assert len(lab.work(other).batch.questions) == 2  # and the others are dealt the rest
    lab.now += timedelta(days=400, minutes=1)
    assert lab.work(who).kind in ("later", "batch")
    assert len(lab.rows()) == 2


def test_a_clock_that_jumps_ahead_loses_no_answer(lab: Any) -> None:
    lab.study(2, judgements=1, batch={"questions": 2, "minutes": 30})
    who = lab.annotator()
    batch = lab.work(who).batch
    lab.save(who, batch, 1)
    lab.later(days=3650)
    saved = lab.save(who, batch, 2)  # nobody has asked for work since: the batch is still theirs
    assert saved.answered == 2
    assert lab.send(who, batch).annotator.state == "active"
    assert len(lab.rows()) == 2


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE answer SET value = '{\"value\": 5}'",
        "UPDATE answer SET at = 0",
        "UPDATE answer SET annotator_id = annotator_id, seconds = 1",
        "UPDATE answer SET value = NULL",  # blanking without the mark
        "UPDATE answer SET value = NULL, seconds = NULL, withdrawn = TRUE, at = 1",
        "DELETE FROM answer",
        "UPDATE audit SET what = 'nothing'",
        "DELETE FROM audit",
    ],
)
def test_the_database_itself_refuses_to_change_answers_and_audit(lab: Any, statement: str) -> None:
    lab.study(2)
    who = lab.annotator()
    lab.save(who, lab.work(who).batch, 1)
    with pytest.raises(IntegrityError, match="append-only"), lab.db.engine.begin() as connection:
        connection.exec_driver_sql(statement)
    assert [row["value"] for row in lab.rows()] == [3.0]


def test_the_database_itself_refuses_a_question_twice_to_one_annotator(lab: Any) -> None:
    lab.study(2, judgements=2)
    who = lab.annotator()
    lab.work(who)
    again = (
        "UPDATE slot SET state = 'held', annotator_id = (SELECT max(id) FROM annotator) "
        "WHERE id = (SELECT max(id) FROM slot WHERE state = 'free')"
    )
    with pytest.raises(IntegrityError), lab.db.engine.begin() as connection:
        connection.exec_driver_sql(again)


def test_sending_needs_only_the_answers(lab: Any) -> None:
    lab.study(2)
    who = lab.annotator()
    batch = lab.work(who).batch
    save_answers(lab.db, who, batch.id, [lab.entry(1), lab.entry(2)], now=lab.now)
    assert send_batch(lab.db, who, batch.id, now=lab.now).result is None
