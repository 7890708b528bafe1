"""The layout of a text of predictions: what separates its fields, and whether its first row names the columns."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["BLANKS", "TextLayout", "text_layout"]

BLANKS = " +"
"""The separator of columns with one or more blanks between them."""

SEPARATORS = ("\t", ";", ",", "||", "|", "::", BLANKS, ":", "=")
"""The likeliest first: a tab is no part of a number or an id, a comma or a blank may be."""

SAMPLED = 500


class TextLayout(NamedTuple):
    """What separates fields, and whether the first row is a header."""

    separator: str
    header: bool


def text_layout(lines: Sequence[str], *, separator: str | None, header: bool | None, decimal: str) -> TextLayout:
    """The layout of a text, as said by the user or as its first lines show it.

    Args:
        lines: the first lines.
        separator: the separator, if the user named it.
        header: whether there is a header, if the user said so.
        decimal: the character before decimals, which does not separate fields.
    """
    there = [line.strip(" ") for line in lines[:SAMPLED] if line.strip()]
    chosen = _separator(there, decimal) if separator is None else separator
    return TextLayout(chosen, _is_header(_fields(there[0], chosen)) if header is None else header)


def _separator(lines: Sequence[str], decimal: str) -> str:
    """The separator by which most lines have as many fields as the first; a tab if no line has two fields."""
    quoted = any('"' in line for line in lines)  # in quotes, a comma may be decimal beside commas that separate
    usual = [each for each in SEPARATORS if each != decimal or quoted]
    shares = {each: _share(lines, each) for each in usual}
    best = max(usual, key=lambda each: shares[each])
    return best if shares[best] > 0.5 else "\t"


def _share(lines: Sequence[str], separator: str) -> float:
    width = len(_fields(lines[0], separator))
    if width < 2:
        return 0.0
    return sum(len(_fields(line, separator)) == width for line in lines) / len(lines)


def _fields(line: str, separator: str) -> list[str]:
    if separator == BLANKS:
        return line.split()
    if len(separator) > 1:
        return line.split(separator)
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return line.split(separator)


def _is_header(fields: Sequence[str]) -> bool:
    """Whether a first row has no number, or is one that pandas writes: a blank, and then names that may be numbers."""
    if len(fields) > 1 and not fields[0].strip():
        return True
    return not any(_is_number(field) for field in fields)


def _is_number(field: str) -> bool:
    try:
        float(field.strip().rstrip("%").replace(",", "."))
    except ValueError:
        return False
    return True
