"""Tokens of a text: whitespace tokens, plain words for richness, bare words for lemmas."""

from __future__ import annotations

import re
import string
from typing import NamedTuple

from similitude.inspect.words.chinese import chinese_words
from similitude.inspect.words.languages import CHINESE

__all__ = ["Tokens", "bare_words", "plain_words", "tokens_of", "whitespace_tokens"]

_LETTER = re.compile(r"[^\W\d_]")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_PLAIN = str.maketrans(
    dict.fromkeys(string.punctuation, " ") | dict.fromkeys(string.digits, "") | dict.fromkeys("-–—", "")
)


class Tokens(NamedTuple):
    """The tokens of a text.

    Attributes:
        tokens: the tokens that are counted.
        plain: the words for lexical richness.
        bare: the words for lemmas.
    """

    tokens: list[str]
    plain: list[str]
    bare: list[str]


def whitespace_tokens(text: str) -> list[str]:
    """The text split at whitespace, with case, punctuation and digits, as in GiCCS and USTS.

    >>> whitespace_tokens("Um 17:12 Uhr, bitte.")
    ['Um', '17:12', 'Uhr,', 'bitte.']
    """
    return text.split()


def plain_words(text: str) -> list[str]:
    """The words of a text as LexicalRichness defines them, so that results can be compared.

    In this order: lower-case the text; delete the digits 0-9; delete hyphens and dashes, which joins the words around
    them; replace other ASCII punctuation by spaces; split at whitespace. Punctuation beyond ASCII („ “ … 。) is kept.

    References:
        Shen (2022), LexicalRichness 0.5: ``preprocess`` and ``tokenize``.

    >>> plain_words("Um 17:12 Uhr: E-Mails, isn't it?")
    ['um', 'uhr', 'emails', 'isn', 't', 'it']
    """
    return text.lower().translate(_PLAIN).split()


def bare_words(text: str) -> list[str]:
    """Whitespace tokens that contain a letter, without punctuation at their ends, in their original case.

    >>> bare_words("„Um 17:12 Uhr“, isn't it – 5G?")
    ['Um', 'Uhr', "isn't", 'it', '5G']
    """
    # Most tokens consist of letters, and isalpha is faster than a pattern.
    words = (token if token.isalpha() else _EDGES.sub("", token) for token in text.split())
    return [word for word in words if word.isalpha() or _LETTER.search(word)]


def tokens_of(text: str, language: str, *, whitespace: bool = False) -> Tokens:
    """The tokens of a text: split at whitespace or, for Chinese, into the words that jieba finds.

    Args:
        text: the text.
        language: its code, from `similitude.inspect.words.languages.language_code`.
        whitespace: split Chinese at whitespace too, which does not need jieba.

    Raises:
        MissingExtraError: the text is Chinese and jieba is not installed.

    >>> tokens_of("我有2只猫。", "zh").tokens
    ['我', '有', '2', '只', '猫']
    """
    if language == CHINESE and not whitespace:
        return _chinese(text)
    return Tokens(whitespace_tokens(text), plain_words(text), bare_words(text))


def _chinese(text: str) -> Tokens:
    words = [word for word in chinese_words(text) if any(character.isalnum() for character in word)]
    return Tokens(words, plain_words(" ".join(words)), [word for word in words if _LETTER.search(word)])
