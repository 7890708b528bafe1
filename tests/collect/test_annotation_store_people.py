"""Who comes in and who leads: invitations, platforms, sessions, passwords, tokens, limits; nothing secret is kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from importlib import import_module
from typing import Any

import argon2
import pytest

from similitude.collect.annotation.store import (
    add_leader,
    allowed,
    annotator_of_session,
    api_access,
    api_tokens,
    audit_log,
    consent,
    enter_by_invitation,
    enter_from_platform,
    enter_open,
    enter_preview,
    exclude,
    invitations,
    invite,
    leader_of_session,
    leaders,
    log_in,
    log_out,
    make_api_token,
    next_work,
    remove_leader,
    revoke_api_token,
    revoke_invitation,
    set_language,
    set_password,
    set_state,
)
from similitude.collect.annotation.store.refusals import Conflict, NotAdmitted, NotThere, Unacceptable
from similitude.errors import ArgumentError

PASSWORD = "correct horse battery staple"


@pytest.fixture(autouse=True)
def _cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """argon2 is made to be slow; here it need not be."""
    cheap = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(import_module("similitude.collect.annotation.store.leaders"), "_hasher", cheap)


def test_a_single_use_invitation_lets_one_in(lab: Any) -> None:
    lab.study()
    made = invite(lab.db, note="for Kim", now=lab.now, by="anna")
    entered = enter_by_invitation(lab.db, str(made.token), language="de", now=lab.now)
    assert entered.new
    assert (entered.annotator.state, entered.annotator.source, entered.annotator.language) == (
        "invited",
        "invitation",
        "de",
    )
    with pytest.raises(NotAdmitted) as caught:
        enter_by_invitation(lab.db, str(made.token), language="de", now=lab.now)
    assert (caught.value.key, caught.value.status) == ("invitation_used", 403)
    [listed] = invitations(lab.db)
    assert (listed.token, listed.used, listed.limit, listed.note) == (None, 1, 1, "for Kim")


def test_a_link_with_a_limit_holds_when_many_come_at_once(lab: Any) -> None:
    lab.study()
    token = str(invite(lab.db, limit=5, now=lab.now, by="anna").token)

    def come(_: int) -> bool:
        try:
            return enter_by_invitation(lab.db, token, language=None, now=lab.now).new
        except NotAdmitted:
            return False

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(come, range(24))) == 5
    assert lab.table("SELECT count(*) FROM annotator")[0][0] == 5


def test_the_studys_own_limit_holds_when_many_come_at_once(lab: Any) -> None:
    lab.study(access={"open": True, "limit": 4})

    def come(_: int) -> str:
        try:
            return enter_open(lab.db, language=None, now=lab.now).annotator.pseudonym
        except NotAdmitted as error:
            return error.key

    with ThreadPoolExecutor(8) as pool:
        came = list(pool.map(come, range(12)))
    assert came.count("study_full") == 8
    enter_preview(lab.db, language=None, now=lab.now, by="anna")  # a leader may always look


def test_invitations_expire_are_revoked_and_are_not_guessed(lab: Any) -> None:
    lab.study()
    soon = invite(lab.db, limit=None, expires=lab.now + timedelta(days=1), now=lab.now, by="anna")
    gone = invite(lab.db, now=lab.now, by="anna")
    revoke_invitation(lab.db, gone.id, now=lab.now, by="anna")
    enter_by_invitation(lab.db, str(soon.token), language=None, now=lab.now)
    lab.later(days=1)
    for token, key in ((soon.token, "expired"), (gone.token, "revoked"), ("x" * 43, "unknown"), ("", "unknown")):
        with pytest.raises(NotAdmitted) as caught:
            enter_by_invitation(lab.db, str(token), language=None, now=lab.now)
        assert caught.value.key == f"invitation_{key}"
    with pytest.raises(NotThere):
        revoke_invitation(lab.db, 10**6, now=lab.now, by="anna")
    with pytest.raises(ArgumentError):
        invite(lab.db, limit=0, now=lab.now, by="anna")


def test_an_invitation_for_somebody_lets_them_go_on_elsewhere(lab: Any) -> None:
    lab.study()
    token = str(invite(lab.db, now=lab.now, by="anna").token)
    first = enter_by_invitation(lab.db, token, language=None, now=lab.now)
    consent(lab.db, first.annotator.id, agreed=True, now=lab.now)
    batch = next_work(lab.db, first.annotator.id, now=lab.now).batch
    again = invite(lab.db, annotator=first.annotator.pseudonym, now=lab.now, by="anna")
    entered = enter_by_invitation(lab.db, str(again.token), language=None, now=lab.now)
    assert not entered.new
    assert entered.annotator.id == first.annotator.id
    assert next_work(lab.db, entered.annotator.id, now=lab.now).batch == batch
    assert annotator_of_session(lab.db, first.session) is None  # the old device is logged out
    assert annotator_of_session(lab.db, entered.session) is not None
    with pytest.raises(NotThere):
        invite(lab.db, annotator="NOBODY", now=lab.now, by="anna")


def test_platforms_must_be_named_and_know_people_again(lab: Any) -> None:
    lab.study(access={"mturk": {}})
    with pytest.raises(NotAdmitted) as caught:
        enter_open(lab.db, language=None, now=lab.now)
    assert caught.value.key == "entry_closed"
    with pytest.raises(NotAdmitted):
        enter_from_platform(lab.db, "prolific", "P1", language=None, now=lab.now)
    with pytest.raises(NotAdmitted):
        enter_from_platform(lab.db, "mturk", "  ", language=None, now=lab.now)
    platform = {"assignmentId": "A1", "turkSubmitTo": "https://www.mturk.com"}
    first = enter_from_platform(lab.db, "mturk", "W1", platform=platform, language="en", now=lab.now)
    again = enter_from_platform(
        lab.db, "mturk", "W1", platform={"assignmentId": "A2"}, session=first.session, language="en", now=lab.now
    )
    other = enter_from_platform(lab.db, "mturk", "W2", language="en", now=lab.now)
    assert (first.new, again.new, other.new) == (True, False, True)
    assert first.annotator.id == again.annotator.id != other.annotator.id
    assert again.annotator.platform == {"assignmentId": "A2"}


def test_one_worker_who_comes_many_times_at_once_is_one_annotator(lab: Any) -> None:
    lab.study(access={"mturk": {}})

    def come(_: int) -> str:
        try:
            return str(enter_from_platform(lab.db, "mturk", "W", language=None, now=lab.now).new)
        except NotAdmitted as error:
            return error.key

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(come, range(16))) == ["True", *["other_browser"] * 15]
    assert lab.table("SELECT count(*) FROM annotator")[0][0] == 1


def test_nobody_comes_into_a_closed_study(lab: Any) -> None:
    lab.study()
    token = str(invite(lab.db, now=lab.now, by="anna").token)
    set_state(lab.db, "closed", now=lab.now, by="anna")
    with pytest.raises(NotAdmitted) as caught:
        enter_by_invitation(lab.db, token, language=None, now=lab.now)
    assert caught.value.key == "entry_closed"
    set_state(lab.db, "open", now=lab.now, by="anna")
    assert enter_by_invitation(lab.db, token, language=None, now=lab.now).new  # it was not used up


def test_languages_are_remembered(lab: Any) -> None:
    lab.study()
    entered = enter_open(lab.db, language="en", now=lab.now)
    set_language(lab.db, entered.annotator.id, "zh")
    found = annotator_of_session(lab.db, entered.session)
    assert found is not None
    assert found.language == "zh"


def test_leaders_log_in_and_out(lab: Any) -> None:
    lab.study()
    anna = add_leader(lab.db, "anna", PASSWORD, now=lab.now, by="test")
    assert leaders(lab.db) == [anna]
    session = log_in(lab.db, "anna", PASSWORD, now=lab.now).session
    assert session is not None
    assert leader_of_session(lab.db, session, now=lab.now) == anna
    assert leader_of_session(lab.db, session[:-1], now=lab.now) is None
    assert leader_of_session(lab.db, session, now=lab.later(hours=13)) is None
    assert log_in(lab.db, "anna", PASSWORD + " ", now=lab.now) is None
    assert log_in(lab.db, "nobody", PASSWORD, now=lab.now) is None
    second = log_in(lab.db, "anna", PASSWORD, now=lab.now).session
    log_out(lab.db, second, now=lab.now)
    assert leader_of_session(lab.db, second, now=lab.now) is None
    with pytest.raises(Conflict):
        add_leader(lab.db, "anna", PASSWORD, now=lab.now, by="test")
    with pytest.raises(ArgumentError, match="password has 5 characters"):
        add_leader(lab.db, "ben", "short", now=lab.now, by="test")


def test_a_new_password_and_removal_end_sessions_and_tokens(lab: Any) -> None:
    lab.study()
    add_leader(lab.db, "anna", PASSWORD, now=lab.now, by="test")
    session = log_in(lab.db, "anna", PASSWORD, now=lab.now).session
    token = make_api_token(lab.db, "anna", note="script", now=lab.now, by="test")
    set_password(lab.db, "anna", PASSWORD[::-1], now=lab.now, by="test")
    assert leader_of_session(lab.db, session, now=lab.now) is None
    assert log_in(lab.db, "anna", PASSWORD, now=lab.now) is None
    assert api_access(lab.db, str(token.token), now=lab.now) is not None
    remove_leader(lab.db, "anna", now=lab.now, by="test")
    assert api_access(lab.db, str(token.token), now=lab.now) is None
    with pytest.raises(NotThere):
        remove_leader(lab.db, "anna", now=lab.now, by="test")
    with pytest.raises(NotThere):
        set_password(lab.db, "anna", PASSWORD, now=lab.now, by="test")


def test_api_tokens_expire_and_are_revoked(lab: Any) -> None:
    lab.study()
    anna = add_leader(lab.db, "anna", PASSWORD, now=lab.now, by="test")
    short = make_api_token(lab.db, "anna", expires=lab.now + timedelta(hours=1), now=lab.now, by="test")
    long = make_api_token(lab.db, "anna", note="backup", now=lab.now, by="test")
    assert api_access(lab.db, str(short.token), now=lab.now).leader == anna
    assert api_access(lab.db, str(short.token), now=lab.later(hours=1)) is None
    revoke_api_token(lab.db, long.id, now=lab.now, by="test")
    assert api_access(lab.db, str(long.token), now=lab.now) is None
    assert [(each.note, each.token, each.revoked is not None) for each in api_tokens(lab.db)] == [
        ("backup", None, True),
        ("", None, False),
    ]
    for failing in (
        lambda: make_api_token(lab.db, "ben", now=lab.now, by="t"),
        lambda: revoke_api_token(lab.db, 99, now=lab.now, by="t"),
    ):
        with pytest.raises(NotThere):
            failing()


def test_tries_are_limited_and_forgotten(lab: Any) -> None:
    lab.study()
    tries = [allowed(lab.db, "log_in", "10.0.0.1", limit=3, seconds=60, now=lab.now) for _ in range(5)]
    assert tries == [True, True, True, False, False]
    assert allowed(lab.db, "log_in", "10.0.0.2", limit=3, seconds=60, now=lab.now)
    assert allowed(lab.db, "join", "10.0.0.1", limit=3, seconds=60, now=lab.now)
    assert "10.0.0.1" not in str(lab.table("SELECT * FROM attempt"))
    assert allowed(lab.db, "log_in", "10.0.0.1", limit=3, seconds=60, now=lab.later(seconds=61))
    lab.now -= timedelta(days=1)  # a clock that was set back keeps nobody out
    assert allowed(lab.db, "log_in", "10.0.0.1", limit=1, seconds=60, now=lab.now)


def test_no_secret_is_in_the_database_in_plain_text(lab: Any) -> None:
    lab.study(access={"open": True, "prolific": {"completion_url": "https://example.org"}})
    add_leader(lab.db, "anna", PASSWORD, now=lab.now, by="test")
    log_in(lab.db, "my-password-typed-as-name", PASSWORD, now=lab.now)
    secrets = [
        PASSWORD,
        "my-password-typed-as-name",
        "PROLIFIC-77",
        log_in(lab.db, "anna", PASSWORD, now=lab.now).session,
        str(make_api_token(lab.db, "anna", now=lab.now, by="test").token),
        str(invite(lab.db, now=lab.now, by="anna").token),
        enter_open(lab.db, language=None, now=lab.now).session,
        enter_from_platform(lab.db, "prolific", "PROLIFIC-77", language=None, now=lab.now).session,
    ]
    tables = ["study", "annotator", "invitation", "leader", "leader_session", "api_token", "audit", "attempt"]
    kept = str([lab.table(f"SELECT * FROM {name}") for name in tables])
    assert [secret for secret in secrets if secret in kept] == []
    assert "$argon2id$" in kept


def test_the_log_tells_who_did_what_newest_first(lab: Any) -> None:
    lab.study()
    who = lab.annotator()
    lab.later(seconds=1)
    exclude(lab.db, lab.pseudonym(who), why="too fast", now=lab.now, by="anna")
    newest = audit_log(lab.db, limit=1)
    assert [(entry.what, entry.by, entry.subject, entry.detail["why"]) for entry in newest] == [
        ("excluded", "anna", lab.pseudonym(who), "too fast")
    ]
    assert "excluded" not in [entry.what for entry in audit_log(lab.db, before=lab.now)]


@pytest.mark.parametrize("text", ["a\x00b", "\ud800"])
def test_texts_that_no_database_holds_are_refused(lab: Any, text: str) -> None:
    if lab.db.dialect == "sqlite" and text == "a\x00b":
        pytest.skip("SQLite holds null characters")
    lab.study()
    with pytest.raises(Unacceptable) as caught:
        invite(lab.db, note=text, now=lab.now, by="anna")
    assert caught.value.status == 422
    assert log_in(lab.db, "anna", text, now=lab.now) is None
