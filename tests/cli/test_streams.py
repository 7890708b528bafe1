"""Output that leads to a closed stream, a full disk, or what is not UTF-8: one line, or what was asked for."""

import json
import os
import shlex
import subprocess
import sys

import pytest

SIMILITUDE = f"{shlex.quote(sys.executable)} -m similitude"
PAIRS = "left,right,score\n" + "".join(f"ein Hund läuft {i},我喜欢 😀,{i % 6}\n" for i in range(40))
NOT_UTF8 = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""Standard output is ASCII, as it is Latin-1 with LC_ALL=de_DE.ISO-8859-1."""


@pytest.fixture
def shell(tmp_path):
    (tmp_path / "pairs.csv").write_text(PAIRS, encoding="utf-8")

    def run(line, **environment):
        plain = {name: value for name, value in os.environ.items() if name != "PYTHONIOENCODING"}
        return subprocess.run(
            f"{SIMILITUDE} {line}", shell=True, cwd=tmp_path, env=plain | environment, capture_output=True, check=False
        )

    return run


def one_error(done):
    """The only line on standard error of a command that refused."""
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.decode().splitlines()
    return line.removeprefix("error: ")


@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-"])
def test_a_closed_stream_stops_nothing(shell, tmp_path, closed):
    done = shell(f"data convert pairs.csv --out pairs.jsonl {closed}")
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "pairs.jsonl").read_text(encoding="utf-8").splitlines()) == 40


@pytest.mark.parametrize("words", ["measures", "data suites --json", "--help", "--version", "completion bash"])
def test_output_that_cannot_be_written_is_one_line(shell, words):
    assert one_error(shell(f"{words} > /dev/full")) == "standard output: No space left on device"


@pytest.mark.slow
def test_what_is_not_utf8_gets_the_same_bytes_through_a_pipe(shell):
    for words in ("data show pairs.csv", "data show pairs.csv --json", "measures", "annotate people --help"):
        usual, other = shell(words), shell(words, **NOT_UTF8)
        assert other.returncode == 0, other.stderr
        assert other.stdout == usual.stdout
    assert json.loads(shell("data show pairs.csv --json", **NOT_UTF8).stdout)


@pytest.mark.parametrize(
    ("words", "code"),
    [("measures", 141), ("measures --json", 141), ("systems --help", 141), ("measures 2>&1", 141), ("nothing 2>&1", 2)],
)
def test_a_reader_that_is_gone_is_no_part_that_failed(tmp_path, words, code):
    line = f"( {SIMILITUDE} {words}; echo $? > code ) | true"
    done = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, check=False)
    assert ((tmp_path / "code").read_text(), done.stderr) == (f"{code}\n", b"")


def test_an_encoding_that_was_chosen_is_kept(shell):
    assert shell("measures", PYTHONIOENCODING="ascii:replace").stdout.isascii()
    assert one_error(shell("measures", PYTHONIOENCODING="ascii")).startswith("standard output: ascii has no sign for ")


def test_a_terminal_that_is_not_utf8_shows_what_it_can(shell):
    done = shell("measures", **NOT_UTF8)
    assert "↑" in done.stdout.decode() or "∞" in done.stdout.decode()
    line = f'import pty, sys; sys.exit(pty.spawn([{sys.executable!r}, "-m", "similitude", "measures"]))'
    seen = subprocess.run(
        [sys.executable, "-c", line],
        env=os.environ | NOT_UTF8,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert seen.returncode == 0
    assert b"pearson" in seen.stdout
    assert seen.stdout.isascii()


def test_a_file_name_that_is_no_text_is_refused(shell, tmp_path):
    (tmp_path / os.fsdecode(b"m\xe4rz.csv")).write_text(PAIRS, encoding="utf-8")
    assert (
        one_error(shell("evaluate m*rz.csv -s levenshtein")) == r"b'm\xe4rz.csv': not utf-8; give the file another name"
    )


@pytest.mark.slow
def test_a_folder_that_cannot_be_made_is_one_line(shell, tmp_path):
    (tmp_path / "texts.txt").write_text("".join(f"a text number {i} of dogs\n" for i in range(50)), encoding="utf-8")
    told = one_error(shell("candidates texts.txt --items 5 --out pairs.csv/found -q"))
    assert told == "pairs.csv/found/work: Not a directory; check permissions and free space"
