"""The stage that gives each text a vector: from a system, from a file, or from the image of the text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.listeners import NoteKeeper
from similitude.data.protocols import GivesVectors, Tells
from similitude.data.reading.texts import unit_vectors
from similitude.errors import PredictionError
from similitude.study.candidates.search import Search
from similitude.study.candidates.search_systems import SearchSystems
from similitude.study.candidates.stage_folder import Piece, StageFolder, StageResult, digest_of_values
from similitude.study.candidates.text_table import text_slice
from similitude.study.candidates.vector_file import create_vectors, write_vectors

__all__ = ["VECTORS", "SystemVectors", "VectorTask", "checked_vectors", "run_vectors"]

VECTORS = "vectors.npy"


@dataclass(frozen=True, slots=True)
class SystemVectors:
    """Vectors of a system.

    Attributes:
        texts: the table of texts.
        systems: of the search.
        system: its name.
    """

    texts: Path
    systems: SearchSystems
    system: str

    def of(self, start: int, stop: int) -> tuple[NDArray[np.float32], list[str]]:
        """The vectors of some rows, and the notes of the system."""
        keeper, encoder = NoteKeeper(), self.systems.encoder(self.system)
        if isinstance(encoder, Tells):
            told = encoder.with_listener(keeper)
            encoder = told if isinstance(told, GivesVectors) else encoder
        return encoder.text_vectors(text_slice(self.texts, start, stop).texts), keeper.notes


@dataclass(frozen=True, slots=True)
class VectorTask:
    """Writes the unit vectors of a piece to their place in the file.

    Attributes:
        source: gives the vectors of some rows.
        path: the file.
        where: what an error names.
    """

    source: Any
    path: Path
    where: str

    def __call__(self, piece: Piece) -> dict[str, Any]:
        """Compute, check and write the vectors of a piece."""
        found, notes = self.source.of(piece.start, piece.stop)
        vectors = checked_vectors(found, self.where, piece.start)
        write_vectors(self.path, piece.start, vectors)
        return {"digest": hashlib.sha256(vectors.tobytes()).hexdigest(), "notes": notes}


def checked_vectors(vectors: NDArray[np.floating[Any]], where: str, start: int = 0) -> NDArray[np.float32]:
    """Vectors of length 1.

    Raises:
        PredictionError: a vector has nan or infinite numbers, or only zeros.
    """
    largest = np.abs(vectors).max(axis=1)  # nan if any number is
    bad = np.flatnonzero(~(np.isfinite(largest) & (largest > 0)))
    if bad.size:
        what = "only zeros" if largest[bad[0]] == 0 else "nan or infinite numbers"
        raise PredictionError(
            f"the vector of text {start + bad[0] + 1:,} has {what}",
            where=where,
            remedy="drop such texts with [clean], or pair by another system",
        )
    return unit_vectors(vectors)


def run_vectors(search: Search, texts: Path, rows: int, digest: str, source: Any, state: Any, where: str) -> StageResult:
    """Run the stage.

    Args:
        search: at work.
        texts: the table.
        rows: of the table.
        digest: of what the vectors are made of.
        source: gives the vectors of some rows.
        state: of the system or the file; the stage runs again if it changes.
        where: what an error names.
    """

    def work(folder: StageFolder) -> StageResult:
        width = source.of(0, 1)[0].shape[1]
        create_vectors(folder.path / VECTORS, rows, width)
        task = VectorTask(source, folder.path / VECTORS, where)
        records = search.run_pieces(folder, task, search.pieces(rows), f"vectors of {where}")
        notes = list(dict.fromkeys(note for record in records for note in record["notes"]))
        output = digest_of_values(rows, width, [record["digest"] for record in records])
        return StageResult(output=output, facts={"rows": rows, "width": width, "notes": notes})

    return search.stage("4-vectors", {"texts": digest, "vectors": state}, work)
