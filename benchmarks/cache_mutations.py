"""The cache against a model that changes behind its back: ``python benchmarks/cache_mutations.py --mutations 400``.

A small sentence encoder is changed at random, over and over, in every way of ``tests/fakes/model_mutations.py``:
between runs, while it is being loaded, and while it encodes. After each mutation, the vectors that the cache gives to
this process and to one that starts anew, and the predictions in the folder of a run, are compared bit by bit with those
of a model that is loaded anew and knows no cache. Every ``--processes``-th time, real processes are started for both.

With ``--real-clock`` it waits after each mutation until files count as settled, as in use. Otherwise it trusts the
clock of the file system to 20 ms, so that remembered hashes are tried just the same, but in less time.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "fakes"))

import numpy as np
from model_mutations import MOMENTS, MUTATIONS, Trial, quick_clock
from rich.console import Console
from rich.table import Table

PROCESS = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[4])
import numpy as np
from model_mutations import vectors
from similitude.models.cache import VectorStore
np.save(sys.argv[3], vectors(sys.argv[1], VectorStore(Path(sys.argv[2])) if sys.argv[2] else None))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutations", type=int, default=400)
    parser.add_argument("--processes", type=int, default=100, help="start real processes after so many mutations")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--real-clock", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, nullcontext() if asked.real_clock else quick_clock():
        _report(*_tried(Path(place), asked))


def _tried(place: Path, asked: argparse.Namespace) -> tuple[dict[str, Counter[str]], int, float]:
    """What came of the mutations at each moment, how many real processes were compared, and the seconds."""
    trial = Trial(place, asked.seed, settles=2.1 if asked.real_clock else 0.03)
    rng, started, processes = random.Random(asked.seed), time.perf_counter(), 0
    names = [list(MUTATIONS)[number % len(MUTATIONS)] for number in range(asked.mutations)]
    rng.shuffle(names)
    counts: dict[str, Counter[str]] = {moment: Counter() for moment in MOMENTS}
    for number, name in enumerate(names, start=1):
        if time.perf_counter() - started > asked.seconds:
            break
        moment = rng.choice(MOMENTS)
        outcome = trial.mutate(name, moment)
        counts[moment].update({"mutations": 1, "changed": outcome.changed, "wrong": bool(outcome.wrong)})
        if outcome.wrong:
            print(f"WRONG after '{name}' {moment}: {', '.join(outcome.wrong)}", flush=True)
        if number % asked.processes == 0:
            processes += 1
            if not _agrees_with_processes(trial, place):
                counts[moment]["wrong"] += 1
                print(f"WRONG after '{name}': real processes", flush=True)
    return counts, processes, time.perf_counter() - started


def _agrees_with_processes(trial: Trial, place: Path) -> bool:
    """Whether real processes, with the cache and without, give the same vectors as a model that is loaded anew."""
    found = []
    for store in (str(trial.store.path), ""):
        fakes = str(Path(__file__).parents[1] / "tests" / "fakes")
        subprocess.run([sys.executable, "-c", PROCESS, trial.written, store, str(place / "v.npy"), fakes], check=True)
        found.append(np.load(place / "v.npy"))
    return all(np.array_equal(each, trial.right, equal_nan=True) for each in found)


def _report(counts: dict[str, Counter[str]], processes: int, seconds: float) -> None:
    table = Table("moment", *(name for name in ("mutations", "changed", "wrong")))
    for moment, count in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        table.add_row(moment, *(str(count[name]) for name in ("mutations", "changed", "wrong")))
    Console().print(table)
    print(f"{len(MUTATIONS)} kinds of mutation; compared with real processes {processes} times; {seconds:.0f} s")


if __name__ == "__main__":
    main()
