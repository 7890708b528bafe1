"""Stages: what one study gives to the next, exactly once, and never to its own author."""

import itertools
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from similitude.collect.annotation.plan import Study, StudyPlan
from similitude.collect.annotation.records import Entry, Question
from similitude.collect.annotation.store import (
    consent,
    enter_by_invitation,
    enter_open,
    exclude,
    invite,
    put_study,
    readmit,
    save_answer,
    set_state,
    withdraw,
)
from similitude.collect.annotation.store.entry import Known
from similitude.collect.annotation.store.stage_flow import Flow, take_results
from similitude.collect.annotation.store.stage_progress import stage_progress
from similitude.errors import ArgumentError

WORDS = ("the colour of the ball", "the size of the fruit", "the mood of the people", "the kind of sport")


class Stages:
    """A study in which people write conditions, and one in which others verify them."""

    def __init__(self, make_lab: Callable[[], Any], pairs: int = 3, **follows: Any) -> None:
        self.write, self.verify = make_lab(), make_lab()
        self._words = itertools.count()
        questions = [
            Question(key=f"p{number}", items=({"id": f"p{number}", "left": f"l {number}", "right": f"r {number}"},))
            for number in range(pairs)
        ]
        self.put(self.write, "conditions", questions, judgements=1)
        self.put(self.verify, "verification", [], judgements=2, follows={"study": "write", **follows})

    def put(self, lab: Any, task: str, questions: list[Question], **plan: Any) -> None:
        whole = {"name": task, "task": task, "access": {"open": True}, "batch": {"questions": 2}, **plan}
        put_study(lab.db, Study(plan=StudyPlan.model_validate(whole), questions=tuple(questions)), now=lab.now)

    def enter(self, lab: Any, *persons: str) -> int:
        who = enter_open(lab.db, known=Known(persons), language="en", now=lab.now).annotator.id
        consent(lab.db, who, agreed=True, now=lab.now)
        return int(who)

    def write_one(self, who: int, *, send: bool = True) -> Any:
        """Write conditions for a batch."""
        batch = self.write.work(who).batch
        for question in batch.questions:
            number = next(self._words)
            words = {"alike": f"{WORDS[number % 4]} {number}", "differ": f"{WORDS[(number + 1) % 4]} {number}"}
            self.write.save(who, batch, question.position, **words)
        if send:
            self.write.send(who, batch)
        return batch

    def verify_all(self, who: int, form: dict[str, str] | None = None) -> list[str]:
        """Verify until nothing is left; the names of the questions."""
        seen = []
        while (work := self.verify.work(who)).kind == "batch":
            for question in work.batch.questions:
                seen.append(question.key)
                self.judge(who, work.batch, question.position, **(form or {"applies": "yes", "value": "4"}))
            self.verify.send(who, work.batch)
        return seen

    def judge(self, who: int, batch: Any, position: int, **form: str) -> None:
        entry = Entry(position, form, f"form{next(self._words)}")
        save_answer(self.verify.db, who, batch.id, entry, now=self.verify.now)

    def flow(self) -> Any:
        return take_results(self.verify.db, self.write.db, now=self.verify.now)


@pytest.fixture
def stages(make_lab: Callable[[], Any]) -> Stages:
    return Stages(make_lab)


def test_written_conditions_become_questions_once_their_batch_is_sent(stages: Stages) -> None:
    ada = stages.enter(stages.write, "ada")
    batch = stages.write_one(ada, send=False)
    assert stages.flow() == (0, 0, 0)  # she may still change them
    stages.write.send(ada, batch)
    assert stages.flow() == (4, 0, 0)
    assert stages.flow() == (0, 0, 0)
    take_results(stages.verify.db, stages.write.db, now=stages.verify.now)
    rows = stages.verify.table("SELECT key, texts FROM question JOIN wording ON question_id = question.id ORDER BY id")
    assert len({row.key for row in rows}) == 4
    eve = stages.enter(stages.verify, "eve")
    shown = stages.verify.work(eve).batch.questions[0].shown
    assert shown.condition
    assert shown.left.startswith("l ")


def test_an_item_says_where_it_comes_from(stages: Stages) -> None:
    import json

    stages.write_one(stages.enter(stages.write, "ada"))
    stages.flow()
    found = [row[0] for row in stages.verify.table("SELECT texts FROM wording ORDER BY question_id")]
    items = [(json.loads(each) if isinstance(each, str) else each)[0] for each in found]
    answers = {str(row[0]) for row in stages.write.table("SELECT id FROM answer")}
    assert [item["kind"] for item in items] == ["alike", "differ"] * 2
    for item in items:
        pair, number, kind = item["id"].split(".")
        assert (pair, kind) == (item["group"], item["kind"])
        assert number in answers
        assert item["condition"]
        assert "ada" not in str(item)


def test_nobody_verifies_what_they_wrote(stages: Stages) -> None:
    ada, bob = stages.enter(stages.write, "ada"), stages.enter(stages.write, "bob")
    first, second = stages.write_one(ada), stages.write_one(bob)
    stages.flow()
    again = stages.enter(stages.verify, "ada")
    asked = {key.split(".")[0] for key in stages.verify_all(again)}
    assert asked == {question.key for question in second.questions}
    assert not asked & {question.key for question in first.questions}
    assert stages.verify_all(stages.enter(stages.verify, "new", "ada"))  # another name, but this browser was ada's
    assert {key.split(".")[0] for key in stages.verify_all(stages.enter(stages.verify, "eve"))} == {
        question.key for question in first.questions
    }
    assert stage_progress(stages.verify.db).own == 0


def test_who_is_left_with_their_own_is_finished_only_when_no_more_can_come(stages: Stages) -> None:
    ada = stages.enter(stages.write, "ada")
    stages.write_one(ada)
    stages.write_one(ada)
    stages.flow()
    again = stages.enter(stages.verify, "ada")
    assert stages.verify.work(again).kind == "later"
    set_state(stages.write.db, "closed", now=stages.write.now, by="test")
    stages.flow()
    assert stages.verify.work(again).kind == "finished"


def test_somebody_recognised_later_gives_back_what_they_wrote(stages: Stages) -> None:
    stages.write_one(stages.enter(stages.write, "ada"))
    stages.flow()
    stranger = stages.enter(stages.verify, "stranger")
    held = stages.verify.work(stranger).batch
    link = invite(stages.verify.db, annotator=stages.verify.pseudonym(stranger), now=stages.verify.now, by="test")
    enter_by_invitation(stages.verify.db, str(link.token), known=Known(("ada",)), language=None, now=stages.verify.now)
    assert stages.verify.work(stranger).kind == "later"
    assert stages.verify.table(f"SELECT state FROM batch WHERE id = {held.id}") == [("expired",)]


def test_what_an_excluded_author_wrote_is_withdrawn_and_comes_back(stages: Stages) -> None:
    ada = stages.enter(stages.write, "ada")
    stages.write_one(ada)
    stages.flow()
    eve = stages.enter(stages.verify, "eve")
    batch = stages.verify.work(eve).batch
    stages.judge(eve, batch, 1, applies="yes", value="4")  # holds the other one, of the batch's two
    pseudonym = stages.write.pseudonym(ada)
    exclude(stages.write.db, pseudonym, why="copied", now=stages.write.now, by="test")
    assert stages.flow() == (0, 4, 0)
    told = stage_progress(stages.verify.db)
    assert (told.withdrawn, told.answered, told.taken) == (4, 1, 0)
    assert stages.verify.work(stages.enter(stages.verify, "new")).kind == "later"  # nothing is dealt any more
    readmit(stages.write.db, pseudonym, now=stages.write.now, by="test")
    assert stages.flow() == (0, 0, 4)
    assert stage_progress(stages.verify.db).withdrawn == 0
    free = stages.verify.table("SELECT count(*) FROM slot WHERE state IN ('free', 'held', 'done') AND purpose = 'work'")
    assert free == [(8,)]  # two judgements of each, as before


def test_texts_of_an_author_who_deleted_them_are_deleted_where_nobody_answered(stages: Stages) -> None:
    ada = stages.enter(stages.write, "ada")
    stages.write_one(ada)
    stages.flow()
    eve = stages.enter(stages.verify, "eve")
    batch = stages.verify.work(eve).batch
    stages.judge(eve, batch, 1, applies="yes", value="4")
    withdraw(stages.write.db, ada, now=stages.write.now)
    stages.flow()
    words = str(stages.verify.table("SELECT texts FROM wording"))
    assert sum(words.count(each) for each in WORDS) == 2  # eve's answer is about one, and she sees the other
    assert stages.verify.table("SELECT * FROM author") == []
    stages.verify.later(hours=2)
    stages.verify.work(eve)  # her time is over
    stages.flow()
    words = str(stages.verify.table("SELECT texts FROM wording"))
    assert sum(words.count(each) for each in WORDS) == 1
    told = stage_progress(stages.verify.db)
    assert (told.withdrawn, told.answered) == (4, 1)


def test_a_study_can_wait_until_the_earlier_one_is_closed(make_lab: Callable[[], Any]) -> None:
    stages = Stages(make_lab, when="closed")
    stages.write_one(stages.enter(stages.write, "ada"))
    assert stages.flow() == (0, 0, 0)
    set_state(stages.write.db, "closed", now=stages.write.now, by="test")
    assert stages.flow() == (4, 0, 0)


def test_accepted_items_go_on_to_be_rated_by_others(make_lab: Callable[[], Any]) -> None:
    stages, rate = Stages(make_lab), make_lab()
    stages.put(rate, "rating", [], judgements=1, follows={"study": "verify", "takes": "accepted"})
    stages.write_one(stages.enter(stages.write, "ada"))
    stages.flow()
    yes, no = {"applies": "yes", "value": "4"}, {"applies": "no"}
    for person in ("bob", "eve"):
        who = stages.enter(stages.verify, person)
        while (work := stages.verify.work(who)).kind == "batch":
            for question in work.batch.questions:
                stages.judge(who, work.batch, question.position, **(no if "differ" in question.key else yes))
            stages.verify.send(who, work.batch)
    told = stage_progress(stages.verify.db)
    assert (told.judged, told.verified, told.rejected, told.waiting) == (4, 2, 2, 0)
    assert [(each.no, each.of) for each in told.listed] == [(2, 2)] * 2
    assert take_results(rate.db, stages.verify.db, now=rate.now) == (2, 0, 0)
    for person in ("ada", "bob", "eve"):
        assert rate.work(stages.enter(rate, person)).kind == "later"
    assert rate.work(stages.enter(rate, "zoe")).kind == "batch"


def test_contentious_items_go_to_new_people(make_lab: Callable[[], Any]) -> None:
    first, second = make_lab(), make_lab()
    first.study(3, judgements=2)
    stages = Stages.__new__(Stages)
    stages.put(second, "rating", [], judgements=15, follows={"study": "first", "takes": "contentious"})
    for person, values in (("ada", (0, 3, 3)), ("bob", (5, 3, 4))):
        who = stages.enter(first, person)
        work = first.work(who)
        first.answer_all(who, work.batch, lambda question, values=values: values[int(question.key[-1])])
    assert take_results(second.db, first.db, now=second.now) == (1, 0, 0)  # 0 and 5; 3 and 4 lie 0.5 from their mean
    assert second.work(stages.enter(second, "ada")).kind == "later"
    assert [question.key for question in second.work(stages.enter(second, "eve")).batch.questions] == ["work0"]


def test_each_condition_comes_exactly_once_however_many_take_at_once(stages: Stages) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from similitude.collect.annotation.store import open_database

    for person in ("ada", "bob"):
        stages.write_one(stages.enter(stages.write, person))
    db = stages.verify.db
    others = [open_database(db.path or db.engine.url.render_as_string(hide_password=False)) for _ in range(3)]
    with ThreadPoolExecutor(8) as pool:
        done = [pool.submit(take_results, each, stages.write.db, now=stages.verify.now) for each in (db, *others) * 3]
        taken = [each.result().taken for each in done]
    for each in others:
        each.close()
    assert sum(taken) == 6
    slots = Counter(row[0] for row in stages.verify.table("SELECT question_id FROM slot WHERE state = 'free'"))
    assert len(slots) == 6
    assert set(slots.values()) == {2}


def test_a_study_that_has_questions_of_one_cannot_follow_another(stages: Stages) -> None:
    stages.write_one(stages.enter(stages.write, "ada"))
    stages.flow()
    with pytest.raises(ArgumentError, match="cannot follow elsewhere"):
        stages.put(stages.verify, "verification", [], judgements=2, follows={"study": "elsewhere"})


def test_a_restart_keeps_what_was_taken(stages: Stages) -> None:
    stages.write_one(stages.enter(stages.write, "ada"))
    stages.flow()
    stages.put(stages.verify, "verification", [], judgements=3, follows={"study": "write"})
    assert stage_progress(stages.verify.db).taken == 4
    assert stages.verify.work(stages.enter(stages.verify, "eve")).kind == "batch"


def test_a_flow_looks_seldom(stages: Stages) -> None:
    flow = Flow(lambda: stages.write.db)
    stages.write_one(stages.enter(stages.write, "ada"))
    flow.maybe(stages.verify.db, now=stages.verify.now)
    stages.write_one(stages.enter(stages.write, "bob"))
    flow.maybe(stages.verify.db, now=stages.verify.now)  # a moment later
    assert stage_progress(stages.verify.db).taken == 4


KILLED = """
import os, signal, sys
from datetime import UTC, datetime
import sqlalchemy as sa
from similitude.collect.annotation.store import open_database
from similitude.collect.annotation.store.stage_flow import take_results

def take(last):
    later, earlier = (open_database(url) for url in sys.argv[1:3])
    count = 0

    @sa.event.listens_for(later.engine, "before_cursor_execute")
    def _die(*_):
        nonlocal count
        count += 1
        if count == last:
            os.kill(os.getpid(), signal.SIGKILL)

    take_results(later, earlier, now=datetime(2026, 3, 2, tzinfo=UTC))

for last in (4, 7, 9, 11, 13, 15, 17, 19):
    child = os.fork()
    if child == 0:
        take(last)
        os._exit(0)
    print(os.WTERMSIG(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.mark.slow
def test_a_process_that_is_killed_takes_nothing_twice_and_forgets_nothing(stages: Stages) -> None:
    def url(db: Any) -> str:
        return str(db.path or db.engine.url.set(drivername="postgresql").render_as_string(hide_password=False))

    for person in ("ada", "bob"):
        stages.write_one(stages.enter(stages.write, person))
    command = [sys.executable, "-c", KILLED, url(stages.verify.db), url(stages.write.db)]
    ends = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert Counter(ends)[str(int(signal.SIGKILL))] >= 5
    stages.flow()
    slots = Counter(row[0] for row in stages.verify.table("SELECT question_id FROM slot WHERE state = 'free'"))
    assert sorted(slots.values()) == [2] * 6
    assert stages.verify.table("SELECT count(*) FROM question") == [(6,)]
    assert stages.verify.table("SELECT count(*) FROM author") == [(6,)]
    assert stage_progress(stages.verify.db).taken == 6
