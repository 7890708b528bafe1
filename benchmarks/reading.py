"""``similitude data convert`` against a plain Polars read and write: ``python benchmarks/reading.py --rows 1000000``.

The peer reads the file with Polars and writes what it read, without a single check. Ours is the whole command, with
its start, its checks of every row and the flush to disk. Each runs in a process of its own, in turns; the fastest of
several turns counts, and the largest of their peaks of memory. Files are made in a temporary folder and deleted.

``--memory 500MB`` is for files that are larger than that: ours then keeps their tables on disk. Peaks are then those of
memory that belongs to no file, because pages of a file can be dropped when memory is short.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

LIMIT = 1.5
MEMORY = "SIMILITUDE_MEMORY"
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
BLOCK = 250_000
ENDS = ("", "n", "s", "r")
SYLLABLES = tuple(a + b + c for a in "klmtrsdvpn" for b in "aeiou" for c in ENDS)
WAYS = (
    ("pairs.csv", "parquet"),
    ("pairs.csv", "jsonl"),
    ("pairs.csv", "csv"),
    ("quoted.csv", "parquet"),
    ("pairs.tsv", "parquet"),
    ("pairs.jsonl", "jsonl"),
    ("pairs.jsonl", "parquet"),
    ("pairs.parquet", "parquet"),
    ("pairs.parquet", "csv"),
)
READS = {
    ".csv": "pl.read_csv(source)",
    ".tsv": "pl.read_csv(source, separator='\\t')",
    ".jsonl": "pl.read_ndjson(source)",
    ".parquet": "pl.read_parquet(source)",
}
WRITES = {"csv": "write_csv", "jsonl": "write_ndjson", "parquet": "write_parquet"}


class Cost(NamedTuple):
    """What a process took: wall time, processor time, and its peak of memory in mebibytes."""

    seconds: float
    processor: float
    peak: float

    def best(self, other: Cost) -> Cost:
        """The faster of two turns, with the larger peak."""
        fastest = min(self, other)
        return fastest._replace(processor=min(self.processor, other.processor), peak=max(self.peak, other.peak))


def vocabulary() -> list[str]:
    """Eight thousand words of one to three syllables."""
    two = [a + b for a in SYLLABLES for b in SYLLABLES[::5]]
    return [*SYLLABLES, *two[::10], *(word + c for word in two for c in SYLLABLES)][:8000]


def make_block(first: int, rows: int, *, quoted: bool):
    """Pairs of sentences of 8 to 25 words; if quoted, with commas, quotes and line breaks inside."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(first)
    words = pl.Series(vocabulary())

    def sentences() -> pl.Series:
        lengths = rng.integers(8, 26, rows)
        drawn = words.gather((rng.zipf(1.2, lengths.sum()) - 1) % len(words))
        owner = pl.Series(np.repeat(np.arange(rows), lengths))
        joined = pl.DataFrame({"at": owner, "word": drawn}).group_by("at", maintain_order=True).agg("word")
        return joined["word"].list.join(" ").str.to_titlecase() + "."

    frame = pl.DataFrame({
        "id": [f"pair-{number:07d}" for number in range(first, first + rows)],
        "left": sentences(),
        "right": sentences(),
        "score": np.round(rng.uniform(0, 5, rows), 3),
    })  # fmt: skip
    return frame.with_columns(with_marks(pl.col("left")), with_marks(pl.col("right"))) if quoted else frame


def with_marks(text):
    """Every text with a comma, every third with quotes, every tenth with a line break."""
    import polars as pl

    row = pl.int_range(pl.len())
    text = text.str.replace(" ", ", ")
    text = pl.when(row % 3 == 0).then(text.str.replace(" ", ' "so called" ')).otherwise(text)
    return pl.when(row % 10 == 0).then(text.str.replace(" ", "\n")).otherwise(text)


def make_file(path: Path, rows: int) -> None:
    """Run in a process of its own, so that its memory is not counted in that of others."""
    import polars as pl

    blocks = (
        make_block(first, min(BLOCK, rows - first), quoted=path.stem == "quoted") for first in range(0, rows, BLOCK)
    )
    if path.suffix == ".parquet":
        pl.concat(list(blocks)).write_parquet(path)
        return
    with path.open("wb") as file:
        for number, block in enumerate(blocks):
            if path.suffix == ".jsonl":
                block.write_ndjson(file)
            else:
                block.write_csv(file, separator="\t" if path.suffix == ".tsv" else ",", include_header=number == 0)


def polars_command(source: Path, target: Path) -> list[str]:
    reads, writes = READS[source.suffix], WRITES[target.suffix[1:]]
    return ["-c", f"import polars as pl; source = {str(source)!r}; {reads}.{writes}({str(target)!r})"]


def our_command(source: Path, target: Path) -> list[str]:
    return ["-m", "similitude", "data", "convert", str(source), "--out", str(target)]


def cost_of(arguments: list[str]) -> Cost:
    """Run Python with these arguments in a process of its own."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL, env=COMPILED)
    own = own_memory(process.pid) if MEMORY in COMPILED else 0.0
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed: {' '.join(arguments)}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, own or usage.ru_maxrss / 1024)


def own_memory(process: int) -> float:
    """The peak of the memory of a process that belongs to no file, in mebibytes; waits until the process ends."""
    peak = 0
    while True:
        found = [line for line in Path(f"/proc/{process}/status").read_text().splitlines() if "RssAnon" in line]
        if not found:  # it has ended
            return peak / 1024
        peak = max(peak, int(found[0].split()[1]))
        time.sleep(0.01)


def compare(source: Path, target: Path, turns: int) -> tuple[Cost, Cost]:
    """The best of several turns of Polars and of ours."""
    sides: Mapping[str, Callable[[Path, Path], list[str]]] = {"polars": polars_command, "ours": our_command}
    found: dict[str, Cost] = {}
    for _ in range(turns):
        for name, command in sides.items():
            cost = cost_of(command(source, target))
            found[name] = found[name].best(cost) if name in found else cost
            target.unlink()
    return found["polars"], found["ours"]


def add_row(table: Table, way: str, polars: Cost, ours: Cost) -> None:
    ratios = [mine / theirs for mine, theirs in zip(ours, polars, strict=True)]
    shown = [f"[{'green' if ratio <= LIMIT else 'red'}]{ratio:.2f}[/]" for ratio in ratios]
    table.add_row(
        way, f"{polars.seconds:.2f}", f"{ours.seconds:.2f}", shown[0], f"{polars.processor:.2f}",
        f"{ours.processor:.2f}", shown[1], f"{polars.peak:.0f}", f"{ours.peak:.0f}", shown[2],
    )  # fmt: skip


def main(rows: int, turns: int, only: Sequence[str], folder: Path) -> None:
    table = Table(
        "from, to", "Polars / s", "ours / s", "ratio", "CPU / s", "ours", "ratio", "peak / MiB", "ours", "ratio",
        title=f"{rows:,} pairs: convert against plain Polars, best of {turns}",
    )  # fmt: skip
    chosen = [(source, suffix) for source, suffix in WAYS if any(each in f"{source} {suffix}" for each in only)]
    for source in dict.fromkeys(source for source, _ in chosen):
        path = folder / source
        subprocess.run([sys.executable, __file__, "--make", str(path), "--rows", str(rows)], check=True)
        size = path.stat().st_size / 1024**2
        for suffix in [suffix for name, suffix in chosen if name == source]:
            costs = compare(path, folder / f"out.{suffix}", turns)
            add_row(table, f"{source} ({size:.0f} MiB), {suffix}", *costs)
        path.unlink()
    Console(width=140).print(table)
    print(f"limits: time and peak within {LIMIT} of Polars")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[""], help="only ways that contain one of these: 'csv parquet'")
    parser.add_argument("--memory", help="how much memory ours may take up for tables, such as 500MB")
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.memory:
        COMPILED[MEMORY] = given.memory
    if given.make:
        make_file(given.make, given.rows)
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(given.rows, given.turns, given.only, Path(temporary))
