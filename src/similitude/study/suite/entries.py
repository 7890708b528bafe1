"""The benchmarks of a suite, opened and checked against each other before any system runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from similitude.data.addresses import SAMPLE_PREFIX, open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted
from similitude.data.reading.containers.objects import is_frame
from similitude.data.reading.sniffer import HUB
from similitude.errors import ArgumentError, InputError, SimilitudeError
from similitude.study.suite.library import SUITE_PREFIX, SuiteFile
from similitude.study.suite.plan import Place, PlannedBenchmark

__all__ = ["Suite", "SuiteEntry", "open_entries", "open_suite"]

MOST_IN_NAME = 4
"""A suite without a name is named after its benchmarks if they are not more than this."""
MOST_DETAILED = 3
"""Of so many missing benchmarks the message says where they are looked for."""
ADDRESSES = (SAMPLE_PREFIX, HUB)
"""Prefixes of data that does not lie in a folder."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SuiteEntry:
    """A benchmark of a suite.

    Attributes:
        name: its name in tables.
        benchmark: all of it, also other splits.
        split: the split to measure; None for all items.
        weight: in the mean over benchmarks.
        measure: its main measure, if it differs from that of the suite.
        path: where it was read, as the user or the suite wrote it.
    """

    name: str
    benchmark: Benchmark
    split: str | None = None
    weight: float = 1.0
    measure: str | None = None
    path: str = ""
    description: str | None = None
    licence: str | None = None
    homepage: str | None = None

    @cached_property
    def measured(self) -> Benchmark:
        """The items of the split that have gold."""
        return self.benchmark.select(split=self.split, with_gold=True)


@dataclass(frozen=True, kw_only=True, eq=False)
class Suite:
    """Benchmarks that are measured together.

    Attributes:
        name: None where the user named data only.
        entries: its benchmarks.
        measures: the main one first; empty for the usual ones.
        is_closed: whether its file says which benchmarks belong to it; if not, those in the folder join it.
        notes: what a reader must know, such as texts that two benchmarks share.
    """

    entries: tuple[SuiteEntry, ...]
    name: str | None = None
    description: str | None = None
    language: str | None = None
    licence: str | None = None
    measures: tuple[str, ...] = ()
    is_closed: bool = False
    notes: tuple[str, ...] = ()

    @property
    def described_name(self) -> str:
        """Its name, or the names of its benchmarks if they are few."""
        names = [entry.name for entry in self.entries]
        few = " + ".join(names) if len(names) <= MOST_IN_NAME else f"{names[0]} and {len(names) - 1} more benchmarks"
        return self.name or few


def open_suite(
    written: str | Path, *, folder: str | Path | None = None, skip_missing: bool = False, split: str | None = None
) -> Suite:
    """Open the benchmarks of ``suite:NAME`` or of a TOML file.

    Args:
        written: the suite.
        folder: of the data; by default $SIMILITUDE_DATA, else the folder of the file.
        skip_missing: whether to leave out benchmarks whose data is not there.
        split: of benchmarks for which the suite names none.

    Raises:
        InputError: the file or a benchmark cannot be read, or benchmarks are not there; the message lists them with
            the pages where they are published.
    """
    suite = SuiteFile.read(written)
    root, plan = suite.folder(folder), suite.plan
    places = [_place(each, root) for each in plan.benchmarks]
    missing = [each for each, place in zip(plan.benchmarks, places, strict=True) if place is None]
    if missing and (not skip_missing or len(missing) == len(places)):
        raise _missing_error(suite, missing, root, is_optional=not skip_missing)
    entries = [_opened(suite, number, place, root, split) for number, place in enumerate(places) if place is not None]
    left = [f"left out, because there is no data in {root}: {', '.join(each.name for each in missing)}"]
    return Suite(
        entries=tuple(entries),
        name=plan.name,
        description=plan.description,
        language=plan.language,
        licence=plan.licence,
        measures=plan.measures,
        is_closed=True,
        notes=tuple(left if missing else ()),
    )


def open_entries(data: Any, *, split: str | None = None, **options: Any) -> Suite:
    """Open data that the user named, each a benchmark of its own.

    Args:
        data: benchmarks, or what `open_benchmark` takes, several of them in a list or by name.
        split: of each of them.
        options: further arguments of `open_benchmark`.

    Raises:
        ArgumentError: there is no data, or the same data is named twice.
        InputError: a file cannot be read.
    """
    given = _several(data)
    _refuse_repeats([str(each) for _, each in given if isinstance(each, str | Path)])
    opened = [open_benchmark(each, **options) for _, each in given]
    own = [name or benchmark.name for (name, _), benchmark in zip(given, opened, strict=True)]
    names = _distinct_names(own, [each for _, each in given])
    entries = tuple(
        _entry(benchmark, name=name, split=split, path=str(each) if isinstance(each, str | Path) else name)
        for benchmark, name, (_, each) in zip(opened, names, given, strict=True)
    )
    return Suite(entries=entries)


def _several(data: Any) -> list[tuple[str, Any]]:
    """Each benchmark with the name that the user gave it, if any; records and columns are a single benchmark.

    Raises:
        ArgumentError: there is none.
    """
    if type(data) is dict and data and all(map(_is_whole, data.values())):
        return [(str(name), each) for name, each in data.items()]
    if not isinstance(data, list | tuple):
        return [("", data)]
    if not data:
        raise ArgumentError("there is no benchmark to run on", remedy="give at least one path, address or data frame")
    return [("", each) for each in data] if any(map(_is_whole, data)) else [("", data)]


def _is_whole(data: Any) -> bool:
    """Whether this is a benchmark of its own, and not a row or column of one."""
    return isinstance(data, Benchmark | str | Path) or is_frame(data)


def _place(planned: PlannedBenchmark, root: Path) -> Place | None:
    """The first place where the data is."""
    return next((place for place in planned.path if _is_address(place) or (root / place.path).exists()), None)


def _is_address(place: Place) -> bool:
    return place.path.startswith(ADDRESSES)


def _opened(suite: SuiteFile, number: int, place: Place, root: Path, split: str | None) -> SuiteEntry:
    planned = suite.plan.benchmarks[number]
    path = place.path if _is_address(place) else str(root / place.path)
    try:
        benchmark = open_benchmark(
            path, format=place.recipe or planned.recipe, scale=planned.scale, columns=planned.columns
        ) if not path.startswith(SAMPLE_PREFIX) else open_benchmark(path)  # fmt: skip
        benchmark = _with_sources(benchmark, planned.sources)
        wanted = place.split or planned.split or split
        return _entry(
            benchmark,
            name=planned.name,
            split=wanted if benchmark.splits else None,
            weight=planned.weight,
            measure=planned.measure,
            path=path,
            description=planned.description,
            licence=planned.licence or benchmark.licence,
            homepage=planned.homepage,
        )
    except SimilitudeError as error:
        error.where = f"{suite.where(number)}: {error.where or path}"
        raise


def _entry(benchmark: Benchmark, *, name: str, split: str | None, **others: Any) -> SuiteEntry:
    entry = SuiteEntry(name=name, benchmark=replace(benchmark, name=name), split=split, **others)
    assert len(entry.measured)  # raises if there is no such split, or no gold, before any system runs
    return entry


def _with_sources(benchmark: Benchmark, column: str | None) -> Benchmark:
    if column is None or column == "source":
        return benchmark
    if benchmark.frame.schema.get(column) != pl.String():
        known = [name for name, kind in benchmark.frame.schema.items() if kind == pl.String()]
        raise ArgumentError(f"items have no text column '{column}' for sources", remedy=f"known: {', '.join(known)}")
    return replace(benchmark, frame=benchmark.frame.with_columns(pl.col(column).alias("source")))


def _missing_error(
    suite: SuiteFile, missing: Sequence[PlannedBenchmark], root: Path, *, is_optional: bool
) -> InputError:
    """What is missing and, for the first of it, the path that was looked for first and where the data is published."""
    shown = [_wanted(each) if number < MOST_DETAILED else each.name for number, each in enumerate(missing)]
    told = ", ".join(shown)
    first = next(number for number, each in enumerate(suite.plan.benchmarks) if each is missing[0])
    what = f"{counted(len(missing), 'benchmark')} of {len(suite.plan.benchmarks)} not found in {root}: {told}"
    listed = f"; 'similitude data suites {suite.plan.name}' lists all paths" if suite.is_shipped else ""
    skip = ", or leave out what is not there with --skip-missing" if is_optional else ""
    where = f"{SUITE_PREFIX}{suite.plan.name}" if suite.is_shipped else suite.where(first, "path")
    return InputError(what, where=where, remedy=f"name the folder that holds the data with --data-folder{skip}{listed}")


def _wanted(benchmark: PlannedBenchmark) -> str:
    published = f", published at {benchmark.homepage}" if benchmark.homepage else ""
    return f"{benchmark.name} ({benchmark.path[0].path}{published})"


def _refuse_repeats(names: Sequence[str]) -> None:
    paths = [name if name.startswith(ADDRESSES) else str(Path(name).resolve()) for name in names]
    twice = next((name for number, name in enumerate(names) if paths[number] in paths[:number]), None)
    if twice is not None:
        raise ArgumentError(f"'{twice}' is named twice", remedy="name each benchmark once")


def _distinct_names(names: Sequence[str], data: Sequence[object]) -> list[str]:
    """The names; those that occur twice get that of their folder, and then a number."""
    twice = {name for name, count in Counter(names).items() if count > 1}
    longer = [
        f"{Path(str(each)).resolve().parent.name}/{name}" if name in twice and isinstance(each, str | Path) else name
        for name, each in zip(names, data, strict=True)
    ]
    return list(_numbered(longer))


def _numbered(names: Sequence[str]) -> Iterator[str]:
    seen = Counter[str]()
    for name in names:
        seen[name] += 1
        yield name if seen[name] == 1 else f"{name} ({seen[name]})"
