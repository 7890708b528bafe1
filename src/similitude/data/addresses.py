"""Open benchmarks and judgements by address: a path, ``hf:NAME``, or ``SCHEME:REST``."""

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
"""Schemes of addresses, each with a function from the part after the colon to a benchmark.

Other packages add schemes with entry points in the group ``similitude.schemes``.
"""


@SCHEMES.register("sample")
def _sample(part: str) -> Benchmark:
    """A part of the sample; imported by name when it is needed, because `similitude.samples` imports this package."""
    benchmark: Benchmark = import_module("similitude.samples").read_sample(part)
    return benchmark


def open_benchmark(data: str | Path | Sequence[str | Path], **options: Any) -> Benchmark:
    """Read a benchmark from an address.

    Args:
        data: an address with a scheme, such as ``sample:dialogues``, or whatever `similitude.data.reading.read` takes.
        options: further arguments of `similitude.data.reading.read`.
    """
    scheme, colon, rest = data.partition(":") if isinstance(data, str) else ("", "", "")
    if colon and scheme in SCHEMES:
        return SCHEMES.maker(scheme)(rest)
    from similitude.data.reading import read

    return read(data, **options)


def open_judgements(data: str | Path | Sequence[str | Path] | Benchmark, **options: Any) -> Judgements:
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

    if isinstance(data, str) and data.partition(":")[0] in SCHEMES:
        data = open_benchmark(data)
    if isinstance(data, Benchmark):
        return judgements_of_benchmark(data)
    items = options.pop("items", None)
    return read_judgements(data, items=open_benchmark(items) if isinstance(items, str) else items, **options)
