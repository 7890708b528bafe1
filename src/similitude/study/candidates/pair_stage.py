"""The stage that makes pairs of texts, by each way of the plan, and merges them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from similitude.collect.candidates.pairs import STRATA
from similitude.collect.candidates.steps import Step
from similitude.errors import ArgumentError
from similitude.study.candidates.pair_file import PairRows, open_pairs, write_pairs
from similitude.study.candidates.pair_table import MergeTask, PairTable
from similitude.study.candidates.read_stage import GIVEN, READ, TextTable
from similitude.study.candidates.search import Search
from similitude.study.candidates.stage_folder import Piece, StageFolder, StageResult, digest_of_values
from similitude.study.candidates.text_table import open_texts, rows_read
from similitude.study.candidates.vector_file import open_vectors
from similitude.study.candidates.vector_stage import VectorTable

__all__ = ["run_pairs"]

STAGE = "5-pairs"


@dataclass(frozen=True, slots=True)
class NeighbourTask:
    vectors: Path
    k: int
    folder: Path

    def __call__(self, piece: Piece) -> dict[str, Any]:
        vectors = open_vectors(self.vectors)
        cosines = vectors[piece.start : piece.stop] @ vectors.T
        own = np.arange(piece.start, piece.stop)
        cosines[own - piece.start, own] = -2
        k = min(self.k, len(vectors) - 1)
        near = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
        rows = PairRows.all_of(STRATA.index("neighbours"), np.repeat(own, k), near.ravel().astype(np.int64))
        write_pairs(rows.in_order(is_directed=False), self.folder / f"neighbours-{piece.name}.arrow")
        return {}


def run_pairs(search: Search, table: TextTable, vectors: VectorTable | None) -> tuple[StageResult, PairTable]:
    """Make the pairs."""
    pieces = search.pieces(table.rows)

    def work(folder: StageFolder) -> StageResult:
        found = folder.path / "found"
        found.mkdir(exist_ok=True)
        if search.plan.pairs.data is not None:
            losses = _given(search, table, found)
        else:
            losses = {}
            search.run_pieces(folder, NeighbourTask(vectors.path, search.plan.pairs.k, found), pieces, "neighbours")
        merged = folder.path / "merged"
        merged.mkdir(exist_ok=True)
        task = MergeTask(tuple(sorted(found.glob("*.arrow"))), merged, is_directed=False)
        records = search.run_pieces(folder.part("merge"), task, pieces, "merging pairs")
        count = sum(record["pairs"] for record in records)
        step = Step(name="pairs", of="pairs", before=table.rows, after=count, losses=losses)
        return StageResult(
            output=digest_of_values([record["digest"] for record in records]), steps=(step,), facts={"pairs": count}
        )

    key = {
        "texts": table.digest,
        "vectors": None if vectors is None else vectors.digest,
        "pairs": search.plan.pairs.model_dump(mode="json"),
    }
    result = search.stage(STAGE, key, work)
    return result, PairTable(
        folder=search.folder.stage(STAGE).path / "merged", pieces=tuple(pieces), digest=result.output
    )


def _given(search: Search, table: TextTable, found: Path) -> dict[str, int]:
    """The pairs that were given, as rows of the texts that are left."""
    pairs = open_pairs(search.folder.stage(READ).path / GIVEN)
    rows = rows_read(open_texts(table.path))
    place = np.full(int(max(pairs.left.max(), pairs.right.max(), rows.max())) + 1, -1, np.int64)
    place[rows] = np.arange(len(rows))
    left, right = place[pairs.left], place[pairs.right]
    is_left = (left >= 0) & (right >= 0) & (left != right)
    kept = PairRows(left, right, pairs.strata, pairs.columns).take(np.flatnonzero(is_left))
    if not len(kept):
        raise ArgumentError("no given pair has both texts left after cleaning", remedy="loosen [clean]")
    once = kept.in_order(is_directed=False)
    write_pairs(once, found / "given.arrow")
    lost = {"a text was dropped": int((~is_left).sum()), "the same two texts again": len(kept) - len(once)}
    return {reason: count for reason, count in lost.items() if count}
