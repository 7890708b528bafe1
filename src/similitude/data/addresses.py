"""Benchmarks and judgements by the address that a user writes: a path, ``hf:NAME``, or ``SCHEME:REST``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from similitude.data.benchmark import Benchmark
from similitude.registry import Registry

if TYPE_CHECKING:
    from similitude.data.judgements import Judgements

__all__ = ["SAMPLE_PREFIX", "SCHEMES", "open_benchmark", "open_judgements"]

SAMPLE_PREFIX = "sample:"

SCHEMES: Registry[Benchmark] = Registry("scheme", "similitude.schemes")
"""From what stands before the colon of an address to a function that takes the rest and gives a benchmark.

Other packages add schemes by entry points in the group ``similitude.schemes``.
"""


@SCHEMES.register("sample")
def _sample(part: str) -> Benchmark:
    """A part of the sample. The room lies above this one, so it is imported by name, when it is asked for."""
    benchmark: Benchmark = import_module("similitude.samples").read_sample(part)
    return benchmark


def open_benchmark(data: str | Path | Sequence[str | Path], **options: Any) -> Benchmark:
    """The benchmark at an address: what `similitude.data.reading.read` takes, or ``sample:dialogues`` and the like."""
    scheme, colon, rest = data.partition(":") if isinstance(data, str) else ("", "", "")
    if colon and scheme in SCHEMES:
        return SCHEMES.maker(scheme)(rest)
    from similitude.data.reading import read

    return read(data, **options)


def open_judgements(data: str | Path | Sequence[str | Path] | Benchmark, **options: Any) -> Judgements:
    """The judgements at an address, of a benchmark that keeps them, or of the sample.

    >>> open_judgements("sample:dialogues")
    <Judgements 'sample:dialogues': 600 best-worst answers about 60 items>

    Raises:
        InputError: there are no judgements, or one is not what it should be.
    """
    from similitude.data.reading.judgements import judgements_of_benchmark, read_judgements

    if isinstance(data, str) and data.partition(":")[0] in SCHEMES:
        data = open_benchmark(data)
    if isinstance(data, Benchmark):
        return judgements_of_benchmark(data)
    items = options.pop("items", None)
    return read_judgements(data, items=open_benchmark(items) if isinstance(items, str) else items, **options)
