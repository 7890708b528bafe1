"""The folder of a search for candidates.

::

    FOLDER/
      items.jsonl            the pairs, for 'design', 'annotate' and systems
      descriptions.parquet   what is known of each item; not for annotators
      plan.toml              the plan, with every default written out
      candidates.json        the record: plan, steps, versions
      index.html             the page (the command line writes it)
      work/                  the stages, from which a search goes on; may be deleted
"""

from __future__ import annotations

import json
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import polars as pl

from similitude.data.item import ITEM_SCHEMA, Items, with_all_columns
from similitude.data.reading.disk_frames import temporary_folder
from similitude.data.writing.atomic import write_atomically
from similitude.errors import RunError
from similitude.study.candidates.stage_folder import StageFolder

__all__ = ["SearchFolder", "TemporaryFolder"]

RECORD, ITEMS, DESCRIPTIONS = "candidates.json", "items.jsonl", "descriptions.parquet"
WORK = "work"
LOCK = "in-use"


class TemporaryFolder:
    """A folder that is deleted with this object.

    Attributes:
        path: of the folder.
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="similitude-", dir=temporary_folder()))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


class SearchFolder:
    """A search on disk; every file is written completely or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Make the folder, or go on in one that holds a search, and keep other processes out.

        Raises:
            RunError: it is a file, holds something else, or another search is at work in it.
        """
        if self.path.is_file():
            raise RunError("is a file", where=str(self.path), remedy="name a folder with --out")
        if not self.path.joinpath(WORK).is_dir() and not self.path.joinpath(RECORD).is_file():
            self._refuse_other_files()
        self.path.joinpath(WORK).mkdir(parents=True, exist_ok=True)
        with self.path.joinpath(WORK, LOCK).open("w") as lock:
            if not _is_locked(lock):
                remedy = "wait until it has ended, or choose another --out"
                raise RunError("another search is at work in it", where=str(self.path), remedy=remedy)
            yield

    def _refuse_other_files(self) -> None:
        if self.path.exists() and any(not entry.name.startswith(".") for entry in self.path.iterdir()):
            raise RunError("is a folder with other files in it", where=str(self.path), remedy="choose another --out")

    def stage(self, name: str) -> StageFolder:
        """The folder of a stage."""
        return StageFolder(self.path / WORK / name)

    def open(self) -> tuple[Items, pl.DataFrame, dict[str, Any]]:
        """Items, descriptions and record of a finished search.

        Raises:
            RunError: there is none, or a part of it is missing or damaged.
        """
        try:
            record: dict[str, Any] = json.loads((self.path / RECORD).read_text(encoding="utf-8"))
            table = pl.read_ndjson(self.path / ITEMS, infer_schema_length=None)
            descriptions = pl.read_parquet(self.path / DESCRIPTIONS)
        except (OSError, ValueError, pl.exceptions.PolarsError):
            remedy = "name a folder that 'similitude candidates' has finished"
            raise RunError("holds no finished search for candidates", where=str(self.path), remedy=remedy) from None
        return Items(with_all_columns(table, ITEM_SCHEMA)), descriptions, record

    def save(self, items: Items, descriptions: pl.DataFrame, plan: str, record: Mapping[str, Any]) -> None:
        """Write what a finished search leaves; the record comes last."""
        table = items.frame.select(name for name in items.frame.columns if items.frame[name].null_count() < len(items))
        write_atomically(self.path / ITEMS, lambda draft: table.write_ndjson(draft))
        write_atomically(self.path / DESCRIPTIONS, lambda draft: descriptions.write_parquet(draft))
        self.save_plan(plan)
        text = json.dumps(record, indent=1)
        write_atomically(self.path / RECORD, lambda draft: draft.write_text(text + "\n", encoding="utf-8"))

    def save_plan(self, text: str) -> None:
        """Write the plan, as TOML."""
        write_atomically(self.path / "plan.toml", lambda draft: draft.write_text(text, encoding="utf-8"))


def _is_locked(file: IO[str]) -> bool:
    """Whether this process holds the lock now; a file system without locks lets everybody in."""
    try:
        import fcntl
    except ImportError:  # Windows
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
