"""10,000 paired resamples of 3,000 pairs, 10 systems, three measures: ours against a loop over scipy.

The loop is what one would write without Similitude: draw items, select them, call ``pearsonr`` and ``spearmanr``, and
rank for nDCG@10, system by system. It is timed on a few resamples and scaled up, because all 10,000 would take
minutes. On those few, all figures of both sides must agree to 1e-9. Ours is timed in full, with the draws. Each
measure runs in its own process, whose peak memory is compared with its memory at the start.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy import stats as scipy_stats

from similitude.data.scale import Scale
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.evaluate.significance import confidence

ITEMS, SYSTEMS, RESAMPLES, SAMPLE = 3000, 10, 10_000, 20
LIMIT_RATIO, LIMIT_MEBIBYTES = 20, 1024
NAMES = ("pearson", "spearman", "ndcg@10")


def made() -> Comparison:
    rng = np.random.default_rng(0)
    gold = np.round(rng.uniform(0, 5, ITEMS) * 5) / 5
    noise = rng.normal(0, np.linspace(0.8, 1.2, SYSTEMS)[:, None], (SYSTEMS, ITEMS))
    return Comparison.of_scores(gold, gold + noise, Scale(low=0, high=5))


def ndcg_at_10(gold: np.ndarray, predicted: np.ndarray) -> float:
    discounts = np.append(1.0, 1 / np.log2(np.arange(2, 11)))
    ranked = gold[np.argsort(-predicted)[:10]]
    return float(ranked @ discounts / (np.sort(gold)[::-1][:10] @ discounts))


PEERS: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "pearson": lambda g, p: scipy_stats.pearsonr(g, p).statistic,
    "spearman": lambda g, p: scipy_stats.spearmanr(g, p).statistic,
    "ndcg@10": ndcg_at_10,
}


def looped(comparison: Comparison, drawn: np.ndarray, name: str) -> tuple[np.ndarray, float]:
    """Systems x resamples by a loop, and what all resamples would take."""
    start = time.perf_counter()
    figures = [[PEERS[name](comparison.gold[d], row[d]) for row in comparison.predicted] for d in drawn]
    return np.array(figures).T, (time.perf_counter() - start) * RESAMPLES / len(drawn)


def counted(comparison: Comparison, drawn: np.ndarray, name: str) -> np.ndarray:
    """Systems x resamples by counting how often each item was drawn."""
    weights = np.array([np.bincount(d, minlength=ITEMS) for d in drawn], dtype=float)
    return make_measure(name).weighted_values(comparison, weights)


def ours(names: list[str], method: str) -> None:
    """Run in a process of its own: prints seconds, and mebibytes before and at the peak."""
    comparison, measures = made(), [make_measure(name) for name in names]
    confidence(comparison, measures, resamples=2, method="percentile")  # whatever is imported late
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    confidence(comparison, measures, resamples=RESAMPLES, method=method)  # type: ignore[arg-type]
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": seconds, "before": before / 1024, "peak": peak / 1024}))


def in_its_own_process(names: tuple[str, ...], method: str) -> dict[str, float]:
    command = [sys.executable, __file__, method, *names]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    comparison = made()
    drawn = np.random.default_rng(1).integers(0, ITEMS, (SAMPLE, ITEMS))
    table = Table(
        "measure", "ours / s", f"scipy loop / s (from {SAMPLE})", "ratio", "peak / MiB", "of it growth / MiB",
        title=f"{RESAMPLES:,} paired resamples x {SYSTEMS} systems x {ITEMS:,} pairs",
    )  # fmt: skip
    loops = 0.0
    for name in NAMES:
        figures, seconds = looped(comparison, drawn, name)
        np.testing.assert_allclose(counted(comparison, drawn, name), figures, atol=1e-9, rtol=0)
        loops += seconds
        add_row(table, name, in_its_own_process((name,), "percentile"), seconds)
    table.add_section()
    for method in ("percentile", "bca"):
        add_row(table, f"all three, {method} intervals, tests", in_its_own_process(NAMES, method), loops)
    Console(width=120).print(table)
    print(f"limits: ratio at least {LIMIT_RATIO}x, peak under {LIMIT_MEBIBYTES} MiB; figures agree to 1e-9")


def add_row(table: Table, name: str, found: dict[str, float], loop: float) -> None:
    seconds, peak, before = found["seconds"], found["peak"], found["before"]
    table.add_row(
        name, f"{seconds:.2f}", f"{loop:.1f}", f"{loop / seconds:.0f}x", f"{peak:.0f}", f"{peak - before:.0f}"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ours(sys.argv[2:], sys.argv[1])
    else:
        main()
