"""All pairs of a search on disk: one file for each piece of the texts, in the order of the left rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from similitude.collect.candidates.pairs import STRATA
from similitude.study.candidates.pair_file import PairRows, merged_pairs, open_pairs, write_pairs
from similitude.study.candidates.stage_folder import Piece

__all__ = ["MergeTask", "PairTable", "digest_of_pairs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTable:
    """The pairs that a stage has left.

    Attributes:
        folder: with the files.
        pieces: as many as there are files.
        digest: of all pairs.
    """

    folder: Path
    pieces: tuple[Piece, ...]
    digest: str

    def open(self, piece: Piece) -> PairRows:
        """The pairs of one piece."""
        return open_pairs(self.path(piece))

    def path(self, piece: Piece) -> Path:
        """The file of one piece."""
        return self.folder / f"{piece.name}.arrow"

    def __iter__(self) -> Iterator[PairRows]:
        return map(self.open, self.pieces)


@dataclass(frozen=True, slots=True)
class MergeTask:
    """Merges the pairs of some texts from all files in which they were found, each pair once.

    Attributes:
        found: the files, each sorted by rows.
        folder: for the merged pairs.
        is_directed: whether (a, b) and (b, a) are two pairs.
    """

    found: tuple[Path, ...]
    folder: Path
    is_directed: bool

    def __call__(self, piece: Piece) -> dict[str, Any]:
        """Merge the pairs whose left text is in the piece."""
        pairs = merged_pairs(self.found, piece.start, piece.stop, is_directed=self.is_directed)
        write_pairs(pairs, self.folder / f"{piece.name}.arrow")
        counts = np.bincount(pairs.strata, minlength=len(STRATA)).tolist()
        return {"pairs": len(pairs), "strata": counts, "digest": digest_of_pairs(pairs)}


def digest_of_pairs(pairs: PairRows) -> str:
    """A digest of rows, strata and columns."""
    whole = hashlib.sha256()
    for array in (pairs.left, pairs.right, pairs.strata):
        whole.update(np.ascontiguousarray(array).tobytes())
    for name, values in sorted(pairs.columns.items()):
        whole.update(repr((name, values.tolist())).encode("utf-8", "surrogatepass"))
    return whole.hexdigest()
