"""Files of suspects: all probabilities for training, and the suspects as items for a second round of annotation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.item import ITEM_SCHEMA
from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError
from similitude.study.suspects.suspects import Suspects

__all__ = ["ASK_SUFFIXES", "SUFFIXES", "check_suffix", "write_questions", "write_suspects"]

SUFFIXES = (".csv", ".jsonl", ".parquet")
ASK_SUFFIXES = (".csv", ".jsonl")


def check_suffix(path: Path, suffixes: tuple[str, ...] = SUFFIXES) -> None:
    """Refuse a name that tells no format, before any work is done.

    Raises:
        ArgumentError: the suffix is unknown.
    """
    if path.suffix.lower() not in suffixes:
        what = f"'{path.name}' has no suffix of a known format"
        raise ArgumentError(what, remedy=f"end the name in {' or '.join(suffixes)}")


def write_suspects(found: Suspects, path: str | Path) -> Path:
    """Write every label with its probability, for ``train ... --suspects``, completely or not at all.

    Raises:
        ArgumentError: the suffix is unknown, or the file cannot be written.
    """
    target = Path(path)
    check_suffix(target)
    return _written(found.table, target)


def write_questions(found: Suspects, benchmark: Benchmark, path: str | Path) -> Path:
    """Write the suspects as items without labels, for ``similitude design`` and ``[second_round] items``.

    Neither label nor probability nor reason is in the file, so that annotators cannot be shown any of them.

    Args:
        found: the suspects.
        benchmark: the data that was searched.
        path: ends in .csv, or in .jsonl, which also keeps contexts.

    Raises:
        ArgumentError: there is no suspect, the suffix is unknown, or the file cannot be written.
    """
    target = Path(path)
    check_suffix(target, ASK_SUFFIXES)
    chosen = found.suspects.select("id")
    if chosen.is_empty():
        raise ArgumentError("no label is suspect: there is nothing to ask", remedy="lower --probability, or use --top")
    items = chosen.join(benchmark.frame, on="id", how="left", maintain_order="left").select(ITEM_SCHEMA.names())
    known = items.select(each for each in items.iter_columns() if each.null_count() < items.height)
    if target.suffix.lower() == ".csv" and "context" in known.columns:
        raise ArgumentError("a CSV file cannot hold the turns of a dialogue", remedy=f"name {target.stem}.jsonl")
    return _written(known, target)


def _written(frame: pl.DataFrame, target: Path) -> Path:
    savers: dict[str, Callable[[Path], Any]] = {
        ".csv": frame.write_csv,
        ".jsonl": frame.write_ndjson,
        ".parquet": frame.write_parquet,
    }
    write_atomically(target, savers[target.suffix.lower()])
    return target
