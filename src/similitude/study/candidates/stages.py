"""The stages of a search, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import polars as pl

from similitude.collect.candidates.filters import Names, make_features, make_filters
from similitude.collect.candidates.steps import Step
from similitude.data.item import Items
from similitude.study.candidates.filter_stage import run_filters
from similitude.study.candidates.pair_stage import run_pairs
from similitude.study.candidates.read_stage import READ, TextTable, run_read
from similitude.study.candidates.search import Search
from similitude.study.candidates.vector_source import SystemVectors
from similitude.study.candidates.vector_stage import run_vectors

__all__ = ["FoundItems", "run_stages"]


class FoundItems(NamedTuple):
    """What the stages found."""

    items: Items
    descriptions: pl.DataFrame
    steps: tuple[Step, ...]


def run_stages(search: Search, data: Any, reading: Mapping[str, Any]) -> FoundItems:
    """Run all stages that are not finished yet."""
    read = run_read(search, data, reading)
    table = TextTable.of(search, READ, read)
    vectors = run_vectors(
        search, table, SystemVectors(table.path, table.text_digest, search.systems, search.plan.pairs.system)
    )
    paired, pairs = run_pairs(search, table, vectors)
    names = Names(scorer=search.systems)
    filters = make_filters(search.plan.filters.keep, names)
    result, kept = run_filters(search, table, pairs, vectors, filters, make_features(["cosine"], names))
    return kept, [*read.steps, *paired.steps, *result.steps]
