"""The tree of errors that a user of Similitude can cause and fix.

::

    SimilitudeError
    ├── InputError          a file, or a row in it, is invalid
    │   ├── FormatError     a file has an unknown format, or another one than was named
    │   ├── ColumnError     a required column is missing
    │   └── ScaleError      the scores do not fit the scale
    ├── UnknownNameError    no system, measure or format has that name
    │   └── UnknownKeyError the results hold nothing under that key; also a KeyError
    ├── ArgumentError       an argument is invalid
    ├── ExtensionError      an extension, from a package or a file, breaks its contract
    ├── PredictionError     a system returned something that is not a score
    ├── EstimationError     an estimate does not exist, or its computation did not converge
    ├── EndpointError       the endpoint of a language model is down, refuses, or gives an unreadable answer
    ├── MissingExtraError   the feature needs an optional dependency that is not installed
    └── RunError            a run folder cannot be used as requested

Each error says *what* is wrong, *where*, and the *remedy*. ``str(error)`` joins them into one line, and the command
line prints only that line.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "ArgumentError",
    "ColumnError",
    "EndpointError",
    "EstimationError",
    "ExtensionError",
    "FormatError",
    "InputError",
    "MissingExtraError",
    "PredictionError",
    "RunError",
    "ScaleError",
    "SimilitudeError",
    "UnknownKeyError",
    "UnknownNameError",
]


class SimilitudeError(Exception):
    """An error that the user can fix: what is wrong, where, and the remedy."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(what)

    def __str__(self) -> str:
        located = f"{self.where}: {self.what}" if self.where else self.what
        return _one_line(f"{located}; {self.remedy}" if self.remedy else located)


def _one_line(text: str) -> str:
    """A message in one line that a terminal can show; names and values from files may hold any character."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


class InputError(SimilitudeError):
    """A file, or a row in it, is invalid."""


class FormatError(InputError):
    """A file has an unknown format, or another one than was named."""


class ColumnError(InputError):
    """A required column is missing."""


class ScaleError(InputError):
    """The scores do not fit the scale."""


class ArgumentError(SimilitudeError):
    """An argument is invalid."""


class ExtensionError(SimilitudeError):
    """An extension, from a package or a file, breaks its contract."""


class PredictionError(SimilitudeError):
    """A system returned something that is not a score."""


class EstimationError(SimilitudeError):
    """An estimate does not exist, or its computation did not converge."""


class EndpointError(SimilitudeError):
    """The endpoint of a language model is down, refuses, or gives an unreadable answer."""


class RunError(SimilitudeError):
    """A run folder cannot be used as requested."""


class UnknownNameError(SimilitudeError):
    """Nothing is registered under that name; the message suggests the nearest name and lists the choices."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        choices = sorted(known)
        nearest = difflib.get_close_matches(name.lower(), choices, n=1, cutoff=0.5)
        hint = f"did you mean '{nearest[0]}'? " if nearest else ""
        super().__init__(f"no {kind} named '{name}'", remedy=f"{hint}known: {', '.join(choices)}")
        self.name = name


class UnknownKeyError(UnknownNameError, KeyError):
    """Results hold nothing under that key: ``run["no such system"]``. Also a `KeyError`."""


class MissingExtraError(SimilitudeError):
    """The feature needs an optional dependency that is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} is not installed", remedy=f"pip install 'similitude[{extra}]'")
        self.extra = extra
