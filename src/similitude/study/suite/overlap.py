"""Pairs and texts that occur in several benchmarks of a suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted
from similitude.errors import ArgumentError

__all__ = ["Overlap", "overlap_notes", "overlaps", "refuse_copies"]

MOST_TOLD = 6
"""How many overlapping benchmarks are named, largest overlap first."""


class Overlap(NamedTuple):
    """What two benchmarks share.

    Attributes:
        one: position of the first benchmark.
        other: position of the second.
        pairs: distinct pairs of texts that both have, in either order.
        texts: distinct texts that both have.
    """

    one: int
    other: int
    pairs: int
    texts: int


def refuse_copies(benchmarks: Sequence[Benchmark]) -> None:
    """Refuse two benchmarks with the same items, of which the mean would count one twice.

    Raises:
        ArgumentError: two of them have the same items.
    """
    first: dict[bytes, str] = {}
    for benchmark in benchmarks:
        rows = benchmark.frame.select("left", "right", "context", "condition").hash_rows(seed=0)
        before = first.setdefault(rows.sort().to_numpy().tobytes(), benchmark.name)
        if before != benchmark.name:
            what = f"'{before}' and '{benchmark.name}' hold the same items"
            raise ArgumentError(what, remedy="name each benchmark once, or give each its own --split")


def overlaps(benchmarks: Sequence[Benchmark]) -> list[Overlap]:
    """The benchmarks that share pairs or texts, most shared pairs first."""
    low, high = pl.min_horizontal("left", "right"), pl.max_horizontal("left", "right")
    pairs = _shared(each.frame.select(pl.struct(low.alias("a"), high.alias("b")).alias("what")) for each in benchmarks)
    texts = _shared(pl.DataFrame({"what": each.items.texts()}) for each in benchmarks)
    found = [Overlap(*both, pairs[both], texts[both]) for both in sorted(texts)]
    return sorted(found, key=lambda each: (-each.pairs, -each.texts))


def overlap_notes(benchmarks: Sequence[Benchmark]) -> Iterator[str]:
    """What a reader must know of shared pairs; shared texts alone are counted in one line."""
    found = overlaps(benchmarks)
    with_pairs = [each for each in found if each.pairs]
    for each in with_pairs[:MOST_TOLD]:
        one, other = benchmarks[each.one], benchmarks[each.other]
        share = f"{each.pairs / min(len(one), len(other)):.0%} of the smaller one"
        yield f"{one.name} and {other.name} share {counted(each.pairs, 'pair')} of texts ({share})"
    if len(with_pairs) > MOST_TOLD:
        yield f"and {counted(len(with_pairs) - MOST_TOLD, 'more pair')} of benchmarks share pairs of texts"
    if with_pairs:
        yield "intervals of averages take benchmarks as independent, so shared pairs make them too narrow"
    only_texts = [each for each in found if not each.pairs]
    if only_texts:
        most = only_texts[0]
        names = f"{benchmarks[most.one].name} and {benchmarks[most.other].name}"
        yield (
            f"single texts occur in both of {counted(len(only_texts), 'pair')} of benchmarks; most, "
            f"{counted(most.texts, 'text')}, in {names}"
        )


def _shared(parts: Iterator[pl.DataFrame]) -> Counter[tuple[int, int]]:
    """How many values each two of the tables share."""
    marked = [part.unique().with_columns(pl.lit(number).alias("where")) for number, part in enumerate(parts)]
    groups = pl.concat(marked).group_by("what").agg(pl.col("where").sort()).filter(pl.col("where").list.len() > 1)
    found = Counter[tuple[int, int]]()
    for where, number in groups.group_by("where").len().iter_rows():
        found.update(dict.fromkeys(combinations(where, 2), number))
    return found
