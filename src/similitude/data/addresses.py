"""One way in: a file, a folder, a data set on the hub, or a part of the sample, by the name that a user writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from similitude.data.benchmark import Benchmark

if TYPE_CHECKING:
    from similitude.data.judgements import Judgements

__all__ = ["SAMPLE_PREFIX", "open_benchmark", "open_judgements"]

SAMPLE_PREFIX = "sample:"


def open_benchmark(data: str | Path | Sequence[str | Path], **options: Any) -> Benchmark:
    """Read ``data``: what `similitude.data.reading.read` takes, or ``sample:dialogues`` and the like."""
    if isinstance(data, str) and data.startswith(SAMPLE_PREFIX):
        from similitude.samples import read_sample

        return read_sample(data.removeprefix(SAMPLE_PREFIX))
    from similitude.data.reading import read

    return read(data, **options)


def open_judgements(data: str | Path | Sequence[str | Path] | Benchmark, **options: Any) -> Judgements:
    """Read what people answered: what `read_judgements` takes, a benchmark that keeps answers, or a part of the sample.

    >>> open_judgements("sample:dialogues")
    <Judgements 'sample:dialogues': 600 best-worst answers about 60 items>

    Raises:
        InputError: there are no judgements, or one is not what it should be.
    """
    from similitude.data.reading.judgements import judgements_of_benchmark, read_judgements

    if isinstance(data, str) and data.startswith(SAMPLE_PREFIX):
        data = open_benchmark(data)
    if isinstance(data, Benchmark):
        return judgements_of_benchmark(data)
    return read_judgements(data, **options)
