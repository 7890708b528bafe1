"""Lemmas, the dictionary forms of words, looked up by simplemma, an optional dependency."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from similitude.errors import MissingExtraError
from similitude.inspect.words.languages import CHINESE, UNKNOWN

__all__ = ["has_lemmas", "lemmas_of"]


def lemmas_of(words: Iterable[str], language: str) -> dict[str, str]:
    """The lemma of each distinct word.

    Lemmas keep the case that simplemma gives them, so that German "Essen" and "essen" are different. Chinese words do
    not inflect, so each is its own lemma. If the language is not stated, or simplemma does not know it, the lower-cased
    word is its lemma. Words are looked up without their context: "saw" has one lemma.

    Args:
        words: words without punctuation at their ends, in their original case.
        language: the code of their language.

    Raises:
        MissingExtraError: simplemma is not installed, and the language is stated and not Chinese.

    References:
        Barbaresi, Simplemma: a simple multilingual lemmatizer for Python.

    >>> lemmas_of(["Züge", "Zug", "Die", "ging"], "de")
    {'Züge': 'Zug', 'Zug': 'Zug', 'Die': 'der', 'ging': 'gehen'}
    >>> lemmas_of(["Cats"], "")
    {'Cats': 'cats'}
    """
    distinct = dict.fromkeys(words)
    if language == CHINESE or not has_lemmas(language):
        return {word: word.lower() for word in distinct}
    lookup = _lemmatizer()
    return {word: lookup.lemmatize(word, language) for word in distinct}


def has_lemmas(language: str) -> bool:
    """Whether words of this language have lemmas that are not just the lower-cased words.

    Raises:
        MissingExtraError: simplemma is needed to know and not installed.

    >>> has_lemmas("de"), has_lemmas("zh"), has_lemmas("tlh")
    (True, True, False)
    """
    if language in (CHINESE, UNKNOWN):
        return language == CHINESE
    return language in _simplemma_languages()


@cache
def _simplemma_languages() -> frozenset[str]:
    try:
        from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES
    except ImportError:
        raise MissingExtraError("simplemma, which finds lemmas (--no-lemmas does without),", "words") from None
    return frozenset(SUPPORTED_LANGUAGES)


@cache
def _lemmatizer() -> Any:
    """The lemmatizer of this process, with the small dictionaries, which also load faster."""
    from simplemma import Lemmatizer
    from simplemma.strategies import DefaultStrategy

    return Lemmatizer(lemmatization_strategy=DefaultStrategy(low_memory=True))
