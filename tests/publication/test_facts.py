"""Facts of a release: languages, licences, names, versions, citations."""

import pytest

from similitude.errors import ArgumentError, InputError
from similitude.publication.facts import checked_facts, text_of
from similitude.publication.languages import language_of, languages_of
from similitude.publication.licences import KNOWN, licence_of

FACTS = {"name": "my-data", "language": ["de"], "license": "CC-BY-4.0"}


@pytest.mark.parametrize(
    ("code", "mteb", "tag"), [("no", "nor-Latn", "no"), ("ZH-hant", "zho-Hant", "zh-Hant"), ("gsw", "gsw-Latn", "gsw")]
)
def test_languages(code, mteb, tag):
    assert (language_of(code).mteb, language_of(code).tag) == (mteb, tag)


def test_languages_are_named_once_and_mistakes_get_a_suggestion():
    assert [one.code for one in languages_of(["de, en", "deu"])] == ["de", "en"]
    with pytest.raises(ArgumentError, match=r"did you mean --language de \(German\)\?"):
        language_of("german")
    with pytest.raises(ArgumentError, match=r"did you mean --language de \(Deutsch\)\?"):  # not nl, Dutch
        language_of("Deutsch")
    with pytest.raises(ArgumentError, match="'xx' is no language code"):
        language_of("xx")


@pytest.mark.parametrize(
    ("written", "name", "hub"),
    [
        ("CC-BY-4.0", "CC-BY-4.0", "cc-by-4.0"),
        ("cc by-sa 4.0 International", "CC-BY-SA-4.0", "cc-by-sa-4.0"),
        ("odbl", "ODbL-1.0", "odbl"),
        ("gpl-3.0", "GPL-3.0-only", "gpl-3.0"),
        ("CC0", "CC0-1.0", "cc0-1.0"),
        ("CC-BY-ND-3.0", "CC-BY-ND-3.0", "other"),
    ],
)
def test_licences(written, name, hub):
    found = licence_of(written)
    assert (found.name, found.hub) == (name, hub)
    assert KNOWN[name] in found.text


def test_a_licence_of_ones_own_needs_its_text():
    with pytest.raises(ArgumentError, match="--license-text FILE"):
        licence_of("other")
    assert licence_of("other", "Ask us.", own_name="ask-us").hub == "other"
    with pytest.raises(ArgumentError, match=r"did you mean --license CC-BY-4.0\?"):
        licence_of("ccby4")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"license": None}, "a release needs a licence; give --license NAME"),
        ({"language": []}, "a release needs the language of its texts; give --language CODE"),
        ({"name": "my data"}, "--name 'my data' is not valid"),
        ({"name": None}, "a release needs --name"),
        ({"version": "1.0"}, "--version '1.0' is not valid; write three numbers"),
        ({"date": "May 2026"}, "--date 'May 2026' is not valid"),
        ({"repository": "my-data"}, "owner and name"),
    ],
)
def test_what_is_missing_or_wrong_names_its_option(change, told):
    with pytest.raises(ArgumentError, match=told):
        checked_facts(**FACTS | change)


def test_a_citation_is_made_of_what_is_known():
    facts = checked_facts(**FACTS, authors=["A. Person", "B. Other"], date="2026-05-31")
    assert facts.bibtex.startswith("@misc{mydata2026,\n  author = {A. Person and B. Other},")
    named = checked_facts(**FACTS | {"name": "my_data"}, authors=["A & B"], citation=r"Ask 100 % of us \& them.").bibtex
    assert "  author = {A \\& B}," in named
    assert "  title = {my\\_data 1.0.0}," in named
    assert "  note = {Ask 100 \\% of us \\& them.}" in named
    assert checked_facts(**FACTS, citation="@article{x}").bibtex == "@article{x}"
    assert checked_facts(**FACTS, citation="Ask us.").bibtex == ""


def test_texts_may_be_files(tmp_path):
    (tmp_path / "told.md").write_text("Rate the pair.\n")
    assert text_of(str(tmp_path / "told.md"), "--instructions") == "Rate the pair."
    assert text_of("Rate the pair. See a.md", "--instructions") == "Rate the pair. See a.md"
    with pytest.raises(InputError, match=r"nothing\.md: no such file"):
        text_of("nothing.md", "--instructions")


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"date": "2026-02-31"}, r"--date '2026-02-31' is not valid: day "),
        ({"date": "31.5.2026"}, r"--date '31.5.2026' is not valid; write --date 2026-05-31"),
        ({"homepage": "my page"}, r"--homepage 'my page' is not valid; write an address"),
        ({"homepage": "example.org"}, r"--homepage 'example.org' is not valid; write an address"),
    ],
)
def test_facts_that_no_reader_could_use_are_refused(facts, told):
    with pytest.raises(ArgumentError, match=told):
        checked_facts(name="x", language=["de"], license="MIT", **facts)


def test_authors_without_a_name_are_none():
    facts = checked_facts(name="x", language=["de"], license="MIT", authors=["", " "])
    assert (facts.authors, facts.bibtex) == ((), "")


@pytest.mark.parametrize("language", [[""], [" , "], []])
def test_a_blank_language_is_none(language):
    with pytest.raises(ArgumentError, match="a release needs the language of its texts"):
        checked_facts(name="x", language=language, license="MIT")


def test_a_known_licence_has_no_other_name():
    with pytest.raises(ArgumentError, match="--license-name 'Ours' names a licence of your own, and --license is MIT"):
        checked_facts(name="x", language=["de"], license="MIT", license_name="Ours")
