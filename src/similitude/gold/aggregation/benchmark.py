"""Judgements aggregated into a benchmark."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.gold import GOLD_SCHEMA
from similitude.data.judgements import Judgements
from similitude.data.plural import counted, listed
from similitude.data.provenance import Provenance
from similitude.errors import InputError
from similitude.gold.aggregation.aggregation import Aggregated, Aggregation, make_aggregation
from similitude.gold.aggregation.rated_items import rated_items

__all__ = ["benchmark_of", "make_gold"]


def make_gold(
    judgements: Judgements,
    method: str | Aggregation | None = None,
    *,
    rng: np.random.Generator | None = None,
    name: str | None = None,
) -> Benchmark:
    """Aggregate judgements into a benchmark, which keeps them.

    Ratings are in the columns ratings, raters and rounds of their item; best-worst answers are in
    ``Benchmark.judgements``. Items that nobody judged stay, without a score.

    Args:
        judgements: answers, with the texts of the items.
        method: such as "plackett-luce"; by default counting for best-worst answers, gaussian for ratings.
        rng: for methods that draw; by default seeded with 0.
        name: of the benchmark; by default that of the judgements.

    Raises:
        InputError: the texts of the items are unknown, or an answer is impossible.
        ArgumentError: the method is for another kind of answers.
        EstimationError: the scores could not be estimated.

    >>> answers = pl.DataFrame({"annotator": ["x", "y"], "item": ["1", "1"], "value": [3.0, 4.0]})
    >>> texts = pl.DataFrame({"id": ["1"], "left": ["a cat"], "right": ["one cat"]})
    >>> made = make_gold(Judgements(name="made", frame=answers, items=texts))
    >>> made.gold.scores, made.gold.sigmas, made.provenance.aggregation
    (array([3.5]), array([0.5]), 'gaussian: mean and population standard deviation of the ratings')
    """
    _texts_of(judgements)  # before any work is done
    chosen = method if isinstance(method, Aggregation) else make_aggregation(method, kind=judgements.kind)
    aggregated = chosen.aggregate(judgements, np.random.default_rng(0) if rng is None else rng)
    return benchmark_of(judgements, aggregated, name=name)


def benchmark_of(judgements: Judgements, aggregated: Aggregated, *, name: str | None = None) -> Benchmark:
    """The benchmark made of judgements and their aggregated scores.

    Raises:
        InputError: the texts of the items are unknown.
    """
    items = _texts_of(judgements)
    frame = items.join(_gold_columns(judgements, aggregated), on="id", how="left", maintain_order="left")
    return Benchmark(
        name=name or judgements.name,
        frame=frame,
        scale=aggregated.scale,
        licence=judgements.licence,
        provenance=_provenance(judgements, aggregated, frame),
        judgements=judgements.frame if judgements.kind == "best-worst" else None,
    )


def _texts_of(judgements: Judgements) -> pl.DataFrame:
    items = judgements.items
    if items is None or items.select("left", "right").null_count().sum_horizontal()[0]:
        what = "the texts of the items are unknown" if items is None else "some items have no text"
        remedy = "a benchmark needs them: give a table with id, left and right, or ask for scores only"
        raise InputError(what, where=judgements.name, remedy=remedy)
    if items["id"].is_in(judgements.judged).any():
        return items
    ids = f"judged ids are {listed(judgements.judged)}, item ids are {listed(items['id'])}"
    what = f"no judged id is among the items: {ids}"
    raise InputError(what, where=judgements.name, remedy="use the same ids in both")


def _gold_columns(judgements: Judgements, aggregated: Aggregated) -> pl.DataFrame:
    there = [name for name in GOLD_SCHEMA if name in aggregated.frame.columns]
    gold = aggregated.frame.select("id", *there)
    if judgements.kind == "best-worst":
        return gold
    kept = rated_items(judgements).frame.select("id", "ratings", "raters", "rounds")
    return gold.join(kept, on="id", how="left", maintain_order="left")


def _provenance(judgements: Judgements, aggregated: Aggregated, frame: pl.DataFrame) -> Provenance:
    origin = judgements.provenance
    people = f"{counted(len(judgements.annotators), 'annotator')}" if judgements.annotators else None
    return replace(
        origin,
        judged_by=origin.judged_by or people,
        aggregation=aggregated.how,
        notes=(*origin.notes, *aggregated.notes, *_mismatches(judgements, frame)),
    )


def _mismatches(judgements: Judgements, frame: pl.DataFrame) -> tuple[str, ...]:
    """Notes on items without a judgement, and on judged ids without an item."""
    judged = pl.Series(judgements.judged, dtype=pl.String)
    unjudged = frame.filter(~pl.col("id").is_in(judged.implode()))["id"].to_list()
    unknown = judged.filter(~judged.is_in(frame["id"].implode())).to_list()
    told = []
    if unjudged:
        told.append(f"{counted(len(unjudged), 'item')} without a judgement, and so without a score: {listed(unjudged)}")
    if unknown:
        told.append(
            f"{counted(len(unknown), 'judged id')} without an item, left out of the benchmark: {listed(unknown)}"
        )
    return tuple(told)
