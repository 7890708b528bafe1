"""Every aggregation takes answers of its own kind alone."""

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError
from similitude.gold.aggregation import AGGREGATIONS, aggregate_judgements, make_aggregation
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.growth import divergence_growth
from similitude.gold.reliability.opinion_figures import opinion_figures

RATINGS = Judgements(
    name="made",
    frame=pl.DataFrame({"annotator": list("xyxyxy"), "item": list("aabbcc"), "value": [1.0, 2.0, 3.0, 3.5, 4.0, 5.0]}),
    scale=Scale(low=0, high=5),
)
CHOICES = Judgements(
    name="made",
    frame=pl.DataFrame(
        {
            "question": list("112233"),
            "annotator": list("xyxyxy"),
            "items": [["a", "b", "c"]] * 6,
            "best": list("aaabab"),
            "worst": list("ccbcca"),
        }
    ),
)
LABELS = Judgements(
    name="made", frame=RATINGS.frame.with_columns(value=pl.Series([0.0, 0, 1, 1, 0, 1])), categories=("no", "yes")
)
BY_KIND = {"rating": RATINGS, "best-worst": CHOICES, "category": LABELS}


@pytest.mark.parametrize("name", list(AGGREGATIONS))
def test_other_kinds_are_refused(name: str):
    method = make_aggregation(name)
    for kind, judgements in BY_KIND.items():
        if kind == method.kind:
            assert aggregate_judgements(judgements, method).frame.height == 3
        else:
            with pytest.raises(
                ArgumentError, match=f"^made: '{name}.*' is for {method.kind} answers, and these are {kind} answers"
            ):
                aggregate_judgements(judgements, method)


@pytest.mark.parametrize("judgements", BY_KIND.values(), ids=list(BY_KIND))
def test_no_interval_is_drawn_where_none_is_asked_for(judgements: Judgements):
    figures = agreement_figures(judgements, resampling=NO_INTERVALS)
    if judgements.kind == "rating":
        figures = [*figures, *opinion_figures(judgements, resampling=NO_INTERVALS)]
    assert figures
    assert [one.name for one in figures if np.isfinite(one.estimate.low)] == []


def test_where_something_is_missing_is_said():
    unnamed = Judgements(
        name="made", frame=LABELS.frame.with_columns(annotator=pl.lit(None, dtype=pl.String)), categories=("no", "yes")
    )
    with pytest.raises(InputError, match=r"^made: .*; name the annotators, or use majority"):
        aggregate_judgements(unnamed, "dawid-skene")
    two = RATINGS.frame.with_columns(round=pl.Series(["first"] * 6))
    both = pl.concat([two, two.with_columns(round=pl.lit("second"), annotator=pl.col("annotator") + "2")])
    rounds = Judgements(name="made", frame=both, scale=RATINGS.scale)
    with pytest.raises(
        ArgumentError, match=r"^made: no item has two ratings of round 'first' and 5 of round 'second'; ask for fewer"
    ):
        divergence_growth(rounds, at=[2, 5])
    with pytest.raises(ArgumentError, match=r"^made: there is only one round, 'first'"):
        divergence_growth(Judgements(name="made", frame=two, scale=RATINGS.scale))
