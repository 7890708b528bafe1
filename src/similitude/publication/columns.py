"""The tables of a release as files hold them, and what each column means."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.writing.benchmark import benchmark_table
from similitude.data.writing.judgements import judgement_table
from similitude.gold.aggregation.last_answers import last_of_each
from similitude.publication.release import Release

__all__ = ["ANSWERS", "MEANINGS", "ReleaseTables", "column_type", "release_tables"]

PLACE = "_row"
ANSWERS = "answers"
"""The one split of the judgements."""

MEANINGS = {
    "id": "identifies the item",
    "left": "the first text",
    "right": "the second text",
    "context": "turns of the dialogue, oldest first; the last is the first text",
    "condition": "the respect in which the two texts are compared",
    "group": "the same for items that belong together",
    "language": "language of the texts",
    "domain": "domain of the texts",
    "source": "where the texts come from",
    "split": "split of the item",
    "score": "gold: the similarity of the two texts, on the scale",
    "sigma": "population standard deviation of people's ratings",
    "ratings": "every rating of the item",
    "raters": "the annotator of each rating",
    "rounds": "the round of annotation of each rating",
    "standard_error": "standard error of the score",
    "mixture_weights": "weights of a Gaussian mixture of the ratings",
    "mixture_means": "means of its components",
    "mixture_sigmas": "standard deviations of its components",
    "scale": "the scale of the score, lowest to highest",
    "benchmark": "the name of the data set",
    "licence": "the licence",
    "judged_by": "who judged",
    "aggregation": "how judgements became gold",
    "question": "the question that was answered",
    "annotator": "who answered",
    "round": "the round of annotation",
    "seconds": "time taken, in seconds",
    "items": "the items of the tuple",
    "best": "the most similar pair of the tuple",
    "worst": "the least similar pair of the tuple",
    "item": "the item that was judged",
    "value": "the rating, or the category in words",
    "applies": "whether the question applies to the item",
    "categories": "the categories to choose from",
    "counts": "whether figures count it: not if its annotator gave a later answer, nor if it is a leader's decision",
}
"""What columns mean, for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseTables:
    """The tables of a release.

    Attributes:
        splits: the items of each split, by its name.
        judgements: one row per answer; None if answers are not published.
    """

    splits: dict[str, pl.DataFrame]
    judgements: pl.DataFrame | None


def release_tables(release: Release) -> ReleaseTables:
    """The items of each split with the facts about all of them, and the judgements."""
    table = benchmark_table(release.benchmark)
    splits = release.benchmark.frame["split"]
    parts = {name: table.filter(splits == name) for name in release.splits}
    answers = release.judgements
    return ReleaseTables(splits=parts, judgements=None if answers is None else _answers(answers))


def _answers(judgements: Judgements) -> pl.DataFrame:
    """One row per answer; if some do not count for gold and figures, a column says which."""
    table = judgement_table(judgements)
    before = 0 if judgements.superseded is None else judgements.superseded.height
    asked = "question" if judgements.kind == "best-worst" else "item"
    last = last_of_each(judgements.frame.with_row_index(PLACE, before), asked)[PLACE]
    if last.len() == table.height:
        return table
    return table.with_columns(counts=pl.int_range(pl.len()).is_in(last.implode()))


def column_type(dtype: pl.DataType) -> str:
    """The type of a column in words: text, number, true or false, or a list of such."""
    if isinstance(dtype, pl.List):
        return f"list of {column_type(dtype.inner)}s"  # type: ignore[arg-type]
    if dtype == pl.Boolean:
        return "true or false"
    return "number" if dtype.is_numeric() else "text"
