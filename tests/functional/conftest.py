import io
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest


@pytest.fixture
def program(tmp_path: Path):
    """The command line as a program of its own in an empty folder, for what this process cannot show."""

    cache = str(tmp_path.parent / f"{tmp_path.name}-cache")

    def call(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"PYTHONWARNINGS": "error", "NO_COLOR": "1", "SIMILITUDE_CACHE": cache}
        command = [sys.executable, "-m", "similitude", *map(str, arguments)]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, env=environment, timeout=600, **options
        )

    return call


@pytest.fixture
def similitude(tmp_path: Path, monkeypatch, capsys):
    """The command line in an empty folder, in this process: starting another one takes a second."""
    from similitude.cli import main

    cache = str(tmp_path.parent / f"{tmp_path.name}-cache")

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setenv("SIMILITUDE_CACHE", cache)
        monkeypatch.setattr(sys, "argv", ["similitude", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        return subprocess.CompletedProcess(sys.argv, end.value.code or 0, *capsys.readouterr())

    return call


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """A small file of pairs on 0..5."""
    rows = [
        ("A man plays a guitar.", "A man is playing the guitar.", 4.8),
        ("A dog runs in the park.", "A cat sleeps on the sofa.", 0.6),
        ("The meeting was moved to Monday.", "They postponed the meeting until Monday.", 4.4),
        ("Prices rose by two percent.", "Prices rose by ten percent.", 2.9),
        ("She reads a book.", "He repairs a car.", 0.2),
        ("Die Sonne scheint.", "Heute scheint die Sonne.", 4.1),
        ("Ich mag Tee.", "Ich trinke gern Kaffee.", 2.2),
        ("He lives in Berlin.", "He moved away from Berlin.", 2.0),
    ]
    path = tmp_path / "pairs.csv"
    path.write_text("sentence1,sentence2,score\n" + "".join(f'"{a}","{b}",{s}\n' for a, b, s in rows), encoding="utf-8")
    return path


class Told(NamedTuple):
    out: str
    err: str


class Ran(NamedTuple):
    stdout: str
    stderr: str
    exit_code: int


class Keyboard(io.StringIO):
    """A terminal at which this was typed."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def run_command(monkeypatch, capsys):
    """One command in this process; what the user can mend is raised."""
    from similitude.cli.app import run

    def call(*arguments: object, typed: str = "", at_terminal: bool = False) -> Ran:
        monkeypatch.setattr(sys, "stdin", Keyboard(typed) if at_terminal else io.StringIO(typed))
        capsys.readouterr()
        code = run([str(one) for one in arguments])
        return Ran(*capsys.readouterr(), code)

    return call


@pytest.fixture
def here(tmp_path, monkeypatch, capsys):
    """The command line in this process, since starting another one that imports torch takes seconds."""
    from similitude.cli import main

    def call(*arguments, code: int = 0) -> Told:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setattr(sys, "argv", ["similitude", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        told = Told(*capsys.readouterr())
        assert end.value.code == code, told.err
        assert "Traceback" not in told.err
        return told

    return call
