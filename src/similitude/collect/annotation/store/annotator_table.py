"""The leader's table of annotators: how much, how well and how fast each one answers, with flags."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from statistics import median
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.records import Annotator, AnnotatorRow
from similitude.collect.annotation.store.annotators import of_row
from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.study_progress import close_due
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import annotator, answer, batch, slot, wording

__all__ = ["annotator_rows"]

LEAST_GOLD, LEAST_REPEATS, LEAST_ANSWERS, LEAST_LABELS = 5, 3, 10, 20
"""Below these counts no flag is raised."""
INCONSISTENT, FAST, ONE_SIDED, SKIPS = 0.5, 1 / 3, 0.9, 0.3


@dataclass(slots=True)
class _Tally:
    """The counts for one annotator."""

    seconds: list[float] = field(default_factory=list)
    labels: Counter[str] = field(default_factory=Counter)
    gold: list[bool] = field(default_factory=list)
    repeats: list[bool] = field(default_factory=list)
    skipped: int = 0


def annotator_rows(db: Database, *, now: datetime) -> list[AnnotatorRow]:
    """A row for everyone who entered, in that order, without previews.

    Flags: "gold_low" (at least 5 gold questions, share right below the plan's threshold or 0.7), "inconsistent" (at
    least 3 repeats, fewer than half answered as before), "fast" (at least 10 answers, median time under a third of
    the median annotator's), "one_sided" (at least 20 answers, nine in ten the same; among options, the same place),
    "skips" (at least 10 questions, more than 30 % skipped).
    """
    close_due(db, now=now)
    with reading(db) as connection:
        there = study_in(db, connection)
        who = sa.select(annotator).where(annotator.c.source != "preview").order_by(annotator.c.id)
        people = [of_row(row) for row in connection.execute(who).all()]
        touched = sa.select(batch.c.annotator_id, sa.func.max(batch.c.touched)).group_by(batch.c.annotator_id)
        seen = {row[0]: row[1] for row in connection.execute(touched).all()}
        tallies = _tallies(connection, there)
    usual = [median(tally.seconds) for tally in tallies.values() if len(tally.seconds) >= LEAST_ANSWERS]
    typical = median(usual) if usual else math.nan
    return [
        _row(replace(each, seen=max(each.seen, seen.get(each.id, each.seen))), tallies[each.id], there, typical)
        for each in people
    ]


def _tallies(connection: sa.Connection, there: StudyRecord) -> defaultdict[int, _Tally]:
    same = (wording.c.question_id == slot.c.question_id) & (wording.c.version == slot.c.version)
    query = (
        sa.select(
            slot.c.annotator_id,
            slot.c.question_id,
            slot.c.purpose,
            slot.c.ordering,
            answer.c.value,
            answer.c.seconds,
            sa.case((slot.c.purpose == "gold", wording.c.expected), else_=None).label("expected"),
        )
        .join(answer, answer.c.id == slot.c.answer_id)
        .join(wording, same)
        .where(slot.c.purpose.in_(["work", "gold", "repeat"]))
    )
    rows = connection.execute(query).all()
    tallies: defaultdict[int, _Tally] = defaultdict(_Tally)
    first = {(row.annotator_id, row.question_id): row.value for row in rows if row.purpose == "work"}
    tolerance = there.plan.gold.tolerance if there.plan.gold else 0.5
    ids = _item_ids(connection) if there.task.choice_fields else {}
    for row in rows:
        tally = tallies[row.annotator_id]
        if row.purpose == "work":
            tally.labels[_label(row, ids.get(row.question_id, []), there.task.choice_fields)] += 1
            tally.seconds += [] if row.seconds is None else [row.seconds]
        elif row.purpose == "gold" and row.expected is not None:
            tally.gold.append(there.task.is_right(row.value, row.expected, tolerance))
        elif row.purpose == "repeat" and (row.annotator_id, row.question_id) in first:
            before = first[row.annotator_id, row.question_id]
            tally.repeats.append(row.value == before or there.task.is_right(row.value, before, tolerance))
    passed = sa.select(slot.c.annotator_id, sa.func.count()).where(slot.c.state == "skipped", slot.c.purpose == "work")
    for who, count in connection.execute(passed.group_by(slot.c.annotator_id)).all():
        tallies[who].skipped = count
    return tallies


def _item_ids(connection: sa.Connection) -> dict[int, list[str]]:
    return {row.question_id: [item["id"] for item in row.texts] for row in connection.execute(sa.select(wording))}


def _label(row: Any, ids: Sequence[str], choices: Sequence[str]) -> str:
    """What repeats when somebody answers without reading: the answer, or the places of the chosen options."""
    if not ids:
        return json.dumps(row.value, sort_keys=True)
    seen = [ids[place] for place in row.ordering] if row.ordering else list(ids)
    return str([seen.index(row.value[field]) if row.value[field] in seen else -1 for field in choices])


def _row(each: Annotator, tally: _Tally, there: StudyRecord, typical: float) -> AnnotatorRow:
    seconds = median(tally.seconds) if tally.seconds else math.nan
    low = there.plan.gold.stop_below if there.plan.gold else 0.7
    answered = tally.labels.total()
    commonest = max(tally.labels.values(), default=0)
    raised = {
        "gold_low": len(tally.gold) >= LEAST_GOLD and sum(tally.gold) / len(tally.gold) < low,
        "inconsistent": len(tally.repeats) >= LEAST_REPEATS and sum(tally.repeats) / len(tally.repeats) < INCONSISTENT,
        "fast": len(tally.seconds) >= LEAST_ANSWERS and seconds < FAST * typical,
        "one_sided": answered >= LEAST_LABELS and commonest / answered > ONE_SIDED,
        "skips": answered + tally.skipped >= LEAST_ANSWERS and tally.skipped > SKIPS * (answered + tally.skipped),
    }
    return AnnotatorRow(
        annotator=each,
        answered=answered,
        gold_asked=len(tally.gold),
        gold_right=sum(tally.gold),
        repeats_asked=len(tally.repeats),
        repeats_same=sum(tally.repeats),
        seconds=seconds,
        excluded=each.state == "excluded",
        flags=tuple(name for name, holds in raised.items() if holds),
        skipped=tally.skipped,
    )
