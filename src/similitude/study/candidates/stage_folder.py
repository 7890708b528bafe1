"""The folder of one stage: what the stage depends on, its finished pieces, and its result.

::

    4-vectors/
      stage.json     the key (all that the stage depends on) and, once it is finished, its result
      vectors.npy    what the stage makes
      unfinished/    what is needed to go on; deleted when the stage is finished
        pieces/      one record for each finished piece, written after the piece's own files

A stage whose key is unchanged is not run again; one that was begun goes on with the pieces that are missing. If the key
has changed, everything in the folder is deleted first.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from similitude.collect.candidates.steps import Step
from similitude.data.listeners import OptionalListener
from similitude.data.protocols import Listener
from similitude.data.writing.atomic import write_atomically
from similitude.study.engines import Engine

__all__ = ["Piece", "RecordedTask", "StageFolder", "StageResult", "digest_of_files", "digest_of_values"]

MANIFEST = "stage.json"
SCRATCH = "unfinished"
PIECES = "pieces"

Task = Callable[["Piece"], dict[str, Any]]
"""Does one piece; writes its files itself, atomically, and returns a small record for JSON."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a stage's work: some rows of its input.

    Attributes:
        number: from 0; names the files of the piece.
        start: the first row.
        stop: the row after the last.
    """

    number: int
    start: int
    stop: int

    @property
    def name(self) -> str:
        """The name that the files of the piece begin with; names sort as numbers do."""
        return f"{self.number:06d}"

    @classmethod
    def cut(cls, rows: int, size: int) -> list[Piece]:
        """Pieces of ``size`` rows, the last one shorter.

        >>> [(piece.start, piece.stop) for piece in Piece.cut(5, 2)]
        [(0, 2), (2, 4), (4, 5)]
        """
        starts = range(0, rows, size)
        return [cls(number, start, min(start + size, rows)) for number, start in enumerate(starts)]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageResult:
    """What a finished stage left.

    Attributes:
        output: a digest of what it made; the key of the stages after it.
        steps: what it kept and dropped.
        facts: what later stages need to know; ready for JSON.
        seconds: how long it took.
    """

    output: str
    steps: tuple[Step, ...] = ()
    facts: Mapping[str, Any]
    seconds: float = 0.0

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        steps = [step.record() for step in self.steps]
        return {"output": self.output, "steps": steps, "facts": dict(self.facts), "seconds": self.seconds}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> StageResult:
        """A result from its record."""
        steps = tuple(map(Step.from_record, record["steps"]))
        return cls(output=record["output"], steps=steps, facts=record["facts"], seconds=record["seconds"])


@dataclass(frozen=True, slots=True)
class RecordedTask:
    """A task that records each piece when its files are complete, wherever it runs."""

    task: Task
    folder: Path

    def __call__(self, piece: Piece) -> dict[str, Any]:
        """Do a piece, and record it."""
        record = self.task(piece)
        _write_json(self.folder / f"{piece.name}.json", record)
        return record


class StageFolder:
    """One stage on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def scratch(self) -> Path:
        """The folder for what is deleted when the stage is finished."""
        return self.path / SCRATCH

    def finished(self, key: Mapping[str, Any]) -> StageResult | None:
        """The result of the stage for this key; None if it is not finished."""
        before = _read_json(self.path / MANIFEST)
        is_same = before is not None and before.get("key") == _plain(key)
        return StageResult.from_record(before["result"]) if is_same and before and before.get("result") else None

    def begin(self, key: Mapping[str, Any]) -> None:
        """Make the folder ready to begin, or to go on if the key is unchanged."""
        before = _read_json(self.path / MANIFEST)
        if before is not None and before.get("key") == _plain(key):
            return
        if self.path.exists():
            shutil.rmtree(self.path)
        self.scratch.mkdir(parents=True)
        _write_json(self.path / MANIFEST, {"key": _plain(key)})

    def finish(self, key: Mapping[str, Any], result: StageResult) -> None:
        """Record that the stage is complete, and delete what was needed to go on."""
        _write_json(self.path / MANIFEST, {"key": _plain(key), "result": result.record()})
        shutil.rmtree(self.scratch, ignore_errors=True)

    def write_parquet(self, name: str, frame: pl.DataFrame) -> None:
        """Write a table of the stage, completely or not at all."""
        write_atomically(self.path / name, lambda draft: frame.write_parquet(draft))

    def run_pieces(
        self, task: Task, pieces: Sequence[Piece], engine: Engine, listener: Listener | None, stage: str
    ) -> list[dict[str, Any]]:
        """The records of all pieces, in order; those that are finished are not done again."""
        records = self.scratch / PIECES / stage.replace(" ", "-")
        records.mkdir(parents=True, exist_ok=True)
        kept = {piece: _read_json(records / f"{piece.name}.json") for piece in pieces}
        found = {piece: record for piece, record in kept.items() if record is not None}
        told = OptionalListener(listener)
        told.progress(stage, len(found), len(pieces))

        def done(piece: Piece, record: dict[str, Any]) -> None:
            found[piece] = record
            told.progress(stage, len(found), len(pieces))

        missing = [piece for piece in pieces if piece not in found]
        if missing:
            engine.run(RecordedTask(task, records), missing, done)
        return [found[piece] for piece in pieces]


def digest_of_values(*values: Any) -> str:
    """A digest of values that JSON can hold."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def digest_of_files(paths: Iterable[Path]) -> str:
    """A digest of the contents of files, in order."""
    whole = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()


def _plain(key: Mapping[str, Any]) -> Any:
    """The key as JSON gives it back."""
    return json.loads(json.dumps(key))


def _read_json(path: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    text = json.dumps(content, indent=1)  # ASCII: texts of examples may hold lone surrogates
    write_atomically(path, lambda draft: draft.write_text(text + "\n", encoding="utf-8"))
