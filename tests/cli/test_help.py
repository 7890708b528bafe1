"""Every page of help fits a screen, has an example, and the examples on the sample run."""

import re
import shlex

import pytest

from similitude.cli.app import COMMANDS, GROUPS, run

SCREEN = 45
EXAMPLE = re.compile(r"^Example: similitude ((?:.*\\\n)*.*)$", re.MULTILINE)
RUNS = (
    "evaluate",
    "choose",
    "predictiveness",
    "gold",
    "reliability",
    "measures",
    "systems",
    "data show",
    "data check",
    "data stats",
    "data convert",
    "data formats",
    "data recipes",
    "design best-worst",
    "design rating",
    "cache show",
)
"""Commands whose examples need no model, server or file of the reader's own."""


@pytest.fixture
def shown(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)

    def call(*words):
        assert run(words) == 0
        return capsys.readouterr().out

    return call


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_screen_and_has_one_example(command, shown):
    page = shown(*command.split(), "--help")
    lines = page.rstrip().splitlines()
    assert len(lines) <= SCREEN
    assert max(len(line.rstrip()) for line in lines) <= 100
    example = EXAMPLE.findall(page)
    assert len(example) == 1
    assert example[0].startswith(command)
    assert "│" not in page


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_described(command, shown):
    page = shown(*command.split(), "--help-all")
    assert "more with" not in page
    for line in page.splitlines():
        if found := re.match(r"  ((?:-\w, )?--[\w-]+(?:, --[\w-]+)?(?: \S+)?)(.*)$", line):
            assert found[2].strip(), f"{command}: {found[1]} has no description"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_stays_within_the_width_of_the_screen(command, shown, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    page = shown(*command.split(), "--help-all")
    assert max(len(line.rstrip()) for line in page.splitlines()) <= 80
    assert not re.search(r"--[\w-]+ (STR|INT|FLOAT)\b", page)
    assert "…" not in page  # a list of choices that was cut
    assert not re.search(r"[A-Z]-(ENCODING|FORMAT|NAME|TEMPLATE)\b|``", page)


@pytest.mark.parametrize("group", GROUPS)
def test_help_of_a_group_describes_each_command(group, shown):
    page = shown(group, "-h")
    for name in COMMANDS:
        if name.startswith(f"{group} "):
            assert re.search(rf"^  {name.removeprefix(group + ' ')} +\w", page, re.MULTILINE)


@pytest.mark.parametrize("command", RUNS)
def test_the_example_runs(command, shown, tmp_path, monkeypatch):
    example = EXAMPLE.findall(shown(*command.split(), "--help"))[0]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIMILITUDE_CACHE", "off")
    assert shown(*shlex.split(example.replace("\\\n", "")))


def test_no_words_show_the_help(shown):
    assert shown() == shown("--help")
    assert "Documentation: https://similitude-sts.github.io/similitude/" in shown()
    assert shown("train") == shown("train", "--help")
