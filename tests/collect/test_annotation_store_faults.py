"""Faults: the database goes and comes back, the disk is full, a process dies; what was acknowledged is there."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from similitude.collect.annotation.plan import Study, StudyPlan
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.store import consent, enter_preview, group_commit, open_database, ping, put_study
from similitude.collect.annotation.store.group_commit import Gate, GroupCommit
from similitude.collect.annotation.store.refusals import StorageFull, StoreUnavailable
from similitude.errors import ArgumentError


@pytest.fixture
def on_sqlite(lab: Any) -> Any:
    """Tests of what only a file can suffer."""
    if lab.db.dialect != "sqlite":
        pytest.skip("concerns SQLite")
    return lab


def test_sqlite_is_opened_so_that_a_commit_is_on_disk(on_sqlite: Any) -> None:
    with on_sqlite.db.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1


def test_postgresql_is_asked_to_wait_for_the_disk(lab: Any) -> None:
    if lab.db.dialect != "postgresql":
        pytest.skip("concerns PostgreSQL")
    with lab.db.engine.connect() as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar_one() == "on"


def test_a_disk_that_is_full_loses_nothing_acknowledged(on_sqlite: Any) -> None:
    lab = on_sqlite
    lab.study(300, batch={"questions": 300})
    who = lab.annotator()
    batch = lab.work(who).batch
    lab.save(who, batch, 1)
    pages = lab.table("PRAGMA page_count")[0][0]

    @sa.event.listens_for(lab.db.engine, "checkout")
    def fill(connection: sqlite3.Connection, *_: Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    lab.db.engine.dispose()
    saved = 1

    def save_on() -> None:
        nonlocal saved
        for position in range(2, 301):
            lab.save(who, batch, position)
            saved += 1

    with pytest.raises(StorageFull) as caught:
        save_on()
    assert (caught.value.status, caught.value.key) == (507, "storage_full")
    assert "INSERT" not in str(caught.value)  # statements hold people's answers
    sa.event.remove(lab.db.engine, "checkout", fill)
    lab.db.engine.dispose()
    assert len(lab.rows()) == saved < 300
    lab.save(who, batch, saved + 1)  # room again: the same form is taken
    assert len(lab.rows()) == saved + 1


def test_when_one_of_a_group_breaks_the_transaction_nobody_in_it_is_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "LONGEST_GATHERING", 60.0)  # on a busy machine the second comes late
    # What SQLite does on a full disk: it undoes the whole transaction, and a commit afterwards would do nothing.
    engine = sa.create_engine("sqlite://", creator=lambda: _plain(tmp_path / "x.db"), poolclass=sa.pool.QueuePool)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE t (x)")

    def begin() -> sa.Connection:
        made = engine.connect()
        made.begin()
        made.connection.dbapi_connection.execute("BEGIN IMMEDIATE")  # type: ignore[union-attr]
        return made

    group = GroupCommit(begin, lambda: StoreUnavailable("undone"))
    first_is_in, outcome = threading.Event(), {}

    def first() -> None:
        try:
            with group.writing() as connection:
                connection.exec_driver_sql("INSERT INTO t VALUES (1)")
                first_is_in.set()
                while group._waiting == 0:  # until the second stands in line, so that both share a commit
                    pass
            outcome["first"] = "acknowledged"
        except StoreUnavailable as error:
            outcome["first"] = error.what

    def second() -> None:
        first_is_in.wait()
        try:
            with group.writing() as connection:
                connection.connection.dbapi_connection.execute("ROLLBACK")  # type: ignore[union-attr]
                raise sqlite3.OperationalError("database or disk is full")
        except sqlite3.OperationalError as error:
            outcome["second"] = str(error)

    threads = [threading.Thread(target=each) for each in (first, second)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(20)
    assert outcome == {"first": "undone", "second": "database or disk is full"}
    with group.writing() as connection:  # and it goes on afterwards
        connection.exec_driver_sql("INSERT INTO t VALUES (2)")
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT x FROM t").scalars().all() == [2]
    engine.dispose()


def _plain(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, check_same_thread=False, isolation_level=None)


def test_one_that_fails_in_a_group_does_not_harm_the_others(lab: Any) -> None:
    lab.study(40, judgements=1, batch={"questions": 40})
    who = lab.annotator()
    batch = lab.work(who).batch
    failed = []

    def save(position: int) -> None:
        try:
            lab.save(who, batch, position, 9 if position % 2 else 3)
        except Exception as error:
            failed.append(type(error).__name__)

    threads = [threading.Thread(target=save, args=(position,)) for position in range(1, 41)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert failed == ["InvalidAnswer"] * 20
    assert len(lab.rows()) == 20
    assert lab.work(who).batch.answered == 20


def test_a_file_that_was_moved_away_is_noticed_and_found_again(on_sqlite: Any, tmp_path: Path) -> None:
    lab = on_sqlite
    lab.study(4)
    who = lab.annotator()
    batch = lab.work(who).batch
    lab.save(who, batch, 1)
    lab.table("PRAGMA wal_checkpoint(TRUNCATE)")
    lab.db.engine.dispose()
    elsewhere = tmp_path / "elsewhere.db"
    shutil.move(lab.db.path, elsewhere)
    with pytest.raises(StoreUnavailable) as caught:
        lab.save(who, batch, 2)
    assert caught.value.status == 503
    assert not lab.db.path.exists()  # no new and empty database in its place
    shutil.move(elsewhere, lab.db.path)
    ping(lab.db)
    lab.save(who, batch, 2)
    assert len(lab.rows()) == 2


def test_answers_do_not_go_into_a_file_that_was_deleted(on_sqlite: Any) -> None:
    lab = on_sqlite
    lab.study(4)
    who = lab.annotator()
    batch = lab.work(who).batch
    lab.save(who, batch, 1)  # a connection is open now, to a file that can be unlinked
    lab.db.path.unlink()
    with pytest.raises(StoreUnavailable):
        lab.save(who, batch, 2)


def test_postgresql_that_ends_our_connections_is_found_again(lab: Any) -> None:
    if lab.db.dialect != "postgresql":
        pytest.skip("concerns PostgreSQL")
    lab.study(4)
    who = lab.annotator()
    batch = lab.work(who).batch
    lab.save(who, batch, 1)
    import psycopg

    url = lab.db.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    lab.save(who, batch, 2)  # the pool looks before it hands out a connection
    assert len(lab.rows()) == 2


def test_postgresql_that_is_not_there_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable) as caught:
        open_database(f"postgresql://nobody:secret-word@/x?host={tmp_path}")
    assert "secret-word" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "what"),
    [("mysql://x", "no database of kind 'mysql'"), ("{tmp}/no/such/folder/s.db", "its folder does not exist")],
)
def test_databases_that_cannot_be(url: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=what):
        open_database(url.format(tmp=tmp_path))


def test_a_database_of_a_newer_version_is_refused(make_database: Callable[[], Any]) -> None:
    db = make_database()
    url = db.path or db.engine.url.render_as_string(hide_password=False)

    def set_version(version: str) -> None:
        with db.engine.begin() as connection:
            connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{version}'")

    with db.engine.begin() as connection:
        newest = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
    set_version("9999")
    with pytest.raises(ArgumentError, match="another version"):
        open_database(url)
    set_version(newest)
    open_database(url).close()


KILLED = """
import sys
from datetime import UTC, datetime
from similitude.collect.annotation.records import Entry
from similitude.collect.annotation.store import consent, enter_open, next_work, open_database, save_answer

now = datetime(2026, 3, 2, tzinfo=UTC)
db = open_database(sys.argv[1])
who = enter_open(db, language=None, now=now).annotator.id
consent(db, who, agreed=True, now=now)
batch = next_work(db, who, now=now).batch
for question in batch.questions:
    save_answer(db, who, batch.id, Entry(question.position, {"value": "3"}, str(question.position)), now=now)
    print(question.key, flush=True)
"""


@pytest.mark.slow
def test_a_process_that_is_killed_loses_no_acknowledged_answer(lab: Any) -> None:
    lab.study(150, judgements=1, batch={"questions": 150})
    url = str(lab.db.path or lab.db.engine.url.set(drivername="postgresql").render_as_string(hide_password=False))
    child = subprocess.Popen([sys.executable, "-c", KILLED, url], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    acknowledged = [child.stdout.readline().strip() for _ in range(30)]
    os.kill(child.pid, signal.SIGKILL)
    acknowledged += [line.strip() for line in child.stdout if line.endswith("\n")]
    child.stdout.close()
    assert child.wait() == -signal.SIGKILL
    kept = [row["question"] for row in lab.rows()]
    assert kept[: len(acknowledged)] == acknowledged
    assert len(kept) - len(acknowledged) in (0, 1)  # one may have been saved and not told
    lab.later(minutes=61)
    assert len(lab.work(lab.annotator()).batch.questions) == 150 - len(kept)


def test_the_gate_lets_people_through_in_the_order_they_came() -> None:
    gate, passed = Gate(1, lambda: StoreUnavailable("busy")), []
    threads = []
    gate.__enter__()
    for number in range(5):
        thread = threading.Thread(target=lambda number=number: _pass(gate, passed, number))
        thread.start()
        while len(gate._line) <= number:
            pass
        threads.append(thread)
    gate.__exit__()
    for each in threads:
        each.join()
    assert passed == [0, 1, 2, 3, 4]


def _pass(gate: Gate, passed: list[int], number: int) -> None:
    with gate:
        passed.append(number)


def test_tables_and_migrations_say_the_same(make_database: Callable[[], Any]) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    from similitude.collect.annotation.store.tables import metadata

    with make_database().engine.connect() as connection:
        # The index of words is SQLite's own, in tables of its own.
        opts = {"compare_type": True, "include_name": lambda name, kind, _: not str(name).startswith("search_index")}
        context = MigrationContext.configure(connection, opts=opts)
        assert compare_metadata(context, metadata) == []


def test_an_empty_database_says_so(make_database: Callable[[], Any]) -> None:
    from similitude.collect.annotation.store import read_study
    from similitude.collect.annotation.store.refusals import NotThere

    with pytest.raises(NotThere) as caught:
        read_study(make_database())
    assert caught.value.key == "no_study"


def test_one_database_holds_one_study(lab: Any) -> None:
    lab.study(2)
    with pytest.raises(ArgumentError, match="holds the study 'study', not 'tuples'"):
        lab.tuples(2)
    lab.save(who := lab.annotator(), lab.work(who).batch, 1)
    with pytest.raises(ArgumentError, match="cannot become 'verification'"):
        lab.study(2, task="verification")


def test_the_scale_that_people_answered_on_keeps_its_ends(lab: Any) -> None:
    lab.study(2)
    lab.study(2, scale={"low": 1, "high": 5})
    lab.save(who := lab.annotator(), lab.work(who).batch, 1)
    with pytest.raises(ArgumentError, match="on a scale of 1 to 5; it cannot become 1 to 100") as caught:
        lab.study(2, scale={"low": 1, "high": 100})
    assert "step and labels may change" in str(caught.value)
    lab.study(2, scale={"low": 1, "high": 5, "step": 0.5, "labels": {"1": "apart"}})
    assert {row["scale"] for row in lab.rows()} == {"1..5"}


def test_texts_do_not_move_below_answers_of_other_texts(lab: Any) -> None:
    def put(*texts: str) -> None:
        made = (
            Question(key=str(n), items=({"id": str(n), "left": text, "right": "r"},)) for n, text in enumerate(texts)
        )
        plan = StudyPlan.model_validate({"name": "rows", "task": "rating", "access": {"open": True}})
        put_study(lab.db, Study(plan=plan, questions=tuple(made)), now=lab.now)

    put("a", "b", "c")
    put("b", "a", "c")  # nobody has answered
    lab.work_off(lab.annotator())
    put("b, corrected", "a", "c", "d")
    for moved in (("new", "b, corrected", "a", "c", "d"), ("a", "c", "d")):
        with pytest.raises(ArgumentError, match=r"answered item '\d', which now has the texts of item '\d'") as caught:
            put(*moved)
    assert "in a column 'id'" in str(caught.value)
    assert len(lab.rows()) == 3


def test_a_preview_does_not_hold_the_scale(lab: Any) -> None:
    lab.study(2)
    preview = enter_preview(lab.db, language=None, now=lab.now, by="anna").annotator.id
    consent(lab.db, preview, agreed=True, now=lab.now)
    lab.save(preview, lab.work(preview).batch, 1)
    lab.study(2, scale={"low": 1, "high": 5})


def test_without_the_extra_one_line_says_what_to_install() -> None:
    code = """
import sys, importlib.util
import similitude, similitude.cli.app
loaded = [name for name in ("sqlalchemy", "alembic", "argon2", "fastapi", "uvicorn") if name in sys.modules]
assert not loaded, loaded
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "sqlalchemy" else find(name, *rest)
from similitude.errors import MissingExtraError
try:
    import similitude.collect.annotation.store
except MissingExtraError as error:
    print(error)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "the annotation server is not installed; in your clone of Similitude: pip install '.[annotate]'\n"


def test_without_the_extra_nothing_is_made(tmp_path: Path) -> None:
    code = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "sqlalchemy" else find(name, *rest)
from similitude.cli.app import main
sys.argv = ["similitude", "annotate", "serve"]
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr
        == "error: the annotation server is not installed; in your clone of Similitude: pip install '.[annotate]'\n"
    )
    assert not list(tmp_path.iterdir())
