"""The benchmarks of a five-settings study, each split into training, validation and test items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.provenance import Provenance
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError
from similitude.training.splits import draw_items, drawn_notes, training_data

__all__ = ["Domain", "merged", "open_domains"]

TEST = "test"
TEST_SHARE = 0.2


class Domain(NamedTuple):
    """A benchmark in three parts, with notes for the user.

    Attributes:
        family: of the benchmark; a cross-domain model learns from the other families alone.
    """

    name: str
    family: str
    train: Benchmark
    validation: Benchmark
    test: Benchmark
    notes: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()

    @property
    def has_spread(self) -> bool:
        """Whether the gold of the training items says how far people differ."""
        gold = self.train.gold
        return gold.ratings is not None or gold.sigmas is not None


def open_domains(
    data: Sequence[str], *, seed: int = 0, limit: int | None = None, test_limit: int | None = None, **reading: Any
) -> tuple[Domain, ...]:
    """Open benchmarks and split each into three parts.

    A folder of several benchmarks, such as ``usts`` with ``ustsu`` and ``ustsc``, is opened as those, which are one
    family. A single benchmark whose items come from several domains is divided by domain; each is a family.

    Args:
        data: what `open_benchmark` takes, or folders of such.
        seed: of random splits.
        limit: items of each benchmark to learn from.
        test_limit: validation items, and test items, of each benchmark.
        **reading: options of `open_benchmark`.

    Raises:
        InputError: a file cannot be read, or a part has too few items.
        ArgumentError: two benchmarks have the same name.
    """
    opened = [(written, benchmark) for written in data for benchmark in _opened(written, reading)]
    if len(opened) == 1:
        opened = [(part.name, part) for part in _by_domain(opened[0][1])]
    domains = tuple(_domain(benchmark, family, seed, limit, test_limit) for family, benchmark in opened)
    names = [domain.name for domain in domains]
    if doubles := [name for name in names if names.count(name) > 1]:
        remedy = "give each benchmark once, with all its files in one folder"
        raise ArgumentError(f"two benchmarks are called '{doubles[0]}'", remedy=remedy)
    return domains


def merged(benchmarks: Sequence[Benchmark]) -> Benchmark:
    """Concatenate benchmarks; scores and ratings are mapped to the scale of the first.

    Raises:
        InputError: one of them has no scale.
    """
    if len(benchmarks) == 1:
        return benchmarks[0]
    first = _scale(benchmarks[0])
    frames = [_renamed(benchmark, _scale(benchmark), first) for benchmark in benchmarks]
    judges = dict.fromkeys(one.provenance.judged_by for one in benchmarks if one.provenance.judged_by)
    return Benchmark(
        name=" + ".join(benchmark.name for benchmark in benchmarks),
        frame=pl.concat(frames),
        scale=first,
        provenance=Provenance(format="several", judged_by="; ".join(judges) or None),
    )


def _opened(written: str, reading: dict[str, Any]) -> Iterator[Benchmark]:
    folder = Path(written)
    try:
        yield open_benchmark(written, **reading)
    except InputError:
        inside = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
        found = [benchmark for path in inside if (benchmark := _opened_if_one(path, reading)) is not None]
        if not found:
            raise
        yield from found


def _opened_if_one(path: Path, reading: dict[str, Any]) -> Benchmark | None:
    try:
        return open_benchmark(str(path), **reading)
    except InputError:
        return None


def _by_domain(benchmark: Benchmark) -> Iterator[Benchmark]:
    names = benchmark.frame["domain"].drop_nulls().unique(maintain_order=True).to_list()
    if len(names) < 2:
        yield benchmark
        return
    for name in names:
        yield replace(benchmark, name=name, frame=benchmark.frame.filter(pl.col("domain") == name))


def _domain(benchmark: Benchmark, family: str, seed: int, limit: int | None, test_limit: int | None) -> Domain:
    named = replace(benchmark, name=_short(benchmark))
    rest, test, notes = _without_test(named, seed)
    parts = training_data(rest, seed=seed)
    few = {
        "train": draw_items(parts.train, limit, seed),
        "validation": draw_items(parts.validation, test_limit, seed),
        "test": draw_items(test, test_limit, seed),
    }
    told, drawn = (
        tuple(f"{named.name}: {note}" for note in some) for some in ((*notes, *parts.notes), drawn_notes(**few))
    )
    return Domain(name=named.name, family=family, **few, notes=told, drawn=drawn)


def _short(benchmark: Benchmark) -> str:
    """The name of its only domain if it is part of the sample; otherwise its own name."""
    domains = benchmark.frame["domain"].unique().to_list()
    only = domains[0] if len(domains) == 1 else None
    return only if only is not None and benchmark.provenance.format == "generated" else benchmark.name


def _without_test(benchmark: Benchmark, seed: int) -> tuple[Benchmark, Benchmark, tuple[str, ...]]:
    """All other items, and the test items: the split "test", or a fifth of the sentence pairs."""
    split = benchmark.frame["split"]
    is_test = (split == TEST).fill_null(False).to_numpy()
    known = benchmark.frame["score"].is_not_null().to_numpy()
    if (is_test & known).any() and not is_test.all():
        return benchmark.take(np.flatnonzero(~is_test)), benchmark.take(np.flatnonzero(is_test & known)), ()
    usable = benchmark.take(np.flatnonzero(known & ~is_test)) if not is_test.all() else benchmark.select(with_gold=True)
    learned = usable.select(split="train") if "train" in usable.splits else usable
    test = draw_items(learned, max(1, round(TEST_SHARE * len(learned))), seed)
    chosen = usable.frame["id"].is_in(test.frame["id"].to_list()).to_numpy()
    note = f"no split 'test' with gold, so {len(test):,} items ({TEST_SHARE:.0%} of the sentence pairs) are test items"
    return usable.take(np.flatnonzero(~chosen)), usable.take(np.flatnonzero(chosen)), (note,)


def _scale(benchmark: Benchmark) -> Scale:
    if benchmark.scale is None:
        raise InputError("the scale of the scores is unknown", where=benchmark.name, remedy="declare it: --scale 0..5")
    return benchmark.scale


def _renamed(benchmark: Benchmark, own: Scale, wanted: Scale) -> pl.DataFrame:
    """The items with unique ids and groups, and scores on the wanted scale."""
    prefix = pl.lit(f"{benchmark.name}:")
    slope = wanted.width / own.width

    def moved(value: pl.Expr) -> pl.Expr:
        return (value - own.low) * slope + wanted.low

    frame = benchmark.frame.with_columns(id=prefix + pl.col("id"), group=prefix + pl.col("group"))
    if own.same_ends(wanted):
        return frame
    return frame.with_columns(
        moved(pl.col("score")),
        pl.col("sigma") * slope,
        pl.col("ratings").list.eval(moved(pl.element())),
    )
