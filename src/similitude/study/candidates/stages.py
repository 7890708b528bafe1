"""The stages of a search, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from similitude.collect.candidates.features import Feature
from similitude.collect.candidates.filters import Filter, Names, make_features, make_filters, needs
from similitude.collect.candidates.neighbours import check_device
from similitude.collect.candidates.selection import SelectionRequest, to_measure
from similitude.collect.candidates.steps import Step
from similitude.data.byte_sizes import shown_size
from similitude.data.texts import Texts
from similitude.errors import ArgumentError
from similitude.study.candidates.clean_stage import CLEAN, run_clean
from similitude.study.candidates.duplicate_stage import DUPLICATES, run_duplicates
from similitude.study.candidates.filter_stage import run_filters
from similitude.study.candidates.image_vectors import ImageVectors
from similitude.study.candidates.item_stage import FoundItems, run_items, selection_request
from similitude.study.candidates.pair_file import open_pairs
from similitude.study.candidates.pair_stage import allowed_pairs, run_pairs
from similitude.study.candidates.read_stage import GIVEN, READ, TextTable, run_read
from similitude.study.candidates.search import LIBRARIES, Search
from similitude.study.candidates.text_table import ROW, open_texts
from similitude.study.candidates.vector_source import FileVectors, SystemVectors, VectorSource
from similitude.study.candidates.vector_stage import VectorTable, run_vectors

__all__ = ["run_stages"]

TABLES, BYTES_OF_TEXT = 2, 3_000
"""Tables of texts in memory at a time, and what is held of each text beside while its neighbours are searched. Measured
with 100,000 and 200,000 sentences and two workers."""

USUAL = "cosine"
"""What is measured of each item if there are vectors, whether or not a filter asks for it."""


class _Conditions(NamedTuple):
    """Filters, what is measured of the pairs that they keep, and the selection under the names of what is measured."""

    filters: tuple[Filter, ...]
    measured: tuple[Feature, ...]
    selection: SelectionRequest

    @property
    def need_vectors(self) -> bool:
        return needs([*self.filters, *self.measured]).vectors


def run_stages(search: Search, data: Any, reading: Mapping[str, Any]) -> tuple[FoundItems, tuple[Step, ...]]:
    """Run all stages that are not finished yet.

    Returns:
        The items, and the steps of all stages.
    """
    plan = search.plan
    _check(search)
    was_read = run_read(search, data, reading)
    read = TextTable.of(search, READ, was_read)
    _refuse_too_many(read, search.memory)
    conditions = _conditions(search, read)
    was_cleaned = run_clean(search, read)
    table = TextTable.of(search, CLEAN, was_cleaned)
    results = [was_read, was_cleaned]
    if plan.drops_duplicates:
        results.append(run_duplicates(search, table, plan.duplicates.similarity))
        table = TextTable.of(search, DUPLICATES, results[-1])
    vectors = _vectors(search, read, table, conditions)
    was_paired, pairs = run_pairs(search, table, vectors)
    was_filtered, kept = run_filters(search, table, pairs, vectors, conditions.filters, conditions.measured)
    was_drawn, found = run_items(search, table, kept, was_filtered.facts["pairs"], vectors, conditions.selection)
    before = [step for result in results for step in result.steps]
    after = [step for result in (was_paired, was_filtered, was_drawn) for step in result.steps]
    return found, (*before, *([] if vectors is None else [vectors.step]), *after)


def _check(search: Search) -> None:
    """Refuse what cannot work before anything is read.

    Raises:
        ArgumentError: the system of the plan has no vectors, there is no such device, or the selection is not valid.
    """
    plan = search.plan
    selection_request(plan.select)
    if plan.pairs.uses_vectors and plan.texts.vectors is None and plan.texts.images is None:
        search.systems.encoder(plan.pairs.system)
    if search.device not in (None, "cpu"):
        check_device(str(search.device))


def _refuse_too_many(read: TextTable, memory: int) -> None:
    """Raise if the tables of all texts are more than memory holds.

    Raises:
        ArgumentError: they are.
    """
    needed = LIBRARIES + TABLES * read.path.stat().st_size + BYTES_OF_TEXT * read.rows
    if needed > memory:
        allowed = f"and the search may use {shown_size(memory)}"
        what = f"{read.rows:,} texts need about {shown_size(needed)} of memory, {allowed}"
        raise ArgumentError(what, remedy="raise --memory, or search among fewer texts")


def _conditions(search: Search, read: TextTable) -> _Conditions:
    """The filters and features of the plan, checked against the columns that there are before anything is computed."""
    plan, texts = search.plan, open_texts(read.path)
    given = () if plan.pairs.data is None else open_pairs(search.folder.stage(READ).path / GIVEN).columns
    columns = tuple(name for name in texts.frame.columns if name not in (ROW, "id", "text", "context"))
    if plan.pairs.data is None:
        allowed_pairs(plan.pairs, Texts(texts.frame.head(0)))
    names = Names(tuple(given), columns, search.systems)
    filters = make_filters(plan.filters.keep, names)
    request = selection_request(plan.select)
    asked = to_measure(request, texts)
    has_vectors = plan.texts.vectors is not None or plan.texts.images is not None or plan.pairs.uses_vectors
    wanted = dict.fromkeys([*asked, *([USUAL] if has_vectors else [])])
    measured = make_features(wanted, names)
    return _Conditions(filters, measured, request.renamed(dict(zip(wanted, map(str, measured), strict=True))))


def _vectors(search: Search, read: TextTable, table: TextTable, conditions: _Conditions) -> VectorTable | None:
    """Vectors of the texts; None if nothing looks at them."""
    plan = search.plan
    is_needed = plan.pairs.uses_vectors or conditions.need_vectors or plan.select.diverse is not None
    return run_vectors(search, table, _source(search, read, table)) if is_needed else None


def _source(search: Search, read: TextTable, table: TextTable) -> VectorSource:
    plan = search.plan
    if plan.texts.vectors is not None:
        return FileVectors.read(plan.texts.vectors, read, table)
    if plan.texts.images is not None:
        return ImageVectors.read(plan.texts, table)
    return SystemVectors(table.path, table.text_digest, search.systems, plan.pairs.system)
