"""A text as tokens, in the three ways that counting words needs."""

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
    """A text cut up.

    Attributes:
        tokens: what is counted as tokens.
        plain: the words that lexical richness is measured on.
        bare: the words whose lemmas are looked up.
    """

    tokens: list[str]
    plain: list[str]
    bare: list[str]


def whitespace_tokens(text: str) -> list[str]:
    """What stands between whitespace: case, punctuation and digits kept, as GiCCS and USTS count.

    >>> whitespace_tokens("Um 17:12 Uhr, bitte.")
    ['Um', '17:12', 'Uhr,', 'bitte.']
    """
    return text.split()


def plain_words(text: str) -> list[str]:
    """The words of a text as LexicalRichness takes them, so that figures can be compared with its own.

    In this order: lower case; the digits 0-9 dropped; hyphens and dashes dropped, which joins what they part; every
    other ASCII punctuation mark made a space; split at whitespace. Quotes and dots beyond ASCII („ “ … 。) stay.

    References:
        Shen (2022), LexicalRichness 0.5: ``preprocess`` and ``tokenize``.

    >>> plain_words("Um 17:12 Uhr: E-Mails, isn't it?")
    ['um', 'uhr', 'emails', 'isn', 't', 'it']
    """
    return text.lower().translate(_PLAIN).split()


def bare_words(text: str) -> list[str]:
    """Whitespace tokens that hold a letter, without punctuation at their edges, case kept.

    >>> bare_words("„Um 17:12 Uhr“, isn't it – 5G?")
    ['Um', 'Uhr', "isn't", 'it', '5G']
    """
    # Most tokens are letters only, and asking that is faster than any pattern.
    words = (token if token.isalpha() else _EDGES.sub("", token) for token in text.split())
    return [word for word in words if word.isalpha() or _LETTER.search(word)]


def tokens_of(text: str, language: str, *, whitespace: bool = False) -> Tokens:
    """A text of a language cut up: at whitespace, or, for Chinese, into the words that jieba finds.

    Args:
        text: the text.
        language: its code, as `similitude.inspect.words.languages.language_code` gives it.
        whitespace: cut Chinese at whitespace too; needs no jieba.

    Raises:
        MissingExtraError: a Chinese text is to be cut into words and jieba is not installed.

    >>> tokens_of("我有2只猫。", "zh").tokens
    ['我', '有', '2', '只', '猫']
    """
    if language == CHINESE and not whitespace:
        return _chinese(text)
    return Tokens(whitespace_tokens(text), plain_words(text), bare_words(text))


def _chinese(text: str) -> Tokens:
    words = [word for word in chinese_words(text) if any(character.isalnum() for character in word)]
    return Tokens(words, plain_words(" ".join(words)), [word for word in words if _LETTER.search(word)])
