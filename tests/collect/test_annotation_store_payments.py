"""People and money in the store: decisions that nobody can change, ids, second browsers, assignments, withdrawal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
import sqlalchemy as sa

from similitude.collect.annotation.payment.platform_lists import matched_file, platform_list
from similitude.collect.annotation.records import Entered
from similitude.collect.annotation.signed_links import SignedLink
from similitude.collect.annotation.store import (
    annotator_of_session,
    approve_finished,
    audit_log,
    backup,
    consent,
    decide_payment,
    enter_by_invitation,
    enter_from_platform,
    exclude,
    find_people,
    finish,
    invite,
    make_bonus_list,
    pay_so_far,
    payments_of,
    people,
    person,
    person_finder,
    remove_person,
    restore,
    save_answer,
    withdraw,
    worked_in_submission,
)
from similitude.collect.annotation.store.refusals import Conflict, NotAdmitted, NotThere
from similitude.errors import ArgumentError

PAY = {"currency": "EUR", "per_batch": "2.00", "hourly": "12.00"}
PROLIFIC = {"open": True, "prolific": {"completion_url": "https://app.example.org"}}


def come(lab: Any, name: str, *, link: SignedLink | None = None, session: str = "", submission: str = "") -> Entered:
    return enter_from_platform(
        lab.db,
        "prolific",
        name,
        submission=submission or f"session-of-{name}",
        study_there="study",
        link=link,
        session=session,
        language="en",
        now=lab.now,
    )


def signed(lab: Any, name: str, proof: str, **span: float) -> SignedLink:
    expires: datetime = lab.now + timedelta(**(span or {"minutes": 5}))
    return SignedLink(participant=name, submission=f"session-of-{name}", study="study", proof=proof, expires=expires)


def done(lab: Any, name: str, **given: Any) -> str:
    """Somebody from Prolific who has answered everything; their pseudonym."""
    entered = come(lab, name, **given)
    consent(lab.db, entered.annotator.id, agreed=True, now=lab.now)
    assert lab.work_off(entered.annotator.id).kind == "finished"
    return entered.annotator.pseudonym


def decide(lab: Any, who: str, kind: Any, **given: Any) -> int:
    return decide_payment(lab.db, [who], kind, now=lab.later(seconds=1), by="anna", **given)


def test_decisions_are_kept_and_the_last_one_counts(lab: Any) -> None:
    lab.study(2, access=PROLIFIC, pay=PAY)
    name = done(lab, "P1")
    assert person(lab.db, name, now=lab.now).decision == "undecided"
    assert decide(lab, name, "approved") == 1
    assert decide(lab, name, "approved") == 0, "a second click writes nothing"
    assert decide(lab, name, "rejected", reason="answers at random") == 1
    assert decide(lab, name, "bonus", amount=Decimal("1.50"), reason="sorry") == 1
    assert decide(lab, name, "bonus", amount=Decimal("1.50"), reason="sorry") == 0
    assert decide(lab, name, "approved", reason="was a mistake") == 1
    found = person(lab.db, name, now=lab.now)
    assert (found.decision, found.bonus, found.earned) == ("approved", Decimal("1.50"), Decimal("3.50"))
    assert [(each.kind, each.by, each.reason) for each in found.payments] == [
        ("approved", "anna", ""),
        ("rejected", "anna", "answers at random"),
        ("bonus", "anna", "sorry"),
        ("approved", "anna", "was a mistake"),
    ]
    assert [each.kind for each in payments_of(lab.db, found.annotator.id)] == [each.kind for each in found.payments]
    logged = [(entry.what, entry.subject, entry.detail["why"]) for entry in audit_log(lab.db)[:2]]
    assert logged == [("payment_approved", name, "was a mistake"), ("payment_bonus", name, "sorry")]
    assert audit_log(lab.db)[1].detail["amount"] == "1.50 EUR"


def test_a_rejected_persons_answers_stay_until_they_are_excluded(lab: Any) -> None:
    lab.study(2, access=PROLIFIC)
    name = done(lab, "P1")
    decide(lab, name, "rejected", reason="too fast")
    assert len(lab.rows()) == 2
    exclude(lab.db, name, why="too fast", now=lab.now, by="anna")
    assert lab.rows() == []
    assert person(lab.db, name, now=lab.now).decision == "rejected"


def test_nobody_can_change_or_delete_a_decision(lab: Any) -> None:
    lab.study(2, access=PROLIFIC, pay=PAY)
    name = done(lab, "P1")
    decide(lab, name, "bonus", amount=Decimal("1.00"), reason="r")
    for statement in (
        "UPDATE payment SET cents = 0",
        "UPDATE payment SET kind = 'rejected'",
        "UPDATE payment SET reason = 'another'",
        "UPDATE payment SET annotator_id = 99",
        "DELETE FROM payment",
    ):
        with pytest.raises(sa.exc.DBAPIError, match="append-only"), lab.db.engine.begin() as connection:
            connection.execute(sa.text(statement))
    assert person(lab.db, name, now=lab.now).bonus == Decimal("1.00")


def test_decisions_that_make_no_sense_are_refused_whole(lab: Any) -> None:
    lab.study(2, access=PROLIFIC)
    name = done(lab, "P1")
    for kind, given in (
        ("rejected", {}),
        ("rejected", {"reason": "  "}),
        ("bonus", {"reason": "r"}),
        ("bonus", {"amount": Decimal(1)}),
        ("bonus", {"amount": Decimal(-1), "reason": "r"}),
        ("bonus", {"amount": Decimal(10**6), "reason": "r"}),
        ("bonus", {"amount": Decimal(1), "reason": "r"}),  # the plan has no [pay]
        ("approved", {"amount": Decimal(1)}),
    ):
        with pytest.raises(ArgumentError):
            decide(lab, name, kind, **given)
    with pytest.raises(NotThere):
        decide_payment(lab.db, [name, "NOBODY"], "approved", now=lab.now, by="anna")
    with pytest.raises(NotThere):
        decide(lab, name, "approved", submission_id=99)
    assert payments_of(lab.db, person(lab.db, name, now=lab.now).annotator.id) == []


def test_two_leaders_who_approve_at_once_write_one_decision(lab: Any) -> None:
    lab.study(2, access=PROLIFIC)
    name = done(lab, "P1")
    with ThreadPoolExecutor(4) as pool:
        made = pool.map(lambda _: decide_payment(lab.db, [name], "approved", now=lab.now, by="a"), range(8))
        assert sum(made) == 1


def test_all_who_finished_without_flags_are_approved_at_once(lab: Any) -> None:
    lab.study(3, judgements=9, access=PROLIFIC, batch={"questions": 2})
    finished = [done(lab, f"P{number}") for number in range(2)]
    rejected = done(lab, "P2")
    decide(lab, rejected, "rejected", reason="r")
    early = come(lab, "P3").annotator
    consent(lab.db, early.id, agreed=True, now=lab.now)
    lab.answer_all(early.id, lab.work(early.id).batch)
    finish(lab.db, early.id, now=lab.now)
    begun = come(lab, "P4").annotator
    assert approve_finished(lab.db, now=lab.now, by="anna") == 3
    assert approve_finished(lab.db, now=lab.now, by="anna") == 0
    decisions = {each.pseudonym: (each.outcome, each.decision) for each in people(lab.db, now=lab.now)}
    assert decisions == {
        finished[0]: ("complete", "approved"),
        finished[1]: ("complete", "approved"),
        rejected: ("complete", "rejected"),
        early.pseudonym: ("early", "approved"),
        begun.pseudonym: ("unfinished", "undecided"),
    }


def test_ids_are_hashes_unless_the_plan_says_otherwise(lab: Any) -> None:
    lab.study(2, access=PROLIFIC)
    name = done(lab, "PID-77")
    everything = str([lab.table(f"SELECT * FROM {table}") for table in ("annotator", "submission", "audit", "study")])
    assert "PID-77" not in everything
    [found] = people(lab.db, now=lab.now)
    assert (found.submissions[0].participant, found.submissions[0].submission) == (None, None)
    assert platform_list("prolific-approve", [found]).without_id == 0
    decide(lab, name, "approved")
    assert platform_list("prolific-approve", people(lab.db, now=lab.now))[2:] == (0, 1)
    # The platform's own file brings the ids, and hashes find them.
    everybody = people(lab.db, now=lab.now)
    export = "Submission id,Participant id\nsession-of-PID-77,PID-77\nother,PID-78\n"
    made = matched_file(export, person_finder(lab.db, everybody), lambda who: {})
    assert made.text.splitlines()[1:] == ["session-of-PID-77,PID-77,approved,,", "other,PID-78,,,"]


def test_kept_ids_can_be_read(lab: Any) -> None:
    lab.study(2, access={**PROLIFIC, "keep_platform_ids": True})
    name = done(lab, "PID-77")
    decide(lab, name, "approved")
    everybody = people(lab.db, now=lab.now)
    assert platform_list("prolific-approve", everybody).text == "session-of-PID-77\n"
    assert platform_list("prolific-approve-participants", everybody).text == "PID-77\n"


@pytest.mark.parametrize("keep", [True, False])
def test_people_are_found_by_name_code_id_and_note(lab: Any, keep: bool) -> None:
    lab.study(2, judgements=9, access={**PROLIFIC, "keep_platform_ids": keep})
    name = done(lab, "PID-1")
    other = done(lab, "PID-2")
    token = str(invite(lab.db, note="Kim from the lab", now=lab.now, by="anna").token)
    invited = enter_by_invitation(lab.db, token, language=None, now=lab.now).annotator.pseudonym
    everybody = people(lab.db, now=lab.now)
    code = everybody[0].annotator.completion_code
    assert code

    def found(wanted: str) -> list[str]:
        return [each.pseudonym for each in find_people(lab.db, wanted, everybody)]

    for wanted in (name, name.lower(), code, f" {code.lower()} ", "PID-1", "session-of-PID-1"):
        assert found(wanted) == [name]
    assert found("PID-2") == [other]
    assert found("kim") == [invited]
    assert found("") == [name, other, invited]
    assert found("nobody at all") == []
    assert [each.note for each in everybody] == ["", "", "Kim from the lab"]


def test_a_known_id_in_another_browser_touches_nothing(lab: Any) -> None:
    lab.study(3, access=PROLIFIC)
    first = come(lab, "P1")
    consent(lab.db, first.annotator.id, agreed=True, now=lab.now)
    for session in ("", "made up"):
        with pytest.raises(NotAdmitted) as caught:
            come(lab, "P1", session=session)
        assert (caught.value.key, caught.value.status) == ("other_browser", 403)
    assert annotator_of_session(lab.db, first.session) is not None, "the first browser goes on"
    tried = [entry for entry in audit_log(lab.db) if entry.what == "entry_refused"]
    assert [(entry.subject, entry.by) for entry in tried] == [(first.annotator.pseudonym, "visitor")]
    again = come(lab, "P1", session=first.session)
    assert (again.session, again.new) == (first.session, False)
    with pytest.raises(NotAdmitted) as caught:  # a stranger cannot take over a submission either
        come(lab, "P2", submission="session-of-P1")
    assert caught.value.key == "submission_taken"
    assert len(people(lab.db, now=lab.now)) == 1


def test_a_signed_link_continues_in_another_browser_once(lab: Any) -> None:
    lab.study(3, access=PROLIFIC)
    first = come(lab, "P1", link=signed(lab, "P1", "one"))
    again = come(lab, "P1", link=signed(lab, "P1", "one"), session=first.session)
    assert again.session == first.session, "a reload in the same browser"
    with pytest.raises(NotAdmitted) as caught:
        come(lab, "P1", link=signed(lab, "P1", "one"))
    assert caught.value.key == "link_used"
    moved = come(lab, "P1", link=signed(lab, "P1", "two"))
    assert moved.annotator.id == first.annotator.id
    assert annotator_of_session(lab.db, first.session) is None
    assert annotator_of_session(lab.db, moved.session) is not None
    assert not people(lab.db, now=lab.now)[0].unsigned
    lab.later(hours=3)
    come(lab, "P2", link=signed(lab, "P2", "three"))
    assert len(lab.table("SELECT * FROM used_link")) == 1, "expired links are forgotten"
    assert "three" not in str(lab.table("SELECT * FROM used_link"))


def test_a_continuation_link_moves_to_another_browser(lab: Any) -> None:
    lab.study(3, access=PROLIFIC)
    first = come(lab, "P1")
    made = invite(lab.db, annotator=first.annotator.pseudonym, now=lab.now, by="annotator")
    moved = enter_by_invitation(lab.db, str(made.token), language=None, now=lab.now)
    assert moved.annotator.id == first.annotator.id
    assert come(lab, "P1", session=moved.session).session == moved.session


def assignment(lab: Any, number: int, session: str = "") -> Entered:
    return enter_from_platform(
        lab.db, "mturk", "W1", submission=f"A{number}", study_there="H", platform={"assignmentId": f"A{number}"},
        session=session, language="en", now=lab.later(minutes=1),
    )  # fmt: skip


def test_several_assignments_of_one_worker(lab: Any) -> None:
    lab.study(5, judgements=1, batch={"questions": 2}, access={"mturk": {"batches": 1}})
    entered = assignment(lab, 1)
    who, session = entered.annotator.id, entered.session
    consent(lab.db, who, agreed=True, now=lab.now)
    codes = []
    for number, expected in ((1, 2), (2, 4), (3, 5)):
        lab.later(minutes=1)
        if number > 1:
            assert assignment(lab, number, session).annotator.completion_code is None
        work = lab.work(who)
        lab.answer_all(who, work.batch)
        ended = lab.work(who)
        assert (ended.kind, ended.done) == ("finished", expected)
        assert ended.annotator.platform["assignmentId"] == f"A{number}"
        assert worked_in_submission(lab.db, ended.annotator)
        codes.append(ended.annotator.completion_code)
    assert len(set(codes)) == 3
    lab.later(minutes=1)
    late = assignment(lab, 4, session)
    assert lab.work(who).kind == "finished"
    assert not worked_in_submission(lab.db, late.annotator), "nothing was left: they return the fourth one"
    [found] = people(lab.db, now=lab.now)
    assert [each.submission for each in found.submissions] == ["A1", "A2", "A3", "A4"]
    assert [each.code for each in found.submissions[:3]] == codes
    assert find_people(lab.db, str(codes[0]), [found]) == [found]
    decide(lab, found.pseudonym, "rejected", reason="random", submission_id=found.submissions[1].id)
    decide(lab, found.pseudonym, "approved", submission_id=found.submissions[0].id)
    review = platform_list("mturk-review", people(lab.db, now=lab.now))
    assert review.text.splitlines() == ["AssignmentId,Approve,Reject", "A1,x,", "A2,,random"]
    with pytest.raises(NotAdmitted):
        assignment(lab, 5)


def test_an_assignment_that_is_returned_leaves_its_questions_to_the_next(lab: Any) -> None:
    lab.study(4, judgements=1, batch={"questions": 2, "minutes": 30}, access={"mturk": {"batches": 1}})
    entered = assignment(lab, 1)
    who = entered.annotator.id
    consent(lab.db, who, agreed=True, now=lab.now)
    begun = lab.work(who).batch
    lab.save(who, begun, 1)
    assignment(lab, 2, entered.session)  # they returned the first one, and took another
    assert lab.work(who).batch.id == begun.id
    lab.save(who, begun, 2)
    lab.send(who, begun)
    assert lab.work(who).kind == "finished"
    assert worked_in_submission(lab.db, lab.work(who).annotator)


def test_time_counts_up_to_the_idle_limit(lab: Any) -> None:
    lab.study(3, judgements=1, access=PROLIFIC, pay={**PAY, "idle": 60})
    entered = come(lab, "P1").annotator
    consent(lab.db, entered.id, agreed=True, now=lab.now)
    batch = lab.work(entered.id).batch
    for position, seconds in ((1, 10.0), (2, 500.0), (3, 20.0)):
        lab.later(seconds=seconds)
        entry = lab.entry(position)._replace(seconds=seconds)
        save_answer(lab.db, entered.id, batch.id, entry, now=lab.now)
    lab.send(entered.id, batch)
    lab.work(entered.id)
    [found] = people(lab.db, now=lab.now)
    assert found.active == pytest.approx(90.0)  # 10 + 60 + 20
    assert found.hourly == pytest.approx(2.00 * 3600 / 90)
    assert (found.batches, found.base, found.last) == (1, Decimal("2.00"), lab.now)
    overview = pay_so_far(lab.db, [found], now=lab.now)
    assert overview is not None
    assert (overview.people, overview.waiting, overview.below) == (1, Decimal("2.00"), 0)


def test_time_of_a_changed_answer_counts_once(lab: Any) -> None:
    lab.study(2, pay={"currency": "EUR", "per_batch": "1"})
    batch = lab.work(who := lab.annotator()).batch
    for value, seconds in ((1, 10.0), (2, 15.0), (3, 12.0)):  # a browser counts on from 10; another tab counts anew
        entry = lab.entry(1, value)._replace(seconds=seconds)
        save_answer(lab.db, who, batch.id, entry, now=lab.later(seconds=seconds))
    lab.later(seconds=4)
    lab.save(who, batch, 2, 1)  # without script the server measures
    lab.later(seconds=3)
    lab.save(who, batch, 2, 2)
    assert [row["seconds"] for row in lab.rows()] == [12.0, 7.0]
    found = person(lab.db, lab.pseudonym(who), now=lab.now)
    assert (found.active, found.last) == (22.0, lab.now)  # 15 + 4 + 3


def test_withdrawal_keeps_the_record_of_payment_and_nothing_else(lab: Any) -> None:
    lab.study(2, judgements=9, access={**PROLIFIC, "keep_platform_ids": True}, pay=PAY)
    paid, unpaid = done(lab, "PAID-1"), come(lab, "UNPAID-2")
    decide(lab, paid, "approved", reason="good words about secret-things")
    decide(lab, paid, "bonus", amount=Decimal("0.50"), reason="secret-things")
    who = person(lab.db, paid, now=lab.now)
    code = who.annotator.completion_code
    withdraw(lab.db, who.annotator.id, now=lab.now)
    withdraw(lab.db, unpaid.annotator.id, now=lab.now)
    assert lab.rows(everything=True) == []
    tables = ("annotator", "audit", "submission", "payment", "used_link")
    everywhere = str([lab.table(f"SELECT * FROM {table}") for table in tables])
    assert [gone for gone in (paid, "secret-things", "UNPAID-2", "session-of-UNPAID-2") if gone in everywhere] == []
    kept = people(lab.db, now=lab.now)[0]
    assert kept.pseudonym.startswith("withdrawn-")
    assert (kept.annotator.completion_code, kept.decision, kept.bonus) == (code, "approved", Decimal("0.50"))
    made = make_bonus_list(lab.db, "prolific-bonus", now=lab.now, by="anna")
    assert made.file().text == "PAID-1,0.50\n", "they are still paid"
    assert come(lab, "PAID-1").new, "no hash is left by which they would be recognised"


def test_a_leader_deletes_by_request_with_a_reason(lab: Any) -> None:
    lab.study(2, access=PROLIFIC)
    name = done(lab, "P1")
    remove_person(lab.db, name, why="wrote to us with their code", now=lab.now, by="anna")
    entry = audit_log(lab.db)[0]
    assert (entry.what, entry.by, entry.subject) == ("withdrawn", "anna", None)
    assert entry.detail["why"] == "wrote to us with their code"
    assert lab.rows(everything=True) == []
    with pytest.raises(NotThere):
        remove_person(lab.db, name, why="again", now=lab.now, by="anna")
    [gone] = people(lab.db, now=lab.now)
    with pytest.raises(Conflict):
        remove_person(lab.db, gone.pseudonym, why="again", now=lab.now, by="anna")


def test_decisions_are_in_a_backup(lab: Any, make_lab: Any, tmp_path: Any) -> None:
    lab.study(2, access=PROLIFIC, pay=PAY)
    name = done(lab, "P1")
    decide(lab, name, "bonus", amount=Decimal("1.25"), reason="r")
    backup(lab.db, tmp_path / "all.zip")
    other = make_lab()
    restore(other.db, tmp_path / "all.zip")
    assert person(other.db, name, now=lab.now).bonus == Decimal("1.25")
    with pytest.raises(sa.exc.DBAPIError, match="append-only"), other.db.engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM payment"))
    decide_payment(other.db, [name], "approved", now=lab.now, by="anna")
    assert person(other.db, name, now=lab.now).decision == "approved"


KILLED = """
import sys
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from similitude.collect.annotation.store import decide_payment, open_database

db = open_database(sys.argv[1])
for number in range(1, 2000):
    now = datetime(2026, 3, 2, 10, tzinfo=UTC) + timedelta(seconds=number)
    decide_payment(db, [sys.argv[2]], "bonus", amount=Decimal(number) / 100, reason=f"no {number}", now=now, by="anna")
    print(number, flush=True)
"""


@pytest.mark.slow
def test_a_process_that_is_killed_loses_no_acknowledged_decision(lab: Any) -> None:
    lab.study(2, access=PROLIFIC, pay=PAY)
    name = done(lab, "P1")
    url = str(lab.db.path or lab.db.engine.url.set(drivername="postgresql").render_as_string(hide_password=False))
    child = subprocess.Popen([sys.executable, "-c", KILLED, url, name], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    acknowledged = [int(child.stdout.readline()) for _ in range(20)]
    os.kill(child.pid, signal.SIGKILL)
    acknowledged += [int(line) for line in child.stdout if line.endswith("\n")]
    child.stdout.close()
    assert child.wait() == -signal.SIGKILL
    found = person(lab.db, name, now=lab.now)
    kept = [int(each.reason.removeprefix("no ")) for each in found.payments]
    assert kept == list(range(1, len(kept) + 1)), "none is doubled"
    assert len(kept) - len(acknowledged) in (0, 1), "one may have been written and not told"
    assert found.bonus == Decimal(kept[-1]) / 100
    logged = [entry for entry in audit_log(lab.db, limit=5000) if entry.what == "payment_bonus"]
    assert len(logged) == len(kept), "a decision and its line in the log are one"
