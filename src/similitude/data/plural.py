"""Counts in messages: a number with its noun, a verb that agrees with it, a list that is cut short."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["agreeing", "counted", "listed"]

MOST_LISTED = 5


def counted(number: int, noun: str) -> str:
    """The number with its noun in the singular or plural.

    >>> counted(1, "row"), counted(1234, "row"), counted(2, "batch")
    ('1 row', '1,234 rows', '2 batches')
    """
    ending = "es" if noun.endswith("ch") else "s"
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}{ending}"


def agreeing(number: int, noun: str, singular: str, plural: str) -> str:
    """The number, its noun and the form of the verb that agrees with it.

    >>> agreeing(1, "row", "repeats", "repeat"), agreeing(2, "row", "repeats", "repeat")
    ('1 row repeats', '2 rows repeat')
    """
    return f"{counted(number, noun)} {singular if number == 1 else plural}"


def listed(values: Iterable[str | None], most: int = MOST_LISTED) -> str:
    """The first few values in one line.

    >>> listed(["a", "b", "c", "d", "e", "f", "g"])
    'a, b, c, d, e, ...'
    """
    words = [str(value) for value in values]
    return ", ".join(words[:most]) + (", ..." if len(words) > most else "")
