"""The stage that takes pairs which were given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from similitude.errors import ArgumentError
from similitude.study.candidates.pair_file import PairRows, open_pairs, write_pairs
from similitude.study.candidates.pair_table import digest_of_pairs
from similitude.study.candidates.read_stage import GIVEN, READ, TextTable
from similitude.study.candidates.search import Search
from similitude.study.candidates.stage_folder import StageFolder, StageResult
from similitude.study.candidates.text_table import open_texts, rows_read

__all__ = ["GivenRows", "run_given"]

STAGE = "5-given"
FILE = "pairs.arrow"


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenRows:
    """Pairs that were given, in a file.

    Attributes:
        file: sorted by rows.
        digest: of the pairs.
        losses: how many were dropped, by reason.
    """

    file: Path
    digest: str
    losses: Mapping[str, int]


def run_given(search: Search, table: TextTable) -> GivenRows:
    """The pairs that were given, as rows of the texts that are left."""
    given = search.folder.stage(READ).path / GIVEN

    def work(folder: StageFolder) -> StageResult:
        pairs, losses = _left(open_pairs(given), rows_read(open_texts(table.path)))
        write_pairs(pairs, folder.path / FILE)
        return StageResult(output=digest_of_pairs(pairs), facts={"losses": losses})

    key = {"texts": table.digest, "pairs": digest_of_pairs(open_pairs(given))}
    result = search.stage(STAGE, key, work)
    file = search.folder.stage(STAGE).path / FILE
    return GivenRows(file=file, digest=result.output, losses=result.facts["losses"])


def _left(pairs: PairRows, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[PairRows, dict[str, int]]:
    """The pairs whose texts are both left, and how many are not.

    Raises:
        ArgumentError: none is left.
    """
    place = np.full(1 + max(int(pairs.left.max()), int(pairs.right.max()), int(rows.max())), -1, np.int64)
    place[rows] = np.arange(len(rows))
    left, right = place[pairs.left], place[pairs.right]
    is_whole, differs = (left >= 0) & (right >= 0), left != right
    kept = PairRows(left, right, pairs.strata, pairs.columns).take(np.flatnonzero(is_whole & differs))
    if not len(kept):
        raise ArgumentError(f"none of {len(pairs):,} given pairs has two texts left", remedy="loosen [clean]")
    once = kept.in_order(is_directed=True)
    losses = {
        "a text was dropped": int((~is_whole).sum()),
        "a text with itself": int((is_whole & ~differs).sum()),
        "the same pair again": len(kept) - len(once),
    }
    return once, {reason: count for reason, count in losses.items() if count}
