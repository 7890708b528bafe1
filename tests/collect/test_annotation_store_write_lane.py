"""The lane of short writes: many in one transaction, each undone alone, none acknowledged before the commit."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

pytest.importorskip("sqlalchemy", reason="needs the annotation server")

from similitude.collect.annotation.store import WriteLane
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.refusals import StorageFull
from similitude.collect.annotation.store.tables import attempt


def insert(name, now):
    def job(connection):
        connection.execute(sa.insert(attempt).values(action="test", who_hash=name, at=now))
        return name

    return job


def kept(db):
    with reading(db) as connection:
        return sorted(connection.execute(sa.select(attempt.c.who_hash)).scalars())


def awaited(work):
    """The result of a coroutine, in a thread of its own: a browser of another test may have a loop in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()


async def together(lane, *jobs):
    return await asyncio.gather(*(lane.run(job) for job in jobs), return_exceptions=True)


def test_jobs_are_kept_and_a_failing_one_undoes_itself_alone(lab):
    def fails(connection):
        insert("lost", lab.now)(connection)
        raise KeyError("mine")

    jobs = [insert("a", lab.now), fails, insert("b", lab.now)]
    first, second, third = awaited(together(WriteLane(lab.db), *jobs))
    assert (first, third) == ("a", "b")
    assert isinstance(second, KeyError)
    assert kept(lab.db) == ["a", "b"]


def test_an_interruption_that_closes_the_connection_undoes_the_part_and_the_next_one_is_kept(lab):
    if lab.db.path is None:
        pytest.skip("PostgreSQL has many writers")

    def interrupted():
        with writing(lab.db) as connection:
            insert("lost", lab.now)(connection)
            connection.invalidate()  # as SQLAlchemy does when Ctrl-C comes in the middle of a statement
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with writing(lab.db) as connection:
        insert("kept", lab.now)(connection)
    assert kept(lab.db) == ["kept"]


def test_what_waits_shares_a_transaction(lab, monkeypatch):
    if lab.db.path is None:
        pytest.skip("PostgreSQL has many writers")
    begun = []
    original = Database.transaction
    monkeypatch.setattr(
        Database, "transaction", lambda self, *, writes: begun.append(writes) or original(self, writes=writes)
    )
    names = [f"{number:03}" for number in range(100)]
    found = awaited(together(WriteLane(lab.db), *(insert(name, lab.now) for name in names)))
    assert found == names
    assert kept(lab.db) == names
    assert sum(begun) < 50, "a hundred jobs that wait together do not take a hundred commits"


def test_if_the_commit_fails_nothing_is_acknowledged(lab):
    if lab.db.path is None:
        pytest.skip("a limit of pages is SQLite's")

    def much(connection):
        connection.exec_driver_sql("PRAGMA max_page_count = 1")  # no page more than there are
        connection.execute(sa.insert(attempt).values(action="x" * 5_000_000, who_hash="much", at=lab.now))

    first, second = awaited(together(WriteLane(lab.db), insert("a", lab.now), much))
    assert isinstance(second, StorageFull)
    assert first == "a" or isinstance(first, StorageFull)
    assert kept(lab.db) == (["a"] if first == "a" else [])
