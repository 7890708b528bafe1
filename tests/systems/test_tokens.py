import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similitude.systems.strings import tokens
from similitude.systems.strings.tokens import fold, words

FEW = settings(max_examples=100, deadline=None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Grüße aus München!", ["grüsse", "aus", "münchen"]),  # casefold writes ß as ss
        ("我喜欢猫。", ["我", "喜", "欢", "猫"]),
        ("GPT-4模型", ["gpt", "4", "模", "型"]),
        ("カタカナとひらがな", list("カタカナとひらがな")),
        ("한국어", ["한", "국", "어"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),  # vowel signs are marks: a word must not be cut at them
        ("so 😀😢", ["so", "😀", "😢"]),
        ("👍🏽👍", ["👍🏽", "👍"]),  # a skin tone belongs to its emoji
        ("🇩🇪🇩🇰", ["🇩🇪", "🇩🇰"]),  # a flag is two characters
        ("ขอบคุณ 10 ครั้ง", ["ข", "อ", "บ", "คุ", "ณ", "10", "ค", "รั้", "ง"]),  # Thai: letters with their marks
        ("ພາສາ", ["ພ", "າ", "ສ", "າ"]),
        ("ខ្មែរ", ["ខ្មែ", "រ"]),  # Khmer: ម is written below ខ
        ("မြန်မာ", ["မြ", "န်", "မာ"]),
        ("あ゙い", ["あ゙", "い"]),  # a mark that does not compose stays with its kana
        ("❤️ ❤", ["❤", "❤"]),  # with and without the variation selector
        ("Ｆｕｌｌ ｗｉｄｔｈ", ["full", "width"]),
        ("soft\u00adhyphen", ["softhyphen"]),
        ("snake_case", ["snake", "case"]),
        ("...", ["..."]),
        (" \n\t", []),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_fold_keeps_capitals_where_asked() -> None:
    assert fold("Der  Arm", lowercase=False) == "Der Arm"
    assert fold("Ü", lowercase=False) == "Ü"


@FEW
@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@FEW
@given(st.text())
def test_composed_and_decomposed_fold_alike(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@FEW
@given(st.text())
def test_only_blank_texts_have_no_words(text: str) -> None:
    assert bool(words(text)) == bool(fold(text))


@FEW
@given(st.text(st.characters(max_codepoint=0xFF)), st.booleans())
def test_the_short_cut_for_latin_is_the_general_way(text: str, lowercase: bool) -> None:
    general = tokens._fold_unicode(unicodedata.normalize("NFKC", text), lowercase)
    assert fold(text, lowercase=lowercase) == " ".join(general.split())
    assert words(text) == (tokens._any_word().findall(fold(text)) or fold(text).split())


def test_the_short_cut_for_latin_character_by_character() -> None:
    for code in range(256):
        general = tokens._fold_unicode(unicodedata.normalize("NFKC", chr(code)), lowercase=True)
        assert fold(f"a{chr(code)}b") == " ".join(f"a{general}b".split())
