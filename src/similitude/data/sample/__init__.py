"""The sample benchmark that ships with the package: our own texts, judged by *simulated* annotators.

Three parts: ``dialogues`` (12 dialogues in German and English, five candidate utterances each, judged best-worst),
``conditions`` (40 English pairs, each under one condition that makes it alike and one that makes it differ) and
``opinions`` (60 pairs in English, German and Chinese, ten ratings each, some contentious). Small enough to read, good
for trying things out, and no evidence about any system's quality on what people think: nobody was asked.
"""

from __future__ import annotations

from importlib.resources import as_file, files

from similitude.data.benchmark import Benchmark
from similitude.data.reading import read
from similitude.errors import UnknownNameError

__all__ = ["SAMPLE_PARTS", "read_sample"]

SAMPLE_PARTS = ("dialogues", "conditions", "opinions")


def read_sample(part: str) -> Benchmark:
    """One part of the sample.

    >>> read_sample("opinions")
    <Benchmark 'sample:opinions': 60 items, scale 0..5 (declared), simulated judgements>
    """
    if part not in SAMPLE_PARTS:
        raise UnknownNameError("part of the sample", part, SAMPLE_PARTS)
    with as_file(files(__name__) / "files") as folder:
        return read(folder / f"{part}.jsonl")
