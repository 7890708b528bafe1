"""Take the screenshots in docs/annotation.md: a question, and the dashboard of a study with simulated answers.

Run ``make screenshot``. You need Chromium and playwright.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.request import urlopen

import numpy as np
from playwright.sync_api import Browser, sync_playwright

import similitude as sim
from similitude.collect.annotation import store
from similitude.collect.annotation.plan.reader import read_study
from similitude.collect.annotation.records import Entry

ROOT = Path(__file__).parents[1]
STUDY = ROOT / "studies" / "closest-reply" / "study.toml"
PASSWORD = "only for this picture"
PEOPLE = 14


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "study.db"
        token = simulate(database)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "similitude", "annotate", "serve", str(STUDY), "--port", str(port), "-q"]
        server = subprocess.Popen([*command, "--database", str(database)], env=os.environ)
        try:
            take(f"http://127.0.0.1:{port}", token)
        finally:
            server.terminate()
            server.wait()


def simulate(database: Path) -> str:
    """Simulate a study that has run for some hours; return the token of an unused invitation."""
    truth = dict(sim.read("sample:dialogues").frame.select("id", "score").iter_rows())
    rng = np.random.default_rng(3)
    now = datetime.now(UTC) - timedelta(hours=5)
    with closing(store.open_database(database)) as db:
        store.put_study(db, read_study(STUDY), now=now)
        store.add_leader(db, "anna", PASSWORD, now=now, by="script")
        for person in range(PEOPLE):
            invited = store.invite(db, now=now, by="anna", note=f"person {person + 1}")
            work_on(
                db, invited.token, truth, rng, now + timedelta(minutes=17 * person), noise=0.9 if person == 5 else 0.1
            )
        return store.invite(db, now=datetime.now(UTC), by="anna", note="the next one").token


def work_on(
    db: store.Database, token: str, truth: dict[str, float], rng: np.random.Generator, now: datetime, noise: float
) -> None:
    """Answer two batches as one person, who perceives the true scores with noise."""
    entered = store.enter_by_invitation(db, token, language="de", now=now)
    who = entered.annotator.id
    store.consent(db, who, agreed=True, now=now)
    for _ in range(2):
        work = store.next_work(db, who, now=now)
        if work.batch is None:
            return
        for question in work.batch.questions:
            options = [option.id for option in question.shown.options]
            seen = np.array([truth[name] for name in options]) + rng.normal(0, noise, len(options))
            now += timedelta(seconds=float(rng.uniform(8, 25)))
            values = {"best": options[int(seen.argmax())], "worst": options[int(seen.argmin())]}
            entry = Entry(position=question.position, form=values, nonce=f"{who}-{question.position}-{now.timestamp()}")
            store.save_answer(db, who, work.batch.id, entry, now=now)
        store.send_batch(db, who, work.batch.id, now=now)


def take(base: str, token: str) -> None:
    for _ in range(100):
        try:
            urlopen(f"{base}/healthz").close()
            break
        except OSError:
            time.sleep(0.2)
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=options)
        question(browser, base, token)
        dashboard(browser, base)
        browser.close()


def question(browser: Browser, base: str, token: str) -> None:
    page = browser.new_context(viewport={"width": 900, "height": 860}, locale="en-GB").new_page()
    page.goto(f"{base}/join/{token}")
    while not page.locator("input[type=radio]").count():
        for box in page.locator("input[type=checkbox]").all():
            box.check()
        page.locator("main form button, main a[data-go], main .actions a").first.click(timeout=10_000)
        page.wait_for_load_state()
    page.keyboard.press("1")
    page.keyboard.press("2")
    page.wait_for_timeout(1000)
    page.evaluate("window.scrollTo(0, 0)")
    page.screenshot(path=ROOT / "docs" / "annotation-question.png")


def dashboard(browser: Browser, base: str) -> None:
    page = browser.new_context(viewport={"width": 1100, "height": 900}, locale="en-GB").new_page()
    page.goto(f"{base}/leader/login")
    page.fill("input[name=name]", "anna")
    page.fill("input[type=password]", PASSWORD)
    page.locator("main form button").first.click()
    page.wait_for_timeout(6000)  # until the figures of agreement are there
    page.reload()
    page.screenshot(path=ROOT / "docs" / "annotation-dashboard.png")


if __name__ == "__main__":
    main()
