"""The sample benchmark that ships with the package: our own texts, judged by *simulated* annotators.

Three parts are files: ``dialogues`` (12 dialogues in German and English, five candidate utterances each, judged
best-worst), ``conditions`` (40 English pairs, each under one condition that makes it alike and one that makes it
differ) and ``opinions`` (60 pairs in English, German and Chinese, ten ratings each, some contentious). They are small
enough to read and good for trying things out. Two more are made when they are asked for, to train on: ``world``,
thousands of English pairs under two conditions each, and ``opinions(pairs=...)``, thousands of English pairs in two
domains with every rater's rating. None is evidence about any system's quality on what people think: nobody was asked.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import as_file, files
from typing import Any, Literal

from similitude.data.benchmark import Benchmark
from similitude.data.reading import read
from similitude.registry import Registry
from similitude.samples.opinions import make_opinions
from similitude.samples.world import make_world

__all__ = ["PARTS", "SAMPLE_PARTS", "read_sample"]

SAMPLE_PARTS = ("dialogues", "conditions", "opinions")
"""The parts that are files."""

PARTS: Registry[Benchmark] = Registry("part of the sample", "similitude.samples")
"""All parts, by name."""


def _shipped(part: str) -> Callable[[], Benchmark]:
    def read_part() -> Benchmark:
        with as_file(files("similitude.samples") / "files") as folder:
            return read(folder / f"{part}.jsonl", format="jsonl")

    return read_part


PARTS.register("dialogues")(_shipped("dialogues"))
PARTS.register("conditions")(_shipped("conditions"))


@PARTS.register("opinions")
def _opinions(
    pairs: int | None = None,
    seed: int | None = None,
    domain: Literal["meals", "trips"] | None = None,
    held_out: int | None = None,
    raters: int | None = None,
) -> Benchmark:
    """The pairs that ship; with any argument, pairs that are made as `make_opinions` says."""
    given = {"pairs": pairs, "seed": seed, "domain": domain, "held_out": held_out, "raters": raters}
    wanted: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    return make_opinions(**wanted) if wanted else _shipped("opinions")()


PARTS.register("world")(make_world)


def read_sample(part: str) -> Benchmark:
    """One part of the sample, with arguments where it takes any.

    Raises:
        UnknownNameError: there is no such part.
        ArgumentError: the part does not take these arguments.

    >>> read_sample("opinions")
    <Benchmark 'sample:opinions': 60 items, scale 0..5 (declared), simulated judgements>
    >>> read_sample("opinions(pairs=200, domain=trips)")
    <Benchmark 'sample:opinions(pairs=200, domain=trips)': 800 items, scale 0..5 (declared), simulated judgements>
    >>> read_sample("world(pairs=200, held_out=10, seed=3)")
    <Benchmark 'sample:world(pairs=200, seed=3, held_out=10)': 560 items, scale 1..5 (declared), simulated judgements>
    """
    return PARTS.make(part)
