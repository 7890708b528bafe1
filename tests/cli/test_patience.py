"""A command that is silent for long says that it is at work, and is out of the way of whatever else is shown."""

import io
import re
import sys
import time
from types import SimpleNamespace

import pytest
from patience import until

from similitude.cli import patience, progress
from similitude.cli.app import run
from similitude.cli.patience import ERASE, PlainLines, Waiting, waiting
from similitude.cli.progress import progress_bar


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _soon(monkeypatch) -> None:
    monkeypatch.setattr(patience, "APPEARS", 0.02)
    monkeypatch.setattr(patience, "TICK", 0.01)
    monkeypatch.setattr(patience, "FIRST_LINE", 0.02)


def terminal(monkeypatch) -> Screen:
    """Both streams, from now on; pytest puts its own back when a test begins."""
    made = Screen()
    monkeypatch.setattr(sys, "stdout", made)
    monkeypatch.setattr(sys, "stderr", made)
    return made


def at_work(stream: io.StringIO, after: int = 0) -> bool:
    return "similitude gold: at work, " in stream.getvalue()[after:]


def test_a_silent_command_has_a_line_that_goes_at_the_end(monkeypatch):
    screen = terminal(monkeypatch)
    with waiting("similitude gold"):
        until(lambda: at_work(screen), "the line")
    assert screen.getvalue().endswith(ERASE)
    shown = len(screen.getvalue())
    time.sleep(0.05)
    assert len(screen.getvalue()) == shown
    assert sys.stderr is screen
    assert Waiting.current is None


def test_what_the_command_prints_stands_on_a_line_of_its_own(monkeypatch):
    screen = terminal(monkeypatch)
    with waiting("similitude gold"):
        until(lambda: at_work(screen), "the line")
        sys.stdout.write("a result\n")
        assert f"{ERASE}a result\n" in screen.getvalue()
        until(lambda: at_work(screen, screen.getvalue().index("a result")), "the line again")


def test_no_line_is_drawn_over_a_question(monkeypatch):
    screen = terminal(monkeypatch)
    with waiting("similitude gold"):
        sys.stderr.write("How many? > ")
        time.sleep(0.1)
        assert screen.getvalue() == "How many? > "
        sys.stderr.write("\n")
        until(lambda: at_work(screen), "the line")


def test_a_progress_bar_takes_its_place(monkeypatch):
    screen = terminal(monkeypatch)
    monkeypatch.setattr(progress.errors, "_force_terminal", True)
    with waiting("similitude gold"):
        until(lambda: at_work(screen), "the line")
        with progress_bar("answers"):
            before = screen.getvalue()
            assert before.endswith(ERASE)
            time.sleep(0.1)
            assert not at_work(screen, len(before))
        until(lambda: at_work(screen, len(before)), "the line again")


def test_in_a_log_file_the_line_is_plain_and_comes_ever_more_rarely(monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    with waiting("similitude gold"):
        until(lambda: log.getvalue().count("\n") >= 2, "two lines")
    assert all(re.fullmatch(r"similitude gold: at work, \d+ s", line) for line in log.getvalue().splitlines())
    assert "\x1b" not in log.getvalue()


@pytest.mark.parametrize("words", [["measures", "--help"], ["measures", "-q"], ["annotate", "serve", "--help"]])
def test_help_quiet_commands_and_servers_have_no_line(words, monkeypatch, capsys):
    made = []
    monkeypatch.setattr("similitude.cli.app.waiting", made.append)
    run(words)
    assert not made


def test_every_other_command_has_one(monkeypatch, capsys):
    made = []

    def heard(title):
        made.append(title)
        return waiting(title)

    monkeypatch.setattr("similitude.cli.app.waiting", heard)
    run(["measures"])
    run(["data", "formats"])
    assert made == ["similitude measures", "similitude data formats"]


def test_plain_lines_say_what_is_done_and_how_long_the_rest_takes(monkeypatch, capsys):
    now = iter([0.0, 10.0, 31.0, 40.0, 80.0])
    monkeypatch.setattr(patience, "FIRST_LINE", 30.0)
    monkeypatch.setattr(patience, "time", SimpleNamespace(monotonic=lambda: next(now)))
    lines = PlainLines("mine")
    for done in (0, 10, 40):
        lines.progress("levenshtein", done, 100)
    lines.progress("jaro", 0, 100)
    # the stage began at 10 s, and a line came at 31 s; no other is due before 31 + 60 s
    assert capsys.readouterr().err == "mine: levenshtein, 10 of 100, about 3:09 min left\n"


def test_time_left_by_hand():
    # 10 of 100 in 21 s: 90 more take 9 times as long
    assert patience._time_left(21, 10, 100) == ", about 3:09 min left"
    assert patience._time_left(21, 0, 100) == patience._time_left(21, 7, 5) == ""


def test_a_stage_that_cannot_be_counted_says_how_long_it_has_taken(monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    monkeypatch.setattr(progress.errors, "_force_terminal", False)
    with waiting("similitude gold"), progress_bar("mine") as listener:
        listener.progress("fitting plackett-luce to 600 answers", 0, 0)  # told once, and nothing after it
        until(lambda: "so far" in log.getvalue(), "a line of the stage")
    assert all(
        re.fullmatch(r"mine: fitting plackett-luce to 600 answers, \d+ s so far", line)
        for line in log.getvalue().splitlines()
    )


def test_a_counted_stage_that_is_silent_for_long_is_told_of_again(monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    monkeypatch.setattr(progress.errors, "_force_terminal", False)
    with waiting("similitude gold"), progress_bar("mine") as listener:
        listener.progress("split-half", 3, 100)
        until(lambda: log.getvalue().count("\n") >= 2, "two lines")
    assert all("mine: split-half, 3 of 100" in line for line in log.getvalue().splitlines())


def test_a_bar_of_what_cannot_be_counted_has_no_end(monkeypatch):
    screen = terminal(monkeypatch)
    monkeypatch.setattr(progress.errors, "_force_terminal", True)
    with progress_bar("mine") as bar:
        bar.progress("fitting", 0, 0)
        bar._appear()
        [task] = bar._drawn[0].tasks
        assert (task.description, task.total) == ("mine: fitting", None)
        bar.progress("counting", 1, 4)
        assert (task.description, task.total, task.completed) == ("mine: counting", 4, 1)
    assert screen.isatty()
