"""The README says what is so, and fits a newcomer's patience. Its commands are run by test_doc_commands.py."""

from pathlib import Path

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_what_it_says_the_linter_finds_is_found(similitude):
    assert "row number predicts gold, Spearman 0.52" in README
    done = similitude("data", "check", "sample:home-de")
    assert "the row number alone predicts gold with Spearman 0.52" in done.stdout


def test_it_is_short_and_has_one_picture():
    assert len(README.splitlines()) < 120
    assert README.count("![") == 1
    assert README.index("![") < README.index("## ")


def test_it_names_the_two_commands_that_ci_runs_for_newcomers():
    assert "\nmake demo " in README
    assert "\nmake test " in README
