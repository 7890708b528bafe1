"""The stages that make pairs of texts: one for each way to find them, and one that merges what they found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from similitude.collect.candidates.neighbours import Restrictions
from similitude.collect.candidates.pairs import STRATA
from similitude.collect.candidates.steps import Step
from similitude.errors import ArgumentError
from similitude.study.candidates.found_pairs import FoundPairs
from similitude.study.candidates.given_stage import run_given
from similitude.study.candidates.neighbour_stage import run_neighbours
from similitude.study.candidates.pair_table import MergeTask, PairTable
from similitude.study.candidates.read_stage import TextTable
from similitude.study.candidates.search import Search
from similitude.study.candidates.stage_folder import StageFolder, StageResult, digest_of_values
from similitude.study.candidates.text_table import open_texts
from similitude.study.candidates.vector_stage import VectorTable

__all__ = ["run_pairs"]

STAGE = "6-pairs"

Way = Callable[[Search, TextTable, VectorTable | None, Restrictions], FoundPairs]

WAYS: dict[str, Way] = {"neighbours": run_neighbours}
"""How pairs are found, by the name of the stratum."""


def run_pairs(search: Search, table: TextTable, vectors: VectorTable | None) -> tuple[StageResult, PairTable]:
    """Find pairs by each way of the plan, and merge them so that each pair is there once.

    Raises:
        ArgumentError: no two texts may be paired.
    """
    found = _found(search, table, vectors)
    pieces = search.pieces(table.rows)
    is_given = search.plan.pairs.data is not None

    def work(folder: StageFolder) -> StageResult:
        files = tuple(file for each in found.values() for file in each.files)
        task = MergeTask(files, folder.path, is_directed=is_given)
        records = search.run_pieces(folder, task, pieces, "pairs")
        counts = np.sum([record["strata"] for record in records], axis=0).tolist()
        step = _step(table.rows, found, dict(zip(STRATA, counts, strict=True)))
        output = digest_of_values([record["digest"] for record in records])
        return StageResult(output=output, steps=(step,), facts={"pairs": step.after})

    key = {"rows": table.rows, "found": {name: each.digest for name, each in found.items()}}
    result = search.stage(STAGE, key, work)
    path = search.folder.stage(STAGE).path
    return result, PairTable(folder=path, pieces=tuple(pieces), digest=result.output)


def _found(search: Search, table: TextTable, vectors: VectorTable | None) -> dict[str, FoundPairs]:
    plan = search.plan.pairs
    if plan.data is not None:
        return {"given": run_given(search, table)}
    texts = open_texts(table.path)
    never = tuple(name for name in plan.never_same if name in texts.frame.columns)
    restrictions = Restrictions.of(texts, within=plan.within, across=plan.across, never_same=never)
    return {name: WAYS[name](search, table, vectors, restrictions) for name in plan.by}


def _step(texts: int, found: dict[str, FoundPairs], counts: dict[str, int]) -> Step:
    """The step of all ways together.

    Raises:
        ArgumentError: there are no pairs.
    """
    total = sum(counts.values())
    if not total:
        raise ArgumentError(
            f"no two of {texts:,} texts may be paired",
            remedy="give more texts, or loosen within, across and never_same under [pairs]",
        )
    facts: dict[str, Any] = {"found by": {name: count for name, count in counts.items() if count}}
    for each in found.values():
        facts |= each.facts
    losses = {reason: count for each in found.values() for reason, count in each.losses.items()}
    notes = tuple(dict.fromkeys(note for each in found.values() for note in each.notes))
    return Step(name="pairs", of="pairs", before=texts, after=total, losses=losses, facts=facts, notes=notes)
