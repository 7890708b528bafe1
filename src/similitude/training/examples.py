"""From a benchmark to training examples: complete, consistent items in an order that carries no information."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.errors import InputError, ScaleError
from similitude.training.sentence_pairs import sentence_pairs

__all__ = ["Examples", "examples_of"]

ORDER = ("left", "right", "condition", "score", "id")
"""Items are sorted by content, so that the order of rows cannot leak into training."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Examples:
    """Items with gold, ready for training.

    Attributes:
        benchmark: the items, sorted by content; the two conditions of a pair are adjacent.
        gold: of each item, mapped from the scale to 0..1.
        unit: 2 if sentence pairs stand under two conditions, otherwise 1.
        pairs: the number of each item's sentence pair, from 0 without gaps.
        notes: what the user should know.
    """

    benchmark: Benchmark
    gold: NDArray[np.float32]
    unit: int
    pairs: NDArray[np.int64]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.gold)


def examples_of(
    data: Benchmark, *, in_pairs: bool, otherwise: str = "use --objective mse, which needs no pairs"
) -> Examples:
    """The items of a benchmark that have gold.

    Args:
        data: must have a scale.
        in_pairs: whether each sentence pair must have two conditions.
        otherwise: what users can do who have pairs with one condition.

    Raises:
        InputError: there is no gold, or a pair has an odd number of conditions.
        ScaleError: gold lies off the scale, or there is no scale.
    """
    known = data.select(with_gold=True)
    gold = _on_unit_scale(known)
    frame = known.frame.with_columns(pl.Series("__gold", gold), sentence_pairs(known).alias("__pair"))
    frame = _in_twos(frame) if in_pairs else frame.sort(*ORDER)
    notes = _check_pairs(frame, known.name, otherwise) if in_pairs else ()
    hidden = len(data) - len(known)
    if hidden:
        notes = (*notes, f"{hidden:,} items without gold were left out")
    return Examples(
        benchmark=Benchmark(name=known.name, frame=frame.drop("__gold", "__pair"), scale=known.scale),
        gold=frame["__gold"].to_numpy().astype(np.float32),
        unit=2 if in_pairs else 1,
        pairs=frame["__pair"].rank("dense").to_numpy().astype(np.int64) - 1,
        notes=notes,
    )


def _in_twos(frame: pl.DataFrame) -> pl.DataFrame:
    """Pair by pair; the items of one that was rated several times under a condition stand so that twos differ in it."""
    condition, of_pair = pl.col("condition").fill_null("").str.to_lowercase(), pl.int_range(pl.len()).over("__pair")
    by_condition = frame.sort("__pair", condition, *ORDER)
    rows, half = pl.len().over("__pair"), (pl.len() // 2).over("__pair")
    place = pl.when(condition.n_unique().over("__pair") < rows).then(of_pair % half * 2 + of_pair // half)
    return by_condition.with_columns(place.alias("__place")).sort("__pair", "__place", *ORDER).drop("__place")


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


def _check_pairs(frame: pl.DataFrame, name: str, otherwise: str) -> tuple[str, ...]:
    """Check that every pair has an even number of conditions: two, or more for a pair that occurs several times.

    Raises:
        InputError: a pair has an odd number, or only one.
    """
    sizes = frame.group_by("__pair", maintain_order=True).agg(
        pl.len(),
        pl.col("id").first(),
        pl.col("left").first(),
        pl.col("score").n_unique().alias("golds"),
        pl.col("condition").fill_null("").str.to_lowercase().unique().alias("conditions"),
        pl.concat_list("left", "right").list.sort().n_unique().alias("texts"),
    )
    is_one = (pl.col("conditions").list.len() == 1) & (pl.col("conditions").list.first() != "")
    same = sizes.filter((pl.col("len") > 1) & is_one & (pl.col("texts") == 1))
    if same.height:
        _refuse_the_same(same, name, otherwise)
    odd = sizes.filter(pl.col("len") % 2 == 1)
    if odd.height:
        _refuse_odd(odd, frame.height, name, otherwise)
    notes = []
    several = sizes.filter(pl.col("len") > 2).height
    if several:
        notes.append(f"{several:,} sentence pairs occur more than once; their conditions were paired two by two")
    tied = sizes.filter(pl.col("golds") == 1).height
    if tied:
        notes.append(f"{tied:,} of {sizes.height:,} sentence pairs have equal labels under all conditions: no margin")
    return tuple(notes)


def _refuse_the_same(same: pl.DataFrame, name: str, otherwise: str) -> None:
    first = same.row(0, named=True)
    rest = "" if same.height == 1 else f", as do {same.height - 1:,} other pairs"
    raise InputError(
        f"the pair of item '{first['id']}' occurs {first['len']} times under the same condition "
        f'("{first["conditions"][0]}"), not under two{rest}',
        where=name,
        remedy=f"make one label of several with 'similitude gold', give the pair two conditions, or {otherwise}",
    )


def _refuse_odd(odd: pl.DataFrame, rows: int, name: str, otherwise: str) -> None:
    first = odd.row(0, named=True)
    text = first["left"] if len(first["left"]) <= 60 else first["left"][:59] + "…"
    rest = "" if odd.height == 1 else f", as have {odd.height - 1:,} other pairs"
    conditions = "one condition" if first["len"] == 1 else f"{first['len']} conditions"
    total = f" ({rows:,} rows, an odd number)" if rows % 2 else ""
    raise InputError(
        f"the pair of item '{first['id']}' (\"{text}\") has {conditions}, not two{rest}{total}",
        where=name,
        remedy=f"give each pair two conditions, or {otherwise}",
    )
