"""Ctrl-C at chosen moments of a command: after a share of its calls, and just before and after it writes.

Moments are counted in calls of functions and in files put in place, so that a busy machine changes nothing.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from similitude.cli.app import main

EARLY = 0.4
"""The share of all calls after which a command is interrupted first."""

SAID = "interrupted; finished work is kept, run the same command to resume"
COMMIT = "a commit"


@dataclass
class Moment:
    """When Ctrl-C is pressed; never, if nothing is said.

    Attributes:
        call: at the call of this number.
        write: what is written then: a path below the folder, or `COMMIT`.
        is_after: press it when that is written, not before.
    """

    call: int = -1
    write: str = ""
    is_after: bool = False


@dataclass
class Watched:
    """A run that is watched: how many functions were called, and what was written, in order."""

    moment: Moment
    calls: int = 0
    writes: list[str] = field(default_factory=list)

    def count(self, frame: Any, event: str, argument: Any) -> None:
        self.calls += 1
        if self.calls == self.moment.call:
            sys.settrace(None)
            raise KeyboardInterrupt

    def writing(self, function: Callable[..., Any], name: Callable[..., str]) -> Callable[..., Any]:
        """The function, which is interrupted where the moment says so."""

        def watched(*arguments: Any, **keywords: Any) -> Any:
            written = name(*arguments)
            self.writes.append(written)
            is_now = written == self.moment.write
            if is_now and not self.moment.is_after:
                raise KeyboardInterrupt
            done = function(*arguments, **keywords)
            if is_now:
                raise KeyboardInterrupt
            return done

        return watched


class Ended(NamedTuple):
    code: int
    out: str
    err: str
    calls: int
    writes: list[str]


@contextmanager
def watched(moment: Moment, folder: Path) -> Iterator[Watched]:
    """Press Ctrl-C at the moment, and take note of calls and writes; calls are counted only if that is asked for."""
    found = Watched(moment)
    root = folder.resolve()

    def target(*ends: Any) -> str:
        path = Path(ends[1]).absolute()
        return str(path.relative_to(root)) if path.is_relative_to(root) else ""

    with pytest.MonkeyPatch.context() as patch:
        for name in ("replace", "rename", "link"):
            patch.setattr(os, name, found.writing(getattr(os, name), target))
        if "sqlalchemy.engine.default" in sys.modules:
            from sqlalchemy.engine.default import DefaultDialect

            patch.setattr(DefaultDialect, "do_commit", found.writing(DefaultDialect.do_commit, lambda *_: COMMIT))
        before = sys.gettrace()
        if moment.call >= 0:
            sys.settrace(found.count)
        try:
            yield found
        finally:
            sys.settrace(before)


def run(words: str, folder: Path, moment: Moment | None = None, *, typed: str = "") -> Ended:
    """Run a command in a folder, in this process, as the command line does."""
    out, err = io.StringIO(), io.StringIO()
    quiet = redirect_stdout(out), redirect_stderr(err)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["similitude", *shlex.split(words)])
        patch.setattr(sys, "stdin", io.StringIO(typed))
        patch.setenv("NO_COLOR", "1")
        with chdir(folder), quiet[0], quiet[1], pytest.raises(SystemExit) as end:
            with watched(moment or Moment(), folder) as found:
                main()
    return Ended(int(end.value.code or 0), out.getvalue(), err.getvalue(), found.calls, found.writes)


def files_of(folder: Path) -> set[str]:
    """All files, hidden ones included."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def said(text: str) -> str:
    """Without what differs from run to run: times, and which predictions were kept."""
    return re.sub(r"\d+(\.\d+)? (s|ms)\b|\d+:\d\d|kept|again", "", text)


def check_that_it_goes_on(
    words: str,
    files: Path,
    place: Path,
    *,
    same: Sequence[str] = (),
    shows: Callable[[Path], Any] | None = None,
    typed: str = "",
) -> None:
    """Interrupt a command again and again, run it to its end, and compare with a run that nothing interrupted.

    Args:
        words: the command.
        files: a folder with what it reads; it is copied.
        place: where to work.
        same: patterns of files that must be equal to the byte.
        shows: compares the two folders by what it returns, instead of what the command prints.
        typed: what stands on standard input.
    """
    original, broken = Path(shutil.copytree(files, place / "whole")), place / "broken"
    whole = run(words, original, Moment(call=0), typed=typed)
    assert whole.code == 0, whole.err
    _interrupted_early(words, files, broken, whole.calls, typed)
    for moment in _late_moments(whole):
        ended = run(words, broken, moment, typed=typed)
        assert ended.code == 130, f"{moment} was not met"
        assert ended.err.splitlines()[-1] == SAID
    again = run(words, broken, typed=typed)
    assert again.code == 0, again.err
    assert files_of(broken) == files_of(original)
    if shows is None:
        assert said(again.out) == said(whole.out)
    else:
        assert shows(broken) == shows(original)
    for pattern in same:
        found = {path.relative_to(original): path.read_bytes() for path in original.glob(pattern)}
        assert found, f"there is no {pattern}"
        assert found == {path: (broken / path).read_bytes() for path in found}


def _interrupted_early(words: str, files: Path, broken: Path, calls: int, typed: str) -> None:
    """Press Ctrl-C at 40 % of all calls; where modules were imported in the whole run, that is tried again with less.

    An interruption while Python drops a generator goes no further, so there is one more try.
    """
    for _ in range(3):
        shutil.rmtree(broken, ignore_errors=True)
        shutil.copytree(files, broken)
        ended = run(words, broken, Moment(call=max(1, int(EARLY * calls))), typed=typed)
        if ended.code == 130:
            assert ended.err.splitlines()[-1] == SAID
            return
        assert ended.code == 0, ended.err
        calls = ended.calls - 1
    pytest.fail("Ctrl-C was never noticed")


def _late_moments(whole: Ended) -> list[Moment]:
    """Just before and just after the last thing is written; nothing where nothing is."""
    return [Moment(write=whole.writes[-1], is_after=is_after) for is_after in (False, True) if whole.writes]
