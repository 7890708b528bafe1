"""Figures of agreement on categories: coefficients, and agreement on each label."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.aggregation.tuple_arrays import numbered
from similitude.gold.reliability.agreement import Agreement, Step
from similitude.gold.reliability.bootstrap import Resampling
from similitude.gold.reliability.categories import Classification, Weights, classified_ratings
from similitude.gold.reliability.coefficient_figures import coefficient_figures, label_figure
from similitude.stats.arrays import Array

__all__ = ["category_steps", "classified", "classified_frame", "few_label_steps", "refuse_unordered_weights"]

MOST_LABELS = 12
"""With more categories, agreement is given for the commonest ones only."""
FEW_LABELS = 20
"""With more distinct values than this, ratings are not labels, and have no coefficients of categories."""
USUAL_WEIGHTS: Weights = "quadratic"
"""The weights of ratings with few values, if none are asked for."""


def classified(judgements: Judgements) -> Classification:
    """The answers that count, as categories.

    Possible categories are all those in words; of ratings in whole numbers, all those of a declared scale with few of
    them; and else the values that occur.
    """
    answers = last_answers(judgements).frame
    return classified_frame(answers, "value", _possible(judgements, answers["value"].to_numpy()))


def _possible(judgements: Judgements, values: Array) -> Array | None:
    scale = judgements.scale
    if judgements.categories:
        return np.arange(len(judgements.categories), dtype=np.float64)
    if scale is None or scale.origin == "inferred":
        return None
    ends = np.array([scale.low, scale.high])
    is_whole = bool((values % 1 == 0).all()) and bool((ends % 1 == 0).all()) and scale.holds(values).all()
    few = is_whole and scale.width < FEW_LABELS
    return np.arange(scale.low, scale.high + 1, dtype=np.float64) if few else None


def classified_frame(answers: pl.DataFrame, column: str, possible: Array | None) -> Classification:
    """A table of answers with the columns item and annotator as categories; raters only if all are named.

    Args:
        answers: one row per answer.
        column: the column with the categories, as numbers.
        possible: the possible values of the categories; None for those that occur.
    """
    item, annotator = answers["item"], answers["annotator"]
    rater = None if annotator.null_count() else _coded(annotator)
    values = answers[column].cast(pl.Float64).to_numpy()
    return classified_ratings(_coded(item), values, rater, possible=possible)


def _coded(names: pl.Series) -> np.ndarray:
    return numbered(names, names.unique(maintain_order=True)).to_numpy()


def category_steps(judgements: Judgements, weights: Weights | None = None) -> list[Step]:
    """The steps for answers in categories without an order.

    Raises:
        ArgumentError: weights were asked for, and categories in words have no order.
    """
    refuse_unordered_weights(judgements, weights)
    answers = classified(judgements)
    labels = [partial(_label, answers, code, judgements.categories[code]) for code in _commonest(answers)]
    return [partial(coefficient_figures, answers), *labels]


def few_label_steps(judgements: Judgements, weights: Weights | None = None) -> list[Step]:
    """The steps for ratings with few values, which are ordered labels; none for ratings with many values."""
    answers = classified(judgements)
    if answers.values.size > FEW_LABELS:
        if weights is not None:
            what = f"{answers.values.size:,} different ratings are not labels, and weights are for labels"
            raise ArgumentError(what, where=judgements.name, remedy=f"for at most {FEW_LABELS}; leave --weights out")
        return []
    sets: list[Weights] = ["identity", weights or USUAL_WEIGHTS]
    # Of two labels, there is only one way to differ.
    kinds = dict.fromkeys(sets if answers.values.size > 2 else sets[:1])
    return [partial(_without_alpha, answers, kind) for kind in kinds]


def refuse_unordered_weights(judgements: Judgements, weights: Weights | None) -> None:
    """Check that weights are asked for only where categories have an order.

    Raises:
        ArgumentError: they have none.
    """
    if weights in (None, "identity"):
        return
    if judgements.kind == "category":
        order = ",".join(judgements.categories)
        what = f"{weights} weights need an order of the categories, and words have none"
        raise ArgumentError(what, where=judgements.name, remedy=f"give it, lowest first, as in --categories '{order}'")
    if judgements.kind == "best-worst":
        raise ArgumentError("weights are for labels, and these are best-worst answers", remedy="leave --weights out")


def _without_alpha(answers: Classification, weights: Weights, resampling: Resampling) -> list[Agreement]:
    """The coefficients of ratings; nominal and interval alpha are among the figures of all ratings."""
    is_new = weights in ("linear", "ordinal")
    return coefficient_figures(answers, resampling, weights=weights, with_alpha=is_new)


def _commonest(answers: Classification) -> Sequence[int]:
    """The commonest categories, in the order of all categories."""
    counts = np.bincount(answers.label)
    most = np.argsort(-counts, kind="stable")[:MOST_LABELS]
    return sorted(int(code) for code in most if counts[code])


def _label(answers: Classification, code: int, label: str, resampling: Resampling) -> list[Agreement]:
    return [label_figure(answers, code, label, resampling)]
