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
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from similitude.cli.app import main

EARLY = 0.4
"""The share of all calls after which a command is interrupted first."""

SAID = "interrupted; finished work is kept, run the same command to resume"


@dataclass
class Moment:
    """When Ctrl-C is pressed; never, if nothing is said.

    Attributes:
        call: at the call of this number.
        write: what is written then: a path below the folder, or as in "commit 2".
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

    def commit(self, *_: Any) -> str:
        """The name of the next commit to a database."""
        return f"commit {len(self.writes) + 1}"

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

            patch.setattr(DefaultDialect, "do_commit", found.writing(DefaultDialect.do_commit, found.commit))
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
        ending = pytest.raises(SystemExit)
        with chdir(folder), quiet[0], quiet[1], ending as end, watched(moment or Moment(), folder) as found:
            main()
    return Ended(int(end.value.code or 0), out.getvalue(), err.getvalue(), found.calls, found.writes)


def files_of(folder: Path) -> set[str]:
    """All files, hidden ones included."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def said(text: str) -> str:
    """Without what differs from run to run: times, and which predictions were kept."""
    return re.sub(r"\d+(\.\d+)? (s|ms)\b|\d+:\d\d|kept|again", "", text)


@dataclass
class Trial:
    """A command to interrupt.

    Attributes:
        words: the command.
        files: a folder with what it reads; it is copied.
        place: where to work.
        typed: what stands on standard input.
        same: patterns of files that must be equal to the byte.
        shows: compares folders by what it returns, instead of what the command prints.
        refuses: what the command says where it is called again after its last write, and exits with 2.
    """

    words: str
    files: Path
    place: Path
    typed: str = ""
    same: Sequence[str] = ()
    shows: Callable[[Path], Any] | None = None
    refuses: str = ""

    @cached_property
    def whole(self) -> Ended:
        """The run that nothing interrupts."""
        ended = self.run(self.copy("whole"), Moment(call=0))
        assert ended.code == 0, ended.err
        return ended

    def run(self, folder: Path, moment: Moment | None = None) -> Ended:
        return run(self.words, folder, moment, typed=self.typed)

    def copy(self, name: str) -> Path:
        shutil.rmtree(self.place / name, ignore_errors=True)
        return Path(shutil.copytree(self.files, self.place / name))

    def interrupt_early(self) -> Path:
        """A folder where Ctrl-C was pressed at 40 % of all calls.

        The whole run may have imported modules, which later ones need not: then there are fewer calls, and a second
        try. An interruption while Python drops a generator goes no further, so there is a third.
        """
        calls = self.whole.calls
        for _ in range(3):
            folder = self.copy("broken")
            ended = self.run(folder, Moment(call=max(1, int(EARLY * calls))))
            if ended.code == 130:
                assert ended.err.splitlines()[-1] == SAID
                return folder
            assert ended.code == 0, ended.err
            calls = ended.calls - 1
        return pytest.fail("Ctrl-C was never noticed")

    def interrupt(self, folder: Path, *, is_after: bool) -> None:
        """Press Ctrl-C just before or just after the last thing is written."""
        moment = Moment(write=self.whole.writes[-1], is_after=is_after)
        ended = self.run(folder, moment)
        assert ended.code == 130, f"{moment} was not met: {ended.err}"
        assert ended.err.splitlines()[-1] == SAID

    def compare(self, folder: Path) -> None:
        """Run the command to its end, and compare with the whole run."""
        again, original = self.run(folder), self.place / "whole"
        is_refused = again.code == 2 and bool(self.refuses) and self.refuses in again.err
        assert again.code == 0 or is_refused, again.err
        _equal(sorted(files_of(folder)), sorted(files_of(original)))
        if self.shows is not None:
            _equal(self.shows(folder), self.shows(original))
        elif not is_refused:
            _equal(said(again.out), said(self.whole.out))
        for pattern in self.same:
            found = {path.relative_to(original): path.read_bytes() for path in original.glob(pattern)}
            assert found, f"there is no {pattern}"
            assert found == {path: (folder / path).read_bytes() for path in found}


def _equal(found: Any, wanted: Any) -> None:
    assert found == wanted, f"after Ctrl-C:\n{found}\nwithout:\n{wanted}"


def check_that_it_goes_on(trial: Trial) -> None:
    """Interrupt a command early, just before and just after its last write, and then run it to its end."""
    folder = trial.interrupt_early()
    if trial.whole.writes:
        trial.interrupt(folder, is_after=False)
        trial.interrupt(folder, is_after=True)
    trial.compare(folder)


def check_each_moment(trial: Trial) -> None:
    """Interrupt a command at the same moments, each time in a new folder, and run it to its end."""
    trial.compare(trial.interrupt_early())
    for is_after in (False, True) if trial.whole.writes else ():
        folder = trial.copy("broken")
        trial.interrupt(folder, is_after=is_after)
        trial.compare(folder)
