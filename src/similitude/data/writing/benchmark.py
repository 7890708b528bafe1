"""Writing benchmarks so that reading gives back the same items, gold and scale.

Every row also states the facts about the whole benchmark: ``scale``, ``benchmark``, ``licence``, ``judged_by`` and
``aggregation``, as far as they are known. So a file that is passed on still says whether its judgements are simulated.
Best-worst judgements are written to ``<stem>.judgements.jsonl`` beside the file; how the files of the benchmark were
understood, to ``<stem>.provenance.json``.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from similitude.data.benchmark import BENCHMARK_SCHEMA, Benchmark
from similitude.data.provenance import Provenance
from similitude.data.provenance_file import provenance_file, provenance_text
from similitude.data.reading.companion import companion
from similitude.data.reading.containers.frames import POSITION, UNSPLIT
from similitude.data.writing.atomic import draft_beside, put_in_place, write_atomically
from similitude.data.writing.table import chosen_format, facts_of, with_facts
from similitude.errors import ArgumentError

__all__ = ["WRITERS", "benchmark_table", "csv_ready", "split_tables", "write"]

Writer = Callable[[Benchmark, Path], None]

ALWAYS = ("id", "left", "right", "score")
SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".csv": "csv"}
HUB_LICENCES = re.compile(r"apache-2\.0|mit|bsd-3-clause|gpl-3\.0|odc-by|odbl|cc0-1\.0|cc-by(-nc)?(-sa|-nd)?-[1-4]\.0")
SIMULATED = "**The judgements in this data set are simulated.** No person was asked; a model of annotators answered."


def write(benchmark: Benchmark, path: str | Path, *, format: str | None = None) -> Path:
    """Write a benchmark, completely or not at all. An empty text in an optional column is read back as null.

    Args:
        benchmark: what to write.
        path: a file; for "huggingface", a folder that does not exist yet or is empty.
        format: "jsonl", "parquet", "csv" or "huggingface"; by default the one that belongs to the suffix.

    Returns:
        The path.

    Raises:
        UnknownNameError: there is no such format.
        ArgumentError: no format belongs to the suffix, or the path cannot be written.
    """
    target = Path(path)
    name = chosen_format(target, format, SUFFIXES, WRITERS)
    WRITERS[name](benchmark, target)
    return target


def benchmark_table(benchmark: Benchmark) -> pl.DataFrame:
    """Items and gold with the facts about all of them, without empty columns: `similitude.read` takes it back."""
    return with_facts(benchmark.frame, _facts(benchmark), ALWAYS)


def split_tables(table: pl.DataFrame, splits: pl.Series, *, keeps_order: bool = False) -> dict[str, pl.DataFrame]:
    """One table for each split, whose name may be changed to one that files can have.

    If the rows could come back in another order, a column keeps their positions.

    Args:
        table: all rows.
        splits: of each row; null for none.
        keeps_order: whether the order of the splits will be known.
    """
    names = splits.str.replace_all(r"\W", "_").fill_null(UNSPLIT).alias("_split")
    parts = table.with_columns(names, pl.int_range(pl.len()).alias(POSITION))
    by_split = parts.partition_by("_split", as_dict=True, maintain_order=True, include_key=False)
    is_sorted = len(by_split) == 1 or (keeps_order and names.rle().len() == len(by_split))
    return {str(split): part.drop(POSITION) if is_sorted else part for (split,), part in by_split.items()}


def _facts(benchmark: Benchmark) -> Mapping[str, str | None]:
    return {**facts_of(benchmark), "aggregation": benchmark.provenance.aggregation}


def _file_writer(save: Callable[[Benchmark, Path], Any]) -> Writer:
    """A writer of one file and of the judgements beside it; judgements of an older file are deleted."""

    def write_file(benchmark: Benchmark, path: Path) -> None:
        beside = companion(path)
        if benchmark.judgements is not None:
            write_atomically(beside, benchmark.judgements.write_ndjson)
        write_atomically(path, lambda draft: save(benchmark, draft))
        if benchmark.judgements is None:
            beside.unlink(missing_ok=True)
        _write_provenance(benchmark.provenance, path)

    return write_file


def _write_provenance(provenance: Provenance, path: Path) -> None:
    """Write how the files of a benchmark were understood beside the benchmark; delete what an older file left there."""
    beside = provenance_file(path)
    if provenance.readings:
        text = provenance_text(provenance, path)
        write_atomically(beside, lambda draft: draft.write_text(text, encoding="utf-8"))
    else:
        beside.unlink(missing_ok=True)


def _save_csv(benchmark: Benchmark, path: Path) -> None:
    """Write CSV; a list is written as JSON in its cell.

    The facts are the same in every row, so they are written as part of the line end, in half the time.
    """
    frame = with_facts(benchmark.frame, {}, ALWAYS)
    facts = {name: value for name, value in _facts(benchmark).items() if value}
    with path.open("wb") as file:
        file.write((_csv_line([*frame.columns, *facts]) + "\n").encode())
        end = "".join(f",{_csv_line([value])}" for value in facts.values())
        csv_ready(frame).write_csv(file, include_header=False, line_terminator=f"{end}\n")


def csv_ready(frame: pl.DataFrame) -> pl.DataFrame:
    """The table with each list as JSON, since a cell of CSV holds text."""
    lists = [name for name, dtype in frame.schema.items() if isinstance(dtype, pl.List)]
    cells = [pl.Series(name, [_cell(value) for value in frame[name].to_list()], dtype=pl.String) for name in lists]
    return frame.with_columns(cells)


def _csv_line(values: Sequence[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()


def _cell(value: list[Any] | None) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _write_folder(benchmark: Benchmark, path: Path) -> None:
    """Write a folder that ``datasets.load_dataset`` reads: one Parquet file for each split, and a card."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        what = "is a file" if not path.is_dir() else "is a folder that is not empty"
        raise ArgumentError(what, where=str(path), remedy="name a folder that does not exist yet")
    with draft_beside(path) as draft:
        (draft / "data").mkdir(parents=True)
        splits = _save_splits(benchmark, draft / "data")
        (draft / "README.md").write_text(_card(benchmark, splits), encoding="utf-8")
        if benchmark.judgements is not None:
            benchmark.judgements.write_ndjson(draft / "judgements.jsonl")
        put_in_place(draft, path)


def _save_splits(benchmark: Benchmark, folder: Path) -> dict[str, int]:
    """Write one file for each split; give the rows of each."""
    parts = split_tables(benchmark_table(benchmark), benchmark.frame["split"])
    for split, part in parts.items():
        part.write_parquet(folder / f"{split}-00000-of-00001.parquet")
    return {split: part.height for split, part in parts.items()}


def _card(benchmark: Benchmark, splits: Mapping[str, int]) -> str:
    """The text of README.md: metadata for the hub, then a description for people."""
    head = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in _hub_facts(benchmark).items())
    files = "".join(f"  - split: {_hub_split(split, splits)}\n    path: data/{split}-*.parquet\n" for split in splits)
    rows = "".join(f"- {_hub_split(split, splits)}: {count:,} items\n" for split, count in splits.items())
    facts = "".join(f"- {name}: {value}\n" for name, value in _facts(benchmark).items() if value)
    simulated = f"{SIMULATED}\n\n" if benchmark.is_simulated else ""
    columns = ", ".join(f"`{name}`" for name in benchmark_table(benchmark).columns if name in BENCHMARK_SCHEMA)
    return (
        f"---\n{head}configs:\n- config_name: default\n  data_files:\n{files}---\n\n# {benchmark.name}\n\n{simulated}"
        f"Pairs of texts with similarity scores, written by Similitude.\n\n{facts}\n{rows}\nColumns: {columns}.\n"
    )


def _hub_split(split: str, splits: Mapping[str, int]) -> str:
    """The name of a split on the hub, where data without splits is called "train"."""
    return "train" if split == UNSPLIT and len(splits) == 1 else split


def _hub_facts(benchmark: Benchmark) -> dict[str, Any]:
    licence = re.sub(r"\s+", "-", (benchmark.licence or "").strip().lower())
    languages = benchmark.frame["language"].drop_nulls().unique(maintain_order=True).to_list()
    facts: dict[str, Any] = {"pretty_name": benchmark.name}
    if licence:
        known = HUB_LICENCES.fullmatch(licence)
        facts |= {"license": licence} if known else {"license": "other", "license_name": benchmark.licence}
    if languages and all(re.fullmatch("[a-z]{2,3}", language) for language in languages):
        facts["language"] = languages
    return facts | {"task_categories": ["sentence-similarity"], "tags": ["semantic-textual-similarity"]}


WRITERS: Mapping[str, Writer] = {
    "jsonl": _file_writer(lambda benchmark, path: benchmark_table(benchmark).write_ndjson(path)),
    "parquet": _file_writer(lambda benchmark, path: benchmark_table(benchmark).write_parquet(path)),
    "csv": _file_writer(_save_csv),
    "huggingface": _write_folder,
}
"""The formats in which benchmarks can be written."""
