"""Exact neighbours on a GPU: ``python benchmarks/candidates_gpu.py [ROWS] [K]``, by default 1,000,000 and 64.

All rows are searched against all rows; the vectors lie in the GPU's memory before, the lists after. The share of the
peak counts two operations for each number of each pair of rows, against 989 TFLOP/s (dense bfloat16, H100 and H200);
reading maxima, choosing, scoring again and ranking in float32 count as time and as no operations. A sample of rows is
checked against products in float64.

Vectors are real ones from the cache (see candidate_vectors.py), enlarged to so many rows, if it is there. Otherwise
they are drawn: 384 numbers, 50,000 directions from a spectrum that falls like that of real ones (the i-th standard
deviation is i ** -0.35), and each row a random one of them plus noise from the same spectrum, as long.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from similitude.collect.candidates.gpu_neighbours import DeviceNeighbours, DeviceRows

CACHE = Path(__file__).parents[1] / "runs" / "candidates"
PEAK = 989e12
WIDTH = 384
CHECKED = 256


def real_vectors(count: int) -> torch.Tensor | None:
    """Cached vectors of real sentences, enlarged by mixing two at a time."""
    paths = sorted(CACHE.glob("minilm-*.npy"))
    if not paths:
        return None
    base = torch.from_numpy(np.concatenate([np.load(path) for path in paths])).cuda().float()
    print(f"{len(base):,} real vectors, enlarged by mixing two: unit(x + 0.6 y)")
    generator = torch.Generator("cuda").manual_seed(1)
    first, second = torch.randint(len(base), (2, count - len(base)), device="cuda", generator=generator)
    return torch.nn.functional.normalize(torch.cat([base, base[first] + 0.6 * base[second]])[:count])


def drawn_vectors(count: int) -> torch.Tensor:
    """Vectors that were never texts; see above."""
    print("drawn vectors: no cache of real ones")
    generator = torch.Generator("cuda").manual_seed(1)
    spread = torch.arange(1, WIDTH + 1, device="cuda") ** -0.35
    directions = torch.randn(50_000, WIDTH, device="cuda", generator=generator)
    chosen = torch.randint(50_000, (count,), device="cuda", generator=generator)
    noise = torch.randn(count, WIDTH, device="cuda", generator=generator)
    return torch.nn.functional.normalize((directions[chosen] + noise) * spread)


def seconds(run: Callable[[], object], times: int = 3) -> float:
    """The median of several runs after one that warms up."""
    run()
    measured = []
    for _ in range(times):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        run()
        end.record()
        torch.cuda.synchronize()
        measured.append(start.elapsed_time(end) / 1000)
    return statistics.median(measured)


def check(vectors: torch.Tensor, found: DeviceNeighbours, k: int) -> None:
    """Compare lists of a sample with products in float64."""
    rows = torch.linspace(0, len(vectors) - 1, CHECKED, device="cuda").long()
    cosines = vectors[rows].double() @ vectors.double().T
    cosines[torch.arange(len(rows)), rows] = -2
    best = cosines.topk(k, dim=1)
    is_found = cosines.gather(1, found.others[rows].long()) >= best.values[:, -1:] - 1e-7
    off = (found.cosines[rows] - best.values).abs().max().item()
    print(f"nearest: {best.values[:, 0].mean():.3f}, {k}-th: {best.values[:, -1].mean():.3f} on average")
    print(f"of {CHECKED} texts checked in float64: recall {is_found.double().mean():.6f}, cosines off by {off:.1e}")


def main(count: int = 1_000_000, k: int = 64) -> None:
    """Time the search and print its share of the peak."""
    if not torch.cuda.is_available():
        print("no GPU: the GPU table is left out")
        return
    print(torch.cuda.get_device_name(), "torch", torch.__version__)
    found = real_vectors(count)
    vectors = drawn_vectors(count) if found is None else found
    none = torch.empty(0, count + -count % 256, dtype=torch.int32, device="cuda")
    rows = DeviceRows.on_device(vectors, none, none)
    operations = 2.0 * count * count * vectors.shape[1]
    taken = seconds(lambda: rows.neighbours(k))
    lists = rows.neighbours(k)
    check(vectors, lists, k)
    share = operations / taken / PEAK
    print(
        f"{count:,} x {vectors.shape[1]}, k = {k}: {taken:.3f} s, {operations / taken / 1e12:.0f} TFLOP/s, {share:.1%}"
    )
    print(f"searched again in float32: {lists.again:,} rows")
    print(f"memory of the GPU: {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
