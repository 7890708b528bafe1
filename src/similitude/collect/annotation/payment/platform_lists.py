"""The lists that Prolific and MTurk take: approvals, rejections and bonuses."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from similitude.collect.annotation.payment.records import Payment, Person, Submission

__all__ = ["LISTS", "PlatformList", "matched_file", "platform_list"]

Cells = Sequence[str]


class PlatformList(NamedTuple):
    """A list: its file's name, its text, how many lines it has, and how many people lack the id that it needs."""

    name: str
    text: str
    lines: int
    without_id: int


class _Kind(NamedTuple):
    platform: str
    header: Cells | None
    lines: Callable[[Person, Submission], Cells | None]
    ending: str = "csv"


def _approved_submission(person: Person, submission: Submission) -> Cells | None:
    return [submission.submission or ""] if _is(person, submission, "approved") else None


def _approved_participant(person: Person, submission: Submission) -> Cells | None:
    return [submission.participant or ""] if _is(person, submission, "approved") else None


def _rejected(person: Person, submission: Submission) -> Cells | None:
    decision = person.decision_on(submission)
    if decision is None or decision.kind != "rejected":
        return None
    return [submission.submission or "", submission.participant or "", decision.reason]


def _bonus(person: Person, submission: Submission) -> Cells | None:
    if not person.bonus_due or submission is not person.submissions[-1]:
        return None
    return [submission.participant or "", f"{person.bonus_due:.2f}"]


def _review(person: Person, submission: Submission) -> Cells | None:
    decision = person.decision_on(submission)
    if decision is None:
        return None
    return [submission.submission or "", *_marks(decision)]


def _mturk_bonus(person: Person, submission: Submission) -> Cells | None:
    if not person.bonus_due or submission is not person.submissions[-1]:
        return None
    stated = [each for each in person.payments if each.kind == "bonus"][-1]
    token = f"similitude-bonus-{stated.id}"
    return [
        submission.participant or "", submission.submission or "", f"{person.bonus_due:.2f}", stated.reason, token,
    ]  # fmt: skip


def _is(person: Person, submission: Submission, kind: str) -> bool:
    decision = person.decision_on(submission)
    return decision is not None and decision.kind == kind


def _marks(decision: Payment) -> Cells:
    """MTurk's two columns: an x under Approve, or the reason under Reject."""
    return ["x", ""] if decision.kind == "approved" else ["", decision.reason]


LISTS: Mapping[str, _Kind] = {
    "prolific-approve": _Kind("prolific", None, _approved_submission, "txt"),
    "prolific-approve-participants": _Kind("prolific", None, _approved_participant, "txt"),
    "prolific-reject": _Kind("prolific", ("submission", "participant", "reason"), _rejected),
    "prolific-bonus": _Kind("prolific", None, _bonus),
    "mturk-review": _Kind("mturk", ("AssignmentId", "Approve", "Reject"), _review),
    "mturk-bonus": _Kind(
        "mturk", ("WorkerId", "AssignmentId", "BonusAmount", "Reason", "UniqueRequestToken"), _mturk_bonus
    ),
}
"""The lists by name. Those of Prolific have no header, as its website and API take them."""


def platform_list(name: str, people: Iterable[Person]) -> PlatformList:
    """One of `LISTS` for these people.

    ``prolific-approve`` has one submission id a line (``submission_ids`` of the API), ``prolific-bonus`` lines of
    ``participant,amount`` (``csv_bonuses``), and ``mturk-review`` the columns of MTurk's results file that a reviewer
    fills in. Somebody without a readable id is left out and counted.
    """
    kind = LISTS[name]
    rows = [
        cells
        for person in people
        for submission in person.submissions
        if submission.platform == kind.platform and (cells := kind.lines(person, submission)) is not None
    ]
    complete = [cells for cells in rows if cells[0]]
    text = "".join(_written([*([kind.header] if kind.header else []), *complete]))
    return PlatformList(f"{name}.{kind.ending}", text, len(complete), len(rows) - len(complete))


def _written(rows: Iterable[Cells]) -> Iterator[str]:
    for row in rows:
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerow([_safe(cell) for cell in row])
        yield buffer.getvalue()


def _safe(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


SUBMISSION_COLUMNS = ("AssignmentId", "Submission id", "submission_id", "Submission ID", "session_id")
PARTICIPANT_COLUMNS = ("WorkerId", "Participant id", "participant_id", "Participant ID")


def matched_file(text: str, find: Callable[[str, str], Person | None]) -> PlatformList:
    """The platform's own results file with our decisions filled in, one line for each of its lines.

    MTurk's file keeps its columns, and ``Approve`` and ``Reject`` are filled in; Prolific's gets ``Decision``,
    ``Reason`` and ``Bonus``. People are found by their ids, so this works where the study keeps only hashes.

    Args:
        text: the file.
        find: the person of a submission id and a participant id; either may be empty.

    Raises:
        ValueError: there is no column of ids.
    """
    table = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    names = list(table.fieldnames or ())
    columns = [
        next((name for name in names if name in known), "") for known in (SUBMISSION_COLUMNS, PARTICIPANT_COLUMNS)
    ]
    if not any(columns):
        raise ValueError(f"no column of ids; known are {', '.join((*SUBMISSION_COLUMNS, *PARTICIPANT_COLUMNS))}")
    added = ("Approve", "Reject") if columns[0] == "AssignmentId" else ("Decision", "Reason", "Bonus")
    header = [*names, *(name for name in added if name not in names)]
    rows, unknown = [], 0
    for line in table:
        person = find(*((line.get(column) or "").strip() if column else "" for column in columns))
        unknown += person is None
        filled = {**line, **(_filled(person, (line.get(columns[0]) or "").strip(), added) if person else {})}
        rows.append([str(filled.get(name) or "") for name in header])
    return PlatformList("decisions.csv", "".join(_written([header, *rows])), len(rows) - unknown, unknown)


def _filled(person: Person, submission: str, added: Sequence[str]) -> dict[str, Any]:
    one = [each for each in person.submissions if each.submission == submission]
    decision = person.decision_on(one[0]) if one else person.decided
    if "Approve" in added:
        return dict(zip(added, _marks(decision) if decision else ("", ""), strict=True))
    bonus = f"{person.bonus_due:.2f}" if person.bonus_due else ""
    return {
        "Decision": decision.kind if decision else "",
        "Reason": decision.reason if decision else "",
        "Bonus": bonus,
    }
