"""One row per annotator: agreement with the rest, response style, checks, and flags."""

from __future__ import annotations

import polars as pl

from similitude.data.judgements import Judgements
from similitude.errors import EstimationError, InputError
from similitude.gold.aggregation.annotator_plackett_luce import fitted_annotators
from similitude.gold.reliability.annotator_checks import (
    GoldAnswers,
    difference_from_others,
    gold_questions,
    repeats,
    same_choices,
    same_labels,
)
from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.flags import with_flags
from similitude.gold.reliability.named_raters import why_unnamed
from similitude.gold.reliability.rater_rest_correlation import own_and_rest_scores, rest_correlations
from similitude.gold.reliability.rating_spread import scale_of
from similitude.gold.reliability.response_style import choice_style, label_style, pace, rating_style

__all__ = ["annotator_table"]

ALONE = "only one annotator: there is nobody to compare with"
APART = "shares no item with another annotator: there is nothing to compare"
MOST_CLICKS = 200_000
"""With more answers, random clickers are looked for by the aggregation only: it takes seconds."""
FLAT = "no correlation with the others: own answers, or theirs, are constant"
FEWEST_ITEMS = 3
"""With fewer items nobody has a correlation, and that it is missing says nothing of anybody."""


def annotator_table(
    judgements: Judgements,
    *,
    gold_answers: GoldAnswers | None = None,
    resampling: Resampling = USUAL,
) -> pl.DataFrame:
    """One row per annotator, with every figure on their reliability.

    For both kinds of judgement: ``answers``, ``items``; ``seconds`` (median), ``too_fast``, ``impossible`` (shares of
    timed answers, see `similitude.gold.reliability.response_style.pace`); ``pearson`` with ``pearson_low`` and
    ``pearson_high``, and ``spearman``: agreement with the rest (ratings: with the mean of the others' ratings;
    best-worst: own counting scores with those of all others); ``longest_run``; ``repeats`` and ``repeat_agreement``
    (the same thing asked again under another question); ``gold_asked`` and ``gold_right``, if gold answers are given.

    For ratings: ``bias``, ``spread_ratio``, ``extremes``, ``commonest``. For best-worst: ``same_best``,
    ``same_worst``, ``majority_best``, ``majority_worst``, ``best_place``, ``worst_place`` and shares; of two items,
    only those on the best; with at most 200,000 answers, also ``attention`` and ``random_clicking`` (see the
    aggregation `annotator-plackett-luce`). For categories: ``same_label``, ``majority_label``, ``commonest``, and no
    correlation.

    ``flags`` describes anomalies in short sentences. A figure is flagged if it is both far from the median annotator
    (a fixed margin) and more than three robust standard deviations away; see `similitude.gold.reliability.flags`.
    This needs four annotators, and ten answers of the flagged one. Impossible times are flagged from two answers, and
    10 % of an annotator's, on, whatever the others do.

    Args:
        judgements: answers with named annotators.
        gold_answers: question (or item) -> correct rating or category, or question -> (best, worst).
        resampling: the confidence level of agreement with the rest; with ``resamples=0`` there are no intervals.

    Raises:
        InputError: no annotator is named.
    """
    if not judgements.annotators:
        what = f"there is no table of annotators; {why_unnamed(judgements)}"
        raise InputError(what, where=judgements.name)
    agreement = _agreement(judgements, resampling)
    parts = [agreement.drop("reason"), *_parts(judgements)]
    if gold_answers:
        parts.append(gold_questions(judgements, gold_answers))
    table = pace(judgements)
    for part in parts:
        table = table.join(part, on="annotator", how="left", maintain_order="left")
    counts = pl.col("^repeats|gold_asked|gold_right$").fill_null(0)
    known = table.join(agreement, on="annotator", maintain_order="left").select("reason", "items")
    reasons = [None if why == FLAT and items < FEWEST_ITEMS else why for why, items in known.iter_rows()]
    width = scale_of(judgements).width if judgements.kind == "rating" else None
    return with_flags(table.with_columns(counts), reasons, width)


def _parts(judgements: Judgements) -> list[pl.DataFrame]:
    if judgements.kind == "category":
        return [same_labels(judgements), label_style(judgements), repeats(judgements)]
    if judgements.kind == "rating":
        return [difference_from_others(judgements), rating_style(judgements), repeats(judgements)]
    return [same_choices(judgements), choice_style(judgements), repeats(judgements), *_attention(judgements)]


def _attention(judgements: Judgements) -> list[pl.DataFrame]:
    """How likely each annotator is to click at random; nothing where the model does not apply."""
    if len(judgements) > MOST_CLICKS:
        return []
    try:
        return [fitted_annotators(judgements).drop("answers")]
    except (InputError, EstimationError):
        return []


def _agreement(judgements: Judgements, resampling: Resampling) -> pl.DataFrame:
    """Correlation of every annotator with the rest, or why it is undefined."""
    if judgements.kind == "category":
        return pl.DataFrame({"annotator": judgements.annotators, "reason": None})
    table = own_and_rest_scores(judgements)
    found = dict.fromkeys(judgements.annotators, (undefined(APART), float("nan")))
    if len(judgements.annotators) == 1:
        found = dict.fromkeys(judgements.annotators, (undefined(ALONE), float("nan")))
    elif table.height:
        names = table["annotator"].unique(maintain_order=True)
        rs, rhos = rest_correlations(table, "pearson").estimates(resampling), rest_correlations(table, "spearman").each
        found |= {name: (r, float(rho)) for name, r, rho in zip(names, rs, rhos, strict=True)}
    rows = [_agreement_row(name, r, rho) for name, (r, rho) in found.items()]
    schema = ["annotator", "pearson", "pearson_low", "pearson_high", "spearman", "reason"]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _agreement_row(name: str, r: Estimate, rho: float) -> tuple[str, float, float, float, float, str | None]:
    reason = None if r.is_defined else r.reason or FLAT
    return name, r.value, r.low, r.high, rho, reason
