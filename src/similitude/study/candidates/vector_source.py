"""Where vectors come from: a system, or a file that came with the texts."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from similitude.data.listeners import NoteKeeper
from similitude.data.protocols import GivesVectors, Tells
from similitude.data.reading.texts import read_vectors
from similitude.study.candidates.data_files import file_state
from similitude.study.candidates.read_stage import TextTable
from similitude.study.candidates.search_systems import SearchSystems
from similitude.study.candidates.text_table import open_texts, rows_read, text_slice

__all__ = ["FileVectors", "FoundVectors", "SystemVectors", "VectorSource"]


class FoundVectors(NamedTuple):
    """Vectors of some texts, and the notes of what computed them."""

    vectors: NDArray[np.floating[Any]]
    notes: list[str]


class VectorSource(Protocol):
    """Gives the vectors of some rows of a table.

    Attributes:
        is_remote: whether workers on other machines can do it.
    """

    is_remote: ClassVar[bool]

    @property
    def name(self) -> str:
        """What an error names."""

    @property
    def state(self) -> Any:
        """All that the vectors depend on; ready for JSON."""

    def of(self, start: int, stop: int) -> FoundVectors:
        """The vectors of some rows."""
        ...


@dataclass(frozen=True, slots=True)
class SystemVectors:
    """Vectors of a system.

    Attributes:
        texts: the table of texts.
        digest: of the column of texts.
        systems: of the search.
        system: its name.
    """

    is_remote: ClassVar[bool] = True

    texts: Path
    digest: str
    systems: SearchSystems
    system: str

    @property
    def name(self) -> str:
        """The system."""
        return f"system '{self.system}'"

    @property
    def state(self) -> Any:
        """The texts, the system, its model and its code."""
        return {"texts": self.digest, **self.systems.state(self.system)}

    def of(self, start: int, stop: int) -> FoundVectors:
        """The vectors of some rows."""
        keeper, encoder = NoteKeeper(), self.systems.encoder(self.system)
        told = encoder.with_listener(keeper) if isinstance(encoder, Tells) else encoder
        assert isinstance(told, GivesVectors)  # a listener changes no system
        return FoundVectors(told.text_vectors(text_slice(self.texts, start, stop).texts), keeper.notes)


@dataclass(frozen=True, slots=True, eq=False)
class FileVectors:
    """Vectors that came with the texts, one for each row that was read.

    Attributes:
        file: with the vectors.
        vectors: as they were read.
        rows: the row that each text had when it was read.
    """

    is_remote: ClassVar[bool] = False

    file: str
    vectors: NDArray[np.floating[Any]]
    rows: NDArray[np.int64]

    @classmethod
    def read(cls, file: str, read: TextTable, table: TextTable) -> FileVectors:
        """The vectors in a file.

        Args:
            file: with one vector for each text that was read.
            read: the texts that were read.
            table: the texts that are left.

        Raises:
            InputError: there are more or fewer vectors than texts, or one is not valid.
        """
        vectors = read_vectors(file, read.rows, ids=open_texts(read.path).ids)
        return cls(file, vectors, rows_read(open_texts(table.path)))

    @property
    def name(self) -> str:
        """The file."""
        return self.file

    @property
    def state(self) -> Any:
        """The bytes of the file, and which vector belongs to which text."""
        return {"files": file_state(self.file), "rows": sha256(np.ascontiguousarray(self.rows).tobytes()).hexdigest()}

    def of(self, start: int, stop: int) -> FoundVectors:
        """The vectors of some rows."""
        return FoundVectors(self.vectors[self.rows[start:stop]], [])
