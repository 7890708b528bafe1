"""Throughput of questions to an endpoint that takes 200 ms for each, and of cached answers.

The endpoint is our own test server in a separate process. The peer asks one question at a time, as a plain loop over
a client does.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from similitude.models.cache import AnswerStore
from similitude.models.language.answer_cache import ask
from similitude.models.language.endpoint import open_endpoint
from similitude.models.language.protocol import Message, ModelQuestion

SECONDS = 0.2
SERVER = Path(__file__).parents[1] / "tests" / "systems" / "prompted" / "endpoint_server.py"
SERVE = """
import runpy, sys
with runpy.run_path(sys.argv[1])["EndpointServer"](seconds=float(sys.argv[2])) as server:
    print(server.url, flush=True)
    sys.stdin.read()
"""


@contextmanager
def serving() -> Iterator[str]:
    command = [sys.executable, "-c", SERVE, str(SERVER), str(SECONDS)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.kill()


def questions(count: int) -> list[ModelQuestion]:
    return [ModelQuestion(messages=(Message("user", f"How alike are these two? {n}"),)) for n in range(count)]


def rate(url: str, count: int, concurrency: int) -> float:
    """Answers a second, each kept on the disk as it comes; the first question, which loads the client, apart."""
    model = open_endpoint("tiny", url=url, concurrency=concurrency)
    list(model.answers(questions(1)))
    with TemporaryDirectory() as folder:
        start = time.perf_counter()
        ask(model, questions(count), AnswerStore(Path(folder) / "answers.sqlite"))
        return count / (time.perf_counter() - start)


def kept(count: int) -> float:
    """Seconds to read this many cached answers."""
    with TemporaryDirectory() as folder, serving() as url:
        store = AnswerStore(Path(folder) / "answers.sqlite")
        ask(open_endpoint("tiny", url=url, concurrency=128), questions(count), store)
        again = open_endpoint("tiny", url=url)
        start = time.perf_counter()
        ask(again, questions(count), store)
        assert again.usage.requests == 0
        return time.perf_counter() - start


def main() -> None:
    with serving() as url:
        alone = rate(url, 20, 1)
        print(f"an endpoint of {SECONDS * 1000:.0f} ms: one at a time {alone:.2f} answers/s")
        for concurrency in (4, 16, 64):
            many = rate(url, 20 * concurrency, concurrency)
            print(f"  concurrency {concurrency:2}: {many:6.1f} answers/s, {many / alone:5.1f} x")
    print(f"1,000 kept answers come back in {kept(1000) * 1000:.0f} ms")


if __name__ == "__main__":
    main()
