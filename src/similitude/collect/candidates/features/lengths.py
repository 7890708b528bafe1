"""Lengths: characters, words, and the ratio of the shorter text to the longer one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.features.catalogue import FEATURES
from similitude.collect.candidates.features.described_pairs import DescribedPairs
from similitude.collect.candidates.features.feature import Feature, Numbers
from similitude.collect.candidates.features.sides import OneNumber
from similitude.collect.candidates.features.text_languages import by_language
from similitude.collect.candidates.features.text_properties import TextProperty
from similitude.inspect.words.languages import CHINESE
from similitude.inspect.words.tokens import tokens_of

__all__ = ["CHARACTERS", "WORDS", "Chars", "LengthRatio", "Words"]

TOKEN = r"[^\s\x1c-\x1f]+"
"""What `inspect.words.whitespace_tokens` gives: Python counts four control characters as whitespace, Rust does not."""


def character_counts(frame: pl.DataFrame, _: str) -> pl.Series:
    """The number of characters of each text."""
    return frame["text"].str.len_chars().cast(pl.Int64)


def word_counts(frame: pl.DataFrame, _: str) -> pl.Series:
    """The number of words of each text: whitespace tokens or, for Chinese, the words that jieba finds."""
    return by_language(frame, _words_of_language)


def _words_of_language(texts: pl.Series, code: str) -> pl.Series:
    if code == CHINESE:
        return pl.Series([len(tokens_of(text, code).tokens) for text in texts], dtype=pl.Int64)
    return texts.str.count_matches(TOKEN).cast(pl.Int64)


CHARACTERS = TextProperty("characters", "numbers", character_counts)
WORDS = TextProperty("words", "numbers", word_counts)


@FEATURES.register("chars", "characters")
@dataclass(frozen=True, repr=False)
class Chars(OneNumber):
    """Characters of the shorter text (C-STS, A.2: "length"), or of the side that ``of`` names."""

    name: ClassVar[str] = "chars"
    meaning: ClassVar[str] = "characters of the shorter text"
    of_text: ClassVar[TextProperty] = CHARACTERS


@FEATURES.register("words")
@dataclass(frozen=True, repr=False)
class Words(OneNumber):
    """Words of the shorter text, or of the side that ``of`` names: whitespace tokens; for Chinese, jieba's words.

    The third criterion of USTS (3.1.1), the length of the English sentence, is ``words >= 12``. The paper does not say
    of which of the two; here both must have as many. "12.6" in copies of its text is 12 and the mark of footnote 6.
    """

    name: ClassVar[str] = "words"
    meaning: ClassVar[str] = "words of the shorter text"
    of_text: ClassVar[TextProperty] = WORDS


@FEATURES.register("length_ratio")
@dataclass(frozen=True, repr=False)
class LengthRatio(Feature):
    """Words of the shorter text / words of the longer one (C-STS, A.2: "ratio"). Undefined if neither has any."""

    name: ClassVar[str] = "length_ratio"
    meaning: ClassVar[str] = "words of the shorter text / words of the longer one"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    undefined: ClassVar[str] = "neither text has words"

    @property
    def properties(self) -> tuple[TextProperty, ...]:
        """The words of each text."""
        return (WORDS,)

    def values(self, pairs: DescribedPairs) -> Numbers:
        """Short / long."""
        left, right = pairs.numbers_of(WORDS)
        return ratio(np.minimum(left, right), np.maximum(left, right))


def ratio(part: NDArray[Any], whole: NDArray[Any]) -> Numbers:
    """Part / whole; nan where the whole is 0."""
    found = np.full(len(whole), np.nan)
    np.divide(part, whole, out=found, where=whole > 0)
    return found
