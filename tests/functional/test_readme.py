"""The README shows what its commands print, and fits a newcomer's patience."""

import shlex
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_example_on_a_file_that_ships_is_what_is_printed(similitude):
    block = README.partition("```\nsimilitude evaluate sample:home-de ")[2].partition("```")[0]
    command, _, shown = block.partition("\n")
    done = similitude("evaluate", "sample:home-de", *shlex.split(command))
    assert done.returncode == 0, done.stderr
    printed = {line.strip() for line in done.stdout.splitlines()}
    lines = [line.strip() for line in shown.splitlines() if line.strip()]
    assert len(lines) == 6
    assert {*lines} <= printed


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
