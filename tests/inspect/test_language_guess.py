"""Guesses of the language of short texts."""

from __future__ import annotations

import polars as pl
import pytest

import similitude as sim
from similitude.inspect.words import language_guess
from similitude.inspect.words.language_guess import GUESSED, guessed_languages

SENTENCES = {
    "en": "What are the people on the street doing?",
    "de": "Was machen die Leute auf der Straße?",
    "fr": "Que font les gens dans la rue ?",
    "es": "¿Qué hacen las personas en la calle?",
    "it": "Che cosa fanno le persone nella strada?",
    "pt": "O que as pessoas estão fazendo na rua?",
    "nl": "Wat doen de mensen op het plein?",
    "sv": "Vad gör människorna på gatan och i parken?",
    "da": "Hvad laver folk på gaden i byen, og hvad ser de af huset?",
    "nb": "Hva gjør folk på gata i byen, og hva ser de av huset?",
    "fi": "Mitä ihmiset tekevät kadulla ja missä he ovat?",
    "pl": "Co ludzie robią na ulicy?",
    "cs": "Co dělají lidé na ulici a ve městě?",
    "tr": "İnsanlar sokakta ne yapıyor?",
    "ro": "Ce fac oamenii pe stradă și în parc?",
    "hu": "Mit csinálnak az emberek az utcán és a parkban?",
    "id": "Apa yang dilakukan orang-orang di jalan itu?",
    "vi": "Mọi người đang làm gì trên đường phố?",
    "zh": "人们在街上做什么？",
    "ja": "人々は通りで何をしていますか？",
    "ko": "사람들이 거리에서 무엇을 하고 있나요?",
    "ru": "Что люди делают на улице?",
    "uk": "Що люди роблять на вулиці й у місті?",
    "bg": "Какво правят хората на улицата в големия град със съседите?",
    "el": "Τι κάνουν οι άνθρωποι στον δρόμο;",
    "ar": "ماذا يفعل الناس في الشارع؟",
    "fa": "مردم در خیابان چه می‌کنند و چگونه؟",
    "he": "מה אנשים עושים ברחוב?",
    "th": "ผู้คนกำลังทำอะไรบนถนน",
    "hi": "लोग सड़क पर क्या कर रहे हैं?",
}


def test_every_language_that_can_be_guessed_has_a_sentence():
    assert set(SENTENCES) == set(GUESSED)


@pytest.mark.parametrize("language", SENTENCES)
def test_one_sentence_of_each(language):
    assert guessed_languages(pl.Series([SENTENCES[language]])).to_list() == [language]


def test_what_tells_nothing_is_unknown():
    nothing = ["OK", "", None, "12:30", "Berlin", "!?", "in"]
    assert guessed_languages(pl.Series(nothing)).to_list() == [None] * len(nothing)


def test_names_in_another_script_do_not_turn_a_sentence():
    texts = ["The word 寿司 is on the menu.", "我的 iPhone 坏了", "Das Wort Москва steht auf der Karte."]
    assert guessed_languages(pl.Series(texts)).to_list() == ["en", "zh", "de"]


def test_slices_do_not_matter(monkeypatch):
    texts = pl.Series([*SENTENCES.values(), "OK"] * 3)
    whole = guessed_languages(texts).to_list()
    monkeypatch.setattr(language_guess, "SLICE", 4)
    assert guessed_languages(texts).to_list() == whole


def test_no_sample_is_taken_for_another_language():
    for name in ("opinions", "dialogues", "conditions"):
        frame = sim.read(f"sample:{name}").frame
        for side in ("left", "right"):
            guessed = guessed_languages(frame[side])
            wrong = guessed.is_not_null() & (guessed != frame["language"].str.slice(0, 2))
            assert not wrong.any(), frame.filter(wrong)[side].to_list()
            assert guessed.null_count() / len(guessed) < 0.2


def test_no_texts():
    assert guessed_languages(pl.Series([], dtype=pl.String)).to_list() == []
