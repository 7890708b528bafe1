"""The tests of a room: what there is, and which lines the new ones come by."""

import hashlib
import inspect
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import pytest

from mutation.reached_lines import Reached, ReachedFile, Watch, sources_hash


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A package and the tests that are to notice its mutants.

    Attributes:
        root: the repository.
        source: the folder on the import path.
        package: the room's folder, below source.
        tests: what pytest is asked to collect: files and folders.
    """

    root: Path
    source: Path
    package: Path
    tests: tuple[str, ...]


class FirstFailure:
    """Writes the name of the first test that fails, and ends the process."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hears what came of each test."""
        if report.failed:
            self.say(report.nodeid)

    def say(self, test: str) -> None:
        """Ends the process with this name."""
        self._path.write_text(test, encoding="utf-8")
        os._exit(1)


class Survey:
    """A pytest plugin that lists the tests, and runs those that are new or changed under watch.

    Attributes:
        hashes: the tests, each with a hash of its source.
        imported: the modules that collecting and running them imported, but for the tests themselves.
    """

    def __init__(self, room: Room, reached: ReachedFile, is_time_over: Callable[[], bool], report: Path) -> None:
        self._reached, self._is_time_over, self._report = reached, is_time_over, report
        self._package, self._root, self._folder = room.package, room.root, room.root / "tests"
        self._sources = sources_hash([room.package, *room.tests, *room.root.glob("tests/conftest.py")], room.root)
        self.hashes: dict[str, str] = {}
        self.imported: list[str] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In a child, in place of the tests."""
        hashes = {item.nodeid: _test_hash(item) for item in session.items}
        session.config.pluginmanager.register(FirstFailure(self._report.with_name("failed")))
        new = set(self._reached.missing(hashes))
        watched = self._watched([item for item in session.items if item.nodeid in new], hashes)
        imported = [name for name, module in sys.modules.items() if not _is_below(self._folder, module)]
        found = {"hashes": hashes, "watched": watched, "imported": imported}
        self._report.write_text(json.dumps(found), encoding="utf-8")
        return True

    def _watched(self, items: Sequence[pytest.Item], hashes: dict[str, str]) -> dict[str, object]:
        """What these tests reach, as far as there is time."""
        watch, found = Watch(self._package, self._root), {}
        for item in items:
            if not self._is_time_over():
                run = partial(item.config.hook.pytest_runtest_protocol, item=item, nextitem=None)
                found[item.nodeid] = asdict(watch(run, hashes[item.nodeid]))
        return found

    def read(self) -> None:
        """In the parent: what the child wrote.

        Raises:
            SystemExit: a test fails, or the tests cannot be collected.
        """
        failed = self._report.with_name("failed")
        if not self._report.exists():
            name = failed.read_text(encoding="utf-8") if failed.exists() else "while tests are collected"
            raise SystemExit(f"without any mutant, the tests of {self._package.name} fail: {name}")
        found = json.loads(self._report.read_text(encoding="utf-8"))
        watched = {name: Reached(**fields) for name, fields in found.pop("watched").items()}
        self._reached.add(watched, {"sources": self._sources, **found})
        self.remember()

    def remember(self) -> bool:
        """What an earlier survey of the same sources found; whether there is one, and nothing is left to watch."""
        kept = self._reached.survey
        if kept.get("sources") != self._sources:
            return False
        self.hashes, self.imported = kept["hashes"], kept["imported"]
        return not self._reached.missing(self.hashes)


def _is_below(folder: Path, module: object) -> bool:
    file = getattr(module, "__file__", None)
    return bool(file) and Path(file).is_relative_to(folder)


def _test_hash(item: pytest.Item) -> str:
    function = getattr(item, "function", None)
    source = inspect.getsource(function) if function else repr(getattr(item, "dtest", None) and item.dtest.docstring)
    return hashlib.sha256(source.encode()).hexdigest()[:16]
