"""The last stage: pairs are drawn, and leave as items that do not tell why they were drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from similitude.collect.candidates.pairs import PairBlock
from similitude.collect.candidates.selection import SelectionRequest, select
from similitude.collect.candidates.selection.blind_items import blind_items
from similitude.data.byte_sizes import shown_size
from similitude.data.item import Items
from similitude.data.texts import Texts
from similitude.errors import ArgumentError
from similitude.study.candidates.pair_file import PairRows
from similitude.study.candidates.pair_table import PairTable
from similitude.study.candidates.plan_parts import SelectPart
from similitude.study.candidates.read_stage import TextTable
from similitude.study.candidates.search import Search
from similitude.study.candidates.stage_folder import StageFolder, StageResult
from similitude.study.candidates.text_table import ROW, open_texts
from similitude.study.candidates.vector_file import open_vectors
from similitude.study.candidates.vector_stage import VectorTable

__all__ = ["FoundItems", "run_items", "selection_request"]

STAGE = "9-items"
ITEMS, DESCRIPTIONS = "items.parquet", "descriptions.parquet"
BYTES_OF_PAIR = 100
"""What is held of a pair while it may be drawn: its rows, its stratum and some values."""
SELECT, BLIND = 1, 2
"""Numbers that make the random numbers of one purpose independent of those of another."""


class FoundItems(NamedTuple):
    """Items, and what is known of each."""

    items: Items
    descriptions: pl.DataFrame


def selection_request(part: SelectPart) -> SelectionRequest:
    """What the plan asks of the selection.

    Raises:
        ArgumentError: the values do not fit together.
    """
    values: Mapping[str, Any] = {name: getattr(part, name) for name in SelectPart.model_fields if name != "fixed_sides"}
    return SelectionRequest(**values)


def run_items(
    search: Search,
    table: TextTable,
    kept: PairTable,
    pairs: int,
    vectors: VectorTable | None,
    request: SelectionRequest,
) -> tuple[StageResult, FoundItems]:
    """Draw pairs, and make items of them.

    Args:
        search: at work.
        table: the texts.
        kept: the pairs that the filters keep, with a column for each value that the selection looks at.
        pairs: how many these are.
        vectors: of the texts.
        request: what the plan asks of the selection, under the names of the columns.

    Raises:
        ArgumentError: there are too few pairs, or more than memory holds.
    """
    plan = search.plan
    key = {
        "texts": table.digest,
        "pairs": kept.digest,
        "vectors": vectors.digest if vectors is not None and request.diverse else None,
        "select": plan.select.model_dump(mode="json"),
        "seed": plan.seed,
    }

    def work(folder: StageFolder) -> StageResult:
        _refuse_too_many(pairs, search.memory)
        block = _block(table, PairRows.concatenated(list(kept)), vectors)
        chosen = select(block, request, rng=np.random.default_rng([plan.seed, SELECT]), listener=search.listener)
        rng = np.random.default_rng([plan.seed, BLIND])
        found = blind_items(chosen, rng=rng, fixed_sides=plan.select.fixed_sides)
        folder.write_parquet(ITEMS, found.items.frame)
        folder.write_parquet(DESCRIPTIONS, found.descriptions)
        return StageResult(output=found.items.fingerprint, steps=(chosen.step,), facts={"items": len(found.items)})

    result = search.stage(STAGE, key, work)
    path = search.folder.stage(STAGE).path
    found = FoundItems(Items(pl.read_parquet(path / ITEMS)), pl.read_parquet(path / DESCRIPTIONS))
    return result, found


def _block(table: TextTable, rows: PairRows, vectors: VectorTable | None) -> PairBlock:
    texts = Texts(open_texts(table.path).frame.drop(ROW))
    mapped = None if vectors is None else open_vectors(vectors.path)
    return PairBlock(texts, rows.left, rows.right, rows.strata, mapped, rows.columns)


def _refuse_too_many(pairs: int, memory: int) -> None:
    """Raise if the rows of all pairs, and a few values of each, are more than memory holds."""
    needed = pairs * BYTES_OF_PAIR
    if needed > memory:
        what = f"the filters keep {pairs:,} pairs, and drawing from them needs about {shown_size(needed)} of memory"
        raise ArgumentError(what, remedy="add filters, or raise --memory")
