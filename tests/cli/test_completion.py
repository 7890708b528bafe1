"""Completion, asked for in the shells themselves: the script is sourced, and Tab is pressed in a terminal."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time

import pytest

from similitude.cli.app import COMMANDS, run
from similitude.cli.shells.words import completion_words

SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
PREPARED = {
    "bash": "PS1='> '; bind 'set enable-bracketed-paste off'; source '{script}'; "
    "similitude() {{ printf '<%s>' \"$@\"; echo; }}",
    "zsh": "PS1='> '; autoload -Uz compinit && compinit -u -d '{dump}'; source '{script}'; "
    "similitude() {{ printf '<%s>' \"$@\"; echo; }}",
    "fish": "source '{script}'; function similitude; printf '<%s>' $argv; echo; end; "
    "function fish_prompt; echo '> '; end; set -g fish_greeting",
}
ARGUMENTS = re.compile(r"((?:<[^<>\r\n]+>)+)\r?\n")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        done = subprocess.run(
            [sys.executable, "-m", "similitude", "completion", shell], capture_output=True, text=True, check=True
        )
        (folder / shell).write_text(done.stdout)
    return folder


class Terminal:
    """A shell in a pseudo-terminal."""

    def __init__(self, shell, folder):
        self.process, self.screen = pty.fork()
        if not self.process:
            os.chdir(folder)
            os.execvpe(SHELLS[shell][0], SHELLS[shell], {**os.environ, "TERM": "xterm", "HOME": str(folder)})
        self.send(PREPARED[shell].format(script=folder / shell, dump=folder / "dump") + "\n")
        self.ask("similitude ready\n", "<ready>")

    def send(self, text):
        os.write(self.screen, text.encode())

    def ask(self, text, wanted=None):
        """Type a line; gives the arguments that the command got."""
        self.send(text)
        seen, end = "", time.monotonic() + 60
        while time.monotonic() < end:
            if select.select([self.screen], [], [], 0.1)[0]:
                try:
                    seen += os.read(self.screen, 65536).decode(errors="replace")
                except OSError:  # the shell has ended
                    break
            found = ARGUMENTS.findall(seen)
            if found and (wanted is None or wanted in found):
                return re.findall("<([^<>]+)>", found[-1])
        raise AssertionError(f"no arguments in {seen[-2000:]!r}")

    def pressed(self, line):
        """The arguments after Tab and Enter."""
        self.send(f"{line}\t")
        time.sleep(0.8)  # completion ends before Enter is read
        return self.ask("\n")

    def close(self):
        os.close(self.screen)
        os.waitpid(self.process, 0)


@pytest.fixture(scope="module", params=SHELLS)
def terminal(request, scripts):
    if request.param != "bash" and shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    (scripts / "pairs-of-mine.csv").write_text("left,right,score\n")
    (scripts / "runs-of-mine").mkdir(exist_ok=True)
    opened = Terminal(request.param, scripts)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("similitude relia", ["reliability"]),
        ("similitude data sui", ["data", "suites"]),
        ("similitude evaluate x -s char-ngram-co", ["evaluate", "x", "-s", "char-ngram-cosine"]),
        ("similitude evaluate x -m spear", ["evaluate", "x", "-m", "spearman"]),
        ("similitude evaluate x -m ndcg@av", ["evaluate", "x", "-m", "ndcg@avgrank"]),
        (
            "similitude evaluate x -s use-multilingual --cali",
            ["evaluate", "x", "-s", "use-multilingual", "--calibrate"],
        ),
        ("similitude evaluate x --calibrate iso", ["evaluate", "x", "--calibrate", "isotonic"]),
        ("similitude data show x --format semeval-p", ["data", "show", "x", "--format", "semeval-pair"]),
        ("similitude data recipes semrel", ["data", "recipes", "semrel2024"]),
        ("similitude task dedu", ["task", "deduplication"]),
        ("similitude task deduplication sample:dedu", ["task", "deduplication", "sample:deduplication"]),
        ("similitude evaluate sample:op", ["evaluate", "sample:opinions"]),
        ("similitude evaluate --json suite:ger", ["evaluate", "--json", "suite:german"]),
        ("similitude evaluate pairs-of", ["evaluate", "pairs-of-mine.csv"]),
        ("similitude evaluate x --folder runs-of", ["evaluate", "x", "--folder", "runs-of-mine"]),
        ("similitude report --system no-such-sys", ["report", "--system", "no-such-sys"]),
        ("similitude completion fi", ["completion", "fish"]),
    ],
)
def test_tab_completes(terminal, line, completed):
    assert [word.rstrip("/") for word in terminal.pressed(line)] == completed  # zsh drops the slash at Enter


def asked_in_bash(script, line):
    """All candidates, as bash collects them."""
    asking = f"source '{script}'; COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}; _similitude; "
    asking += "printf '%s\\n' \"${COMPREPLY[@]}\""
    done = subprocess.run(["bash", "--norc", "-c", asking], capture_output=True, text=True, check=True)
    return sorted(filter(None, done.stdout.splitlines()))


def test_bash_offers_all_names_that_begin_so(scripts):
    words = completion_words()
    begun = sorted(name for name in words.values["systems"] if name.startswith("char-ngr"))
    assert len(begun) > 1
    assert asked_in_bash(scripts / "bash", "similitude evaluate x -s char-ngr") == begun
    assert asked_in_bash(scripts / "bash", 'similitude evaluate x -s "char-ngr') == begun
    assert asked_in_bash(scripts / "bash", "similitude evaluate x --system=char-ngr") == begun
    assert asked_in_bash(scripts / "bash", "similitude choose x -m nd") == ["ndcg", "ndcg@avgrank"]
    assert asked_in_bash(scripts / "bash", "similitude choose x -m ndcg@a") == ["@avgrank"]
    assert asked_in_bash(scripts / "bash", "similitude evaluate sample:op") == ["opinions"]
    assert asked_in_bash(scripts / "bash", "similitude train ") == sorted(words.commands["train"])
    assert "--no-color" in asked_in_bash(scripts / "bash", "similitude cache show --")
    assert asked_in_bash(scripts / "bash", "similitude measures ") == []


def test_every_command_has_its_options_and_every_kind_its_words():
    words = completion_words()
    assert set(words.options) == set(COMMANDS)
    kinds = {kind for kinds in (*words.takes.values(), *words.arguments.values()) for kind in kinds}
    assert kinds - set(words.values) == {"file", "folder", "text"}
    assert set(words.values) - kinds == set()
    # most commands take a system after --system; the one that takes a name of its own differs
    assert words.takes["--system"] == ["systems"]
    assert words.takes["report --system"] == ["text"]
    assert "--json" not in words.takes


def test_installing_writes_where_the_shell_looks(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert run(["completion", "--install"]) == 0
    assert (tmp_path / "config" / "fish" / "completions" / "similitude.fish").read_text().startswith("# similitude")
    assert run(["completion", "bash", "--install"]) == 0
    assert (tmp_path / "data" / "bash-completion" / "completions" / "similitude").is_file()
    assert run(["completion", "zsh", "--install"]) == 0
    assert (
        (tmp_path / "data" / "zsh" / "site-functions" / "_similitude").read_text().startswith("#compdef similitude\n")
    )
    assert "site-functions" in capsys.readouterr().err


def test_an_unknown_shell_is_refused(monkeypatch):
    from similitude.errors import ArgumentError

    monkeypatch.setenv("SHELL", "/bin/tcsh")
    with pytest.raises(ArgumentError, match=r"'tcsh'.*bash, zsh, fish"):
        run(["completion"])
