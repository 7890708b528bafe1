"""Judgements aggregated into a benchmark."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from similitude.data.addresses import BenchmarkData, JudgementData, open_judgements
from similitude.data.benchmark import Benchmark
from similitude.data.gold import GOLD_SCHEMA
from similitude.data.judgements import Judgements
from similitude.data.number_arguments import check_seed
from similitude.data.plural import counted, listed
from similitude.data.provenance import Provenance
from similitude.data.reading.arguments import as_text
from similitude.errors import ExtensionError, InputError
from similitude.gold.aggregation.adjudication import (
    Adjudicated,
    decided_acceptance,
    is_preferred,
    note_of_decisions,
    with_decided_answers,
    with_decided_scores,
)
from similitude.gold.aggregation.aggregation import Aggregated, Aggregation, make_aggregation
from similitude.gold.aggregation.rated_items import rated_items
from similitude.gold.aggregation.rejections import accept_items, without_items

__all__ = ["aggregate_judgements", "benchmark_of", "make_gold", "scored_judgements"]


def make_gold(
    data: Judgements | JudgementData,
    method: str | Aggregation | None = None,
    *,
    items: BenchmarkData | None = None,
    seed: int = 0,
    rng: np.random.Generator | None = None,
    name: str | None = None,
    keep_rejected: bool = False,
    adjudicated: Adjudicated = "ignore",
) -> Benchmark:
    """Aggregate judgements into a benchmark, which keeps them.

    Ratings are in the columns ratings, raters and rounds of their item; best-worst answers are in
    ``Benchmark.judgements``. Items that nobody judged stay, without a score.

    Args:
        data: answers with the texts of the items: judgements, or what `similitude.read_judgements` takes.
        method: such as "plackett-luce"; by default counting for best-worst answers, gaussian for ratings.
        items: the texts of the items, if the answers do not have them: what `similitude.read` takes.
        seed: for methods that draw.
        rng: a generator instead of the seed.
        name: of the benchmark; by default that of the judgements.
        keep_rejected: whether to keep items to which the question of a verification does not apply according to most
            annotators; by default they are left out, and the notes list them.
        adjudicated: what to do with decisions of leaders: "ignore" them, or "prefer" them to people's answers; notes
            count them.

    Raises:
        InputError: the texts of the items are unknown, an answer is impossible, or answers are categories without an
            order.
        ArgumentError: the method is for another kind of answers.
        EstimationError: the scores could not be estimated.

    >>> answers = {"left": ["a cat"] * 2, "right": ["one cat"] * 2, "annotator": ["x", "y"], "rating": [3.0, 4.0]}
    >>> made = make_gold(answers)
    >>> made.gold.scores, made.gold.sigmas, made.provenance.aggregation
    (array([3.5]), array([0.5]), 'gaussian: mean and population standard deviation of the ratings')
    """
    name = as_text("name", name)
    judgements = open_judgements(data) if items is None else open_judgements(data, items=items)
    _texts_of(judgements)  # before any work is done
    aggregated = aggregate_judgements(
        judgements, method, seed=seed, rng=rng, keep_rejected=keep_rejected, adjudicated=adjudicated
    )
    return benchmark_of(judgements, aggregated, name=name)


def aggregate_judgements(
    data: Judgements | JudgementData,
    method: str | Aggregation | None = None,
    *,
    seed: int = 0,
    rng: np.random.Generator | None = None,
    keep_rejected: bool = False,
    adjudicated: Adjudicated = "ignore",
) -> Aggregated:
    """Aggregate judgements into a table of scores or labels, without the items that most annotators reject.

    Args:
        data: answers of any kind: judgements, or what `similitude.read_judgements` takes.
        method: such as "plackett-luce"; by default counting for best-worst answers, gaussian for ratings, majority for
            categories.
        seed: for methods that draw.
        rng: a generator instead of the seed.
        keep_rejected: whether to keep items to which the question of a verification does not apply according to most
            annotators.
        adjudicated: what to do with decisions of leaders: "ignore" them, or "prefer" them to people's answers; notes
            count them.

    Raises:
        InputError: an answer is impossible, or most annotators reject every item.
        ArgumentError: the method is for another kind of answers.
        EstimationError: the scores could not be estimated.

    >>> aggregate_judgements("sample:dialogues", "counting").frame.columns
    ['id', 'score', 'standard_error', 'answers', 'best', 'worst']
    """
    check_seed(seed)
    judgements = open_judgements(data)
    chosen = method if isinstance(method, Aggregation) else make_aggregation(method, kind=judgements.kind)
    preferred = is_preferred(judgements, adjudicated)
    decided = decided_acceptance(judgements) if preferred else {}
    accepted = accept_items(judgements, keep_rejected=keep_rejected, decided=decided)
    answers = with_decided_answers(accepted.judgements) if preferred else accepted.judgements
    made = _complete(chosen, chosen.aggregate(answers, np.random.default_rng(seed) if rng is None else rng))
    made = with_decided_scores(made, judgements) if preferred else made
    made = replace(made, notes=(*note_of_decisions(judgements, adjudicated), *made.notes))
    if accepted.shares is None:
        return made
    shares = accepted.shares.select("applies_share", id="item")
    frame = made.frame.join(shares, on="id", how="left", maintain_order="left")
    return replace(made, frame=frame, notes=(*accepted.notes, *made.notes), rejected=accepted.rejected)


def _complete(method: Aggregation, made: object) -> Aggregated:
    """What a method made, if it is what a method must make.

    Raises:
        ExtensionError: it is not; such a method is another package's, or in a file.
    """
    what = f"aggregation '{method}' gives"
    if not isinstance(made, Aggregated):
        remedy = "its method aggregate gives a similitude.Aggregated"
        raise ExtensionError(f"{what} no Aggregated but {type(made).__name__}", remedy=remedy)
    needed = ("id", "label" if made.scale is None else "score", "answers")
    if lacking := [name for name in needed if name not in made.frame.columns]:
        remedy = f"add the columns; there are: {', '.join(made.frame.columns) or 'none'}"
        raise ExtensionError(f"{what} a frame without {', '.join(lacking)}", remedy=remedy)
    return made


def benchmark_of(judgements: Judgements, aggregated: Aggregated, *, name: str | None = None) -> Benchmark:
    """The benchmark made of judgements and their aggregated scores.

    Items that most annotators reject are left out if the scores leave them out.

    Raises:
        InputError: the texts of the items are unknown, or there are labels instead of scores.
    """
    if aggregated.scale is None:
        what = "categories without an order have labels, but no scores, and a benchmark needs scores"
        raise InputError(what, where=judgements.name, remedy="give them an order: --categories LOW,...,HIGH")
    judgements = scored_judgements(judgements, aggregated)
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


def scored_judgements(judgements: Judgements, aggregated: Aggregated) -> Judgements:
    """The judgements without those of rejected items that have no row among the scores."""
    rejected = aggregated.rejected
    if rejected is None or rejected.is_empty() or rejected["item"].is_in(aggregated.frame["id"].implode()).any():
        return judgements
    return without_items(judgements, rejected["item"])


def _texts_of(judgements: Judgements) -> pl.DataFrame:
    items = judgements.items
    if items is None or items.select("left", "right").null_count().sum_horizontal()[0]:
        what = "the texts of the items are unknown" if items is None else "some items have no text"
        remedy = "a benchmark needs them: give items=, a table with id, left and right; or take scores without texts "
        remedy += "from similitude.aggregate"
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
    named = len(judgements.annotators) and not judgements.frame["annotator"].null_count()
    people = counted(len(judgements.annotators), "annotator") if named else None
    return replace(
        origin,
        judged_by=origin.judged_by or people,
        aggregation=aggregated.how,
        notes=(*origin.notes, *aggregated.notes, *_mismatches(judgements, frame)),
    )


def _mismatches(judgements: Judgements, frame: pl.DataFrame) -> tuple[str, ...]:
    """Notes on items without a judgement, and on judged ids without an item."""
    judged = pl.Series(judgements.judged)
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
