"""Mutants that someone looked at and found to change no result: equivalent/ROOM.toml.

An entry names its mutant by what the runner prints of it, not by its line, so that it stays as code moves. It is stale
when no mutant is like it any more, or when a test notices the one that is.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mutation.mutants import Mutant
from mutation.verdicts import NOTICED, Verdict

Name = tuple[str, str, str, str]
FIELDS = {"module", "function", "before", "after", "why"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalent:
    """A mutant that no test can notice.

    Attributes:
        module: its file, below the package.
        function: its function, by the qualified name; empty outside of all.
        before: the statement as it is.
        after: the statement as it becomes.
        why: the reason, in a sentence.
    """

    module: str
    function: str
    before: str
    after: str
    why: str

    @property
    def name(self) -> Name:
        """What it shares with its mutant."""
        return self.module, self.function, self.before, self.after


def read_equivalents(path: Path) -> list[Equivalent]:
    """The entries of a file; none where there is no file.

    Raises:
        SystemExit: an entry lacks a field, has one too many or an empty reason, or stands there twice.
    """
    tables = tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", []) if path.exists() else []
    for number, table in enumerate(tables, start=1):
        if table.keys() != FIELDS or not table["why"].strip():
            raise SystemExit(f"{path}: entry {number} must have {', '.join(sorted(FIELDS))}, none else, and say why")
    found = [Equivalent(**table) for table in tables]
    if twice := [entry for number, entry in enumerate(found) if entry.name in {one.name for one in found[:number]}]:
        raise SystemExit(f"{path}: listed twice: {twice[0].module} {twice[0].function}: {twice[0].after}")
    return found


class Equivalents:
    """The entries of a room, beside the mutants of that room."""

    def __init__(self, entries: Sequence[Equivalent], package: Path) -> None:
        self._package = package
        self._entries = {entry.name: entry for entry in entries}

    def find(self, mutant: Mutant) -> Equivalent | None:
        """The entry of a mutant."""
        return self._entries.get(self._name(mutant))

    def stale(self, mutants: Iterable[Mutant], results: Mapping[Mutant, Verdict]) -> list[tuple[Equivalent, str]]:
        """The entries that say what is no longer so, with the reason.

        Args:
            mutants: all of the room.
            results: the verdicts that there are.
        """
        alike: dict[Name, list[Mutant]] = defaultdict(list)
        for mutant in mutants:
            alike[self._name(mutant)].append(mutant)
        reasons = [(entry, _staleness(alike[name], results)) for name, entry in self._entries.items()]
        return [(entry, reason) for entry, reason in reasons if reason]

    def _name(self, mutant: Mutant) -> Name:
        module = mutant.path.relative_to(self._package).as_posix()
        return module, mutant.function, mutant.before, mutant.after


def _staleness(alike: Sequence[Mutant], results: Mapping[Mutant, Verdict]) -> str:
    """Why an entry with these mutants is stale; empty if it is not, or as long as one of them was not tried."""
    if not alike:
        return "no mutant is like it"
    verdicts = [results.get(mutant) for mutant in alike]
    noticed = [verdict for verdict in verdicts if verdict and verdict.status in NOTICED]
    return f"noticed by {noticed[0].killer or 'a test that did not end'}" if len(noticed) == len(alike) else ""
