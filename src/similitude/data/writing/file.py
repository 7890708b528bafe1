"""Writing benchmarks and judgements to files, whichever of the two they are."""

from __future__ import annotations

from pathlib import Path

from similitude.data.addresses import BenchmarkData, open_benchmark
from similitude.data.judgements import Judgements
from similitude.data.keywords import as_path
from similitude.data.writing.benchmark import write as write_benchmark
from similitude.data.writing.judgements import write_judgements

__all__ = ["write"]


def write(data: BenchmarkData | Judgements, path: str | Path, *, format: str | None = None) -> Path:
    """Write a benchmark or judgements, completely or not at all. Reading the file gives the same back.

    Args:
        data: what to write: a benchmark, judgements, or what `similitude.read` takes.
        path: a file; for "huggingface", a folder that does not exist yet or is empty.
        format: "jsonl" or "csv"; for a benchmark also "parquet" or "huggingface". By default the one of the suffix.

    Returns:
        The path.

    Raises:
        UnknownNameError: there is no such format.
        ArgumentError: no format belongs to the suffix, the path cannot be written, or this is no data.

    >>> import tempfile
    >>> import similitude as sim
    >>> pairs = sim.read([("a cat", "one cat", 4.5), ("a cat", "two dogs", 1)], scale="0..5", name="pets")
    >>> sim.read(sim.write(pairs, f"{tempfile.mkdtemp()}/pets.csv"))
    <Benchmark 'pets': 2 items, scale 0..5 (declared)>
    """
    target = as_path("path", path)
    if isinstance(data, Judgements):
        return write_judgements(data, target, format=format)
    return write_benchmark(open_benchmark(data), target, format=format)
