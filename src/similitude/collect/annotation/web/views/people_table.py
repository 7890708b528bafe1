"""The leader's table of people: which ones a search and filters leave, and in which order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from similitude.collect.annotation.payment.pay_estimate import below_minimum
from similitude.collect.annotation.payment.records import Person
from similitude.collect.annotation.plan.pay import PayPlan

__all__ = ["FILTERS", "PAGE", "SORTS", "TableChoice"]

PAGE = 100
"""People on one page."""
NEVER = datetime.min.replace(tzinfo=UTC)

FILTERS: Mapping[str, Callable[[Person, PayPlan | None], bool]] = {
    "undecided": lambda each, _: each.decision == "undecided" and bool(each.annotator.completion_code),
    "approved": lambda each, _: each.decision == "approved",
    "rejected": lambda each, _: each.decision == "rejected",
    "bonus": lambda each, _: each.bonus > 0,
    "finished": lambda each, _: each.outcome in ("complete", "early"),
    "screened_out": lambda each, _: each.outcome in ("screened_out", "stopped"),
    "unfinished": lambda each, _: each.outcome == "unfinished",
    "left": lambda each, _: each.outcome in ("left", "excluded"),
    "flagged": lambda each, _: bool(each.row.flags),
    "below": lambda each, pay: below_minimum(pay, each),
    "unsigned": lambda each, _: each.unsigned,
    "prolific": lambda each, _: each.annotator.source == "prolific",
    "mturk": lambda each, _: each.annotator.source == "mturk",
    "invitation": lambda each, _: each.annotator.source == "invitation",
}
"""The filters of the table by name."""

SORTS: Mapping[str, Callable[[Person], Any]] = {
    "entered": lambda each: each.annotator.id,
    "last": lambda each: each.last or NEVER,
    "answers": lambda each: each.row.answered,
    "time": lambda each: each.active,
    "seconds": lambda each: _or(each.row.seconds, -1.0),
    "gold": lambda each: each.row.gold_right / each.row.gold_asked if each.row.gold_asked else 2.0,
    "hourly": lambda each: _or(each.hourly, math.inf),
    "name": lambda each: each.pseudonym,
}
"""The orders of the table by name."""
DESCENDING = ("last", "answers", "time")


def _or(value: float, otherwise: float) -> float:
    return otherwise if math.isnan(value) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class TableChoice:
    """What the leader wants to see: the search, one filter, the order, and the page from 1."""

    search: str = ""
    show: str = ""
    sort: str = "entered"
    page: int = 1

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> TableChoice:
        """From the parameters of an address; what makes no sense is left out."""
        number = str(given.get("page", "1"))
        return cls(
            search=str(given.get("search", ""))[:200],
            show=str(given.get("show", "")) if given.get("show") in FILTERS else "",
            sort=str(given.get("sort")) if given.get("sort") in SORTS else "entered",
            page=int(number) if number.isascii() and number.isdigit() and 0 < len(number) < 7 and int(number) else 1,
        )

    def address(self, **changes: Any) -> str:
        """The parameters of an address with these choices."""
        chosen = {"search": self.search, "show": self.show, "sort": self.sort, "page": self.page, **changes}
        return urlencode({name: value for name, value in chosen.items() if value not in ("", "entered", 1)})

    def of_people(self, everybody: Iterable[Person], pay: PayPlan | None) -> list[Person]:
        """The people whom the filter leaves, in order."""
        kept = [each for each in everybody if not self.show or FILTERS[self.show](each, pay)]
        return sorted(kept, key=SORTS[self.sort], reverse=self.sort in DESCENDING)

    def on_page(self, found: Sequence[Person]) -> Sequence[Person]:
        """Those on the chosen page."""
        return found[(self.page - 1) * PAGE : self.page * PAGE]
