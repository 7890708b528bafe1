"""A whole search for candidates: time of each step, peak memory, and what a second call costs.

``python benchmarks/candidates_search.py --texts 1000000 --memory 4GB``

Texts are sentences of four templates and a few thousand words, so that many share words and few are near-duplicates.
Vectors are counts of hashed words (128 numbers), so that the encoder is not what is measured; ``--pair use`` measures
with a real one. Each search runs in a process of its own, whose peak memory the system reports.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

ENCODER = '''
import re
import zlib
import numpy as np
from similitude.data.prediction import Predictions


class HashedWords:
    """Counts of hashed words."""

    def score(self, items):
        return Predictions(np.zeros(len(items)))

    def text_vectors(self, texts):
        words = [text.split() for text in texts]
        rows = np.repeat(np.arange(len(texts)), [len(each) for each in words])
        keys = np.fromiter((zlib.crc32(word.encode()) % 128 for each in words for word in each), np.int64, len(rows))
        vectors = np.full((len(texts), 128), 0.01, np.float32)
        np.add.at(vectors, (rows, keys), 1)
        return vectors
'''
FILTERS = ("cosine >= 0.3", "iou <= 0.7", "length_ratio >= 0.5", "levenshtein <= 0.9")


def sentences(count: int, path: Path) -> None:
    """Sentences of made-up words whose frequencies fall as those of real ones do."""
    rng = np.random.default_rng(0)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    words = np.array(["".join(rng.choice(letters, rng.integers(2, 9))) for _ in range(30_000)])
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, count, 50_000):
            lengths = rng.integers(6, 20, min(50_000, count - start))
            ranks = np.minimum(rng.zipf(1.15, lengths.sum()) - 1, len(words) - 1)
            drawn = words[ranks]
            ends = np.cumsum(lengths)
            file.writelines(" ".join(each) + ".\n" for each in np.split(drawn, ends[:-1]))


def search(folder: Path, out: Path, asked: argparse.Namespace, workers: int) -> dict[str, float]:
    """Run the command; its record, wall time and peak memory in bytes."""
    pair = f"{folder / 'hashed_words.py'}:HashedWords" if asked.pair is None else asked.pair
    command = [sys.executable, "-m", "similitude", "candidates", str(folder / "texts.txt"), "--pair", pair]
    command += [word for one in FILTERS for word in ("--filter", one)]
    command += ["--items", "3000", "--memory", asked.memory, "--workers", str(workers), "--no-cache", "--json"]
    start = time.perf_counter()
    process = subprocess.Popen([*command, "--out", str(out)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    record = json.loads(process.stdout.read())
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit("the search failed")
    steps = {step["name"]: step["seconds"] for step in record["steps"]}
    return {**steps, "whole": time.perf_counter() - start, "peak": used.ru_maxrss * 1024}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--pair", help="a system with vectors; by default counts of hashed words")
    asked = parser.parse_args()
    table = Table(title=f"A search among {asked.texts:,} texts, --memory {asked.memory}; seconds")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sentences(asked.texts, folder / "texts.txt")
        (folder / "hashed_words.py").write_text(ENCODER, encoding="utf-8")
        runs = {
            f"{workers} worker{'s' * (workers > 1)}": search(folder, folder / str(workers), asked, workers)
            for workers in (1, 2)
        }
        runs["again"] = search(folder, folder / "2", asked, 2)
        same = (folder / "1" / "items.jsonl").read_bytes() == (folder / "2" / "items.jsonl").read_bytes()
    table.add_column("step")
    for name in runs:
        table.add_column(name, justify="right")
    for step in runs["1 worker"]:
        shown = (f"{run[step] / 1e9:.2f} GB" if step == "peak" else f"{run[step]:.1f}" for run in runs.values())
        table.add_row(step, *shown)
    Console(width=110).print(table)
    print(f"steps of the second call are those of the first; the same items with 1 and 2 workers: {same}")


if __name__ == "__main__":
    main()
