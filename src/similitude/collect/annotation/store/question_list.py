"""Lists of questions with their answers: searched, filtered, sorted, and read page by page.

A page begins after the last row of the page before (keyset), so that the thousandth page is as fast as the first, and
nothing is shown twice when answers arrive meanwhile.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.answer_records import (
    Decision,
    ListedQuestion,
    QuestionPage,
    QuestionSearch,
)
from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.decisions import holding_decisions
from similitude.collect.annotation.store.question_summary import counting_answers, queued
from similitude.collect.annotation.store.refusals import Conflict
from similitude.collect.annotation.store.search_words import matching, query_words
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import (
    EPOCH,
    question,
    question_summary,
    wording,
)

__all__ = ["PAGE", "item_languages", "list_questions"]

PAGE = 25
_SUM = question_summary.c


class _Order(NamedTuple):
    """The column that a list is sorted by before the number of the question, and whether from high to low."""

    column: sa.ColumnElement[Any] | None
    falling: bool


ORDERS: Mapping[str, _Order] = {
    "order": _Order(None, falling=False),
    "disagreement": _Order(_SUM.disagreement, falling=True),
    "agreement": _Order(_SUM.disagreement, falling=False),
    "time": _Order(sa.type_coerce(_SUM.last_at, sa.BigInteger()), falling=True),
}


def list_questions(db: Database, search: QuestionSearch, *, limit: int = PAGE) -> QuestionPage:
    """A page of the questions that a search asks for, as of the last `refresh`.

    Raises:
        Conflict: ``search.after`` is not the ``next`` of a page with the same order.
    """
    with reading(db) as connection:
        there = study_in(db, connection)
        words = query_words(search.words)
        stale = queued(connection)
        if search.words.strip() and not words:
            return QuestionPage((), "", stale)
        rows = connection.execute(_query(connection, search, words).limit(limit + 1)).all()
        shown, more = rows[:limit], len(rows) > limit
        return QuestionPage(_listed(connection, there, shown), _cursor(search, shown[-1]) if more else "", stale)


def item_languages(db: Database) -> list[str]:
    """The languages that items are in, as far as they say so."""
    query = sa.select(_SUM.language).where(_SUM.language.is_not(None)).distinct().order_by(_SUM.language)
    with reading(db) as connection:
        return list(connection.execute(query).scalars())


def _query(connection: sa.Connection, search: QuestionSearch, words: Sequence[str]) -> sa.Select[Any]:
    order = ORDERS[search.sort]
    columns = [_SUM.question_id] if order.column is None else [order.column, _SUM.question_id]
    query = (
        sa.select(question_summary, question.c.key, columns[0].label("sorted_by"))
        .join(question, question.c.id == _SUM.question_id)
        .where(*_conditions(search))
        .order_by(*(column.desc() if order.falling else column for column in columns))
    )
    if words:
        query = query.where(_SUM.question_id.in_(matching(connection, words)))
    if search.sort == "agreement":
        query = query.where(_SUM.disagreement >= 0)
    if not search.after:
        return query
    here = sa.tuple_(*columns)
    place = sa.tuple_(*(sa.literal(value) for value in _place(search, len(columns))))
    return query.where(here < place if order.falling else here > place)


def _conditions(search: QuestionSearch) -> list[sa.ColumnElement[bool]]:
    found = [_SUM.kind == search.kind]
    equal = {"state": _SUM.state, "language": _SUM.language, "group": _SUM.item_group, "decided": _SUM.decided}
    for name, column in equal.items():
        wanted = getattr(search, name)
        found += [] if wanted is None else [column == wanted]
    found += [] if search.least is None else [_SUM.answers >= search.least]
    found += [] if search.most is None else [_SUM.answers <= search.most]
    found += [] if search.apart is None else [_SUM.disagreement >= search.apart]
    return found


def _cursor(search: QuestionSearch, row: Any) -> str:
    place = [row.question_id] if search.sort == "order" else [row.sorted_by, row.question_id]
    return base64.urlsafe_b64encode(json.dumps([search.sort, *place]).encode()).decode().rstrip("=")


def _place(search: QuestionSearch, parts: int) -> list[Any]:
    wrong = Conflict("no_page", "there is no such page of this list", remedy="begin with the first page")
    try:
        padded = search.after + "=" * (-len(search.after) % 4)
        read: list[Any] = json.loads(base64.urlsafe_b64decode(padded.encode()))
        sort, *place = read
    except (ValueError, TypeError):
        raise wrong from None
    numbers = all(isinstance(each, int | float) and abs(each) < 2**62 for each in place)
    if sort != search.sort or len(place) != parts or not numbers:
        raise wrong
    return place


def _listed(connection: sa.Connection, there: StudyRecord, rows: Sequence[Any]) -> tuple[ListedQuestion, ...]:
    ids = [row.question_id for row in rows]
    versions = {row.question_id: row.version for row in rows}
    worded = sa.select(wording.c.question_id, wording.c.version, wording.c.texts)
    worded = worded.where(wording.c.question_id.in_(ids))
    texts = {
        row.question_id: row.texts for row in connection.execute(worded) if versions[row.question_id] == row.version
    }
    given, decisions = counting_answers(connection, ids), holding_decisions(connection, ids)
    return tuple(
        _question(there, row, texts[row.question_id], given[row.question_id], decisions.get(row.question_id))
        for row in rows
    )


def _question(
    there: StudyRecord, row: Any, texts: Any, given: Sequence[Any], decided: Decision | None
) -> ListedQuestion:
    return ListedQuestion(
        number=row.question_id,
        key=row.key,
        kind=row.kind,
        state=row.state,
        language=row.language,
        group=row.item_group,
        answers=row.answers,
        disagreement=math.nan if row.disagreement < 0 else row.disagreement,
        last=None if row.last_at == EPOCH else row.last_at,
        decision=decided,
        shown=there.task.shown(texts),
        values=tuple(each.value for each in given),
    )
