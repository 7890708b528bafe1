"""How long the leader's views take: 100,000 questions with 1,000,000 answers in SQLite.

    python benchmarks/annotation_views.py [--questions 100000] [--answers 10] [--keep FOLDER]

Fills a study by direct inserts (the triggers of the database run as they do for real answers), brings the summaries of
questions up to date, and then asks for every view several times: first pages, pages far behind, searches for rare and
common words, filters that fit little, one question, one person, and what charts compute in the background. Prints the
median and the slowest of each in milliseconds: of the clock, and of the processor, which does not mind a busy machine.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from similitude.collect.annotation import store
from similitude.collect.annotation.answer_records import QuestionSearch
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.study import Study
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.web.agreement_track import track_agreement

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
PEOPLE = 500
TIMES = 7
STARTS = "ba be bi bo bu da de di do du ga ge gi go gu ka ke ki ko ku"
ENDS = "l m n r s t lan mel nor rus sta tim"
WORDS = [start + end for start in STARTS.split() for end in ENDS.split()]


def main() -> None:
    """Fill, refresh, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=100_000)
    parser.add_argument("--answers", type=int, default=10, help="of each question")
    parser.add_argument("--keep", type=Path, help="a folder for the database; by default it is deleted")
    chosen = parser.parse_args()
    folder = chosen.keep or Path(tempfile.mkdtemp(prefix="similitude-views-"))
    folder.mkdir(exist_ok=True)
    try:
        measure(folder / "study.db", chosen.questions, chosen.answers)
    finally:
        if chosen.keep is None:
            shutil.rmtree(folder)


def measure(path: Path, questions: int, answers: int) -> None:
    """Print what everything takes."""
    new = not path.exists()
    db = store.open_database(path)
    if new:
        timed("fill the database", lambda: fill(db, questions, answers))
    notes = store.stale(db)
    seconds = timed(f"summaries of {notes:,} changes, in the background", lambda: catch_up(db))
    if notes:
        print(f"  {notes / seconds:,.0f} changes a second")
    print(f"  file: {path.stat().st_size / 1e6:,.0f} MB")
    for name, view in views(db).items():
        clock, work = zip(*(clocked(view) for _ in range(TIMES)), strict=True)
        print(f"{name:58} clock {in_short(clock)}   processor {in_short(work)} ms")
    from similitude.cli.annotation_server import comparisons

    timed("charts in the background: counts and seconds", lambda: store.answer_counts(db))
    timed("charts in the background: agreement, first time", lambda: track_agreement(db, comparisons(), now=NOW))
    timed("charts in the background: agreement, kept moments", lambda: track_agreement(db, comparisons(), now=NOW))
    db.close()


def in_short(seconds: Sequence[float]) -> str:
    """The median and the most, in milliseconds."""
    return f"{1000 * statistics.median(seconds):7.1f} (most {1000 * max(seconds):7.1f})"


def catch_up(db: store.Database) -> None:
    while store.refresh(db):
        pass


def views(db: store.Database) -> dict[str, Callable[[], Any]]:
    """What leaders look at, by name."""
    first = store.list_questions(db, QuestionSearch()).questions[0]
    detail = store.question_detail(db, first.number)
    person = detail.answers[0].annotator
    rare, common = detail.wording.shown.left.split()[0], WORDS[0]
    searches = {
        "list, in order": QuestionSearch(),
        "list, widest disagreement": QuestionSearch(sort="disagreement"),
        "list, latest answer": QuestionSearch(sort="time"),
        f"search, a rare word ({rare})": QuestionSearch(words=rare),
        f"search, a common beginning ({common[:2]}), by disagreement": QuestionSearch(
            words=common[:2], sort="disagreement"
        ),
        "search, two words": QuestionSearch(words=f"{WORDS[3]} {WORDS[40]}"),
        "filter that fits all, by disagreement": QuestionSearch(least=2, sort="disagreement"),
        "filter that fits nothing, by disagreement": QuestionSearch(least=99, sort="disagreement"),
        "filter by group": QuestionSearch(group="group 7"),
    }
    made: dict[str, Callable[[], Any]] = {
        name: lambda search=search: store.list_questions(db, search) for name, search in searches.items()
    }
    for sort in ("order", "disagreement"):
        far = far_page(db, sort)
        made[f"list, a page far behind ({sort})"] = lambda far=far: store.list_questions(db, far)
    made["one question"] = lambda: store.question_detail(db, first.number)
    made["one person"] = lambda: store.read_person(db, person)
    return made


def far_page(db: store.Database, sort: Any) -> QuestionSearch:
    """The search whose page lies in the middle of all."""
    search = QuestionSearch(sort=sort)
    for _ in range(40):
        page = store.list_questions(db, search, limit=1000)
        if not page.next:
            break
        search = replace(search, after=page.next)
    return search


def timed(name: str, act: Callable[[], Any]) -> float:
    clock, work = clocked(act)
    print(f"{name:58} clock {clock:7.1f}   processor {work:7.1f} s", flush=True)
    return work


def clocked(act: Callable[[], Any]) -> tuple[float, float]:
    """Seconds of the clock, and of the processor."""
    began, worked = time.perf_counter(), time.process_time()
    act()
    return time.perf_counter() - began, time.process_time() - worked


def fill(db: store.Database, questions: int, answers: int) -> None:
    """A rating study of random texts, answered by random people."""
    rng = random.Random(1)
    plan = {"name": "views", "task": "rating", "judgements": answers, "access": {"open": True}}
    study = Study(plan=StudyPlan.model_validate(plan), questions=tuple(texts(rng, questions)))
    store.put_study(db, study, now=NOW)
    raw = db.engine.raw_connection()
    cursor: Any = raw.cursor()
    start = int(NOW.timestamp() * 1e6)
    cursor.execute("BEGIN")
    people = [(n, f"P{n:07}", "open", "finished", start, start) for n in range(1, PEOPLE + 1)]
    cursor.executemany(
        "INSERT INTO annotator (id, pseudonym, source, state, created, seen) VALUES (?, ?, ?, ?, ?, ?)", people
    )
    batches = [(n, n, 1, 1, 0, 0, "work", "sent", start, start, start, start, 0.0) for n in range(1, PEOPLE + 1)]
    cursor.executemany(
        "INSERT INTO batch (id, annotator_id, number, round, size, answered, purpose, state, created, touched, "
        "expires, sent, rested) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        batches,
    )
    slots = cursor.execute("SELECT id, question_id FROM slot ORDER BY question_id, id").fetchall()
    given = list(answers_of(rng, slots, start))
    cursor.executemany(
        "INSERT INTO answer (slot_id, question_id, version, annotator_id, batch_id, value, seconds, at, nonce, "
        "withdrawn) VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, 0)",
        given,
    )
    cursor.execute(
        "UPDATE slot SET (state, version, answer_id, annotator_id, batch_id) = "
        "(SELECT 'done', 1, answer.id, answer.annotator_id, answer.batch_id FROM answer WHERE answer.slot_id = slot.id)"
    )
    cursor.execute("COMMIT")
    raw.close()


def texts(rng: random.Random, count: int) -> Iterator[Question]:
    """Pairs of sentences of twelve words; the first word of each is its own."""
    for number in range(count):
        left, right = (" ".join(rng.choices(WORDS, k=12)) for _ in range(2))
        item = {"id": f"q{number}", "left": f"own{number} {left}", "right": right, "group": f"group {number % 5000}"}
        yield Question(key=f"q{number}", items=(item,))


def answers_of(rng: random.Random, slots: list[Any], start: int) -> Iterator[tuple[Any, ...]]:
    """A value near the question's own for every slot, each by another person, over four weeks."""
    span = timedelta(days=28) // timedelta(microseconds=1)
    before, first, place, centre = None, 0, 0, 0.0
    for number, (slot, question) in enumerate(slots):
        if question != before:
            before, first, place, centre = question, rng.randrange(PEOPLE), 0, rng.uniform(0, 5)
        who = (first + place) % PEOPLE + 1
        place += 1
        value = json.dumps({"value": float(max(0, min(5, round(centre + rng.gauss(0, 0.8)))))})
        yield slot, question, who, who, value, rng.lognormvariate(2.3, 0.6), start + rng.randrange(span), f"n{number}"


if __name__ == "__main__":
    main()
