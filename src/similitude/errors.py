"""The tree of errors that a user of Similitude can cause and fix.

::

    SimilitudeError
    ├── InputError          a file, or a row in it, is invalid
    │   ├── FormatError     a file has an unknown format, or another one than was named
    │   ├── ColumnError     a required column is missing
    │   ├── GoldError       no item has gold
    │   └── ScaleError      the scores do not fit the scale
    ├── UnknownNameError    no system, measure or format has that name
    │   └── UnknownKeyError the results hold nothing under that key; also a KeyError
    ├── ArgumentError       an argument is invalid
    │   └── FullDiskError   a file cannot be written because the disk is full
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
from typing import Any

__all__ = [
    "ArgumentError",
    "ColumnError",
    "EndpointError",
    "EstimationError",
    "ExtensionError",
    "FormatError",
    "FullDiskError",
    "GoldError",
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
    """An error that the user can fix: what is wrong, where, and the remedy.

    >>> import similitude as sim
    >>> sim.read("missing.csv")
    Traceback (most recent call last):
        ...
    similitude.errors.InputError: missing.csv: no such file; ...

    Attributes:
        reader: the public function whose arguments say how data is read, if the error is about that; else None.
    """

    reader: str | None = None

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(what)

    def __reduce__(self) -> tuple[Any, ...]:
        # An error that comes back from another process is rebuilt as it was, whatever its class takes.
        return _rebuilt, (type(self), self.args, self.__dict__)

    def __str__(self) -> str:
        located = f"{self.where}: {self.what}" if self.where else self.what
        return _one_line(f"{located}; {self.remedy}" if self.remedy else located)


def _rebuilt(kind: type[SimilitudeError], args: tuple[Any, ...], state: dict[str, Any]) -> SimilitudeError:
    made = kind.__new__(kind, *args)
    made.__dict__.update(state)
    return made


def _one_line(text: str) -> str:
    """A message in one line that a terminal can show; names and values from files may hold any character."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


class InputError(SimilitudeError):
    """A file, or a row in it, is invalid.

    >>> import similitude as sim
    >>> sim.read("missing.csv")
    Traceback (most recent call last):
        ...
    similitude.errors.InputError: missing.csv: no such file; ...
    """


class FormatError(InputError):
    """A file has an unknown format, or another one than was named.

    >>> import similitude as sim
    >>> sim.read_judgements({"item": ["a", "b"], "rating": [1, 2]})
    Traceback (most recent call last):
        ...
    similitude.errors.FormatError: ...format of judgements not recognised; ...
    """


class ColumnError(InputError):
    """A required column is missing.

    >>> import similitude as sim
    >>> sim.read({"left": ["a cat"], "score": [3]})
    Traceback (most recent call last):
        ...
    similitude.errors.ColumnError: dict: no column for right; ...
    """


class GoldError(InputError):
    """No item has gold, such as where the labels of a test split are hidden.

    >>> import similitude as sim
    >>> sim.run({"left": ["a"], "right": ["b"], "score": [None]}, ["levenshtein"])
    Traceback (most recent call last):
        ...
    similitude.errors.GoldError: ...no item has gold; ...
    """


class ScaleError(InputError):
    """The scores do not fit the scale.

    >>> import similitude as sim
    >>> sim.read([("a cat", "one cat", 7)], scale="0..5")
    Traceback (most recent call last):
        ...
    similitude.errors.ScaleError: list, row 1: score 7 is off the scale 0..5; ...
    """


class ArgumentError(SimilitudeError):
    """An argument is invalid.

    >>> import similitude as sim
    >>> sim.read(None)
    Traceback (most recent call last):
        ...
    similitude.errors.ArgumentError: None is no data; ...
    """


class FullDiskError(ArgumentError):
    """A file cannot be written because the disk is full.

    >>> import similitude as sim
    >>> sim.run("sample:opinions", "levenshtein", out="runs/opinions")  # doctest: +SKIP
    Traceback (most recent call last):
        ...
    similitude.errors.FullDiskError: runs/opinions/data.json: cannot be written: the disk is full; free some space ...
    """


class ExtensionError(SimilitudeError):
    """An extension, from a package or a file, breaks its contract.

    >>> import similitude as sim
    >>> sim.system("mine.py:Mine")
    Traceback (most recent call last):
        ...
    similitude.errors.ExtensionError: mine.py: there is no such file; ...
    """


class PredictionError(SimilitudeError):
    """A system returned something that is not a score.

    >>> import similitude as sim
    >>> sim.run("sample:opinions", {"mine": lambda left, right: "high"})
    Traceback (most recent call last):
        ...
    similitude.errors.PredictionError: system 'mine': gave the text 'high' for item ...
    """


class EstimationError(SimilitudeError):
    """An estimate does not exist, or its computation did not converge.

    >>> import similitude as sim
    >>> sim.aggregate("sample:dialogues", "plackett-luce(prior=0)")
    Traceback (most recent call last):
        ...
    similitude.errors.EstimationError: sample:dialogues: 40 items never lost, or never won, against the rest ...
    """


class EndpointError(SimilitudeError):
    """The endpoint of a language model is down, refuses, or gives an unreadable answer.

    >>> import similitude as sim
    >>> sim.run("sample:opinions", "prompted(any, url=http://127.0.0.1:9/v1)")  # doctest: +SKIP
    Traceback (most recent call last):
        ...
    similitude.errors.EndpointError: any at http://127.0.0.1:9/v1: cannot connect ...
    """


class RunError(SimilitudeError):
    """A run folder cannot be used as requested.

    >>> import similitude as sim
    >>> sim.load_run("nowhere")
    Traceback (most recent call last):
        ...
    similitude.errors.RunError: nowhere: holds no finished run; ...
    """


class UnknownNameError(SimilitudeError):
    """Nothing is registered under that name; the message suggests the nearest name and lists the choices.

    >>> import similitude as sim
    >>> sim.system("levenstein")
    Traceback (most recent call last):
        ...
    similitude.errors.UnknownNameError: no system named 'levenstein'; did you mean 'levenshtein'? ...
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        choices = sorted(known)
        nearest = difflib.get_close_matches(name.lower(), choices, n=1, cutoff=0.5)
        hint = f"did you mean '{nearest[0]}'? " if nearest else ""
        super().__init__(f"no {kind} named '{name}'", remedy=f"{hint}known: {', '.join(choices)}")
        self.name = name


class UnknownKeyError(UnknownNameError, KeyError):
    """Results hold nothing under that key: ``run["no such system"]``. Also a `KeyError`.

    >>> import similitude as sim
    >>> run = sim.run("sample:opinions", "levenshtein", "pearson", resamples=0)
    >>> run["jaro", "pearson"]
    Traceback (most recent call last):
        ...
    similitude.errors.UnknownKeyError: no system in this run named 'jaro'; known: levenshtein
    """


class MissingExtraError(SimilitudeError):
    """The feature needs an optional dependency that is not installed.

    >>> import similitude as sim
    >>> sim.words.lemmas_of(["mice"], "en")  # doctest: +SKIP
    Traceback (most recent call last):
        ...
    similitude.errors.MissingExtraError: simplemma ... is not installed; in your clone ...: pip install '.[words]'
    """

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} is not installed", remedy=f"in your clone of Similitude: pip install '.[{extra}]'")
        self.extra = extra
