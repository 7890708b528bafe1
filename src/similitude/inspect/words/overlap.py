"""Word overlap: the share of words that two texts have in common."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.inspect.words.chinese import chinese_words
from similitude.inspect.words.languages import CHINESE, language_code
from similitude.inspect.words.tokens import whitespace_tokens

__all__ = ["overlap_tokens", "word_overlap", "word_overlaps"]


def word_overlap(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Word overlap: (tokens of the first text that the second also has + 1) / (tokens of the longer text + 1).

    Not symmetric: a word that the first text repeats counts each time, one that the second repeats counts once. Range
    (0, 1]; 1 for two texts without tokens.

    References:
        Wang et al. (2023), Collective human opinions in semantic textual similarity (USTS), equation 1.

    >>> word_overlap("a a b".split(), "a c".split())  # (2 + 1) / (3 + 1)
    0.75
    >>> word_overlap("a c".split(), "a a b".split())  # (1 + 1) / (3 + 1)
    0.5
    """
    there = set(second)
    common = sum(token in there for token in first)
    return (common + 1) / (max(len(first), len(second)) + 1)


def overlap_tokens(text: str, language: str, *, whitespace: bool = False) -> list[str]:
    """The tokens that USTS compares: whitespace tokens in their original case; for Chinese all words that jieba finds.

    Args:
        text: the text.
        language: its code.
        whitespace: split Chinese at whitespace too, which does not need jieba.

    Raises:
        MissingExtraError: the text is Chinese and jieba is not installed.
    """
    if language == CHINESE and not whitespace:
        return chinese_words(text, full=True)
    return whitespace_tokens(text)


def word_overlaps(items: Items, *, whitespace: bool = False) -> NDArray[np.float64]:
    """The word overlap of left and right, one value per item.

    Raises:
        MissingExtraError: some items are Chinese and jieba is not installed.

    >>> word_overlaps(Items.from_pairs(["a man eats"], ["A man sleeps"]))  # (1 + 1) / (3 + 1): case is kept
    array([0.5])
    """
    codes = [language_code(stated) for stated in items.frame["language"]]
    pairs = zip(items.lefts, items.rights, codes, strict=True)
    return np.array(
        [
            word_overlap(*(overlap_tokens(text or "", code, whitespace=whitespace) for text in (left, right)))
            for left, right, code in pairs
        ]
    )
