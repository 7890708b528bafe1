"""A trained process on disk: ``similitude.json`` describes it, ``process.npz`` has its arrays. Needs no torch."""

from __future__ import annotations

import json
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.models.file_hashes import FileStat, hash_of_file
from similitude.models.loaded_model import ModelChangedError, until_unchanged
from similitude.stats.recalibration import Recalibration, recalibration_from_record
from similitude.systems.learned_pairs import pair_sketch_of
from similitude.systems.uncertain.gaussian_process.process import PairProcess

if TYPE_CHECKING:
    from similitude.systems.evidence import Evidence

__all__ = [
    "ARRAYS_FILE",
    "RECORD_FILE",
    "SYSTEM",
    "SavedProcess",
    "evidence_record",
    "known_evidence",
    "load_process",
    "process_state",
    "save_arrays",
]

SYSTEM = "gpr"
RECORD_FILE = "similitude.json"
ARRAYS_FILE = "process.npz"


class SavedProcess(NamedTuple):
    """The contents of the folder of a trained process.

    Attributes:
        encoder: the system whose vectors it reads, as a user writes it.
        encoder_fingerprint: the fingerprint of the encoder's model in training; None if it is not known.
        scale: the training scale.
        recalibration: the recalibration of sigmas; None for none.
        evidence: the evidence; None for none.
        evidence_fingerprint: the fingerprint of the evidence in training.
        reads_condition: whether items must have a condition.
        pair_sketch: of the pairs that it learned from; empty for older folders.
    """

    process: PairProcess
    encoder: str
    encoder_fingerprint: str | None
    scale: Scale
    recalibration: Recalibration | None
    evidence: Evidence | None = None
    evidence_fingerprint: str | None = None
    reads_condition: bool = False
    pair_sketch: tuple[str, ...] = ()


def save_arrays(process: PairProcess, path: Path, evidence: Evidence | None = None) -> None:
    """Write the arrays, deterministically. The names of evidence arrays start with ``evidence_``."""
    learned = {} if evidence is None else evidence.arrays()
    with path.open("wb") as file:
        np.savez(file, **process.arrays(), **learned)  # type: ignore[arg-type]


def evidence_record(evidence: Evidence | None) -> dict[str, Any] | None:
    """The record of the evidence in ``similitude.json``, without its arrays; None for none."""
    if evidence is None:
        return None
    return {
        "written": list(evidence.written),
        "fingerprint": evidence.fingerprint(),
        "numbers": sum(evidence.widths),
        "learned": evidence.record(),
    }


def known_evidence(folder: Path, written: tuple[str, ...]) -> Evidence | None:
    """The evidence of an earlier training in this folder, if it used the same sources.

    None if there is none, so that it must be learned.
    """
    try:
        evidence = load_process(folder).evidence
    except ArgumentError:
        return None
    return evidence if evidence is not None and evidence.written == written else None


def load_process(folder: Path) -> SavedProcess:
    """Load the trained process in a folder.

    Raises:
        ArgumentError: there is no such folder, or it contains no valid trained process.
    """
    if not folder.is_dir():
        raise ArgumentError(
            "no such folder", where=f"model '{folder}'", remedy="name a folder from 'similitude train gaussian-process'"
        )
    return until_unchanged(lambda: _unchanged(folder), f"model '{folder}'")


def process_state(folder: Path) -> tuple[tuple[str, FileStat], ...]:
    """The hash and the state of each of the two files.

    Raises:
        ArgumentError: one of them is missing.
    """
    paths = (folder / RECORD_FILE, folder / ARRAYS_FILE)
    if not all(path.is_file() for path in paths):
        raise _not_ours(folder)
    return tuple((hash_of_file(path, None), FileStat.of(path.stat())) for path in paths)


def _unchanged(folder: Path) -> SavedProcess:
    """The content of the folder, of which no file changed while it was read."""
    state = process_state(folder)
    found = _load(folder, state)
    if process_state(folder) != state:
        _load.cache_clear()
        raise ModelChangedError
    return found


@lru_cache(maxsize=8)
def _load(folder: Path, state: tuple[tuple[str, FileStat], ...]) -> SavedProcess:
    """Read the folder; again only if a file has changed."""
    try:
        record = json.loads((folder / RECORD_FILE).read_text(encoding="utf-8"))
    except ValueError:
        raise _damaged(folder) from None
    if not isinstance(record, dict) or record.get("system") != SYSTEM:
        raise _not_ours(folder)
    try:
        with (folder / ARRAYS_FILE).open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        return _kept(folder, record, arrays)
    except (KeyError, TypeError, ValueError, OSError, EOFError, zipfile.BadZipFile):
        raise _damaged(folder) from None


def _kept(folder: Path, record: dict[str, Any], arrays: dict[str, Any]) -> SavedProcess:
    correction, evidence = record["recalibration"], record.get("evidence")  # older folders have none
    return SavedProcess(
        PairProcess.from_record(record["process"], arrays),
        record["encoder"]["system"],
        record["encoder"]["fingerprint"],
        Scale(low=record["scale"][0], high=record["scale"][1], origin="system"),
        None if correction is None else recalibration_from_record(correction),
        None if evidence is None else _evidence(folder, evidence["learned"], arrays),
        None if evidence is None else evidence["fingerprint"],
        record.get("reads") == "all",
        pair_sketch_of(record),
    )


def _evidence(folder: Path, record: dict[str, Any], arrays: dict[str, Any]) -> Evidence:
    from similitude.systems.evidence import Evidence  # imported late: its sources are systems

    try:
        return Evidence.from_record(record, arrays)
    except ArgumentError as error:
        raise ArgumentError(error.what, where=error.where or f"model '{folder}'", remedy=error.remedy) from None


def _not_ours(folder: Path) -> ArgumentError:
    return ArgumentError(
        "was not trained by 'similitude train gaussian-process'",
        where=f"model '{folder}'",
        remedy="train it first: similitude train gaussian-process DATA --encoder use --folder DIR",
    )


def _damaged(folder: Path) -> ArgumentError:
    return ArgumentError("the trained process is damaged", where=f"model '{folder}'", remedy="train it again")
