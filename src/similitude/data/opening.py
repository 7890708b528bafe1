"""One way in: a file, a folder, a data set on the hub, or a part of the sample, by the name that a user writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from similitude.data.benchmark import Benchmark

__all__ = ["SAMPLE_PREFIX", "open_benchmark"]

SAMPLE_PREFIX = "sample:"


def open_benchmark(data: str | Path | Sequence[str | Path], **options: Any) -> Benchmark:
    """Read ``data``: what `similitude.data.reading.read` takes, or ``sample:dialogues`` and the like."""
    if isinstance(data, str) and data.startswith(SAMPLE_PREFIX):
        from similitude.data.sample import read_sample

        return read_sample(data.removeprefix(SAMPLE_PREFIX))
    from similitude.data.reading import read

    return read(data, **options)
