"""The split of data into items to learn from and items to validate on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted
from similitude.data.provenance import of_all
from similitude.errors import ArgumentError, InputError
from similitude.training.sentence_pairs import sentence_pairs, shared_sentence_pairs

__all__ = ["SeveralData", "TrainingData", "draw_items", "drawn_notes", "several_training_data", "training_data"]

TRAIN = ("train", "training")
VALIDATION = ("validation", "dev", "valid", "val")
FEWEST = 3
"""The fewest items for which a correlation is defined."""


class TrainingData(NamedTuple):
    """Items to learn from and items to validate on; no sentence pair is in both."""

    train: Benchmark
    validation: Benchmark
    notes: tuple[str, ...] = ()


class SeveralData(NamedTuple):
    """Benchmarks to learn from together, and benchmarks to validate on together."""

    train: tuple[Benchmark, ...]
    validation: tuple[Benchmark, ...]
    notes: tuple[str, ...] = ()


def several_training_data(data: Sequence[Benchmark], validation: Benchmark | None = None, **how: Any) -> SeveralData:
    """Split each benchmark as `training_data` does.

    Args:
        data: to learn from.
        validation: to validate on, instead of a part of each.
        **how: the other arguments of `training_data`, the same for each.

    Raises:
        ArgumentError: there is no such split.
        InputError: a part has too few items with gold.
    """
    parts = [training_data(benchmark, validation, **how) for benchmark in data]
    held_out = parts[:1] if validation is not None else parts
    return SeveralData(
        tuple(part.train for part in parts),
        tuple(part.validation for part in held_out),
        tuple(f"{part.train.name}: {note}" if len(parts) > 1 else note for part in parts for note in part.notes),
    )


def training_data(
    data: Benchmark,
    validation: Benchmark | None = None,
    *,
    split: str | None = None,
    validation_split: str | None = None,
    share: float = 0.1,
    seed: int = 0,
) -> TrainingData:
    """Split a benchmark into items to learn from and items to validate on.

    Named splits are used if given or if the data has splits with the usual names; otherwise a tenth of the sentence
    pairs is held out at random.

    Args:
        data: to learn from.
        validation: to validate on, if it is another file.
        split: to learn from; by default "train" if there is one. Several are joined by a plus: "train+dev".
        validation_split: to validate on; by default "validation" or "dev" if there is one.
        share: of the sentence pairs to hold out if there are no splits.
        seed: of the random split.

    Raises:
        ArgumentError: there is no such split.
        InputError: a part has too few items with gold.
    """
    learn = split or _known(data, TRAIN)
    train = _selected(data, learn)
    if validation is not None:
        held_out = validation.select(split=validation_split or _known(validation, VALIDATION), with_gold=True)
        return _checked(*_apart(train, held_out))
    learned = [] if learn is None else learn.split("+")
    held_out_split = validation_split or _known(data, tuple(name for name in VALIDATION if name not in learned))
    if held_out_split is not None:
        if held_out_split in learned:
            raise ArgumentError(
                f"'{held_out_split}' cannot be both learned from and validated on", remedy="name another split"
            )
        if learn is None:  # there is only a validation split: learn from the rest
            train = data.take(np.flatnonzero((data.frame["split"] != held_out_split).fill_null(True).to_numpy()))
            train = train.select(with_gold=True)
        return _checked(*_apart(train, data.select(split=held_out_split, with_gold=True)))
    return _checked(*_held_out(train, share, seed))


def draw_items(data: Benchmark, items: int | None, seed: int) -> Benchmark:
    """About so many items, drawn at random in whole groups or sentence pairs; smaller draws are part of larger ones.

    Args:
        data: the items; its provenance says of how many they were drawn.
        items: how many; None for all.
        seed: of the draw.

    >>> few = draw_items(Benchmark.from_columns(left=list("abcd"), right=list("efgh")), 2, seed=0)
    >>> len(few), few.provenance.drawn_from
    (2, 4)
    """
    if items is None or items >= len(data):
        return data
    pairs = sentence_pairs(data)
    names = pairs.unique().sort()
    order = np.random.default_rng(seed).permutation(len(names))
    place = dict(zip(names.to_list(), np.argsort(order).tolist(), strict=True))
    ranks = np.array([place[name] for name in pairs.to_list()])
    sizes = np.bincount(ranks, minlength=len(names)).cumsum()
    last = int(np.searchsorted(sizes, items))
    drawn = data.take(np.flatnonzero(ranks <= last))
    every = data.provenance.drawn_from or len(data)
    return replace(drawn, provenance=replace(data.provenance, drawn_from=every))


def drawn_notes(**parts: Benchmark) -> tuple[str, ...]:
    """For each part of the data of which some items were drawn: how many of how many.

    >>> drawn_notes(train=draw_items(Benchmark.from_columns(left=list("abcd"), right=list("efgh")), 2, seed=0))
    ('train: 2 of 4 items, drawn at random',)
    """
    return tuple(
        f"{name}: {of_all(len(part), part.provenance.drawn_from)} items, drawn at random"
        for name, part in parts.items()
        if part.provenance.drawn_from is not None
    )


def _selected(data: Benchmark, split: str | None) -> Benchmark:
    """The items with gold of a split, or of several splits joined by a plus."""
    if split is None or split in data.splits:
        return data.select(split=split, with_gold=True)
    chosen = pl.concat([data.select(split=name).frame for name in split.split("+")])
    return replace(data, frame=chosen).select(with_gold=True)


def _known(data: Benchmark, names: tuple[str, ...]) -> str | None:
    return next((name for name in names if name in data.splits), None)


def _held_out(data: Benchmark, share: float, seed: int) -> tuple[Benchmark, Benchmark, tuple[str, ...]]:
    if not 0 < share < 1:
        raise ArgumentError(f"cannot hold out a share of {share:g}", remedy="give one between 0 and 1: 0.1")
    pairs = sentence_pairs(data)
    names = pairs.unique().sort()
    chosen = np.random.default_rng(seed).permutation(len(names))[: max(1, round(share * len(names)))]
    if len(chosen) == len(names):
        there = counted(len(names), "sentence pair")
        what = f"nothing is left to learn from: {there}, and a share of {share:g} is held out"
        raise InputError(what, where=data.name, remedy="give more pairs, or items to validate on: --validation")
    is_out = pairs.is_in(names[chosen].to_list()).to_numpy()
    note = f"{is_out.sum():,} items ({share:.0%} of the sentence pairs, seed {seed}) were held out for validation"
    train, held_out, shared = _apart(data.take(np.flatnonzero(~is_out)), data.take(np.flatnonzero(is_out)))
    return train, held_out, (note, *shared)


def _apart(train: Benchmark, held_out: Benchmark) -> tuple[Benchmark, Benchmark, tuple[str, ...]]:
    """Both parts, with a note if they share sentence pairs, which would make the validation optimistic."""
    both = shared_sentence_pairs(train, held_out)
    note = f"{both:,} sentence pairs are both learned from and validated on; the validation figures are optimistic"
    return train, held_out, (note,) if both else ()


def _checked(train: Benchmark, validation: Benchmark, notes: tuple[str, ...]) -> TrainingData:
    for name, part in (("learn from", train), ("validate on", validation)):
        if len(part) < FEWEST:
            what = f"{counted(len(part), 'item')} to {name} {'is' if len(part) == 1 else 'are'} too few"
            raise InputError(what, where=part.name, remedy=f"give at least {FEWEST}")
    return TrainingData(train, validation, notes)
