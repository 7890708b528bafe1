"""How long the children of the runner of mutants may take."""

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from mutation.child_time import ChildTime, limit, processor_seconds

pytestmark = pytest.mark.slow
LIMITED = """
import time
from mutation.child_time import set_limit
set_limit(0.5)
{work}
"""


@pytest.fixture
def begun() -> Iterator[list[subprocess.Popen]]:
    processes: list[subprocess.Popen] = []
    yield processes
    for process in processes:
        process.kill()
        process.wait()


def _begin(work: str, begun: list[subprocess.Popen]) -> int:
    begun.append(subprocess.Popen([sys.executable, "-c", work]))
    return begun[-1].pid


def _hangs_within(child: ChildTime, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if child.hangs():
            return True
        time.sleep(0.05)
    return False


def test_one_that_computes_does_not_hang(begun: list[subprocess.Popen]):
    process = _begin("while True: pass", begun)
    child = ChildTime(process, still=0)
    while processor_seconds(process) < 0.2:
        time.sleep(0.05)
    assert not child.hangs()  # by the clock it has long been more than nothing


def test_one_that_waits_hangs(begun: list[subprocess.Popen]):
    process = _begin("import time; time.sleep(600)", begun)
    assert _hangs_within(ChildTime(process, still=2), 60)


def test_one_that_is_gone_has_computed_nothing(begun: list[subprocess.Popen]):
    process = _begin("pass", begun)
    begun[0].wait()
    assert processor_seconds(process) == 0


def test_the_limit_is_ten_seconds_and_ten_times_the_tests():
    assert limit(0) == 10
    assert limit(1.5) == 25


@pytest.mark.parametrize(
    ("work", "status"),
    [
        ("while True: pass", -24),  # SIGXCPU
        ("time.sleep(3)", 0),  # three seconds by the clock are nothing to the processor
    ],
)
def test_only_time_of_the_processor_counts(work: str, status: int):
    done = subprocess.run([sys.executable, "-c", LIMITED.format(work=work)], env={"PYTHONPATH": "scripts"})
    assert done.returncode == status
