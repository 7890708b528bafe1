"""Take the screenshot of the list of studies in docs/annotation.md: four studies with simulated answers.

Run ``make screenshot``. You need Chromium and playwright.
"""

from __future__ import annotations

import shutil
import socket
import tempfile
import threading
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from playwright.sync_api import sync_playwright

from similitude.collect.annotation import store
from similitude.collect.annotation.records import Entry
from similitude.collect.annotation.shelf import StudyShelf
from similitude.collect.annotation.web import ServerOptions
from similitude.collect.annotation.web.console import create_console

ROOT = Path(__file__).parents[1]
PASSWORD = "only for this picture"
NOW = datetime.now(UTC)
PEOPLE = {"closest-reply": 9, "opinions": 5, "opinions-second-wave": 0}
"""The studies, with the people who answered; the last one is a draft."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, closing(StudyShelf(Path(folder) / "studies")) as shelf:
        fill(shelf)
        app = create_console(shelf, settings=ServerOptions(secure_cookies=False))
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False, lifespan="off"))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
            thread.start()
            while not server.started:
                time.sleep(0.05)
            take(f"http://127.0.0.1:{listening.getsockname()[1]}")
            server.should_exit = True
            thread.join()


def fill(shelf: StudyShelf) -> None:
    """Put the example studies on the shelf, let people answer, and add a file that is not in order."""
    store.add_leader(shelf.console, "anna", PASSWORD, now=NOW, by="script", admin=True)
    for name, people in PEOPLE.items():
        source = name.removesuffix("-second-wave")
        shutil.copytree(ROOT / "studies" / source, shelf.folder / name, ignore=shutil.ignore_patterns("*.db*"))
        if people:
            store.set_state(shelf.database(name), "open", now=NOW, by="anna")
        for person in range(people):
            answer(shelf.database(name), NOW - timedelta(minutes=40 * (people - person)), np.random.default_rng(person))
    store.set_state(shelf.database("opinions"), "paused", now=NOW, by="anna")
    (shelf.folder / "pilot").mkdir()
    (shelf.folder / "pilot" / "study.toml").write_text('name = "pilot"\ntask = "ratings"\nitems = "items.csv"\n')


def answer(db: store.Database, now: datetime, rng: np.random.Generator) -> None:
    """Answer one batch, at random."""
    token = str(store.invite(db, now=now, by="anna").token)
    who = store.enter_by_invitation(db, token, language="en", now=now).annotator.id
    store.consent(db, who, agreed=True, now=now)
    batch = store.next_work(db, who, now=now).batch
    assert batch is not None
    for question in batch.questions:
        store.save_answer(
            db, who, batch.id, Entry(question.position, form(question, rng), f"{question.position}"), now=now
        )
    store.send_batch(db, who, batch.id, now=now)


def form(question: Any, rng: np.random.Generator) -> dict[str, str]:
    if question.shown.options:
        best, worst = rng.permutation([option.id for option in question.shown.options])[:2]
        return {"best": str(best), "worst": str(worst)}
    return {"value": str(rng.integers(6))}


def take(base: str) -> None:
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=options)
        page = browser.new_context(viewport={"width": 1100, "height": 660}, locale="en-GB").new_page()
        page.goto(f"{base}/leader/login")
        page.fill("input[name=name]", "anna")
        page.fill("input[type=password]", PASSWORD)
        page.locator("main form button").first.click()
        page.wait_for_selector(".studies")
        page.screenshot(path=ROOT / "docs" / "annotation-console.png")
        browser.close()


if __name__ == "__main__":
    main()
