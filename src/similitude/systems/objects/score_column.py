"""Scores that were computed elsewhere and lie in memory: an array, a list, a tensor, a column of a table.

They belong to the rows of the data that they are given with, in its order, before a split is selected or rows without
gold are left out. Systems see items in random order, so the scores are then looked up by id.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.plural import counted
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, PredictionError
from similitude.registry import Spec
from similitude.systems.catalogue import OBJECT
from similitude.systems.recorded import Recorded
from similitude.systems.score_numbers import Floats, NotNumbersError, array_of

__all__ = ["BoundColumn", "BoundColumns", "ScoreColumn"]


class _GivenScores:
    """What systems have in common whose scores the user gave.

    Attributes:
        called: the name under which they were given.
    """

    called: str

    summary: ClassVar[str] = "scores in memory"

    @property
    def reads(self) -> frozenset[str]:
        """Context and condition, since whatever made the scores may have read both."""
        return frozenset({"context", "condition"})

    @property
    def identity(self) -> Spec:
        """The name under which the user gave the scores."""
        return Spec(OBJECT, None, (self.called,))


@dataclass(frozen=True, kw_only=True)
class BoundColumn(Recorded):
    """Scores in memory, by the ids of the items that they belong to."""

    summary: ClassVar[str] = "scores in memory"

    @property
    def identity(self) -> Spec:
        """The name under which the user gave the scores."""
        return Spec(OBJECT, None, (self.file,))


@dataclass(frozen=True, kw_only=True, eq=False)
class BoundColumns(_GivenScores):
    """Scores in memory for several benchmarks, whose ids may be the same.

    Attributes:
        called: the name that the user gave them.
        columns: the scores of each benchmark.
        tables: the benchmarks, whose texts tell which of them items are of.
    """

    called: str
    columns: tuple[BoundColumn, ...] = field(repr=False)
    tables: tuple[Benchmark, ...] = field(repr=False)
    range: Scale | None = field(default=None, repr=False)

    def model_fingerprint(self) -> str:
        """Hash of all scores."""
        return " ".join(column.model_fingerprint() for column in self.columns)

    def score(self, items: Items) -> Predictions:
        """The scores of these items, which are all of one benchmark.

        Raises:
            PredictionError: they are of none.
        """
        key = ("id", "left", "right")
        for column, table in zip(self.columns, self.tables, strict=True):
            if items.frame.select(key).join(table.frame.select(key), on=key, how="anti").is_empty():
                return column.score(items)
        what, remedy = "no scores for these items", "give scores for every benchmark of the suite"
        raise PredictionError(what, where=f"system '{self.called}'", remedy=remedy)


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreColumn(_GivenScores):
    """Scores that do not know their rows yet; `bound_to` tells them.

    Attributes:
        called: the name that the user gave them.
        values: the scores, as given; a mapping has them by id.
        range: where they begin and end, if the user said so.
    """

    called: str
    values: Any = field(repr=False)
    range: Scale | None = field(default=None, repr=False)

    def score(self, items: Items) -> Predictions:
        """Refuse: it is not known which rows the scores belong to.

        Raises:
            ArgumentError: always.
        """
        raise ArgumentError(
            "an array of scores belongs to the rows of one table, so it cannot score other texts",
            where=f"system '{self.called}'",
            remedy="give it to sim.run or sim.choose with that table; for other texts, give a function or a model",
        )

    def bound_to(self, benchmark: Benchmark, data: Any = None) -> BoundColumn:
        """The scores with the ids of the rows that they belong to.

        Args:
            benchmark: all items of the data.
            data: what the user gave as data, whose index tells the order of a pandas series.

        Raises:
            ArgumentError: it is not clear which row a score belongs to, or there are more or fewer than rows.
            PredictionError: a value is no number.
        """
        ids = benchmark.items.frame["id"]
        if isinstance(self.values, Mapping):
            return self._by_id(list(self.values), list(self.values.values()), ids, data)
        index = getattr(self.values, "index", None)
        if index is None or callable(index) or _is_in_order(index, data, ids):
            return self._by_row(benchmark)
        if {str(each) for each in index} >= set(ids) and not _is_plain_order(index):
            return self._by_id(list(index), self.values, ids, data)
        raise ArgumentError(
            "the index of the series is neither that of the data nor the ids of the items, so the rows that its scores "
            "belong to are not known",
            where=f"system '{self.called}'",
            remedy="give scores.to_numpy() if they are in the order of the data, scores.reindex(df.index) if they are "
            "in the order of the index, or let the index hold the ids",
        )

    def bound_to_each(self, benchmarks: Mapping[str, Benchmark]) -> BoundColumns:
        """Scores for several benchmarks, given as a mapping from their names.

        Raises:
            ArgumentError: they are no such mapping, or some benchmark has no scores.
        """
        given = self.values if isinstance(self.values, Mapping) else {}
        lacking = [name for name in benchmarks if name not in given or np.isscalar(given[name])]
        if lacking:
            raise ArgumentError(
                f"an array of scores belongs to the rows of one table, and there is none for '{lacking[0]}'",
                where=f"system '{self.called}'",
                remedy='give one for each benchmark, {"NAME": scores, ...}, or give a function or a model; names: '
                + ", ".join(benchmarks),
            )
        columns = tuple(replace(self, values=given[name]).bound_to(each) for name, each in benchmarks.items())
        return BoundColumns(called=self.called, range=self.range, columns=columns, tables=tuple(benchmarks.values()))

    def _by_row(self, benchmark: Benchmark) -> BoundColumn:
        scores, ids = self._numbers(self.values), benchmark.items.frame["id"]
        if len(scores) != len(ids):
            skipped = len(benchmark.provenance.skipped)
            also = f", of which {counted(skipped, 'row')} had been left out on reading" if skipped else ""
            raise ArgumentError(
                f"{counted(len(scores), 'score')} for {counted(len(ids), 'item')} of '{benchmark.name}'{also}",
                where=f"system '{self.called}'",
                remedy="give one score for each row of the data, in its order and before a split is selected, or a "
                "mapping {id: score}",
            )
        return self._bound(ids, scores)

    def _by_id(self, keys: list[Any], values: Any, ids: pl.Series, data: Any) -> BoundColumn:
        named = [str(key) for key in keys]
        missing = [each for each in ids if each not in set(named)] if not set(ids) <= set(named) else []
        if missing:
            what = f"no score for {counted(len(missing), 'item')} of {len(ids):,} ('{missing[0]}', ...)"
            raise ArgumentError(what, where=f"system '{self.called}'", remedy="give a score for every id of the data")
        if _may_count_otherwise(named, data, ids):
            raise ArgumentError(
                f"the ids of the data only count its rows, 1 to {len(ids)}, and the keys of the scores may mean others",
                where=f"system '{self.called}'",
                remedy="give a list of scores in the order of the data, such as [scores[key] for key in df.index], or "
                "data with a column of ids",
            )
        if len(set(named)) < len(named):
            double = next(each for each in named if named.count(each) > 1)
            raise ArgumentError(
                f"two scores for item '{double}'", where=f"system '{self.called}'", remedy="give one score for each id"
            )
        return self._bound(pl.Series("id", named, dtype=pl.String), self._numbers(values))

    def _numbers(self, values: Any) -> Floats:
        try:
            found = array_of(values)
        except NotNumbersError as error:
            at = "" if error.position is None else f" at position {error.position}"
            what = f"the scores hold {error}{at}" if at else f"the scores are {error}"
            raise PredictionError(what, where=f"system '{self.called}'", remedy="give numbers alone") from None
        if found.ndim == 2 and 1 in found.shape:
            found = found.reshape(-1)
        if found.ndim != 1:
            what = f"the scores are a table of {' x '.join(map(str, found.shape))} numbers"
            raise PredictionError(what, where=f"system '{self.called}'", remedy="give one column")
        return found

    def _bound(self, ids: pl.Series, scores: Floats) -> BoundColumn:
        return BoundColumn(file=self.called, range=self.range, ids=ids, predictions=Predictions(np.array(scores)))


def _is_in_order(index: Any, data: Any, ids: pl.Series) -> bool:
    """Whether a series comes in the order of the data: it has its index, or it only counts and nothing contradicts."""
    theirs = getattr(data, "index", None)
    if theirs is not None and not callable(theirs):
        if index.equals(theirs):
            return True
        if set(index) == set(theirs):
            return False
    elif [str(each) for each in index] == ids.to_list():
        return True
    return _is_plain_order(index) and not (len(index) == len(ids) and {str(each) for each in index} == set(ids))


def _may_count_otherwise(keys: list[str], data: Any, ids: pl.Series) -> bool:
    """Whether keys may mean other rows than ids that only count: there are more of them, or the data has them too."""
    if ids.to_list() != [str(number) for number in range(1, len(ids) + 1)]:
        return False
    theirs = getattr(data, "index", None)
    labels = [] if theirs is None or callable(theirs) else [str(each) for each in theirs]
    return set(keys) > set(ids) or (bool(labels) and labels != ids.to_list() and set(labels) <= set(keys))


def _is_plain_order(index: Any) -> bool:
    """Whether an index counts the rows from 0."""
    return list(index) == list(range(len(index)))
