"""The data of a table about judgements: opened, filtered, divided into parts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import polars as pl

from similitude.data.addresses import open_benchmark, open_judgements
from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.errors import FormatError, InputError, UnknownNameError
from similitude.gold.reliability.rounds import in_round
from similitude.inspect.words import TextStatistics, describe_texts
from similitude.inspect.words.parts import COLUMNS, parts, with_turns

__all__ = ["ALL", "DataPart", "DataSource"]

ALL = "all"
"""The name of a part that is not divided by a column."""

Where = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class DataPart:
    """Some items and their judgements.

    Attributes:
        at: the values by which it was divided.
        items: None if the file holds judgements without items.
        answers: judgements without items; None if a benchmark keeps them.
        round: the round whose judgements count; None for all.
        positions_are_people: whether ratings at one place of every list are by one person.
    """

    at: Mapping[str, str] = field(default_factory=dict)
    items: Benchmark | None
    answers: Judgements | None = None
    round: str | None = None
    positions_are_people: bool = False

    @property
    def benchmark(self) -> Benchmark:
        """The items with their gold.

        Raises:
            InputError: the data holds judgements without items.
        """
        if self.items is None:
            raise InputError("there are judgements without texts", remedy="name data with texts for this figure")
        return self.items

    @cached_property
    def judgements(self) -> Judgements:
        """The judgements of the round.

        Raises:
            InputError: the benchmark keeps none.
        """
        found = self.answers
        if found is None:
            found = open_judgements(self.benchmark, positions_are_people=self.positions_are_people)
        return found if self.round is None else in_round(found, self.round)

    @cached_property
    def texts(self) -> TextStatistics:
        """The statistics of its texts."""
        return describe_texts(self.benchmark, by=())


@dataclass(frozen=True, kw_only=True)
class DataSource:
    """Data of a table: one or several files as one.

    Attributes:
        name: in the table.
        addresses: of benchmarks or judgements.
        where: values of columns that items must have.
        by: the columns by which items are divided, the major one first.
        round: the round whose judgements count.
        positions_are_people: as in `similitude.read_judgements`.
    """

    name: str
    addresses: tuple[str, ...]
    where: Where = field(default_factory=dict)
    by: tuple[str, ...] = ()
    round: str | None = None
    positions_are_people: bool = False

    @cached_property
    def parts(self) -> tuple[DataPart, ...]:
        """The parts by all columns, then by all but the last, and so on to the whole.

        Raises:
            InputError: the data cannot be read, or no item has the values that are asked for.
            UnknownNameError: items cannot be divided by this column.
        """
        for column in (*self.by, *self.where):
            if column not in COLUMNS:
                raise UnknownNameError("column to divide items by", column, COLUMNS)
        if isinstance(self._opened, Judgements):
            self._refuse_columns(self._opened)
            return (self._part({}, None, self._opened),)
        whole = self._filtered(self._opened)
        depths = range(len(self.by), -1, -1)
        return tuple(part for depth in depths for part in self._at_depth(whole, self.by[:depth]))

    @property
    def is_simulated(self) -> bool:
        """Whether a model of annotators gave the judgements, not people."""
        return "simulated" in (self._opened.provenance.judged_by or "").lower()

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the data, of what is chosen from it, and of how it is divided."""
        found = self._opened
        tables = [found.frame, found.judgements] if isinstance(found, Benchmark) else [found.frame]
        texts = [table.write_ndjson() for table in tables if table is not None]
        asked = repr((dict(self.where), self.by, self.round, self.positions_are_people))
        return hashlib.sha256("\n".join([*texts, asked]).encode()).hexdigest()

    @cached_property
    def _opened(self) -> Benchmark | Judgements:
        opened = [_open(address) for address in self.addresses]
        if len(opened) == 1:
            return opened[0]
        benchmarks = [one for one in opened if isinstance(one, Benchmark)]
        if len(benchmarks) < len(opened):
            raise InputError("judgements without items cannot be pooled", where=self.name, remedy="name one file")
        return _pooled(self.name, benchmarks)

    def _filtered(self, benchmark: Benchmark) -> Benchmark:
        frame = with_turns(benchmark.frame).with_columns(pl.col("turns").cast(pl.String))
        for column, values in self.where.items():
            there = frame[column].drop_nulls().unique(maintain_order=True).to_list()
            frame = frame.filter(pl.col(column).is_in(values))
            if frame.is_empty():
                what = f"no item has {column} {' or '.join(values)}"
                raise InputError(what, where=self.name, remedy=f"values there: {', '.join(there) or 'none'}")
        return _of_items(benchmark, frame["id"])

    def _at_depth(self, whole: Benchmark, columns: Sequence[str]) -> Iterator[DataPart]:
        rest = dict.fromkeys(self.by[len(columns) :], ALL)
        if not columns:
            yield self._part(rest, whole)
            return
        for values, frame in parts(with_turns(whole.frame), columns):
            at = {name: "none" if value is None else str(value) for name, value in zip(columns, values, strict=True)}
            yield self._part({**at, **rest}, _of_items(whole, frame["id"]))

    def _part(self, at: Mapping[str, str], items: Benchmark | None, answers: Judgements | None = None) -> DataPart:
        people = self.positions_are_people
        return DataPart(at=at, items=items, answers=answers, round=self.round, positions_are_people=people)

    def _refuse_columns(self, answers: Judgements) -> None:
        if self.by or self.where:
            asked = "by" if self.by else "where"
            what = f"'{asked}' needs items, and the file holds judgements without them"
            raise InputError(what, where=answers.name, remedy=f"leave '{asked}' out, or name data with items")


def _open(address: str) -> Benchmark | Judgements:
    """A benchmark, or judgements without items; the error is that of reading a benchmark."""
    try:
        return open_benchmark(address)
    except FormatError as error:
        try:
            return open_judgements(address)
        except InputError:
            raise error from None


def _pooled(name: str, benchmarks: Sequence[Benchmark]) -> Benchmark:
    first = benchmarks[0]
    if any(str(one.scale) != str(first.scale) for one in benchmarks):
        raise InputError("the scales differ", where=name, remedy="pool benchmarks with one scale")
    answers = [one.judgements for one in benchmarks if one.judgements is not None]
    frame = pl.concat([one.frame for one in benchmarks])
    return replace(first, name=name, frame=frame, judgements=pl.concat(answers) if answers else None)


def _of_items(benchmark: Benchmark, ids: pl.Series) -> Benchmark:
    """The items with these ids, and the best-worst answers about nothing else."""
    frame = benchmark.frame.filter(pl.col("id").is_in(ids.implode()))
    answers = benchmark.judgements
    if answers is not None:
        known = pl.col("items").list.eval(pl.element().is_in(ids.implode())).list.all()
        answers = answers.filter(known)
    return replace(benchmark, frame=frame, judgements=answers)
