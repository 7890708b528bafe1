"""Ctrl-C and kill -9 in the middle of an evaluation: what was done is kept, and the next call goes on from there."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

SYSTEMS = ["-s", "levenshtein", "-s", "use-multilingual", "-m", "pearson", "--folder", "run"]


@pytest.fixture
def many(tmp_path):
    """Enough distinct texts to keep the encoder busy for a few seconds."""
    sentence = "the quick brown fox jumps over a lazy dog while seven grey cats watch from an old wooden fence"
    words = sentence.split()
    rows = [
        f"{' '.join(words[i % 7 :])} number {i},{' '.join(words[i % 5 :])} and item {i},{i % 6}" for i in range(1000)
    ]
    path = tmp_path / "many.csv"
    path.write_text("sentence1,sentence2,score\n" + "\n".join(rows) + "\n")
    return path


def start(folder) -> subprocess.Popen:
    command = [sys.executable, "-m", "similitude", "evaluate", "many.csv", *SYSTEMS]
    environment = os.environ | {"SIMILITUDE_CACHE": "off"}
    return subprocess.Popen(
        command, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )


def wait_for_the_first_system(process, folder) -> None:
    while not list(folder.glob("run/predictions/levenshtein*.json")):
        assert process.poll() is None, "it ended too soon"
        time.sleep(0.01)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.slow
def test_the_next_call_goes_on(similitude, many, tmp_path, how):
    process = start(tmp_path)
    wait_for_the_first_system(process, tmp_path)
    process.send_signal(how)
    _, errors = process.communicate(timeout=60)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "Traceback" not in errors
        assert "run the same command to resume" in errors
    else:
        assert process.returncode == -signal.SIGKILL
    assert not (tmp_path / "run" / "run.json").exists()
    first = next(tmp_path.glob("run/predictions/levenshtein*.json")).read_text()

    again = similitude("evaluate", "many.csv", *SYSTEMS, "--json")
    assert again.returncode == 0, again.stderr
    assert next(tmp_path.glob("run/predictions/levenshtein*.json")).read_text() == first
    whole = similitude("evaluate", "many.csv", *SYSTEMS[:-1], "other", "--json")
    figures = [[f["value"] for f in json.loads(shown.stdout)["figures"]] for shown in (again, whole)]
    assert figures[0] == figures[1]
