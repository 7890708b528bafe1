"""Dealing: exactly n judgements, nobody twice, random order, gold and repeats at their shares, work that comes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from similitude.collect.annotation.plan.models import BatchPlan
from similitude.collect.annotation.store import next_work, progress, put_study, set_state
from similitude.collect.annotation.store.batch_order import arrange, generator, mix
from similitude.collect.annotation.store.refusals import NotThere


def test_everyone_together_gives_exactly_the_judgements_that_are_wanted(lab: Any) -> None:
    lab.study(7, judgements=3, batch={"questions": 4})
    people = [lab.annotator() for _ in range(5)]
    ends = [lab.work_off(who).kind for who in people]
    assert set(ends) == {"finished"}
    given = Counter(row["question"] for row in lab.rows())
    assert given == Counter({f"work{number}": 3 for number in range(7)})
    pairs = Counter((row["question"], row["annotator"]) for row in lab.rows())
    assert max(pairs.values()) == 1


def test_an_open_batch_comes_again_until_it_is_sent(lab: Any) -> None:
    lab.study(10, batch={"questions": 4})
    who = lab.annotator()
    first, again = lab.work(who).batch, lab.work(who).batch
    assert first == again
    assert [question.position for question in first.questions] == [1, 2, 3, 4]
    lab.answer_all(who, first)
    second = lab.work(who).batch
    assert second.id != first.id
    assert not {question.key for question in first.questions} & {question.key for question in second.questions}


def test_no_work_before_consent_and_none_for_nobody(lab: Any) -> None:
    lab.study()
    who = lab.annotator(agreed=False)
    assert lab.work(who).kind == "consent"
    with pytest.raises(NotThere):
        lab.work(who + 1)


def test_work_that_others_hold_may_come_later(lab: Any) -> None:
    lab.study(3, judgements=1, batch={"questions": 3})
    first, second = lab.annotator(), lab.annotator()
    lab.work(first)
    assert lab.work(second).kind == "later"
    lab.later(minutes=61)
    assert lab.work(second).kind == "batch"  # abandoned work is dealt again


def test_what_was_answered_in_time_stays_and_the_rest_comes_back(lab: Any) -> None:
    lab.study(4, judgements=1, batch={"questions": 4, "minutes": 30})
    first, second = lab.annotator(), lab.annotator()
    batch = lab.work(first).batch
    lab.save(first, batch, 1)
    answered = batch.questions[0].key
    lab.later(minutes=31)
    dealt = lab.work(second).batch
    assert {question.key for question in dealt.questions} == {question.key for question in batch.questions} - {answered}
    lab.answer_all(second, dealt)
    assert Counter(row["question"] for row in lab.rows()) == Counter({f"work{number}": 1 for number in range(4)})
    assert progress(lab.db, now=lab.now).done == 4


def test_every_answer_gives_the_batch_its_time_anew(lab: Any) -> None:
    lab.study(4, judgements=1, batch={"questions": 4, "minutes": 30})
    first, second = lab.annotator(), lab.annotator()
    batch = lab.work(first).batch
    for position in (1, 2):
        lab.later(minutes=20)
        lab.save(first, batch, position)
    lab.later(minutes=20)  # an hour after dealing, 20 minutes after the last answer
    assert lab.work(second).kind == "later"


def test_the_most_that_one_may_answer(lab: Any) -> None:
    lab.study(10, judgements=5, batch={"questions": 4, "most": 6})
    who = lab.annotator()
    assert lab.work_off(who).kind == "finished"
    assert len(lab.rows()) == 6


def test_finished_people_come_back_when_there_is_work_again(lab: Any) -> None:
    lab.study(3, judgements=1)
    who, other = lab.annotator(), lab.annotator()
    lab.work(other)
    lab.later(minutes=1)
    lab.work_off(who)
    lab.answer_all(other, lab.work(other).batch)
    assert lab.work(who).kind == "finished"
    lab.study(5, judgements=1)  # two more questions
    assert {question.key for question in lab.work(who).batch.questions} == {"work3", "work4"}


def test_paused_and_closed_studies_deal_nothing(lab: Any) -> None:
    lab.study(4, batch={"questions": 2})
    holder, other = lab.annotator(), lab.annotator()
    batch = lab.work(holder).batch
    set_state(lab.db, "paused", now=lab.now, by="test")
    assert lab.work(other).kind == "paused"
    lab.answer_all(holder, batch)  # what one holds can be finished
    set_state(lab.db, "closed", now=lab.now, by="test")
    assert lab.work(other).kind == "closed"
    set_state(lab.db, "open", now=lab.now, by="test")
    assert lab.work(other).kind == "batch"


def test_order_is_random_for_each_annotator_and_follows_from_seed_and_pseudonym(make_lab: Callable[[], Any]) -> None:
    def orders(lab: Any, seed: int) -> list[list[str]]:
        lab.study(30, judgements=5, seed=seed, batch={"questions": 30})
        found = []
        for number in range(2):
            who = lab.annotator()
            with lab.db.engine.begin() as connection:
                connection.exec_driver_sql(f"UPDATE annotator SET pseudonym = 'P{number}' WHERE id = {who}")
            found.append([question.key for question in lab.work(who).batch.questions])
        return found

    first, again, other = orders(make_lab(), 1), orders(make_lab(), 1), orders(make_lab(), 2)
    assert first == again
    assert first[0] != first[1]  # 1 in 30! that this fails by chance
    assert first[0] != other[0]


def test_questions_are_spread_over_people_and_not_dealt_in_order_of_the_file(lab: Any) -> None:
    lab.study(200, judgements=3, batch={"questions": 10})
    batches = [[question.key for question in lab.work(lab.annotator()).batch.questions] for _ in range(6)]
    assert len({key for keys in batches for key in keys}) > 30  # six times ten of 200: about 52 different ones
    assert any(keys != sorted(keys, key=lambda key: int(key[4:])) for keys in batches)


def test_gold_and_repeats_come_at_their_shares_and_never_first(lab: Any) -> None:
    lab.study(80, gold=20, judgements=1, batch={"questions": 10, "gold_share": 0.1, "repeat_share": 0.05})
    who = lab.annotator()
    lab.work_off(who)
    purposes = lab.table("SELECT purpose, position, batch_id, question_id FROM slot WHERE annotator_id IS NOT NULL")
    count = Counter(row.purpose for row in purposes)
    total = sum(count.values())
    assert count["work"] == 80
    # Rounded over all that was dealt, and cut where the last batch is short: within one of the share.
    assert abs(count["gold"] - 0.1 * total) <= 1
    assert abs(count["repeat"] - 0.05 * total) <= 1
    assert {row.purpose for row in purposes if row.position == 1} == {"work"}
    places = {(row.batch_id, row.question_id, row.purpose): row.position for row in purposes}
    for (batch, question, purpose), position in places.items():
        if purpose == "repeat" and (batch, question, "work") in places:
            assert position - places[batch, question, "work"] >= 2


def test_gold_runs_out_without_harm(lab: Any) -> None:
    lab.study(20, gold=1, judgements=1, batch={"questions": 5, "gold_share": 0.4})
    who = lab.annotator()
    assert lab.work_off(who).kind == "finished"
    assert Counter(row["purpose"] for row in lab.rows(everything=True)) == Counter({"work": 20, "gold": 1})


def test_a_question_that_left_the_plan_is_asked_no_more(lab: Any) -> None:
    lab.study(4, judgements=1, batch={"questions": 4})
    holder, other = lab.annotator(), lab.annotator()
    lab.work(holder)
    lab.study(2, judgements=1, batch={"questions": 4})
    lab.later(minutes=61)  # the holder's four come back: two of them to nobody
    assert {question.key for question in lab.work(other).batch.questions} == {"work0", "work1"}


def test_more_and_fewer_judgements_change_what_is_free(lab: Any) -> None:
    lab.study(3, judgements=2)
    assert progress(lab.db, now=lab.now).wanted == 6
    lab.study(3, judgements=5)
    assert progress(lab.db, now=lab.now).wanted == 15
    lab.work_off(lab.annotator())
    lab.study(3, judgements=1)
    standing = progress(lab.db, now=lab.now)
    assert (standing.wanted, standing.done, standing.complete) == (3, 3, 3)


def test_a_preview_takes_nothing_from_anyone(lab: Any) -> None:
    from similitude.collect.annotation.store import consent, enter_preview

    lab.study(3, judgements=1)
    preview = enter_preview(lab.db, language="en", now=lab.now, by="anna").annotator.id
    consent(lab.db, preview, agreed=True, now=lab.now)
    assert lab.work_off(preview).kind == "finished"
    standing = progress(lab.db, now=lab.now)
    assert (standing.free, standing.done, standing.annotators) == (3, 0, {})
    assert lab.rows(everything=True) == []


@pytest.mark.parametrize(("people", "questions"), [(32, 60)])
@pytest.mark.slow
def test_many_threads_at_once_neither_over_collect_nor_deal_twice(lab: Any, people: int, questions: int) -> None:
    lab.study(questions, gold=5, judgements=4, batch={"questions": 6, "gold_share": 0.1, "repeat_share": 0.1})
    whos = [lab.annotator() for _ in range(people)]

    def work_off(who: int) -> str:
        while (work := next_work(lab.db, who, now=lab.now)).kind == "batch":
            lab.answer_all(who, work.batch)
        return str(work.kind)

    with ThreadPoolExecutor(32) as pool:
        ends = list(pool.map(work_off, whos))
    assert set(ends) <= {"finished", "later"}
    rows = lab.rows()
    assert Counter(row["question"] for row in rows) == Counter({f"work{number}": 4 for number in range(questions)})
    assert max(Counter((row["question"], row["annotator"]) for row in rows).values()) == 1
    assert len(rows) == progress(lab.db, now=lab.now).wanted == 4 * questions


def test_one_person_in_many_tabs_holds_one_batch(lab: Any) -> None:
    lab.study(40, batch={"questions": 5})
    who = lab.annotator()
    with ThreadPoolExecutor(8) as pool:
        works = list(pool.map(lambda _: lab.work(who), range(16)))
    assert len({work.batch.id for work in works}) == 1
    assert lab.table("SELECT count(*) FROM batch")[0][0] == 1


def test_putting_the_same_study_again_changes_nothing(lab: Any) -> None:
    first, again = lab.study(5), lab.study(5)
    assert (first.version, again.version) == (1, 1)
    assert lab.table("SELECT count(*) FROM slot")[0][0] == 10
    assert lab.table("SELECT max(version) FROM wording")[0][0] == 1


def test_a_changed_text_is_a_new_version_and_answers_say_which(lab: Any) -> None:
    from dataclasses import replace

    from similitude.collect.annotation.plan import Study, StudyPlan
    from similitude.collect.annotation.records import Question

    plan = StudyPlan.model_validate({"name": "s", "task": "rating", "judgements": 2, "access": {"open": True}})
    old = Question(key="q", items=({"id": "q", "left": "old", "right": "r"},))
    put_study(lab.db, Study(plan=plan, questions=(old,)), now=lab.now)
    before, after = lab.annotator(), lab.annotator()
    shown_before = lab.work(before).batch
    new = replace(old, items=({"id": "q", "left": "new", "right": "r"},))
    put_study(lab.db, Study(plan=plan, questions=(new,)), now=lab.now)
    assert lab.work(before).batch.questions[0].shown.left == "old"  # what is held does not change under one's hands
    assert lab.work(after).batch.questions[0].shown.left == "new"
    lab.answer_all(before, shown_before)
    lab.work_off(after)
    assert [row["question_version"] for row in lab.rows()] == [1, 2]


def test_shares_are_kept_over_batches() -> None:
    plan = BatchPlan(questions=8, gold_share=0.1, repeat_share=0.05)
    dealt = {"work": 0, "gold": 0, "repeat": 0}
    for _ in range(50):
        made = mix(plan, 8, dealt)
        assert sum(made) == 8
        dealt = {name: dealt[name] + getattr(made, name) for name in dealt}
    # 400 questions: 10 % and 5 % of them.
    assert (dealt["gold"], dealt["repeat"]) == (40, 20)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 20])
def test_arranging_keeps_repeats_apart_and_work_first(size: int) -> None:
    for number in range(50):
        order = arrange(range(size), [100], [200], 2, generator(1, number))
        assert order[0].purpose == "work"
        assert Counter(dealt.purpose for dealt in order)["gold"] == 1
        place = {dealt.question: at for at, dealt in enumerate(order) if dealt.purpose == "work"}
        again = [(at, dealt.question) for at, dealt in enumerate(order) if dealt.purpose == "repeat"]
        assert all(at - place[question] >= 2 for at, question in again if question in place)
        assert len(again) == (3 if size > 1 else 1)  # a single question cannot come again without being next to itself


def test_a_generator_is_the_same_everywhere() -> None:
    # sha256 of "1:x" as eight little-endian words feeds PCG64; the number is fixed so that a change is noticed.
    assert np.array_equal(generator(1, "x").integers(10**6, size=3), generator(1, "x").integers(10**6, size=3))
    assert not np.array_equal(generator(1, "x").integers(10**6, size=3), generator(2, "x").integers(10**6, size=3))


def test_a_page_shows_different_dialogues_of_different_lengths():
    from similitude.collect.annotation.store.batch_order import About, Dealt, on_pages

    rng = np.random.default_rng(0)
    about = {number: About(f"dialogue {number // 10}", 3 if number < 60 else 5) for number in range(120)}
    for _ in range(50):
        order = [Dealt("work", int(number)) for number in rng.choice(120, 12, replace=False)]
        changed = on_pages(order, about, 2)
        assert sorted(changed) == sorted(order)
        assert changed[0] == order[0]
        pages = [[about[dealt.question] for dealt in changed[place : place + 2]] for place in range(0, 12, 2)]
        assert all(one.group != other.group for one, other in pages[:-1])
        mixed = sum(one.turns != other.turns for one, other in pages)
        short = sum(about[dealt.question].turns == 3 for dealt in order)
        assert mixed >= min(short, 12 - short) - 1


def test_one_question_a_page_keeps_its_order():
    from similitude.collect.annotation.store.batch_order import About, Dealt, on_pages

    order = [Dealt("work", number) for number in (3, 1, 2)]
    assert on_pages(order, dict.fromkeys((1, 2, 3), About("same", 3)), 1) == order
