"""A client that is killed half-way and started again asks nothing twice but what was under way, and loses nothing."""

import math
import os
import signal
import subprocess
import sys
import time

import pytest
from endpoint_server import EndpointServer

CONCURRENCY = 4
COUNT = 120

CLIENT = f"""
import sys
from pathlib import Path
from similitude.models.cache import AnswerStore
from similitude.models.language.protocol import Message, ModelQuestion
from similitude.models.language.endpoint import open_endpoint
from similitude.models.language.answer_cache import ask

class Acknowledging(AnswerStore):
    def put(self, answers):
        super().put(answers)
        print(*(key for key, _ in answers), flush=True)

url, path = sys.argv[1:]
questions = [ModelQuestion(messages=(Message("user", f"{{number}}"),)) for number in range({COUNT})]
found = ask(open_endpoint("tiny", url=url, concurrency={CONCURRENCY}), questions, Acknowledging(Path(path)))
print("answers:", *(answer.text for answer in found))
"""


@pytest.fixture
def server():
    with EndpointServer(seconds=0.02, answer=lambda asked: str(int(asked.prompt) ** 2)) as running:
        yield running


def start(server: EndpointServer, path) -> subprocess.Popen:
    command = [sys.executable, "-c", CLIENT, server.url, str(path)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ)


def wait_until(condition) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.slow
def test_killed_half_way_and_resumed(server, tmp_path):
    path = tmp_path / "answers.sqlite"
    server.silent_after = COUNT // 2
    client = start(server, path)
    wait_until(lambda: len(server.asked) >= COUNT // 2 + CONCURRENCY)  # none of the last is answered
    client.send_signal(signal.SIGKILL)
    acknowledged = set(client.communicate(timeout=60)[0].split())
    server.silent_after = math.inf
    asked_before = len(server.asked)
    done, _ = start(server, path).communicate(timeout=60)
    *kept, last = done.splitlines()
    assert last.split()[1:] == [str(number**2) for number in range(COUNT)]

    # Nothing that was acknowledged as kept was asked for again; all the rest was.
    resumed = set(" ".join(kept).split())
    assert len(acknowledged) > COUNT // 4
    assert not acknowledged & resumed
    assert len(server.asked) - asked_before == len(resumed)

    # Twice: only what was under way or being written at the kill.
    assert set(server.prompts) == {str(number) for number in range(COUNT)}
    assert sum(count - 1 for count in server.prompts.values()) <= 3 * CONCURRENCY
