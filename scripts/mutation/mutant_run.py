"""The tests of a room against one mutant after another, each in a process of its own.

pytest collects the room's tests once. Then each mutant gets a fork of that process, in which the mutant is put in
place and only the tests that come by its lines run, the likeliest to fail first, until one fails. The parent itself
runs no test, so that no thread and no cache stands in the way of its children.
"""

import ast
import hashlib
import inspect
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from pathlib import Path

import pytest

from mutation.live_code import LiveFunctions, import_changed
from mutation.mutants import Mutant
from mutation.reached_lines import Reached, ReachedFile, Watch
from mutation.verdicts import Verdict, VerdictFile, tests_hash

OPTIONS = ("-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly")
MEMORY = 6 * 1024**3
Heard = Callable[[int, int, Mutant, Verdict], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A package and the tests that are to notice its mutants.

    Attributes:
        root: the repository.
        source: the folder on the import path.
        package: the room's folder, below source.
        tests: what pytest is asked to collect.
    """

    root: Path
    source: Path
    package: Path
    tests: tuple[str, ...]


@dataclass(slots=True)
class _Child:
    mutant: Mutant
    tests: list[str]
    folder: Path
    deadline: float


@dataclass
class MutantRun:
    """A pytest plugin that runs mutants in place of the tests.

    Attributes:
        room: the package and its tests.
        mutants: the changes to try.
        verdicts: where their verdicts are kept.
        reached: where the lines that tests reach are kept.
        jobs: how many processes at a time.
        seconds: after how long no new mutant is begun.
        heard: told of each verdict, with how many there are and will be.
        results: each mutant's verdict.
    """

    room: Room
    mutants: Sequence[Mutant]
    verdicts: VerdictFile
    reached: ReachedFile
    jobs: int = 1
    seconds: float = float("inf")
    heard: Heard = lambda done, total, mutant, verdict: None
    results: dict[Mutant, Verdict] = field(default_factory=dict)

    def __call__(self) -> dict[Mutant, Verdict]:
        """Runs pytest with this plugin; returns the verdicts."""
        arguments = [*OPTIONS, "--rootdir", str(self.room.root), *self.room.tests]
        code = pytest.main(arguments, plugins=[self])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            raise SystemExit(f"the tests of {self.room.package.name} fail without any mutant: mend them first")
        return self.results

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """The mutants, in place of the tests."""
        self._items = {item.nodeid: item for item in session.items}
        self._begun = time.monotonic()
        self._hashes = {name: _test_hash(item) for name, item in self._items.items()}
        self._watch_new_tests()
        self._lines = self.reached.by_line(self._items)
        self._times = {name: self.reached.tests[name].seconds for name in self._items}
        self._live = LiveFunctions(self.room.package)
        self._killers: dict[tuple[Path, str], Counter[str]] = defaultdict(Counter)
        self._run_all()
        return True

    def _watch_new_tests(self) -> None:
        """Runs the tests that are new or changed, in a child, and keeps what they reach."""
        names = self.reached.missing(self._hashes)
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "reached.json"
            child = _fork()
            if child == 0:
                items = [self._items[name] for name in names]
                _leave(lambda: _report_reached(items, self._hashes, self.room.package, report))
            _, status = os.waitpid(child, 0)
            failed = report.with_name("failed")
            if status:
                raise pytest.UsageError(
                    f"without any mutant, a test fails: {failed.read_text() if failed.exists() else '?'}"
                )
            self.reached.add({name: Reached(**fields) for name, fields in json.loads(report.read_text()).items()})

    def _run_all(self) -> None:
        waiting = list(self._undecided())
        children: dict[int, _Child] = {}
        while waiting or children:
            while waiting and len(children) < self.jobs and time.monotonic() - self._begun < self.seconds:
                child = self._start(*waiting.pop())
                children |= child
            if not children:
                return
            self._collect(children)

    def _undecided(self) -> Iterator[tuple[Mutant, list[str]]]:
        """The mutants that have to run, the last first, with the tests that reach them."""
        for mutant in reversed(self.mutants):
            tests = self._reaching(mutant)
            verdict = self.verdicts.find(mutant, tests, self._hashes) if tests else Verdict(status="unreached")
            if verdict is None:
                yield mutant, tests
            else:
                self._note(mutant, verdict)

    def _reaching(self, mutant: Mutant) -> list[str]:
        if mutant.is_imported:
            return self._reaching_module(mutant.path)
        first, last = mutant.statement
        found = set().union(*(self._lines.get((str(mutant.path), line), set()) for line in range(first, last + 1)))
        return sorted(found, key=lambda test: (self._times[test], test))

    def _reaching_module(self, path: Path) -> list[str]:
        """The tests of a module's functions and of those of the modules that import it."""
        importers = _importers(self.room.package, path.stem) | {str(path)}
        found = {test for (file, _), tests in self._lines.items() if file in importers for test in tests}
        return sorted(found, key=lambda test: (self._times[test], test))

    def _start(self, mutant: Mutant, tests: list[str]) -> dict[int, _Child]:
        killers = self._killers[mutant.path, mutant.function]
        before = self.verdicts.killer(mutant)
        ordered = sorted(tests, key=lambda test: (test != before, -killers[test]))
        seconds = 2 + 10 * sum(self._times[test] for test in ordered)
        folder = Path(tempfile.mkdtemp(prefix="mutant-"))
        child = _fork()
        if child == 0:
            _leave(lambda: self._try(mutant, ordered, folder, seconds))
        return {child: _Child(mutant, ordered, folder, time.monotonic() + 6 * seconds)}

    def _collect(self, children: dict[int, _Child]) -> None:
        """Waits for a child to end, or ends those whose time is over."""
        for number, child in list(children.items()):
            ended, status = os.waitpid(number, os.WNOHANG)
            if not ended and time.monotonic() > child.deadline:
                os.kill(number, signal.SIGKILL)
                ended, status = os.waitpid(number, 0)
            if ended:
                del children[number]
                self._judge(child, status)
        time.sleep(0.002)

    def _judge(self, child: _Child, status: int) -> None:
        report = child.folder / "killer"
        killer = report.read_text(encoding="utf-8") if report.exists() else ""
        shutil.rmtree(child.folder, ignore_errors=True)
        if killer:
            self._killers[child.mutant.path, child.mutant.function][killer] += 1
            verdict = Verdict(status="killed", killer=killer, tests=tests_hash([killer], self._hashes))
        else:
            kind = "timeout" if os.WIFSIGNALED(status) else "killed" if status else "survived"
            verdict = Verdict(status=kind, tests=tests_hash(child.tests, self._hashes))
        self.verdicts.add(child.mutant, verdict)
        self._note(child.mutant, verdict)

    def _note(self, mutant: Mutant, verdict: Verdict) -> None:
        self.results[mutant] = verdict
        self.heard(len(self.results), len(self.mutants), mutant, verdict)

    def _try(self, mutant: Mutant, tests: list[str], folder: Path, seconds: float) -> None:
        """In a child: puts the mutant in place and runs its tests; the name of one that fails goes into a file."""
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (_address_space() + MEMORY, resource.RLIM_INFINITY))
        failed = _FirstFailure(folder / "killer")
        tree = mutant.tree()
        if not mutant.is_imported and self._live.swap(mutant.path, tree):
            items = [self._items[test] for test in tests]
            items[0].config.pluginmanager.register(failed)
            _run_items(items)
            return
        import_changed(mutant.path, tree, self.room.source, (self.room.source, self.room.root / "tests"))
        named = [str(self.room.root / test) for test in tests]
        if pytest.main([*OPTIONS, "--rootdir", str(self.room.root), *named], plugins=[failed]):
            failed.say(tests[0])


class _FirstFailure:
    """Writes the name of the first test that fails, and ends the process."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.say(report.nodeid)

    def say(self, test: str) -> None:
        self._path.write_text(test, encoding="utf-8")
        os._exit(1)


def _fork() -> int:
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # later Pythons warn of threads, of which the parent has none
        return os.fork()


def _leave(work: Callable[[], None]) -> None:
    """In a child: does the work in silence, and ends without what pytest would do at its end."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        work()
    except BaseException:
        os._exit(1)
    os._exit(0)


def _run_items(items: Sequence[pytest.Item]) -> None:
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _report_reached(items: Sequence[pytest.Item], hashes: Mapping[str, str], folder: Path, report: Path) -> None:
    """In a child: runs tests under watch, and writes what they reach."""
    if items:
        items[0].config.pluginmanager.register(_FirstFailure(report.with_name("failed")))
    watch = Watch(folder)
    found = {item.nodeid: asdict(watch(partial(_run_items, [item]), hashes[item.nodeid])) for item in items}
    report.write_text(json.dumps(found), encoding="utf-8")


def _test_hash(item: pytest.Item) -> str:
    function = getattr(item, "function", None)
    source = inspect.getsource(function) if function else repr(getattr(item, "dtest", None) and item.dtest.docstring)
    return hashlib.sha256(source.encode()).hexdigest()[:16]


@cache
def _importers(package: Path, stem: str) -> frozenset[str]:
    return frozenset(str(path) for path in package.rglob("*.py") if stem in _imported(path))


@cache
def _imported(path: Path) -> frozenset[str]:
    """The last names of the modules from which a module imports."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return frozenset((node.module or "").rpartition(".")[2] for node in nodes if isinstance(node, ast.ImportFrom))


def _address_space() -> int:
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    return int(pages) * resource.getpagesize()
