"""The stages that list partners of each text: its nearest neighbours, and the texts that share rare words with it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from similitude.collect.candidates.neighbours import (
    NeighbourLists,
    Restrictions,
    SearchSettings,
    find_neighbours,
    open_lists,
)
from similitude.collect.candidates.shared_words import find_sharing_texts
from similitude.data.listeners import OptionalListener
from similitude.study.candidates.free_pages import release_free_pages
from similitude.study.candidates.read_stage import TextTable
from similitude.study.candidates.search import Search
from similitude.study.candidates.stage_folder import StageFolder, StageResult, digest_of_files
from similitude.study.candidates.text_table import open_texts
from similitude.study.candidates.vector_stage import VectorTable

__all__ = ["PartnerLists", "run_neighbours", "run_sharing"]

NEIGHBOURS, WORDS = "5-neighbours", "5-words"
COMPLETE = "neighbours.json"
"""The file that is written last when partners have been found."""

Find = Callable[[Path, Callable[[str, int, int], None]], NeighbourLists]
"""Finds partners; is given a folder, and whom to tell the progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerLists:
    """Partners of each text, in a folder.

    Attributes:
        folder: `open_lists` opens it.
        digest: of all partners.
        facts: about the search; ready for JSON.
        notes: for the user.
        seconds: how long the search took.
    """

    folder: Path
    digest: str
    facts: Mapping[str, Any]
    notes: tuple[str, ...]
    seconds: float


def run_neighbours(search: Search, vectors: VectorTable, restrictions: Restrictions, k: int) -> PartnerLists:
    """List the k nearest neighbours of each text."""
    # Its own seed, which no plan changes: another draw of items must not search all neighbours again.
    settings = SearchSettings(k=k, exact=search.plan.pairs.exact, device=search.device)

    def find(folder: Path, progress: Callable[[str, int, int], None]) -> NeighbourLists:
        return find_neighbours(vectors.path, folder, restrictions, settings, engine=search.engine, progress=progress)

    key = {"vectors": vectors.digest, "settings": asdict(settings), "restrictions": _digest(restrictions)}
    return _listed(search, NEIGHBOURS, key, find)


def run_sharing(search: Search, table: TextTable, restrictions: Restrictions, k: int) -> PartnerLists:
    """List the k texts that share most rare words with each text."""

    def find(folder: Path, progress: Callable[[str, int, int], None]) -> NeighbourLists:
        texts = open_texts(table.path)
        return find_sharing_texts(texts, folder, restrictions, k, engine=search.engine, progress=progress)

    key = {"texts": table.text_digest, "k": k, "restrictions": _digest(restrictions)}
    return _listed(search, WORDS, key, find)


def _listed(search: Search, stage: str, key: Mapping[str, Any], find: Find) -> PartnerLists:
    told = OptionalListener(search.listener)

    def progress(part: str, done: int, total: int) -> None:
        told.progress(f"{stage[2:]}: {part}", done, total)
        release_free_pages()

    def work(folder: StageFolder) -> StageResult:
        if not (folder.path / COMPLETE).exists():
            find(folder.path, progress)
        lists = open_lists(folder.path)
        output = digest_of_files([folder.path / "others.npy"])
        return StageResult(output=output, facts={"facts": dict(lists.facts), "notes": list(lists.notes)})

    result = search.stage(stage, key, work)
    known = result.facts
    path = search.folder.stage(stage).path
    return PartnerLists(
        folder=path,
        digest=result.output,
        facts=known["facts"],
        notes=tuple(known["notes"]),
        seconds=result.seconds,
    )


def _digest(restrictions: Restrictions) -> str:
    """A digest of which texts may be paired."""
    whole = hashlib.sha256()
    for array in (restrictions.parts, *restrictions.apart, restrictions.is_usable):
        whole.update(np.ascontiguousarray(array).tobytes() + b"|")
    return whole.hexdigest()
