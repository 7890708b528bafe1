"""The labels of a teacher in the folder of a training, reused if they were made from the same inputs.

``runs/taught.csv`` holds the labels and ``runs/taught.json`` what they depend on. The second file is written last;
labels without it are incomplete and are computed again.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from similitude.data.writing.atomic import write_atomically
from similitude.errors import RunError
from similitude.training.folder import differing_names, make_folder, write_json

__all__ = ["LABELS", "Labelled", "LabelsFolder"]

LABELS, ABOUT = "taught.csv", "taught.json"
LOOK_SECONDS = 0.5

_TEXTS, _NUMBERS = ("id", "left", "right", "condition", "group"), ("score", "sigma")
_COLUMNS = {**dict.fromkeys(_TEXTS, pl.String()), **dict.fromkeys(_NUMBERS, pl.Float64())}
"""All columns that labels may have; a file has some of them."""


class Labelled(NamedTuple):
    """Items with a teacher's labels.

    Attributes:
        table: id, left, right and score; condition and group for items under conditions; sigma where it is learned.
        record: ready for JSON.
    """

    table: pl.DataFrame
    record: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LabelsFolder:
    """A folder with the labels of one teacher.

    Attributes:
        runs: the folder.
        depends_on: what must be unchanged for labels to be reused, ready for JSON.
    """

    runs: Path
    depends_on: dict[str, Any]

    @property
    def labels(self) -> Path:
        """The file with the labels."""
        return self.runs / LABELS

    @property
    def about(self) -> Path:
        """The file that says what they depend on."""
        return self.runs / ABOUT

    def read(self) -> Labelled | None:
        """The labels, exactly as they were written; None if there are none or they are incomplete.

        Raises:
            RunError: they depend on other inputs, or are damaged.
        """
        if not self.about.is_file():
            return None
        try:
            about = json.loads(self.about.read_text(encoding="utf-8"))
            before, record, digest = dict(about["depends_on"]), dict(about["record"]), about["labels"]
        except (ValueError, TypeError, KeyError):
            raise self._damaged(self.about) from None
        self._check_the_same(before)
        if not self.labels.is_file() or _digest(self.labels, record) != digest:
            raise self._damaged(self.labels)
        return Labelled(pl.read_csv(self.labels, schema_overrides=_COLUMNS, glob=False), record)

    def labelled(self, label: Callable[[], Labelled], *, asks: bool) -> Labelled:
        """The labels in the folder; those of a function, which are then written, if there are none.

        Args:
            label: asks the teacher.
            asks: whether this process may do so; otherwise it waits until another one has.

        Raises:
            RunError: as `read`.
        """
        found = self.read() if asks else self.wait()
        if found is None:
            found = label()
            self.write(found)
        return found

    def wait(self) -> Labelled:
        """Wait until another process has written the labels, and read them.

        Raises:
            RunError: as `read`.
        """
        while (labelled := self.read()) is None:
            time.sleep(LOOK_SECONDS)
        return labelled

    def write(self, labelled: Labelled) -> None:
        """Write both files, each completely or not at all.

        Raises:
            ArgumentError: they cannot be written.
        """
        make_folder(self.runs)
        write_atomically(self.labels, lambda path: labelled.table.write_csv(path, quote_style="non_numeric"))
        about = {
            "depends_on": self.depends_on,
            "record": labelled.record,
            "labels": _digest(self.labels, labelled.record),
        }
        write_json(self.about, about)

    def _check_the_same(self, before: dict[str, Any]) -> None:
        names = differing_names(before, self.depends_on)
        if names:
            what = f"holds labels made from other inputs (they differ in: {', '.join(names)})"
            raise RunError(what, where=str(self.labels), remedy="choose another --folder")

    def _damaged(self, path: Path) -> RunError:
        return RunError(
            "the teacher's labels are damaged" if path.is_file() else "the teacher's labels are missing",
            where=str(path),
            remedy=f"delete {self.about} to ask the teacher again",
        )


def _digest(labels: Path, record: dict[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps(record, sort_keys=True).encode())
    digest.update(labels.read_bytes())
    return digest.hexdigest()
