"""Sniffer: the beginning of a file or folder, from which its format is recognised."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from similitude.data.reading.column_names import ALIASES, find_column
from similitude.data.reading.containers.columnar import COLUMNAR, columnar_names
from similitude.data.reading.containers.dialects import SPACES, TextDialect, find_dialect
from similitude.data.reading.containers.json_document import read_document
from similitude.data.reading.containers.kinds import SIZE, Kind, first_line, kind_of, opening_of, opening_text
from similitude.data.reading.containers.table import USUAL_NAMES
from similitude.data.reading.containers.workbook import workbook_names
from similitude.data.reading.files import existing
from similitude.data.reading.source import BenchmarkSource
from similitude.errors import InputError, MissingExtraError

__all__ = ["HUB", "Sniffer"]

HUB = "hf:"
"""The prefix of names on the Hugging Face hub."""

FIRST_ENTRY = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(?=\{)')
FIRST_ROW = re.compile(r"\s*\[\s*(?=\{)")


class Sniffer:
    """The beginning of a file, however large the file is; or the columns of an object in memory.

    Args:
        path: a file, a folder, or a name on the hub.
        encoding: the encoding of text without a byte-order mark.
        columns: the columns that the user named, our names to the file's.

    Raises:
        InputError: the path does not exist, or the file is empty.
    """

    def __init__(self, path: str | Path, *, encoding: str = "utf-8", columns: Mapping[str, str] | None = None) -> None:
        self._set(BenchmarkSource(path=Path(path), encoding=encoding, columns=dict(columns or {})), str(path))

    @classmethod
    def of(cls, source: BenchmarkSource) -> Sniffer:
        """The beginning of a source, with everything that the user said about it."""
        sniffer = cls.__new__(cls)
        sniffer._set(source, str(source.path))
        return sniffer

    def _set(self, source: BenchmarkSource, written: str) -> None:
        self.source = source
        self.written = written
        self.path = source.path
        self.columns = dict(source.columns)
        self._dialects: dict[frozenset[str], TextDialect] = {}
        self._headers: dict[frozenset[str], list[str]] = {}
        if not self.on_hub and not self.is_object:
            existing(self.path)

    @property
    def on_hub(self) -> bool:
        """Whether the path is a name on the Hugging Face hub."""
        return self.written.startswith(HUB)

    @property
    def is_object(self) -> bool:
        """Whether the values are in memory, not in a file."""
        return self.source.table is not None

    @property
    def is_folder(self) -> bool:
        """Whether the path is a folder."""
        return not self.on_hub and not self.is_object and self.path.is_dir()

    @property
    def is_file(self) -> bool:
        """Whether the path is a file."""
        return not self.on_hub and not self.is_object and not self.path.is_dir()

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name if self.source.table is None else self.source.table.file

    @property
    def suffix(self) -> str:
        """The suffix of the file's name, in lower case."""
        return self.path.suffix.lower() if self.is_file else ""

    @cached_property
    def opening(self) -> bytes:
        """The first bytes; empty for a folder."""
        return opening_of(self.path) if self.is_file else b""

    @cached_property
    def text(self) -> str:
        """The beginning of the file as text; invalid bytes are replaced."""
        return opening_text(self.path, self.opening, self.source.encoding)

    @cached_property
    def container(self) -> str:
        """What holds the values: "separated text", "JSON lines", "Parquet"; "folder" or "hub"."""
        if self.source.table is not None:
            return self.source.table.container
        if self.is_file:
            return kind_of(self.path, self.opening, self.text).value
        return "hub" if self.on_hub else "folder"

    @property
    def is_text(self) -> bool:
        """Whether the file holds separated text."""
        return self.container == Kind.SEPARATED

    @cached_property
    def first_line(self) -> str:
        """The first line that is not blank."""
        return first_line(self.text)

    @cached_property
    def tab_fields(self) -> list[str]:
        """The first line split at tabs; quotes are part of the text."""
        return self.first_line.split("\t")

    @property
    def is_told(self) -> bool:
        """Whether the user said how to split the text, so that a layout without header is not to be guessed."""
        numbers = bool(self.columns) and all(name.isdigit() for name in self.columns.values() if name)
        return self.source.header is not None or self.source.separator not in (None, "\t", "tab") or numbers

    @cached_property
    def entry(self) -> dict[str, Any]:
        """The first entry of a JSON document of named entries; empty for other files."""
        match = FIRST_ENTRY.match(self.text)
        return self._object(self.text[match.end() :]) if match else {}

    @cached_property
    def first_object(self) -> dict[str, Any]:
        """The first object of a file with one JSON object per line; empty for other files."""
        return self._object(self.first_line) if self.looks_like_json else {}

    @cached_property
    def first_row(self) -> dict[str, Any]:
        """The first object of a JSON document that is a list; empty for other files."""
        match = FIRST_ROW.match(self.text)
        return self._object(self.text[match.end() :]) if match else {}

    @property
    def looks_like_json(self) -> bool:
        """Whether the text begins like a JSON object."""
        return self.text.lstrip().startswith("{")

    def dialect(self, names: Collection[str] = USUAL_NAMES) -> TextDialect:
        """The separator and the first rows of separated text.

        Args:
            names: plain names that a header is likely to have.
        """
        key = frozenset(names)
        if key not in self._dialects:
            self._dialects[key] = self._find_dialect(key)
        return self._dialects[key]

    def _find_dialect(self, names: Collection[str]) -> TextDialect:
        source, whole = self.source, len(self.opening) < SIZE
        return find_dialect(
            self.text, names, columns=self.columns, separator=source.separator, header=source.header, whole=whole
        )

    @cached_property
    def separator(self) -> str:
        """The separator that gives the first line the most known columns and, among equals, equal rows."""
        return self.dialect().separator

    @property
    def header(self) -> list[str]:
        """The names of the columns, whatever holds them; empty for folders and the hub, and where they are not known.

        In separated text without header, these are the numbers of the columns.
        """
        return self.header_for(USUAL_NAMES)

    def header_for(self, names: Collection[str]) -> list[str]:
        """The names of the columns, where a header is likely to have these plain names."""
        key = frozenset(names)
        if key not in self._headers:
            self._headers[key] = self._find_header(key)
        return self._headers[key]

    def _find_header(self, names: Collection[str]) -> list[str]:
        if self.source.table is not None:
            return list(self.source.table.columns)
        if not self.is_file:
            return []
        try:
            return self._names_in_file(Kind(self.container), names)
        except (InputError, MissingExtraError):
            return []

    def _names_in_file(self, kind: Kind, names: Collection[str]) -> list[str]:
        if kind in COLUMNAR:
            return columnar_names(self.path, kind)
        if kind is Kind.WORKBOOK:
            return workbook_names(self.source, names)
        if kind is Kind.JSON_LINES:
            return list(self.first_object)
        if kind is Kind.JSON:
            return list(self.first_row) or list(read_document(self.source, names)[0].columns)
        return self.dialect(names).names

    def fields(self, separator: str) -> list[str]:
        """The first line split into fields."""
        if len(separator) > 1:
            parts = re.split(SPACES, self.first_line) if separator == SPACES else self.first_line.split(separator)
            return [part.strip() for part in parts]
        try:
            return [field.strip() for field in next(csv.reader([self.first_line], delimiter=separator), [])]
        except csv.Error:
            return self.first_line.split(separator)

    def has_columns(self, *ours: str) -> bool:
        """Whether the file has each of these columns of ours."""
        return all(self.find(name) is not None for name in ours)

    def find(self, ours: str) -> str | None:
        """The file's name for one of our columns."""
        chosen = self.columns.get(ours)
        if chosen is None:
            return find_column(self.header, ALIASES[ours])
        return chosen if {chosen, chosen.partition(".")[0]} & set(self.header) else None

    def _object(self, text: str) -> dict[str, Any]:
        try:
            value, _ = json.JSONDecoder().raw_decode(text.lstrip())
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}
