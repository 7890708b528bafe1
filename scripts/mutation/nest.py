"""A process that has collected the tests of one module, and forks a child for each of its mutants.

To start pytest and import tests takes longer than most tests, so it is done once for all mutants of a module. Only what
a test kills is decided here, and only if that test passes without a mutant: what survives, or does not end, is tried
once more in a process that begins anew. So are mutants of functions that ran as tests were collected. Files of tests
that start threads as they are imported are left out here, as a fork would lose the threads.
"""

import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import pytest

from mutation.child_time import ChildTime, limit, set_limit
from mutation.live_code import LiveFunctions
from mutation.mutants import Mutant
from mutation.survey import FirstFailure

MEMORY = 6 * 1024**3
Waiting = tuple[Mutant, list[str]]


@dataclass(slots=True)
class _Child:
    mutant: Mutant | None
    folder: Path
    time: ChildTime


class Nest:
    """A pytest plugin that tries mutants in place of the tests.

    Attributes:
        package: the folder of the room.
        waiting: the mutants, each with the tests that come by, the first to run first.
        live: the functions of the room.
        times: what each test took under watch.
        kill: told of a mutant and the test that killed it.
        is_time_over: whether no more are begun.
        jobs: how many children at a time.
    """

    def __init__(
        self,
        package: Path,
        waiting: Sequence[Waiting],
        live: LiveFunctions,
        times: Mapping[str, float],
        kill: Callable[[Mutant, str], None],
        is_time_over: Callable[[], bool],
        jobs: int,
    ) -> None:
        self._package, self._waiting, self._live, self._times = f"{package}/", waiting, live, times
        self._kill, self._is_time_over, self._jobs = kill, is_time_over, jobs
        self._ran: set[tuple[str, str]] = set()
        self._items: dict[str, pytest.Item] = {}
        self._sound: dict[str, bool] = {}
        self._killers: dict[str, Counter[str]] = defaultdict(Counter)

    def watch(self) -> None:
        """Notes the functions that run from now until the tests are collected."""
        sys.settrace(self._called)

    def _called(self, frame: FrameType, event: str, argument: object) -> None:
        if frame.f_code.co_filename.startswith(self._package):
            self._ran.add((frame.f_code.co_filename, frame.f_code.co_qualname.replace(".<locals>", "")))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of the tests."""
        sys.settrace(None)
        self._items = {item.nodeid: item for item in session.items}
        if threads() == 1:
            self._try_all(list(self._fit()))
        return True

    def _fit(self) -> Iterator[Waiting]:
        """The mutants that can be tried here, with the tests that can."""
        for mutant, tests in self._waiting:
            collected = [test for test in tests if test in self._items]
            if collected and (str(mutant.path), mutant.function) not in self._ran:
                yield mutant, collected

    def _try_all(self, waiting: list[Waiting]) -> None:
        children: dict[int, _Child] = {}
        waiting.reverse()
        while waiting or children:
            while waiting and len(children) < self._jobs and not self._is_time_over():
                children |= self._start(*waiting.pop())
            if not children:
                return
            self._collect(children)
            time.sleep(0.002)

    def _start(self, mutant: Mutant | None, tests: Sequence[str]) -> dict[int, _Child]:
        killers = self._killers[mutant.function if mutant else ""]
        ordered = sorted(tests, key=lambda test: -killers[test])
        folder = Path(tempfile.mkdtemp(prefix="mutant-"))
        child = os.fork()
        if child == 0:
            try:
                self._try(mutant, ordered, folder)
            finally:
                os._exit(0)
        return {child: _Child(mutant, folder, ChildTime(child))}

    def _try(self, mutant: Mutant | None, tests: Iterable[str], folder: Path) -> None:
        """In a child: puts the mutant in place and runs its tests; the name of one that fails goes into a file."""
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
        set_limit(limit(sum(self._times[test] for test in tests)))
        resource.setrlimit(resource.RLIMIT_AS, (address_space() + MEMORY, resource.RLIM_INFINITY))
        if mutant and not self._live.swap(mutant.path, mutant.tree()):
            return
        items = [self._items[test] for test in tests]
        items[0].config.pluginmanager.register(FirstFailure(folder / "killer"))
        for item in items:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _collect(self, children: dict[int, _Child]) -> None:
        for number, child in list(children.items()):
            ended = os.waitpid(number, os.WNOHANG)[0]
            if not ended and child.time.hangs():
                os.kill(number, signal.SIGKILL)
                ended = os.waitpid(number, 0)[0]
            if ended:
                del children[number]
                self._judge(child)

    def _judge(self, child: _Child) -> None:
        killer = _failed(child.folder)
        if child.mutant and killer and self._is_sound(killer):
            self._killers[child.mutant.function][killer] += 1
            self._kill(child.mutant, killer)

    def _is_sound(self, test: str) -> bool:
        """Whether a test passes here without a mutant."""
        if test not in self._sound:
            [(number, child)] = self._start(None, [test]).items()
            status = os.waitpid(number, 0)[1]
            self._sound[test] = not status and not _failed(child.folder)
        return self._sound[test]


class ThreadCheck:
    """A pytest plugin that ends the process in place of the tests: with 1 if collecting them has started threads."""

    def pytest_runtestloop(self) -> None:
        """In place of the tests."""
        os._exit(threads() > 1)


def threads() -> int:
    """How many threads this process has, those of libraries among them."""
    return len(list(Path("/proc/self/task").iterdir()))


def _failed(folder: Path) -> str:
    """The test that failed in a child; empty without one."""
    report = folder / "killer"
    test = report.read_text(encoding="utf-8") if report.exists() else ""
    shutil.rmtree(folder, ignore_errors=True)
    return test


def address_space() -> int:
    """Bytes that this process has mapped."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    return int(pages) * resource.getpagesize()
