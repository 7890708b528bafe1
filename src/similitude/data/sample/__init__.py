"""The sample benchmark that ships with the package: our own texts, judged by *simulated* annotators.

Three parts are files: ``dialogues`` (12 dialogues in German and English, five candidate utterances each, judged
best-worst), ``conditions`` (40 English pairs, each under one condition that makes it alike and one that makes it
differ) and ``opinions`` (60 pairs in English, German and Chinese, ten ratings each, some contentious). They are small
enough to read and good for trying things out. A fourth, ``world``, is made when it is asked for: thousands of English
pairs under two conditions each, to train on. None is evidence about any system's quality on what people think: nobody
was asked.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import as_file, files

from similitude.data.benchmark import Benchmark
from similitude.data.reading import read
from similitude.data.sample.world import make_world
from similitude.registry import Registry

__all__ = ["PARTS", "SAMPLE_PARTS", "read_sample"]

SAMPLE_PARTS = ("dialogues", "conditions", "opinions")
"""The parts that are files."""

PARTS: Registry[Benchmark] = Registry("part of the sample", "similitude.samples")
"""All parts, by name."""


def _shipped(part: str) -> Callable[[], Benchmark]:
    def read_part() -> Benchmark:
        with as_file(files(__name__) / "files") as folder:
            return read(folder / f"{part}.jsonl")

    return read_part


for _part in SAMPLE_PARTS:
    PARTS.register(_part)(_shipped(_part))
PARTS.register("world")(make_world)


def read_sample(part: str) -> Benchmark:
    """One part of the sample, with arguments where it takes any.

    Raises:
        UnknownNameError: there is no such part.
        ArgumentError: the part does not take these arguments.

    >>> read_sample("opinions")
    <Benchmark 'sample:opinions': 60 items, scale 0..5 (declared), simulated judgements>
    >>> read_sample("world(pairs=200, held_out=10, seed=3)")
    <Benchmark 'sample:world(pairs=200, seed=3, held_out=10)': 560 items, scale 1..5 (declared), simulated judgements>
    """
    return PARTS.make(part)
