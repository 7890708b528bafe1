"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from similitude.data.addresses import SAMPLE_PREFIX
from similitude.errors import ArgumentError, UnknownNameError

__all__ = [
    "By",
    "Columns",
    "Data",
    "Encoding",
    "Format",
    "IntervalMethod",
    "ItemsOption",
    "Json",
    "JudgementFiles",
    "KindOption",
    "Level",
    "Measures",
    "NoCache",
    "OnError",
    "Page",
    "PairedTest",
    "Quiet",
    "Resamples",
    "ScaleOption",
    "SeveralData",
    "SkipOrStop",
    "choose",
    "reading_options",
]


T = TypeVar("T", bound=str)


class SkipOrStop(StrEnum):
    """What to do with rows that are wrong."""

    STOP = "stop"
    SKIP = "skip"


Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help=f"A file or folder of text pairs, hf:NAME, or {SAMPLE_PREFIX}dialogues|conditions|opinions|world.",
    ),
]
SeveralData = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA...",
        help="Files (one a split, say), a folder, hf:NAME, or sample:dialogues|conditions|opinions|world.",
    ),
]
JudgementFiles = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA...",
        help=f"Files of judgements, a benchmark that keeps them, or {SAMPLE_PREFIX}dialogues|opinions.",
    ),
]
ItemsOption = Annotated[
    str | None, typer.Option("--items", metavar="DATA", help="The items judged, with their texts: any benchmark.")
]
KindOption = Annotated[
    str | None,
    typer.Option(
        "--kind", metavar="best-worst|rating", help="Which answers to take, where a file holds several kinds."
    ),
]
Page = Annotated[Path | None, typer.Option("--page", metavar="FILE.html", help="Write a page with figures.")]
Format = Annotated[str | None, typer.Option("--format", help="The file's format, where looking is not enough.")]
Columns = Annotated[
    list[str] | None,
    typer.Option("--column", metavar="OURS=THEIRS", help="Which column of the file is which: --column left=question1."),
]
ScaleOption = Annotated[str | None, typer.Option("--scale", metavar="LOW..HIGH", help="The scale of the scores: 0..5.")]
Encoding = Annotated[str, typer.Option("--encoding", help="The encoding of the file's text.")]
OnError = Annotated[
    SkipOrStop, typer.Option("--on-error", help="Rows that are wrong: stop at the first, or skip and report.")
]
Resamples = Annotated[
    int | None,
    typer.Option("--resamples", min=0, help="For intervals and shared ranks; 2,000 or what the systems need; 0: none."),
]
Level = Annotated[float, typer.Option("--level", min=0.5, max=0.999, help="The level of intervals and tests.")]
IntervalMethod = Annotated[str, typer.Option("--interval", metavar="bca|percentile", help="How intervals are made.")]
PairedTest = Annotated[
    str, typer.Option("--test", metavar="bootstrap|permutation", help="What tells two systems apart.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no notes.")]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Do not use or fill the cache of embeddings and of language models' answers.")
]
By = Annotated[
    list[str] | None,
    typer.Option("--by", metavar="COLUMN", help="Figures on parts of the items as well: contention, domain, ..."),
]
Json = Annotated[bool, typer.Option("--json", help="Print machine-readable results.")]
Measures = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help="A measure, as in ndcg@10 or hmean(pearson,f1); repeat for more."),
]


def reading_options(
    format: str | None, columns: Sequence[str] | None, scale: str | None, encoding: str, on_error: SkipOrStop
) -> dict[str, Any]:
    """What the options mean to a reader."""
    return {
        "format": format,
        "columns": dict(_assignment(written) for written in columns or ()),
        "scale": scale,
        "encoding": encoding,
        "on_error": on_error.value,
    }


def choose(kind: str, written: str, choices: Sequence[T]) -> T:
    """The choice that was written.

    Raises:
        UnknownNameError: there is no such choice.
    """
    for choice in choices:
        if choice == written:
            return choice
    raise UnknownNameError(kind, written, choices)


def _assignment(written: str) -> tuple[str, str]:
    ours, equals, theirs = written.partition("=")
    if not (ours and equals and theirs):
        raise ArgumentError(f"cannot read '--column {written}'", remedy="write --column left=question1")
    return ours.strip(), theirs.strip()


def data_paths(data: Sequence[str]) -> str | list[str | Path]:
    """One name as it is, several as a list."""
    return data[0] if len(data) == 1 else list(data)
