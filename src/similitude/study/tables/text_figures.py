"""Figures of the texts of a part: numbers, lengths, words, richness, overlap."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.jackknife import mean_estimates
from similitude.inspect.words.overlap import word_overlaps
from similitude.study.tables.data_figure import DataValue, data_figure
from similitude.study.tables.data_options import DataOptions
from similitude.study.tables.data_part import DataPart

__all__: list[str] = []


@data_figure("items", "number of items")
def _items(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    number = len(part.judgements.judged) if part.items is None else len(part.items)
    yield DataValue(Estimate(float(number)))


@data_figure("length", "mean length in characters: of left, of right, of both", "of")
def _length(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    frame = part.benchmark.frame.select(pl.col("left", "right").str.len_chars().fill_null(0).cast(pl.Float64))
    left, right = (frame[side].to_numpy() for side in ("left", "right"))
    found = mean_estimates(np.stack([left, right, (left + right) / 2]), resampling=options.resampling)
    for side, estimate in zip(("left", "right", "pair"), found, strict=True):
        yield DataValue(estimate, {"of": side})


@data_figure("word_overlap", "mean word overlap of left and right (USTS, equation 1)")
def _word_overlap(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    overlaps = word_overlaps(part.benchmark.items)
    yield DataValue(mean_estimates(overlaps[None], resampling=options.resampling)[0])


@data_figure("tokens", "number of tokens, of each dialogue or text once")
def _tokens(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    yield DataValue(Estimate(float(part.texts.whole.tokens)))


@data_figure("lemmas", "number of different lemmas")
def _lemmas(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    found = part.texts.whole.lemmas
    yield DataValue(undefined("lemmas were not looked up") if found is None else Estimate(float(found)))


@data_figure("dialogues", "number of different dialogues")
def _dialogues(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    found = part.texts.whole.dialogues
    yield DataValue(undefined("there are no dialogues") if found is None else Estimate(float(found)))


@data_figure("turn_length", "tokens per turn of a dialogue; per text without dialogues")
def _turn_length(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    yield DataValue(Estimate(part.texts.whole.passage_length))


@data_figure("rttr", "root type-token ratio: of all words as one text, mean over dialogues, mean over texts", "of")
def _rttr(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    for unit, found in part.texts.whole.richness.items():
        yield DataValue(Estimate(found.rttr), {"of": unit})


@data_figure("mtld", "measure of textual lexical diversity, likewise", "of")
def _mtld(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    for unit, found in part.texts.whole.richness.items():
        yield DataValue(Estimate(found.mtld), {"of": unit})


@data_figure("score", "the score of every pair, named by its two texts", "of")
def _score(part: DataPart, options: DataOptions) -> Iterator[DataValue]:
    for left, right, score in part.benchmark.frame.select("left", "right", "score").iter_rows():
        found = undefined("it has no score") if score is None else Estimate(float(score))
        yield DataValue(found, {"of": f"{left} / {right}"})
