"""Sniffer: the beginning of a file or folder, from which its format is recognised."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from similitude.data.reading.column_names import ALIASES, find_column
from similitude.data.reading.encoding_errors import refuse_wide
from similitude.data.reading.files import existing, opening_bytes, refuse_empty, refuse_packed
from similitude.data.reading.text_decoder import encoding_of

__all__ = ["HUB", "SEPARATORS", "Sniffer"]

HUB = "hf:"
"""The prefix of names on the Hugging Face hub."""

SEPARATORS = (",", "\t", ";")
SIZE = 1 << 16
FIRST_ENTRY = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(?=\{)')


class Sniffer:
    """The beginning of a file, however large the file is.

    Args:
        path: a file, a folder, or a name on the hub.
        encoding: the encoding of text without a byte-order mark.
        columns: the columns that the user named, our names to the file's.

    Raises:
        InputError: the path does not exist, or the file is empty.
    """

    def __init__(self, path: str | Path, *, encoding: str = "utf-8", columns: Mapping[str, str] | None = None) -> None:
        self.written = str(path)
        self.path = Path(path)
        self.columns = dict(columns or {})
        self._encoding = encoding
        if not self.on_hub:
            existing(self.path)

    @property
    def on_hub(self) -> bool:
        """Whether the path is a name on the Hugging Face hub."""
        return self.written.startswith(HUB)

    @property
    def is_folder(self) -> bool:
        """Whether the path is a folder."""
        return not self.on_hub and self.path.is_dir()

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    @property
    def suffix(self) -> str:
        """The suffix of the file's name, in lower case."""
        return self.path.suffix.lower()

    @cached_property
    def opening(self) -> bytes:
        """The first bytes; empty for a folder."""
        if self.on_hub or self.is_folder:
            return b""
        data = opening_bytes(self.path, SIZE)
        refuse_empty(self.path, data)
        refuse_packed(self.path, data)
        return data

    @cached_property
    def text(self) -> str:
        """The beginning of the file as text; invalid bytes are replaced."""
        encoding, mark = encoding_of(self.opening, self._encoding)
        if self.opening:
            refuse_empty(self.path, self.opening[mark:])
        if not mark:
            refuse_wide(self.opening, encoding, self.name)
        return self.opening[mark:].decode(encoding, errors="replace")

    @cached_property
    def first_line(self) -> str:
        """The first line that is not blank."""
        lines = re.split("\r?\n|\r", self.text.lstrip("\r\n"), maxsplit=1)
        return lines[0]

    @cached_property
    def tab_fields(self) -> list[str]:
        """The first line split at tabs; quotes are part of the text."""
        return self.first_line.split("\t")

    @cached_property
    def entry(self) -> dict[str, Any]:
        """The first entry of a JSON document of named entries; empty for other files."""
        match = FIRST_ENTRY.match(self.text)
        return self._object(self.text[match.end() :]) if match else {}

    @cached_property
    def first_object(self) -> dict[str, Any]:
        """The first object of a file with one JSON object per line; empty for other files."""
        return self._object(self.first_line) if self.looks_like_json else {}

    @property
    def looks_like_json(self) -> bool:
        """Whether the text begins like a JSON object."""
        return self.text.lstrip().startswith("{")

    @cached_property
    def separator(self) -> str:
        """The separator that gives the first line the most known columns and, among equals, the most columns."""
        return max(SEPARATORS, key=lambda separator: (self._known(separator), len(self.fields(separator))))

    @property
    def header(self) -> list[str]:
        """The column names in the first line, or the keys of the first object."""
        return list(self.first_object) or self.fields(self.separator)

    def fields(self, separator: str) -> list[str]:
        """The first line split into fields."""
        try:
            return [field.strip() for field in next(csv.reader([self.first_line], delimiter=separator), [])]
        except csv.Error:
            return self.first_line.split(separator)

    def has_columns(self, *ours: str) -> bool:
        """Whether the file has each of these columns of ours."""
        return all(self.find(name) is not None for name in ours)

    def find(self, ours: str) -> str | None:
        """The file's name for one of our columns."""
        return self._find(self.header, ours)

    def _find(self, there: list[str], ours: str) -> str | None:
        chosen = self.columns.get(ours)
        return find_column(there, ALIASES[ours]) if chosen is None else (chosen if chosen in there else None)

    def _known(self, separator: str) -> int:
        there = self.fields(separator)
        return sum(self._find(there, ours) is not None for ours in ("left", "right", "score"))

    def _object(self, text: str) -> dict[str, Any]:
        try:
            value, _ = json.JSONDecoder().raw_decode(text.lstrip())
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}
