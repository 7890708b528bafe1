"""Numbered lists of bonuses, as Prolific, MTurk or a leader's own book-keeping take them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, NamedTuple, get_args

from similitude.collect.annotation.payment.platform_lists import Cells, PlatformList, written_rows

__all__ = ["BONUS_LISTS", "BonusLine", "BonusList", "BonusListKind", "BonusListState"]

BonusListKind = Literal["prolific-bonus", "mturk-bonus", "bonus"]
"""For the two platforms, of people whose id is readable; "bonus" is for everybody, by pseudonym and code."""
BONUS_LISTS: tuple[BonusListKind, ...] = get_args(BonusListKind)
BonusListState = Literal["open", "paid", "withdrawn"]


class BonusLine(NamedTuple):
    """One bonus on a list: whose it is, and how much of it is to be handed over.

    ``stated`` is the number of the decision that it comes from.
    """

    annotator: int
    pseudonym: str
    code: str | None
    participant: str | None
    submission: str | None
    amount: Decimal
    reason: str
    stated: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusList:
    """A list of bonuses. Its lines never change; it is open until it was handed over or withdrawn."""

    number: int
    kind: BonusListKind
    state: BonusListState
    by: str
    at: datetime
    lines: tuple[BonusLine, ...]

    @property
    def amount(self) -> Decimal:
        """The sum of its lines."""
        return sum((line.amount for line in self.lines), Decimal(0))

    def file(self) -> PlatformList:
        """The list as the file that the platform takes."""
        header, cells = _KINDS[self.kind]
        rows = [cells(line) for line in self.lines]
        text = "".join(written_rows([*([header] if header else []), *rows]))
        return PlatformList(f"{self.kind}-{self.number}.csv", text, len(rows), 0)


def _prolific(line: BonusLine) -> Cells:
    return [line.participant or "", f"{line.amount:.2f}"]


def _mturk(line: BonusLine) -> Cells:
    token = f"similitude-bonus-{line.stated}"
    return [line.participant or "", line.submission or "", f"{line.amount:.2f}", line.reason, token]


def _plain(line: BonusLine) -> Cells:
    return [line.pseudonym, line.code or "", line.participant or "", f"{line.amount:.2f}", line.reason]


_KINDS: Mapping[BonusListKind, tuple[Sequence[str] | None, Callable[[BonusLine], Cells]]] = {
    "prolific-bonus": (None, _prolific),
    "mturk-bonus": (("WorkerId", "AssignmentId", "BonusAmount", "Reason", "UniqueRequestToken"), _mturk),
    "bonus": (("pseudonym", "code", "participant", "amount", "reason"), _plain),
}
