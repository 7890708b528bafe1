"""Intervals and tests: ours against a loop over scipy, and against scipy's bootstrap.

First table: 10,000 paired resamples of 3,000 pairs x 10 systems, three measures. The loop is what one would write
without Similitude: draw items, select them, call ``pearsonr`` and ``spearmanr``, and rank for nDCG@10, system by
system. It is timed on a few resamples and scaled up, because all 10,000 would take minutes. On those few, all figures
of both sides must agree to 1e-9. Ours is timed in full, with the draws.

Second table: the usual intervals and tests of the default measures and Kendall's tau on 100,000 and 1,000,000 pairs x 5
systems, against ``scipy.stats.bootstrap`` (2,000 resamples, percentile), which is timed on one system and a few
resamples and scaled up, because all of it would take hours on 1,000,000 pairs. It gives intervals alone, no tests.

Each row of ours runs in its own process, whose peak memory is compared with its memory at the start.
"""

from __future__ import annotations

import argparse
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
from similitude.evaluate.measures import DEFAULT_MEASURES, make_measure
from similitude.evaluate.significance import confidence

ITEMS, SYSTEMS, RESAMPLES, SAMPLE = 3000, 10, 10_000, 20
LIMIT_RATIO, LIMIT_MEBIBYTES = 20, 1024
NAMES = ("pearson", "spearman", "ndcg@10")
LARGE, LARGE_SYSTEMS, LARGE_RESAMPLES = (100_000, 1_000_000), 5, 2000
PEER_RESAMPLES = 5


def made(items: int = ITEMS, systems: int = SYSTEMS) -> Comparison:
    rng = np.random.default_rng(0)
    gold = np.round(rng.uniform(0, 5, items) * 5) / 5
    noise = rng.normal(0, np.linspace(0.8, 1.2, systems)[:, None], (systems, items))
    return Comparison.of_scores(gold, gold + noise, Scale(low=0, high=5))


def ndcg_at_10(gold: np.ndarray, predicted: np.ndarray) -> float:
    discounts = np.append(1.0, 1 / np.log2(np.arange(2, 11)))
    ranked = gold[np.argsort(-predicted)[:10]]
    return float(ranked @ discounts / (np.sort(gold)[::-1][:10] @ discounts))


def f1(gold: np.ndarray, predicted: np.ndarray) -> float:
    both = np.count_nonzero(gold & predicted)
    return 2 * both / (np.count_nonzero(gold) + np.count_nonzero(predicted))


PEERS: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "pearson": lambda g, p: scipy_stats.pearsonr(g, p).statistic,
    "spearman": lambda g, p: scipy_stats.spearmanr(g, p).statistic,
    "kendall": lambda g, p: scipy_stats.kendalltau(g, p).statistic,
    "ndcg@10": ndcg_at_10,
    "f1_low": lambda g, p: f1(g < 1.5, p < 1.5),
    "f1_high": lambda g, p: f1(g > 3.5, p > 3.5),
    "mae": lambda g, p: float(np.abs(g - p).mean()),
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


def bootstrapped(name: str, items: int) -> float:
    """Seconds that `scipy.stats.bootstrap` would take for all systems and resamples, from a few of one."""
    comparison = made(items, 1)
    start = time.perf_counter()
    scipy_stats.bootstrap(
        (comparison.gold, comparison.predicted[0]),
        PEERS[name],
        n_resamples=PEER_RESAMPLES,
        paired=True,
        vectorized=False,
        method="percentile",
        rng=np.random.default_rng(0),
    )
    return (time.perf_counter() - start) * LARGE_RESAMPLES / PEER_RESAMPLES * LARGE_SYSTEMS


def ours(names: list[str], method: str, items: int) -> None:
    """Run in a process of its own: prints seconds, and mebibytes before and at the peak."""
    comparison, measures = made(items, SYSTEMS if items == ITEMS else LARGE_SYSTEMS), list(map(make_measure, names))
    small = made(50, 2)
    confidence(small, measures, resamples=2, method="percentile")  # whatever is imported late
    confidence(small, measures)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    confidence(comparison, measures, resamples=None if method == "auto" else RESAMPLES, method=method)  # type: ignore[arg-type]
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": seconds, "before": before / 1024, "peak": peak / 1024}))


def in_its_own_process(names: tuple[str, ...], method: str, items: int = ITEMS) -> dict[str, float]:
    command = [sys.executable, __file__, "--ours", method, "--items", str(items), *names]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def bootstrap_table() -> Table:
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
    return table


def usual_table(items: int) -> Table:
    table = Table(
        "measure", "ours / s", f"scipy.stats.bootstrap / s (from {PEER_RESAMPLES})",
        "ratio", "peak / MiB", "of it growth / MiB",
        title=f"usual intervals and tests, {items:,} pairs x {LARGE_SYSTEMS} systems",
    )  # fmt: skip
    peers = {name: bootstrapped(name, items) for name in (*DEFAULT_MEASURES, "kendall")}
    for name, seconds in peers.items():
        add_row(table, name, in_its_own_process((name,), "auto", items), seconds)
    table.add_section()
    whole = in_its_own_process(DEFAULT_MEASURES, "auto", items)
    add_row(table, "default measures", whole, sum(peers[name] for name in DEFAULT_MEASURES))
    return table


def add_row(table: Table, name: str, found: dict[str, float], loop: float) -> None:
    seconds, peak, before = found["seconds"], found["peak"], found["before"]
    table.add_row(
        name, f"{seconds:.2f}", f"{loop:,.1f}", f"{loop / seconds:,.0f}x", f"{peak:.0f}", f"{peak - before:.0f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--ours", metavar="METHOD", help=argparse.SUPPRESS)
    parser.add_argument("--items", type=int, action="append", help="numbers of pairs of the second kind of table")
    asked = parser.parse_args()
    if asked.ours:
        ours(asked.names, asked.ours, asked.items[0])
        return
    console = Console(width=120)
    if not asked.items:
        console.print(bootstrap_table())
        print(f"limits: ratio at least {LIMIT_RATIO}x, peak under {LIMIT_MEBIBYTES} MiB; figures agree to 1e-9")
    for items in asked.items or LARGE:
        console.print(usual_table(items))


if __name__ == "__main__":
    main()
