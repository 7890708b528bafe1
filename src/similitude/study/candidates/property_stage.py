"""The stages that compute what filters need of each text, such as its number of words: once for all pairs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from similitude.collect.candidates.features import PropertyFolder, TextProperties, TextProperty
from similitude.study.candidates.read_stage import TextTable
from similitude.study.candidates.search import Search
from similitude.study.candidates.stage_folder import Piece, StageFolder, StageResult, digest_of_files
from similitude.study.candidates.text_table import text_slice

__all__ = ["Properties", "PropertyTask", "open_properties", "run_properties"]

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


class Properties(NamedTuple):
    """Properties of all texts on disk: the folder of each one's arrays, and the seconds that all of them took."""

    folders: dict[TextProperty, Path]
    seconds: float


def run_properties(search: Search, table: TextTable, wanted: Iterable[TextProperty]) -> Properties:
    """Compute the properties, each in a stage of its own, so that another filter computes only what is new."""
    results = {one: _run_one(search, table, one) for one in wanted}
    folders = {one: search.folder.stage(_stage(one)).path / ARRAYS for one in results}
    return Properties(folders, sum(result.seconds for result in results.values()))


def open_properties(folders: Mapping[TextProperty, Path]) -> TextProperties:
    """The properties of all texts, mapped from their files."""
    opened = [PropertyFolder(folder).open([one]) for one, folder in folders.items()]
    numbers = {name: values for each in opened for name, values in each.numbers.items()}
    bags = {name: values for each in opened for name, values in each.bags.items()}
    return TextProperties(numbers, bags)


def _stage(wanted: TextProperty) -> str:
    return f"{STAGE}/{quote(wanted.key, safe='')}"


def _run_one(search: Search, table: TextTable, wanted: TextProperty) -> StageResult:
    def work(folder: StageFolder) -> StageResult:
        arrays = folder.path / ARRAYS
        pieces = search.pieces(table.rows)
        if not arrays.exists() or any(arrays.glob("pieces")):  # otherwise they were joined before
            task = PropertyTask(table.path, arrays, wanted)
            search.run_pieces(folder, task, pieces, f"{wanted.name} of texts")
            PropertyFolder(arrays).join_pieces([piece.name for piece in pieces], [wanted])
        return StageResult(output="", facts={})

    key = {"texts": table.digest, "property": wanted.key, "code": _code(wanted)}
    return search.stage(_stage(wanted), key, work)


def _code(wanted: TextProperty) -> str | None:
    """A digest of the file in which the property is written; None for one of Similitude's own."""
    name = wanted.compute.__module__
    file = getattr(sys.modules.get(name), "__file__", None)
    return None if name.startswith("similitude.") or file is None else digest_of_files([Path(file)])
