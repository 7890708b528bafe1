"""The leader's page of one person: answers over time, speed, habits, gold and repeats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from starlette.responses import Response

from similitude.collect.annotation.answer_records import Person
from similitude.collect.annotation.store import read_person
from similitude.collect.annotation.store.spreadsheets import csv_lines
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.streams import streamed
from similitude.collect.annotation.web.views.answers import habit_views, person_rows
from similitude.collect.annotation.web.views.charts import person_pace, person_progress
from similitude.collect.annotation.web.visit import CurrentVisit

__all__ = ["PURPOSES", "pages"]

pages = Routes(Role.LEADER, prefix="/leader/people")

PAGE = 25
PURPOSES = ("work", "gold", "repeat", "training", "qualification")


@pages.get("/{pseudonym}.csv")
def download_person(visit: CurrentVisit, pseudonym: str) -> Response:
    """A person's answers as CSV."""
    person = read_person(visit.database, pseudonym)
    headers = {"Content-Disposition": 'attachment; filename="answers-of-one-person.csv"'}
    return streamed(csv_lines(_rows(person)), media_type="text/csv; charset=utf-8", headers=headers)


@pages.get("/{pseudonym}")
def show_person(visit: CurrentVisit, pseudonym: str) -> Response:
    """One person's work; the latest answers first, page by page."""
    person = read_person(visit.database, pseudonym)
    latest = person.answers[::-1]
    pages_in_all = max(1, -(-len(latest) // PAGE))
    place = _page_number(visit.request.query_params.get("page", ""), pages_in_all)
    shown = latest[(place - 1) * PAGE : place * PAGE]
    return visit.page(
        "leader/person_work.html",
        person=person,
        habits=habit_views(person, visit.texts),
        progress=person_progress(person, visit.texts),
        pace=person_pace(person, visit.texts),
        rows=person_rows(visit.study, shown, visit.texts),
        counts=[(purpose, person.counted(purpose)) for purpose in PURPOSES if person.counted(purpose)],
        place=place,
        pages=pages_in_all,
    )


def _page_number(written: str, most: int) -> int:
    number = int(written) if written.isascii() and written.isdigit() and len(written) < 8 else 1
    return min(max(number, 1), most)


def _rows(person: Person) -> Iterator[dict[str, Any]]:
    for each in person.answers:
        yield {
            "question": each.key,
            "purpose": each.purpose,
            "round": each.round,
            "value": json.dumps(dict(each.value), ensure_ascii=False),
            "shown": [option.id for option in each.shown.options] or None,
            "seconds": each.seconds,
            "at": each.at.isoformat(),
            "current": each.current,
            "right": each.right,
            "same": each.same,
        }
