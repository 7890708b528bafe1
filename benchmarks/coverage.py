"""Coverage of intervals: how often they contain the truth, by simulation.

Samples are drawn from populations whose true figure is known, and each sample's nominal 95 % interval is computed as
the library does by default. A row gives the share of intervals that contain the truth, its standard error, and the
mean width. Samples without an interval are counted apart ("none") and are not part of the share.

The cases stand in the files coverage_*.py beside this one, each in a list ``CASES`` of `simulated_case.Case`; a new
file needs no registration. Every replication has a generator of its own, so that neither the number of processes nor
the choice of figures changes a result.

    python benchmarks/coverage.py --figures "alpha" --items 20,50 --replications 1000 --processes 2 --json table.json
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import sys
import zlib
from collections.abc import Iterator
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from simulated_case import Case

HERE = Path(__file__).parent
LOW, HIGH = 0.93, 0.97
"""Coverage outside these limits is marked, if by more than two standard errors."""
BATCH_ITEMS = 20_000
"""A process works on about this many simulated items before it reports."""


class Batch(NamedTuple):
    """Some replications of one case."""

    key: str
    items: int
    first: int
    last: int
    seed: int


class Row(NamedTuple):
    """One row of the table."""

    figure: str
    design: str
    items: int
    truth: float
    coverage: float
    error: float
    width: float
    replications: int
    none: int

    @property
    def mark(self) -> str:
        """Whether coverage is too low or too high by more than chance."""
        room = 2 * (0.95 * 0.05 / max(self.replications - self.none, 1)) ** 0.5
        if self.coverage + room < LOW:
            return "low"
        return "high" if self.coverage - room > HIGH else ""

    def record(self) -> dict[str, str | float | None]:
        """For JSON; nan becomes null."""
        return {name: None if value != value else value for name, value in self._asdict().items()}


def key_of(case: Case) -> str:
    return f"{case.figure} | {case.design}"


@cache
def cases() -> dict[str, Case]:
    """The cases of all files beside this one."""
    found: dict[str, Case] = {}
    for file in sorted(HERE.glob("coverage_*.py")):
        for case in getattr(importlib.import_module(file.stem), "CASES", ()):
            if found.setdefault(key_of(case), case) is not case:
                raise SystemExit(f"{file.name}: there are two cases '{key_of(case)}'")
    return found


def simulate(batch: Batch) -> tuple[Batch, np.ndarray]:
    """The ends of the intervals of a batch: replications x 2."""
    interval, name = cases()[batch.key].interval, zlib.crc32(batch.key.encode())
    seeds = ([batch.seed, name, batch.items, place] for place in range(batch.first, batch.last))
    return batch, np.array([interval(batch.items, np.random.default_rng(seed)) for seed in seeds], dtype=np.float64)


def batches(chosen: dict[str, Case], sizes: tuple[int, ...] | None, replications: int, seed: int) -> Iterator[Batch]:
    """Large samples first, so that no process is left alone with one at the end."""
    wanted = [(key, items) for key, case in chosen.items() for items in case.items if sizes is None or items in sizes]
    for key, items in sorted(wanted, key=lambda one: -one[1]):
        step = max(1, BATCH_ITEMS // items)
        for first in range(0, replications, step):
            yield Batch(key, items, first, min(first + step, replications), seed)


def row_of(case: Case, items: int, ends: np.ndarray) -> Row:
    truth = case.truth(items)
    low, high = ends[np.isfinite(ends).all(axis=1)].T
    share = float(np.mean((low <= truth) & (truth <= high))) if low.size else float("nan")
    error = (share * (1 - share) / low.size) ** 0.5 if low.size else float("nan")
    width = float(np.mean(high - low)) if low.size else float("nan")
    return Row(case.figure, case.design, items, truth, share, error, width, len(ends), len(ends) - low.size)


def run(chosen: dict[str, Case], options: argparse.Namespace) -> list[Row]:
    work = list(batches(chosen, options.items, options.replications, options.seed))
    found: dict[tuple[str, int], list[np.ndarray]] = {}
    with get_context("spawn").Pool(options.processes) as pool, Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("simulating", total=sum(batch.last - batch.first for batch in work))
        for batch, ends in pool.imap_unordered(simulate, work):
            found.setdefault((batch.key, batch.items), []).append(ends)
            progress.advance(task, len(ends))
    return [
        row_of(case, items, np.concatenate(found[key, items]))
        for key, case in chosen.items()
        for items in case.items
        if (key, items) in found
    ]


def shown(rows: list[Row]) -> Table:
    table = Table(
        "figure", "design", "items", "truth", "coverage", "SE", "", "mean width", "replications", "none",
        title="Coverage of nominal 95 % intervals",
    )  # fmt: skip
    for row in rows:
        figures = (f"{row.truth:.3f}", f"{row.coverage:.3f}", f"{row.error:.3f}", row.mark, f"{row.width:.3f}")
        table.add_row(row.figure, row.design, f"{row.items:,}", *figures, f"{row.replications:,}", str(row.none or ""))
    return table


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--replications", type=int, default=200, metavar="N", help="samples per row (200)")
    parser.add_argument("--figures", default="", metavar="REGEX", help="only cases whose 'figure | design' matches")
    parser.add_argument("--items", type=_sizes, metavar="20,50,...", help="only these numbers of items")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), metavar="K", help="default: all cores")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the rows here")
    return parser.parse_args()


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def main() -> None:
    asked = options()
    chosen = {key: case for key, case in cases().items() if re.search(asked.figures, key)}
    if not chosen:
        sys.exit(f"no case matches '{asked.figures}'; there are:\n" + "\n".join(cases()))
    # One thread for each process: small matrix products only lose by more.
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    rows = run(chosen, asked)
    Console(width=150).print(shown(rows))
    if asked.json is not None:
        asked.json.write_text(json.dumps([row.record() for row in rows], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
