"""The search for texts that share rare n-grams."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from similitude.collect.candidates.array_file import save_array
from similitude.collect.candidates.neighbours.neighbour_lists import NeighbourLists, listed, write_lists
from similitude.collect.candidates.neighbours.pieces import OneAfterAnother, Progress, RunsPieces, ranges, results_of
from similitude.collect.candidates.neighbours.restrictions import Restrictions
from similitude.collect.candidates.shared_words.ngrams import NGrams, ngrams_of
from similitude.collect.candidates.shared_words.rare_ngrams import (
    MOST_TEXTS,
    open_rare_ngrams,
    rare_ngrams,
    sharing_pairs,
    write_rare_ngrams,
)
from similitude.data.texts import Texts

__all__ = ["find_sharing_texts"]

READ = 65_536
PIECE = 8_192


def find_sharing_texts(
    texts: Texts,
    folder: Path,
    restrictions: Restrictions,
    k: int,
    *,
    most_texts: int = MOST_TEXTS,
    engine: RunsPieces | None = None,
    progress: Progress = lambda stage, done, total: None,
) -> NeighbourLists:
    """The texts that share most rare n-grams of one to three words with each text.

    The result does not depend on the engine. Pieces whose files are in the folder are not computed again; the folder
    must belong to this search alone.

    Args:
        texts: the table.
        folder: for files of the search; it exists, and workers of the engine see it.
        restrictions: which texts may be paired.
        k: partners of each text.
        most_texts: an n-gram in more texts than this is not rare.
        engine: runs the pieces; by default one after another.
        progress: is told about them.
    """
    k = restrictions.most_partners(k)
    work = folder / "work"
    work.mkdir(exist_ok=True)
    ngrams = rare_ngrams(_ngrams(texts, progress), len(texts), most_texts)
    write_rare_ngrams(work, ngrams)
    pieces, task = ranges(len(texts), PIECE), _SharingTask(work, k, restrictions)
    missing = [piece for piece in pieces if not task.path(piece).exists()]
    results_of(engine or OneAfterAnother(), task, missing, "shared words", progress)
    others, shares = listed((np.load(task.path(piece)) for piece in pieces), len(texts), k)
    alone = int((others[restrictions.is_usable, 0] < 0).sum())
    facts = {"rare n-grams": len(ngrams.weights), "texts without a partner": alone}
    lists = NeighbourLists(others, shares, facts, restrictions.notes())
    write_lists(folder, lists)
    shutil.rmtree(work)
    return lists


def _ngrams(texts: Texts, progress: Progress) -> Iterator[NGrams]:
    """The n-grams of parts of the texts, with rows of the whole table."""
    column, parts = texts.frame["text"].fill_null(""), ranges(len(texts), READ)
    for number, part in enumerate(parts, start=1):
        found = ngrams_of(column[part.start : part.stop])
        yield found._replace(rows=found.rows + np.int32(part.start))
        progress("n-grams", number, len(parts))


@dataclass(frozen=True, slots=True)
class _SharingTask:
    """Partners of a range of texts, in a file."""

    folder: Path
    k: int
    restrictions: Restrictions

    def __call__(self, rows: range) -> None:
        save_array(self.path(rows), sharing_pairs(open_rare_ngrams(self.folder), rows, self.k, self.restrictions))

    def path(self, rows: range) -> Path:
        return self.folder / f"pairs-{rows.start}.npy"
