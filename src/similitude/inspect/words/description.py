"""`describe_texts`: statistics of a benchmark's texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.addresses import BenchmarkData, open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.counted_work import counted_work, uncounted_work
from similitude.data.protocols import Listener
from similitude.data.scale import Scale
from similitude.errors import InputError, UnknownNameError
from similitude.inspect.words.distribution import NumberSummary, score_distribution, sigma_distribution
from similitude.inspect.words.notes import notes_on
from similitude.inspect.words.overlap import word_overlaps
from similitude.inspect.words.parts import Part, chosen_columns, parts, with_turns
from similitude.inspect.words.richness import THRESHOLD, Richness, mtld, richness
from similitude.inspect.words.statistics import (
    WORDS_OF,
    Lengths,
    PartStatistics,
    Repeats,
    TextStatistics,
    Unit,
    WordsOf,
)
from similitude.inspect.words.token_counts import CountedTexts, TokenOptions, counted_texts

__all__ = ["describe_texts"]

Places = NDArray[np.intp]


def describe_texts(
    data: BenchmarkData,
    *,
    by: Sequence[str] | None = None,
    words_of: WordsOf | None = None,
    lemmas: bool = True,
    whitespace: bool = False,
    threshold: float = THRESHOLD,
    listener: Listener | None = None,
) -> TextStatistics:
    """Statistics of the texts of a benchmark: words, lengths, lexical richness, word overlap, repetitions, gold.

    Args:
        data: the items with their gold: a benchmark, or what `similitude.read` takes.
        by: columns by which to divide items into parts: any of turns, domain, source, language, split. By default,
            dialogues are divided by turns and domain, and pairs by the first other column with more than one value.
        words_of: "dialogues" counts the turns of each distinct dialogue once and no candidates (GiCCS, Table 2); an
            item without context is a dialogue of its two texts. "pairs" counts each distinct left or right text once.
            By default "dialogues" if there are any.
        lemmas: whether to look up lemmas, by simplemma.
        whitespace: whether to split Chinese at whitespace instead of into the words that jieba finds.
        threshold: the type-token ratio at which factors of MTLD end.
        listener: is told the progress.

    Raises:
        UnknownNameError: items cannot be divided by this column.
        InputError: no item has a value in a column of ``by``, or there are no dialogues to count.
        MissingExtraError: simplemma or jieba is needed and not installed.

    >>> import similitude as sim
    >>> described = describe_texts(sim.read("sample:dialogues"), by=["turns"])
    >>> [(part.part, part.dialogues, part.tokens, round(part.passage_length, 2)) for part in described.parts]
    [((3,), 6, 197, 10.94), ((5,), 6, 320, 10.67)]
    """
    benchmark = open_benchmark(data)
    chosen = _whose_words(benchmark, words_of)
    columns = chosen_columns(benchmark, by, dialogues=chosen == "dialogues")
    mtld((), threshold)  # raises for an invalid threshold before the work begins
    texts = counted_texts(with_turns(benchmark.frame), TokenOptions(lemmas, whitespace, threshold), listener)
    uncounted_work(listener, "overlap of words")
    overlaps = pl.Series("overlap", word_overlaps(benchmark.items, whitespace=whitespace))
    items = texts.items.with_columns(overlaps)
    found = list(parts(items, columns))
    work = _Description(texts, chosen, benchmark.scale, threshold)
    return TextStatistics(
        name=benchmark.name,
        by=columns,
        words_of=chosen,
        threshold=threshold,
        scale=None if benchmark.scale is None else str(benchmark.scale),
        is_simulated=benchmark.is_simulated,
        parts=tuple(work.part(*each) for each in counted_work(found, listener, "parts", len(found))),
        whole=work.whole(items, listener),
        notes=tuple(notes_on(texts, words_of=chosen, by=columns, lemmas=lemmas, whitespace=whitespace)),
    )


def _whose_words(benchmark: Benchmark, asked: WordsOf | None) -> WordsOf:
    there = bool((benchmark.frame["context"].list.len().fill_null(0) > 0).any())
    if asked is None:
        return "dialogues" if there else "pairs"
    if asked not in WORDS_OF:
        raise UnknownNameError("kind of text to count words of", asked, WORDS_OF)
    if asked == "dialogues" and not there:
        what = "no item has a context, so there are no dialogues"
        raise InputError(what, where=benchmark.name, remedy="count the words of pairs")
    return asked


@dataclass(frozen=True, slots=True)
class _Description:
    """Computes the statistics of each part."""

    texts: CountedTexts
    words_of: WordsOf
    scale: Scale | None
    threshold: float

    def whole(self, items: pl.DataFrame, listener: Listener | None) -> PartStatistics:
        uncounted_work(listener, f"all {items.height:,} items together")
        return self.part((), items)

    def part(self, part: Part, items: pl.DataFrame) -> PartStatistics:
        left, right = (items[side].to_numpy().astype(np.intp) for side in ("left_at", "right_at"))
        pair = np.concatenate([left, right])
        dialogues = self._dialogues(items) if self.words_of == "dialogues" else None
        passages = _distinct(pair) if dialogues is None else np.concatenate(dialogues)
        lengths = {"left": left, "right": right, "pair": pair}
        if dialogues is not None:
            lengths["turn"] = passages
        return PartStatistics(
            part=part,
            items=items.height,
            texts=len(pair),
            distinct_texts=len(np.unique(pair)),
            dialogues=None if dialogues is None else len(dialogues),
            passages=len(passages),
            tokens=int(self.texts.numbers("tokens", passages).sum()),
            types=self.texts.words("plain", passages).n_unique(),
            lemmas=self._lemmas(passages),
            richness=self._richness(passages, dialogues),
            lengths={name: self._lengths(places) for name, places in lengths.items()},
            word_overlap=NumberSummary.of(items["overlap"].to_numpy()),
            repeats=self._repeats(pair),
            scores=score_distribution(items, self.scale),
            sigmas=sigma_distribution(items, self.scale),
        )

    def _dialogues(self, items: pl.DataFrame) -> list[Places]:
        """The texts of each distinct dialogue; an item without context is a dialogue of its two texts."""
        both = pl.concat_list("left_at", "right_at")
        turns = items.select(pl.col("turns_at").fill_null(both)).to_series().to_list()
        return [np.array(places, dtype=np.intp) for places in dict.fromkeys(map(tuple, turns))]

    def _lemmas(self, places: Places) -> int | None:
        if self.texts.table["lemmas"].null_count():
            return None
        return self.texts.words("lemmas", places).n_unique()

    def _richness(self, passages: Places, dialogues: list[Places] | None) -> dict[Unit, Richness]:
        found: dict[Unit, Richness] = {"pooled": self._of_one(passages)}
        if dialogues is not None:
            found["dialogue"] = _mean(np.array([self._of_one(turns) for turns in dialogues]))
        found["text"] = _mean(self.texts.table.select("rttr", "mtld").to_numpy()[passages])
        return found

    def _of_one(self, places: Places) -> Richness:
        return richness(self.texts.words("plain", places).to_list(), self.threshold)

    def _lengths(self, places: Places) -> Lengths:
        return Lengths(*(NumberSummary.of(self.texts.numbers(name, places)) for name in ("characters", "tokens")))

    def _repeats(self, places: Places) -> Repeats:
        # Places are in order of first appearance, so argmax finds the first of the most frequent texts.
        found, times = np.unique(places, return_counts=True)
        often, texts = np.unique(times, return_counts=True)
        example = self.texts.table["text"][int(found[times.argmax()])]
        return Repeats(
            times=dict(zip(often.tolist(), texts.tolist(), strict=True)), most=int(often[-1]), example=example
        )


def _distinct(places: Places) -> Places:
    """Each place once, in order of first appearance."""
    _, first = np.unique(places, return_index=True)
    return places[np.sort(first)]


def _mean(found: NDArray[np.float64]) -> Richness:
    """The mean of the defined values of each column; nan if there are none."""
    known = found[np.isfinite(found[:, 0])]
    return Richness(*known.mean(axis=0).tolist()) if len(known) else Richness(math.nan, math.nan)
