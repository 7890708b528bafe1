"""The search form of the list of questions: read from an address, and written into the next one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args
from urllib.parse import urlencode

from similitude.collect.annotation.answer_records import QuestionSearch, QuestionSort, QuestionState
from similitude.collect.annotation.records import Kind

__all__ = ["SearchForm", "search_form"]

STATES: tuple[QuestionState, ...] = get_args(QuestionState)
SORTS: tuple[QuestionSort, ...] = get_args(QuestionSort)
KINDS: tuple[str, ...] = get_args(Kind)
LONGEST = 500
FIELDS = ("words", "kind", "state", "language", "group", "least", "most", "apart", "decided", "sort", "after")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchForm:
    """A search, the fields as they were written, and the names of fields that could not be read."""

    search: QuestionSearch
    written: Mapping[str, str]
    wrong: tuple[str, ...]

    def address(self, path: str, **changes: str) -> str:
        """The address of a list with these fields, without the empty ones."""
        fields = {name: value for name, value in {**self.written, **changes}.items() if value}
        return f"{path}?{urlencode(fields)}" if fields else path

    @property
    def is_filtered(self) -> bool:
        """Whether a filter was set besides words."""
        return any(self.written[name] for name in FIELDS if name not in ("words", "sort", "after"))

    @property
    def is_narrowed(self) -> bool:
        """Whether anything but the order was asked for."""
        return any(self.written[name] for name in FIELDS if name not in ("sort", "after"))


def search_form(fields: Mapping[str, str]) -> SearchForm:
    """The search that an address asks for. A field that cannot be read is left out and named."""
    written = {name: fields.get(name, "").strip()[:LONGEST] for name in FIELDS}
    written["kind"] = "" if written["kind"] == "work" else written["kind"]  # what every form sends is no filter
    readers: dict[str, Any] = {
        "state": lambda text: _one_of(text, STATES),
        "kind": lambda text: _one_of(text, KINDS),
        "sort": lambda text: _one_of(text, SORTS),
        "least": _count,
        "most": _count,
        "apart": _number,
        "decided": lambda text: {"yes": True, "no": False}[text],
    }
    read: dict[str, Any] = {}
    wrong = []
    for name, text in written.items():
        if not text:
            continue
        try:
            read[name] = readers.get(name, str)(text)
        except (ValueError, KeyError):
            wrong.append(name)
    return SearchForm(search=QuestionSearch(**read), written=written, wrong=tuple(wrong))


def _one_of(text: str, choices: tuple[str, ...]) -> str:
    if text not in choices:
        raise ValueError(text)
    return text


def _count(text: str) -> int:
    number = int(text)
    if not 0 <= number < 2**31:
        raise ValueError(text)
    return number


def _number(text: str) -> float:
    number = float(text.replace(",", "."))
    if not math.isfinite(number):
        raise ValueError(text)
    return number
