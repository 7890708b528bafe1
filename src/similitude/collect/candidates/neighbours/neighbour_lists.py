"""The neighbours of each text, nearest first, and what is known of the search that found them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.array_file import mapped_array, save_array
from similitude.collect.candidates.neighbours.directed_pairs import Pairs, ranks_of
from similitude.collect.candidates.neighbours.restrictions import Restrictions
from similitude.data.writing.atomic import write_atomically

__all__ = ["NeighbourLists", "RowPairs", "listed", "open_lists", "search_notes", "write_lists"]


class RowPairs(NamedTuple):
    """Pairs of rows: the first and the second text of each."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourLists:
    """The neighbours of each text.

    Attributes:
        others: for each row, the rows of its neighbours, the nearest first; -1 where there is none.
        similarities: of these pairs (cosines, or the overlap of rare words), to 6 decimals; nan where there is none.
        facts: about the search: whether it was exact, its cells, the recall on a sample; ready for JSON.
        notes: sentences for the user.
    """

    others: NDArray[np.int32]
    similarities: NDArray[np.float32]
    facts: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.others)

    def pairs(self, rows: range | None = None, *, ranks: range | None = None) -> RowPairs:
        """Each text of a range of rows, paired with its neighbours; a pair may come from both of its texts.

        Args:
            rows: by default all.
            ranks: which neighbours, from 0 for the nearest; by default all.
        """
        rows = range(len(self)) if rows is None else rows
        ranks = range(self.others.shape[1]) if ranks is None else ranks
        others = self.others[rows.start : rows.stop, ranks.start : ranks.stop]
        row, rank = np.nonzero(others >= 0)
        return RowPairs(row.astype(np.int64) + rows.start, others[row, rank].astype(np.int64))


def listed(pairs: Iterable[Pairs], count: int, k: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The others and the similarities of `NeighbourLists`, of directed pairs that are sorted by text and rank.

    Args:
        pairs: in several arrays; all pairs of a text in the same one.
        count: how many texts there are.
        k: how many pairs a text has at most.
    """
    others, similarities = np.full((count, k), -1, np.int32), np.full((count, k), np.nan, np.float32)
    for part in pairs:
        place = part["text"], ranks_of(part["text"])
        others[place], similarities[place] = part["other"], part["cosine"]
    return others, similarities


def search_notes(others: NDArray[np.int32], restrictions: Restrictions, k: int) -> tuple[str, ...]:
    """Sentences about texts that have fewer neighbours than the ``k`` that were wanted."""
    short = int(((others[restrictions.is_usable] >= 0).sum(axis=1) < k).sum())
    if not short:
        return restrictions.notes()
    return (
        *restrictions.notes(),
        f"k is {k}, but {short:,} of {len(others):,} texts may be paired with fewer others; they have all of those",
    )


def write_lists(folder: Path, lists: NeighbourLists) -> None:
    """Write lists into a folder, ``neighbours.json`` last: it says that they are complete."""
    save_array(folder / "others.npy", lists.others)
    save_array(folder / "similarities.npy", lists.similarities)
    told = json.dumps({"facts": lists.facts, "notes": lists.notes}, indent=1)
    write_atomically(folder / "neighbours.json", lambda draft: draft.write_text(told, "utf-8"))


def open_lists(folder: Path) -> NeighbourLists:
    """Lists that were written; their arrays are mapped into memory."""
    told = json.loads((folder / "neighbours.json").read_text("utf-8"))
    others, similarities = (mapped_array(folder / f"{name}.npy") for name in ("others", "similarities"))
    return NeighbourLists(others, similarities, told["facts"], tuple(told["notes"]))
