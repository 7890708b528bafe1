"""The stage that gives each text a vector: from a system, from a file, or from the image of the text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.steps import Step
from similitude.data.reading.texts import unit_vectors
from similitude.errors import PredictionError
from similitude.study.candidates.read_stage import TextTable
from similitude.study.candidates.search import Search
from similitude.study.candidates.stage_folder import Piece, StageFolder, StageResult, digest_of_values
from similitude.study.candidates.vector_file import create_vectors, write_vectors
from similitude.study.candidates.vector_source import VectorSource
from similitude.study.engines import LocalEngine

__all__ = ["VectorTable", "VectorTask", "checked_vectors", "run_vectors"]

STAGE = "4-vectors"
VECTORS = "vectors.npy"


@dataclass(frozen=True, slots=True)
class VectorTask:
    """Writes the unit vectors of a piece to their place in the file.

    Attributes:
        source: gives the vectors of some rows.
        path: the file.
    """

    source: VectorSource
    path: Path

    def __call__(self, piece: Piece) -> dict[str, Any]:
        """Compute, check and write the vectors of a piece."""
        found, notes = self.source.of(piece.start, piece.stop)
        vectors = checked_vectors(found, self.source.name, piece.start)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorTable:
    """Unit vectors of a table of texts.

    Attributes:
        path: the file.
        width: numbers of a vector.
        digest: of all vectors.
        step: what is said of them.
    """

    path: Path
    width: int
    digest: str
    step: Step


def run_vectors(search: Search, table: TextTable, source: VectorSource) -> VectorTable:
    """Give each text a vector; the stage runs again if the texts, the system or its model have changed."""
    here = search if source.is_remote else replace(search, engine=LocalEngine())

    def work(folder: StageFolder) -> StageResult:
        width = source.of(0, 1).vectors.shape[1]
        create_vectors(folder.path / VECTORS, table.rows, width)
        task = VectorTask(source, folder.path / VECTORS)
        records = here.run_pieces(folder, task, search.pieces(table.rows), "vectors")
        notes = tuple(dict.fromkeys(note for record in records for note in record["notes"]))
        facts = {"by": source.name, "width": width}
        step = Step(name="vectors", of="texts", before=table.rows, after=table.rows, facts=facts, notes=notes)
        output = digest_of_values(table.rows, width, [record["digest"] for record in records])
        return StageResult(output=output, steps=(step,), facts={"width": width})

    result = search.stage(STAGE, {"rows": table.rows, "vectors": source.state}, work)
    path = search.folder.stage(STAGE).path / VECTORS
    return VectorTable(path=path, width=result.facts["width"], digest=result.output, step=result.steps[0])
