"""Commands in documents, with what they print: run in order, in one folder for each document.

A block ``console`` holds commands after ``$`` and, below each, what it prints; ``...`` stands for anything. A block
``sh``, or one without a name whose first line starts one of `PROGRAMS`, holds a command in each line and no output. A
comment ``<!-- file: NAME -->`` before a block says that the block is a file in that folder.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import NamedTuple

PART = re.compile(
    r"<!-- file: (?P<name>\S+) -->\n```\w*\n(?P<text>.*?)^```$|^```console\n(?P<block>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
PROGRAMS = frozenset(
    (
        "similitude",
        "make",
        "pip",
        "git",
        "uv",
        "python",
        "ray",
        "accelerate",
        "podman",
        "apt-get",
        "useradd",
        "sudo",
        "systemctl",
    )
)
"""What a line of a block without a name must start with for the block to be one of commands."""
BLOCK = re.compile(
    r"<!-- file: (?P<name>\S+) -->\n```\w*\n(?P<text>.*?)^```$|^```(?P<language>\w*)\n(?P<block>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
LINE = re.compile(r"^(?P<command>\S(?:.*\\\n)*.*)$", re.MULTILINE)
COMMAND = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)


_STARTS = [[program] for program in PROGRAMS]


class File(NamedTuple):
    """A file that the commands after it find in their folder."""

    name: str
    text: str


class Command(NamedTuple):
    """A command and what it prints.

    Attributes:
        line: as it stands in the document.
        output: likewise.
    """

    line: str
    output: str

    @property
    def program(self) -> str:
        """What it starts."""
        return self._all[0]

    @property
    def words(self) -> list[str]:
        """The words of the command, without the name of the program and without a comment."""
        return self._all[1:]

    @property
    def _all(self) -> list[str]:
        return shlex.split(self.line.replace("\\\n", " "), comments=True)


def steps(text: str) -> Iterator[File | Command]:
    """The files and commands of a document, in order."""
    for part in PART.finditer(text):
        if part["name"]:
            yield File(part["name"], part["text"])
        else:
            yield from (Command(found["command"], found["output"]) for found in COMMAND.finditer(part["block"]))


def shell_steps(text: str) -> Iterator[File | Command]:
    """The files and commands of a document, in order, those included that show no output."""
    for part in BLOCK.finditer(text):
        if part["name"]:
            yield File(part["name"], part["text"])
        elif part["language"] == "console":
            yield from (Command(found["command"], found["output"]) for found in COMMAND.finditer(part["block"]))
        elif part["language"] == "sh" or (not part["language"] and part["block"].split(maxsplit=1)[:1] in _STARTS):
            yield from (Command(found["command"], "") for found in LINE.finditer(part["block"]))


def with_outputs(text: str, outputs: Iterator[str]) -> str:
    """The document with other outputs, one for each command."""

    def block(part: re.Match[str]) -> str:
        if part["name"]:
            return part[0]
        filled = COMMAND.sub(lambda found: f"$ {found['command']}\n{next(outputs)}", part["block"])
        return f"```console\n{filled}```"

    return PART.sub(block, text)
