"""The stage that drops near-duplicates: signatures piece by piece, then one join."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from similitude.collect.candidates.array_file import mapped_array, save_array
from similitude.collect.candidates.near_duplicates import DuplicateSearch, duplicates_step
from similitude.study.candidates.read_stage import TEXTS, TextTable, table_result
from similitude.study.candidates.search import Search
from similitude.study.candidates.stage_folder import Piece, StageFolder, StageResult
from similitude.study.candidates.text_table import open_texts, text_slice, write_texts

__all__ = ["DUPLICATES", "SignatureTask", "run_duplicates"]

DUPLICATES = "3-duplicates"


@dataclass(frozen=True, slots=True)
class SignatureTask:
    """Computes the signatures of the texts of a piece.

    Attributes:
        texts: the table.
        wanted: what counts as a near-duplicate.
        folder: for the signatures.
    """

    texts: Path
    wanted: DuplicateSearch
    folder: Path

    def __call__(self, piece: Piece) -> dict[str, Any]:
        """Compute and write the signatures of a piece."""
        signatures = self.wanted.signatures(text_slice(self.texts, piece.start, piece.stop))
        save_array(self.path(piece), signatures)
        return {}

    def path(self, piece: Piece) -> Path:
        """The file of a piece."""
        return self.folder / f"{piece.name}.npy"


def run_duplicates(search: Search, table: TextTable, similarity: float | str) -> StageResult:
    """Keep one text of each cluster of near-duplicates."""
    wanted = DuplicateSearch.of(similarity)

    def work(folder: StageFolder) -> StageResult:
        task, pieces = SignatureTask(table.path, wanted, folder.scratch), search.pieces(table.rows)
        search.run_pieces(folder, task, pieces, "near-duplicates")
        texts = open_texts(table.path)
        clusters = wanted.join(texts, [mapped_array(task.path(piece)) for piece in pieces])
        kept = texts.take(clusters.kept)
        write_texts(kept, folder.path / TEXTS)
        return table_result(kept, (duplicates_step(texts, clusters, wanted),))

    return search.stage(DUPLICATES, {"texts": table.digest, "similarity": similarity}, work)
