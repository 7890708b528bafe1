"""The dialect of separated text, found out from its first rows: the separator, and whether there is a header."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from similitude.data.reading.cell_values import NO_VALUE
from similitude.data.reading.column_names import plain_name
from similitude.errors import ArgumentError

__all__ = [
    "SEPARATORS",
    "SPACES",
    "TextDialect",
    "fields",
    "find_dialect",
    "is_header",
    "is_number",
    "shown_separator",
    "written_separator",
]

SPACES = "  +"
"""The separator of columns that are aligned with two or more spaces."""

SEPARATORS = (",", "\t", ";", "|", "||", "::", SPACES)
SAMPLED_ROWS = 200
NEVER = '"\r\n\0'
"""Characters that no separator may have."""

WORDS = {
    "tab": "\t",
    "\\t": "\t",
    "comma": ",",
    "semicolon": ";",
    "pipe": "|",
    "bar": "|",
    "space": " ",
    "spaces": SPACES,
}
SHOWN = {"\t": "tab", SPACES: "spaces", " ": "space"}
MISSING = frozenset({"", "none", *NO_VALUE})
IDENTIFIER = re.compile(r"[A-Za-z_#][\w.#:/-]{0,39}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDialect:
    """The dialect of a text, as far as its first rows tell.

    Attributes:
        separator: between fields; `SPACES` for two or more spaces.
        rows: the first rows, split into fields.
        header: whether the first row names the columns; None if that cannot be told.
        rivals: other separators that split the rows as consistently into other columns.
    """

    separator: str
    rows: Sequence[Sequence[str]]
    header: bool | None
    rivals: tuple[str, ...] = ()

    @property
    def first(self) -> list[str]:
        """The fields of the first row."""
        return [field.strip() for field in self.rows[0]] if self.rows else []

    @property
    def names(self) -> list[str]:
        """The names of the columns; their numbers, from 1, in a text without header."""
        return [str(at + 1) for at in range(len(self.first))] if self.header is False else self.first


@dataclass(frozen=True, slots=True, kw_only=True)
class _Split:
    """The rows as one separator splits them."""

    separator: str
    rows: list[list[str]]
    known: int

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def is_consistent(self) -> bool:
        return all(len(row) == self.width for row in self.rows)


def find_dialect(
    text: str,
    names: Collection[str],
    *,
    columns: Mapping[str, str] | None = None,
    separator: str | None = None,
    header: bool | None = None,
    whole: bool = True,
) -> TextDialect:
    """The dialect of a text.

    Args:
        text: the beginning of the text.
        names: plain names (`plain_name`) that a header is likely to have.
        columns: the columns that the user named, our names to the file's.
        separator: the separator, if the user named it.
        header: whether there is a header, if the user said so.
        whole: whether the text does not continue.
    """
    known = {*names, *map(plain_name, _chosen(columns or {}))}
    wanted = SEPARATORS if separator is None else (written_separator(separator),)
    splits = [_split(text, each, known, whole=whole) for each in wanted]
    best, rivals = _best([split for split in splits if split.rows])
    if best is None:
        return TextDialect(separator=wanted[0], rows=[], header=header)
    said = header if header is not None else is_header(best.rows, known, columns or {})
    return TextDialect(separator=best.separator, rows=best.rows, header=said, rivals=rivals)


def written_separator(named: str) -> str:
    r"""The separator that the user named: itself, or what a word such as "tab" or ``\t`` stands for.

    Raises:
        ArgumentError: it is empty, or has a quote or the end of a line in it.
    """
    if not named or any(mark in named for mark in NEVER):
        what = f"{named!r} cannot separate fields"
        raise ArgumentError(what, remedy="write one, such as --separator ';' or --separator tab, or leave it out")
    return WORDS.get(named.lower(), named)


def shown_separator(separator: str) -> str:
    """A separator for messages and records."""
    return SHOWN.get(separator, separator)


def _chosen(columns: Mapping[str, str]) -> list[str]:
    """The columns that the user named; one of ours may be made of several, with commas between them."""
    return [
        each.strip()
        for name in columns.values()
        for each in (name, *name.split(","))
        if each.strip() and "," not in each
    ]


def _split(text: str, separator: str, known: Collection[str], *, whole: bool) -> _Split:
    lines = [line for line in re.split("\r?\n|\r", text) if line.strip(" ")]
    lines = lines if whole or len(lines) < 2 else lines[:-1]
    exact = [fields(line, separator) for line in lines[:SAMPLED_ROWS]]
    rows = _quoted(lines, separator, whole=whole) if len(separator) == 1 else []
    split = _Split(separator=separator, rows=rows, known=_known(rows, known))
    if rows and split.is_consistent:
        return split
    plain = _Split(separator=separator, rows=exact, known=_known(exact, known))
    return plain if exact and (not rows or separator == "\t") else split


def fields(line: str, separator: str) -> list[str]:
    """A line split at a separator; quotes are part of the text."""
    return re.split(SPACES, line.strip()) if separator == SPACES else line.split(separator)


def _quoted(lines: Sequence[str], separator: str, *, whole: bool) -> list[list[str]]:
    try:
        rows = list(islice(csv.reader((line + "\n" for line in lines), delimiter=separator), SAMPLED_ROWS))
    except csv.Error:
        return []
    cut = not whole and len(rows) > 1 and len(rows) < SAMPLED_ROWS
    return [row for row in (rows[:-1] if cut else rows) if row]


def _known(rows: Sequence[Sequence[str]], known: Collection[str]) -> int:
    return len({plain_name(field) for field in rows[0]} & set(known)) if rows else 0


def _best(splits: Sequence[_Split]) -> tuple[_Split | None, tuple[str, ...]]:
    """The split with the most known names; among equals a consistent one; and the rivals of it."""
    several = [split for split in splits if split.width > 1]
    if not several:
        return (splits[0] if splits else None), ()
    most = max(split.known for split in several)
    pool = _without_half_bars([split for split in several if split.known == most])
    consistent = [split for split in pool if split.is_consistent]
    if not consistent:
        return max(pool, key=lambda split: split.width), ()
    left = _undominated(consistent)
    best = max(left, key=lambda split: split.width)
    return best, tuple(split.separator for split in left if split is not best)


def _without_half_bars(splits: Sequence[_Split]) -> list[_Split]:
    """The splits without that at single bars if every bar of the first row is double."""
    double = next((split for split in splits if split.separator == "||"), None)
    return [
        split for split in splits if double is None or split.separator != "|" or split.width != 2 * double.width - 1
    ]


def _undominated(splits: Sequence[_Split]) -> list[_Split]:
    """The splits without those that another explains: prose has commas, but neither tabs nor double bars."""
    there = {split.separator: split for split in splits}
    for strong, weak in (("\t", SEPARATORS), ("||", SEPARATORS), ("::", (",", ";", SPACES)), ("|", (",", ";", SPACES))):
        if strong in there:
            there = {
                separator: split for separator, split in there.items() if separator == strong or separator not in weak
            }
    others = [split for separator, split in there.items() if separator != SPACES]
    return others or list(there.values())


def is_header(rows: Sequence[Sequence[str]], known: Collection[str], columns: Mapping[str, str]) -> bool | None:
    """Whether the first row names the columns; None if that cannot be told."""
    first = [field.strip() for field in rows[0]]
    body = [row[: len(first)] for row in rows[1:] if len(row) >= len(first)] or rows[1:]
    chosen, numbers = set(_chosen(columns)), {str(at + 1) for at in range(len(first))}
    if chosen and chosen <= numbers:  # either names or numbers of columns
        return None if chosen <= set(first) and all(map(is_number, first)) else chosen <= set(first)
    hits = len({plain_name(field) for field in first} & set(known))
    if hits or any("\0" in field for field in first):  # names with NULs are in another encoding, as the reader tells
        return None if _begins_with_numbers(first, body, hits) else True
    if len(first) > 1 and not first[0] and all(first[1:]) and body:
        return True  # the column of row numbers that pandas writes has no name
    return _header_by_values(first, [list(column) for column in zip(*body, strict=False)])


def _header_by_values(first: Sequence[str], columns: Sequence[Sequence[str]]) -> bool | None:
    """Whether the first row differs in kind from the rows below it."""
    if not columns:
        return False if any(map(is_number, first)) else None
    numeric = [at for at, column in enumerate(columns) if _all_numbers(column)]
    if any(not is_number(first[at]) and first[at].lower() not in MISSING for at in numeric):
        return True
    if numeric and any(is_number(first[at]) for at in numeric):
        return None if _counts(first) else False
    if len(set(first)) < len(first):
        return False
    return _header_by_words(first, columns)


def _begins_with_numbers(first: Sequence[str], body: Sequence[Sequence[str]], hits: int) -> bool:
    """Whether a column holds numbers from the first row on, so that known names may be values.

    A name may be a whole number, such as a year, if two other names are known.
    """
    numeric = [first[at] for at, column in enumerate(zip(*body, strict=False)) if _all_numbers(column)]
    numbers = [field for field in numeric if is_number(field) and (hits == 1 or not field.isdigit())]
    return bool(numbers) and not _counts(first)


def _header_by_words(first: Sequence[str], columns: Sequence[Sequence[str]]) -> bool | None:
    """Whether names stand above columns of prose, or above columns with a few words that repeat."""
    prose = [at for at, column in enumerate(columns) if _share(column, _is_prose) > 0.5]
    if prose and all(map(IDENTIFIER.fullmatch, first)):
        return True
    if any(_is_prose(first[at]) and len(first[at].split()) > 3 for at in prose):
        return False
    repeated = [at for at, column in enumerate(columns) if len(column) > 3 and len(set(column)) <= len(column) / 2]
    if repeated and all(first[at] not in columns[at] for at in repeated):
        return True
    if repeated and all(first[at] in columns[at] for at in repeated):
        return False
    cells = [cell for column in columns for cell in column]
    return True if not set(first) & set(cells) and len(set(cells)) <= len(cells) / 2 else None


def _counts(first: Sequence[str]) -> bool:
    """Whether the numbers in a row run 1, 2, 3 or 0, 1, 2, as the names of items in a header may."""
    numbers = [field for field in first if is_number(field)]
    return len(numbers) > 1 and numbers in ([str(at + start) for at in range(len(numbers))] for start in (0, 1))


def _is_prose(text: str) -> bool:
    return IDENTIFIER.fullmatch(text.strip()) is None and not is_number(text) and bool(text.strip())


def _share(column: Sequence[str], holds: Callable[[str], bool]) -> float:
    return sum(map(holds, column)) / len(column)


def _all_numbers(column: Iterable[str]) -> bool:
    there = [value for value in column if value.strip().lower() not in MISSING]
    return bool(there) and all(map(is_number, there))


def is_number(text: str) -> bool:
    """Whether a field holds a finite number, with a point or a comma."""
    try:
        float(text.strip().replace(",", "."))
    except ValueError:
        return False
    return text.strip().lower() not in ("nan", "inf", "infinity")
