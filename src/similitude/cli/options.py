"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from similitude.data.opening import SAMPLE_PREFIX
from similitude.errors import ArgumentError, UnknownNameError

__all__ = [
    "Columns",
    "Data",
    "Encoding",
    "Format",
    "Json",
    "Measures",
    "OnError",
    "ScaleOption",
    "SkipOrStop",
    "reading_options",
]


class SkipOrStop(StrEnum):
    """What to do with rows that are wrong."""

    STOP = "stop"
    SKIP = "skip"


Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help=f"A file or folder of text pairs, hf:NAME, or {SAMPLE_PREFIX}dialogues|conditions|opinions.",
    ),
]
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


def calibration(written: str | None) -> Literal["linear", "isotonic"] | None:
    """How to fit the mapping to the scale."""
    if written not in (None, "linear", "isotonic"):
        raise UnknownNameError("calibration", str(written), ("linear", "isotonic"))
    return written  # type: ignore[return-value]


def _assignment(written: str) -> tuple[str, str]:
    ours, equals, theirs = written.partition("=")
    if not (ours and equals and theirs):
        raise ArgumentError(f"cannot read '--column {written}'", remedy="write --column left=question1")
    return ours.strip(), theirs.strip()


def data_paths(data: Sequence[str]) -> str | list[str | Path]:
    """One name as it is, several as a list."""
    return data[0] if len(data) == 1 else list(data)
