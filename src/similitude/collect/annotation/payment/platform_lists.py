"""The lists that Prolific and MTurk take: approvals and rejections. Those of bonuses are numbered (`bonus_lists`)."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from similitude.collect.annotation.payment.records import Payment, Person, Submission

__all__ = ["LISTS", "Cells", "PlatformList", "matched_file", "platform_list", "written_rows"]

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


def _review(person: Person, submission: Submission) -> Cells | None:
    decision = person.decision_on(submission)
    if decision is None:
        return None
    return [submission.submission or "", *_marks(decision)]


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
    "mturk-review": _Kind("mturk", ("AssignmentId", "Approve", "Reject"), _review),
}
"""The lists by name. Those of Prolific have no header, as its website and API take them."""


def platform_list(name: str, people: Iterable[Person]) -> PlatformList:
    """One of `LISTS` for these people.

    ``prolific-approve`` has one submission id a line (``submission_ids`` of the API), and ``mturk-review`` the columns
    of MTurk's results file that a reviewer fills in. Somebody without a readable id is left out and counted.
    """
    kind = LISTS[name]
    rows = [
        cells
        for person in people
        for submission in person.submissions
        if submission.platform == kind.platform and (cells := kind.lines(person, submission)) is not None
    ]
    complete = [cells for cells in rows if cells[0]]
    text = "".join(written_rows([*([kind.header] if kind.header else []), *complete]))
    return PlatformList(f"{name}.{kind.ending}", text, len(complete), len(rows) - len(complete))


def written_rows(rows: Iterable[Cells]) -> Iterator[str]:
    """The lines of a CSV file, without cells that a spreadsheet takes for formulas."""
    for row in rows:
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerow([_safe(cell) for cell in row])
        yield buffer.getvalue()


def _safe(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


SUBMISSION_COLUMNS = ("AssignmentId", "Submission id", "submission_id", "Submission ID", "session_id")
PARTICIPANT_COLUMNS = ("WorkerId", "Participant id", "participant_id", "Participant ID")


Bonuses = Callable[[Collection[int]], Mapping[int, Decimal]]
"""Puts the bonuses of these annotators on a numbered list, and gives the amounts that it holds."""


def matched_file(text: str, find: Callable[[str, str], Person | None], bonuses: Bonuses) -> PlatformList:
    """The platform's own results file with our decisions filled in, one line for each of its lines.

    MTurk's file keeps its columns, and ``Approve`` and ``Reject`` are filled in; Prolific's gets ``Decision``,
    ``Reason`` and ``Bonus``, which stands in the first line of each person. People are found by their ids, so this
    works where the study keeps only hashes.

    Args:
        text: the file.
        find: the person of a submission id and a participant id; either may be empty.
        bonuses: makes the list of the bonuses that the file hands over.

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
    of_mturk = columns[0] == "AssignmentId"
    lines = list(table)
    ids = [[(line.get(column) or "").strip() if column else "" for column in columns] for line in lines]
    found = [find(*each) for each in ids]
    known = {person.annotator.id for person in found if person is not None}
    due = {} if of_mturk else dict(bonuses(known))
    added = ("Approve", "Reject") if of_mturk else ("Decision", "Reason", "Bonus")
    header = [*names, *(name for name in added if name not in names)]
    rows = []
    for line, person, (submission, _) in zip(lines, found, ids, strict=True):
        amount = None if person is None else due.pop(person.annotator.id, None)
        filled = {} if person is None else _filled(person, submission, added, amount)
        rows.append([str({**line, **filled}.get(name) or "") for name in header])
    unknown = found.count(None)
    return PlatformList("decisions.csv", "".join(written_rows([header, *rows])), len(rows) - unknown, unknown)


def _filled(person: Person, submission: str, added: Sequence[str], bonus: Decimal | None) -> dict[str, Any]:
    one = [each for each in person.submissions if each.submission == submission]
    decision = person.decision_on(one[0]) if one else person.decided
    if "Approve" in added:
        return dict(zip(added, _marks(decision) if decision else ("", ""), strict=True))
    return {
        "Decision": decision.kind if decision else "",
        "Reason": decision.reason if decision else "",
        "Bonus": "" if bonus is None else f"{bonus:.2f}",
    }
