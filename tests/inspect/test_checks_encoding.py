"""Texts that were damaged on their way."""

from __future__ import annotations

import pytest

from similitude.inspect.checks import Finding, check
from similitude.testing.unchecked_benchmark import unchecked_benchmark

SOUND = [
    "Die Straße ist schön, ein „Spaß“ und «GROSS»: 5 £, 20 °C, ½ Liter",
    "IRMÃ, AMANHÃ… e «NÃO»; a AMANHÃ”",
    "Â est une lettre: Île, âge, château",
    "»Spaß«, ein Gruß… und der Fluß’",
    "Il a dit « oui » à l’été — déjà…",
    "Ångström, Ähre, ÅÄÖ, Þórr, ðe",
    "Привет, как дела? Ñandú, Ñ. Ðe",
    "我们所有人都读她的博客，因为 “好”",
    "AT&T; R&D; Q&A; a & b; &c. C:\\users",
    "👍🏽 zero\u200dwidth joiner \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "line one\nline\ttwo\r\n",
]


def codes(texts: list[str]) -> dict[str, Finding]:
    benchmark = unchecked_benchmark(left=texts, right=[f"right {number}" for number in range(len(texts))])
    return {each.code.removeprefix("bad-encoding-"): each for each in check(benchmark, only=["bad-encoding"]).findings}


@pytest.mark.parametrize("text", SOUND)
def test_sound_text_is_left_in_peace(text: str) -> None:
    assert codes([text]) == {}


def test_sound_text_in_many_scripts_together() -> None:
    assert codes(SOUND) == {}


@pytest.mark.parametrize(
    "text",
    ["schön", "Größe", "GRÖSSE", "cet été", "it’s", "“quoted”", "5 £", "20\u00a0°C", "š č ž", "ığş", "Привет", "γεια",
     "我们所有人", "こんにちは", "안녕하세요", "nice 👍", "10 €", "brand™", "Curaçao", "sûr de lui", "naïve", "ÑANDÚ"],
)  # fmt: skip
@pytest.mark.parametrize("wrong", ["latin-1", "cp1252"])
def test_utf8_read_in_another_encoding(text: str, wrong: str) -> None:
    """Bytes that cp1252 does not define are kept as control characters, as browsers and ftfy do."""
    damaged = "".join(_read_byte(byte, wrong) for byte in text.encode())
    assert "mojibake" in codes([damaged]), damaged


def _read_byte(byte: int, encoding: str) -> str:
    try:
        return bytes([byte]).decode(encoding)
    except UnicodeDecodeError:
        return chr(byte)


def test_mojibake_whose_non_breaking_space_became_plain() -> None:
    assert codes(["sie sagteÂ nichts"])["mojibake"].count == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("lost \ufffd letter", "replacement"),
        ("bell \x07", "control"),
        ("nul \x00 byte", "control"),
        ("\ufeffbyte order mark", "control"),
        ("next\x85line", "control"),
        ("apple \uf8ff", "private-use"),
        ("plane fifteen \U000f0001", "private-use"),
        ("Tom &amp; Jerry", "entities"),
        ("it&#39;s", "entities"),
        ("it&#x27;s", "entities"),
        ("a&nbsp;b", "entities"),
        ("smile \\ud83d\\ude00", "escapes"),
    ],
)
def test_each_kind_of_damage(text: str, code: str) -> None:
    assert set(codes(["sound", text])) == {code}
    assert codes(["sound", text])[code].count == 1
    assert codes(["sound", text])[code].severity == "warning"


def test_all_texts_of_an_item_are_looked_at_and_the_damage_is_quoted() -> None:
    benchmark = unchecked_benchmark(
        left=["a", "b", "c"],
        right=["x" * 60 + "cafÃ©" + "y" * 60, "d", "e"],
        condition=[None, "Ã¼ber", None],
        context=[None, None, ["hello\x00", "c"]],
    )
    mojibake, control = check(benchmark, only=["bad-encoding"]).findings
    assert (mojibake.count, control.count) == (2, 1)
    assert "cafÃ©" in mojibake.examples[0]
    assert len(mojibake.examples[0]) < 50
    assert "\\u0000" in control.examples[0]


def test_mixed_normal_forms_are_a_note() -> None:
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    assert codes([composed, composed]) == {}
    assert codes([decomposed, "plain"]) == {}  # one form only
    mixed = codes([composed, composed, decomposed])["mixed-forms"]
    assert (mixed.severity, mixed.count) == ("note", 1)
    assert "1 item with decomposed accents (NFD) beside 2 items with composed ones" in mixed.message


def test_a_lone_surrogate_cannot_enter_a_benchmark() -> None:
    with pytest.raises(UnicodeEncodeError):
        unchecked_benchmark(left=["a\ud800"], right=["b"])
