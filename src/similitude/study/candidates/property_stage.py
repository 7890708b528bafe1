"""The stages that compute what filters need of each text, such as its number of words: once for all pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from similitude.collect.candidates.features import PropertyFolder, TextProperties, TextProperty
from similitude.study.candidates.read_stage import TextTable
from similitude.study.candidates.search import Search
from similitude.study.candidates.stage_folder import Piece, StageFolder, StageResult
from similitude.study.candidates.text_table import text_slice
from similitude.systems.source_code import code_of

__all__ = ["PropertyTask", "open_properties", "run_properties"]

STAGE = "7-properties"
ARRAYS = "arrays"


@dataclass(frozen=True, slots=True)
class PropertyTask:
    """Computes one property of the texts of a piece.

    Attributes:
        texts: the table.
        folder: for the arrays.
        wanted: the property.
    """

    texts: Path
    folder: Path
    wanted: TextProperty

    def __call__(self, piece: Piece) -> dict[str, Any]:
        """Compute and write the arrays of a piece."""
        texts = text_slice(self.texts, piece.start, piece.stop)
        PropertyFolder(self.folder).write_piece(piece.name, texts, [self.wanted])
        return {}


def run_properties(search: Search, table: TextTable, wanted: Iterable[TextProperty]) -> dict[TextProperty, Path]:
    """Compute the properties, each in a stage of its own, so that another filter computes only what is new.

    Returns:
        The folder of each property's arrays.
    """
    return {one: _run_one(search, table, one) for one in wanted}


def open_properties(folders: Mapping[TextProperty, Path]) -> TextProperties:
    """The properties of all texts, mapped from their files."""
    opened = [PropertyFolder(folder).open([one]) for one, folder in folders.items()]
    numbers = {name: values for each in opened for name, values in each.numbers.items()}
    bags = {name: values for each in opened for name, values in each.bags.items()}
    return TextProperties(numbers, bags)


def _run_one(search: Search, table: TextTable, wanted: TextProperty) -> Path:
    name = f"{STAGE}/{quote(wanted.key, safe='')}"

    def work(folder: StageFolder) -> StageResult:
        arrays = folder.path / ARRAYS
        pieces = search.pieces(table.rows)
        if not arrays.exists() or any(arrays.glob("pieces")):  # otherwise they were joined before
            task = PropertyTask(table.path, arrays, wanted)
            search.run_pieces(folder, task, pieces, f"{wanted.name} of texts")
            PropertyFolder(arrays).join_pieces([piece.name for piece in pieces], [wanted])
        return StageResult(output="", facts={})

    search.stage(name, {"texts": table.digest, "property": wanted.key, "code": code_of(wanted.compute)}, work)
    return search.folder.stage(name).path / ARRAYS
