"""Bags of words: content words for the intersection over union, tokens for USTS's word overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from similitude.collect.candidates.features.bags import listed_words
from similitude.collect.candidates.features.catalogue import FEATURES
from similitude.collect.candidates.features.described_pairs import DescribedPairs
from similitude.collect.candidates.features.feature import Feature, Numbers
from similitude.collect.candidates.features.lengths import TOKEN, ratio
from similitude.collect.candidates.features.text_languages import ASSUMED, by_language, text_codes, unstated_note
from similitude.collect.candidates.features.text_properties import TextProperty
from similitude.data.texts import Texts
from similitude.inspect.words.languages import CHINESE, UNKNOWN
from similitude.inspect.words.overlap import overlap_tokens
from similitude.inspect.words.stop_words import STOP_WORD_LANGUAGES, stop_words
from similitude.inspect.words.tokens import tokens_of

__all__ = ["ALL_WORDS", "CONTENT_WORDS", "TOKENS", "IntersectionOverUnion", "WordOverlap"]

WORD = r"[\p{L}\p{M}\p{N}]+(?:['\-][\p{L}\p{M}\p{N}]+)*"
"""Letters and digits, with apostrophes and hyphens inside: isn't, 5g, e-mail."""


ELIDING = frozenset({"fr", "it"})
"""Languages in which an apostrophe joins two words: l'homme, dell'arte."""


def words_of_texts(frame: pl.DataFrame, _: str) -> pl.DataFrame:
    """The lower-cased words of each text."""
    return listed_words(by_language(frame, _lower_words))


def content_words_of_texts(frame: pl.DataFrame, _: str) -> pl.DataFrame:
    """The lower-cased words of each text without stop words; those of English if no language is known."""
    codes = text_codes(frame)
    words = listed_words(by_language(frame, _lower_words, codes))
    codes = codes.replace(UNKNOWN, ASSUMED)
    distinct = codes.unique().to_list()
    if len(distinct) == 1:
        return words.filter(~pl.col("word").is_in(list(stop_words(distinct[0]))))
    stop = [(code, word) for code in distinct for word in stop_words(code)]
    listed = pl.DataFrame(stop, schema={"code": pl.String, "word": pl.String}, orient="row")
    return words.with_columns(code=codes.gather(words["row"])).join(listed, on=("code", "word"), how="anti")


def tokens_of_texts(frame: pl.DataFrame, _: str) -> pl.DataFrame:
    """The tokens that USTS compares: whitespace tokens in their original case; all of jieba's words for Chinese."""
    return listed_words(by_language(frame, _overlap_tokens))


def _lower_words(texts: pl.Series, code: str) -> pl.Series:
    if code == CHINESE:
        return _lists([[word.lower() for word in tokens_of(text, code).tokens] for text in texts])
    apostrophe = " " if code in ELIDING else "'"
    lower = texts.str.to_lowercase().str.replace_all("[’']", apostrophe)
    return lower.str.extract_all(WORD)


def _overlap_tokens(texts: pl.Series, code: str) -> pl.Series:
    if code == CHINESE:
        return _lists([overlap_tokens(text, code) for text in texts])
    return texts.str.extract_all(TOKEN)


def _lists(words: list[list[str]]) -> pl.Series:
    return pl.Series(words, dtype=pl.List(pl.String))


ALL_WORDS = TextProperty("all-words", "bags", words_of_texts)
CONTENT_WORDS = TextProperty("content-words", "bags", content_words_of_texts)
TOKENS = TextProperty("tokens", "bags", tokens_of_texts)


@FEATURES.register("iou")
@dataclass(frozen=True, repr=False)
class IntersectionOverUnion(Feature):
    """Intersection over union of the two bags of words, after stop words are removed (C-STS, A.2).

    Words are lower-cased runs of letters and digits. The paper does not say whether a repeated word counts twice: by
    default a bag is a set; with ``counts`` the smaller and the larger count of each word are summed. Range 0..1.
    Undefined if neither text has a word that counts.

    Args:
        counts: whether repeated words count as often as they occur.
        stop_words: whether stop words count too.

    References:
        Deshpande et al. (2023), C-STS: Conditional Semantic Textual Similarity, appendix A.2 and table 6.
    """

    counts: bool = False
    stop_words: bool = False

    name: ClassVar[str] = "iou"
    meaning: ClassVar[str] = "words in both texts / words in either, without stop words"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    undefined: ClassVar[str] = "neither text has words other than stop words"

    @property
    def properties(self) -> tuple[TextProperty, ...]:
        """The words of each text."""
        return (ALL_WORDS if self.stop_words else CONTENT_WORDS,)

    def values(self, pairs: DescribedPairs) -> Numbers:
        """Intersection / union."""
        bags = pairs.properties.bags_of(*self.properties)
        left, right = pairs.block.left, pairs.block.right
        common = bags.common_counts(left, right) if self.counts else bags.common_words(left, right)
        size = bags.totals if self.counts else bags.distinct
        return ratio(common, size(left) + size(right) - common)

    def notes(self, texts: Texts) -> list[str]:
        """Which texts have no stop words."""
        return [] if self.stop_words else unstated_note(texts.frame, STOP_WORD_LANGUAGES, "stop words")


@FEATURES.register("word_overlap")
@dataclass(frozen=True, repr=False)
class WordOverlap(Feature):
    """Word overlap of USTS: (tokens of the first text that the second also has + 1) / (tokens of the longer text + 1).

    Not symmetric, see `similitude.inspect.words.word_overlap`, which gives the same. Range (0, 1].

    References:
        Wang et al. (2023), Collective human opinions in semantic textual similarity (USTS), equation 1.
    """

    name: ClassVar[str] = "word_overlap"
    meaning: ClassVar[str] = "share of words that the second text has too (USTS, equation 1)"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0

    @property
    def properties(self) -> tuple[TextProperty, ...]:
        """The tokens of each text."""
        return (TOKENS,)

    def values(self, pairs: DescribedPairs) -> Numbers:
        """Equation 1."""
        bags, left, right = pairs.properties.bags_of(TOKENS), pairs.block.left, pairs.block.right
        longer = np.maximum(bags.totals(left), bags.totals(right))
        return np.asarray((bags.found_words(left, right) + 1) / (longer + 1))
