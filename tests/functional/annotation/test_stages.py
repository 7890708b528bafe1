"""C-STS 2.2.2 from a CSV of pairs to gold, in the browser: write, verify, rate; nobody judges their own."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import similitude as sim
from similitude.collect.annotation import store
from similitude.collect.annotation.shelf import StudyShelf
from similitude.collect.annotation.store.stage_progress import stage_progress
from similitude.collect.annotation.web import ServerOptions, create_app
from similitude.collect.annotation.web.console import create_console
from similitude.collect.annotation.web.security.csrf import form_token

from .conftest import PASSWORD, Clock

TestClient = pytest.importorskip("starlette.testclient", reason="needs the annotation server").TestClient

EXAMPLE = Path(__file__).parents[3] / "studies" / "conditions"
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


def test_who_comes_by_another_way_is_recognised(server: Server) -> None:
    server.study("write", WRITE, pairs__csv=pairs_csv())
    server.study("verify", VERIFY)
    ada, eve = server.browser(), server.browser()
    ada.enter("write", "prolific", PROLIFIC_PID="ada")
    mine = {left for page in ada.answer("write", conditions) for left, _ in PAIRS if left in page}
    eve.enter("write")
    theirs = {left for page in eve.answer("write", conditions) for left, _ in PAIRS if left in page}
    other = server.browser()  # another browser of hers, recognised by the id
    other.enter("verify", "prolific", PROLIFIC_PID="ada")
    saw = {left for page in other.answer("verify", judgement) for left, _ in PAIRS if left in page}
    assert saw == theirs
    server.later()
    ada.enter("verify")  # the first browser again, by the open link, recognised by its cookie
    saw = {left for page in ada.answer("verify", judgement) for left, _ in PAIRS if left in page}
    assert saw == theirs
    assert not saw & mine
    assert stage_progress(server.shelf.database("verify")).own == 0


def test_a_forged_cookie_is_nobody(server: Server) -> None:
    server.study("write", WRITE, pairs__csv=pairs_csv())
    ada = server.browser()
    ada.enter("write")
    code = ada.client.cookies["person"].partition(".")[0]
    thief = server.browser()
    thief.client.cookies.set("person", f"{code}.{'0' * 64}", domain="testserver.local")
    thief.enter("write")
    people = {row.annotator.person for row in store.annotator_rows(server.shelf.database("write"), now=server.clock())}
    assert len(people) == 2
    assert code in people


def test_the_leaders_page_shows_the_stages_and_their_figures(server: Server) -> None:
    server.study("write", WRITE, pairs__csv=pairs_csv())
    server.study("verify", VERIFY)
    people = [server.browser() for _ in range(6)]
    write_all(server, people[:4])
    verify_all(server, people)
    anna = server.browser()
    anna.log_in()
    page = anna.get("/s/verify/leader/stages").text
    assert '<a href="/s/write/leader/stages">Write conditions</a>' in page
    assert "4 of 4 answers" in page
    assert re.findall(r'<p class="figure">(\d+)</p>', page) == ["8", "0", "4", "4", "0"]
    assert "The nonsense of number 2" in page
    assert "3 of 3" in page
    assert '<a href="/s/verify/leader/stages">Verify conditions</a>' in anna.get("/s/write/leader/stages").text
    assert "0 waiting, 4 verified, 4 rejected" in anna.get("/s/verify/leader").text
    for language, said in (("de", "Abgelehnte Items"), ("zh", "被否定的条目")):
        anna.get(f"/s/verify/language/{language}?to=/leader/stages")
        assert said in anna.page.text


def test_what_is_withdrawn_is_no_longer_asked_and_is_counted(server: Server) -> None:
    server.study("write", WRITE, pairs__csv=pairs_csv())
    server.study("verify", VERIFY)
    ada, bob, eve = (server.browser() for _ in range(3))
    write_all(server, [ada, bob])
    ada.post("/s/write/data/delete", "annotator-write", sure="yes")
    eve.enter("verify")
    assert len(eve.answer("verify", judgement)) == 2  # bob's two
    anna = server.browser()
    anna.log_in()
    server.later()
    assert re.findall(r'<p class="figure">(\d+)</p>', anna.get("/s/verify/leader/stages").text)[-1] == "0"
    carl = server.browser()
    carl.enter("write")
    carl.answer("write", conditions)
    server.later()
    eve.get("/s/verify/work")  # carl's conditions are hers now
    anna.post("/s/write/leader/annotators/" + pseudonyms(server, "write")[-1] + "/exclude", "leader", reason="copied")
    server.later()
    page = anna.get("/s/verify/leader/stages").text
    assert re.findall(r'<p class="figure">(\d+)</p>', page)[-1] == "2"


def pseudonyms(server: Server, slug: str) -> list[str]:
    return [row.annotator.pseudonym for row in store.annotator_rows(server.shelf.database(slug), now=server.clock())]


@pytest.fixture
def example(server: Server) -> Server:
    """The studies that ship as a worked example, opened."""
    for slug in ("write", "verify"):
        shutil.copytree(EXAMPLE / slug, server.folder / slug)
        assert not server.shelf.look(slug).problem
        store.set_state(server.shelf.database(slug), "open", now=server.clock(), by="test")
    return server


def write_example(page: str) -> dict[str, str]:
    return {"alike": "The setting of the scene", "differ": "The number of beings"}


def judge_example(page: str) -> dict[str, str]:
    known = {"The color of": "5", "The gender": "1", "The game being": "5", "The setting": "4", "The number": "2"}
    if "The sentiment" in page:
        return {"applies": "no"}
    return {"applies": "yes", "value": next(value for words, value in known.items() if words in page)}


def test_the_worked_example_runs_as_it_stands(example: Server) -> None:
    anna = example.browser()
    anna.log_in()
    people = [example.browser() for _ in range(4)]
    for number, browser in enumerate(people):
        browser.enter("write")
        assert "Test" in browser.page.text
        browser.answer("write", write_example)
        name = pseudonyms(example, "write")[number]
        anna.post(f"/s/write/leader/annotators/{name}/qualification", "leader", passed="no" if number == 3 else "yes")
    stranger = example.browser()
    assert "have passed a qualification" in stranger.enter("verify").text
    assert "have passed a qualification" in people[3].enter("verify").text
    for browser in people[:3]:
        browser.get("/s/write/work")
        while browser.answer("write", write_example):
            browser.get("/s/write/work")
    store.set_state(example.shelf.database("write"), "closed", now=example.clock(), by="test")
    for browser in people[:3]:
        example.later()
        browser.enter("verify")
        assert len(browser.answer("verify", judge_example)) == 4  # the test
        browser.get("/s/verify/work")
        while browser.answer("verify", judge_example):
            browser.get("/s/verify/work")
    told = stage_progress(example.shelf.database("verify"))
    assert (told.taken, told.own) == (16, 0)
    rows = list(store.export_rows(example.shelf.database("verify")))
    assert len(rows) == 16 * 2  # each of three people judged what the two others wrote


def test_pools_are_shared_and_leaders_change_them_with_a_reason(example: Server) -> None:
    anna, ada = example.browser(), example.browser()
    anna.log_in()
    ada.enter("write")
    ada.answer("write", write_example)
    name = pseudonyms(example, "write")[0]
    anna.post(f"/s/write/leader/annotators/{name}/qualification", "leader", passed="yes")
    page = anna.get("/s/write/leader/pools").text
    assert "condition-writers" in page
    assert name in page
    code = re.search(r'name="person" value="(\w+)"', page)[1]
    assert (
        anna.post("/s/write/leader/pools/condition-writers", "leader", person=code, state="removed").status_code == 422
    )
    anna.post("/s/write/leader/pools/condition-writers", "leader", person=code, state="removed", reason="copies")
    assert "copies" in anna.page.text
    assert ada.enter("verify").status_code == 403
    anna.post(
        "/s/write/leader/pools/condition-writers", "leader", annotator=name, state="passed", reason="was a mistake"
    )
    made = anna.post("/s/verify/leader/pools/condition-writers/invite", "leader", person=code)
    token = re.search(r"/join/([\w-]+)<", made.text)[1]
    elsewhere = example.browser()  # a new browser, known by her invitation
    assert elsewhere.enter("verify", f"join/{token}").status_code == 200
    entered = store.annotator_rows(example.shelf.database("verify"), now=example.clock())
    assert [row.annotator.person for row in entered] == [code]
    log = [entry for entry in store.audit_log(example.shelf.console) if entry.what == "pool"]
    assert [entry.detail["state"] for entry in log] == ["passed", "removed", "passed"]
    assert log[1].detail["why"] == "copies"
    assert (
        anna.post("/s/verify/leader/pools/elsewhere", "leader", person=code, state="passed", reason="x").status_code
        == 404
    )


def test_who_failed_a_shared_test_is_not_admitted_to_another_study(example: Server) -> None:
    other = (
        (example.folder / "verify" / "study.toml").read_text().replace('name = "conditions-verify"', 'name = "again"')
    )
    plain = other.replace('pool = "condition-writers"', "")
    for slug in ("first", "second"):
        shutil.copytree(example.folder / "verify", example.folder / slug, ignore=shutil.ignore_patterns("*.db*"))
        (example.folder / slug / "study.toml").write_text(plain.replace('"again"', f'"{slug}"'))
        assert not example.shelf.look(slug).problem
        store.set_state(example.shelf.database(slug), "open", now=example.clock(), by="test")
    bad, good = example.browser(), example.browser()
    bad.enter("first")
    bad.answer("first", lambda _: {"applies": "no"})
    assert bad.enter("second").status_code == 403
    assert "did not pass the qualification" in bad.page.text
    good.enter("first")
    assert len(good.answer("first", judge_example)) == 4
    good.enter("second")
    assert "data-position" not in good.page.text  # no second test, and no items yet
    state = [row.annotator.state for row in store.annotator_rows(example.shelf.database("second"), now=example.clock())]
    assert state == ["active"]


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """The two studies as files that are served alone, the first with a database."""
    for slug, toml in (("write", WRITE), ("verify", VERIFY)):
        (tmp_path / slug).mkdir()
        (tmp_path / slug / "study.toml").write_text(toml, encoding="utf-8")
    (tmp_path / "write" / "pairs.csv").write_text(pairs_csv(), encoding="utf-8")
    return tmp_path


def test_studies_served_alone_recognise_people_by_platform_id_and_by_invitation(alone: Path, similitude: Any) -> None:
    refused = similitude("annotate", "serve", "verify/study.toml", "--port", "0")
    assert refused.returncode == 2
    assert "'write' has no database yet" in refused.stderr
    assert similitude("annotate", "invite", "write/study.toml").returncode == 0  # makes its database
    assert similitude("annotate", "invite", "verify/study.toml").returncode == 0
    write, verify = (store.open_database(alone / slug / "study.db") for slug in ("write", "verify"))
    options = ServerOptions(secure_cookies=False)
    apps = (
        create_app(write, settings=options),
        create_app(verify, persons=write, earlier=lambda: write, settings=options),
    )
    with TestClient(apps[0]) as first:
        first.get("/open")
        first.post("/prolific", data={"csrf": form_token(first.cookies["visitor"]), "PROLIFIC_PID": "ada"})
    who = store.annotator_rows(write, now=Clock()())[0].annotator
    made = similitude("annotate", "invite", "verify/study.toml", "--person", who.pseudonym)
    token = made.stdout.strip().rpartition("/")[2]
    assert similitude("annotate", "invite", "verify/study.toml", "--person", "NOBODY").returncode == 2
    for address, sent in (("/prolific", {"PROLIFIC_PID": "ada"}), (f"/join/{token}", {})):
        with TestClient(apps[1]) as browser:
            browser.get("/open")
            browser.post(address, data={"csrf": form_token(browser.cookies["visitor"]), **sent})
    people = {row.annotator.person for row in store.annotator_rows(verify, now=Clock()())}
    assert people == {who.person}
    for each in (write, verify):
        each.close()


def test_on_postgresql_one_says_where_the_earlier_answers_are(alone: Path, similitude: Any) -> None:
    url = "postgresql://nobody@127.0.0.1:1/none"
    refused = similitude("annotate", "serve", "verify/study.toml", "--database", url, "--port", "0")
    assert refused.returncode == 2
    assert "--earlier" in refused.stderr


def test_the_next_stages_are_made_in_the_browser(example: Server) -> None:
    anna = example.browser()
    anna.log_in()
    anna.get("/s/write/leader/stages")
    made = anna.post("/s/write/leader/stages/next", "leader", takes="conditions")
    assert made.status_code == 200, made.text
    assert str(made.url.path) == "/leader/edit/conditions-write-verify/check"
    plan = example.shelf.look("conditions-write-verify").record.plan
    assert (plan.task, plan.follows.study, plan.access.pool) == ("verification", "write", "condition-writers")
    for step in ("task", "scale", "design", "people", "texts"):
        page = anna.get(f"/leader/edit/conditions-write-verify/step/{step}")
        assert page.status_code == 200, page.text
        assert "/step/columns" not in page.text  # there is no file whose columns one could choose
    for takes, task, judgements in (("accepted", "rating", 3), ("contentious", "verification", 15)):
        anna.get("/s/verify/leader/stages")
        made = anna.post("/s/verify/leader/stages/next", "leader", takes=takes)
        assert made.status_code == 200, made.text
        slug = str(made.url.path).split("/")[3]
        plan = example.shelf.look(slug).record.plan
        assert (plan.task, plan.follows.takes, plan.judgements) == (task, takes, judgements)
        assert (plan.annotation_task().scale.low, plan.annotation_task().scale.high) == (1, 5)
    assert anna.post("/s/verify/leader/stages/next", "leader", takes="conditions").status_code == 422
    links = re.findall(r'<a href="(/s/[\w-]+/leader/stages)">', anna.get("/s/verify/leader/stages").text)
    assert len(links) == 3  # one before, two after


def test_a_person_is_forgotten_when_the_last_study_forgets_them(server: Server) -> None:
    from similitude.collect.annotation.store.persons import knows_person, recognise

    server.study("write", WRITE, pairs__csv=pairs_csv())
    server.study("verify", VERIFY)
    ada = server.browser()
    for slug in ("write", "verify"):
        assert "random number" in ada.get(f"/s/{slug}/open").text
        ada.enter(slug)
    cookie = ada.client.cookies["person"]
    code = cookie.partition(".")[0]
    ada.post("/s/write/data/delete", "annotator-write", sure="yes")
    assert recognise(server.shelf.console, cookie=cookie, now=server.clock()).person == code  # "verify" knows her
    ada.post("/s/verify/data/delete", "annotator-verify", sure="yes")
    assert "person" not in ada.client.cookies
    assert recognise(server.shelf.console, cookie=cookie, now=server.clock()).person != code
    assert not any(knows_person(server.shelf.database(slug), code) for slug in ("write", "verify"))


def test_who_comes_before_there_is_anything_may_wait_or_finish(server: Server) -> None:
    server.study("write", WRITE, pairs__csv=pairs_csv())
    server.study("verify", VERIFY)
    eve = server.browser()
    assert "More questions come as other people finish theirs" in eve.enter("verify").text
    eve.post("/s/verify/finish", "annotator-verify")
    assert "data-code" in eve.page.text
