"""Writes the results of a run into its folder."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import rmtree
from uuid import uuid4

from similitude.data.writing.benchmark import write
from similitude.errors import RunError
from similitude.study.folder import RunFolder
from similitude.study.run_results import RunResults

__all__ = ["save_results", "write_results"]


def write_results(run: RunResults, folder: RunFolder) -> None:
    """Write items, figures and the record into a folder that has the predictions; the record last."""
    write(run.benchmark, folder.path / "items.parquet")
    folder.write_csv("results.csv", run.rows())
    if run.thresholds:
        folder.write_csv("curves.csv", run.curve_rows())
    folder.write_json("run.json", run.record())


def save_results(run: RunResults, path: Path) -> Path:
    """Save a whole run in a folder of its own, completely or not at all; nothing is done if it is there already.

    Raises:
        RunError: the folder holds another run or other files, or cannot be written.
    """
    if _holds(path, run):
        return path
    _refuse_others(path)
    draft = path.with_name(f".{path.name}.{uuid4().hex[:8]}.tmp")
    try:
        draft.mkdir(parents=True)
        _write_all(run, RunFolder(draft))
        if path.is_dir():
            path.rmdir()  # empty, as was checked
        draft.rename(path)
    except OSError as error:
        raise RunError(f"cannot be written ({error.strerror or error})", where=str(path)) from error
    finally:
        rmtree(draft, ignore_errors=True)
    return path


def _write_all(run: RunResults, folder: RunFolder) -> None:
    folder.claim(run.data)
    for record, predictions in zip(run.systems, run.predictions, strict=True):
        folder.remember(record, run.benchmark.items, predictions)
    write_results(run, folder)


def _holds(path: Path, run: RunResults) -> bool:
    """Whether the folder holds this very run."""
    try:
        there = json.loads((path / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(there == json.loads(json.dumps(run.record())))


def _refuse_others(path: Path) -> None:
    """Check that the folder is new or empty.

    Raises:
        RunError: it is not.
    """
    if path.exists() and not path.is_dir():
        raise RunError("is a file", where=str(path), remedy="name a folder for the run")
    if path.is_dir() and any(path.iterdir()):
        holds = "another run" if (path / "run.json").exists() or (path / "data.json").exists() else "other files"
        raise RunError(f"holds {holds}", where=str(path), remedy="name a new folder; nothing was overwritten")
