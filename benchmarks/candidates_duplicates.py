"""Near-duplicates of short texts, ours against the libraries: ``python benchmarks/candidates_duplicates.py``.

The texts are a million sentences of 5 to 14 words, a tenth of which are another sentence with one word exchanged, and a
twentieth copies of another sentence. All compare sets of character trigrams at a Jaccard similarity of 0.8 with 128
minima. Each runs in a process of its own; the fastest of several turns counts.

* **ours** is the whole process: start, reading the file, the search, writing what is kept and the clusters.
* **rensa** and **datasketch** are timed without start, reading and writing; the texts are in memory. They need tokens,
  so cutting the texts into trigrams belongs to their time; "tokens ready" is the time without that. datasketch is timed
  on fewer texts, and its time is multiplied.
* **signatures as arrays** are what shards of a search must hand on: the time of rensa, until its signatures are in an
  array, beside ours.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

SIMILARITY, MINIMA, SLICE = 0.8, 128, 50_000
LIMIT = 2.0
CHANGED, COPIED = 0.10, 0.05
SYLLABLES = tuple(a + b + c for a in "klmtrsdvpn" for b in "aeiou" for c in ("", "n", "s", "r"))
VOCABULARY = 20_000


def vocabulary() -> np.ndarray:
    """Words of one to three syllables, short ones first, as in languages."""
    two = [a + b for a in SYLLABLES for b in SYLLABLES[::5]]
    return np.array([*SYLLABLES, *two, *(word + c for word in two for c in SYLLABLES[::40])])[:VOCABULARY]


def make_texts(rows: int, seed: int = 0) -> list[str]:
    """Sentences, some of which are copies of others, or nearly."""
    rng, words = np.random.default_rng(seed), vocabulary()
    share = 1 / np.arange(1, len(words) + 1)
    lengths = rng.integers(5, 15, rows)
    drawn = rng.choice(words, lengths.sum(), p=share / share.sum())
    sentences = np.split(drawn, np.cumsum(lengths)[:-1])
    chosen = rng.permutation(rows)[: int((CHANGED + COPIED) * rows)]
    origins = rng.integers(0, rows, len(chosen))
    for position, (row, origin) in enumerate(zip(chosen, origins, strict=True)):
        copy = sentences[origin].copy()
        if position < CHANGED * rows:
            copy[rng.integers(len(copy))] = words[rng.integers(len(words))]
        sentences[row] = copy
    return [" ".join(sentence).capitalize() + "." for sentence in sentences]


def trigrams(texts: Sequence[str]) -> Iterator[list[str]]:
    """The trigrams of each text, as ours cuts them."""
    for text in texts:
        padded = f" {text.lower()} "
        yield [padded[at : at + 3] for at in range(len(padded) - 2)]


def ours(path: Path, out: Path) -> dict[str, Any]:
    """Read, search, write."""
    from similitude.collect.candidates.near_duplicates import near_duplicates
    from similitude.data.reading.texts import read_texts

    texts = read_texts(path)
    read = time.perf_counter()
    found = near_duplicates(texts, SIMILARITY)
    searched = time.perf_counter() - read
    texts.take(found.kept).frame.write_parquet(out / "kept.parquet")
    clusters = pl.DataFrame({"id": texts.frame["id"], "kept": texts.frame["id"].gather(found.representatives)})
    clusters.write_parquet(out / "clusters.parquet")
    return {"search": searched, "kept": len(found.kept), "uncompared": found.uncompared}


def our_signatures(path: Path, out: Path) -> dict[str, Any]:
    """Signatures alone."""
    from similitude.collect.candidates.near_duplicates import DuplicateSearch
    from similitude.data.texts import Texts

    texts, search = Texts.from_list(path.read_text().splitlines()), DuplicateSearch(similarity=SIMILARITY)
    started = time.perf_counter()
    for start in range(0, len(texts), SLICE):
        search.signatures(texts.slice(start, start + SLICE))
    return {"seconds": time.perf_counter() - started}


def rensa_alone(path: Path, out: Path) -> dict[str, Any]:
    """The library's deduplicator, as its manual shows it."""
    import rensa

    texts = path.read_text().splitlines()
    started = time.perf_counter()
    deduplicator = rensa.RMinHashDeduplicator(threshold=SIMILARITY, num_perm=MINIMA, use_lsh=True, seed=1)
    kept = deduplicator.add_pairs((str(number), tokens) for number, tokens in enumerate(trigrams(texts)))
    seconds = time.perf_counter() - started
    started = time.perf_counter()
    for _ in trigrams(texts):
        pass
    cut = time.perf_counter() - started
    return {"seconds": seconds, "ready": seconds - cut, "kept": int(sum(kept))}


def rensa_signatures(path: Path, out: Path) -> dict[str, Any]:
    """Signatures of the library until they are in arrays."""
    import rensa

    texts = path.read_text().splitlines()
    started, cut, handed = time.perf_counter(), 0.0, 0.0
    for start in range(0, len(texts), SLICE):
        before = time.perf_counter()
        tokens = list(trigrams(texts[start : start + SLICE]))
        cut += time.perf_counter() - before
        matrix = rensa.RMinHash.digest_matrix_from_token_sets(tokens, MINIMA, 1)
        before = time.perf_counter()
        rows = matrix.to_rows()
        np.fromiter(chain.from_iterable(rows), np.uint32, count=len(rows) * MINIMA).reshape(-1, MINIMA)
        handed += time.perf_counter() - before
    seconds = time.perf_counter() - started
    return {"seconds": seconds, "ready": seconds - cut, "handed": handed}


def datasketch_alone(path: Path, out: Path, most: int = 20_000) -> dict[str, Any]:
    """The library's index, on some of the texts; times are those of all."""
    from datasketch import MinHash, MinHashLSH

    every = path.read_text().splitlines()
    texts = every[:most]
    started = time.perf_counter()
    index, kept = MinHashLSH(threshold=SIMILARITY, num_perm=MINIMA), 0
    tokens = [[token.encode() for token in each] for each in trigrams(texts)]
    cut = time.perf_counter() - started
    for number, sketch in enumerate(MinHash.generator(tokens, num_perm=MINIMA)):
        if not index.query(sketch):
            index.insert(number, sketch, check_duplication=False)
            kept += 1
    seconds, times = time.perf_counter() - started, len(every) / len(texts)
    return {"seconds": seconds * times, "ready": (seconds - cut) * times}


WAYS: dict[str, Callable[[Path, Path], dict[str, Any]]] = {
    "ours": ours,
    "rensa": rensa_alone,
    "datasketch": datasketch_alone,
    "our signatures": our_signatures,
    "rensa's signatures": rensa_signatures,
}


def timed(way: str, path: Path, turns: int) -> dict[str, Any]:
    """The fastest of several turns, each in a process of its own, and the largest peak of memory."""
    runs = [one_turn(way, path) for _ in range(turns)]
    best = min(runs, key=lambda run: run["seconds"])
    return {**best, "peak": max(run["peak"] for run in runs)}


def one_turn(way: str, path: Path) -> dict[str, Any]:
    """One process; its own time counts for ours, the time that it states for the others."""
    with tempfile.TemporaryDirectory() as out:
        started = time.perf_counter()
        command = [sys.executable, __file__, "--way", way, "--file", str(path), "--out", out]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ})
        whole = time.perf_counter() - started
        said = json.loads(done.stdout.splitlines()[-1])
    return {"seconds": whole, **said}


def child(way: str, path: Path, out: Path) -> None:
    found = WAYS[way](path, out)
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    print(json.dumps({**found, "peak": int(status["VmHWM"].split()[0]) / 1024}))


def shown(results: dict[str, dict[str, Any]], rows: int) -> Table:
    table = Table(title=f"near-duplicates of {rows:,} short texts, similarity {SIMILARITY}")
    for name in ("", "seconds", "tokens ready", "MiB", "kept", "ours / it"):
        table.add_column(name, justify="left" if not name else "right")
    for way, found in results.items():
        mine = results["our signatures" if "signatures" in way else "ours"]["seconds"]
        ready = f"{found['ready']:.1f}" if "ready" in found else ""
        kept = f"{found['kept']:,}" if "kept" in found else ""
        table.add_row(
            way, f"{found['seconds']:.1f}", ready, f"{found['peak']:.0f}", kept, f"{mine / found['seconds']:.2f}"
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--way", choices=WAYS)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    if asked.way:
        child(asked.way, asked.file, asked.out)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.txt"
        path.write_text("\n".join(make_texts(asked.rows)) + "\n")
        results = {way: timed(way, path, asked.turns) for way in WAYS}
    Console(width=110).print(shown(results, asked.rows))
    handed = results["rensa's signatures"]["handed"]
    print(f"of rensa's signatures, {handed:.1f} s is for handing them over as lists of Python integers")
    ratio = results["ours"]["seconds"] / results["rensa"]["seconds"]
    print(f"ours with reading and writing / rensa alone: {ratio:.2f} (at most {LIMIT:g})")
    if ratio > LIMIT:
        sys.exit(1)


if __name__ == "__main__":
    main()
