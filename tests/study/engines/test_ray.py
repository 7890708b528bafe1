"""What only a cluster does: workers that die, folders that they do not see, and a start and an end."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import engine_tasks
import pytest

from similitude.errors import ArgumentError, MissingExtraError, RunError, UnknownNameError
from similitude.study.engines import open_engine, ray_tasks


def test_workers_are_other_processes(ray_engine):
    told = {}
    ray_engine.run(engine_tasks.process_of, range(4), told.__setitem__)
    assert os.getpid() not in told.values()
    assert ray_engine.workers == 2


def test_a_worker_that_is_killed_is_survived(ray_engine, tmp_path):
    killed = []

    def kill() -> None:
        mark = tmp_path / "process-1"
        while not mark.exists():
            time.sleep(0.05)
        killed.append(int(mark.read_text()))
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    told = {}
    ray_engine.run(engine_tasks.WaitsOnce(tmp_path), range(4), told.__setitem__)
    killer.join()
    assert told == {0: 0, 1: 1, 2: 2, 3: 3}
    assert sorted(path.name for path in tmp_path.glob("done-*")) == ["done-0", "done-1", "done-2", "done-3"]
    assert not Path(f"/proc/{killed[0]}").exists()


def test_a_piece_that_kills_every_worker_is_named_and_loses_no_other(ray_engine, monkeypatch):
    monkeypatch.setattr(ray_tasks, "RETRIES", 1)
    told = {}

    def task(piece):
        return engine_tasks.killed_always(piece) if piece == 2 else piece

    with pytest.raises(RunError, match=r"piece 3 of 4: its worker died 2 times \(WorkerCrashedError\); .*--workers"):
        ray_engine.run(task, range(4), told.__setitem__)
    assert told == {0: 0, 1: 1, 3: 3}


def test_the_traceback_of_the_worker_is_kept(ray_engine):
    with pytest.raises(ArgumentError) as caught:
        ray_engine.run(_fails_far_below, [0], lambda piece, result: None)
    assert "_far_below" in str(caught.value.__cause__)


def test_a_folder_that_a_worker_does_not_see_is_refused_with_its_machine(ray_engine, tmp_path, monkeypatch):
    monkeypatch.setattr(ray_tasks, "SECONDS_TO_APPEAR", 0.2)
    monkeypatch.setattr(ray_tasks, "_answer_mark", _answers_elsewhere)
    with pytest.raises(RunError) as caught:
        ray_engine.check_folder(tmp_path)
    machine = ray_engine.ray.nodes()[0]["NodeManagerHostname"]
    what = f"worker '{machine}' does not share this folder: its files do not come back"
    assert str(caught.value).startswith(f"{tmp_path}: {what}; choose a --folder or --out on a disk")
    assert not list(tmp_path.iterdir())


def test_a_worker_says_what_is_wrong_with_a_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(ray_tasks, "SECONDS_TO_APPEAR", 0.2)
    mark = tmp_path / ".visible-1.tmp"
    assert ray_tasks._answer_mark(mark) == "the folder is not there, or is another one"
    mark.touch()
    answer = ray_tasks._answer_mark(mark)
    assert answer.parent == tmp_path
    assert answer.is_file()
    assert answer.name.startswith(".visible-1-")
    monkeypatch.setattr(Path, "touch", _read_only)
    assert ray_tasks._answer_mark(mark) == "it cannot be written to: Read-only file system"


def test_ctrl_c_stops_the_pieces_that_run(ray_engine, tmp_path):
    def interrupted(piece, result):
        raise KeyboardInterrupt

    def slow(piece):
        if piece:
            (tmp_path / f"started-{piece}").touch()
            time.sleep(10)  # long enough for the first result on a busy machine
            (tmp_path / f"ended-{piece}").touch()

    with pytest.raises(KeyboardInterrupt):
        ray_engine.run(slow, range(6), interrupted)
    begun = [each.stat().st_mtime for each in tmp_path.glob("started-*")]
    time.sleep(max(0.0, max(begun, default=time.time() - 7) + 10.5 - time.time()))
    assert not list(tmp_path.glob("ended-*"))


def test_a_process_that_is_connected_uses_its_cluster_and_leaves_it(ray_engine):
    with open_engine("ray", workers=1) as engine:
        assert engine.workers == 1
    assert ray_engine.ray.is_initialized()
    with (
        pytest.raises(ArgumentError, match="connected to a Ray cluster already; leave --address out"),
        open_engine("ray", address="127.0.0.1:1") as engine,
    ):
        engine.run(abs, [-1], lambda piece, result: None)


def test_more_gpus_than_the_cluster_has_are_refused(ray_engine):
    with (
        pytest.raises(ArgumentError, match="a piece is to have 1 GPUs, but the cluster has 0; leave --gpus out"),
        open_engine("ray", gpus=1) as engine,
    ):
        engine.run(abs, [-1], lambda piece, result: None)


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(
            MissingExtraError, match=r"Ray is not installed; in your clone of Similitude: pip install '\.\[ray\]'"
        ),
        open_engine("ray"),
    ):
        pass


def test_a_cluster_that_starts_too_slowly_is_one_error(monkeypatch):
    from similitude.study.engines import ray_cluster

    def too_slow(**options):
        raise Exception("The current node timed out during startup. This could happen because ...")  # as Ray has it

    ray = ray_cluster.import_ray()
    monkeypatch.setattr(ray, "init", too_slow)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "shutdown", lambda: None)
    with (
        pytest.raises(RunError, match=r"Ray does not start on this machine: The current node timed out.*leave --eng"),
        open_engine("ray", workers=1) as engine,
    ):
        engine.run(abs, [-1], lambda piece, result: None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"address": "10.0.0.1:6379"}, "--address is for clusters; add --engine ray, or leave --address out"),
        ({"gpus": 1}, "--gpus is for clusters; add --engine ray, or leave --gpus out"),
        ({"workers": 0}, "0 workers can do nothing; give --workers 1 or more"),
    ],
)
def test_options_that_do_not_fit_the_engine_are_refused(options, message):
    with pytest.raises(ArgumentError) as caught, open_engine("local", **options):
        pass
    assert str(caught.value) == message


def test_an_unknown_engine_lists_the_known():
    with pytest.raises(UnknownNameError, match=r"no engine named 'rey'; did you mean 'ray'\? known: local, ray"):
        open_engine("rey")


ALONE = """
import os, sys, tempfile
from similitude.study.engines import open_engine

def children_of(process):
    table = [open(f"/proc/{name}/stat").read().rsplit(")", 1)[1].split() + [name]
             for name in os.listdir("/proc") if name.isdigit() and os.path.exists(f"/proc/{name}/stat")]
    below, found = [str(process)], []
    while below:
        above = below.pop()
        children = [line[-1] for line in table if line[1] == above]
        found, below = found + children, below + children
    return found

with open_engine("ray", workers=1) as engine:
    told = {}
    engine.run(abs, [-1, -2], told.__setitem__)
    print(sorted(told.items()))
    print(" ".join(children_of(os.getpid())))
    if "killed" in sys.argv:
        os.kill(os.getpid(), 9)
print(os.listdir(tempfile.gettempdir()))
"""
AGENTS = ("ray::DashboardAgent", "ray::RuntimeEnvAgent")
"""Ray's own, which end a minute after the process that started them was killed."""


@pytest.mark.slow
def test_a_cluster_of_our_own_leaves_neither_processes_nor_files(short_folder):
    shown = _run_alone(short_folder)
    assert shown.returncode == 0, shown.stderr
    assert shown.stderr == ""
    results, processes, files = shown.stdout.splitlines()
    assert results == "[(-2, 2), (-1, 1)]"
    assert len(processes.split()) >= 3  # GCS, raylet, a worker: there was something to leave behind
    assert not [each for each in processes.split() if _name_of(each)]
    assert files == "[]"


@pytest.mark.slow
def test_workers_end_when_the_process_that_started_them_is_killed(short_folder):
    shown = _run_alone(short_folder, "killed")
    assert shown.returncode == -signal.SIGKILL
    processes = shown.stdout.splitlines()[1].split()
    until = time.monotonic() + 30
    while left := [name for each in processes if (name := _name_of(each)) not in (None, *AGENTS)]:
        assert time.monotonic() < until, left
        time.sleep(0.2)


@pytest.fixture
def short_folder():
    """A folder for temporary files: names of sockets are short, and those of pytest's folders are not."""
    with tempfile.TemporaryDirectory(prefix="e-", ignore_cleanup_errors=True) as folder:
        yield folder


def _run_alone(folder: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": folder}
    command = [sys.executable, "-c", ALONE, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)


def _name_of(process: str) -> str | None:
    """The name of a process that lives."""
    try:
        about = Path(f"/proc/{process}/stat").read_text()
        name = Path(f"/proc/{process}/cmdline").read_text().strip("\0")
    except OSError:
        return None
    return None if about.rsplit(")", 1)[1].split()[0] == "Z" else name


def _fails_far_below(piece):
    def _far_below():
        raise ArgumentError("too deep")

    _far_below()


def _answers_elsewhere(mark):
    return Path("/nowhere/visible.tmp")


def _read_only(path):
    raise OSError(30, "Read-only file system")
