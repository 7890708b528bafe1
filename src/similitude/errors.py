"""Every error that a user of Similitude can cause, as one tree.

::

    SimilitudeError
    ├── InputError          a file or a row in it is not what it should be
    │   ├── FormatError     the layout of a file was not recognised, or is not the one named
    │   ├── ColumnError     a column that is needed is missing
    │   └── ScaleError      scores and scale do not fit together
    ├── UnknownNameError    no system, measure or format has that name
    ├── ArgumentError       a name is known, but what was handed to it is not valid
    ├── ExtensionError      what somebody registered, or wrote in a file, cannot be used: something is missing
    ├── PredictionError     a system returned something that is not a score
    ├── EstimationError     an estimate does not exist, or the search for it did not converge
    ├── EndpointError       a language model's endpoint is down, refuses, or answers what cannot be read
    ├── MissingExtraError   the feature needs an optional dependency that is not installed
    └── RunError            a run folder cannot be used as asked

Each carries *what* was wrong, *where*, and the *remedy*; ``str(error)`` joins them into one line, which is all that
the command line prints.
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
    "UnknownNameError",
]


class SimilitudeError(Exception):
    """Something that the user can mend: what is wrong, where, and how to mend it."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(what)

    def __str__(self) -> str:
        located = f"{self.where}: {self.what}" if self.where else self.what
        return f"{located}; {self.remedy}" if self.remedy else located


class InputError(SimilitudeError):
    """A file, or a row in it, is not what it should be."""


class FormatError(InputError):
    """The layout of a file was not recognised, or is not the one that was named."""


class ColumnError(InputError):
    """A column that is needed is missing."""


class ScaleError(InputError):
    """Scores and scale do not fit together."""


class ArgumentError(SimilitudeError):
    """A name is known, but what was handed to it is not valid."""


class ExtensionError(SimilitudeError):
    """What another package registered, or what a file of one's own holds, cannot be used."""


class PredictionError(SimilitudeError):
    """A system returned something that is not a score."""


class EstimationError(SimilitudeError):
    """An estimate does not exist, or the search for it did not converge."""


class EndpointError(SimilitudeError):
    """A language model's endpoint is down, refuses, or answers what cannot be read."""


class RunError(SimilitudeError):
    """A run folder cannot be used as asked."""


class UnknownNameError(SimilitudeError):
    """No registered thing has that name; the message suggests the nearest and lists the choices."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        choices = sorted(known)
        nearest = difflib.get_close_matches(name.lower(), choices, n=1, cutoff=0.5)
        hint = f"did you mean '{nearest[0]}'? " if nearest else ""
        super().__init__(f"no {kind} named '{name}'", remedy=f"{hint}known: {', '.join(choices)}")
        self.name = name


class MissingExtraError(SimilitudeError):
    """The feature needs an optional dependency that is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} is not installed", remedy=f"pip install 'similitude[{extra}]'")
        self.extra = extra
