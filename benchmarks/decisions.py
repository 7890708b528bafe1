"""Decisions between systems: how often they are right, by simulation.

Gold is uniform on 0..5. Each system adds normal noise, of which 36 % of the variance is shared by all; the larger the
noise, the worse the system, so that it is known which systems are best, equal to the baseline, or worse by a margin.
Every sample is decided on as the library does by default.

- best: the share of samples in which the systems that are not significantly worse than the best hold all of the best,
  the share in which they hold the first of them, and their mean number.
- against: the share of samples in which any system that equals the baseline is called better or worse.
- margin: the share of samples in which a system that is worse by exactly the margin is called not worse by more, and
  in which one that differs by exactly the margin is called equivalent.
- power: after the number of items that was said to decide with a chance of 80 %, the share of samples that decide.

    python benchmarks/decisions.py --kinds best,against --items 20,50 --replications 1000 --json table.json
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from similitude.data.scale import Scale
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.evaluate.significance import Decision, Evidence, confidence, decision_on

ITEMS, MEASURES = (20, 50, 200, 2000), ("spearman", "mae")
BATCH_CELLS = 100_000
"""A process works on about this many predictions before it reports."""


class Case(NamedTuple):
    """What is simulated.

    Attributes:
        kind: best, against, margin or power.
        design: how good the systems are.
        noise: the noise of each system.
        baseline: the system that the others are compared with; None for the best.
    """

    kind: str
    design: str
    noise: tuple[float, ...]
    baseline: int | None = None


class Batch(NamedTuple):
    """Some samples of one case."""

    case: Case
    measure: str
    items: int
    first: int
    last: int
    seed: int


class Row(NamedTuple):
    """One row of a table: means over samples, and the standard error of the first."""

    kind: str
    design: str
    systems: int
    measure: str
    items: int
    means: tuple[float, ...]
    error: float
    replications: int


HEADS = {
    "best": ("holds all of the best", "holds the first", "size"),
    "against": ("any false verdict", "true differences found"),
    "margin": ("called not worse", "called equivalent"),
    "power": ("decided", "items said"),
}


def cases() -> Iterator[Case]:
    """Ties, one ahead of the rest, two ahead of the rest, and a spread."""
    for systems in (2, 5, 20):
        yield Case("best", "all equal", (1.0,) * systems)
        yield Case("best", "one ahead", (1.0, *(1.1,) * (systems - 1)))
        if systems > 2:
            yield Case("best", "two ahead", (1.0, 1.0, *(1.1,) * (systems - 2)))
            yield Case("best", "two far ahead", (1.0, 1.0, *(2.0,) * (systems - 2)))
            yield Case("best", "spread", tuple(np.linspace(1.0, 1.5, systems).tolist()))
        yield Case("against", "all equal", (1.0,) * systems, 0)
        if systems > 2:
            half = systems // 2
            yield Case("against", "half better", (*(1.0,) * (systems - half), *(0.7,) * half), 0)
        yield Case("margin", "all worse by the margin", (1.0, *(1.1,) * (systems - 1)), 0)
    yield Case("power", "best of two", (1.0, 1.05))
    yield Case("power", "best of five", (1.0, 1.05, 1.1, 1.15, 1.2))
    yield Case("power", "against one of five", (1.05, 1.0, 1.1, 1.15, 1.2), 0)


def draw(noise: tuple[float, ...], items: int, rng: np.random.Generator) -> Comparison:
    """One sample."""
    gold = rng.uniform(0, 5, items)
    shared, own = rng.normal(size=items), rng.normal(size=(len(noise), items))
    predicted = gold + np.array(noise)[:, None] * (0.6 * shared + 0.8 * own)
    return Comparison.of_scores(gold, predicted, Scale(low=0, high=5))


def evidence_of(case: Case, name: str, items: int, rng: np.random.Generator) -> Evidence:
    """What one sample tells."""
    measure, made = make_measure(name), draw(case.noise, items, rng)
    values = np.array([figure.value for figure in measure(made)])
    return Evidence.of_confidence(confidence(made, [measure]), 0, values, higher_is_better=measure.higher_is_better)


def decided(case: Case, name: str, items: int, rng: np.random.Generator, margin: float | None = None) -> Decision:
    return decision_on(evidence_of(case, name, items, rng), baseline=case.baseline, margin=margin)


def best(case: Case, name: str, items: int, rng: np.random.Generator) -> tuple[float, ...]:
    found = decided(case, name, items, rng).may_be_best
    true = {row for row, noise in enumerate(case.noise) if noise == min(case.noise)}
    return true <= set(found), 0 in found, len(found)


def against(case: Case, name: str, items: int, rng: np.random.Generator) -> tuple[float, ...]:
    made = decided(case, name, items, rng).contrasts
    equal = [one.verdict != "undecided" for one in made if case.noise[one.system] == case.noise[0]]
    other = [one.verdict == "better" for one in made if case.noise[one.system] != case.noise[0]]
    return any(equal), float(np.mean(other)) if other else float("nan")


def margin(case: Case, name: str, items: int, rng: np.random.Generator) -> tuple[float, ...]:
    made = decided(case, name, items, rng, true_margin(case, name)).contrasts
    return any(one.is_not_worse(0.95) for one in made), any(one.is_equivalent(0.95) for one in made)


def true_margin(case: Case, name: str) -> float:
    """How much worse the second system is."""
    one, other = true_figures(case.noise[:2], name)
    return abs(one - other)


@cache
def true_figures(noise: tuple[float, ...], name: str) -> tuple[float, ...]:
    """The figures of 2,000,000 items."""
    rng = np.random.default_rng(1)
    samples = [make_measure(name).values(draw(noise, 200_000, rng)) for _ in range(10)]
    return tuple(np.mean(samples, axis=0).tolist())


def power(case: Case, name: str, items: int, rng: np.random.Generator) -> tuple[float, ...]:
    needed = needed_items(case, name, items)
    found = decided(case, name, needed, rng)
    if case.baseline is None:
        return len(found.may_be_best) == 1, needed
    return next(one.verdict == "better" for one in found.contrasts if one.system == 1), needed


@cache
def needed_items(case: Case, name: str, items: int) -> int:
    """The number that is said of a sample whose figures are the true ones, with the mean covariance of 50 samples."""
    rng = np.random.default_rng(2)
    samples = [evidence_of(case, name, items, rng) for _ in range(50)]
    seen = Evidence.of_covariance(
        np.array(true_figures(case.noise, name)),
        np.mean([one.covariance for one in samples], axis=0),
        float(np.median([one.freedom for one in samples])),
        units=items,
        higher_is_better=samples[0].higher_is_better,
    )
    found = decision_on(seen, baseline=case.baseline)
    more = next((one.more_units for one in found.contrasts if one.system == 1), found.more_units)
    return items + (more or 0)


SIMULATED: dict[str, Callable[[Case, str, int, np.random.Generator], tuple[float, ...]]] = {
    "best": best,
    "against": against,
    "margin": margin,
    "power": power,
}


def simulate(batch: Batch) -> tuple[Batch, np.ndarray]:
    case, name = batch.case, zlib.crc32(repr((*batch.case, batch.measure)).encode())
    seeds = ([batch.seed, name, batch.items, place] for place in range(batch.first, batch.last))
    made = [SIMULATED[case.kind](case, batch.measure, batch.items, np.random.default_rng(seed)) for seed in seeds]
    return batch, np.array(made, dtype=np.float64)


def batches(asked: argparse.Namespace) -> list[Batch]:
    """Some samples of every row, then some more."""
    chosen = [
        case
        for case in cases()
        if case.kind in asked.kinds and len(case.noise) in asked.systems and re.search(asked.designs, case.design)
    ]
    sizes = {"power": (200,)}
    wanted = [
        (case, measure, items)
        for case in chosen
        for measure in asked.measures
        for items in sizes.get(case.kind, asked.items)
    ]
    found = []
    for case, measure, items in wanted:
        step = max(1, BATCH_CELLS // ((items + 1000) * len(case.noise)))
        for first in range(0, asked.replications, step):
            found.append(Batch(case, measure, items, first, min(first + step, asked.replications), asked.seed))
    return sorted(found, key=lambda batch: batch.first)


def run(asked: argparse.Namespace) -> list[Row]:
    """All samples, or as many of each row as the time allows."""
    work, end = batches(asked), time.monotonic() + 60 * asked.minutes
    found: dict[tuple[Case, str, int], list[np.ndarray]] = {}
    with get_context("spawn").Pool(asked.processes) as pool, Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("simulating", total=sum(batch.last - batch.first for batch in work))
        for batch, made in pool.imap_unordered(simulate, work):
            found.setdefault((batch.case, batch.measure, batch.items), []).append(made)
            progress.advance(task, len(made))
            if time.monotonic() > end:
                pool.terminate()
                break
    return [_row(*key, np.concatenate(made)) for key, made in sorted(found.items(), key=_place)]


def _place(found: tuple[tuple[Case, str, int], list[np.ndarray]]) -> tuple[str, int, str, str, int]:
    (case, measure, items), _ = found
    return case.kind, len(case.noise), case.design, measure, items


def _row(case: Case, measure: str, items: int, made: np.ndarray) -> Row:
    share = float(made[:, 0].mean())
    error = (share * (1 - share) / len(made)) ** 0.5
    return Row(case.kind, case.design, len(case.noise), measure, items, tuple(made.mean(axis=0)), error, len(made))


def shown(kind: str, rows: list[Row]) -> Table:
    table = Table("design", "systems", "measure", "items", *HEADS[kind], "SE", "samples", title=kind)
    for row in rows:
        means = ("" if mean != mean else f"{mean:.3f}" if mean <= 1 else f"{mean:,.1f}" for mean in row.means)
        plain = row.design, f"{row.systems}", row.measure, f"{row.items:,}"
        table.add_row(*plain, *means, f"{row.error:.3f}", f"{row.replications:,}")
    return table


def options() -> argparse.Namespace:
    def names(text: str) -> tuple[str, ...]:
        return tuple(text.split(","))

    def numbers(text: str) -> tuple[int, ...]:
        return tuple(int(part) for part in text.split(","))

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--replications", type=int, default=200, metavar="N", help="samples per row (200)")
    parser.add_argument("--minutes", type=float, default=60, metavar="M", help="stop after so many minutes (60)")
    parser.add_argument("--kinds", type=names, default=tuple(HEADS), metavar="best,...", help="only these kinds")
    parser.add_argument("--designs", default="", metavar="REGEX", help="only designs that match")
    parser.add_argument("--systems", type=numbers, default=(2, 5, 20), metavar="2,5,20")
    parser.add_argument("--items", type=numbers, default=ITEMS, metavar="20,50,...", help="only these numbers of items")
    parser.add_argument("--measures", type=names, default=MEASURES, metavar="spearman,...")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), metavar="K", help="default: all cores")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the rows here")
    return parser.parse_args()


def main() -> None:
    asked = options()
    # One thread for each process: small matrix products only lose by more.
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    rows, console = run(asked), Console(width=150)
    for kind in asked.kinds:
        console.print(shown(kind, [row for row in rows if row.kind == kind]))
    if asked.json is not None:
        asked.json.write_text(json.dumps([row._asdict() for row in rows], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
