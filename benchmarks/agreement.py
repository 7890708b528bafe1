"""Krippendorff's alpha against the ``krippendorff`` package, and split-half reliability against a plain Python loop.

Alpha is computed on 15,000 units x 19 raters. The ratings resemble USTS (0 to 5 in steps of 0.1), a fifth of them is
missing, and a second set has five labels. Both sides take turns and must agree to 1e-9. Neither computes intervals.

Split-half reliability is computed on Ruddit if evidence/ has it, and otherwise on simulated answers of the same
size. The loop is what one would write without Similitude: shuffle the answers to each tuple, split them, count best,
worst and appearances in dictionaries, and correlate. A few repeats of the loop are timed and scaled up; ours is timed
in full.

``--large`` instead takes a million ratings (200,000 items x 5 of 500 raters) and a million best-worst answers (200,000
tuples x 5): alpha with its interval against the package, which has none, and everything that ``similitude
reliability`` computes with 1,000 resamples. Each runs in a process of its own, whose peak memory is shown.
"""

from __future__ import annotations

import argparse
import bz2
import random
import resource
import time
from collections import defaultdict
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import krippendorff
import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table
from scipy import stats as scipy_stats

from large_judgements import large_answers, large_ratings
from similitude.data.judgements import Judgements
from similitude.gold.reliability.alpha import krippendorff_alpha
from similitude.gold.reliability.assessment import assess
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.random_halves import BestWorstHalves
from similitude.gold.reliability.split_half import split_half
from similitude.gold.reliability.tuple_answers import TupleAnswers

UNITS, RATERS = 15_000, 19
TURNS, LEAST_SECONDS = 3, 1.0
REPEATS, SAMPLE = 1000, 5
LIMIT_ALPHA, LIMIT_SPLIT_HALF = 5, 50
LARGE, PER_UNIT = 1_000_000, 5
LEVELS = ("interval", "ordinal", "nominal", "ratio")
RUDDIT = Path(__file__).parents[1] / "evidence" / "ruddit" / "Ruddit_individual_annotations.csv.bz2"

Annotation = tuple[list[str], str, str]


def ratings() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    truth = rng.uniform(0, 5, UNITS)
    opinions = np.clip(np.round(truth + rng.normal(0, 0.7, (RATERS, UNITS)), 1), 0, 5)
    missing = np.where(rng.random(opinions.shape) < 0.2, np.nan, opinions)
    return {"51 values": opinions, "51 values, 20 % missing": missing, "5 labels": np.clip(np.ceil(opinions), 1, 5)}


def best_of_turns(works: list[Callable[[], object]]) -> list[float]:
    """The fastest of three runs of each or more, taking turns so that a slow moment of the machine hits all."""
    took: list[list[float]] = [[] for _ in works]
    while len(took[0]) < TURNS or sum(map(sum, took)) < LEAST_SECONDS:
        for times, work in zip(took, works, strict=True):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
    return [min(times) for times in took]


def compare_alpha() -> Table:
    title = f"Krippendorff's alpha, {UNITS:,} units x {RATERS} raters (limit {LIMIT_ALPHA}x on 51 values)"
    table = Table("ratings", "level", "ours / ms", "krippendorff / ms", "ratio", title=title)
    for name, values in ratings().items():
        for level in LEVELS:

            def ours(values: np.ndarray = values, level: str = level) -> float:
                return krippendorff_alpha(values, level, resampling=NO_INTERVALS).value  # type: ignore[arg-type]

            def peer(values: np.ndarray = values, level: str = level) -> float:
                return float(krippendorff.alpha(values, level_of_measurement=level))  # type: ignore[arg-type]

            np.testing.assert_allclose(ours(), peer(), atol=1e-9, rtol=0)
            fast, slow = best_of_turns([ours, peer])
            table.add_row(name, level, f"{fast * 1e3:.1f}", f"{slow * 1e3:.0f}", f"{slow / fast:.1f}x")
        table.add_section()
    return table


def annotations() -> tuple[str, pl.DataFrame]:
    if RUDDIT.is_file():
        rows = pl.read_csv(bz2.decompress(RUDDIT.read_bytes()))
        return "Ruddit", rows.select(items=pl.concat_list("^Item.$"), best="BestItem", worst="WorstItem")
    rng = np.random.default_rng(0)
    shown = np.repeat(np.array([rng.choice(6000, 4, replace=False) for _ in range(13_000)]), 6, axis=0)
    impression = shown / 6000 + rng.normal(0, 0.2, shown.shape)
    best, worst = (
        np.take_along_axis(shown, at[:, None], axis=1)[:, 0] for at in (impression.argmax(1), impression.argmin(1))
    )
    frame = pl.DataFrame({"items": shown.tolist(), "best": best, "worst": worst})
    strings = [pl.col("items").cast(pl.List(pl.String)), pl.col("best", "worst").cast(pl.String)]
    return "made-up answers", frame.with_columns(*strings)


def counted(rows: list[Annotation]) -> dict[str, float]:
    best, worst, shown = (defaultdict(int) for _ in range(3))
    for items, most, least in rows:
        best[most] += 1
        worst[least] += 1
        for item in items:
            shown[item] += 1
    return {item: (best[item] - worst[item]) / number for item, number in shown.items()}


def correlated(one: dict[str, float], other: dict[str, float]) -> tuple[float, float]:
    items = [item for item in one if item in other]
    first, second = [one[item] for item in items], [other[item] for item in items]
    return scipy_stats.spearmanr(first, second).statistic, scipy_stats.pearsonr(first, second).statistic


def looped(by_tuple: list[list[Annotation]], repeats: int) -> np.ndarray:
    """Spearman and Pearson of every repeat."""
    found = []
    for _ in range(repeats):
        halves: tuple[list[Annotation], list[Annotation]] = ([], [])
        for rows in by_tuple:
            shuffled = random.sample(rows, len(rows))
            cut = (len(rows) + random.getrandbits(1)) // 2
            halves[0].extend(shuffled[:cut])
            halves[1].extend(shuffled[cut:])
        found.append(correlated(counted(halves[0]), counted(halves[1])))
    return np.array(found)


def check_one_cut(judgements: Judgements, rows: list[Annotation]) -> None:
    """Both sides must give the same scores for the same halves."""
    answers = TupleAnswers.of(judgements)
    in_first = np.random.default_rng(0).random((len(rows), 1)) < 0.5
    first = BestWorstHalves(answers).scores(in_first).first[0]
    expected = counted([row for row, there in zip(rows, in_first[:, 0], strict=True) if there])
    np.testing.assert_allclose(first, [expected.get(item, np.nan) for item in answers.items], atol=1e-9, rtol=0)


def compare_split_half() -> Table:
    name, frame = annotations()
    judgements = Judgements(name=name, frame=frame)
    rows: list[Annotation] = list(frame.iter_rows())
    by_tuple: dict[str, list[Annotation]] = defaultdict(list)
    for question, row in zip(judgements.frame["question"], rows, strict=True):
        by_tuple[question].append(row)
    check_one_cut(judgements, rows)
    start = time.perf_counter()
    loop = looped(list(by_tuple.values()), SAMPLE)
    slow = (time.perf_counter() - start) * REPEATS / SAMPLE
    start = time.perf_counter()
    ours = split_half(judgements, repeats=REPEATS, resampling=NO_INTERVALS)
    fast = time.perf_counter() - start
    table = Table(
        "", "seconds", "Pearson, mean", "sd", "ratio",
        title=f"{REPEATS:,} split-half repeats on {name}, {len(rows):,} answers (limit {LIMIT_SPLIT_HALF}x)",
    )  # fmt: skip
    means, sds = loop.mean(axis=0), loop.std(axis=0, ddof=1)
    table.add_row("ours", f"{fast:.2f}", f"{ours.pearson.value:.4f}", f"{ours.pearson_sd:.4f}", f"{slow / fast:.0f}x")
    table.add_row(f"loop (from {SAMPLE})", f"{slow:.0f}", f"{means[1]:.4f}", f"{sds[1]:.4f}", "")
    return table


def large_matrix() -> np.ndarray:
    """The ratings of each item, as the package reads them; who gave which does not matter to alpha."""
    return large_ratings(LARGE).frame["value"].to_numpy().reshape(-1, PER_UNIT).T.copy()


def our_alpha(level: str) -> float:
    return krippendorff_alpha(large_matrix(), level).value  # type: ignore[arg-type]


def peer_alpha(level: str) -> float:
    return float(krippendorff.alpha(large_matrix(), level_of_measurement=level))  # type: ignore[arg-type]


def assessed(kind: str) -> float:
    return assess((large_ratings if kind == "ratings" else large_answers)(LARGE)).agreement[0].estimate.value


def halved(kind: str) -> float:
    return split_half((large_ratings if kind == "ratings" else large_answers)(LARGE)).pearson.value


def made(kind: str) -> float:
    return float(len((large_ratings if kind == "ratings" else large_answers)(LARGE)))


WORKS = {work.__name__: work for work in (our_alpha, peer_alpha, halved, assessed, made)}


def measured(work: str, about: str) -> tuple[float, float, float]:
    """The figure, the seconds, and the peak memory of the process in GB."""
    start = time.perf_counter()
    value = WORKS[work](about)
    return value, time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def alone(work: str, about: str) -> tuple[float, float, float]:
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(measured, (work, about))


def compare_large() -> Table:
    title = f"{LARGE:,} ratings or answers, 1,000 resamples; making the data included (limit 60 s, 2 GB)"
    table = Table("", "ours / s", "ours / GB", "krippendorff / s", "krippendorff / GB", "ratio", title=title)
    for level in LEVELS:
        (value, fast, ours), (peer, slow, theirs) = alone("our_alpha", level), alone("peer_alpha", level)
        np.testing.assert_allclose(value, peer, atol=1e-9, rtol=0)
        row = (f"{fast:.1f}", f"{ours:.2f}", f"{slow:.1f}", f"{theirs:.2f}", f"{slow / fast:.1f}x")
        table.add_row(f"alpha, {level}; ours with interval", *row)
    for kind in ("ratings", "best-worst"):
        _, making, least = alone("made", kind)
        for name, work in (("split-half", "halved"), ("reliability", "assessed")):
            _, seconds, memory = alone(work, kind)
            about = f"{name} of {kind} (data alone: {making:.1f} s, {least:.2f} GB)"
            table.add_row(about, f"{seconds:.1f}", f"{memory:.2f}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--large", action="store_true", help="also a million ratings and answers")
    console, asked = Console(width=130), parser.parse_args()
    if asked.large:
        console.print(compare_large())
        return
    console.print(compare_alpha())
    console.print(compare_split_half())


if __name__ == "__main__":
    main()
