"""The tests of a room against one mutant after another, each in a process of its own.

A first child collects the room's tests and watches the new ones. The parent only imports what they import: it collects
and runs nothing, so that no thread (polars has many) and no cache stands in the way of its children. Then each mutant
gets a fork, in which the mutant is put in place and only the tests that come by its lines run, the likeliest to fail
first, until one fails. First it is forked from a process that has collected the tests of its module (nest.py), and if
none kills it there, from the parent.
"""

import ast
import importlib
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from itertools import chain
from pathlib import Path

import pytest

from mutation.child_time import ChildTime, limit, set_limit
from mutation.live_code import LiveFunctions, import_changed
from mutation.mutants import Mutant
from mutation.nest import MEMORY, Nest, ThreadCheck, Waiting, address_space
from mutation.reached_lines import ReachedFile
from mutation.survey import FirstFailure, Room, Survey
from mutation.verdicts import Verdict, VerdictFile, tests_hash

# What pytest would rewrite is imported long before a child asks for it, and need not be rewritten.
UNWRITTEN = "ignore::pytest.PytestAssertRewriteWarning"
# Nobody reads why a test fails, so its asserts need not be rewritten, which takes longer than most tests.
OPTIONS = ("-q", "-x", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", UNWRITTEN)
LIKELIEST = 4
FEW = 5
"""So many mutants of a module are worth a process that collects its tests."""
TRIES = 2
"""How often a mutant is begun whose child is killed from outside, as where memory ends; then it has no verdict."""
PATIENCE = 120
"""Seconds beyond its time after which a child that watches tests is taken to hang."""
Heard = Callable[[int, int, Mutant, Verdict], None]


@dataclass(slots=True)
class _Child:
    mutant: Mutant
    tests: list[str]
    folder: Path
    time: ChildTime
    is_ended: bool = False


@dataclass
class MutantRun:
    """The mutants of one room, and what came of them.

    Attributes:
        room: the package and its tests.
        mutants: the changes to try.
        verdicts: where their verdicts are kept.
        reached: where the lines that tests reach are kept.
        jobs: how many processes at a time.
        seconds: after how long no new test is watched and no new mutant begun.
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
        """Tries the mutants; returns the verdicts, of as many as there was time for."""
        self._begun = time.monotonic()
        survey = self._survey()
        self._hashes = survey.hashes
        if self.reached.missing(self._hashes):  # no time was left for some
            return self.results
        self._lines = self.reached.by_line(self._hashes)
        self._times = {name: self.reached.tests[name].seconds for name in self._hashes}
        _import_all(survey.imported)
        self._live = LiveFunctions(self.room.package)
        self._killers: dict[tuple[Path, str], Counter[str]] = defaultdict(Counter)
        self._control()
        self._run_nests()
        self._run_all()
        return self.results

    def _control(self) -> None:
        """Runs a few quick tests in a child without any mutant.

        Raises:
            SystemExit: they fail, as every mutant would seem to be killed.
        """
        tests = sorted(self._hashes, key=lambda test: self._times[test])[:20]
        child = _fork()
        if child == 0:
            _leave(lambda: os._exit(int(self._run_tests(tests))))
        if os.waitpid(child, 0)[1]:
            raise SystemExit(f"without any mutant, tests of {self.room.package.name} fail in a child")

    def _run_tests(self, tests: Sequence[str], *plugins: object) -> int:
        named = [str(self.room.root / test) for test in tests]
        return pytest.main([*self._options, *named], plugins=plugins)

    def _survey(self) -> Survey:
        """What tests there are; what new ones reach is kept."""
        with tempfile.TemporaryDirectory() as folder:
            survey = Survey(self.room, self.reached, self._is_time_over, Path(folder) / "survey.json")
            if survey.remember():
                return survey
            child = _fork()
            if child == 0:
                _leave(lambda: pytest.main([*self._options, *self.room.tests], plugins=[survey]))
            _wait(child, time.monotonic() + min(self.seconds, 1e6) + PATIENCE)
            survey.read()
            return survey

    @property
    def _options(self) -> list[str]:
        return [*OPTIONS, "--rootdir", str(self.room.root)]

    def _is_time_over(self) -> bool:
        return time.monotonic() - self._begun > self.seconds

    def _run_nests(self) -> None:
        """The mutants of one module after the other, in processes that collect its tests once."""
        modules = self._by_module()
        quiet = {file for file in _files(chain.from_iterable(modules)) if self._is_quiet(file)}
        for mutants in modules:
            if self._is_time_over():
                return
            child = _fork()
            if child == 0:
                _leave(lambda waiting=mutants: self._nest(waiting, quiet))
            os.waitpid(child, 0)
            self.verdicts.read()

    def _by_module(self) -> list[list[Waiting]]:
        """The mutants that have to run and need no module imported anew."""
        found: dict[Path, list[Waiting]] = defaultdict(list)
        for mutant, tests in reversed(list(self._undecided())):
            if not mutant.is_imported:
                found[mutant.path].append((mutant, tests))
        return [mutants for mutants in found.values() if len(mutants) >= FEW]

    def _is_quiet(self, file: str) -> bool:
        """Whether a file of tests starts no threads as it is collected."""
        child = _fork()
        if child == 0:
            os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
            _leave(lambda: os._exit(self._run_tests([file], ThreadCheck()) or 1))
        return not os.waitpid(child, 0)[1]

    def _nest(self, waiting: list[Waiting], quiet: set[str]) -> None:
        """In a child: collects the tests of these mutants, and tries those."""
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        nest = Nest(self.room.package, waiting, self._live, self._times, self._killed, self._is_time_over, self.jobs)
        if files := sorted(_files(waiting) & quiet):
            nest.watch()
            self._run_tests(files, nest)

    def _killed(self, mutant: Mutant, test: str) -> None:
        self.verdicts.add(mutant, Verdict(status="killed", killer=test, tests=tests_hash([test], self._hashes)))

    def _run_all(self) -> None:
        waiting = list(self._undecided())
        begun: Counter[Mutant] = Counter()
        children: dict[int, _Child] = {}
        while waiting or children:
            while waiting and len(children) < self.jobs and not self._is_time_over():
                begun[waiting[-1][0]] += 1
                children |= self._start(*waiting.pop())
            if not children:
                return
            again = self._collect(children)
            waiting[:0] = [(child.mutant, child.tests) for child in again if begun[child.mutant] < TRIES]

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
        """The tests that come by, those named after the module first, and then the quick ones."""
        if mutant.is_imported:
            return self._reaching_module(mutant.path)
        first, last = mutant.statement
        found = set().union(*(self._lines.get((str(mutant.path), line), set()) for line in range(first, last + 1)))
        return sorted(
            found, key=lambda test: (mutant.path.stem not in test.partition("::")[0], self._times[test], test)
        )

    def _reaching_module(self, path: Path) -> list[str]:
        """The tests of a module's functions and of those of the modules that import it."""
        importers = _importers(self.room.package, path.stem) | {str(path)}
        found = {test for (file, _), tests in self._lines.items() if file in importers for test in tests}
        return sorted(found, key=lambda test: (self._times[test], test))

    def _start(self, mutant: Mutant, tests: list[str]) -> dict[int, _Child]:
        killers = self._killers[mutant.path, mutant.function]
        before = self.verdicts.killer(mutant)
        ordered = sorted(tests, key=lambda test: (test != before, -killers[test]))
        seconds = limit(sum(self._times[test] for test in ordered))
        folder = Path(tempfile.mkdtemp(prefix="mutant-"))
        child = _fork()
        if child == 0:
            _leave(lambda: self._try(mutant, ordered, folder, seconds))
        return {child: _Child(mutant, ordered, folder, ChildTime(child))}

    def _collect(self, children: dict[int, _Child]) -> list[_Child]:
        """Judges the children that have ended, and ends those that hang; returns those that others have killed."""
        again = []
        for number, child in list(children.items()):
            ended, status = os.waitpid(number, os.WNOHANG)
            if not ended and child.time.hangs():
                child.is_ended = True
                os.kill(number, signal.SIGKILL)
                ended, status = os.waitpid(number, 0)
            if ended:
                del children[number]
                again += [] if self._judge(child, status) else [child]
        time.sleep(0.002)
        return again

    def _judge(self, child: _Child, status: int) -> bool:
        """Notes what came of a child; whether that says something about its mutant."""
        report = child.folder / "killer"
        killer = report.read_text(encoding="utf-8") if report.exists() else ""
        shutil.rmtree(child.folder, ignore_errors=True)
        if not killer and not child.is_ended and _is_killed(status):
            return False
        if killer:
            self._killers[child.mutant.path, child.mutant.function][killer] += 1
            verdict = Verdict(status="killed", killer=killer, tests=tests_hash([killer], self._hashes))
        else:
            kind = "timeout" if os.WIFSIGNALED(status) else "killed" if status else "survived"
            verdict = Verdict(status=kind, tests=tests_hash(child.tests, self._hashes))
        self.verdicts.add(child.mutant, verdict)
        self._note(child.mutant, verdict)
        return True

    def _note(self, mutant: Mutant, verdict: Verdict) -> None:
        self.results[mutant] = verdict
        self.heard(len(self.results), len(self.mutants), mutant, verdict)

    def _try(self, mutant: Mutant, tests: list[str], folder: Path, seconds: float) -> None:
        """In a child: puts the mutant in place and runs its tests; the name of one that fails goes into a file."""
        os.environ |= {"PYTEST_DEBUG_TEMPROOT": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        set_limit(seconds)
        resource.setrlimit(resource.RLIMIT_AS, (address_space() + MEMORY, resource.RLIM_INFINITY))
        failed = FirstFailure(folder / "killer")
        tree = mutant.tree()
        if mutant.is_imported or not self._live.swap(mutant.path, tree):
            import_changed(mutant.path, tree, self.room.source, (self.room.source, self.room.root / "tests"))
        for batch in (tests[:LIKELIEST], tests[LIKELIEST:]):  # most die early, before other files are collected
            if batch and self._run_tests(batch, failed):
                failed.say(batch[0])


def _files(waiting: Iterable[Waiting]) -> set[str]:
    """The files of the tests of some mutants."""
    return {test.partition("::")[0] for _, tests in waiting for test in tests}


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


def _is_killed(status: int) -> bool:
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _wait(child: int, deadline: float) -> None:
    """Waits for a child to end, and ends it when its time is over."""
    while not os.waitpid(child, os.WNOHANG)[0]:
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.05)


def _import_all(names: Sequence[str]) -> None:
    """Imports what the tests need, once for all children.

    Not the plugins of pytest, which children do without: that of hypothesis would wait for a session to begin, and
    every test that draws examples would fail.
    """
    plugins = {plugin.module for plugin in entry_points(group="pytest11")}
    for name in (name for name in names if name not in plugins):
        with suppress(Exception):
            importlib.import_module(name)


@cache
def _importers(package: Path, stem: str) -> frozenset[str]:
    return frozenset(str(path) for path in package.rglob("*.py") if stem in _imported(path))


@cache
def _imported(path: Path) -> frozenset[str]:
    """The last names of the modules from which a module imports."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return frozenset((node.module or "").rpartition(".")[2] for node in nodes if isinstance(node, ast.ImportFrom))
