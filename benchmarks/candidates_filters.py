"""Filters over many candidate pairs against a plain Python loop: ``python benchmarks/candidates_filters.py``.

The filters are those of C-STS for COCO (table 6). Ours gives what a search gives: the pairs that are kept with the
values of all features, losses, border examples and distributions; the properties of texts are computed within the time.
There are two peers, which give nothing but the pairs:

- plain: a function of two texts and two vectors, called pair by pair; it stops at the first criterion that fails.
- prepared: the same, after the words of every text were found once; that time is not counted.

All three must keep the same pairs. Times are CPU time, so that other work on the machine counts for neither. The loops
run on a sample, and their time is scaled to all pairs. Ours runs in a process of its own, whose peak memory is compared
with ``--memory``; pages of mapped files count.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

from similitude.collect.candidates.features import DescribedPairs, PropertyFolder
from similitude.collect.candidates.filters import (
    filter_steps,
    filtered,
    make_features,
    make_filters,
    needs,
    sum_tallies,
)
from similitude.collect.candidates.pairs import PairBlock
from similitude.data.texts import Texts
from similitude.inspect.words.stop_words import stop_words
from similitude.study.candidates.filter_stage import block_size

COCO = ("iou <= 0.12", "cosine >= 0.4", "length_ratio >= 0.7", "chars >= 50")
FEATURES = ("iou", "cosine", "length_ratio", "chars", "word_overlap", "negations(of=difference)", "shared(numbers)")
TEXTS, WIDTH, SAMPLE, PIECE = 200_000, 384, 20_000, 50_000
SYLLABLES = [first + second for first in "bdklmnrst" for second in "aeiou"]


def write_world(folder: Path, pairs: int) -> None:
    """Sentences of 6 to 18 words, a quarter of them stop words, and pairs of near vectors: ten for each left text."""
    rng = np.random.default_rng(0)
    content = np.array(["".join(rng.choice(SYLLABLES, 3)) for _ in range(20_000)])
    function = np.array([*sorted(stop_words("en"))[:80], "not", "never", "17", "1999"])
    lengths = rng.integers(6, 19, TEXTS)
    ranks = (rng.pareto(0.9, int(lengths.sum())) * 20).astype(np.int64) % len(content)
    words = np.where(rng.random(len(ranks)) < 0.25, rng.choice(function, len(ranks)), content[ranks])
    cuts = np.cumsum(lengths)[:-1]
    lines = [" ".join(part).capitalize() + "." for part in np.split(words, cuts)]
    (folder / "texts.txt").write_text("\n".join(lines), encoding="utf-8")
    topics = rng.standard_normal((TEXTS // 10, WIDTH)).astype(np.float32)
    vectors = topics[np.arange(TEXTS) // 10] + rng.standard_normal((TEXTS, WIDTH), np.float32)
    np.save(folder / "vectors.npy", vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    left = np.sort(rng.integers(0, TEXTS, pairs))
    near = left // 10 * 10 + rng.integers(0, 10, pairs)
    np.save(folder / "left.npy", left)
    np.save(folder / "right.npy", np.where(rng.random(pairs) < 0.7, near, rng.integers(0, TEXTS, pairs)))


class World:
    """What `write_world` wrote, mapped from its files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines = (folder / "texts.txt").read_text(encoding="utf-8").split("\n")
        self.texts = Texts(Texts.from_list(self.lines).frame.with_columns(language=pl.lit("en")))
        self.vectors, self.left, self.right = (
            np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("vectors", "left", "right")
        )

    def block(self, start: int, stop: int) -> PairBlock:
        """Some of the pairs."""
        left, right = np.asarray(self.left[start:stop]), np.asarray(self.right[start:stop])
        return PairBlock(self.texts, left, right, np.zeros(len(left), np.uint8), np.asarray(self.vectors))


def ours(folder: Path, memory: int) -> None:
    """Filter all pairs in this process, and print what it took as JSON."""
    world = World(folder)
    start = time.process_time()
    filters = make_filters(COCO)
    properties = PropertyFolder(folder / "properties")
    wanted = needs(filters).properties
    names = [f"{number:06d}" for number in range(0, TEXTS, PIECE)]
    for name in names:
        rows = np.arange(int(name), min(int(name) + PIECE, TEXTS))
        properties.write_piece(name, world.texts.take(rows), wanted)
    properties.join_pieces(names, wanted)
    ready = time.process_time()
    opened, size, tallies = properties.open(wanted), block_size(memory, WIDTH), []
    for at in range(0, len(world.left), size):
        found = filtered(DescribedPairs(world.block(at, at + size), opened), filters)
        tallies.append(found.tallies)
    steps = filter_steps(filters, [sum_tallies(list(each)) for each in zip(*tallies, strict=True)], world.texts)
    end = time.process_time()
    record = {
        "properties": ready - start,
        "pairs": end - ready,
        "block": size,
        "kept": [step.after for step in steps],
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }
    print(json.dumps(record))


WORD = re.compile(r"\w+(?:['-]\w+)*")
STOP = stop_words("en")
NEGATION = re.compile(r"\b(?:no|not|never|none|nobody|nothing|nowhere|neither|nor|cannot|without|\w+n['’]t)\b")
NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")


def content_words(text: str) -> set[str]:
    return {word for word in WORD.findall(text.lower()) if word not in STOP}


def share(left: set[str], right: set[str]) -> float:
    return len(left & right) / len(left | right) if left | right else float("nan")


def short_over_long(left: int, right: int) -> float:
    return min(left, right) / max(left, right)


def cosine(left: np.ndarray, right: np.ndarray) -> float:
    return round(float(left @ right), 6)


def overlap(left: str, right: str) -> float:
    first, second = left.split(), right.split()
    there = set(second)
    return (sum(token in there for token in first) + 1) / (max(len(first), len(second)) + 1)


def passes(left: str, right: str, left_vector: np.ndarray, right_vector: np.ndarray) -> bool:
    """The four criteria, as one would write them."""
    return (
        share(content_words(left), content_words(right)) <= 0.12
        and cosine(left_vector, right_vector) >= 0.4
        and short_over_long(len(left.split()), len(right.split())) >= 0.7
        and min(len(left), len(right)) >= 50
    )


def plain_loop(world: World, sample: int) -> tuple[float, int]:
    """Seconds for a pair, and the pairs of the sample that pass."""
    left, right = world.left[:sample].tolist(), world.right[:sample].tolist()
    vectors = np.asarray(world.vectors)
    start = time.process_time()
    found = [passes(world.lines[a], world.lines[b], vectors[a], vectors[b]) for a, b in zip(left, right, strict=True)]
    return (time.process_time() - start) / sample, sum(found)


def prepared_loop(world: World, sample: int) -> tuple[float, int]:
    """The same, where the words of each text were found before."""
    left, right = world.left[:sample].tolist(), world.right[:sample].tolist()
    vectors = np.asarray(world.vectors)
    rows = {*left, *right}
    words = {row: content_words(world.lines[row]) for row in rows}
    counts = {row: len(world.lines[row].split()) for row in rows}
    chars = {row: len(world.lines[row]) for row in rows}
    start = time.process_time()
    found = [
        share(words[a], words[b]) <= 0.12
        and cosine(vectors[a], vectors[b]) >= 0.4
        and short_over_long(counts[a], counts[b]) >= 0.7
        and min(chars[a], chars[b]) >= 50
        for a, b in zip(left, right, strict=True)
    ]
    return (time.process_time() - start) / sample, sum(found)


def feature_loops(world: World) -> dict[str, Callable[[int, int], float]]:
    """Each feature as a function of two rows."""
    lines, vectors = world.lines, np.asarray(world.vectors)

    def negations(row: int) -> int:
        return len(NEGATION.findall(lines[row].lower()))

    def numbers(row: int) -> set[str]:
        return set(NUMBER.findall(lines[row]))

    return {
        "iou": lambda a, b: share(content_words(lines[a]), content_words(lines[b])),
        "cosine": lambda a, b: cosine(vectors[a], vectors[b]),
        "length_ratio": lambda a, b: short_over_long(len(lines[a].split()), len(lines[b].split())),
        "chars": lambda a, b: min(len(lines[a]), len(lines[b])),
        "word_overlap": lambda a, b: overlap(lines[a], lines[b]),
        "negations(of=difference)": lambda a, b: abs(negations(a) - negations(b)),
        "shared(numbers)": lambda a, b: share(numbers(a), numbers(b)),
    }


def compare_features(world: World, pairs: int, table: Table) -> None:
    """Each feature alone on a tenth of the pairs, after the properties of texts; values must be the same."""
    features = make_features(FEATURES)
    properties = PropertyFolder(world.folder / "every-property")
    wanted = needs(features).properties
    properties.write_piece("0", world.texts, wanted)
    properties.join_pieces(["0"], wanted)
    opened, loops = properties.open(wanted), feature_loops(world)
    block = world.block(0, pairs // 10)
    left, right = block.left[:SAMPLE].tolist(), block.right[:SAMPLE].tolist()
    for feature in features:
        start = time.process_time()
        values = DescribedPairs(block, opened).value_of(feature)
        mine = len(block) / (time.process_time() - start)
        start = time.process_time()
        expected = [loops[str(feature)](a, b) for a, b in zip(left, right, strict=True)]
        theirs = SAMPLE / (time.process_time() - start)
        np.testing.assert_allclose(np.asarray(values)[:SAMPLE], expected, rtol=0, atol=2e-6)
        table.add_row(str(feature), f"{mine:,.0f}", f"{theirs:,.0f}", f"{mine / theirs:.1f}")


def check_same(world: World) -> None:
    """Ours and both loops keep the same pairs of a sample."""
    filters = make_filters(COCO)
    properties = PropertyFolder(world.folder / "properties").open(needs(filters).properties)
    ours_kept = len(filtered(DescribedPairs(world.block(0, SAMPLE), properties), filters).pairs)
    theirs = plain_loop(world, SAMPLE)[1], prepared_loop(world, SAMPLE)[1]
    assert theirs == (ours_kept, ours_kept), (ours_kept, theirs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--memory", type=int, default=1_000_000_000, help="bytes")
    parser.add_argument("--run", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        ours(options.run, options.memory)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_world(folder, options.pairs)
        command = [sys.executable, __file__, "--run", name, "--memory", str(options.memory)]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        show(World(folder), options.pairs, options.memory, found)


def show(world: World, pairs: int, memory: int, found: dict[str, float]) -> None:
    check_same(world)
    spent = found["properties"] + found["pairs"]
    table = Table("who", title=f"{pairs:,} pairs of {TEXTS:,} texts, vectors of {WIDTH} numbers: {', '.join(COCO)}")
    for column in ("CPU seconds", "ratio"):
        table.add_column(column, justify="right")
    table.add_row("similitude, properties of texts included", f"{spent:.1f}", "1.0")
    for who, (seconds, _) in {
        "plain loop": plain_loop(world, SAMPLE),
        "prepared loop": prepared_loop(world, SAMPLE),
    }.items():
        table.add_row(
            f"{who} (scaled from {SAMPLE:,} pairs)", f"{seconds * pairs:.0f}", f"{seconds * pairs / spent:.1f}"
        )
    console = Console()
    console.print(table)
    console.print(
        f"properties {found['properties']:.1f} s, pairs {found['pairs']:.1f} s, kept after each filter: {found['kept']}"
    )
    verdict = "under" if found["peak"] < memory else "OVER"
    console.print(
        f"peak memory {found['peak'] / 1e6:,.0f} MB, {verdict} --memory {memory / 1e6:,.0f} MB; "
        f"blocks of {found['block']:,} pairs"
    )
    each = Table("feature", title=f"pairs a CPU second, on {pairs // 10:,} pairs; values equal to 2e-6")
    for column in ("similitude", "plain loop", "ratio"):
        each.add_column(column, justify="right")
    compare_features(world, pairs, each)
    console.print(each)


if __name__ == "__main__":
    main()
