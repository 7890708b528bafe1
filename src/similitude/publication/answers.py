"""The answers behind gold, with what gold knows of them: the texts, the groups and the scale."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import InputError
from similitude.gold.aggregation.rejections import applies_were_asked

__all__ = ["about_published_items", "with_facts_of_gold"]


def with_facts_of_gold(judgements: Judgements, gold: Benchmark) -> Judgements:
    """The answers with the items of gold, if it has all of them, and with its scale, if they state none.

    Raises:
        InputError: the ratings cannot be on the scale of gold, and state none of their own.
    """
    known = set(gold.items.ids)
    if judgements.items is None and known.issuperset(judgements.judged):
        judgements = judgements.with_items(gold)
    if judgements.kind != "rating" or judgements.scale is None or judgements.scale.origin != "inferred":
        return judgements
    assert gold.scale is not None
    if not _is_on_scale_of(judgements, gold):
        values = judgements.rated()["value"].to_numpy()
        span = f"from {values.min():g} to {values.max():g}"
        what = f"the ratings are {span} and state no scale, and that of the gold is {gold.scale}"
        remedy = "state it in a plan: [judgements_reading] scale = '1..5'; in Python: sim.read_judgements(..., scale=)"
        raise InputError(what, where=judgements.name, remedy=remedy)
    return replace(judgements, scale=Scale(low=gold.scale.low, high=gold.scale.high))


def _is_on_scale_of(judgements: Judgements, gold: Benchmark) -> bool:
    """Whether gold may be an average of the ratings: they lie on its scale, and the scores among the ratings."""
    assert gold.scale is not None
    values = judgements.rated()["value"].to_numpy()
    if not values.size:
        return True
    scores = gold.frame.filter(pl.col("id").is_in(judgements.judged))["score"].drop_nulls().to_numpy()
    room = gold.scale.width / 10  # models of annotators move scores beyond the ratings
    among = (scores >= values.min() - room) & (scores <= values.max() + room)
    return bool(gold.scale.holds(values).all() and among.all())


def about_published_items(judgements: Judgements, gold: Benchmark) -> Judgements:
    """The answers about items of the release, which its figures are computed from.

    Best-worst answers are about tuples, and verifications about rejected items, too: these stay whole.
    """
    if judgements.kind == "best-worst" or applies_were_asked(judgements):
        return judgements
    known = gold.frame["id"].implode()
    return replace(judgements, frame=judgements.frame.filter(pl.col("item").is_in(known)))
