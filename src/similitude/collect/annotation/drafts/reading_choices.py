"""The ways to read a file that an error of the reader names, as settings of a plan instead of flags."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Any, NamedTuple

from similitude.collect.annotation.plan.models import ReadingPlan

__all__ = ["Choice", "choices_in", "without_flags"]

_FLAG = re.compile(
    r"--(header|separator|decimal|encoding|sheet|missing|on-error|format) +('[^']*'|\"[^\"]*\"|[^\s,;)]+)"
)
PLACEHOLDER = "NAME"
WRITTEN = {"yes": True, "no": False}
SIGNS = {"tab": "\t", "comma": ",", "semicolon": ";", "bar": "|", "space": " ", "\\t": "\t"}


class Choice(NamedTuple):
    """One way to read a file: the flags in words, and the settings that they stand for."""

    words: str
    reading: ReadingPlan


def without_flags(remedy: str) -> str:
    """The parts of a remedy that name no flag of the command line.

    >>> without_flags("every item needs both texts, or leave such rows out with --on-error skip")
    'every item needs both texts'
    """
    return "; ".join(part.strip(" :") for part in re.split(r", or |; |, (?=such as)", remedy) if "--" not in part)


def choices_in(remedy: str, reading: ReadingPlan, *, sheets: Sequence[str] = ()) -> list[Choice]:
    """The ways to read a file that a remedy names, each added to the settings so far.

    Args:
        remedy: the remedy of an error, with flags of the command line.
        reading: the settings so far.
        sheets: the sheets among which one has to be chosen.

    >>> found = choices_in("say so: --header yes or --header no", ReadingPlan())
    >>> [choice.words for choice in found], found[1].reading.header
    (['header: yes', 'header: no'], False)
    """
    choices = [Choice(f"sheet: {name}", reading.model_copy(update={"sheet": name})) for name in sheets]
    for group in _runs(remedy):
        flags = [(name, _unquoted(value)) for name, value in group]
        if any(value == PLACEHOLDER for _, value in flags):
            continue
        changed = _applied(reading, flags)
        if changed != reading and all(changed != each.reading for each in choices):
            choices.append(Choice(", ".join(f"{name}: {value}" for name, value in flags), changed))
    return choices


def _runs(remedy: str) -> list[list[tuple[str, str]]]:
    """The flags, those that follow each other directly in one list."""
    runs: list[list[tuple[str, str]]] = []
    end = -1
    for found in _FLAG.finditer(remedy):
        if runs and not remedy[end : found.start()].strip():
            runs[-1].append((found[1], found[2]))
        else:
            runs.append([(found[1], found[2])])
        end = found.end()
    return runs


def _unquoted(value: str) -> str:
    try:
        return " ".join(shlex.split(value)) if value[:1] in "'\"" and value.strip("'\"").strip() else value.strip("'\"")
    except ValueError:
        return value


def _applied(reading: ReadingPlan, flags: list[tuple[str, str]]) -> ReadingPlan:
    changes: dict[str, Any] = {}
    for name, value in flags:
        if name == "header":
            changes["header"] = WRITTEN.get(value)
        elif name == "missing":
            changes["missing"] = (*reading.missing, value)
        else:
            changes[name.replace("-", "_")] = SIGNS.get(value, value)
    try:
        return ReadingPlan.model_validate({**reading.model_dump(), **changes})
    except ValueError:
        return reading
