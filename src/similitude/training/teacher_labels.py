"""The labels of a teacher in the folder of a training, read again where they depend on the same.

``runs/taught.csv`` holds the labels and ``runs/taught.json`` what they depend on. The second is written last, so labels
without it are unfinished, and are asked for again.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError, RunError

__all__ = ["LABELS", "Labelled", "LabelsShelf"]

LABELS, ABOUT = "taught.csv", "taught.json"
LOOK_SECONDS = 0.5

_COLUMNS = {"id": pl.String(), "left": pl.String(), "right": pl.String(), "score": pl.Float64(), "sigma": pl.Float64()}


class Labelled(NamedTuple):
    """Pairs with what a teacher says of them.

    Attributes:
        table: id, left, right, score, sigma.
        record: what is to be told of them, ready for JSON.
    """

    table: pl.DataFrame
    record: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LabelsShelf:
    """Keeps the labels of one teaching.

    Attributes:
        runs: the folder.
        depends_on: what must be the same for labels to be read again, ready for JSON.
    """

    runs: Path
    depends_on: dict[str, Any]

    @property
    def labels(self) -> Path:
        """Where the labels are."""
        return self.runs / LABELS

    @property
    def about(self) -> Path:
        """Where it is written what they depend on."""
        return self.runs / ABOUT

    def read(self) -> Labelled | None:
        """The labels as they were written, to the last bit; None if they are not all there.

        Raises:
            RunError: they are those of another teaching, or not what was written.
        """
        if not self.about.is_file():
            return None
        try:
            told = json.loads(self.about.read_text(encoding="utf-8"))
            before, record, digest = dict(told["depends_on"]), dict(told["record"]), told["labels"]
        except (ValueError, TypeError, KeyError):
            raise self._damaged(self.about) from None
        self._check_the_same(before)
        if not self.labels.is_file() or _digest(self.labels, record) != digest:
            raise self._damaged(self.labels)
        return Labelled(pl.read_csv(self.labels, schema=_COLUMNS, glob=False), record)

    def awaited(self) -> Labelled:
        """The labels, as soon as another process has written them.

        Raises:
            RunError: as `read`.
        """
        while (labelled := self.read()) is None:
            time.sleep(LOOK_SECONDS)
        return labelled

    def write(self, labelled: Labelled) -> None:
        """Each file whole or not at all; the one that makes the other valid comes last.

        Raises:
            ArgumentError: they cannot be written.
        """
        try:
            self.runs.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = error.strerror or str(error)
            raise ArgumentError(
                f"cannot be made: {why}", where=str(self.runs), remedy="choose another --folder"
            ) from None
        write_atomically(self.labels, lambda path: labelled.table.write_csv(path, quote_style="non_numeric"))
        told = {
            "depends_on": self.depends_on,
            "record": labelled.record,
            "labels": _digest(self.labels, labelled.record),
        }
        text = json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
        write_atomically(self.about, lambda path: path.write_text(text, encoding="utf-8"))

    def _check_the_same(self, before: dict[str, Any]) -> None:
        now = self.depends_on
        unlike = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
        if unlike:
            raise RunError(
                f"holds the labels of another teaching (it differs in: {', '.join(unlike)})",
                where=str(self.labels),
                remedy="choose another --folder",
            )

    def _damaged(self, path: Path) -> RunError:
        return RunError(
            "the teacher's labels are damaged" if path.is_file() else "the teacher's labels are gone",
            where=str(path),
            remedy=f"remove {self.about} to ask the teacher again",
        )


def _digest(labels: Path, record: dict[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps(record, sort_keys=True).encode())
    digest.update(labels.read_bytes())
    return digest.hexdigest()
