"""Studies of the four tasks, served in this process (`site`) or by uvicorn to a real browser (`serve`, `visit`)."""

import re
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the annotation server")

from starlette.testclient import TestClient

from similitude.collect.annotation import store
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.study import Study
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.shelf import StudyShelf
from similitude.collect.annotation.web import ServerOptions, create_app
from similitude.collect.annotation.web.console import create_console
from similitude.collect.annotation.web.security.csrf import form_token

PASSWORD = "correct horse battery"
PAIRS = [
    ("A large green ball was bouncing on the street.", "I bought a small green avocado.", "The colour of the object"),
    ("Two women are celebrating a goal.", "A couple is eating a tasty meal.", "The mood of the people"),
    ("A man plays the guitar.", "A girl listens to the violin.", "The kind of instrument"),
]
DIALOGUES = [
    (
        ["What can I do for you?", "I want to go to Bonn."],
        "By train, please.",
        ["I take the train.", "By car.", "Hello."],
    ),
    (["How was the meal?"], "It was too hot for me.", ["Too much chilli.", "I liked it.", "Where is my hat?"]),
    (["Good morning!"], "I am looking for a film.", ["Which films are on?", "I like books.", "Good night."]),
]


def tuples(count: int = 3, *, kind: str = "work") -> list[Question]:
    """Best-worst questions; of those with a known answer the first text is best and the third worst."""
    made = []
    for number in range(count):
        turns, last, options = DIALOGUES[number % 3]
        key = f"{kind}{number}"
        items = tuple(
            {"id": f"{key}-{place}", "left": last, "right": text, "context": [*turns, last], "language": "en"}
            for place, text in enumerate(options)
        )
        expected = None if kind == "work" else {"best": f"{key}-0", "worst": f"{key}-2"}
        made.append(Question(key=key, kind=kind, items=items, expected=expected))
    return made


def pairs(count: int = 3, *, condition: bool = False, kind: str = "work", expected: Any = None) -> list[Question]:
    """Pairs of texts, under a condition where the task has one."""
    made = []
    for number in range(count):
        left, right, aspect = PAIRS[number % 3]
        item = {"id": f"{kind}{number}", "left": left, "right": right, "language": "en"}
        item |= {"condition": aspect} if condition else {}
        made.append(Question(key=f"{kind}{number}", kind=kind, items=(item,), expected=expected))
    return made


QUESTIONS: dict[str, Callable[[], list[Question]]] = {
    "best-worst": tuples,
    "rating": pairs,
    "conditions": pairs,
    "verification": lambda: pairs(condition=True),
}


def plan_of(task: str, **changes: Any) -> dict[str, Any]:
    return {
        "name": f"a-{task}-study",
        "task": task,
        "judgements": 50,
        "languages": ["en", "de", "zh"],
        "title": {"en": "Which are close?", "de": "Was liegt nah beieinander?", "zh": "哪些接近？"},
        "guidelines": {"en": "Judge the **meaning**, not the words."},
        "batch": {"questions": 3, "most": 3},
        **changes,
    }


@pytest.fixture(scope="session")
def new_database(tmp_path_factory) -> Callable[..., store.Database]:
    """``new_database(folder, plan, questions)``: copied from one that is made once, because making takes a while."""
    empty = tmp_path_factory.mktemp("empty") / "study.db"
    database = store.open_database(empty)
    store.add_leader(database, "anna", PASSWORD, now=datetime.now(UTC), by="test")
    database.close()

    def make(folder: Path, plan: dict[str, Any], questions: list[Question]) -> store.Database:
        shutil.copy(empty, folder / "study.db")
        database = store.open_database(folder / "study.db", migrate=False)
        study = Study(plan=StudyPlan.model_validate(plan), questions=tuple(questions))
        store.put_study(database, study, now=datetime.now(UTC))
        return database

    return make


LEADERS = {"anna": None, "olga": "owner", "mia": "member", "otto": None}
"""The leaders of a console: anna is an admin; olga and mia lead the study one, otto the study two."""
RATING = """
name = "{slug}"
task = "rating"
items = "items.csv"
judgements = 3
languages = ["en", "de"]
[title]
en = "The study {slug}"
[batch]
questions = 3
[access]
open = true
"""


def write_study(folder: Path, plan: str = RATING, *, items: int = 3) -> None:
    """The files of a study of ratings."""
    folder.mkdir(exist_ok=True)
    rows = "".join(f"i{number},{left},{right}\n" for number in range(items) for left, right, _ in [PAIRS[number % 3]])
    (folder / "items.csv").write_text(f"id,left,right\n{rows}")
    (folder / "study.toml").write_text(plan.format(slug=folder.name))


@pytest.fixture(scope="session")
def new_folder(tmp_path_factory, new_database) -> Callable[..., Path]:
    """``new_folder(path, "one", "two")``: a folder with these studies, open, and the leaders of `LEADERS`."""
    template = tmp_path_factory.mktemp("console") / "studies"
    empty = tmp_path_factory.mktemp("bare") / "study.db"
    store.open_database(empty).close()
    with closing(StudyShelf(template)) as shelf:
        for name, role in LEADERS.items():
            store.add_leader(shelf.console, name, PASSWORD, now=datetime.now(UTC), by="test", admin=name == "anna")
            if role:
                store.add_member(shelf.console, "one", name, role, now=datetime.now(UTC), by="test")
        store.add_member(shelf.console, "two", "otto", "owner", now=datetime.now(UTC), by="test")

    def make(folder: Path, *slugs: str, plan: str = RATING, items: int = 3) -> Path:
        folder.mkdir()
        shutil.copy(template / "console.db", folder / "console.db")
        for slug in slugs:
            write_study(folder / slug, plan, items=items)
            shutil.copy(empty, folder / slug / "study.db")
        with closing(StudyShelf(folder)) as shelf:
            for slug in slugs:
                store.set_state(shelf.database(slug), "open", now=datetime.now(UTC), by="test")
        return folder

    return make


class Clock:
    """Time that a test moves on."""

    def __init__(self) -> None:
        self.passed = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.passed


@dataclass
class Person:
    """A browser without a window: keeps its cookies and sends our form token with every form."""

    client: TestClient
    page: Any = None
    cookie: str = "visitor"

    def get(self, address: str, **options: Any) -> Any:
        self.page = self.client.get(address, **options)
        return self.page

    def post(self, address: str, fields: dict[str, Any] | None = None, **options: Any) -> Any:
        sent = {"csrf": form_token(self.client.cookies.get(self.cookie, "")), **(fields or {})}
        self.page = self.client.post(address, data=sent, **options)
        return self.page

    @property
    def batch(self) -> int:
        """The batch of the page that is shown."""
        return int(re.search(r"/batch/(\d+)/", str(self.page.url))[1])

    def hidden(self) -> dict[str, str]:
        """The hidden fields of the page that is shown."""
        return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', self.page.text))

    def answer(self, **fields: str) -> Any:
        """Fill in the one question of the page that is shown, and go on."""
        position = re.search(r'data-position="(\d+)"', self.page.text)[1]
        chosen = {f"{position}.{name}": value for name, value in fields.items()}
        return self.post(str(self.page.url.path), {**self.hidden(), **chosen})

    def answer_all(self, **fields: str) -> Any:
        """The same answer to every question, up to the overview."""
        while "data-questions" in self.page.text:
            assert self.answer(**fields).status_code == 200, self.page.text
        return self.page


@dataclass
class Site:
    """A study served in this process."""

    app: Any
    database: store.Database
    clock: Clock
    clients: ExitStack = field(default_factory=ExitStack)
    names: list[str] = field(default_factory=list)

    @property
    def now(self) -> datetime:
        return self.clock()

    def visitor(self, **options: Any) -> Person:
        person = Person(self.client(follow_redirects=True, **options))
        person.get("/")
        return person

    def client(self, **options: Any) -> TestClient:
        """One event loop for all its requests, until the test is over."""
        return self.clients.enter_context(TestClient(self.app, **options))

    def invitation(self, **options: Any) -> str:
        return f"/join/{store.invite(self.database, now=self.now, by='test', **options).token}"

    def joined(self) -> Person:
        """Somebody who came in by invitation and has not consented yet."""
        person = self.visitor()
        person.post(self.invitation())
        person.cookie = "annotator"
        return person

    def annotator(self) -> Person:
        """Somebody before their first question."""
        person = self.joined()
        person.post("/consent", {"agree": "yes"})
        person.get("/work")
        return person

    def leader(self) -> Person:
        person = self.visitor()
        person.post("/leader/login", {"name": "anna", "password": PASSWORD})
        person.cookie = "leader"
        return person

    def token(self) -> str:
        made = store.make_api_token(self.database, "anna", now=self.now, by="test").token
        assert made is not None
        return made

    def rows(self) -> list[dict[str, Any]]:
        return list(store.export_rows(self.database))


@pytest.fixture
def site(tmp_path, new_database) -> Iterator[Callable[..., Site]]:
    """``site("rating", batch={...})``: a study of that task, with changes to its plan."""
    made: list[Site] = []

    def make(
        task: str = "best-worst",
        *,
        questions: list[Question] | None = None,
        settings: dict[str, Any] | None = None,
        analyse: Any = None,
        comparisons: Any = None,
        **changes: Any,
    ) -> Site:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        database = new_database(folder, plan_of(task, **changes), questions or QUESTIONS[task]())
        clock = Clock()
        chosen = ServerOptions(**{"secure_cookies": False, **(settings or {})})
        app = create_app(database, settings=chosen, clock=clock, analyse=analyse, comparisons=comparisons)
        made.append(Site(app, database, clock))
        return made[-1]

    yield make
    for each in made:
        each.clients.close()
        each.database.close()


@dataclass
class Console:
    """A server with many studies, in this process."""

    app: Any
    shelf: StudyShelf
    clock: Clock
    clients: ExitStack = field(default_factory=ExitStack)

    @property
    def now(self) -> datetime:
        return self.clock()

    def visitor(self, **options: Any) -> Person:
        person = Person(self.clients.enter_context(TestClient(self.app, follow_redirects=True, **options)))
        person.get("/")
        return person

    def leader(self, name: str = "anna") -> Person:
        person = self.visitor()
        person.post("/leader/login", {"name": name, "password": PASSWORD})
        person.cookie = "leader"
        return person

    def annotator(self, slug: str, person: Person | None = None) -> Person:
        """Somebody before their first question in a study; one browser may be in several."""
        person = person or self.visitor()
        person.cookie = "visitor"
        person.post(f"/s/{slug}/open")
        person.cookie = f"annotator-{slug}"
        person.post(f"/s/{slug}/consent", {"agree": "yes"})
        person.get(f"/s/{slug}/work")
        return person

    def put(self, slug: str, plan: str = RATING, *, items: int = 3) -> Path:
        """Put the files of a study into the folder."""
        write_study(self.shelf.folder / slug, plan, items=items)
        return self.shelf.folder / slug

    def token(self, name: str) -> str:
        return str(store.make_api_token(self.shelf.console, name, now=self.now, by="test").token)

    def rows(self, slug: str) -> list[dict[str, Any]]:
        return list(store.export_rows(self.shelf.database(slug)))


@pytest.fixture
def console(tmp_path, new_folder) -> Iterator[Callable[..., Console]]:
    """``console("one", "two")``: a server with these studies; called again, another process on the same folder."""
    made: list[Console] = []

    def make(*slugs: str, plan: str = RATING, settings: dict[str, Any] | None = None) -> Console:
        if not made:
            new_folder(tmp_path / "studies", *slugs, plan=plan)
        clock = made[0].clock if made else Clock()
        shelf = StudyShelf(tmp_path / "studies", clock=clock)
        chosen = ServerOptions(**{"secure_cookies": False, **(settings or {})})
        made.append(Console(create_console(shelf, settings=chosen, clock=clock), shelf, clock))
        return made[-1]

    yield make
    for each in made:
        each.clients.close()
        each.shelf.close()


@dataclass
class Served:
    """A study that listens on an address of this machine."""

    url: str
    database: store.Database
    server: Any

    def invitation(self) -> str:
        made = store.invite(self.database, now=datetime.now(UTC), by="test")
        return f"{self.url}/join/{made.token}"

    def session(self) -> str:
        """The cookie of somebody who has come in and agreed."""
        token = self.invitation().rpartition("/")[2]
        entered = store.enter_by_invitation(self.database, token, language=None, now=datetime.now(UTC))
        store.consent(self.database, entered.annotator.id, agreed=True, now=datetime.now(UTC))
        return entered.session

    def rows(self) -> list[dict[str, Any]]:
        return list(store.export_rows(self.database))


@pytest.fixture(scope="module")
def serve(tmp_path_factory, new_database) -> Iterator[Callable[..., Served]]:
    """``serve("rating", ...)``: the study on its own address, until the module is done."""
    uvicorn = pytest.importorskip("uvicorn", reason="needs uvicorn")
    running: list[tuple[Served, threading.Thread]] = []

    def start(
        task: str,
        *,
        questions: list[Question] | None = None,
        settings: dict[str, Any] | None = None,
        comparisons: Any = None,
        **changes: Any,
    ) -> Served:
        folder = tmp_path_factory.mktemp("study")
        database = new_database(folder, plan_of(task, **changes), questions or QUESTIONS[task]())
        chosen = ServerOptions(**{"secure_cookies": False, **(settings or {})})
        app = create_app(database, settings=chosen, comparisons=comparisons)
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False, lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        running.append((Served(f"http://127.0.0.1:{listening.getsockname()[1]}", database, server), thread))
        return running[-1][0]

    yield start
    for served, thread in running:
        served.server.should_exit = True
        thread.join(10)
        served.database.close()


@pytest.fixture
def visit(browser) -> Iterator[Callable[..., Any]]:
    """``visit(url, session=...)``: a fresh window there; script errors and breaches of the policy fail the test."""
    opened, complaints = [], []

    def go(url: str, *, session: str = "", **options: Any) -> Any:
        context = browser.new_context(**{"locale": "en-GB", **options})
        opened.append(context)
        if session:
            context.add_cookies([{"name": "annotator", "value": session, "url": url}])
        page = context.new_page()
        page.set_default_timeout(120_000)  # a busy machine stands still for seconds
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if "Content Security" in said.text else None)
        page.goto(url)
        return page

    yield go
    for context in opened:
        context.close()
    assert not complaints
