"""The stage that describes pairs and keeps those for which all filters hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from similitude.collect.candidates.features import DescribedPairs, Feature, TextProperties, TextProperty
from similitude.collect.candidates.filters import (
    Filter,
    FilterTally,
    described,
    filter_steps,
    filtered,
    needs,
    sum_tallies,
)
from similitude.collect.candidates.pairs import PairBlock
from similitude.collect.candidates.steps import Step
from similitude.errors import ArgumentError
from similitude.study.candidates.pair_file import PairRows, write_pairs
from similitude.study.candidates.pair_table import PairTable, digest_of_pairs
from similitude.study.candidates.property_stage import open_properties, run_properties
from similitude.study.candidates.read_stage import TextTable
from similitude.study.candidates.search import Search
from similitude.study.candidates.search_systems import SearchSystems
from similitude.study.candidates.stage_folder import Piece, StageFolder, StageResult, digest_of_values
from similitude.study.candidates.text_table import open_texts
from similitude.study.candidates.vector_file import open_vectors
from similitude.study.candidates.vector_stage import VectorTable
from similitude.systems.source_code import code_of

__all__ = ["FilterTask", "run_filters"]

STAGE = "8-filters"
SHARE = 0.25
"""The share of a piece's memory that the vectors and texts of a block may take; features need the rest."""
BYTES_OF_PAIR = 2_000
"""What is held of a pair beside its vectors: two texts, words, values."""
LEAST, MOST = 1_024, 1 << 18
"""Pairs of a block."""
SCORED = 4_096
"""Pairs of a block that systems score, whatever the memory: the last bits of a score may depend on the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterTask:
    """Filters the pairs of a piece, block by block, and describes those that are kept.

    Attributes:
        texts: the table of texts.
        pairs: all pairs.
        vectors: the file of vectors; None if there are none.
        properties: the folder of each property of texts.
        filters: in order.
        measured: features that are computed of the pairs that are kept.
        systems: that score pairs.
        block: pairs of a block.
        folder: for the pairs that are kept.
    """

    texts: Path
    pairs: PairTable
    vectors: Path | None
    properties: Mapping[TextProperty, Path]
    filters: tuple[Filter, ...]
    measured: tuple[Feature, ...]
    systems: SearchSystems
    block: int
    folder: Path

    def __call__(self, piece: Piece) -> dict[str, Any]:
        """Filter the pairs of a piece, and write those that are kept."""
        properties, tallies, kept = open_properties(self.properties), [], []
        for rows in self.pairs.open(piece).blocks(self.block):
            found, counted = self._filtered(rows, properties)
            kept.append(found)
            tallies.append(counted)
        pairs = PairRows.concatenated(kept)
        write_pairs(pairs, self.folder / f"{piece.name}.arrow")
        summed = [sum_tallies(list(each)).record() for each in zip(*tallies, strict=True)]
        return {"tallies": summed, "pairs": len(pairs), "digest": digest_of_pairs(pairs)}

    def _filtered(self, rows: PairRows, properties: TextProperties) -> tuple[PairRows, Sequence[FilterTally]]:
        vectors = None if self.vectors is None else open_vectors(self.vectors)
        block = PairBlock(open_texts(self.texts), rows.left, rows.right, rows.strata, vectors, rows.columns)
        found = filtered(DescribedPairs(block, properties, self.systems), self.filters)
        kept = described(DescribedPairs(found.pairs, properties, self.systems), self.measured)
        return PairRows(kept.left, kept.right, kept.strata, kept.columns), found.tallies


def run_filters(
    search: Search,
    table: TextTable,
    pairs: PairTable,
    vectors: VectorTable | None,
    filters: tuple[Filter, ...],
    measured: tuple[Feature, ...],
) -> tuple[StageResult, PairTable]:
    """Run the stage.

    Returns:
        Its result, and the pairs that are kept, with the values of all features as columns.

    Raises:
        ArgumentError: a filter keeps nothing, or needs vectors that are not there.
    """
    needed = needs([*filters, *measured])
    if needed.vectors and vectors is None:
        raise ArgumentError(
            "a filter or the selection compares vectors, and there are none",
            remedy="pair by neighbours, or name the system in its place, as in 'use >= 0.4'",
        )
    properties = run_properties(search, table, needed.properties)
    systems = search.systems.fitted_to(table.path, table.digest)
    key = {
        "texts": table.digest,
        "pairs": pairs.digest,
        "vectors": vectors.digest if vectors is not None and needed.vectors else None,
        "filters": list(map(str, filters)),
        "measured": list(map(str, measured)),
        "systems": [search.systems.state(name) for name in needed.systems],
        "code": [code_of(feature) for one in filters for feature in one.features] + [*map(code_of, measured)],
    }

    def work(folder: StageFolder) -> StageResult:
        task = FilterTask(
            texts=table.path,
            pairs=pairs,
            vectors=None if vectors is None else vectors.path,
            properties=properties.folders,
            filters=filters,
            measured=measured,
            systems=systems,
            block=SCORED
            if needed.systems
            else block_size(search.memory_of_piece, 0 if vectors is None else vectors.width),
            folder=folder.path,
        )
        records = search.run_pieces(folder, task, pairs.pieces, "filters")
        steps = _lasting(filter_steps(filters, _summed(records), open_texts(table.path)), properties.seconds)
        output = digest_of_values([record["digest"] for record in records])
        return StageResult(output=output, steps=steps, facts={"pairs": sum(record["pairs"] for record in records)})

    result = search.stage(STAGE, key, work)
    kept = PairTable(folder=search.folder.stage(STAGE).path, pieces=pairs.pieces, digest=result.output)
    return result, kept


def _lasting(steps: tuple[Step, ...], seconds: float) -> tuple[Step, ...]:
    """The steps; what properties of texts took counts for the first, since no filter can do without."""
    return tuple(replace(step, seconds=step.seconds + seconds * (place == 0)) for place, step in enumerate(steps))


def block_size(memory: int, width: int) -> int:
    """How many pairs are described at a time.

    >>> block_size(2_000_000_000, 512), block_size(100_000_000, 512), block_size(0, 0)
    (82020, 4101, 1024)
    """
    return int(min(MOST, max(LEAST, SHARE * memory // (2 * 4 * width + BYTES_OF_PAIR))))


def _summed(records: Sequence[Mapping[str, Any]]) -> list[FilterTally]:
    """What each filter did to the pairs of all pieces that had any."""
    rows = [map(FilterTally.from_record, record["tallies"]) for record in records if record["tallies"]]
    return [sum_tallies(list(each)) for each in zip(*rows, strict=True)]
