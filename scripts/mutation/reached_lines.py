"""Which lines of a room each test comes by, and how long it takes."""

import hashlib
import json
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType

Lines = dict[str, set[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """What one test does.

    Attributes:
        test: a hash of its source.
        seconds: of computing, while it was watched.
        lines: the lines that ran, by file.
    """

    test: str
    seconds: float
    lines: Mapping[str, list[int]]


class ReachedFile:
    """What every test reaches, kept in a file while neither the room nor the test changes.

    Attributes:
        tests: what each test reaches.
        survey: what the last survey found; see `survey.Survey`.
    """

    def __init__(self, path: Path, package: Path) -> None:
        self._path = path
        self._package = sources_hash([package])
        kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"package": ""}
        current = kept["tests"] if kept["package"] == self._package else {}
        self.tests = {name: Reached(**fields) for name, fields in current.items()}
        self.survey: dict[str, object] = kept.get("survey", {})

    def missing(self, hashes: Mapping[str, str]) -> list[str]:
        """The tests that are new or changed."""
        return [name for name, test in hashes.items() if name not in self.tests or self.tests[name].test != test]

    def add(self, tests: Mapping[str, Reached], survey: Mapping[str, object]) -> None:
        """Keeps what more tests reach, and the survey that found them."""
        self.tests |= tests
        self.survey = dict(survey)
        fields = {name: asdict(reached) for name, reached in self.tests.items()}
        kept = {"package": self._package, "tests": fields, "survey": self.survey}
        self._path.write_text(json.dumps(kept), encoding="utf-8")

    def by_line(self, names: Iterable[str]) -> dict[tuple[str, int], set[str]]:
        """The tests among these that reach each line."""
        found: dict[tuple[str, int], set[str]] = defaultdict(set)
        for name in names:
            for file, lines in self.tests[name].lines.items():
                for line in lines:
                    found[file, line].add(name)
        return found


class Watch:
    """Records the lines below a folder that run."""

    def __init__(self, folder: Path) -> None:
        self._folder = f"{folder}/"
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
        lines = {file: sorted(reached) for file, reached in self._lines.items()}
        return Reached(test=test, seconds=time.process_time() - begun, lines=lines)

    def _called(self, frame: FrameType, event: str, argument: object):
        return self._ran if frame.f_code.co_filename.startswith(self._folder) else None

    def _ran(self, frame: FrameType, event: str, argument: object):
        self._lines[frame.f_code.co_filename].add(frame.f_lineno)
        return self._ran


def sources_hash(paths: Iterable[Path]) -> str:
    """A hash of the sources in some files and folders."""
    files = sorted(file for path in paths for file in (path.rglob("*.py") if path.is_dir() else [path]))
    return hashlib.sha256(b"".join(str(file).encode() + file.read_bytes() for file in files)).hexdigest()
