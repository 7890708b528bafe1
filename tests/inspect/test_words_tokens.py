"""Texts cut into tokens: at whitespace, as LexicalRichness does, for lemmas, and Chinese by jieba."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from similitude.errors import MissingExtraError
from similitude.inspect.words import bare_words, plain_words, tokens_of, whitespace_tokens
from similitude.inspect.words.chinese import _segmenter, chinese_words
from similitude.inspect.words.languages import language_code


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("Das Haus, das Haus!", ["das", "haus", "das", "haus"]),
        # Digits go first, so nothing is left of a time but its colon, which becomes a blank.
        ("um 17:12 Uhr", ["um", "uhr"]),
        # Hyphens and dashes go without a blank, which joins what they part.
        ("E-Mail 2020–2021 ja—nein", ["email", "janein"]),
        ("don't", ["don", "t"]),
        # Only ASCII punctuation is taken away: the German quotes stay with their words.
        ("„Ja“, sagte er…", ["„ja“", "sagte", "er…"]),
    ],
)
def test_plain_words(text, words):
    assert plain_words(text) == words


def test_plain_words_are_those_of_lexicalrichness():
    peer = json.loads((Path(__file__).parents[1] / "reference" / "lexicalrichness.json").read_text(encoding="utf-8"))
    for case in peer["words"]:
        assert plain_words(case["text"]) == case["words"], case["text"]


def test_bare_words_keep_case_and_inner_punctuation():
    assert bare_words("(„Züge“) isn't 5G-fähig: 17:12 – 3.") == ["Züge", "isn't", "5G-fähig"]


def test_whitespace_tokens_keep_everything():
    assert whitespace_tokens(" Um\t17:12 Uhr,\nbitte.") == ["Um", "17:12", "Uhr,", "bitte."]


def test_chinese_is_cut_into_words_unless_whitespace_is_asked_for():
    text = "我来到北京清华大学，有3只猫。"
    assert tokens_of(text, "zh").tokens == ["我", "来到", "北京", "清华大学", "有", "3", "只", "猫"]
    assert tokens_of(text, "zh").plain == ["我", "来到", "北京", "清华大学", "有", "只", "猫"]
    assert tokens_of(text, "zh").bare == tokens_of(text, "zh").plain
    assert tokens_of(text, "zh", whitespace=True).tokens == [text]
    assert tokens_of(text, "ja").tokens == [text]


@pytest.mark.parametrize(
    ("stated", "code"),
    [("de", "de"), ("de-AT", "de"), ("DE_at", "de"), ("zh-Hans", "zh"), ("zho", "zh"), ("hr", "hbs"), (None, "")],
)
def test_language_codes(stated, code):
    assert language_code(stated) == code


@pytest.mark.slow
def test_jieba_is_silent_and_leaves_no_file(tmp_path):
    code = (
        "from similitude.inspect.words.chinese import chinese_words as cut\nassert cut('北京', full=True) == ['北京']"
    )
    environment = {"TMPDIR": str(tmp_path), "PYTHONWARNINGS": "error", "PATH": ""}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_without_jieba_chinese_words_name_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "jieba", None)
    _segmenter.cache_clear()
    with pytest.raises(MissingExtraError, match=r"jieba, which finds Chinese words, .*'\.\[words\]"):
        chinese_words("北京")
    _segmenter.cache_clear()
    assert tokens_of("北京", "zh", whitespace=True).tokens == ["北京"]
