"""The folder of a suite: a folder for each benchmark, and a record that grows with every call.

::

    SUITE/
      suite.json               the suite, its systems and benchmarks, figures, averages
      results.csv              all figures and averages in long form
      STS12/                   the run on one benchmark, as 'evaluate' saves it
      STS13/
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from similitude.data.keywords import as_path
from similitude.data.reading import read
from similitude.errors import RunError, SimilitudeError
from similitude.study.folder import RUNS, RunFolder
from similitude.study.runs import Run
from similitude.study.saved_run import load_run as load_single
from similitude.study.suite.entries import Suite, SuiteEntry
from similitude.study.suite.suite_run import MeasuredBenchmark, SuiteRun

__all__ = ["SuiteFolder", "default_suite_folder", "is_suite_folder", "load_run", "load_suite"]

MANIFEST = "suite.json"
LONGEST = 60
"""Characters of the name of a folder."""


def default_suite_folder(suite: Suite) -> Path:
    """The folder of a suite without --folder: its name, or the names of its benchmarks."""
    names = [suite.name] if suite.name else ["suite", *(entry.name for entry in suite.entries)]
    return RUNS / _plain("-".join(names))


def is_suite_folder(path: str | Path) -> bool:
    """Whether a folder holds a suite."""
    return (Path(path) / MANIFEST).is_file()


class SuiteFolder:
    """A suite on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files = RunFolder(path)

    def claim(self, name: str) -> dict[str, Any]:
        """Create the folder, or open the suite that it holds.

        Returns:
            What was recorded there; empty if the folder is new.

        Raises:
            RunError: it is a file, the folder of a single run, or one with other files in it.
        """
        if self.path.is_file():
            raise RunError("is a file", where=str(self.path), remedy="name a folder for the suite")
        if is_suite_folder(self.path):
            return self.read()
        if (self.path / "data.json").exists():
            what, remedy = "holds the run of one benchmark", "choose another --folder for the suite"
            raise RunError(what, where=str(self.path), remedy=remedy)
        if self.path.exists() and any(not entry.name.startswith(".") for entry in self.path.iterdir()):
            raise RunError("is a folder with other files in it", where=str(self.path), remedy="choose another --folder")
        self.path.mkdir(parents=True, exist_ok=True)
        self.files.write_json(MANIFEST, {"name": name})  # first, since it marks the folder as a suite
        return {}

    def read(self) -> dict[str, Any]:
        """What was recorded.

        Raises:
            RunError: the record is damaged.
        """
        try:
            found: dict[str, Any] = json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))
        except ValueError as error:
            remedy = "choose another --folder, or remove this one"
            raise RunError(f"{MANIFEST} is damaged ({error})", where=str(self.path), remedy=remedy) from None
        return found

    def announce(self, before: Mapping[str, Any], entries: Mapping[str, SuiteEntry], systems: Sequence[str]) -> None:
        """Record which benchmarks and systems are members of the suite before anything runs, so that it can resume."""
        known = members(before)
        there = {each["folder"]: each for each in known.get("benchmarks", [])}
        for folder, entry in entries.items():
            there[folder] = _header(entry, folder)
        names = list(dict.fromkeys((*known.get("systems", []), *systems)))
        self.files.write_json(MANIFEST, {**before, "members": {"systems": names, "benchmarks": list(there.values())}})

    def kept_entries(self, before: Mapping[str, Any], folders: Sequence[str]) -> dict[str, SuiteEntry]:
        """The benchmarks of earlier calls that are not in these folders, from the items that were measured then."""
        return {
            each["folder"]: _kept(each, self.path / each["folder"] / "items.parquet")
            for each in members(before).get("benchmarks", [])
            if each["folder"] not in folders and (self.path / each["folder"] / "items.parquet").is_file()
        }

    def save(self, finished: SuiteRun) -> None:
        """Write the record and the table of figures; the members stay, whether or not this call showed them."""
        self.files.write_csv("results.csv", finished.rows())
        self.files.write_json(MANIFEST, finished.record() | {"members": members(self.read())})


def members(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """All systems and benchmarks that the folder holds, also those that the last call did not show."""
    found: Mapping[str, Any] = record.get("members", {})
    return found


def folder_names(entries: Sequence[SuiteEntry]) -> dict[str, SuiteEntry]:
    """A name for the folder of each benchmark; where two would have the same, the second gets a number."""
    found: dict[str, SuiteEntry] = {}
    for entry in entries:
        name, number = _plain(entry.name), 1
        while name.lower() in map(str.lower, (*found, MANIFEST, "results.csv", "report.html")):
            number += 1
            name = f"{_plain(entry.name)}-{number}"
        found[name] = entry
    return found


def load_suite(path: str | Path) -> SuiteRun:
    """Load a suite that was saved in a folder, with the runs on its benchmarks.

    Raises:
        RunError: the folder holds no finished suite, or parts of it are missing.
    """
    folder = Path(path)
    record = SuiteFolder(folder).read() if is_suite_folder(folder) else {}
    if "averages" not in record:
        remedy = "run the same 'evaluate' again: it resumes" if record else "name a folder that 'evaluate' saved"
        raise RunError("holds no finished suite", where=str(folder), remedy=remedy)
    kept = ("name", "description", "language", "licence", "level", "against", "margin", "seed", "created", "versions")
    return SuiteRun(
        **{name: record[name] for name in kept},
        systems=tuple(record["systems"]),
        labels=tuple(record.get("labels", ())),
        measures=tuple(record["measures"]),
        notes=tuple(record["notes"]),
        benchmarks=tuple(_measured(each, folder) for each in record["benchmarks"]),
        folder=folder,
        command=tuple(record.get("command", ())),
    )


def load_run(path: str | Path) -> Run | SuiteRun:
    """Load a run, or a suite of runs, that was saved in a folder, with all predictions.

    Raises:
        RunError: the folder holds no finished run, or parts of it are missing.

    >>> import tempfile
    >>> import similitude as sim
    >>> saved = sim.run("sample:opinions", ["levenshtein"], ["pearson"], resamples=0, out=tempfile.mkdtemp())
    >>> sim.load_run(saved.folder)["levenshtein", "pearson"] == saved["levenshtein", "pearson"]
    True
    """
    folder = as_path("path", path)
    return load_suite(folder) if is_suite_folder(folder) else load_single(folder)


def _measured(record: Mapping[str, Any], folder: Path) -> MeasuredBenchmark:
    has_run = any(True for _ in (folder / record["folder"]).glob("run.json"))
    return MeasuredBenchmark(**record, run=load_single(folder / record["folder"]) if has_run else None)


def _header(entry: SuiteEntry, folder: str) -> dict[str, Any]:
    names = ("name", "weight", "measure", "split", "path", "description", "licence", "homepage")
    return {"folder": folder, **{name: getattr(entry, name) for name in names}}


def _kept(record: Mapping[str, Any], items: Path) -> SuiteEntry:
    names = ("name", "weight", "measure", "split", "path", "description", "licence", "homepage")
    kept: dict[str, Any] = {name: record.get(name) for name in names}
    try:
        return SuiteEntry(benchmark=read(items), **kept)
    except SimilitudeError as error:
        error.remedy = "remove the folder of this benchmark, and name its data again"
        raise


def _plain(name: str) -> str:
    """Letters, digits, points and hyphens; a long name is cut, and what tells it from others is added."""
    found = re.sub(r"[^\w.]+", "-", name).strip("-") or "benchmark"
    return found if len(found) <= LONGEST else f"{found[:LONGEST]}-{zlib.crc32(name.encode()):08x}"
