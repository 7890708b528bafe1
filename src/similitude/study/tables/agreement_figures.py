"""Figures of agreement: raters, correlations of their ratings, alpha, strong agreement, split halves."""

from __future__ import annotations

from collections.abc import Iterator

from similitude.gold.reliability.alpha import krippendorff_alpha
from similitude.gold.reliability.best_worst import best_worst_agreement
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.named_raters import number_of_raters, why_unnamed
from similitude.gold.reliability.pairwise import pairwise_correlation
from similitude.gold.reliability.rating_spread import ratings_of, ratings_on
from similitude.gold.reliability.split_half import split_half
from similitude.stats.correlation import Correlation
from similitude.study.tables.data_figure import DataValue, data_figure
from similitude.study.tables.data_options import DataOptions
from similitude.study.tables.data_part import DataPart

__all__: list[str] = []


@data_figure("answers", "number of answers")
def _answers(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    yield DataValue(Estimate(float(len(part.judgements))))


@data_figure("raters", "number of annotators, or of ratings of an item if they are not named")
def _raters(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    known = number_of_raters(part.judgements)
    if known is None and part.judgements.kind == "rating":
        known = len(ratings_on(ratings_of(part.judgements), part.judgements.judged))
    unnamed = undefined(why_unnamed(part.judgements) or "")
    yield DataValue(unnamed if known is None else Estimate(float(known)))


@data_figure("tuples", "number of tuples with best-worst answers")
def _tuples(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    yield DataValue(Estimate(float(part.judgements.frame["question"].n_unique())))


@data_figure("pearson", "mean Pearson correlation of two raters")
def _pearson(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    yield _correlation(part, options, "pearson")


@data_figure("spearman", "mean Spearman correlation of two raters")
def _spearman(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    yield _correlation(part, options, "spearman")


def _correlation(part: DataPart, options: DataOptions, kind: Correlation) -> DataValue:
    values = part.judgements.matrix().values
    return DataValue(pairwise_correlation(values, kind, resampling=options.resampling).estimate)


@data_figure("alpha", "Krippendorff's alpha: interval of ratings; best-worst answers in three codings", "of")
def _alpha(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    if part.judgements.kind == "best-worst":
        agreed = best_worst_agreement(part.judgements, resampling=options.resampling)
        for coding in ("combined", "by_position", "by_item"):
            yield DataValue(getattr(agreed, coding), {"of": coding})
        return
    values = ratings_on(ratings_of(part.judgements), part.judgements.judged)
    found = krippendorff_alpha(values, "interval", resampling=options.resampling)
    yield DataValue(found, {"of": "interval"})


@data_figure("strong_agreement", "share of tuples on which at least four of five annotators agree: best, worst", "of")
def _strong_agreement(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    found = best_worst_agreement(part.judgements, resampling=options.resampling)
    yield DataValue(found.strong_best, {"of": "best"})
    yield DataValue(found.strong_worst, {"of": "worst"})


@data_figure("split_half", "correlation of the scores of two random halves of the answers, mean over halvings", "of")
def _split_half(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    found = split_half(part.judgements, repeats=options.repeats, resampling=options.resampling)
    yield DataValue(found.spearman, {"of": "spearman"})
    yield DataValue(found.pearson, {"of": "pearson"})
