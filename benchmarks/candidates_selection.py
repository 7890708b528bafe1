"""Selection of candidate pairs against plain code: ``python benchmarks/candidates_selection.py``.

- Even over five bands and over sources, no text twice: against a loop over shuffled pairs that counts what it takes.
- k-center: against one pass over all pairs for each pair taken (numpy, all cores). From the same first pair both take
  the same pairs, which the tests check; here the first pairs differ.
- Facility location: against the greedy set from the whole matrix of cosines, which fits into memory for ``--small``
  pairs only; the value of the set is given as a share of the greedy one's. Then ours alone for all pairs.

Times of ours include dividing, drawing and explaining.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections import Counter
from collections.abc import Callable

import numpy as np
import polars as pl
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from similitude.collect.candidates.pairs import PairBlock
from similitude.collect.candidates.selection import Selection, SelectionRequest, select
from similitude.collect.candidates.selection.pair_vectors import pair_vectors
from similitude.data.texts import Texts

WIDTH, TOPICS = 384, 500


def world(pairs: int, *, has_vectors: bool) -> PairBlock:
    """Pairs of texts of three sources, with cosines that pile up near 1; vectors around topics."""
    rng, texts = np.random.default_rng(0), max(2, pairs // 5)
    sources = np.array(["a", "b", "c"])[rng.choice(3, texts, p=[0.8, 0.15, 0.05])]
    names = [str(row) for row in range(texts)]
    frame = pl.DataFrame({"id": names, "text": names, "source": sources})
    vectors = None
    if has_vectors:
        topics = rng.standard_normal((TOPICS, WIDTH), np.float32)
        vectors = topics[rng.integers(0, TOPICS, texts)] + rng.standard_normal((texts, WIDTH), np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    left, right = rng.integers(0, texts, (2, pairs))
    columns = {"cosine": rng.beta(5, 2, pairs)}
    return PairBlock(Texts(frame), left, right, np.zeros(pairs, np.uint8), vectors, columns)


def ours(pairs: PairBlock, **request: object) -> Selection:
    return select(pairs, SelectionRequest(**request), rng=np.random.default_rng(1))  # type: ignore[arg-type]


def loop_even(pairs: PairBlock, items: int) -> int:
    """As many of each band and source as of any other, no text twice; what is short stays short."""
    sources = pairs.texts.frame["source"].to_list()
    low, high = np.quantile(pairs.columns["cosine"], (0.005, 0.995))
    order = list(range(len(pairs)))
    random.Random(1).shuffle(order)
    cosines, lefts, rights = pairs.columns["cosine"].tolist(), pairs.left.tolist(), pairs.right.tolist()
    taken: Counter[tuple[int, str]] = Counter()
    used: set[int] = set()
    most = items // 30
    for row in order:
        left, right = lefts[row], rights[row]
        band = min(4, max(0, int(5 * (cosines[row] - low) / (high - low))))
        cell = (band, "+".join(sorted({sources[left], sources[right]})))
        if taken[cell] < most and left not in used and right not in used:
            taken[cell] += 1
            used |= {left, right}
    return sum(taken.values())


def pass_by_pass(vectors: NDArray[np.float32], first: int, items: int) -> list[int]:
    taken, near = [first], np.full(len(vectors), -np.inf, np.float32)
    while len(taken) < items:
        near = np.maximum(near, np.round(vectors @ vectors[taken[-1]], 6))
        near[taken] = np.inf
        taken.append(int(np.argmin(near)))
    return taken


def whole_matrix(vectors: NDArray[np.float32], items: int) -> list[int]:
    cosines = np.maximum(vectors @ vectors.T, 0)
    taken: list[int] = []
    reached = np.zeros(len(vectors), np.float32)
    while len(taken) < items:
        adds = np.maximum(cosines - reached, 0).sum(axis=1)
        taken.append(int(np.argmax(adds)))
        reached = np.maximum(reached, cosines[taken[-1]])
    return taken


def value(vectors: NDArray[np.float32], taken: list[int]) -> float:
    return float(np.maximum(vectors @ vectors[taken].T, 0).max(axis=1).mean())


def timed(work: Callable[[], object]) -> tuple[float, object]:
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1_000_000, help="for the even draw")
    parser.add_argument("--diverse", type=int, default=100_000, help="pairs for k-center and facility location")
    parser.add_argument("--small", type=int, default=5_000, help="pairs for facility location by the whole matrix")
    parser.add_argument("--items", type=int, default=3_000)
    asked = parser.parse_args()
    table = Table("what", "pairs", "items", "ours s", "plain s", "ratio", "note")

    many = world(asked.pairs, has_vectors=False)
    mine, _ = timed(lambda: ours(many, items=asked.items, spread="cosine", over=["source"], most=1))
    theirs, _ = timed(lambda: loop_even(many, asked.items))
    row(table, "even, no text twice", asked.pairs, asked.items, mine, theirs)
    big = world(asked.diverse, has_vectors=True)
    vectors = pair_vectors(big, np.arange(len(big)))
    mine, chosen = timed(lambda: ours(big, items=asked.items, diverse="k-center"))
    rows = set(chosen.positions.tolist())  # type: ignore[attr-defined]
    first = int(np.random.default_rng(1).integers(len(big)))  # any: only the time is compared
    theirs, _ = timed(lambda: pass_by_pass(vectors, first, asked.items))
    row(table, "k-center", asked.diverse, asked.items, mine, theirs, f"{len(rows):,} distinct")
    small, few = world(asked.small, has_vectors=True), max(10, asked.small // 50)
    vectors = pair_vectors(small, np.arange(len(small)))
    mine, chosen = timed(lambda: ours(small, items=few, diverse="facility-location"))
    theirs, greedy = timed(lambda: whole_matrix(vectors, few))
    share = value(vectors, chosen.positions.tolist()) / value(vectors, greedy)  # type: ignore[attr-defined, arg-type]
    row(table, "facility location", asked.small, few, mine, theirs, f"{100 * share:.2f} % of its value")
    mine, _ = timed(lambda: ours(big, items=asked.items, diverse="facility-location"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    row(table, "facility location", asked.diverse, asked.items, mine, None, f"peak of all {peak:.1f} GB")
    Console(width=120).print(table)


def row(table: Table, what: str, pairs: int, items: int, mine: float, theirs: float | None, note: str = "") -> None:
    plain, ratio = ("", "") if theirs is None else (f"{theirs:.2f}", f"{theirs / mine:.1f}x")
    table.add_row(what, f"{pairs:,}", f"{items:,}", f"{mine:.2f}", plain, ratio, note)


if __name__ == "__main__":
    main()
