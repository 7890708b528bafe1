"""The fields of a page of settings, read one by one; every problem is kept with its field."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

__all__ = ["FieldProblem", "FormFields"]

LONGEST = 2000


class FieldProblem(NamedTuple):
    """What is wrong with a field: the key of a text (``wizard.problem_KEY``), and the values for its braces."""

    key: str
    values: Mapping[str, Any] = {}


class FormFields:
    """The fields of a form. A field with a problem reads as its default, and ``problems`` tells why.

    >>> fields = FormFields({"judgements": "many"})
    >>> fields.whole("judgements", least=1, default=5), fields.problems["judgements"].key
    (5, 'not_a_number')
    """

    def __init__(self, sent: Mapping[str, Any]) -> None:
        self._sent = sent
        self.problems: dict[str, FieldProblem] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._sent

    def text(self, name: str, *, longest: int = LONGEST) -> str:
        """A text without spaces around it."""
        value = self._sent.get(name, "")
        written = value.strip() if isinstance(value, str) else ""
        if len(written) > longest:
            self.problems[name] = FieldProblem("too_long", {"limit": longest})
            return written[:longest]
        return written

    def lines(self, name: str, *, longest: int) -> str:
        """A text over several lines, with line ends as files have them."""
        return self.text(name, longest=longest).replace("\r\n", "\n").replace("\r", "\n")

    def tick(self, name: str) -> bool:
        """Whether a box is ticked."""
        return bool(self.text(name))

    def choice(self, name: str, among: Collection[str], *, default: str) -> str:
        """One of several values."""
        written = self.text(name) or default
        if written not in among:
            self.problems[name] = FieldProblem("unknown", {"value": written[:60]})
            return default
        return written

    def whole(self, name: str, *, least: int = 0, most: int = 2**31, default: int) -> int:
        """A whole number between two ends."""
        number = self.number(name, least=least, most=most, default=default)
        if number != int(number):
            self.problems[name] = FieldProblem("not_whole")
            return default
        return int(number)

    def number(self, name: str, *, least: float, most: float, default: float) -> float:
        """A number between two ends; a decimal comma is taken too."""
        written = self.text(name)
        if not written and name in self._sent:
            self.problems[name] = FieldProblem("missing")
        value = _number(written) if written else default
        if value is None:
            self.problems[name] = FieldProblem("not_a_number")
            return default
        if not least <= value <= most:
            self.problems[name] = FieldProblem("out_of_range", {"low": f"{least:g}", "high": f"{most:,.10g}"})
            return default
        return value

    def optional_number(self, name: str, *, least: float, most: float) -> float | None:
        """A number, or None where the field is left empty."""
        return self.number(name, least=least, most=most, default=least) if self.text(name) else None


def _number(written: str) -> float | None:
    try:
        value = float(written.replace(",", ".") if written.count(",") == 1 and "." not in written else written)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
