"""Guarantees of the batches of a plan, counted from the plan itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from similitude.collect.design.design import Design
from similitude.collect.design.plural import named_few, ratio, span, times
from similitude.data.plural import counted

__all__ = ["BatchLayout", "check_layout"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchLayout:
    """Guarantees of pages or batches.

    Attributes:
        work: the number of questions that are neither gold nor repeats.
        gold: the number of questions whose answer is known.
        repeats: the number of questions asked a second time.
        batches: the number of pages or batches; 0 if there are none.
        smallest: questions in the smallest batch.
        largest: questions in the largest batch.
        strata: the strata that pages mix; empty if they mix none.
        incomplete: pages that lack a stratum.
        groups: the number of groups of questions; 0 without groups.
        with_two_of_a_group: batches with two questions of one group, not counting repeats.
        gold_first: batches that begin with gold or a repeat.
        gold_items: the number of different gold items.
        gold_uses_min: how often the least used gold item is asked.
        gold_uses_max: how often the most used gold item is asked.
        nearest_repeat: the smallest distance between a repeat and its original; None without repeats.
        repeats_too_near: repeats closer to their original than requested, because their batch is short.
    """

    work: int
    gold: int
    repeats: int
    batches: int
    smallest: int
    largest: int
    strata: tuple[str, ...]
    incomplete: int
    groups: int
    with_two_of_a_group: int
    gold_first: int
    gold_items: int
    gold_uses_min: int
    gold_uses_max: int
    nearest_repeat: int | None
    repeats_too_near: int

    def sentences(self) -> tuple[str, ...]:
        """The guarantees in sentences, with their figures."""
        return tuple(_sentences(self))


def check_layout(design: Design) -> BatchLayout:
    """Count the guarantees of the batches of a plan, whoever made it."""
    frame = design.frame
    sizes = frame.drop_nulls("batch").group_by("batch").len()["len"].to_list() or [0]
    strata = tuple(sorted(frame["stratum"].drop_nulls().unique().to_list()))
    uses = design.of_kind("gold").group_by("items").len()["len"].to_list()
    distances = _distances(frame)
    first = pl.col("position") == 1
    return BatchLayout(
        work=design.of_kind("work").height,
        gold=design.of_kind("gold").height,
        repeats=design.of_kind("repeat").height,
        batches=design.batches,
        smallest=min(sizes),
        largest=max(sizes),
        strata=strata,
        incomplete=_incomplete(frame, len(strata)),
        groups=frame["group"].drop_nulls().n_unique(),
        with_two_of_a_group=_with_two_of_a_group(frame),
        gold_first=frame.filter(first & (pl.col("kind") != "work")).height,
        gold_items=len(uses),
        gold_uses_min=min(uses, default=0),
        gold_uses_max=max(uses, default=0),
        nearest_repeat=min(distances, default=None),
        repeats_too_near=sum(distance < design.repeat_distance for distance in distances),
    )


def _incomplete(frame: pl.DataFrame, strata: int) -> int:
    if not strata:
        return 0
    found = frame.group_by("batch").agg(pl.col("stratum").n_unique())
    return found.filter(pl.col("stratum") < strata).height


def _with_two_of_a_group(frame: pl.DataFrame) -> int:
    grouped = frame.filter(pl.col("kind") != "repeat").drop_nulls(["batch", "group"])
    return grouped.group_by("batch", "group").len().filter(pl.col("len") > 1)["batch"].n_unique()


def _distances(frame: pl.DataFrame) -> list[int]:
    originals = frame.select(pl.col("question").alias("repeats"), pl.col("position").alias("first"))
    pairs = frame.drop_nulls("repeats").join(originals, on="repeats")
    return (pairs["position"] - pairs["first"]).to_list()


def _sentences(found: BatchLayout) -> Iterator[str]:
    yield f"{counted(found.work, 'question')}, each in the plan once"
    if not found.batches:
        return
    yield _batches(found)
    if found.with_two_of_a_group:
        yield f"{counted(found.with_two_of_a_group, 'batch')} with two questions of one group"
    elif found.groups:
        yield "no two questions of one group together"
    if found.gold:
        yield _gold(found)
    if found.repeats:
        yield _repeats(found)


def _batches(found: BatchLayout) -> str:
    sizes = span(found.smallest, found.largest)
    if not found.strata:
        return f"{counted(found.batches, 'batch')} of {sizes}"
    mixed = f"one of each of {named_few(list(found.strata), most=6)}"
    lacking = f", but {counted(found.incomplete, 'page')} of fewer" if found.incomplete else ""
    return f"{counted(found.batches, 'page')} of {sizes}: {mixed}{lacking}"


def _gold(found: BatchLayout) -> str:
    every = found.work + found.gold + found.repeats
    first = "never first" if not found.gold_first else f"first in {counted(found.gold_first, 'batch')}"
    uses = times(found.gold_uses_min) if found.gold_uses_min == found.gold_uses_max else _uses(found)
    return (
        f"{counted(found.gold, 'gold question')} ({ratio(round(100 * found.gold / every, 1))} %), {first}; "
        f"each of {counted(found.gold_items, 'gold item')} asked {uses}"
    )


def _uses(found: BatchLayout) -> str:
    return f"{span(found.gold_uses_min, found.gold_uses_max)} times"


def _repeats(found: BatchLayout) -> str:
    every = found.work + found.gold + found.repeats
    near = f", {found.repeats_too_near:,} nearer than wanted" if found.repeats_too_near else ""
    share = ratio(round(100 * found.repeats / every, 1))
    return f"{counted(found.repeats, 'repeat')} ({share} %), at least {found.nearest_repeat} places after{near}"
