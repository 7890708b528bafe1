"""Suites: 20 models on 12 benchmarks from a warm cache, and `evaluate` on one: ``python benchmarks/suite.py``.

The models are small networks of one layer with random weights and 384 dimensions, each in a folder of its own, so that
what is timed is not the network: finding the models' files unchanged, looking up vectors, scoring, measuring,
resampling, saving. The benchmarks have the sizes of the English STS tasks; texts and scores are those of USTS
(evidence/usts), or made up where that folder is missing. The first call fills the cache of vectors; then the folder of
results is removed and the same call is timed, with intervals and tests. A third call adds a model, and a fourth has
nothing new to do. To save time, the vectors in the cache are random numbers: the first call finds them in a cache that
makes them up and stores them.

    python benchmarks/suite.py --models 20 --benchmarks 12
"""

from __future__ import annotations

import os

os.environ["HF_HUB_OFFLINE"] = "1"

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

import similitude as sim
from similitude.data.protocols import ModelKey
from similitude.models.cache import VectorStore

EVIDENCE = Path(__file__).parents[1] / "evidence" / "usts"
SIZES = {"STS12": 3108, "STS13": 1500, "STS14": 3750, "STS15": 3000, "STS16": 1186, "STS17": 250, "STS-B": 1379,
         "SICK-R": 4927, "BIOSSES": 100, "STS-B-dev": 1500, "SICK-dev": 500, "STS-X": 2000}  # fmt: skip
WIDTH = 384

console = Console(width=110)


def pairs() -> pl.DataFrame:
    """About 15,000 pairs with scores."""
    if EVIDENCE.is_dir():
        parts = [sim.read(EVIDENCE / name).frame for name in ("ustsu", "ustsc")]
        found = pl.concat(parts).filter(pl.col("score").is_not_null()).select("left", "right", "score")
        return found.sample(fraction=1.0, shuffle=True, seed=0)
    rng = np.random.default_rng(0)
    words = [f"word{number}" for number in range(3000)]
    texts = [" ".join(rng.choice(words, 9)) for _ in range(30_000)]
    return pl.DataFrame({"left": texts[::2], "right": texts[1::2], "score": rng.uniform(0, 5, 15_000)})


def made_benchmarks(folder: Path, number: int) -> list[Path]:
    """Files with the sizes of the STS tasks; texts repeat once there are not enough."""
    folder.mkdir(parents=True, exist_ok=True)
    table, paths, start = pairs(), [], 0
    for name, size in list(SIZES.items())[:number]:
        rows = (np.arange(start, start + size)) % table.height
        part = table[rows].with_columns(pl.Series("id", [f"{name}-{row}" for row in range(size)]))
        paths.append(folder / f"{name}.csv")
        part.write_csv(paths[-1])
        start += size
    return paths


def made_models(folder: Path, number: int, texts: list[str]) -> list[Path]:
    """Small networks with a vocabulary of the characters of the texts."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

    characters = sorted({character for text in texts for character in text.lower() if not character.isspace()})
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *characters, *(f"##{each}" for each in characters)]
    paths = []
    for seed in range(number):
        path = folder / f"model{seed:02}"
        path.mkdir(parents=True)
        (path / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
        BertTokenizer(vocab=str(path / "vocab.txt")).save_pretrained(path)
        torch.manual_seed(seed)
        shape = {"hidden_size": WIDTH, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
        config = BertConfig(vocab_size=len(vocabulary), max_position_embeddings=128, **shape)
        BertModel(config).save_pretrained(path)
        paths.append(path)
    return paths


class SeedingCache:
    """Has a random vector for every text, and stores it in the cache behind."""

    def __init__(self, behind: VectorStore) -> None:
        self.behind = behind
        self.recall, self.remember, self.put = behind.recall, behind.remember, behind.put

    def get(self, model: ModelKey, texts: Sequence[str]) -> list[np.ndarray | None]:
        """Vectors of `WIDTH` numbers, and a last one that says that nothing was cut."""
        missing = [text for text, row in zip(texts, self.behind.get(model, texts), strict=True) if row is None]
        seed = zlib.crc32(f"{model.fingerprint} {missing[:1]}".encode())
        rows = np.random.default_rng(seed).normal(size=(len(missing), WIDTH + 1)).astype(np.float32)
        rows[:, -1] = 0
        self.behind.put(model, missing, rows)
        return self.behind.get(model, texts)


def timed(work: Callable[[], sim.SuiteRun]) -> tuple[float, float, sim.SuiteRun]:
    """Seconds on the clock, seconds of all cores, and what came out."""
    began, spent = time.perf_counter(), time.process_time()
    found = work()
    return time.perf_counter() - began, time.process_time() - spent, found


def command_seconds(*arguments: str, cwd: Path, cache: Path) -> tuple[float, float]:
    """Seconds on the clock and of all cores that a command takes, in a process of its own."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = os.environ | {"SIMILITUDE_CACHE": str(cache), "PYTHONPATH": str(Path(sim.__file__).parents[1])}
    command = [sys.executable, "-m", "similitude", *arguments]
    subprocess.run(command, cwd=cwd, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def suite_rows(folder: Path, models: int, benchmarks: int) -> list[tuple[str, float, float, str]]:
    """What the calls take: with an empty cache, from the cache, with one more model, with nothing new."""
    files = made_benchmarks(folder, benchmarks)
    texts = [text for file in files for text in pl.read_csv(file)["left"].to_list()]
    paths = made_models(folder / "models", models + 1, texts)
    systems = [f"encoder({path})" for path in paths]
    cache, out = VectorStore(folder / "cache"), folder / "runs"

    def call(number: int, vectors: VectorStore | SeedingCache = cache) -> sim.SuiteRun:
        return sim.run_suite(files, systems[:number], out=out, cache=vectors)

    seeded = timed(lambda: call(models + 1, SeedingCache(cache)))
    shutil.rmtree(out)
    warm = timed(lambda: call(models))
    same = np.array_equal(seeded[2].main.values[:, :-1], warm[2].main.values)
    more = timed(lambda: call(models + 1))
    nothing = timed(lambda: call(models + 1))
    items = sum(each.items for each in warm[2].benchmarks)
    words = f"{models} models x {benchmarks} benchmarks, {items:,} pairs"
    return [
        (f"{words}: from the cache, with intervals", *warm[:2], "same figures" if same else "OTHER FIGURES"),
        ("one more model from the cache", *more[:2], ""),
        ("the same call again", *nothing[:2], ""),
    ]


def evaluate_rows(folder: Path) -> list[tuple[str, float, float, str]]:
    """`similitude evaluate` on 1,379 pairs from the cache, the best of five."""
    files = made_benchmarks(folder, 7)
    texts = [text for file in files for text in pl.read_csv(file)["left"].to_list()]
    (path,) = made_models(folder / "models", 1, texts)
    arguments = ("evaluate", "STS-B.csv", "-q", "--fresh")
    arguments = (*arguments, "-s", f"encoder({path})")
    calls = [command_seconds(*arguments, cwd=folder, cache=folder / "own-cache") for _ in range(6)]
    clock, spent = min(seconds for seconds, _ in calls[1:]), min(seconds for _, seconds in calls[1:])
    help_seconds = min(command_seconds("--version", cwd=folder, cache=folder) for _ in range(3))
    return [
        ("evaluate on 1,379 pairs from the cache, a process", clock, spent, "a small network, six measures"),
        ("the same process with nothing to do (--version)", *help_seconds, ""),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--benchmarks", type=int, default=12)
    parser.add_argument("--only", choices=("suite", "evaluate"))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    rows: list[tuple[str, float, float, str]] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if given.only != "evaluate":
            rows += suite_rows(folder / "suite", given.models, given.benchmarks)
        if given.only != "suite":
            rows += evaluate_rows(folder / "evaluate")
    table = Table("what", "seconds", "seconds of all cores", "", title="suites")
    for what, clock, spent, note in rows:
        table.add_row(what, f"{clock:.2f}", f"{spent:.2f}", note)
    console.print(table)
    if given.json:
        given.json.write_text(json.dumps(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
