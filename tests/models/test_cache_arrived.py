"""Answers that had arrived when a process was killed are taken over by the next one."""

import os
import subprocess
import sys

import pytest
from endpoint_server import EndpointServer
from patience import SECONDS, until

from similitude.models.cache import AnswerStore
from similitude.models.cache.arrived_answers import ArrivedAnswers, leftover_answers

KILLED = """
import os, signal, sys
from pathlib import Path
from similitude.models.cache.arrived_answers import ArrivedAnswers
arrived = ArrivedAnswers(Path(sys.argv[1]))
arrived.add("a", "one \\ud83d 五")
arrived.add("b", "two")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cache" / "answers.sqlite"


def files(path) -> list[str]:
    return [file.name for file in path.parent.glob("*arrived*")]


def test_what_a_killed_process_had_is_there(path):
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)], env=os.environ).returncode < 0
    assert len(files(path)) == 1
    assert AnswerStore(path).get(["a", "b", "c"]) == ["one \ud83d 五", "two", None]
    assert files(path) == []
    assert AnswerStore(path).get(["b"]) == ["two"]


def test_a_line_that_was_cut_is_left_out(path):
    subprocess.run([sys.executable, "-c", KILLED, str(path)], env=os.environ)
    (file,) = path.parent.glob("*arrived*")
    file.write_bytes(file.read_bytes()[:-4])
    assert AnswerStore(path).get(["a", "b"]) == ["one \ud83d 五", None]


def test_the_file_of_a_process_that_lives_is_left_alone(path):
    arrived = ArrivedAnswers(path)
    arrived.add("a", "one")
    assert list(leftover_answers(path)) == []
    assert AnswerStore(path).get(["a"]) == [None]
    arrived.close(is_stored=False)
    assert AnswerStore(path).get(["a"]) == ["one"]


def test_it_is_gone_when_all_is_stored(path):
    arrived = AnswerStore(path).arrivals()
    arrived.add("a", "one")
    arrived.close(is_stored=True)
    assert files(path) == []
    ArrivedAnswers(path).close(is_stored=True)  # nothing arrived


SLOW_DISK = """
import sys, time
from pathlib import Path
from similitude.models.cache import AnswerStore
from similitude.models.language.answer_cache import ask
from similitude.models.language.endpoint import open_endpoint
from similitude.models.language.protocol import Message, ModelQuestion

class Slow(AnswerStore):
    def put(self, answers):
        time.sleep(1000 if sys.argv[3] == "slow" else 0)
        super().put(answers)

questions = [ModelQuestion(messages=(Message("user", str(number)),)) for number in range(20)]
print(len(ask(open_endpoint("tiny", url=sys.argv[1], concurrency=4), questions, Slow(Path(sys.argv[2])))))
"""


@pytest.mark.slow
def test_nothing_that_arrived_is_asked_again_however_slow_the_disk_is(path):
    def start(disk):
        command = [sys.executable, "-c", SLOW_DISK, server.url, str(path), disk]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ)

    with EndpointServer() as server:
        client = start("slow")
        until(lambda: any(file.stat().st_size for file in path.parent.glob("*arrived*")), "an answer", process=client)
        client.kill()
        client.communicate(timeout=SECONDS)
        assert len(server.asked) == 1, "no second question before the first answer is stored"
        assert start("fast").communicate(timeout=SECONDS)[0] == "20\n"
        assert len(server.asked) == 20
        assert set(server.prompts.values()) == {1}
