"""Agreement on each item: the share of pairs of answers that agree, and the entropy of the answers."""

from __future__ import annotations

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.aggregation.tuple_arrays import numbered
from similitude.gold.reliability.categories import Classification
from similitude.gold.reliability.category_figures import FEW_LABELS, classified, classified_frame
from similitude.gold.reliability.rating_spread import ratings_of
from similitude.stats.arrays import Array

__all__ = ["item_agreement"]


def item_agreement(judgements: Judgements) -> pl.DataFrame:
    """One row per item, or per tuple of best-worst answers.

    ``agreement`` is the share of pairs of answers that are the same, null with fewer than two answers; its mean is
    percent agreement. ``entropy`` is that of the shares of the answers, natural log: 0 if all are the same, ln q if
    q categories are equally common.

    Returns:
        For categories: item, answers, agreement, entropy. For ratings: item, answers, mean, sigma and, with at most
        20 different values, agreement and entropy. For best-worst answers: question, answers, best_agreement,
        best_entropy, worst_agreement, worst_entropy.

    >>> rows = {"annotator": list("xyzxy"), "item": list("aaabb"), "value": [1.0, 1.0, 0.0, 0.0, 0.0]}
    >>> labels = Judgements(name="labels", frame=pl.DataFrame(rows), categories=("no", "yes"))
    >>> item_agreement(labels).select("item", "answers", pl.col("agreement", "entropy").round(3)).rows()
    [('a', 3, 0.333, 0.637), ('b', 2, 1.0, 0.0)]
    """
    if judgements.kind == "best-worst":
        return _of_tuples(judgements)
    if judgements.kind == "category":
        answers = last_answers(judgements).frame
        return pl.DataFrame(_columns(answers["item"], classified(judgements)))
    return _of_ratings(judgements)


def _of_ratings(judgements: Judgements) -> pl.DataFrame:
    rated = ratings_of(judgements)
    spread = rated.group_by("item", maintain_order=True).agg(
        answers=pl.len().cast(pl.Int64), mean=pl.col("value").mean(), sigma=pl.col("value").std(ddof=0)
    )
    answers = classified(judgements)
    if answers.values.size > FEW_LABELS:
        return spread
    agreement = pl.DataFrame(_columns(rated["item"], answers)).drop("answers")
    return spread.join(agreement, on="item", how="left", maintain_order="left")


def _of_tuples(judgements: Judgements) -> pl.DataFrame:
    """Each question in turn: the tuple stands for the item, the item named for the category."""
    answers = last_answers(judgements).frame
    ids = pl.Series(judgements.judged)
    table: dict[str, object] = {}
    for asked in ("best", "worst"):
        named = answers.select(item="question", annotator="annotator", code=numbered(answers[asked], ids))
        found = _columns(named["item"], classified_frame(named, "code", None))
        table |= {"question": found["item"], "answers": found["answers"]}
        table |= {f"{asked}_{name}": found[name] for name in ("agreement", "entropy")}
    return pl.DataFrame(table)


def _columns(item: pl.Series, answers: Classification) -> dict[str, object]:
    number = answers.tally.number
    agreeing = (answers.tally.squares - number) / np.maximum(number * (number - 1), 1.0)
    return {
        "item": item.unique(maintain_order=True),
        "answers": number.astype(np.int64),
        "agreement": pl.Series(np.where(answers.is_paired, agreeing, np.nan)).fill_nan(None),
        "entropy": _entropy(answers),
    }


def _entropy(answers: Classification) -> Array:
    """The entropy of each item's answers, from its counts: ln n - sum of c ln c / n."""
    key = answers.item * np.int64(answers.values.size) + answers.label
    cells, counts = np.unique(key, return_counts=True)
    weighted = np.bincount(cells // answers.values.size, counts * np.log(counts), answers.items)
    number = answers.tally.number
    return np.maximum(np.log(number) - weighted / number, 0.0)
