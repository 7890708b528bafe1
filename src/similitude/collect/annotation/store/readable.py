"""The languages of a study's questions, and which of them an annotator reads."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.records import Annotator, Problem
from similitude.collect.annotation.store.annotators import read_annotator
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.refusals import InvalidAnswer
from similitude.collect.annotation.store.tables import annotator, question, slot

__all__ = ["question_languages", "readable", "readable_only", "set_reads", "unread_work"]

Readable = Sequence[str] | None
"""The values of ``question.language`` that somebody can read; None: all of them."""

_COMBINATIONS = sa.select(question.c.language).where(question.c.language.is_not(None), ~question.c.retired).distinct()


def question_languages(db: Database) -> list[str]:
    """The languages that the questions of the study are in, in alphabetical order; empty where none is known."""
    with reading(db) as connection:
        return _languages(connection)


def _languages(connection: sa.Connection) -> list[str]:
    combinations = connection.execute(_COMBINATIONS).scalars().all()
    return sorted({language for each in combinations for language in str(each).split(",")})


def set_reads(db: Database, annotator_id: int, reads: Sequence[str], *, now: datetime) -> Annotator:
    """Remember the languages that an annotator reads; from then on only these are dealt.

    Raises:
        InvalidAnswer: none of them is a language of the study's questions.
    """
    with writing(db) as connection:
        known = sorted(set(reads) & set(_languages(connection)))
        if not known:
            raise InvalidAnswer([Problem("reads", "missing")])
        who = read_annotator(connection, annotator_id, lock=True)
        changes = {"reads": known, "seen": max(now, who.seen)}
        connection.execute(sa.update(annotator).where(annotator.c.id == annotator_id).values(changes))
        return read_annotator(connection, annotator_id)


def readable(connection: sa.Connection, who: Annotator) -> Readable:
    """The languages of questions that an annotator can read; None if they were never asked."""
    if who.reads is None:
        return None
    there = connection.execute(_COMBINATIONS).scalars().all()
    return [each for each in there if set(str(each).split(",")) <= set(who.reads)]


def readable_only(query: sa.Select[Any], languages: Readable) -> sa.Select[Any]:
    """A query over slots or questions, without questions in other languages; it must name ``question`` or ``slot``."""
    if languages is None:
        return query
    can_read = question.c.language.is_(None) | question.c.language.in_(languages)
    if question in query.get_final_froms() or _joins_question(query):
        return query.where(can_read)
    asked = question.alias("asked")
    can_read = asked.c.language.is_(None) | asked.c.language.in_(languages)
    return query.where(sa.exists().where(asked.c.id == slot.c.question_id, can_read))


def _joins_question(query: sa.Select[Any]) -> bool:
    return any(question in sa.sql.util.find_tables(each, include_joins=False) for each in query.get_final_froms())


def unread_work(connection: sa.Connection, who: Annotator) -> tuple[str, ...]:
    """The languages that an annotator does not read and that there are free questions in."""
    if who.reads is None:
        return ()
    free = sa.exists().where(slot.c.question_id == question.c.id, slot.c.state == "free", slot.c.purpose == "work")
    combinations = connection.execute(_COMBINATIONS.where(question.c.kind == "work", free)).scalars().all()
    there = {language for each in combinations for language in str(each).split(",")}
    return tuple(sorted(there - set(who.reads)))
