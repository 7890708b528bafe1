"""From a benchmark to training examples: complete, consistent items in an order that carries no information."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.errors import InputError, ScaleError
from similitude.training.sentence_pairs import sentence_pairs

__all__ = ["Examples", "examples_of"]

ORDER = ("left", "right", "condition", "score", "id")
"""Items are sorted by content, so that the order of rows cannot leak into training."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Examples:
    """Items with gold, ready for training.

    Where pairs are learned from, an item without a partner stands there twice, as a two with itself.

    Attributes:
        benchmark: the items, sorted by content; the two conditions of a pair are adjacent.
        places: of the item of each example.
        gold: of each example, mapped from the scale to 0..1.
        unit: 2 if sentence pairs stand under two conditions, otherwise 1.
        pairs: the number of each example's sentence pair, from 0 without gaps.
        notes: what the user should know.
    """

    benchmark: Benchmark
    places: NDArray[np.intp]
    gold: NDArray[np.float32]
    unit: int
    pairs: NDArray[np.int64]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.gold)

    @property
    def items(self) -> Items:
        """The item of each example."""
        return self.benchmark.items.take(self.places)

    @property
    def alone(self) -> NDArray[np.bool_] | None:
        """Whether each example is an item that makes a two with itself; None if none is."""
        times = np.bincount(self.places)
        return times[self.places] > 1 if (times > 1).any() else None


def examples_of(
    data: Benchmark,
    *,
    in_pairs: bool,
    keeps_alone: bool = True,
    otherwise: str = "use --objective mse, which needs no pairs",
) -> Examples:
    """The items of a benchmark that have gold.

    Args:
        data: must have a scale.
        in_pairs: whether the two conditions of each sentence pair are learned from together.
        keeps_alone: whether items of a pair without two conditions stay, each as a two with itself, or are left out.
        otherwise: what users can do if no pair has two conditions.

    Raises:
        InputError: there is no gold, or no pair has two conditions.
        ScaleError: gold lies off the scale, or there is no scale.
    """
    known = data.select(with_gold=True)
    gold = _on_unit_scale(known)
    frame = known.frame.with_columns(pl.Series("__gold", gold), sentence_pairs(known).alias("__pair"))
    notes: tuple[str, ...] = ()
    if in_pairs:
        frame, notes = _in_twos(frame, known.name, otherwise, keeps_alone=keeps_alone)
    else:
        frame = frame.sort(*ORDER)
    times = frame["__alone"].to_numpy() + 1 if in_pairs else 1
    places = np.repeat(np.arange(frame.height), times)
    hidden = len(data) - len(known)
    if hidden:
        notes = (*notes, f"{hidden:,} items without gold were left out")
    return Examples(
        benchmark=Benchmark(name=known.name, frame=frame.select(known.frame.columns), scale=known.scale),
        places=places,
        gold=frame["__gold"].to_numpy().astype(np.float32)[places],
        unit=2 if in_pairs else 1,
        pairs=frame["__pair"].rank("dense").to_numpy().astype(np.int64)[places] - 1,
        notes=notes,
    )


CONDITION = pl.col("condition").fill_null("").str.to_lowercase()


def _in_twos(
    frame: pl.DataFrame, name: str, otherwise: str, *, keeps_alone: bool
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Pair by pair, two by two, so that the conditions of a two differ; then the items without a partner.

    Raises:
        InputError: no item has a partner.
    """
    of_pair, rows, half = pl.int_range(pl.len()), pl.len().over("__pair"), (pl.len() + 1) // 2
    place = pl.when(CONDITION.n_unique().over("__pair") < rows).then(
        (of_pair % half * 2 + of_pair // half).over("__pair")
    )
    ordered = (
        frame.sort("__pair", CONDITION, *ORDER).with_columns(place.alias("__place")).sort("__pair", "__place", *ORDER)
    )
    two = ("__pair", "__two")
    texts = pl.concat_list("left", "right").list.sort()
    is_same = (CONDITION != "") & (CONDITION.n_unique().over(two) == 1) & (texts.n_unique().over(two) == 1)
    ordered = ordered.with_columns((of_pair // 2).over("__pair").alias("__two")).with_columns(
        ((pl.len().over(two) == 1) | is_same).alias("__alone")
    )
    ordered = ordered.drop("__place", "__two")
    together, alone = ordered.filter(~pl.col("__alone")), ordered.filter(pl.col("__alone"))
    if together.is_empty():
        raise _without_twos(alone, name, otherwise)
    notes = _pair_notes(together)
    if alone.height:
        told = f"{alone.height:,} of {frame.height:,} items without a partner under another condition"
        effect = "counted for the squared error only" if keeps_alone else "left out"
        notes = (*notes, f"{told}: {effect} (first: '{alone['id'][0]}')")
    return pl.concat([together, alone if keeps_alone else alone.clear()]), notes


def _on_unit_scale(known: Benchmark) -> NDArray[np.float64]:
    scale, scores = known.scale, known.gold.scores
    if scale is None:
        raise ScaleError("has no scale", where=known.name, remedy="declare it: --scale 1..5")
    off = np.flatnonzero(~scale.holds(scores))
    if off.size:
        first = int(off[0])
        raise ScaleError(
            f"{off.size:,} of {len(scores):,} labels lie off the scale {scale}; the first is {scores[first]:g} for "
            f"item '{known.items.ids[first]}'",
            where=known.name,
            remedy="correct the label, or declare the scale: --scale LOW..HIGH",
        )
    return np.clip((scores - scale.low) / scale.width, 0.0, 1.0)


def _pair_notes(together: pl.DataFrame) -> tuple[str, ...]:
    sizes = together.group_by("__pair").agg(pl.len(), pl.col("score").n_unique().alias("golds"))
    notes = []
    several = sizes.filter(pl.col("len") > 2).height
    if several:
        notes.append(f"{several:,} sentence pairs occur more than once; their conditions were paired two by two")
    tied = sizes.filter(pl.col("golds") == 1).height
    if tied:
        notes.append(f"{tied:,} of {sizes.height:,} sentence pairs have equal labels under all conditions: no margin")
    return tuple(notes)


def _without_twos(alone: pl.DataFrame, name: str, otherwise: str) -> InputError:
    first = alone.row(0, named=True)
    text = first["left"] if len(first["left"]) <= 60 else first["left"][:59] + "…"
    return InputError(
        f"no sentence pair has two conditions; the first is that of item '{first['id']}' (\"{text}\")",
        where=name,
        remedy=f"give each pair two conditions, or {otherwise}",
    )
