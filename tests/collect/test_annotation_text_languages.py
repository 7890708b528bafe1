"""The languages of texts: tags, pairs in two languages, direction."""

import pytest

from similitude.collect.annotation.text_languages import direction, endonym, languages_of, needed_languages, sides


@pytest.mark.parametrize(
    ("tag", "found"),
    [
        (None, ()),
        ("  ", ()),
        ("EN", ("en",)),
        ("pt-BR", ("pt",)),
        ("pt-br", ("pt",)),
        ("zh_CN", ("zh",)),
        ("zh-hans", ("zh",)),
        ("sr-Latn-RS", ("sr",)),
        ("ar-en", ("ar", "en")),
        ("he_en", ("he", "en")),
        ("es/es", ("es",)),
        ("deu, eng", ("de", "en")),
        ("klingon", ("klingon",)),
        ("Old Norse, 900", ("old norse 900",)),
        ('"><script>', ('"><script>',)),
    ],
)
def test_a_tag_names_one_language_or_two(tag, found):
    assert languages_of(tag) == found


def test_a_question_takes_all_languages_of_its_items():
    assert needed_languages([{"language": "en"}, {"language": "ar-en"}]) == "ar,en"
    assert needed_languages([{"language": None}, {"left": "x"}]) is None


@pytest.mark.parametrize("code", ["ar", "he", "fa", "ur"])
def test_written_from_right_to_left(code):
    assert direction(code) == "rtl"
    assert endonym(code) != code


def test_each_side_of_a_mixed_pair_has_its_own_language():
    assert sides("ur-en") == ("ur", "en")
    assert sides(None) == (None, None)
    assert endonym("tlh") == "tlh"
