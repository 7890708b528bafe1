"""In-context examples: pairs with their scores from a training split, shown before the query.

As in C-STS (4.2), a pair's two conditions come together, so that the model sees the effect of a condition. The same
examples precede every query, so that the start of the prompt is shared; only an example that shares a text with the
query is replaced by the next one that does not.
"""

from __future__ import annotations

import functools
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from similitude.data.addresses import SAMPLE_PREFIX, open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.item import Item
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.systems.prompted.prompts import PromptExample

__all__ = ["ShotPool", "ShotUnit", "Shots", "open_pool"]

TRAINING = "train"
"""The default split of the examples, if it exists."""


class ShotUnit(NamedTuple):
    """Examples that come together: one pair, or one pair under two conditions.

    Attributes:
        scores: the score of each, on the scale of the data.
        texts: the normalised texts of the pair.
    """

    items: tuple[Item, ...]
    scores: tuple[float, ...]
    texts: frozenset[str]


class ShotPool(NamedTuple):
    """The pool that examples are drawn from.

    Attributes:
        name: the name of the data.
        units: the units, in an order that depends only on their content.
        size: examples per unit: 2 with conditions, else 1.
        scale: the scale of the scores.
        fingerprint: a hash of the data.
    """

    name: str
    units: tuple[ShotUnit, ...]
    size: int
    scale: Scale
    fingerprint: str

    @classmethod
    def of(cls, benchmark: Benchmark) -> ShotPool:
        """The pairs of a benchmark that have gold.

        Raises:
            ArgumentError: data with conditions has no pair under two of them, or the data has no scale.
        """
        known = benchmark.select(with_gold=True)
        if known.scale is None:
            raise ArgumentError("the examples have no scale", where=known.name, remedy="use data with a scale")
        rated = [(item, float(gold.score)) for item, gold in known if gold.score is not None]
        is_conditioned = any(item.condition for item, _ in rated)
        units = _conditioned_units(rated) if is_conditioned else _single_units(rated)
        if not units:
            what = "no pair has two conditions"
            raise ArgumentError(what, where=known.name, remedy="use data in which a pair has two conditions")
        ordered = tuple(sorted(units, key=lambda unit: [_content(item) for item in unit.items]))
        return cls(known.name, ordered, 2 if is_conditioned else 1, known.scale, known.fingerprint)


class Shots:
    """The examples for every query.

    Args:
        pool: the pool to draw from.
        number: the number of examples per query.
        seed: the seed of the draw.
        write: formats a score of the pool's scale as the answer to show.

    Raises:
        ArgumentError: the number splits a pair, or there are too few pairs.
    """

    def __init__(self, pool: ShotPool, number: int, seed: int, write: Callable[[float], str]) -> None:
        if number % pool.size:
            raise ArgumentError(
                f"{number} examples would split a pair under two conditions",
                where=pool.name,
                remedy=f"use shots={number - 1} or shots={number + 1}",
            )
        self.pool, self.number, self._write = pool, number // pool.size, write
        self._seed = seed
        self._drawn: dict[str | None, list[ShotUnit]] = {}

    def units_for(self, item: Item) -> tuple[ShotUnit, ...]:
        """The units before this item: the same for all items, except for those that share a text with it."""
        drawn = self._order(item.language)
        own = {_plain(item.left), _plain(item.right)}
        spare = (unit for unit in drawn[self.number :] if not unit.texts & own)
        chosen = [next(spare, None) if unit.texts & own else unit for unit in drawn[: self.number]]
        found = tuple(unit for unit in chosen if unit is not None)
        if len(found) < self.number:
            raise self._too_few(item)
        return found

    def examples_of(self, units: Iterable[ShotUnit]) -> tuple[PromptExample, ...]:
        """The examples in these units, with their answers."""
        rows = ((item, score) for unit in units for item, score in zip(unit.items, unit.scores, strict=True))
        return tuple(PromptExample(item, self._write(score)) for item, score in rows)

    def _order(self, language: str | None) -> list[ShotUnit]:
        """All units in random order; only those in the query's language if there are enough."""
        if language not in self._drawn:
            same = [unit for unit in self.pool.units if unit.items[0].language == language]
            units = same if len(same) > self.number else list(self.pool.units)
            if len(units) < self.number:
                raise self._too_few(None)
            order = np.random.default_rng(self._seed).permutation(len(units))
            self._drawn[language] = [units[place] for place in order]
        return self._drawn[language]

    def _too_few(self, item: Item | None) -> ArgumentError:
        query = "" if item is None else f" that share no text with item '{item.id}'"
        there = f"{len(self.pool.units):,} {'pairs under two conditions' if self.pool.size == 2 else 'pairs'}"
        wanted = self.number * self.pool.size
        what = f"fewer than {wanted} examples{query} among {there}"
        return ArgumentError(what, where=self.pool.name, remedy="use fewer shots or more data")


def open_pool(examples: str, split: str | None) -> ShotPool:
    """Open the pool of examples: a file, a folder or a part of the sample, read again only if it changes.

    Args:
        examples: what `similitude.read` takes.
        split: the split to use; None for "train", or for all data if it has no splits.

    Raises:
        ArgumentError: there is no such split.
        InputError: the data cannot be read.
    """
    return _open_pool(examples, split, _state(examples))


@functools.lru_cache(maxsize=4)
def _open_pool(examples: str, split: str | None, state: object) -> ShotPool:
    benchmark = open_benchmark(examples)
    if split is None and benchmark.splits:
        split = TRAINING
    return ShotPool.of(benchmark.select(split=split))


def _state(examples: str) -> object:
    """A value that changes when a file does."""
    path = Path(examples)
    if examples.startswith(SAMPLE_PREFIX) or not path.exists():
        return None
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return tuple((file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files if file.is_file())


def _conditioned_units(rated: Sequence[tuple[Item, float]]) -> list[ShotUnit]:
    """The two most different conditions of every pair; pairs with one condition are left out."""
    pairs: defaultdict[tuple[str, str], list[tuple[Item, float]]] = defaultdict(list)
    for item, score in rated:
        if item.condition:
            pairs[item.left, item.right].append((item, score))
    units = []
    for both in pairs.values():
        ranked = sorted(both, key=lambda one: (one[1], _content(one[0])))
        if len(ranked) > 1:
            # Sorted by condition, so that the order does not reveal the scores.
            units.append(_unit(sorted((ranked[0], ranked[-1]), key=lambda one: _content(one[0]))))
    return units


def _single_units(rated: Sequence[tuple[Item, float]]) -> list[ShotUnit]:
    """Every pair by itself; one item per group, such as a dialogue, chosen by content."""
    groups: dict[str, tuple[Item, float]] = {}
    for item, score in sorted(rated, key=lambda one: _shuffled(one[0])):
        groups.setdefault(item.group or f"\0{item.id}", (item, score))
    return [_unit([one]) for one in groups.values()]


def _unit(rated: Sequence[tuple[Item, float]]) -> ShotUnit:
    texts = frozenset(_plain(text) for item, _ in rated for text in (item.left, item.right))
    return ShotUnit(tuple(item for item, _ in rated), tuple(score for _, score in rated), texts)


def _content(item: Item) -> tuple[str, ...]:
    return (item.left, item.right, item.condition or "", *(item.context or ()))


def _shuffled(item: Item) -> str:
    """A sort key that is independent of scores and of the order of rows."""
    return hashlib.sha256(repr(_content(item)).encode("utf-8", "surrogatepass")).hexdigest()


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
