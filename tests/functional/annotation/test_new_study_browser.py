"""In Chromium: a study from a bare CSV to the first annotator's first answer, and the preview on two screens."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from similitude.collect.annotation import store
from similitude.collect.annotation.shelf import StudyShelf
from similitude.collect.annotation.web import ServerOptions
from similitude.collect.annotation.web.console import create_console

pytestmark = pytest.mark.slow

PASSWORD = "correct horse battery"
CSV = "sentence1,sentence2\nA cat sits.,A cat is sitting.\nA dog barks.,A bird sings.\nIt rains.,It is wet.\n"
MOST_CLICKS = 6


@dataclass
class Console:
    url: str
    shelf: StudyShelf
    folder: Path


@pytest.fixture
def console(tmp_path) -> Iterator[Console]:
    uvicorn = pytest.importorskip("uvicorn", reason="needs uvicorn")
    shelf = StudyShelf(tmp_path / "studies")
    store.add_leader(shelf.console, "anna", PASSWORD, now=datetime.now(UTC), by="test")
    app = create_console(shelf, settings=ServerOptions(secure_cookies=False))
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False, lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield Console(f"http://127.0.0.1:{listening.getsockname()[1]}", shelf, tmp_path)
    server.should_exit = True
    thread.join(10)
    shelf.close()


@dataclass
class Clicks:
    """Every click of every person is counted."""

    done: list[str] = field(default_factory=list)

    def on(self, what: Any, name: str) -> None:
        self.done.append(name)
        what.click()

    def choose_file(self, page: Any, path: Path) -> None:
        self.done.append("choose the file")
        with page.expect_file_chooser() as chooser:
            page.locator("#file").click()
        chooser.value.set_files(path)


def logged_in(visit, console: Console) -> Any:
    page = visit(f"{console.url}/leader/login")
    page.get_by_label("Name").fill("anna")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/leader")
    return page


def test_from_a_bare_csv_to_the_first_answer_in_six_clicks(visit, console):
    page = logged_in(visit, console)
    (console.folder / "pairs.csv").write_text(CSV)
    clicks = Clicks()

    clicks.choose_file(page, console.folder / "pairs.csv")
    page.wait_for_url("**/leader/edit/pairs/check")
    clicks.on(page.get_by_role("button", name="Open the study"), "open the study")
    link = page.locator("#first-link").inner_text()

    person = visit(link)
    clicks.on(person.get_by_role("checkbox"), "agree")
    clicks.on(person.get_by_role("button", name="Begin"), "begin")
    clicks.on(person.get_by_role("link", name="Start the questions"), "start the questions")
    person.wait_for_url("**/1")
    clicks.on(person.locator("label.choice").nth(4), "answer")
    person.get_by_text("Saved", exact=True).wait_for()

    database = console.shelf.database("pairs")
    answers = [row for row in store.export_rows(database, everything=True) if row.get("value") is not None]
    assert [row["value"] for row in answers] == [4]
    assert len(clicks.done) <= MOST_CLICKS, clicks.done


def test_the_preview_shows_two_screens_and_never_counts(visit, console):
    page = logged_in(visit, console)
    (console.folder / "pairs.csv").write_text(CSV)
    page.locator("#file").set_input_files(console.folder / "pairs.csv")
    page.wait_for_url("**/check")
    page.get_by_role("button", name="Preview as annotator").click()
    for name, choice in (("phone", 2), ("desktop", 3)):
        screen = page.frame_locator(f"iframe.{name}")
        screen.get_by_text("Preview: these answers do not count.").wait_for()
        screen.get_by_role("checkbox").check()
        screen.get_by_role("button", name="Continue to the instructions").click()
        screen.get_by_role("link", name="Start the questions").click()
        screen.locator("label.choice").nth(choice).click()
        screen.get_by_text("Saved", exact=True).wait_for()
    assert page.locator("iframe.phone").bounding_box()["width"] == 375
    assert list(store.export_rows(console.shelf.database("pairs"))) == []


def test_without_script_there_is_a_button(browser, console):
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(f"{console.url}/leader/login")
    page.get_by_label("Name").fill("anna")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    (console.folder / "pairs.csv").write_text(CSV)
    page.locator("#file").set_input_files(console.folder / "pairs.csv")
    page.get_by_role("button", name="Upload").click()
    page.get_by_text("The study is ready.").wait_for()
    for step in ("Task", "Columns", "Scale", "Design and cost", "People", "Texts"):
        page.locator("nav.steps").get_by_role("link", name=step).click()
        page.get_by_role("heading", name=step, exact=True).wait_for()
        page.get_by_role("button", name="Continue").click()
    page.get_by_text("The study is ready.").wait_for()
    context.close()


@pytest.mark.parametrize(
    "screen",
    [
        {"color_scheme": "light", "viewport": {"width": 1280, "height": 900}},
        {"color_scheme": "dark", "viewport": {"width": 375, "height": 800}},
    ],
    ids=["light on a desk", "dark on a phone"],
)
def test_axe_finds_nothing_and_nothing_is_cut_off(browser, console, screen):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
    context = browser.new_context(locale="en-GB", bypass_csp=True, **screen)  # the policy would keep axe's script out
    page = context.new_page()
    complaints: list[str] = []

    def look() -> None:
        found = axe.run(page).response["violations"]
        complaints.extend(f"{page.url}: {each['id']}: {each['nodes'][0]['html'][:200]}" for each in found)
        if page.evaluate("document.documentElement.scrollWidth") > screen["viewport"]["width"]:
            complaints.append(f"{page.url} is too wide")

    page.goto(f"{console.url}/leader/login")
    page.get_by_label("Name").fill("anna")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    look()
    (console.folder / "pairs.csv").write_text(CSV)
    (console.folder / "odd.csv").write_text("eins;zwei;art\nEine Katze.;Ein Hund.;x\nEin Haus.;Eine Hütte.;y\n")
    page.locator("#file").set_input_files(console.folder / "pairs.csv")
    page.wait_for_url("**/check")
    look()
    for step in ("data", "task", "columns", "scale", "design", "people", "texts"):
        page.goto(f"{console.url}/leader/edit/pairs/step/{step}")
        look()
    page.goto(f"{console.url}/leader/edit/pairs/step/design")
    page.locator("#judgements").fill("0")
    page.get_by_role("button", name="Continue").click()
    look()
    page.goto(f"{console.url}/leader/edit/pairs/check")
    page.get_by_role("button", name="Open the study").click()
    look()
    page.goto(f"{console.url}/leader/edit/pairs/step/design")
    page.locator("#judgements").fill("7")
    page.get_by_role("button", name="Show the changes").click()
    look()
    page.goto(f"{console.url}/leader/new")
    look()
    page.locator("#file").set_input_files(console.folder / "odd.csv")
    page.wait_for_url("**/step/data")
    look()
    context.close()
    assert not complaints
