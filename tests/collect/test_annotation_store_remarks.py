"""Skips, comments and breaks in the store: append-only, and exactly n answers whatever people skip."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from similitude.collect.annotation.records import Entry, Skipped
from similitude.collect.annotation.store import (
    annotator_rows,
    begin_break,
    end_break,
    exclude,
    import_rows,
    last_settled,
    next_work,
    progress,
    read_batch,
    remarks,
    save_answer,
    skip_question,
    skipped_questions,
    withdraw,
    write_export,
)
from similitude.collect.annotation.store.refusals import Conflict, InvalidAnswer, NotNow, NotThere, NotYours
from similitude.data.reading.judgements import read_judgements

OTHER = Skipped("other", "the text is cut off")


def skip(lab: Any, who: int, batch: Any, position: int, skipped: Skipped = OTHER, nonce: str | None = None) -> None:
    nonce = nonce or lab.entry(position).nonce
    skip_question(lab.db, who, batch.id, position, skipped, nonce=nonce, now=lab.now)


def test_a_skipped_question_goes_to_somebody_else_and_never_back(lab: Any) -> None:
    lab.study(3, judgements=1)
    first, second = lab.annotator(), lab.annotator()
    batch = lab.work(first).batch
    skip(lab, first, batch, 1)
    for position in (2, 3):
        lab.save(first, batch, position)
    lab.send(first, batch)
    assert lab.work(first).kind == "finished", "they are not asked again"
    left = lab.work(second).batch
    assert [each.key for each in left.questions] == [batch.questions[0].key]
    lab.answer_all(second, left)
    assert Counter(row["question"] for row in lab.rows()) == Counter(f"work{number}" for number in range(3))
    assert {lab.work(who).kind for who in (first, second)} == {"finished"}
    assert progress(lab.db, now=lab.now).skipped == 1


def test_exactly_n_answers_however_many_are_skipped(lab: Any) -> None:
    lab.study(6, judgements=2, batch={"questions": 3})
    people = [lab.annotator() for _ in range(6)]
    for number, who in enumerate(people):
        while (work := lab.work(who)).kind == "batch":
            for question in work.batch.questions:
                if (question.position + number) % 3 == 0 and number < 4:
                    skip(lab, who, work.batch, question.position, Skipped("undecided"))
                else:
                    lab.save(who, work.batch, question.position)
            lab.send(who, work.batch)
    given = Counter(row["question"] for row in lab.rows())
    assert given == Counter({f"work{number}": 2 for number in range(6)})
    pairs = Counter((row["question"], row["annotator"]) for row in lab.rows(everything=True))
    assert max(pairs.values()) == 1, "nobody got a question twice, skipped or answered"


def test_a_skip_counts_if_the_plan_says_so(lab: Any) -> None:
    lab.study(1, judgements=1, skip={"again": False})
    first, second = lab.annotator(), lab.annotator()
    batch = lab.work(first).batch
    skip(lab, first, batch, 1)
    lab.send(first, batch)
    assert lab.work(second).kind == "finished"
    assert lab.rows() == []
    lab.study(1, judgements=1, skip={"again": False})
    assert lab.work(second).kind == "finished", "put again, the study opens no slot for what was skipped"


def test_the_study_put_again_opens_no_more_slots_than_wanted(lab: Any) -> None:
    lab.study(2, judgements=2)
    who = lab.annotator()
    batch = lab.work(who).batch
    for position in (1, 2):
        skip(lab, who, batch, position, Skipped("language"))
    lab.send(who, batch)
    lab.study(2, judgements=2)
    assert progress(lab.db, now=lab.now).wanted == 4


def test_an_answer_after_a_skip_and_a_skip_after_an_answer(lab: Any) -> None:
    lab.study(2, judgements=1)
    who = lab.annotator()
    batch = lab.work(who).batch
    skip(lab, who, batch, 1)
    assert read_batch(lab.db, who, batch.id).questions[0].skipped == OTHER
    assert lab.save(who, batch, 1, value=4).answered == 1, "a skip was counted before"
    lab.save(who, batch, 2, value=2)
    skip(lab, who, batch, 2, Skipped("offensive"))
    read = read_batch(lab.db, who, batch.id)
    assert read.complete
    assert [(each.answer, each.skipped) for each in read.questions] == [
        ({"value": 4.0}, None),
        (None, Skipped("offensive")),
    ]
    lab.send(who, batch)
    assert [row["value"] for row in lab.rows()] == [4]
    everything = [(row["value"], row["skipped"], row["current"]) for row in lab.rows(everything=True)]
    assert sorted(everything, key=str) == sorted(
        [(4, None, True), (2, None, False), (None, "other", False), (None, "offensive", True)], key=str
    )


def test_skips_are_kept_as_they_were_given(lab: Any) -> None:
    lab.study(1)
    who = lab.annotator()
    batch = lab.work(who).batch
    skip(lab, who, batch, 1, nonce="once")
    skip(lab, who, batch, 1, nonce="once")
    assert len(lab.table("SELECT id FROM skip")) == 1, "a form that comes twice is one skip"
    for statement in ("UPDATE skip SET reason = 'language'", "DELETE FROM skip"):
        with pytest.raises(sa.exc.DBAPIError, match="append-only"), lab.db.engine.begin() as connection:
            connection.execute(sa.text(statement))


def test_what_makes_no_valid_skip(lab: Any) -> None:
    lab.study(4, judgements=1, skip={"limit": 1, "reasons": ["undecided", "other"]}, batch={"questions": 3})
    who, other = lab.annotator(), lab.annotator()
    batch = lab.work(who).batch
    for wrong, field in (
        (Skipped(""), "skip_reason"),
        (Skipped("language"), "skip_reason"),
        (Skipped("other", "  "), "note"),
        (Skipped("other", "x" * 501), "note"),
        (Skipped("other", "a\x00b"), "note"),
    ):
        with pytest.raises(InvalidAnswer) as refused:
            skip(lab, who, batch, 1, wrong)
        assert refused.value.problems[0].field == field
    with pytest.raises(NotYours):
        skip(lab, other, batch, 1)
    with pytest.raises(NotThere):
        skip(lab, who, batch, 9)
    skip(lab, who, batch, 1)
    skip(lab, who, batch, 1, Skipped("undecided"))  # another reason is not another skip
    with pytest.raises(NotNow) as refused_more:
        skip(lab, who, batch, 2)
    assert refused_more.value.key == "skip_limit"
    for position in (2, 3):
        lab.save(who, batch, position)
    lab.send(who, batch)
    with pytest.raises(Conflict):
        skip(lab, who, batch, 2)


def test_training_cannot_be_skipped_and_a_study_may_forbid_it(lab: Any) -> None:
    lab.study(2, training=3, plans={"training": {"questions": "t", "rounds": 1, "limit": 3}})
    who = lab.annotator()
    with pytest.raises(NotNow) as refused:
        skip(lab, who, lab.work(who).batch, 1)
    assert refused.value.key == "no_skip"
    lab.study(2, skip={"allowed": False})
    another = lab.annotator()
    with pytest.raises(NotNow):
        skip(lab, another, lab.work(another).batch, 1)


def test_skipped_questions_of_an_abandoned_batch_go_to_others_too(lab: Any) -> None:
    lab.study(2, judgements=1, batch={"questions": 2, "minutes": 30})
    first, second = lab.annotator(), lab.annotator()
    batch = lab.work(first).batch
    skip(lab, first, batch, 1)
    lab.later(minutes=31)
    assert len(lab.work(second).batch.questions) == 2
    with pytest.raises(Conflict):
        lab.save(first, batch, 1)


def test_a_skipped_gold_question_is_neither_right_nor_wrong(lab: Any) -> None:
    lab.study(4, gold=2, batch={"questions": 4, "gold_share": 0.5}, plans={"gold": {"questions": "g", "after": 1}})
    who = lab.annotator()
    batch = lab.work(who).batch
    for question in batch.questions:
        if question.key.startswith("gold"):
            skip(lab, who, batch, question.position, Skipped("undecided"))
        else:
            lab.save(who, batch, question.position, value=0)
    assert lab.send(who, batch).annotator.state == "active"
    assert annotator_rows(lab.db, now=lab.now)[0].gold_asked == 0


def test_a_second_round_does_not_wait_for_what_was_skipped(lab: Any) -> None:
    lab.study(1, judgements=3, skip={"again": False}, second_round={"spread": 0.5, "judgements": 2})
    for value in (0, 5, None):
        who = lab.annotator()
        batch = lab.work(who).batch
        if value is None:
            skip(lab, who, batch, 1, Skipped("undecided"))
        else:
            lab.save(who, batch, 1, value=value)
        lab.send(who, batch)
    assert progress(lab.db, now=lab.now).second_round == 1


def test_leaders_see_who_skips_how_much_and_why(lab: Any) -> None:
    lab.study(12, judgements=1, batch={"questions": 12})
    who = lab.annotator()
    batch = lab.work(who).batch
    for question in batch.questions:
        if question.position <= 6:
            skip(lab, who, batch, question.position, OTHER if question.position == 1 else Skipped("language"))
        else:
            lab.save(who, batch, question.position)
    row = annotator_rows(lab.db, now=lab.now)[0]
    assert (row.skipped, row.answered, row.flags) == (6, 6, ("skips",))
    listed = skipped_questions(lab.db)
    assert len(listed) == 6
    assert [each.notes for each in listed if each.notes] == [("the text is cut off",)]
    assert Counter(reason for each in listed for reason in each.reasons) == Counter({"language": 5, "other": 1})


def test_a_comment_is_kept_with_its_answer(lab: Any) -> None:
    lab.study(2, judgements=1)
    who = lab.annotator()
    batch = lab.work(who).batch
    entry = Entry(1, {"value": "3"}, "n1", None, "  hard to\nsay ")
    save_answer(lab.db, who, batch.id, entry, now=lab.now)
    assert save_answer(lab.db, who, batch.id, entry, now=lab.now).replayed
    assert read_batch(lab.db, who, batch.id).questions[0].comment == "hard to say"
    changed = save_answer(lab.db, who, batch.id, entry._replace(comment="easy"), now=lab.now)
    assert not changed.replayed, "another comment in a page that the browser had kept is not lost"
    assert [row["comment"] for row in lab.rows()] == ["easy"]
    assert [row["comment"] for row in lab.rows(everything=True)] == ["hard to say", "easy"]
    assert [each.comment for each in remarks(lab.db)] == ["easy"]
    with pytest.raises(InvalidAnswer) as refused:
        save_answer(lab.db, who, batch.id, Entry(2, {"value": "3"}, "n2", None, "x" * 1001), now=lab.now)
    assert refused.value.problems[0][:2] == ("comment", "too_long")


def test_skips_and_comments_come_back_from_an_export(make_lab: Any) -> None:
    lab, other = make_lab(), make_lab()
    lab.study(2, judgements=2)
    who, second, third = (lab.annotator() for _ in range(3))
    for each in (who, second):
        batch = lab.work(each).batch
        place = next(question.position for question in batch.questions if question.key == "work0")
        skip(lab, each, batch, place)
        commented = Entry(3 - place, {"value": "3"}, "n", None, "fine")
        save_answer(lab.db, each, batch.id, commented, now=lab.now)
        lab.send(each, batch)
    lab.answer_all(third, lab.work(third).batch)
    rows = lab.rows(everything=True)
    assert sum(row["skipped"] == "other" for row in rows) == 2
    for _ in range(2):  # put again, it opens no more
        other.study(2, judgements=2)
        if not other.rows():
            import_rows(other.db, rows, now=other.now, by="test")
        there = progress(other.db, now=other.now)
        assert (there.wanted, there.done, there.free, there.skipped) == (4, 3, 1, 2)
    assert other.rows(everything=True) == rows
    other.work_off(other.annotator())
    assert Counter(row["question"] for row in other.rows()) == Counter({"work0": 2, "work1": 2})


def test_withdrawal_deletes_notes_and_comments_and_collects_nothing_twice(lab: Any) -> None:
    lab.study(2, judgements=1)
    who, second = lab.annotator(), lab.annotator()
    batch = lab.work(who).batch
    skip(lab, who, batch, 1)
    save_answer(lab.db, who, batch.id, Entry(2, {"value": "3"}, "n", None, "fine"), now=lab.now)
    lab.send(who, batch)
    lab.answer_all(second, lab.work(second).batch)
    withdraw(lab.db, who, now=lab.now)
    assert lab.table("SELECT note FROM skip") == [(None,)]
    assert {row[0] for row in lab.table("SELECT comment FROM answer")} == {None}
    lab.study(2, judgements=1)  # put again
    assert progress(lab.db, now=lab.now).wanted == 2
    lab.work_off(second)
    lab.work_off(lab.annotator())
    assert Counter(row["question"] for row in lab.rows()) == Counter(["work0", "work1"])


def test_the_last_answer_is_found_by_time_not_by_position(lab: Any) -> None:
    lab.study(3)
    who, other = lab.annotator(), lab.annotator()
    batch = lab.work(who).batch
    assert last_settled(lab.db, who, batch.id) is None
    lab.save(who, batch, 3)
    lab.later(seconds=5)
    lab.save(who, batch, 1)
    assert last_settled(lab.db, who, batch.id) == 1
    lab.later(seconds=5)
    skip(lab, who, batch, 2)
    assert last_settled(lab.db, who, batch.id) == 2
    with pytest.raises(NotYours):
        last_settled(lab.db, other, batch.id)


def test_a_break_stops_the_clock_of_the_batch_and_of_the_answer(lab: Any) -> None:
    lab.study(2, judgements=1, batch={"questions": 2, "minutes": 20}, breaks={"longest": 60})
    who, other = lab.annotator(), lab.annotator()
    batch = lab.work(who).batch
    lab.later(minutes=5)
    assert begin_break(lab.db, who, now=lab.now)
    lab.later(minutes=40)
    assert lab.work(other).kind == "later", "the batch would have been over without the break"
    assert lab.work(who).batch.paused is not None
    end_break(lab.db, who, now=lab.now)
    read = read_batch(lab.db, who, batch.id)
    assert (read.paused, read.rested) == (None, 2400)
    assert (read.expires - lab.now).total_seconds() == 15 * 60, "what was left before is left after"
    lab.later(minutes=2)
    assert lab.save(who, batch, 1).seconds == 7 * 60, "five minutes before the break and two after it"


def test_breaks_have_an_end(lab: Any) -> None:
    lab.study(2, judgements=1, batch={"questions": 2, "minutes": 20}, breaks={"longest": 10})
    who, other = lab.annotator(), lab.annotator()
    lab.work(who)
    begin_break(lab.db, who, now=lab.now)
    lab.later(minutes=10)
    end_break(lab.db, who, now=lab.now)
    with pytest.raises(NotNow) as refused:
        begin_break(lab.db, who, now=lab.now)
    assert refused.value.key == "break_used"
    lab.later(minutes=21)
    assert lab.work(other).kind == "batch", "an abandoned batch comes back, break or not"
    begin_break(lab.db, other, now=lab.now)
    lab.later(minutes=31)
    assert lab.work(lab.annotator()).kind == "batch"


def test_a_study_may_have_no_breaks_and_without_a_batch_nothing_stands_still(lab: Any) -> None:
    lab.study(2, breaks={"allowed": False})
    who = lab.annotator()
    lab.work(who)
    with pytest.raises(NotNow):
        begin_break(lab.db, who, now=lab.now)
    lab.study(2)
    assert not begin_break(lab.db, lab.annotator(), now=lab.now)


def test_a_new_batch_knows_the_pace_and_since_when_somebody_works(lab: Any) -> None:
    lab.study(6, batch={"questions": 2})
    who = lab.annotator()
    begun = lab.now
    batch = lab.work(who).batch
    assert (batch.pace, batch.fresh) == (None, begun)
    for position, seconds in ((1, 20), (2, 40)):
        lab.later(seconds=seconds)
        lab.save(who, batch, position)
    lab.send(who, batch)
    again = next_work(lab.db, who, now=lab.now).batch
    assert (again.pace, again.fresh) == (30, begun)
    for position in (1, 2):
        lab.save(who, again, position)
    lab.send(who, again)
    lab.later(minutes=11)
    assert lab.work(who).batch.fresh == lab.now, "somebody who was away comes back rested"


def test_a_full_export_gives_the_gold_of_the_usual_one(lab: Any, tmp_path: Path) -> None:
    lab.study(6, gold=2, training=5, judgements=2, batch={"questions": 5, "gold_share": 0.2, "repeat_share": 0.2})
    people = [lab.annotator() for _ in range(3)]
    for number, who in enumerate(people):
        while (work := lab.work(who)).kind == "batch":
            for question in work.batch.questions:
                value = 3 if work.batch.purpose == "training" else (question.position + number) % 6
                lab.save(who, work.batch, question.position, value)
            if work.batch.purpose == "work":
                lab.save(who, work.batch, 1, 4 - number)  # changed
                if number == 0:
                    skip(lab, who, work.batch, 2)
            lab.send(who, work.batch)
    exclude(lab.db, lab.pseudonym(people[1]), why="clicks", now=lab.now, by="anna")
    rows = lab.rows(everything=True)
    assert {row["purpose"] for row in rows} == {"work", "gold", "repeat", "training"}
    assert {row["excluded"] for row in rows} == {row["current"] for row in rows} == {True, False}
    assert {row["skipped"] for row in rows} == {None, "other"}
    for suffix in (".jsonl", ".csv"):
        usual, full = tmp_path / f"usual{suffix}", tmp_path / f"full{suffix}"
        write_export(lab.db, usual)
        write_export(lab.db, full, everything=True)
        wanted, found = read_judgements(usual), read_judgements(full)
        assert found.frame.equals(wanted.frame)
        assert found.superseded is wanted.superseded is None
        left_out = len(rows) - len(wanted)
        [note] = [note for note in found.provenance.notes if "export of the server" in note]
        assert note.startswith(f"full{suffix}: {left_out} rows do not count, as the export of the server says: ")
        for why in ("with purpose training", "with purpose gold", "by people who are excluded", "changed later"):
            assert why in note
