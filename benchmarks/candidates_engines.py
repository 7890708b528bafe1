"""The engines side by side: ``python benchmarks/candidates_engines.py``.

1. The port: small pieces as Ray tasks, as the blocks of a Ray ``Dataset``, and on threads of one process.
2. A search for candidates over ``--texts`` texts: threads of one process against Ray workers on this machine. Every
   call runs in a process of its own. Times are those of a clock and of the CPU in all processes, with the start of
   Python and of Ray, since that is what a user waits and pays for. The files must have the same bytes.

3. With ``--rates``: CPU time of each stage for a million texts, from searches of several sizes, in all and in the
   process that calls, for the estimate in docs/cluster.md.

Sentences are made of syllables by Zipf's law, vectors (64 numbers, or ``--width``) of topics with 20 texts each, so
that no model takes part of the time. ``--folder`` keeps texts and results: a call with ``--only ray:2`` measures one
engine and adds it to the table. On a machine with other work, more ``--rounds`` help: the shortest time counts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import similitude as sim
from similitude.data.protocols import Listener

TOPIC = 20
SYLLABLES = [first + second for first in "bdfgklmnprst" for second in "aeiou"]
ENGINES = ("local:2", "ray:2")
OUTPUTS = ("items.jsonl", "descriptions.parquet")
PLAN: dict[str, Any] = {"items": 3000, "k": 10, "filters": ["cosine >= 0.4", "iou <= 0.3"], "memory": "4GB"}


def world(folder: Path, count: int, width: int) -> Path:
    """A folder with texts of 6 to 15 words, and vectors near those of their topic; written once."""
    folder = folder / f"{count}-{width}"
    if (folder / "vectors.npy").exists():
        return folder
    folder.mkdir(parents=True)
    rng = np.random.default_rng(0)
    words = np.array(["".join(rng.choice(SYLLABLES, 3)) for _ in range(30_000)])
    lengths = rng.integers(6, 16, count)
    ranks = (rng.pareto(0.9, int(lengths.sum())) * 20).astype(np.int64) % len(words)
    drawn, ends = words[ranks].tolist(), np.cumsum(lengths).tolist()
    lines = (" ".join(drawn[start:end]) for start, end in zip([0, *ends[:-1]], ends, strict=True))
    (folder / "texts.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    topics = rng.standard_normal((max(count // TOPIC, 1), width), np.float32)
    vectors = topics[rng.integers(0, len(topics), count)] + 0.5 * rng.standard_normal((count, width), np.float32)
    np.save(folder / "vectors.npy", vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    return folder


def search(folder: Path, engine: str, workers: int, listener: Listener | None = None) -> dict[str, Any]:
    """Search in this process; digests of what was found, and the seconds of each stage."""
    with tempfile.TemporaryDirectory(dir=folder) as out:
        found = sim.candidates(
            folder / "texts.txt",
            texts={"vectors": str(folder / "vectors.npy")},
            out=out,
            engine=engine,
            workers=workers,
            quiet=True,
            listener=listener,
            **PLAN,
        )
        digests = [hashlib.sha256((Path(out) / name).read_bytes()).hexdigest() for name in OUTPUTS]
        stages = {step.name: round(step.seconds or 0.0, 1) for step in found.steps}
    return {"digests": digests, "stages": stages}


class StageClock:
    """Counts the CPU time of this process for the stage of which it was told last.

    Attributes:
        seconds: by stage.
    """

    def __init__(self) -> None:
        import ray  # noqa: F401  # before the clock starts

        self.seconds: dict[str, float] = {}
        self._stage, self._last = "read", time.process_time()

    def progress(self, stage: str, done: int, total: int) -> None:
        """Count the time until now for the stage before."""
        now = time.process_time()
        self.seconds[self._stage] = self.seconds.get(self._stage, 0.0) + now - self._last
        self._stage, self._last = stage.partition(":")[0], now

    def note(self, text: str) -> None:
        """Notes take no time."""


def use_seconds(count: int = 2000) -> float:
    """CPU seconds for the vector of one sentence, of those of ``sample:world``: 117 characters on average."""
    from similitude.systems import make_system

    texts, system = sorted(sim.read("sample:world").items.texts())[:count], make_system("use")
    system.text_vectors(texts[:10])  # loads the model
    start = time.process_time()
    system.text_vectors(texts)
    return (time.process_time() - start) / len(texts)


def show_rates(folder: Path, counts: list[int], width: int, console: Console) -> None:
    """Print the CPU time of each stage for a million texts: all of it, and what no worker can take over."""
    shown = Table("stage", title=f"CPU seconds for a million texts, vectors of {width} numbers")
    clocks = []
    for count in counts:
        for engine, what in (("local", "all"), ("ray", "caller alone")):
            shown.add_column(f"{count:,}: {what}", justify="right")
            clocks.append((count, clock := StageClock()))
            search(world(folder, count, width), engine, 1, clock)
            clock.progress("end", 0, 0)
    spent = use_seconds() * 1e6
    shown.add_row("vectors of 'use'", *([f"{spent:.1f}", "0.0"] * len(counts)))
    for stage in clocks[-1][1].seconds:
        shown.add_row(stage, *(f"{clock.seconds.get(stage, 0.0) / count * 1e6:.1f}" for count, clock in clocks))
    console.print(shown)


def measured(folder: Path, written: str) -> dict[str, Any]:
    """One search in a process of its own: what it found, seconds of the clock, and of CPU in all its processes."""
    engine, _, workers = written.partition(":")
    command = [sys.executable, __file__, "--folder", str(folder), "--search", engine, workers]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        spent: dict[int, float] = {}
        while process.poll() is None:
            spent |= cpu_of_processes(process.pid)
            time.sleep(0.2)
        assert process.stdout is not None
        shown = process.stdout.read()
    assert process.returncode == 0
    return {
        "seconds": time.perf_counter() - start,
        "cpu": sum(spent.values()),
        **json.loads(shown.splitlines()[-1]),
    }


def cpu_of_processes(number: int) -> dict[int, float]:
    """Seconds of CPU of a process and of all that it started and that live."""
    import psutil

    found = {}
    with suppress(psutil.NoSuchProcess):
        top = psutil.Process(number)
        for process in (top, *top.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                found[process.pid] = sum(process.cpu_times()[:2])
    return found


def compare_searches(folder: Path, count: int, engines: list[str], rounds: int, console: Console) -> None:
    """Measure the engines in turn; print all results of the folder."""
    kept = folder / "engines.json"
    results: dict[str, dict[str, Any]] = json.loads(kept.read_text()) if kept.exists() else {}
    for _ in range(rounds):
        for engine in engines:
            new = measured(folder, engine)
            results[engine] = min(results.get(engine, new), new, key=lambda each: each["seconds"])
            kept.write_text(json.dumps(results, indent=1))
    shown = Table(
        "engine", "seconds", "to local", "CPU", "to local", "bytes", "of each stage", title=f"{count:,} texts"
    )
    first = results.get("local:2") or next(iter(results.values()))
    for engine, found in results.items():
        times = [f"{value:.2f}" for name in ("seconds", "cpu") for value in (found[name], found[name] / first[name])]
        stages = ", ".join(f"{name} {seconds:g}" for name, seconds in found["stages"].items())
        shown.add_row(engine, *times, "the same" if found["digests"] == first["digests"] else "OTHERS", stages)
    console.print(shown)


def spend(milliseconds: int) -> int:
    end = time.thread_time() + milliseconds / 1000
    while time.thread_time() < end:
        pass
    return milliseconds


def as_dataset(pieces: list[int]) -> int:
    """Run the pieces as the blocks of a dataset."""
    import ray.data

    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ray.data.DataContext.get_current().enable_progress_bars = False
    rows = [{"piece": piece} for piece in pieces]
    blocks = ray.data.from_items(rows, override_num_blocks=len(rows))
    return sum(1 for _ in blocks.map(lambda row: {"done": spend(row["piece"])}, num_cpus=1).iter_rows())


def compare_ports(console: Console) -> None:
    """Print what a piece costs in each way."""
    shown = Table(
        "pieces", "threads", "Ray tasks", "Ray Data, first", "Ray Data, again", title="seconds (of CPU), two workers"
    )
    with sim.open_engine("local", workers=2) as local, sim.open_engine("ray", workers=2) as there:
        there.run(abs, [-1, -2], lambda piece, result: None)
        for count, milliseconds in ((200, 1), (100, 50)):
            pieces = [milliseconds] * count
            ways: list[Callable[[], Any]] = [
                lambda pieces=pieces: local.run(spend, pieces, lambda piece, result: None),  # type: ignore[misc]
                lambda pieces=pieces: there.run(spend, pieces, lambda piece, result: None),  # type: ignore[misc]
                lambda pieces=pieces: as_dataset(pieces),  # type: ignore[misc]
                lambda pieces=pieces: as_dataset(pieces),  # type: ignore[misc]
            ]
            shown.add_row(f"{count} of {milliseconds} ms of CPU", *map(_spent, ways))
    console.print(shown)


def _spent(way: Callable[[], Any]) -> str:
    """Seconds of the clock, and of CPU in this process and all that it started."""
    start, before = time.perf_counter(), sum(cpu_of_processes(os.getpid()).values())
    way()
    spent = sum(cpu_of_processes(os.getpid()).values()) - before
    return f"{time.perf_counter() - start:.1f} ({spent:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", action="append", help="engine:workers, such as ray:2 or local:1; repeatable")
    parser.add_argument("--folder", type=Path, help="keep texts and results here")
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--rates", type=int, nargs="+", metavar="TEXTS", help="print the third table alone")
    parser.add_argument("--no-port", action="store_true", help="leave the first table out")
    parser.add_argument("--search", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.search:
        print(json.dumps(search(given.folder, given.search[0], int(given.search[1]))))
        return
    os.environ["OMP_NUM_THREADS"] = "1"
    console = Console(width=130)
    if not (given.no_port or given.rates):
        compare_ports(console)
    with tempfile.TemporaryDirectory() if given.folder is None else nullcontext(given.folder) as kept:
        if given.rates:
            show_rates(Path(kept), given.rates, given.width, console)
        else:
            folder = world(Path(kept), given.texts, given.width)
            compare_searches(folder, given.texts, given.only or list(ENGINES), given.rounds, console)


if __name__ == "__main__":
    main()
