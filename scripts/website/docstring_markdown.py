"""Docstrings in Google style as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

SECTION = re.compile(r"^(Args|Arguments|Attributes|Raises|Returns|Yields|References?|Example|Examples|Note):[ ]*$")
EXAMPLE = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.DOTALL | re.MULTILINE)
ENTRY = re.compile(r"^([\w*, ]+): (.*)$")


def docstring_markdown(text: str) -> str:
    r"""The text of a docstring without its examples, which call things by their internal names.

    >>> print(docstring_markdown("Say ``a``.\n\nArgs:\n    model: the folder,\n        or a name.\n\n>>> 1\n1"))
    Say `a`.
    <BLANKLINE>
    **Args**
    <BLANKLINE>
    - `model`: the folder, or a name.
    """
    return "\n\n".join(_blocks(text.replace("``", "`"))).strip()


def _blocks(text: str) -> Iterator[str]:
    for block in re.split(r"\n\s*\n", EXAMPLE.sub("", text)):
        first, _, rest = block.partition("\n")
        if section := SECTION.match(first):
            yield f"**{section[1]}**"
            yield "\n".join(_entries(rest))
        elif block.strip():
            yield block


def _entries(text: str) -> Iterator[str]:
    """The entries of a section, each on a line of its own."""
    entries: list[str] = []
    for line in text.splitlines():
        if line.startswith("     ") and entries:
            entries[-1] += f" {line.strip()}"
        else:
            entries.append(line.strip())
    for entry in entries:
        named = ENTRY.match(entry)
        yield f"- `{named[1]}`: {named[2]}" if named else f"- {entry}"
