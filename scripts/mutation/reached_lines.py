"""Which lines of a room each test comes by, and how long it takes."""

import hashlib
import json
import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from types import FrameType

Lines = dict[str, set[int]]

LAYOUT = 3
"""Of the file in which reached lines are kept; another one is not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """What one test does.

    Attributes:
        test: a hash of its source.
        seconds: of computing, while it was watched.
        lines: the lines that ran, by file; files are named below the root, so that a checkout may move.
        files: a hash of those files, as they were then.
    """

    test: str
    seconds: float
    lines: Mapping[str, list[int]]
    files: str

    def is_of(self, test: str, root: Path) -> bool:
        """Whether neither the test nor what it reaches has changed."""
        return self.test == test and self.files == sources_hash((root / file for file in self.lines), root)


class ReachedFile:
    """What every test reaches, kept in a file.

    Attributes:
        tests: what each test reaches.
        survey: what the last survey found; see `survey.Survey`.
    """

    def __init__(self, path: Path, root: Path) -> None:
        self._path, self._root = path, root
        kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if kept.get("layout") != LAYOUT:
            kept = {"tests": {}, "survey": {}}
        self.tests = {name: Reached(**fields) for name, fields in kept["tests"].items()}
        self.survey: dict[str, object] = kept["survey"]

    def missing(self, hashes: Mapping[str, str]) -> list[str]:
        """The tests that are new, or changed, or reach something that has changed."""
        return [name for name, test in hashes.items() if not self._is_known(name, test)]

    def _is_known(self, name: str, test: str) -> bool:
        return name in self.tests and self.tests[name].is_of(test, self._root)

    def add(self, tests: Mapping[str, Reached], survey: Mapping[str, object]) -> None:
        """Keeps what more tests reach, and the survey that found them."""
        self.tests |= tests
        self.survey = dict(survey)
        fields = {name: asdict(reached) for name, reached in self.tests.items()}
        self._path.write_text(json.dumps({"layout": LAYOUT, "tests": fields, "survey": self.survey}), encoding="utf-8")

    def by_line(self, names: Iterable[str]) -> dict[tuple[str, int], set[str]]:
        """The tests among these that reach each line; files by their whole path."""
        found: dict[tuple[str, int], set[str]] = defaultdict(set)
        for name in names:
            for file, lines in self.tests[name].lines.items():
                path = str(self._root / file)
                for line in lines:
                    found[path, line].add(name)
        return found


class Watch:
    """Records the lines below a folder that run."""

    def __init__(self, folder: Path, root: Path) -> None:
        self._folder, self._root = f"{folder}/", root
        self._lines: Lines = {}

    def __call__(self, work: Callable[[], object], test: str) -> Reached:
        """What a piece of work reaches."""
        self._lines = defaultdict(set)
        before = sys.gettrace()
        begun = time.process_time()
        threading.settrace(self._called)
        sys.settrace(self._called)
        try:
            work()
        finally:
            sys.settrace(before)
            threading.settrace(None)  # type: ignore[arg-type]
        seconds = time.process_time() - begun
        lines = {_below(Path(file), self._root): sorted(reached) for file, reached in self._lines.items()}
        return Reached(test=test, seconds=seconds, lines=lines, files=sources_hash(self._lines, self._root))

    def _called(self, frame: FrameType, event: str, argument: object):
        return self._ran if frame.f_code.co_filename.startswith(self._folder) else None

    def _ran(self, frame: FrameType, event: str, argument: object):
        self._lines[frame.f_code.co_filename].add(frame.f_lineno)
        return self._ran


def sources_hash(paths: Iterable[str | Path], root: Path) -> str:
    """A hash of the sources in some files and folders, and of where they lie below the root."""
    files = sorted(file for path in map(Path, paths) for file in (path.rglob("*.py") if path.is_dir() else [path]))
    hashes = (f"{_below(file, root)}{_file_hash(file)}" for file in files)
    return hashlib.sha256("".join(hashes).encode()).hexdigest()[:24]


def _below(path: Path, root: Path) -> str:
    return Path(os.path.relpath(path, root)).as_posix()


@cache
def _file_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes() if path.exists() else b"").hexdigest()
