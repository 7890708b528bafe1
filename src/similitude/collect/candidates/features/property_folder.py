"""Properties of texts on disk: written piece by piece, joined into one file for each array, and mapped from there.

::

    properties/
      pieces/000003.words.values.npy    one array of one piece of the texts
      words.values.npy                  the same of all texts
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.array_file import mapped_array, save_array
from similitude.collect.candidates.features.text_properties import (
    PropertyArrays,
    TextProperties,
    TextProperty,
    property_arrays,
)
from similitude.data.texts import Texts
from similitude.data.writing.atomic import write_atomically

__all__ = ["PropertyFolder"]

PIECES = "pieces"
PARTS = {"numbers": ("values",), "bags": ("offsets", "keys", "counts")}


@dataclass(frozen=True, slots=True)
class PropertyFolder:
    """The folder of the properties of texts."""

    path: Path

    def write_piece(self, name: str, texts: Texts, properties: Iterable[TextProperty]) -> None:
        """Compute the properties of some texts, and write them; pieces can be written in any order, by any process.

        Args:
            name: of the piece; names sort as the texts are ordered.
            texts: the texts of the piece alone.
            properties: what is needed of them.
        """
        folder = self.path / PIECES
        folder.mkdir(parents=True, exist_ok=True)
        for one in properties:
            for part, array in property_arrays(one, texts).items():
                save_array(folder / f"{name}.{_file_name(one, part)}", array)

    def join_pieces(self, names: Sequence[str], properties: Iterable[TextProperty]) -> None:
        """Join the pieces, in the order of their names, into one file for each array, and delete them.

        The bytes do not depend on how the texts were cut.
        """
        for one in properties:
            for part in PARTS[one.kind]:
                paths = [self.path / PIECES / f"{name}.{_file_name(one, part)}" for name in sorted(names)]
                pieces = [mapped_array(path) for path in paths]
                joined = _chained_offsets(pieces) if part == "offsets" else iter(pieces)
                size = sum(map(len, pieces)) - (len(pieces) - 1 if part == "offsets" else 0)
                _save_joined(self.path / _file_name(one, part), joined, size, pieces[0].dtype)
        shutil.rmtree(self.path / PIECES)

    def open(self, properties: Iterable[TextProperty]) -> TextProperties:
        """The joined properties, mapped from their files."""
        return TextProperties.from_arrays({one: self._arrays(one) for one in properties})

    def _arrays(self, one: TextProperty) -> PropertyArrays:
        return {part: mapped_array(self.path / _file_name(one, part)) for part in PARTS[one.kind]}


def _file_name(one: TextProperty, part: str) -> str:
    return f"{quote(one.key, safe='')}.{part}.npy"


def _chained_offsets(pieces: Sequence[NDArray[Any]]) -> Iterator[NDArray[Any]]:
    """The offsets of all pieces: each begins where the one before ended."""
    start = 0
    for number, offsets in enumerate(pieces):
        yield (offsets if number == 0 else offsets[1:]) + start
        start += int(offsets[-1])


def _save_joined(path: Path, pieces: Iterable[NDArray[Any]], size: int, dtype: np.dtype[Any]) -> None:
    def write(draft: Path) -> None:
        with draft.open("wb") as file:
            header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": (size,)}
            np.lib.format.write_array_header_1_0(file, header)
            for piece in pieces:
                file.write(np.ascontiguousarray(piece, dtype).data)

    write_atomically(path, write)
