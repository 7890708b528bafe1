"""Old names are understood, say the new ones, and lead to options and commands that exist."""

import pytest

from similitude.cli.app import COMMANDS, make_app
from similitude.cli.renamed import COMMANDS as OLD_COMMANDS
from similitude.cli.renamed import GONE_IN, OPTIONS, current
from similitude.deprecation import Renamed

LAST_WORDS = f"the old name goes in release {GONE_IN}"
EACH = [(each, command) for each in OPTIONS for command in each.commands]


def told_and_current(words):
    told = []
    return current(words, told.append), told


def options_of(command):
    app = make_app()
    for word in command.split():
        app = app[word]
    return {name for argument in app.assemble_argument_collection() if argument.parse for name in argument.names}


@pytest.mark.parametrize("old", OLD_COMMANDS)
def test_an_old_command_says_the_new_one(old):
    new = OLD_COMMANDS[old]
    words, told = told_and_current([*old, "x.toml", "--json"])
    assert words == [*new, "x.toml", "--json"]
    assert told == [f"'similitude {' '.join(old)}' is now 'similitude {' '.join(new)}'; {LAST_WORDS}"]
    assert " ".join(word for word in new if not word.startswith("-")) in COMMANDS
    assert " ".join(old) not in COMMANDS


@pytest.mark.parametrize(("each", "command"), EACH, ids=[f"{command} {each.old}" for each, command in EACH])
def test_an_old_option_says_the_new_one_which_the_command_has(each, command):
    value = each.values[0] if each.values else "7"
    for written, wanted in (([each.old, value], [each.new, value]), ([f"{each.old}={value}"], [f"{each.new}={value}"])):
        words, told = told_and_current([*command.split(), "data", *written])
        assert words == [*command.split(), "data", *wanted]
        assert told == [f"'{each.old}' is now '{each.new}'; {LAST_WORDS}"]
    known = options_of(command)
    assert each.new in known
    assert each.values or each.old not in known or each.old == "--out"


def test_the_release_in_which_they_go_has_not_come():
    assert not Renamed("old", "new", since="0.1", gone_in=GONE_IN).is_gone()


def test_an_encoding_of_texts_is_no_architecture():
    words = ["train", "pairs", "x.csv", "--encoding", "latin-1"]
    assert told_and_current(words) == (words, [])


def test_names_of_today_other_commands_and_what_follows_two_hyphens_stay():
    for words in (
        ["prompt", "plan.toml", "--limit", "5", "--folder", "x"],
        ["gold", "x.csv", "--out", "gold.jsonl"],
        ["evaluate", "--", "--out"],
    ):
        assert told_and_current(words) == (words, [])


def test_the_old_names_run(tmp_path, monkeypatch, capsys):
    from similitude.cli.app import run

    monkeypatch.chdir(tmp_path)
    assert run(["evaluate", "sample:opinions", "-s", "levenshtein", "-m", "mae", "--resamples", "0", "--out", "r"]) == 0
    assert (tmp_path / "r" / "run.json").is_file()
    assert capsys.readouterr().err == f"note: '--out' is now '--folder'; {LAST_WORDS}\n"
    assert run(["judge", "--help"]) == 0
    told = capsys.readouterr()
    assert told.err == f"note: 'similitude judge' is now 'similitude prompt'; {LAST_WORDS}\n"
    assert told.out.startswith("similitude prompt ")
