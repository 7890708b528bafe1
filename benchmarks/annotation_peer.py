"""Potato under the same load, for `annotation_load.py`. It runs in its own environment.

It is started by its own command, ``potato start``, with the same questions, the same scale and the same number of
answers per question. For one answer, a browser sends three requests: the answer (``/updateinstance``), the step to
the next question, and its page.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from annotation_http import Browser, Log, Page
from annotation_people import POINTS, Outcome, Person, Size, cpu_seconds, free_port, running, texts

_INSTANCE = re.compile(r'name="instance_id" type="hidden" value="([^"]+)"')
CONFIG = """\
annotation_task_name: load
task_dir: .
output_annotation_dir: annotation_output
output_annotation_format: jsonl
data_files: [data/items.jsonl]
item_properties: {{id_key: id, text_key: text}}
user_config: {{allow_all_users: true, users: []}}
require_password: false
authentication: {{method: in_memory}}
assignment_strategy: random
max_annotations_per_user: {each}
max_annotations_per_item: {wanted}
annotation_schemes:
  - annotation_type: likert
    name: similarity
    description: How close are the two texts in meaning?
    min_label: nothing in common
    max_label: the same
    size: {points}
site_dir: default
"""


def install_potato(folder: Path) -> str:
    """Install Potato into a new environment; its command."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "potato")], check=True)
    python = folder / "potato" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "potato-annotation"], check=True)
    return str(folder / "potato" / "bin" / "potato")


def run_potato(command: str, size: Size) -> Outcome:
    """Drive Potato until everything is answered or the time is over."""
    with tempfile.TemporaryDirectory(prefix="similitude-peer-") as name:
        folder = Path(name)
        _write_task(folder, size)
        port = free_port()
        start = [command, "start", "config.yaml", "-p", str(port), "--host", "127.0.0.1"]
        with running(start, port, folder=folder) as process:
            before, log, begun = cpu_seconds(process.pid), Log(), time.perf_counter()
            people = asyncio.run(_all(port, log, size))
            seconds = time.perf_counter() - begun
            cpu = cpu_seconds(process.pid) - before
        faults = _compare(people, folder / "annotation_output", size.wanted)
    return Outcome(server="Potato", seconds=seconds, cpu=cpu, log=log, people=people, faults=faults)


def _write_task(folder: Path, size: Size) -> None:
    (folder / "data").mkdir()
    rows = [{"id": f"q{number}", "text": " ".join(texts(number))} for number in range(size.questions)]
    (folder / "data" / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    each = -(-size.answers // size.annotators)
    (folder / "config.yaml").write_text(CONFIG.format(each=each, wanted=size.wanted, points=POINTS))


async def _all(port: int, log: Log, size: Size) -> Sequence[Person]:
    end = time.monotonic() + size.most_seconds
    people = [Person(random.Random(number)) for number in range(size.annotators)]
    done = (_annotate(port, f"person{number}", person, log, size, end) for number, person in enumerate(people))
    await asyncio.gather(*done)
    return people


async def _annotate(port: int, name: str, person: Person, log: Log, size: Size, end: float) -> None:
    browser = Browser(port, log)
    try:
        page = await browser.post("/auth", {"action": "login", "email": name})
        while time.monotonic() < end and (asked := _INSTANCE.search(page.text)):
            if size.think:
                await asyncio.sleep(person.rng.expovariate(1 / size.think))
            page = await _answer(browser, asked[1], person)
    except ConnectionError:
        pass  # counted in the log; this person gives up
    await browser.close()


async def _answer(browser: Browser, key: str, person: Person) -> Page:
    value = person.rng.randrange(1, POINTS + 1)
    person.shown[key] += 1
    sent = {
        "instance_id": key,
        "annotations": {f"similarity:{value}": str(value)},
        "cleared_schemas": [],
        "span_annotations": [],
        "response_time_seconds": 1,
    }
    told = await browser.request("POST", "/updateinstance", kind="save", document=sent)
    if told.status == 200 and json.loads(told.text).get("status") == "success":
        person.answers[key] = value
    step = {"action": "next_instance", "instance_id": key}
    await browser.request("POST", "/annotate", document=step, headers={"X-Potato-Navigation": "1"})
    return await browser.get("/annotate")


def _compare(people: Sequence[Person], kept: Path, wanted: int) -> dict[str, int]:
    """What its files hold beside what it acknowledged."""
    lost, collected = 0, Counter[str]()
    for number, person in enumerate(people):
        file = kept / f"person{number}" / "user_state.json"
        answers = json.loads(file.read_text())["instance_id_to_label_to_value"] if file.exists() else {}
        there = {key: [pair[1] for pair in pairs] for key, pairs in answers.items()}
        lost += sum(there.get(key) != [str(value)] for key, value in person.answers.items())
        collected.update(key for key, values in there.items() if values)
    over = sum(count > wanted for count in collected.values())
    return {"lost": lost, "over-collected": over}
