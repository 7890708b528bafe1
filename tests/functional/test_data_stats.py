"""``similitude data stats``, run for real."""

import json

import pytest


def test_dialogues_are_shown_by_turns_and_domain(similitude):
    shown = similitude("data", "stats", "sample:dialogues")
    assert (shown.returncode, shown.stderr) == (0, "")
    for part in ("SIMULATED judgements", "restaurant", "RTTR", "turn length in tokens", "Scores: mean 0.50", "note: "):
        assert part in shown.stdout


def test_json_is_all_there_is_on_standard_output(similitude):
    shown = similitude("data", "stats", "sample:opinions", "--by", "language", "--json")
    record = json.loads(shown.stdout)
    assert shown.stderr == "", "jieba is silent"
    assert [part["part"]["language"] for part in record["parts"]] == ["en", "de", "zh"]
    assert record["whole"]["items"] == 60
    assert record["parts"][2]["lemmas"] > 100


def test_tables_for_a_text(similitude, pairs, tmp_path):
    printed = similitude("data", "stats", "pairs.csv", "--markdown", "-")
    assert printed.stdout.startswith("Words of pairs")
    assert "| all | 8 | 16 |" in printed.stdout
    written = similitude("data", "stats", "pairs.csv", "--latex", "words.tex")
    assert written.stdout.strip() == "words.tex"
    assert r"\toprule" in (tmp_path / "words.tex").read_text()


def test_richness_by_text(similitude):
    shown = similitude("data", "stats", "sample:dialogues", "--by", "turns", "--richness", "text", "--markdown", "-")
    # Pooled it would be 11.50 and 297.69.
    assert "| 3 | 30 | 6 | 3.19 | 18.31 | 197 |" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--by", "domian"], "no column to divide items by named 'domian'; did you mean 'domain'? known: domain, "),
        (["--by", "turns"], "pairs: no item has a context, so items cannot be divided by turns; "),
        (["--richness", "turn"], "no richness named 'turn'; known: dialogue, pooled, text"),
        (["--richness", "dialogue"], "'pairs' has no richness by dialogue; choose one of pooled, text"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(similitude, pairs, arguments, message):
    shown = similitude("data", "stats", "pairs.csv", *arguments)
    assert shown.returncode == 2
    assert shown.stdout == ""
    assert f"error: {message}" in shown.stderr
    assert len(shown.stderr.splitlines()) == 1
