"""Lemmas by simplemma, and what stands for them where it cannot help."""

import sys

import pytest

from similitude.errors import MissingExtraError
from similitude.inspect.words import lemmas_of
from similitude.inspect.words.lemmas import _simplemma_languages, has_lemmas


def test_german_and_english_lemmas():
    german = lemmas_of(["Häuser", "Haus", "Die", "dem", "ging", "Restaurants"], "de")
    assert list(german.values()) == ["Haus", "Haus", "der", "der", "gehen", "Restaurant"]
    assert lemmas_of(["Children", "was", "the"], "en") == {"Children": "child", "was": "be", "the": "the"}


def test_another_language_that_simplemma_knows():
    assert lemmas_of(["chevaux"], "fr") == {"chevaux": "cheval"}


def test_chinese_words_are_their_own_lemmas():
    assert lemmas_of(["北京", "DVD"], "zh") == {"北京": "北京", "DVD": "dvd"}


@pytest.mark.parametrize("language", ["", "tlh"])
def test_an_unknown_language_has_lower_cased_tokens(language):
    assert not has_lemmas(language)
    assert lemmas_of(["Houses", "houses"], language) == {"Houses": "houses", "houses": "houses"}


def test_without_simplemma_the_extra_is_named_where_it_is_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "simplemma.strategies.dictionaries.dictionary_factory", None)
    _simplemma_languages.cache_clear()
    with pytest.raises(MissingExtraError, match=r"simplemma.*--no-lemmas.*'\.\[words\]"):
        lemmas_of(["Haus"], "de")
    assert lemmas_of(["北京"], "zh") == {"北京": "北京"}
    assert lemmas_of(["Haus"], "") == {"Haus": "haus"}
    _simplemma_languages.cache_clear()
