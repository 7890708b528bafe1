"""Persons across studies, and the pools that they are in."""

from typing import Any

import pytest

from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.store import audit_log, consent, decide_qualification, enter_open
from similitude.collect.annotation.store.entry import Known
from similitude.collect.annotation.store.persons import Recognised, cookie_of, recognise
from similitude.collect.annotation.store.pools import (
    check_pools,
    deliver_results,
    pool_members,
    set_pool_member,
)
from similitude.collect.annotation.store.refusals import NotAdmitted, NotThere
from similitude.errors import ArgumentError

TESTED = {"qualification": {"questions": "q.jsonl", "pool": "raters"}}


def test_a_browser_is_recognised_by_its_signed_cookie(lab: Any) -> None:
    first = recognise(lab.db, now=lab.now)
    cookie = cookie_of(lab.db, first.person)
    assert recognise(lab.db, cookie=cookie, now=lab.now) == first
    assert (
        recognise(lab.db, cookie=cookie[:-1] + ("0" if cookie[-1] != "0" else "1"), now=lab.now).person != first.person
    )
    assert recognise(lab.db, cookie="", now=lab.now).person != first.person


def test_an_id_on_a_platform_is_one_person_in_every_browser_and_is_kept_as_a_hash(lab: Any) -> None:
    first = recognise(lab.db, platform_id=("prolific", "5f1c"), now=lab.now)
    assert recognise(lab.db, platform_id=("prolific", "5f1c"), now=lab.now) == first
    assert recognise(lab.db, platform_id=("mturk", "5f1c"), now=lab.now) != first
    assert "5f1c" not in str(lab.table("SELECT * FROM identity"))


def test_a_new_id_belongs_to_the_person_of_the_browser_once(lab: Any) -> None:
    invited = recognise(lab.db, now=lab.now).person
    cookie = cookie_of(lab.db, invited)
    assert recognise(lab.db, cookie=cookie, platform_id=("prolific", "a"), now=lab.now) == Recognised(invited)
    second = recognise(lab.db, cookie=cookie, platform_id=("prolific", "b"), now=lab.now)
    assert second.person != invited  # two ids on one platform are two people
    assert second.others == (invited,)  # who share a browser, so that none judges what the other wrote


def test_an_invitation_for_a_person_counts_more_than_the_cookie(lab: Any) -> None:
    ada, bob = recognise(lab.db, now=lab.now).person, recognise(lab.db, now=lab.now).person
    assert recognise(lab.db, cookie=cookie_of(lab.db, bob), invited=ada, now=lab.now) == Recognised(ada, (bob,))
    assert recognise(lab.db, invited="nobody", now=lab.now).person not in (ada, bob, "nobody")


def test_somebody_else_in_the_same_browser_is_a_new_person(lab: Any) -> None:
    ada = recognise(lab.db, now=lab.now).person
    other = recognise(lab.db, cookie=cookie_of(lab.db, ada), different=True, now=lab.now)
    assert other.person != ada
    assert other.others == (ada,)


def plan(**parts: Any) -> StudyPlan:
    return StudyPlan.model_validate({"name": "later", "task": "rating", **parts})


def test_who_passed_in_one_study_takes_no_second_test(make_lab: Any) -> None:
    console, first, second = make_lab(), make_lab(), make_lab()
    for lab in (first, second):
        lab.study(2, qualification=1, plans={"qualification": {"questions": "q.jsonl", "pool": "raters"}})
    ada = recognise(console.db, now=console.now)
    who = enter_open(first.db, known=Known(ada.all), language=None, now=first.now).annotator.id
    assert consent(first.db, who, agreed=True, now=first.now).state == "qualification"
    first.answer_all(who, first.work(who).batch, 3)
    assert deliver_results(first.db, console.db, now=first.now) == 1
    assert deliver_results(first.db, console.db, now=first.now) == 0
    assert [(each.person, each.state) for each in pool_members(console.db, "raters")] == [(ada.person, "passed")]
    assert check_pools(console.db, plan(**TESTED), ada)
    known = Known(ada.all, qualified=True)
    again = enter_open(second.db, known=known, language=None, now=second.now).annotator.id
    assert consent(second.db, again, agreed=True, now=second.now).state == "active"
    assert deliver_results(second.db, console.db, now=second.now) == 0  # it came from the pool


def test_who_failed_is_not_admitted_again_and_what_was_not_delivered_comes_later(make_lab: Any) -> None:
    console, first = make_lab(), make_lab()
    plans = {"qualification": {"questions": "q.jsonl", "pool": "raters", "review": True}}
    first.study(2, qualification=1, plans=plans)
    bob = recognise(console.db, now=console.now)
    who = enter_open(first.db, known=Known(bob.all), language=None, now=first.now).annotator.id
    consent(first.db, who, agreed=True, now=first.now)
    first.answer_all(who, first.work(who).batch, 3)
    decide_qualification(first.db, first.pseudonym(who), passed=False, now=first.now, by="anna")
    assert not check_pools(console.db, plan(**TESTED), bob)  # the process died before it told the pool
    deliver_results(first.db, console.db, now=first.now)
    with pytest.raises(NotAdmitted, match="did not pass"):
        check_pools(console.db, plan(**TESTED), bob)
    shared = recognise(console.db, cookie=cookie_of(console.db, bob.person), different=True, now=console.now)
    with pytest.raises(NotAdmitted, match="did not pass"):
        check_pools(console.db, plan(**TESTED), shared)


def test_a_study_for_a_pool_admits_its_members_only(lab: Any) -> None:
    ada, bob = recognise(lab.db, now=lab.now), recognise(lab.db, now=lab.now)
    told = {"study": "first", "now": lab.now, "by": "anna"}
    set_pool_member(lab.db, "raters", ada.person, state="passed", why="known to be good", **told)
    only = plan(access={"pool": "raters"})
    assert not check_pools(lab.db, only, ada)  # admitted; there is no test to skip
    with pytest.raises(NotAdmitted, match="people in the pool 'raters'"):
        check_pools(lab.db, only, bob)
    told["now"] = lab.later(minutes=1)
    set_pool_member(lab.db, "raters", ada.person, state="removed", why="left the lab", **told)
    with pytest.raises(NotAdmitted):
        check_pools(lab.db, only, ada)
    assert [entry.detail["why"] for entry in audit_log(lab.db) if entry.what == "pool"] == [
        "left the lab",
        "known to be good",
    ]


def test_a_change_of_a_pool_needs_a_person_and_a_reason(lab: Any) -> None:
    ada = recognise(lab.db, now=lab.now).person
    told = {"state": "passed", "study": "first", "now": lab.now, "by": "anna"}
    with pytest.raises(ArgumentError, match="without a reason"):
        set_pool_member(lab.db, "raters", ada, why=" ", **told)
    with pytest.raises(NotThere, match="no person"):
        set_pool_member(lab.db, "raters", "nobody", why="good", **told)
