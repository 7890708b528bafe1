"""Commands ask only where somebody can answer; elsewhere one error says which options are missing."""

import io
import re
import sys
from pathlib import Path

import pytest

import similitude.cli
from similitude.cli.app import main, run
from similitude.cli.questions import KERNEL, can_ask
from similitude.errors import ArgumentError

QUESTIONS = {
    "choose sample:opinions -s levenshtein -s jaro": (
        "what the task needs was not said; give --cardinality 1:1|1:n, --interest all|k-best|threshold, "
        "--information value|rank|classification"
    ),
    "cache clear": "nothing was deleted, as nobody can be asked: Delete 0 entries?; add --yes",
    "cache clear --answers": "nothing was deleted, as nobody can be asked: Delete 0 answers? To get them back, the "
    "models must be asked again.; add --yes",
    "annotate leader studies ada": "the password was not said; add --password-stdin and pipe it into the command",
}


class Keyboard(io.StringIO):
    """A terminal at which this was typed."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "studies").mkdir()
    monkeypatch.setenv("SIMILITUDE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_COLOR", "1")


def closed() -> io.StringIO:
    stream = Keyboard()
    stream.close()
    return stream


@pytest.mark.parametrize("words", QUESTIONS)
@pytest.mark.parametrize(
    "stdin", [lambda: io.StringIO("1\n1\n1\n"), closed, lambda: None], ids=["pipe", "closed", "none"]
)
def test_without_a_terminal_one_error_says_what_is_missing(words, stdin, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", stdin())
    monkeypatch.setattr(sys, "argv", ["similitude", *words.split()])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert capsys.readouterr() == ("", f"error: {QUESTIONS[words]}\n")


@pytest.mark.parametrize("words", QUESTIONS)
@pytest.mark.parametrize("environment", [{"JPY_PARENT_PID": "7"}, KERNEL], ids=["jupyter", "ipykernel"])
def test_a_cell_of_a_notebook_has_a_terminal_that_takes_no_keys(words, environment, monkeypatch):
    monkeypatch.setattr(sys, "stdin", Keyboard("1\n1\n1\n"))
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ArgumentError, match=re.escape(QUESTIONS[words])):
        run(words.split())


def test_a_password_that_is_to_be_piped_in_and_is_not(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Keyboard("unseen\n"))
    monkeypatch.setenv("JPY_PARENT_PID", "7")
    with pytest.raises(ArgumentError, match="the password cannot be read: nothing is piped in"):
        run(["annotate", "leader", "studies", "ada", "--password-stdin"])


def test_at_a_terminal_questions_are_asked(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "stdin", Keyboard("1\nfour\n1\nvalue\n"))
    run(["choose", "sample:opinions", "-s", "levenshtein", "-s", "jaro", "--folder", str(tmp_path / "run"), "-q"])
    said = capsys.readouterr()
    assert "Which of the results do you use?" in said.err
    assert "a number from 1 to 3" in said.err
    assert "(1:1, all, value) calls for" in said.out


@pytest.mark.parametrize("words", ["choose sample:opinions -s levenshtein -s jaro", "cache clear"])
def test_ctrl_d_instead_of_an_answer(words, monkeypatch):
    monkeypatch.setattr(sys, "stdin", Keyboard(""))
    with pytest.raises(ArgumentError, match="the question was not answered; run the command again"):
        run(words.split())


def test_can_ask(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Keyboard())
    assert can_ask({"TERM": "xterm-color", "PAGER": "cat"})
    assert not can_ask(KERNEL)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert not can_ask({})


def test_no_other_module_asks():
    asks = re.compile(r"\binput\(|\bgetpass\b|stdin\.read")
    found = {path.name for path in Path(similitude.cli.__file__).parent.glob("*.py") if asks.search(path.read_text())}
    assert found == {"questions.py"}
