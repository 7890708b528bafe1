"""The sample benchmarks: real pairs that a person scored, and original texts judged by *simulated* annotators.

``home-de`` is real: 1,127 German requests to a home assistant in pairs, the published file of NLU-DE under CC BY 4.0.

The others are ours. Three ship as files: ``dialogues`` (12 dialogues in German and English with five candidate
utterances each and best-worst judgements), ``conditions`` (40 English pairs, each under one condition under which it is
alike and one under which it differs) and ``opinions`` (60 pairs in English, German and Chinese with ten ratings each,
some contentious). They are small and meant for first tries. Three are generated, for training: ``world``, thousands of
English pairs under two conditions each; ``world-corrupted``, the same with labels that are known to be wrong; and
``opinions(pairs=...)``, thousands of English pairs in two domains with all ratings. Because their judgements are
simulated, results on them say nothing about the quality of a system.
"""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import as_file, files
from typing import Any, Literal

from similitude.data.benchmark import Benchmark
from similitude.data.public import PublicData, public_data
from similitude.data.reading import read
from similitude.errors import ExtensionError
from similitude.registry import Registry
from similitude.samples.opinions import make_opinions
from similitude.samples.world import make_corrupted_world, make_world

__all__ = ["PARTS", "REAL_PART", "SAMPLE_PARTS", "read_sample", "real_part_source"]

REAL_PART = "home-de"
"""The part that people judged."""

SAMPLE_PARTS = ("dialogues", "conditions", "opinions")
"""The simulated parts that ship as files."""

PARTS: Registry[Benchmark] = Registry("part of the sample", "similitude.samples")
"""All parts, by name."""


def _shipped(part: str) -> Benchmark:
    with as_file(files("similitude.samples") / "files") as folder:
        return read(folder / f"{part}.jsonl", format="jsonl")


def real_part_source() -> PublicData:
    """Where the part that people judged was published, under which licence, and what to cite.

    >>> real_part_source().licence
    'CC BY 4.0'
    """
    return public_data("nlu-de")


@PARTS.register(REAL_PART)
def _home_de() -> Benchmark:
    """The published file, packed but otherwise unchanged."""
    with as_file(files("similitude.samples") / "files" / f"{REAL_PART}.csv.bz2") as path:
        read_file = read(path, scale="0..5", name=f"sample:{REAL_PART}")
    judged = replace(read_file.provenance, judged_by="one person (NLU-DE)", notes=())
    return replace(read_file, licence=real_part_source().licence, provenance=judged)


PARTS.register("dialogues")(lambda: _shipped("dialogues"))
PARTS.register("conditions")(lambda: _shipped("conditions"))


@PARTS.register("opinions")
def _opinions(
    pairs: int | None = None,
    seed: int | None = None,
    domain: Literal["meals", "trips"] | None = None,
    held_out: int | None = None,
    raters: int | None = None,
) -> Benchmark:
    """The pairs that ship with the package; with any argument, pairs that `make_opinions` generates."""
    given = {"pairs": pairs, "seed": seed, "domain": domain, "held_out": held_out, "raters": raters}
    wanted: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    return make_opinions(**wanted) if wanted else _shipped("opinions")


PARTS.register("world")(make_world)
PARTS.register("world-corrupted")(make_corrupted_world)


def read_sample(part: str) -> Benchmark:
    """One part of the sample.

    Args:
        part: its name, followed by arguments in parentheses if it takes any.

    Raises:
        UnknownNameError: there is no such part.
        ArgumentError: the part does not take these arguments.

    >>> read_sample("home-de")
    <Benchmark 'sample:home-de': 1,127 items, scale 0..5 (declared)>
    >>> read_sample("opinions")
    <Benchmark 'sample:opinions': 60 items, scale 0..5 (declared), simulated judgements>
    >>> read_sample("opinions(pairs=200, domain=trips)")
    <Benchmark 'sample:opinions(pairs=200, domain=trips)': 800 items, scale 0..5 (declared), simulated judgements>
    >>> read_sample("world(pairs=200, held_out=10, seed=3)")
    <Benchmark 'sample:world(pairs=200, seed=3, held_out=10)': 560 items, scale 1..5 (declared), simulated judgements>
    """
    made: object = PARTS.make(part)
    if not isinstance(made, Benchmark):
        what = f"part '{part}' of the sample makes no Benchmark but {type(made).__name__}"
        raise ExtensionError(what, remedy="mend the package that registers it, or uninstall it")
    return made
