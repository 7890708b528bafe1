"""Stop words: words that hold sentences together and say little of what they are about."""

from __future__ import annotations

from functools import cache
from importlib import resources

from similitude.inspect.words.languages import language_code

__all__ = ["STOP_WORD_LANGUAGES", "stop_words"]

STOP_WORD_LANGUAGES = frozenset({"de", "en", "es", "fr", "it", "zh"})
"""Codes of the languages with a list: articles, pronouns, conjunctions, prepositions, auxiliaries and the like."""


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language, in lower case; none for a language without a list.

    >>> "the" in stop_words("en-GB"), "cat" in stop_words("en"), len(stop_words("tlh"))
    (True, False, 0)
    """
    code = language_code(language)
    if code not in STOP_WORD_LANGUAGES:
        return frozenset()
    file = resources.files("similitude.inspect.words") / "function_words" / f"{code}.txt"
    return frozenset(file.read_text(encoding="utf-8").split())
