"""Checks of each annotator: bias, agreement with others' choices, consistency on repeats, gold questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, question_of_items
from similitude.data.plural import listed
from similitude.errors import InputError, ScaleError
from similitude.gold.aggregation.last_answers import last_answers, last_of_each
from similitude.gold.reliability.best_worst_figures import are_pairs
from similitude.gold.reliability.rating_spread import ratings_of, scale_of

__all__ = [
    "TOLERANCE",
    "GoldAnswers",
    "difference_from_others",
    "gold_questions",
    "repeats",
    "same_choices",
    "same_labels",
]

GoldAnswers = Mapping[str, float] | Mapping[str, tuple[str, str]] | Mapping[str, str]
"""Question (or item) -> correct rating, or correct category in words; or question -> correct best and worst."""

TOLERANCE = 0.1
"""Two ratings agree if they differ by less than this fraction of the scale: 0.5 on 0..5, as in USTS 3.2."""

CHOICES = ("best", "worst")
EDGE = 1e-9


def difference_from_others(judgements: Judgements) -> pl.DataFrame:
    """Bias and spread of each annotator's ratings relative to the others', on shared items.

    Returns:
        Columns annotator; bias (mean of own rating minus the mean of the others'); spread_ratio (standard deviation
            of own ratings / that of all ratings of the others for the same items).
    """
    rated = ratings_of(judgements)
    value, others = pl.col("value"), pl.len().over("item") - 1
    rest = (value.sum().over("item") - value).alias("rest")
    squares = ((value**2).sum().over("item") - value**2).alias("squares")
    there = rated.with_columns(rest, squares, others=others.cast(pl.Float64)).filter(pl.col("others") > 0)
    number, mean = pl.col("others").sum(), pl.col("rest").sum() / pl.col("others").sum()
    variance = pl.max_horizontal(pl.col("squares").sum() / number - mean**2, 0.0)
    apart = (value - pl.col("rest") / pl.col("others")).mean()
    ratio = pl.when(variance > EDGE).then(value.std(ddof=0) / variance.sqrt())
    return there.filter(pl.col("annotator").is_not_null()).group_by("annotator").agg(bias=apart, spread_ratio=ratio)


def same_choices(judgements: Judgements) -> pl.DataFrame:
    """How often each annotator names the same item as others who saw the same question.

    Returns:
        Columns annotator; same_best and same_worst (mean share of the others who gave the same answer);
        majority_best and majority_worst (share of own answers that are the others' commonest answer, or tie with it).
        Of two items, the best decides the worst, and the figures on the worst are left out.
    """
    choices = CHOICES[:1] if are_pairs(judgements) else CHOICES
    answers = last_answers(judgements).frame.select("annotator", "question", *choices)
    asked = answers.filter(pl.len().over("question") > 1)
    for name in choices:
        asked = _with_votes(asked, name)
    figures = {f"{kind}_{name}": pl.col(f"{kind}_{name}").mean() for kind in ("same", "majority") for name in choices}
    return asked.filter(pl.col("annotator").is_not_null()).group_by("annotator").agg(**figures)


def same_labels(judgements: Judgements) -> pl.DataFrame:
    """How often each annotator gives an item the same label as others.

    Returns:
        Columns annotator; same_label (mean share of the others who gave the same label); majority_label (share of own
        labels that are the others' commonest, or tie with it).
    """
    answers = last_answers(judgements).frame.select("annotator", question="item", label="value")
    asked = _with_votes(answers.filter(pl.len().over("question") > 1), "label")
    figures = {name: pl.col(name).mean() for name in ("same_label", "majority_label")}
    return asked.filter(pl.col("annotator").is_not_null()).group_by("annotator").agg(**figures)


def repeats(judgements: Judgements) -> pl.DataFrame:
    """Consistency of each annotator on repeats: the same item, or set of items, under another question.

    The answer to the first such question is compared with the answer to the second. Ratings agree within `TOLERANCE`;
    categories if they are the same; for best-worst, best and worst count half each.

    Returns:
        Columns annotator, repeats (number of repeats), repeat_agreement (share).
    """
    is_tuple = judgements.kind == "best-worst"
    frame = judgements.frame if is_tuple else judgements.rated()
    subject = question_of_items(pl.col("items")) if is_tuple else pl.col("item")
    answers = frame.filter(pl.col("annotator").is_not_null()).with_columns(subject=subject)
    columns = list(CHOICES) if is_tuple else ["value"]
    once = answers.unique(["annotator", "subject", "question"], keep="last", maintain_order=True)
    pairs = once.group_by("annotator", "subject", maintain_order=True).agg(
        pl.len(),
        *(pl.col(name).get(place, null_on_oob=True).alias(f"{name}{place}") for name in columns for place in (0, 1)),
    )
    again = pairs.filter(pl.col("len") > 1)
    if is_tuple:
        same = pl.mean_horizontal(*(pl.col(f"{name}0") == pl.col(f"{name}1") for name in CHOICES))
    else:
        same = (pl.col("value0") - pl.col("value1")).abs() < _tolerance(judgements)
    return again.group_by("annotator").agg(repeats=pl.len(), repeat_agreement=same.mean())


def gold_questions(judgements: Judgements, gold_answers: GoldAnswers) -> pl.DataFrame:
    """The number of gold questions that each annotator was asked, and answered correctly.

    A rating is correct within `TOLERANCE` of the gold answer, a best-worst answer if both best and worst are.

    Returns:
        Columns annotator, gold_asked, gold_right.

    Raises:
        InputError: none of these questions was answered.
    """
    if judgements.kind == "best-worst":
        asked, right = _asked_choices(judgements, gold_answers)
    else:
        asked, right = _asked_ratings(judgements, _as_numbers(judgements, gold_answers))
    if asked.is_empty():
        what = f"none of the {len(gold_answers):,} gold questions was answered"
        raise InputError(what, where=judgements.name, remedy="identify them by question or by item")
    return (
        asked.filter(pl.col("annotator").is_not_null())
        .group_by("annotator")
        .agg(gold_asked=pl.len(), gold_right=right.sum())
    )


def _with_votes(asked: pl.DataFrame, name: str) -> pl.DataFrame:
    """For every answer, the share of the others who gave it too, and whether none had more of their votes."""
    votes = asked.group_by("question", name).len("votes").with_columns(pl.col("votes").cast(pl.Int64))
    most, second = (pl.col("votes").sort(descending=True).get(place, null_on_oob=True) for place in (0, 1))
    leading = votes.group_by("question").agg(most=most, second=second.fill_null(0))
    counted = asked.join(votes.join(leading, on="question"), on=["question", name], maintain_order="left")
    with_me = pl.col("votes") - 1
    is_majority = (pl.col("votes") == pl.col("most")) & (with_me > 0) & (with_me >= pl.col("second"))
    shares = {f"same_{name}": with_me / (pl.len().over("question") - 1), f"majority_{name}": is_majority}
    return counted.with_columns(**shares).drop("votes", "most", "second")


def _tolerance(judgements: Judgements) -> float:
    """The distance below which two values are the same; categories are numbered 0, 1, ..."""
    return 0.5 if judgements.kind == "category" else TOLERANCE * scale_of(judgements).width - EDGE


def _as_numbers(judgements: Judgements, gold_answers: GoldAnswers) -> Mapping[str, float]:
    """Correct ratings as they are, correct categories as their numbers.

    Raises:
        InputError: a correct answer is not one of the categories.
        ScaleError: a correct rating is off the scale.
    """
    if judgements.kind == "rating":
        return _on_scale(judgements, {question: cast(float, value) for question, value in gold_answers.items()})
    numbers = {name: float(place) for place, name in enumerate(judgements.categories)}
    for question, label in gold_answers.items():
        if label not in numbers:
            what = f"the correct answer '{label}' to '{question}' is not a category"
            raise InputError(what, where=judgements.name, remedy=f"one of {listed(judgements.categories, 12)}")
    return {question: numbers[cast(str, label)] for question, label in gold_answers.items()}


def _on_scale(judgements: Judgements, gold_answers: Mapping[str, float]) -> Mapping[str, float]:
    scale = judgements.scale
    for question, value in gold_answers.items():
        if scale is not None and scale.origin != "inferred" and not scale.holds(np.array([value])).item():
            what = f"the correct answer {value:g} to '{question}' is off the scale {scale}"
            raise ScaleError(what, where=judgements.name, remedy="give it on the scale that raters saw")
    return gold_answers


def _asked_ratings(judgements: Judgements, gold_answers: Mapping[str, float]) -> tuple[pl.DataFrame, pl.Expr]:
    gold = pl.DataFrame({"key": list(gold_answers), "gold": np.array(list(gold_answers.values()))})
    rated = last_of_each(judgements.rated(), "question")
    by_question = rated.join(gold, left_on="question", right_on="key", how="left", maintain_order="left")
    both = by_question.join(
        gold.rename({"gold": "by_item"}), left_on="item", right_on="key", how="left", maintain_order="left"
    )
    asked = both.with_columns(gold=pl.coalesce("gold", "by_item")).filter(pl.col("gold").is_not_null())
    return asked, (pl.col("value") - pl.col("gold")).abs() < _tolerance(judgements)


def _asked_choices(judgements: Judgements, gold_answers: GoldAnswers) -> tuple[pl.DataFrame, pl.Expr]:
    right = [tuple(answer) for answer in gold_answers.values() if not isinstance(answer, float | int | str)]
    if len(right) < len(gold_answers) or any(len(answer) != 2 for answer in right):
        what = "gold answers to best-worst questions must be pairs of best and worst"
        raise InputError(what, where=judgements.name, remedy="give (best, worst) for every question")
    columns = {"question": list(gold_answers), "gold_best": [a[0] for a in right], "gold_worst": [a[1] for a in right]}
    answers = last_of_each(judgements.frame, "question")
    asked = answers.join(pl.DataFrame(columns, schema_overrides={"question": pl.String}), on="question")
    return asked, (pl.col("best") == pl.col("gold_best")) & (pl.col("worst") == pl.col("gold_worst"))
