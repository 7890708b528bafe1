"""Commands in documents, with what they print: run in order, in one folder for each document.

A block ``console`` holds commands after ``$`` and, below each, what it prints; ``...`` stands for anything. A comment
``<!-- file: NAME -->`` before a block says that the block is a file in that folder.
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
COMMAND = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)


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
    def words(self) -> list[str]:
        """The words of the command, without the name of the program."""
        program, *words = shlex.split(self.line.replace("\\\n", " "))
        if program != "similitude":
            raise ValueError(f"{self.line!r} starts another program than similitude")
        return words


def steps(text: str) -> Iterator[File | Command]:
    """The files and commands of a document, in order."""
    for part in PART.finditer(text):
        if part["name"]:
            yield File(part["name"], part["text"])
        else:
            yield from (Command(found["command"], found["output"]) for found in COMMAND.finditer(part["block"]))


def with_outputs(text: str, outputs: Iterator[str]) -> str:
    """The document with other outputs, one for each command."""

    def block(part: re.Match[str]) -> str:
        if part["name"]:
            return part[0]
        filled = COMMAND.sub(lambda found: f"$ {found['command']}\n{next(outputs)}", part["block"])
        return f"```console\n{filled}```"

    return PART.sub(block, text)
