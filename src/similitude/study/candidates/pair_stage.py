"""The stage that makes pairs of texts, by each way of the plan, and merges them so that each pair is there once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from similitude.collect.candidates.array_file import save_array
from similitude.collect.candidates.group_pairs import first_rows
from similitude.collect.candidates.neighbours import Restrictions
from similitude.collect.candidates.pairs import STRATA
from similitude.collect.candidates.random_pairs import random_pairs
from similitude.collect.candidates.steps import Step
from similitude.data.byte_sizes import shown_size
from similitude.data.texts import Texts
from similitude.errors import ArgumentError
from similitude.study.candidates.given_stage import run_given
from similitude.study.candidates.pair_table import MergeTask, PairTable
from similitude.study.candidates.pair_tasks import HardNegativeTask, ListedTask, PairWriter
from similitude.study.candidates.partner_stages import PartnerLists, run_neighbours, run_sharing
from similitude.study.candidates.plan_parts import PairsPart
from similitude.study.candidates.read_stage import TextTable
from similitude.study.candidates.search import LIBRARIES, Search
from similitude.study.candidates.stage_folder import StageFolder, StageResult, digest_of_values
from similitude.study.candidates.text_table import ROW, open_texts
from similitude.study.candidates.vector_stage import VectorTable

__all__ = ["allowed_pairs", "run_pairs"]

STAGE = "6-pairs"
RANDOM = 4
"""The number that makes the random numbers of this stage independent of those of others."""
MORE = 30
"""Partners beyond the first k among which hard negatives are sought."""
FIRSTS = "firsts.npy"
BYTES_OF_PARTNER = 20
"""What is held of each partner of a text while lists are made: two rows and a similarity, some of them twice."""


def run_pairs(search: Search, table: TextTable, vectors: VectorTable | None) -> tuple[StageResult, PairTable]:
    """Find pairs, and merge them.

    Raises:
        ArgumentError: no two texts may be paired.
    """
    source = _Given(search, table) if search.plan.pairs.data is not None else _Found.of(search, table, vectors)
    pieces = search.pieces(table.rows)

    def work(folder: StageFolder) -> StageResult:
        task = MergeTask(tuple(source.files(folder)), folder.path, is_directed=isinstance(source, _Given))
        records = search.run_pieces(folder, task, pieces, "pairs")
        counts = np.sum([record["strata"] for record in records], axis=0).tolist()
        step = source.step(dict(zip(STRATA, counts, strict=True)))
        output = digest_of_values([record["digest"] for record in records])
        return StageResult(output=output, steps=(step,), facts={"pairs": step.after})

    result = search.stage(STAGE, {"rows": table.rows, **source.key}, work)
    path = search.folder.stage(STAGE).path
    return result, PairTable(folder=path, pieces=tuple(pieces), digest=result.output)


class AllowedPairs(NamedTuple):
    """Which texts may be paired and, if groups are paired, the first row of each text's group."""

    restrictions: Restrictions
    firsts: np.ndarray[tuple[int], np.dtype[np.int64]] | None


def allowed_pairs(plan: PairsPart, texts: Texts) -> AllowedPairs:
    """Which texts may be paired.

    Raises:
        UnknownNameError: the texts have no such column.
        ArgumentError: a column cannot be compared.
    """
    frame = texts.frame.drop(ROW, strict=False)
    never = tuple(name for name in plan.never_same if name in frame.columns)
    allowed = Restrictions.of(Texts(frame), within=plan.within, across=plan.across, never_same=never)
    if plan.of is None:
        return AllowedPairs(allowed, None)
    firsts = first_rows(frame, plan.of)
    is_usable = allowed.is_usable & (firsts == np.arange(len(firsts)))
    return AllowedPairs(replace(allowed, is_usable=is_usable), firsts)


def _refuse_long_lists(rows: int, k: int, search: Search) -> None:
    """Raise if the partners of all texts are more than memory holds."""
    needed = LIBRARIES + rows * k * BYTES_OF_PARTNER
    if needed > search.memory:
        what = f"{k:,} partners of each of {rows:,} texts need about {shown_size(needed)} of memory"
        allowed = f"and the search may use {shown_size(search.memory)}"
        raise ArgumentError(f"{what}, {allowed}", remedy="lower k, or raise --memory")


class _Given:
    """Pairs that were given."""

    def __init__(self, search: Search, table: TextTable) -> None:
        self.pairs, self.table = run_given(search, table), table
        self.key = {"given": self.pairs.digest}

    def files(self, folder: StageFolder) -> list[Path]:
        return [self.pairs.file]

    def step(self, counts: Mapping[str, int]) -> Step:
        after = sum(counts.values())
        facts = {"found by": {"given": after}}
        return Step(
            name="pairs", of="pairs", before=self.table.rows, after=after, losses=self.pairs.losses, facts=facts
        )


@dataclass(frozen=True, kw_only=True)
class _Found:
    """Pairs that are found by the ways of the plan.

    Attributes:
        near: the nearest neighbours, if a way needs them.
        sharing: the texts that share rare words, if a way needs them.
        firsts: the first row of each text's group, if groups are paired.
    """

    search: Search
    table: TextTable
    vectors: VectorTable | None
    restrictions: Restrictions
    near: PartnerLists | None
    sharing: PartnerLists | None
    firsts: np.ndarray[tuple[int], np.dtype[np.int64]] | None

    @classmethod
    def of(cls, search: Search, table: TextTable, vectors: VectorTable | None) -> _Found:
        """List the partners that the ways of the plan need."""
        plan = search.plan.pairs
        allowed, firsts = allowed_pairs(plan, open_texts(table.path))
        _refuse_long_lists(table.rows, allowed.most_partners(listed(plan)), search)
        needs_near = {"neighbours", "hard-negatives"} & set(plan.by)
        needs_sharing = {"words", "hard-negatives"} & set(plan.by)
        return cls(
            search=search,
            table=table,
            vectors=vectors,
            restrictions=allowed,
            near=run_neighbours(search, vectors, allowed, listed(plan)) if needs_near and vectors is not None else None,
            sharing=run_sharing(search, table, allowed, listed(plan)) if needs_sharing else None,
            firsts=firsts,
        )

    @property
    def plan(self) -> PairsPart:
        """The part of the plan."""
        return self.search.plan.pairs

    @property
    def key(self) -> dict[str, Any]:
        """All that the pairs depend on."""
        of_random = [self.plan.random, self.search.plan.seed] if "random" in self.plan.by else None
        lists = [None if each is None else each.digest for each in (self.near, self.sharing)]
        allowed = {"within": self.plan.within, "across": self.plan.across, "never_same": self.plan.never_same}
        texts = self.table.digest if of_random or self.plan.of or "hard-negatives" in self.plan.by else None
        shape = {"by": self.plan.by, "k": self.plan.k, "of": self.plan.of, "random": of_random}
        return {"lists": lists, "texts": texts, **shape, **(allowed if of_random else {})}

    def files(self, folder: StageFolder) -> list[Path]:
        """Find the pairs, and say in which files they are."""
        firsts = None
        if self.firsts is not None:
            firsts = folder.scratch / FIRSTS
            save_array(firsts, self.firsts)
        writers = [PairWriter(way, folder.scratch, firsts) for way in self.plan.by]
        return [file for writer in writers for file in self._written(writer, folder)]

    def _written(self, writer: PairWriter, folder: StageFolder) -> list[Path]:
        if writer.stratum == "random":
            usable = int(self.restrictions.is_usable.sum())
            count = min(round(self.plan.random * self.plan.k * usable), usable * (usable - 1) // 2)
            rng = np.random.default_rng([self.search.plan.seed, RANDOM])
            return [writer.write([random_pairs(self.restrictions, max(1, count), rng)], "all")]
        pieces = self.search.pieces(self.table.rows)
        self.search.run_pieces(folder, self._task(writer), pieces, writer.stratum)
        return [writer.path(piece.name) for piece in pieces]

    def _task(self, writer: PairWriter) -> ListedTask | HardNegativeTask:
        if writer.stratum != "hard-negatives":
            lists = self.near if writer.stratum == "neighbours" else self.sharing
            assert lists is not None  # `of` has listed what the ways need
            return ListedTask(lists.folder, self.plan.k, writer)
        assert self.near is not None
        assert self.sharing is not None
        assert self.vectors is not None
        return HardNegativeTask(
            near=self.near.folder,
            sharing=self.sharing.folder,
            texts=self.table.path,
            vectors=self.vectors.path,
            skip_near=self.plan.k if "neighbours" in self.plan.by else 0,
            skip_sharing=self.plan.k if "words" in self.plan.by else 0,
            writer=writer,
        )

    def step(self, counts: Mapping[str, int]) -> Step:
        """The step of all ways together.

        Raises:
            ArgumentError: there are no pairs.
        """
        lists = [each for each in (self.near, self.sharing) if each is not None]
        notes = tuple(dict.fromkeys(note for each in lists for note in each.notes)) or self.restrictions.notes()
        total = sum(counts.values())
        if self.table.rows == 1:
            raise ArgumentError("one text alone makes no pair", remedy="give more texts")
        if not total:
            what = "; ".join([f"no two of {self.table.rows:,} texts may be paired", *notes])
            raise ArgumentError(what, remedy="give more texts, or loosen within, across and never_same under [pairs]")
        facts: dict[str, Any] = {"found by": {name: count for name, count in counts.items() if count}}
        for each in lists:
            facts |= each.facts
        return Step(
            name="pairs",
            of="pairs",
            before=self.table.rows,
            after=total,
            seconds=sum(each.seconds for each in lists),
            facts=facts,
            notes=notes,
        )


def listed(plan: PairsPart) -> int:
    """How many partners of each text are listed."""
    return plan.k + (MORE if "hard-negatives" in plan.by else 0)
