"""The stage that pairs each text with its nearest neighbours."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from similitude.collect.candidates.neighbours import Restrictions, SearchSettings, find_neighbours, open_lists
from similitude.collect.candidates.pairs import STRATA
from similitude.data.listeners import OptionalListener
from similitude.study.candidates.found_pairs import FoundPairs
from similitude.study.candidates.pair_file import PairRows, write_pairs
from similitude.study.candidates.pair_table import digest_of_pairs
from similitude.study.candidates.read_stage import TextTable
from similitude.study.candidates.search import Search
from similitude.study.candidates.stage_folder import Piece, StageFolder, StageResult, digest_of_values
from similitude.study.candidates.vector_stage import VectorTable

__all__ = ["NEIGHBOURS", "ListTask", "restrictions_digest", "run_neighbours"]

NEIGHBOURS = "5-neighbours"
COMPLETE = "neighbours.json"
"""The file that is written last when neighbours have been found."""


@dataclass(frozen=True, slots=True)
class ListTask:
    """Writes the pairs of each text of a piece and its neighbours.

    Attributes:
        lists: the folder of the neighbours of all texts.
        folder: for the pairs.
    """

    lists: Path
    folder: Path

    def __call__(self, piece: Piece) -> dict[str, Any]:
        """Write the pairs of a piece."""
        found = open_lists(self.lists).pairs(range(piece.start, piece.stop))
        pairs = PairRows.all_of(STRATA.index("neighbours"), found.left, found.right).in_order(is_directed=False)
        write_pairs(pairs, self.folder / f"{piece.name}.arrow")
        return {"digest": digest_of_pairs(pairs)}


def run_neighbours(
    search: Search, table: TextTable, vectors: VectorTable | None, restrictions: Restrictions
) -> FoundPairs:
    """Pair each text with its nearest neighbours."""
    assert vectors is not None  # the plan says that they are needed
    plan, pieces = search.plan, search.pieces(table.rows)
    # Its own seed, which no plan changes: another draw of items must not search all neighbours again.
    settings = SearchSettings(k=plan.pairs.k, exact=plan.pairs.exact, device=search.device)

    def work(folder: StageFolder) -> StageResult:
        if not (folder.path / COMPLETE).exists():
            told = OptionalListener(search.listener)
            find_neighbours(
                vectors.path,
                folder.path,
                restrictions,
                settings,
                engine=search.engine,
                progress=lambda stage, done, total: told.progress(f"neighbours: {stage}", done, total),
            )
        lists = open_lists(folder.path)
        records = search.run_pieces(folder, ListTask(folder.path, folder.path), pieces, "pairs of neighbours")
        output = digest_of_values([record["digest"] for record in records])
        return StageResult(output=output, facts={"facts": dict(lists.facts), "notes": list(lists.notes)})

    key = {"vectors": vectors.digest, "restrictions": restrictions_digest(restrictions), "settings": asdict(settings)}
    result = search.stage(NEIGHBOURS, key, work)
    path = search.folder.stage(NEIGHBOURS).path
    return FoundPairs(
        files=tuple(path / f"{piece.name}.arrow" for piece in pieces),
        digest=result.output,
        facts=result.facts["facts"],
        notes=tuple(result.facts["notes"]),
    )


def restrictions_digest(restrictions: Restrictions) -> str:
    """A digest of which texts may be paired."""
    whole = hashlib.sha256()
    for array in (restrictions.parts, *restrictions.apart, restrictions.is_usable):
        whole.update(np.ascontiguousarray(array).tobytes() + b"|")
    return whole.hexdigest()
