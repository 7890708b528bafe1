"""Items ranked by how far a system expects people to differ over them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from similitude.data.addresses import BenchmarkData, open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener, System
from similitude.data.scale import Scale
from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError, PredictionError
from similitude.evaluate.rescaling import mapping_from_range
from similitude.gold.reliability.rounds import TIPPING_POINT
from similitude.systems import make_system
from similitude.systems.attach_cache import AnswersChoice, CacheChoice, attach_chosen
from similitude.systems.scores import score_items

__all__ = ["Expectation", "expect_disagreement", "write_expectation"]

SUFFIXES = (".csv", ".jsonl")


@dataclass(frozen=True, kw_only=True, eq=False)
class Expectation:
    """A ranking of items by expected disagreement.

    Attributes:
        system: its identity.
        data: the name of the items.
        scale: of mean and sigma; None if unknown.
        table: one row per item, most contentious first: rank, id, left, right, expected_mean, expected_sigma.
        asked: the number of items that the system scored.
        contentious: how many of them have a sigma above a tenth of the scale; None if the scale is unknown.
        notes: of the system.
    """

    system: str
    data: str
    scale: Scale | None
    table: pl.DataFrame
    asked: int
    contentious: int | None
    notes: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "system": self.system,
            "data": self.data,
            "scale": None if self.scale is None else str(self.scale),
            "asked": self.asked,
            "contentious": self.contentious,
            "items": self.table.to_dicts(),
        }


def expect_disagreement(
    data: BenchmarkData,
    system: str | System,
    *,
    top: int | None = None,
    above: float | None = None,
    seed: int = 0,
    cache: CacheChoice = "usual",
    answers: AnswersChoice = "usual",
    listener: Listener | None = None,
) -> Expectation:
    """Rank items by how far a system expects people to differ over them; gold is not used.

    Mean and sigma are on the scale of the benchmark if it has one, otherwise on that of the system. Items of equal
    sigma keep the order of the data.

    Args:
        data: the items: a benchmark, or what `similitude.read` takes.
        system: one that predicts a standard deviation.
        top: the number of items to keep.
        above: keep items with a larger sigma only.
        seed: of the order in which the system sees the items.
        cache: where encoders keep vectors; "usual" for the folder that the command line uses, None for nowhere.
        answers: where answers of language models are kept, likewise.
        listener: is told the progress.

    Raises:
        ArgumentError: the system predicts no standard deviation, or no item is left.
        PredictionError: a prediction is not a number.

    >>> import similitude as sim
    >>> sim.contentious("new-pairs.csv", "uncertain(my-model)", top=100).table  # doctest: +SKIP
    """
    benchmark = open_benchmark(data)
    [made] = attach_chosen([make_system(system)], cache, answers, listener)
    name = str(made.identity)
    predictions, record = score_items(made, benchmark.items, np.random.default_rng(seed), listener)
    if predictions.sigmas is None or np.isnan(predictions.sigmas).all():
        remedy = "use one that does, such as uncertain(FOLDER), made by 'similitude train uncertain'"
        raise ArgumentError(f"system '{name}' does not predict how far people differ", remedy=remedy)
    scale = benchmark.scale or made.range
    on_scale = mapping_from_range(made.range, scale).apply(predictions)
    assert on_scale.sigmas is not None  # a mapping from a range keeps them
    bad = np.flatnonzero(~(np.isfinite(on_scale.scores) & np.isfinite(on_scale.sigmas)))
    if bad.size:
        what = f"system '{name}' gave no number for item '{benchmark.items.ids[bad[0]]}'"
        raise PredictionError(what, where=benchmark.name, remedy="fix the system, or leave the item out")
    table = _ranked(benchmark, on_scale.scores, on_scale.sigmas)
    is_contentious = None if scale is None else table["expected_sigma"] > TIPPING_POINT * scale.width
    return Expectation(
        system=name,
        data=benchmark.name,
        scale=scale,
        table=_kept(table, top, above),
        asked=len(benchmark),
        contentious=None if is_contentious is None else int(is_contentious.sum()),
        notes=record.notes,
    )


def write_expectation(expected: Expectation, path: str | Path) -> Path:
    """Write the ranked items as CSV or JSON lines, completely or not at all.

    An annotation study takes the file as ``[second_round] items`` and reads only the ids.

    Raises:
        ArgumentError: the suffix is unknown, or the file cannot be written.
    """
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        what = f"'{target.name}' has no suffix of a known format"
        raise ArgumentError(what, remedy=f"end the name in {' or '.join(SUFFIXES)}")
    is_csv = target.suffix.lower() == ".csv"
    write_atomically(target, expected.table.write_csv if is_csv else expected.table.write_ndjson)
    return target


def _ranked(benchmark: Benchmark, means: np.ndarray[Any, Any], sigmas: np.ndarray[Any, Any]) -> pl.DataFrame:
    order = np.argsort(-sigmas, kind="stable")
    return benchmark.frame.select("id", "left", "right")[order].select(
        pl.int_range(1, len(order) + 1).alias("rank"),
        "id",
        "left",
        "right",
        pl.Series("expected_mean", means[order].round(4)),
        pl.Series("expected_sigma", sigmas[order].round(4)),
    )


def _kept(table: pl.DataFrame, top: int | None, above: float | None) -> pl.DataFrame:
    kept = table if above is None else table.filter(pl.col("expected_sigma") > above)
    if kept.is_empty():
        highest = table["expected_sigma"].to_numpy().max()
        what = f"no item has an expected sigma above {above:g}; the highest is {highest:g}"
        raise ArgumentError(what, remedy="lower --above, or use --top")
    return kept if top is None else kept.head(top)
