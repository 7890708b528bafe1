"""``--engine ray`` on the command line: the same bytes, a cluster that runs already, Ctrl-C, kill -9, and errors."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from patience import SECONDS, until

SYSTEMS = ["-s", "levenshtein", "-s", "use", "-s", "tfidf-cosine", "-m", "spearman"]
SLOW = """
import time
from pathlib import Path

import numpy as np

from similitude.data.prediction import Predictions
from similitude.registry import Spec


class Slow:
    summary = "takes its time"
    range = None
    reads = frozenset()
    identity = Spec("mine.py:Slow", None, (), {})

    def score(self, items):
        Path("started").touch()
        time.sleep(30)
        return Predictions(np.arange(len(items), dtype=float))
"""


def predictions(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.suffix in (".parquet", ".csv")}


def test_the_same_bytes(here, tmp_path, ray_engine):
    here("evaluate", "sample:opinions", *SYSTEMS, "--folder", "one")
    told = here(
        "evaluate", "sample:opinions", *SYSTEMS, "--folder", "two", "--engine", "ray", "--workers", "2", "--json"
    )
    assert len(json.loads(told.out)["figures"]) == 3
    assert predictions(tmp_path / "two") == predictions(tmp_path / "one")
    assert len(predictions(tmp_path / "two")) == 5


def test_a_suite(here, tmp_path, ray_engine):
    asked = ["evaluate", "sample:opinions", "sample:conditions", "-s", "levenshtein", "-s", "jaro"]
    here(*asked, "--folder", "one")
    here(*asked, "--folder", "two", "--engine", "ray")
    assert predictions(tmp_path / "two") == predictions(tmp_path / "one")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["--workers", "2"], "error: 2 workers in one process gain nothing"),
        (["--address", "127.0.0.1:6379"], "error: --address is for clusters; add --engine ray, or leave --address out"),
        (["--gpus", "1"], "error: --gpus is for clusters; add --engine ray, or leave --gpus out"),
        (["--engine", "dask"], "local"),
    ],
)
def test_options_that_do_not_fit(here, asked, message):
    assert message in here("evaluate", "sample:opinions", "-s", "levenshtein", *asked, code=2).err


def test_without_ray(here, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    told = here("evaluate", "sample:opinions", "-s", "levenshtein", "--engine", "ray", code=2)
    assert told.err.strip() == "error: Ray is not installed; in your clone of Similitude: pip install '.[ray]'"


@pytest.fixture
def alone(tmp_path):
    """The command line in a process of its own, with a short folder for temporary files, whose sockets need it."""
    started = []
    with tempfile.TemporaryDirectory(prefix="e-", ignore_cleanup_errors=True) as folder:

        def start(*arguments: str) -> subprocess.Popen[str]:
            environment = os.environ | {"TMPDIR": folder, "SIMILITUDE_CACHE": "off", "NO_COLOR": "1"}
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
            process = subprocess.Popen(
                [sys.executable, "-m", "similitude", *arguments],
                cwd=tmp_path,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            started.append(process)
            return process

        yield start
        for process in started:
            process.kill()
            process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_call_goes_on_from_what_is_saved(alone, here, tmp_path, how):
    (tmp_path / "mine.py").write_text(SLOW)
    systems = ["-s", "levenshtein", "-s", "mine.py:Slow", "-m", "spearman", "--folder", "run"]
    asked = ["evaluate", "sample:opinions", *systems]
    process = alone(*asked, "--engine", "ray", "--workers", "2")
    until(lambda: list(tmp_path.glob("run/predictions/levenshtein*.json")), "the first system", process=process)
    until((tmp_path / "started").exists, "the second system", process=process)
    os.killpg(process.pid, how)  # Ctrl-C reaches all processes of a terminal
    _, errors = process.communicate(timeout=SECONDS)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert errors.strip() == "interrupted; finished work is kept, run the same command to resume"
    first = next(tmp_path.glob("run/predictions/levenshtein*.json")).read_text()
    (tmp_path / "mine.py").write_text(SLOW.replace("30", "0"))
    here(*asked, "-q")
    assert next(tmp_path.glob("run/predictions/levenshtein*.json")).read_text() == first


@pytest.mark.slow
def test_a_cluster_that_runs_already_is_used_and_left_alone(alone, tmp_path, here, free_cluster):
    here("evaluate", "sample:opinions", *SYSTEMS, "--folder", "one")
    for _ in range(2):
        process = alone("evaluate", "sample:opinions", *SYSTEMS, "--folder", "two", "--engine", "ray", "--fresh",
                        "--address", free_cluster)  # fmt: skip
        _, errors = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, errors
    assert predictions(tmp_path / "two") == predictions(tmp_path / "one")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (
            "127.0.0.1:1",
            "error: no Ray cluster answers at '127.0.0.1:1': Connection refused; start one with 'ray start --head', "
            "and name its --address",
        ),
        (
            "ray://head:10001",
            "error: 'ray://head:10001' is not the address of a Ray cluster; give --address HOST:PORT, as 'ray start "
            "--head' prints it, or auto",
        ),
    ],
)
@pytest.mark.slow
def test_an_address_where_nothing_answers(alone, address, message):
    process = alone("evaluate", "sample:opinions", "-s", "jaro", "--engine", "ray", "--address", address)
    _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 2
    assert errors.strip() == message


@pytest.fixture
def free_cluster():
    """The address of a cluster that another process started, as an administrator would."""
    keep = (
        "import ray, sys\n"
        "found = ray.init(address='local', num_cpus=2, include_dashboard=False, object_store_memory=80 * 2**20,\n"
        "                 configure_logging=False, _temp_dir=sys.argv[1])\n"
        "print(found.address_info['gcs_address'], flush=True)\n"
        "sys.stdin.read()\n"
    )
    with tempfile.TemporaryDirectory(prefix="c-", ignore_cleanup_errors=True) as folder:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        cluster = subprocess.Popen(
            [sys.executable, "-c", keep, folder],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        yield cluster.stdout.readline().strip()
        cluster.communicate(timeout=SECONDS)
