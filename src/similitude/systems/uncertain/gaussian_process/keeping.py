"""A trained process on disk: ``similitude.json`` says what it is, ``process.npz`` holds its arrays. No torch needed."""

from __future__ import annotations

import json
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.stats.recalibration import Recalibration, recalibration_from_record
from similitude.systems.uncertain.gaussian_process.process import PairProcess

__all__ = ["ARRAYS_FILE", "RECORD_FILE", "SYSTEM", "Kept", "load_process", "save_arrays"]

SYSTEM = "gpr"
RECORD_FILE = "similitude.json"
ARRAYS_FILE = "process.npz"


class Kept(NamedTuple):
    """What a folder holds.

    Attributes:
        process: what was learned.
        encoder: the system whose vectors it reads, as a user writes it.
        encoder_fingerprint: of the encoder's model in training; None for one that cannot change.
        scale: that it was trained on.
        recalibration: of sigmas, on the scale; None for none.
    """

    process: PairProcess
    encoder: str
    encoder_fingerprint: str | None
    scale: Scale
    recalibration: Recalibration | None


def save_arrays(process: PairProcess, path: Path) -> None:
    """Write the arrays, the same bytes for the same arrays."""
    with path.open("wb") as file:
        np.savez(file, **process.arrays())  # type: ignore[arg-type]


def load_process(folder: Path) -> Kept:
    """What a folder holds.

    Raises:
        ArgumentError: there is no such folder, it holds no trained process, or a damaged one.
    """
    if not folder.is_dir():
        raise ArgumentError(
            "no such folder", where=f"model '{folder}'", remedy="name one that 'similitude train gpr' made"
        )
    paths = (folder / RECORD_FILE, folder / ARRAYS_FILE)
    if not all(path.is_file() for path in paths):
        raise _not_ours(folder)
    return _load(folder, *((path.stat().st_size, path.stat().st_mtime_ns) for path in paths))


@lru_cache(maxsize=8)
def _load(folder: Path, *_: object) -> Kept:
    """Read once, and again when a file has changed."""
    try:
        record = json.loads((folder / RECORD_FILE).read_text(encoding="utf-8"))
    except ValueError:
        raise _damaged(folder) from None
    if not isinstance(record, dict) or record.get("system") != SYSTEM:
        raise _not_ours(folder)
    try:
        with (folder / ARRAYS_FILE).open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        return _kept(record, PairProcess.from_record(record["process"], arrays))
    except (KeyError, TypeError, ValueError, OSError, EOFError, zipfile.BadZipFile):
        raise _damaged(folder) from None


def _kept(record: dict[str, Any], process: PairProcess) -> Kept:
    correction = record["recalibration"]
    return Kept(
        process,
        record["encoder"]["system"],
        record["encoder"]["fingerprint"],
        Scale(low=record["scale"][0], high=record["scale"][1], origin="system"),
        None if correction is None else recalibration_from_record(correction),
    )


def _not_ours(folder: Path) -> ArgumentError:
    return ArgumentError(
        "was not trained by 'similitude train gpr'",
        where=f"model '{folder}'",
        remedy="train it first: similitude train gpr DATA --encoder use --out DIR",
    )


def _damaged(folder: Path) -> ArgumentError:
    return ArgumentError("holds a process that is damaged", where=f"model '{folder}'", remedy="train it again")
