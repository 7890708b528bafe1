"""Shared parts of `annotation_load.py` and its peer: the study, people with their acknowledged answers, and servers."""

from __future__ import annotations

import math
import os
import random
import signal
import socket
import subprocess
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from annotation_http import Log

POINTS = 6
"""Of the scale."""
BATCH = 20
TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, kw_only=True)
class Size:
    """How much: people, answers in all, how long each thinks, and how long the whole may take."""

    annotators: int
    answers: int
    think: float = 0.0
    most_seconds: float = math.inf

    @property
    def wanted(self) -> int:
        """Answers to each question: a tenth of the people, so that many want the same questions at the same time."""
        return max(1, self.annotators // 10)

    @property
    def questions(self) -> int:
        """So many that the answers fill them exactly."""
        return math.ceil(self.answers / self.wanted)


@dataclass
class Person:
    """What one annotator was asked, and what was acknowledged."""

    rng: random.Random
    answers: dict[str, int] = field(default_factory=dict)
    shown: Counter[str] = field(default_factory=Counter)
    code: str = ""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a run measured; ``faults`` is what the kept answers have to say against the acknowledged ones."""

    server: str
    seconds: float
    cpu: float
    log: Log
    people: Sequence[Person]
    faults: Mapping[str, int]

    @property
    def answers(self) -> int:
        """How many were acknowledged."""
        return sum(len(person.answers) for person in self.people)

    @property
    def rate(self) -> float:
        """Acknowledged answers per second."""
        return self.answers / self.seconds


def texts(number: int) -> tuple[str, str]:
    """The two texts of a question."""
    return f"The left text of question {number} is here.", f"What stands to the right of question {number}."


@contextmanager
def running(command: Sequence[str], port: int, *, folder: Path, path: str = "/") -> Iterator[subprocess.Popen[bytes]]:
    """A server and all that it starts, from its first answer on, until we are done."""
    with (folder / "server.log").open("wb") as said:
        process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=said, start_new_session=True)
    try:
        _await_answer(process, f"http://127.0.0.1:{port}{path}", folder / "server.log")
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _await_answer(process: subprocess.Popen[bytes], address: str, said: Path) -> None:
    for _ in range(1200):
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            if process.poll() is not None:
                raise RuntimeError(f"the server ended at once: {said.read_text()[-2000:]}") from None
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server did not answer within two minutes")


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def cpu_seconds(session: int) -> float:
    """What the processes of a session have used of the processors so far."""
    used = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        if int(fields[3]) == session:
            used += int(fields[11]) + int(fields[12])
    return used / TICK
