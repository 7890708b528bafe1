"""Lemmas: the dictionary forms of words, looked up by simplemma, which is optional."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from similitude.errors import MissingExtraError
from similitude.inspect.words.languages import CHINESE, UNKNOWN

__all__ = ["has_lemmas", "lemmas_of"]


def lemmas_of(words: Iterable[str], language: str) -> dict[str, str]:
    """The lemma of each distinct word.

    In the case that simplemma gives it, so that German "Essen" and "essen" stay apart. Chinese words do not inflect:
    each is its own lemma. In a language that simplemma does not know, and where none is stated, the lower-cased word
    stands for its lemma. A word is looked up alone; what its sentence would tell (a saw, he saw) is not used.

    Args:
        words: words without punctuation at their edges, case kept.
        language: their language's code.

    Raises:
        MissingExtraError: simplemma is not installed and the language is stated and not Chinese.

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
    """Whether lemmas are more than lower-cased words in this language.

    Raises:
        MissingExtraError: simplemma is not installed, and only it could tell.

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
    """The one lemmatizer of this process. The frugal dictionaries also load faster, and each word is asked once."""
    from simplemma import Lemmatizer
    from simplemma.strategies import DefaultStrategy

    return Lemmatizer(lemmatization_strategy=DefaultStrategy(low_memory=True))
