"""What came of each mutant, kept in a file, so that a run goes on where an earlier one was stopped.

A mutant that was killed stays killed while its function and the test that killed it are unchanged. One that survived
is tried again as soon as a test that reaches it is new or changed.
"""

import ast
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from mutation.mutants import Mutant

Status = Literal["killed", "timeout", "survived", "unreached"]
NOTICED = ("killed", "timeout")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What came of one mutant.

    Attributes:
        status: killed by a test; timeout: stopped after too long, which counts as killed; survived; or unreached: no
            test of the room comes by.
        killer: the test that failed; empty without one.
        tests: a hash of the tests on which this rests: of the killer, or of all that reach the mutant.
    """

    status: Status
    killer: str = ""
    tests: str = ""


class VerdictFile:
    """Verdicts by mutant, appended to a file of JSON lines."""

    def __init__(self, path: Path, fresh: bool = False) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        if fresh:
            path.unlink(missing_ok=True)
        self._verdicts: dict[str, Verdict] = {}
        self.read()

    def read(self) -> None:
        """Reads what other processes have added."""
        if self._path.exists():
            self._verdicts |= map(_read, self._path.read_text(encoding="utf-8").splitlines())

    def add(self, mutant: Mutant, verdict: Verdict) -> None:
        """Keeps a verdict at once: a run that is stopped loses none."""
        self._verdicts[key(mutant)] = verdict
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key(mutant), **asdict(verdict)}) + "\n")

    def find(self, mutant: Mutant, reaching: Sequence[str], hashes: Mapping[str, str]) -> Verdict | None:
        """The kept verdict, where what it rests on is unchanged."""
        verdict = self._verdicts.get(key(mutant))
        if verdict is None:
            return None
        rests_on = [verdict.killer] if verdict.killer else reaching
        return verdict if verdict.tests == tests_hash(rests_on, hashes) else None

    def killer(self, mutant: Mutant) -> str:
        """The test that killed it before; empty without one."""
        verdict = self._verdicts.get(key(mutant))
        return verdict.killer if verdict else ""


def _read(line: str) -> tuple[str, Verdict]:
    fields = json.loads(line)
    return fields.pop("key"), Verdict(**fields)


def tests_hash(tests: Sequence[str], hashes: Mapping[str, str]) -> str:
    """One hash of several tests."""
    return _hash("".join(f"{test}{hashes.get(test, '')}" for test in sorted(tests)))


@cache
def key(mutant: Mutant) -> str:
    """A name of the mutant that stays as long as its function does, wherever it moves in the file."""
    function, first = _function(mutant)
    change = (mutant.line - first, mutant.before, mutant.after, mutant.variant)
    return _hash(f"{mutant.path.name}{mutant.function}{function}{change}")


def _function(mutant: Mutant) -> tuple[str, int]:
    """The source around the mutant, and its first line: of its function, or of its statement outside of all."""
    for name, first, last, source in _functions(mutant.path) if mutant.function else ():
        if first <= mutant.line <= last and mutant.function.endswith(name):
            return source, first
    return mutant.before, mutant.line


@cache
def _functions(path: Path) -> list[tuple[str, int, int, str]]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    return [(node.name, node.lineno, node.end_lineno or node.lineno, ast.unparse(node)) for node in functions]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]
