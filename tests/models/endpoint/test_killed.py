"""A client that is killed again and again pays for no answer twice: each is on disk before the next is asked."""

import math
import os
import subprocess
import sys
from collections import Counter

import pytest
from endpoint_server import EndpointServer
from patience import SECONDS, until

CONCURRENCY = 4
ITEMS = 120
KILLS = (20, 47, 31)
"""The client is killed when so many more answers have arrived since it started."""


@pytest.fixture
def server():
    with EndpointServer() as running:
        yield running


@pytest.fixture
def pairs(tmp_path):
    rows = [f"p{number},text {number},another text {number},{number % 5 + 1}" for number in range(ITEMS)]
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(["id,left,right,score", *rows]), encoding="utf-8")
    return path


def start(server: EndpointServer, pairs, folder) -> subprocess.Popen:
    system = f"prompted(tiny, url={server.url}, concurrency={CONCURRENCY})"
    command = [sys.executable, "-m", "similitude", "evaluate", str(pairs), "--scale", "1..5", "-s", system]
    command += ["--folder", str(folder / "run"), "--resamples", "0", "-m", "spearman"]
    environment = os.environ | {"SIMILITUDE_CACHE": str(folder / "cache")}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)


@pytest.mark.slow
def test_no_answer_is_paid_twice(server, pairs, tmp_path):
    paid, under_way = Counter(), 0
    for more in KILLS:
        before = len(server.asked)
        server.silent_after = before + more
        client = start(server, pairs, tmp_path)
        # All connections wait for an answer that does not come, so that each has kept the answers it had before.
        last = before + more + CONCURRENCY
        until(lambda last=last: len(server.asked) == last, "all connections wait", process=client)
        client.kill()
        client.communicate(timeout=SECONDS)
        paid.update(asked.prompt for asked in server.asked[before : before + more])
        under_way += CONCURRENCY
    before = len(server.asked)
    server.silent_after = math.inf
    output, _ = start(server, pairs, tmp_path).communicate(timeout=SECONDS)
    assert "spearman" in output
    asked = [one.prompt for one in server.asked[before:]]
    paid.update(asked)
    assert len(paid) == ITEMS
    assert set(paid.values()) == {1}, "an answer was paid twice"
    assert len(server.asked) == ITEMS + under_way
