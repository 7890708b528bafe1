"""The tasks that write the pairs of some texts: with partners from a list, and hard negatives."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from similitude.collect.candidates.array_file import mapped_array
from similitude.collect.candidates.group_pairs import texts_of_groups
from similitude.collect.candidates.hard_negatives import near_but_other_words, same_words_but_far
from similitude.collect.candidates.neighbours import RowPairs, open_lists
from similitude.collect.candidates.pairs import STRATA
from similitude.study.candidates.pair_file import PairRows, write_pairs
from similitude.study.candidates.stage_folder import Piece
from similitude.study.candidates.text_table import open_texts

__all__ = ["HardNegativeTask", "ListedTask", "PairWriter"]


@dataclass(frozen=True, slots=True)
class PairWriter:
    """Writes pairs of rows as a sorted file.

    Attributes:
        stratum: how the pairs were found.
        folder: for the files.
        firsts: a file with the first row of each text's group, if groups are paired; None if texts are.
    """

    stratum: str
    folder: Path
    firsts: Path | None

    def write(self, found: list[RowPairs], name: str) -> Path:
        """Write pairs; those of groups become pairs of all their texts."""
        if self.firsts is not None:
            firsts = mapped_array(self.firsts)
            found = [RowPairs(*texts_of_groups(firsts, pairs.left, pairs.right)) for pairs in found]
        rows = [PairRows.all_of(STRATA.index(self.stratum), pairs.left, pairs.right) for pairs in found]
        write_pairs(PairRows.concatenated(rows).in_order(is_directed=False), self.path(name))
        return self.path(name)

    def path(self, name: str) -> Path:
        """The file of a piece."""
        return self.folder / f"{self.stratum}-{name}.arrow"


@dataclass(frozen=True, slots=True)
class ListedTask:
    """Writes the pairs of each text of a piece and its first k partners.

    Attributes:
        lists: the folder of the partners.
        k: how many count.
        writer: writes the file.
    """

    lists: Path
    k: int
    writer: PairWriter

    def __call__(self, piece: Piece) -> dict[str, Any]:
        """Write the pairs of a piece."""
        rows = range(piece.start, piece.stop)
        self.writer.write([open_lists(self.lists).pairs(rows, ranks=range(self.k))], piece.name)
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class HardNegativeTask:
    """Writes two pairs of each text of a piece: near by vectors and far by words, and the reverse.

    Attributes:
        near: the folder of the nearest neighbours.
        sharing: the folder of the texts that share rare words.
        texts: the table.
        vectors: the file.
        skip_near: how many neighbours are pairs of another stratum.
        skip_sharing: how many texts that share words are.
        writer: writes the file.
    """

    near: Path
    sharing: Path
    texts: Path
    vectors: Path
    skip_near: int
    skip_sharing: int
    writer: PairWriter

    def __call__(self, piece: Piece) -> dict[str, Any]:
        """Write the pairs of a piece."""
        rows = range(piece.start, piece.stop)
        near = near_but_other_words(open_lists(self.near), open_texts(self.texts), rows, skip=self.skip_near)
        far = same_words_but_far(open_lists(self.sharing), self.vectors, rows, skip=self.skip_sharing)
        self.writer.write([near, far], piece.name)
        return {}
