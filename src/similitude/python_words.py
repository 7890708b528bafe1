"""Messages in the words of Python: keyword arguments where the command line has flags.

Errors are worded once, with flags. The public functions of ``similitude`` say the same with keyword arguments.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from functools import wraps
from inspect import Parameter, signature
from types import FunctionType
from typing import Any, Final

__all__ = ["check_known", "in_python", "speaking_python"]

NAMES: Final = {
    "author": "authors",
    "baseline": "baselines",
    "filter": "filters",
    "folder": "out",
    "measure": "measures",
    "name": "names",
    "no_cache": "cache",
    "pair_by": "by",
    "search_device": "device",
    "source_dataset": "source_datasets",
    "system": "systems",
    "tag": "tags",
}
"""Flags whose keyword has another name."""

SWITCHES: Final = frozenset(
    (
        "allow_leaks",
        "annotator_per_file",
        "by_group",
        "dissimilar",
        "fresh",
        "keep_annotators",
        "keep_rejected",
        "large",
        "positions_are_people",
        "resplit",
        "skip_missing",
        "together",
        "uneven",
    )
)
"""Flags without a value."""

OTHER_WORDS: Final = {
    "baseline": "against",
    "confidence": "level",
    "dataset": "data",
    "df": "data",
    "metric": "measures",
    "metrics": "measures",
    "model": "systems",
    "models": "systems",
    "verbose": "quiet",
}
"""What other libraries call our keywords."""

READING: Final = frozenset(
    ("columns", "decimal", "encoding", "format", "header", "missing", "scale", "separator", "sheet")
)
"""Keywords of the functions that read data."""

LISTS: Final = frozenset(["measures", "systems", "names", "categories", "missing", "classes"])
"""Keywords that take several values."""

PAIRS: Final = re.compile(r"--(column|where) (?:'([\w !]+)=([^']*)'|([\w!]+)=((?:[^\s;'(),.]|[.,](?=\w))*))")
ADJACENT: Final = re.compile(r"(columns|where)=\{([^{}]*)\}(?:,? (?:and )?\1=\{([^{}]*)\})")
VALUE: Final = "|".join(
    (
        r"'[^']*'",  # in quotes
        r"\w+=\d+(?:\.\d+)?(?:,\w+=\d+(?:\.\d+)?)*",  # shares of splits
        r"-?\d[\w.]*|[a-z-]*\d\w*(?:-\w+)*",  # with a digit
        r"[A-Z]{2}(?:[\w.,-]*\w)?",  # what the user fills in, or a licence
        r"[a-z]{2,3}(?= \([A-Z])",  # a language before its name
        r"(?:yes|no|[a-z]+-[a-z-]+)(?= columns=)",  # before other options
        r"[a-z](?:[\w.,+-]*\w)?(?=[,;.)]|$| or )|,(?=\))",  # a word that ends the phrase
    )
)
FLAG: Final = re.compile(rf"(?<![\w-])--([a-z][a-z-]+)(?: (?!out\b)({VALUE}))?")


def in_python(text: str, own: Container[str] = ()) -> str:
    """A message that names flags, with keyword arguments instead.

    Args:
        text: the message.
        own: the keywords of the function that was called, which keep their names.

    >>> in_python("name it with --column left=NAME")
    "name it with columns={'left': 'NAME'}"
    >>> in_python("use --architecture cross, or --ensemble 5; omit --new-pairs, or name another --folder")
    "use architecture='cross', or ensemble=5; omit new_pairs=, or name another out="
    >>> in_python("draw others with --split train=0.7,test=0.3; or not")
    "draw others with split='train=0.7,test=0.3'; or not"
    >>> in_python("--against needs tests, but --resamples 0 asks for none")
    'against= needs tests, but resamples=0 asks for none'
    """
    if "--" not in text:
        return text
    joined = PAIRS.sub(_pair, text)
    while (merged := ADJACENT.sub(r"\1={\2, \3}", joined)) != joined:
        joined = merged
    return FLAG.sub(lambda found: _keyword(found, own), joined)


def _pair(found: re.Match[str]) -> str:
    name = "columns" if found[1] == "column" else found[1]
    ours, theirs = found[2] or found[4], found[3] or found[5] or ""
    return f"{name}={{{ours!r}: {theirs!r}}}"


def _keyword(found: re.Match[str], own: Container[str]) -> str:
    flag = found[1].replace("-", "_")
    name, value = flag if flag in own else NAMES.get(flag, flag), (found[2] or "").strip("'")
    if flag == "no_cache":
        return "cache=None"
    if flag in SWITCHES:
        return f"{name}=True{found[0].removeprefix(f'--{found[1]}')}"
    if flag == "header" and value in ("yes", "no"):
        return f"header={value == 'yes'}"
    return f"{name}={_value(name, value)}"


def _value(name: str, value: str) -> str:
    """A value as it is written in Python; nothing if there is none."""
    if not value:
        return ""
    if name in LISTS:
        return f"[{', '.join(part if part == '...' else repr(part) for part in value.split(','))}]"
    return value if re.fullmatch(r"-?\d+(\.\d+)?|[A-Z]+", value) else repr(value)


def speaking_python(value: Any) -> Any:
    """A function whose errors speak of keyword arguments, also of those that it has not; anything else as it is."""
    if not isinstance(value, FunctionType):
        return value
    function: Callable[..., Any] = value

    @wraps(function)
    def spoken(*arguments: Any, **keywords: Any) -> Any:
        from similitude.errors import SimilitudeError  # late, so that importing the package stays cheap

        own = signature(function).parameters
        try:
            _refuse_unknown(keywords, own)
            return function(*arguments, **keywords)
        except SimilitudeError as error:
            error.what, error.remedy = in_python(error.what, own), in_python(error.remedy, own)
            error.remedy += _reading_first(error, function)
            raise

    return spoken


def check_known(given: Iterable[str], known: Collection[str], name: str) -> None:
    """Check that these arguments of a function are among those that it knows.

    Raises:
        ArgumentError: one is not; the message suggests the nearest name and lists all.
    """
    from similitude.errors import ArgumentError  # late, so that importing the package stays cheap

    unknown = next((each for each in given if each not in known), None)
    if unknown is not None:
        meant = OTHER_WORDS.get(unknown)
        near = [meant] if meant in known else difflib.get_close_matches(unknown, known, n=1, cutoff=0.6)
        hint = f"did you mean {near[0]}=? " if near else ""
        raise ArgumentError(f"{name} has no argument '{unknown}'", remedy=f"{hint}known: {', '.join(sorted(known))}")


def _refuse_unknown(keywords: Iterable[str], own: Mapping[str, Parameter]) -> None:
    """Check that a function has these keyword arguments, unless it takes any.

    Raises:
        ArgumentError: it has not.
    """
    from similitude.errors import ArgumentError

    if any(each.kind is Parameter.VAR_KEYWORD for each in own.values()):
        return
    for_readers = next((each for each in keywords if each in READING and each not in own), None)
    if for_readers and "data" in own:
        error = ArgumentError(f"the function has no argument '{for_readers}'", remedy=f"leave {for_readers}= out")
        error.reader = "read" if "Benchmark" in str(own["data"].annotation) else "read_judgements"
        raise error
    check_known(keywords, own, "the function")


def _reading_first(error: Any, function: Callable[..., Any]) -> str:
    """Where to give the arguments of a reader that an error names, if the function has none of these names."""
    reader = error.reader or ("read" if "columns=" in error.remedy else None)
    parameters = signature(function).parameters
    if reader in (None, getattr(function, "reader", None)):
        return ""
    named = next((name for name in re.findall(r"\b([a-z_]+)=", error.remedy) if name not in parameters), None)
    return "" if named is None else f"; for that, read the data first: similitude.{reader}(data, {named}=...)"
