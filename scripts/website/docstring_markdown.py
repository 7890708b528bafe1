"""Docstrings in Google style as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

SECTION = re.compile(r"^(Args|Arguments|Attributes|Raises|Returns|Yields|References?|Example|Examples|Note):[ ]*$")
ENTRY = re.compile(r"^([\w*, ]+): (.*)$")


def docstring_markdown(text: str) -> str:
    """The text of a docstring, without the marks of reStructuredText.

    >>> print(docstring_markdown("Say ``a``.\\n\\nArgs:\\n    model: the folder,\\n        or a name."))
    Say `a`.
    <BLANKLINE>
    **Args**
    <BLANKLINE>
    - `model`: the folder, or a name.
    """
    return "\n\n".join(_blocks(text.replace("``", "`"))).strip()


def _blocks(text: str) -> Iterator[str]:
    for block in _with_code(re.split(r"\n\s*\n", text)):
        first, _, rest = block.partition("\n")
        if block.startswith(">>> "):
            yield f"```python\n{block}\n```"
        elif section := SECTION.match(first):
            yield f"**{section[1]}**"
            yield "\n".join(_entries(rest))
        else:
            yield block


def _with_code(blocks: list[str]) -> Iterator[str]:
    """Paragraphs; an example that begins within one is a block of its own."""
    for block in blocks:
        before, mark, code = block.partition(">>> ") if not block.startswith("    ") else (block, "", "")
        if before.strip():
            yield before.strip("\n")
        if mark:
            yield mark + code


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
