"""Open benchmarks and judgements by address: a path, ``hf:NAME`` or ``sample:PART``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from similitude.data.benchmark import Benchmark

if TYPE_CHECKING:
    from similitude.data.judgements import Judgements

__all__ = ["SAMPLE_PREFIX", "open_benchmark", "open_judgements"]

SAMPLE_PREFIX = "sample:"


def open_benchmark(data: str | Path | Sequence[str | Path] | object, **options: Any) -> Benchmark:
    """Read a benchmark from an address.

    Args:
        data: an address with a scheme, such as ``sample:dialogues``, or whatever `similitude.data.reading.read` takes.
        options: further arguments of `similitude.data.reading.read`.
    """
    if isinstance(data, str) and data.startswith(SAMPLE_PREFIX):
        # The room of samples lies above this one, so it is imported by name, when it is asked for.
        benchmark: Benchmark = import_module("similitude.samples").read_sample(data.removeprefix(SAMPLE_PREFIX))
        return benchmark
    from similitude.data.reading import read

    return read(data, **options)


def open_judgements(data: str | Path | Sequence[str | Path] | object, **options: Any) -> Judgements:
    """Read judgements from an address, or take those that a benchmark keeps.

    Args:
        data: an address, or a benchmark.
        options: further arguments of `similitude.data.reading.judgements.read_judgements`.

    >>> open_judgements("sample:dialogues")
    <Judgements 'sample:dialogues': 600 best-worst answers about 60 items>

    Raises:
        InputError: there are no judgements, or one of them is not valid.
    """
    from similitude.data.reading.judgements import judgements_of_benchmark, read_judgements

    if isinstance(data, str) and data.startswith(SAMPLE_PREFIX):
        data = open_benchmark(data)
    if isinstance(data, Benchmark):
        return judgements_of_benchmark(data, positions_are_people=options.get("positions_are_people", False))
    items = options.pop("items", None)
    return read_judgements(data, items=open_benchmark(items) if isinstance(items, str) else items, **options)
