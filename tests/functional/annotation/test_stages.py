"""C-STS 2.2.2 from a CSV of pairs to gold, in the browser: write, verify, rate; nobody judges their own."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import similitude as sim
from similitude.collect.annotation import store
from similitude.collect.annotation.shelf import StudyShelf
from similitude.collect.annotation.store.stage_progress import stage_progress
from similitude.collect.annotation.web import ServerOptions
from similitude.collect.annotation.web.console import create_console
from similitude.collect.annotation.web.security.csrf import form_token

from .conftest import PASSWORD, Clock

TestClient = pytest.importorskip("starlette.testclient", reason="needs the annotation server").TestClient

PAIRS = [
    ("A large green ball was bouncing on the street.", "I bought a small green avocado."),
    ("Two women are celebrating a goal.", "A couple is eating a tasty meal."),
    ("A man plays the guitar.", "A girl listens to the violin."),
    ("A small dog runs across the street.", "A brown horse jumps over a fence."),
]
WRITE = """
name = "write"
task = "conditions"
items = "pairs.csv"
judgements = 1
[title]
en = "Write conditions"
[batch]
questions = 1
[access]
open = true
prolific = { completion_url = "https://app.prolific.com/submissions/complete?cc=C1" }
"""
VERIFY = """
name = "verify"
task = "verification"
judgements = 3
[title]
en = "Verify conditions"
[follows]
study = "write"
[batch]
questions = 4
[access]
open = true
prolific = { completion_url = "https://app.prolific.com/submissions/complete?cc=C2" }
"""


class Browser:
    """A browser without a window that visits several studies of one server."""

    def __init__(self, app: Any) -> None:
        self.client = TestClient(app, follow_redirects=True)
        self.client.__enter__()
        self.page: Any = None

    def get(self, address: str) -> Any:
        self.page = self.client.get(address)
        return self.page

    def post(self, address: str, cookie: str, **fields: str) -> Any:
        sent = {"csrf": form_token(self.client.cookies.get(cookie, "")), **fields}
        self.page = self.client.post(address, data=sent)
        return self.page

    def enter(self, slug: str, way: str = "open", **sent: str) -> Any:
        """Come in and agree."""
        self.get(f"/s/{slug}/{way}" + ("?" + "&".join(f"{key}={value}" for key, value in sent.items()) if sent else ""))
        self.post(f"/s/{slug}/{way}", "visitor", **sent)
        if self.page.status_code == 200:
            self.post(f"/s/{slug}/consent", f"annotator-{slug}", agree="yes")
            self.get(f"/s/{slug}/work")
        return self.page

    def answer(self, slug: str, answers: Any) -> list[str]:
        """Answer all questions of a batch and send it; what was asked."""
        asked = []
        while (position := re.search(r'data-position="(\d+)"', self.page.text)) is not None:
            asked.append(self.page.text)
            hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', self.page.text))
            chosen = {f"{position[1]}.{name}": value for name, value in answers(self.page.text).items()}
            self.post(str(self.page.url.path), f"annotator-{slug}", **{**hidden, **chosen})
            assert self.page.status_code == 200, self.page.text
        batch = re.search(r"/batch/(\d+)/", str(self.page.url))
        if asked and batch is not None:
            self.post(f"/s/{slug}/batch/{batch[1]}/send", f"annotator-{slug}")
            assert self.page.status_code == 200, self.page.text
        return asked

    def log_in(self) -> None:
        self.get("/leader/login")
        self.post("/leader/login", "visitor", name="anna", password=PASSWORD)


class Server:
    """A console with studies in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = Clock()
        self.shelf = StudyShelf(folder, clock=self.clock)
        self.app = create_console(self.shelf, settings=ServerOptions(secure_cookies=False), clock=self.clock)
        store.add_leader(self.shelf.console, "anna", PASSWORD, now=self.clock(), by="test")
        store.set_admin(self.shelf.console, "anna", True, now=self.clock(), by="test")
        self.browsers: list[Browser] = []

    def study(self, slug: str, toml: str, **files: str) -> None:
        (self.folder / slug).mkdir()
        for name, text in files.items():
            (self.folder / slug / name.replace("__", ".")).write_text(text, encoding="utf-8")
        (self.folder / slug / "study.toml").write_text(toml, encoding="utf-8")
        found = self.shelf.look(slug)
        assert not found.problem, found.problem
        store.set_state(self.shelf.database(slug), "open", now=self.clock(), by="test")

    def browser(self) -> Browser:
        self.browsers.append(Browser(self.app))
        return self.browsers[-1]

    def later(self) -> None:
        """Let the server look at the earlier study again."""
        for each in self.app.studies._kept.values():
            each.app.state.services.flow._next = 0.0

    def close(self) -> None:
        for each in self.browsers:
            each.client.__exit__(None, None, None)
        self.shelf.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path / "studies")
    yield made
    made.close()


def pairs_csv() -> str:
    return "left,right\n" + "".join(f'"{left}","{right}"\n' for left, right in PAIRS)


def conditions(page: str) -> dict[str, str]:
    number = next(n for n, (left, _) in enumerate(PAIRS) if left in page)
    return {"alike": f"The kind of thing number {number}", "differ": f"The nonsense of number {number}"}


def judgement(page: str) -> dict[str, str]:
    """Everybody finds that nonsense does not apply."""
    return {"applies": "no"} if "nonsense" in page else {"applies": "yes", "value": "4"}


def write_all(server: Server, people: list[Browser]) -> dict[int, set[str]]:
    """Each of them writes for one pair; which texts they saw."""
    saw: dict[int, set[str]] = {}
    for number, browser in enumerate(people):
        browser.enter("write")
        pages = browser.answer("write", conditions)
        saw[number] = {left for page in pages for left, _ in PAIRS if left in page}
        assert len(saw[number]) == 1
    return saw


def verify_all(server: Server, people: list[Browser]) -> dict[int, set[str]]:
    saw: dict[int, set[str]] = {}
    for number, browser in enumerate(people):
        server.later()
        browser.enter("verify")
        saw[number] = set()
        while pages := browser.answer("verify", judgement):
            saw[number] |= {left for page in pages for left, _ in PAIRS if left in page}
            browser.get("/s/verify/work")
    return saw


def test_from_a_csv_of_pairs_to_gold(server: Server, tmp_path: Path, similitude: Any) -> None:
    server.study("write", WRITE, pairs__csv=pairs_csv())
    server.study("verify", VERIFY)
    people = [server.browser() for _ in range(6)]
    wrote = write_all(server, people[:4])
    saw = verify_all(server, people)
    for number in range(4):
        assert not wrote[number] & saw[number]
        assert len(saw[number]) == 3  # the pairs of the three others
    told = stage_progress(server.shelf.database("verify"))
    assert (told.taken, told.waiting, told.verified, told.rejected, told.own) == (8, 0, 4, 4, 0)
    rows = list(store.export_rows(server.shelf.database("verify")))
    assert Counter(row["item"] for row in rows) == dict.fromkeys({row["item"] for row in rows}, 3)
    store.write_export(server.shelf.database("verify"), tmp_path / "answers.jsonl")

    done = similitude("gold", "answers.jsonl", "--method", "mean", "--out", "gold.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    rejected = json.loads(done.stdout)["rejected"]
    assert len(rejected) == 4
    assert all("differ" in row["item"] and row["applies_share"] == 0 for row in rejected)
    gold = sim.read(tmp_path / "gold.jsonl")
    assert gold.frame["score"].to_list() == [4.0] * 4
    assert not gold.frame["condition"].str.contains("nonsense").any()
    card = (tmp_path / "gold.card.md").read_text(encoding="utf-8")
    assert "4 items that most annotators reject are left out of gold" in card

    done = similitude("gold", "answers.jsonl", "--method", "mean", "--out", "all.jsonl", "--keep-rejected")
    assert done.returncode == 0, done.stderr
    kept = sim.read(tmp_path / "all.jsonl").frame
    assert Counter(kept["group"].to_list()) == dict.fromkeys(["1", "2", "3", "4"], 2)  # a pair is two rows
