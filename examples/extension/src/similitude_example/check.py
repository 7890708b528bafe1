"""A check of benchmarks: texts in capitals."""

from collections.abc import Iterator

from similitude import Benchmark
from similitude.extend import Finding


def shouting(benchmark: Benchmark) -> Iterator[Finding]:
    """Texts that are all in capitals.

    Why: systems that mind case see other words. Warning from one text on.
    """
    loud = [text for text in benchmark.items.texts() if text and text.isupper()]
    if loud:
        yield Finding(
            code="shouting",
            severity="warning",
            message=f"{len(loud)} texts are all in capitals",
            count=len(loud),
            remedy="write them in lower case, or take a system that does not mind",
            examples=tuple(loud),
        )
