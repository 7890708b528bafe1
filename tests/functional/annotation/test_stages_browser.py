"""In Chromium: the worked example of C-STS from the first condition to the leader's page of its stages."""

import os
import re
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from similitude.collect.annotation import store
from similitude.collect.annotation.shelf import StudyShelf
from similitude.collect.annotation.store.stage_progress import stage_progress
from similitude.collect.annotation.web import ServerOptions
from similitude.collect.annotation.web.console import create_console

from .conftest import PASSWORD, Clock

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[3] / "studies" / "conditions"
KNOWN = {"The color of the object": "5", "The gender of the person": "1", "The game being played": "5"}


@pytest.fixture
def console(tmp_path: Path) -> Iterator[tuple[str, StudyShelf]]:
    """The address of a server with the worked example, opened, and its studies."""
    uvicorn = pytest.importorskip("uvicorn", reason="needs uvicorn")
    clock = Clock()
    for slug in ("write", "verify"):
        shutil.copytree(EXAMPLE / slug, tmp_path / slug)
    shelf = StudyShelf(tmp_path)
    store.add_leader(shelf.console, "anna", PASSWORD, now=clock(), by="test")
    store.set_admin(shelf.console, "anna", True, now=clock(), by="test")
    for slug in ("write", "verify"):
        store.set_state(shelf.database(slug), "open", now=clock(), by="test")
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    app = create_console(shelf, settings=ServerOptions(secure_cookies=False))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False, lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}", shelf
    server.should_exit = True
    thread.join(10)
    shelf.close()


def begin(page: Any, address: str) -> None:
    page.goto(address)
    page.locator("[data-go]").click()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Continue to the instructions").click()
    page.get_by_role("link", name="Start the questions").click()
    page.wait_for_url("**/1")


def write(page: Any, name: str) -> None:
    """Write conditions for all questions of the batch, and send it."""
    while page.locator("[name$='.alike']").count():
        place = page.url
        page.get_by_label("They are alike in").fill(f"the kind of scene as {name} sees it")
        page.get_by_label("They differ in").fill(f"the number of beings as {name} counts them")
        page.locator("[data-go]").click()
        page.wait_for_url(lambda url, place=place: url != place)
    page.get_by_role("button", name="Send these answers").click()
    page.wait_for_load_state()


def judge(page: Any) -> set[str]:
    """Judge all questions of the batch, and send it; the conditions that were shown."""
    seen = set()
    while page.locator("[name$='.applies']").count():
        place, text = page.url, page.locator("main").inner_text()
        seen |= set(re.findall(r"as (\w+) (?:sees|counts)", text))
        if "The sentiment" in text:
            page.locator("[name$='.applies'][value='no']").check(force=True)
        else:
            value = next((value for words, value in KNOWN.items() if words in text), "4")
            page.locator(f"[name$='.value'][value='{value}']").check(force=True)
        page.locator("[data-go]").click()
        page.wait_for_url(lambda url, place=place: url != place)
    page.get_by_role("button", name="Send these answers").click()
    page.wait_for_load_state()
    return seen


def test_write_and_verify_and_look_at_the_stages(console: Any, visit: Any) -> None:
    url, shelf = console
    anna = visit(f"{url}/leader/login")
    anna.get_by_label("Name").fill("anna")
    anna.get_by_label("Password").fill(PASSWORD)
    anna.get_by_role("button", name="Log in").click()
    people = {name: visit(f"{url}/s/write/open") for name in ("ada", "bob")}
    for name, page in people.items():
        begin(page, f"{url}/s/write/open")
        write(page, name)  # the test
        anna.goto(f"{url}/s/write/leader/annotators")
        anna.get_by_role("link", name="Read the test").click()
        anna.get_by_role("button", name=re.compile("pass", re.I)).first.click()
        page.goto(f"{url}/s/write/work")
        write(page, name)
    for name, page in people.items():
        begin(page, f"{url}/s/verify/open")
        assert judge(page) == set()  # the test
        page.goto(f"{url}/s/verify/work")
        seen = set()
        while page.locator("[name$='.applies']").count():
            seen |= judge(page)
            page.goto(f"{url}/s/verify/work")
        assert seen == set(people) - {name}
    told = stage_progress(shelf.database("verify"))
    assert (told.taken, told.own) == (12, 0)
    anna.goto(f"{url}/s/verify/leader/stages")
    assert anna.get_by_role("link", name="In what are two texts alike, and in what do they differ?").count() == 1
    assert "12" in anna.locator(".card", has_text="Items taken").inner_text()
    keep(anna, "stages")
    anna.goto(f"{url}/s/verify/leader/pools")
    assert anna.get_by_text("in the pool", exact=True).count() == 4
    keep(anna, "pools")
    anna.set_viewport_size({"width": 375, "height": 800})
    for place in ("stages", "pools"):
        anna.goto(f"{url}/s/verify/leader/{place}")
        wider = anna.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, "nothing sticks out of the screen"
        keep(anna, f"{place}-phone")


def keep(page: Any, name: str) -> None:
    """Keep a picture where somebody asked for it."""
    folder = os.environ.get("SIMILITUDE_TEST_PICTURES")
    if folder:
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)
