"""Executed notebooks as pages: their text, their code, and what it showed when the notebook was last run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ANSI = re.compile(r"\x1b\[[0-9;]*m")


def notebook_page(path: Path, download: str) -> str:
    """A notebook as Markdown that Sphinx reads.

    Args:
        path: of the notebook.
        download: the archive with the notebook and the files that it reads, as seen from the page.
    """
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    title, *others = [part for cell in cells for part in _parts(cell)]
    head, _, rest = title.partition("\n")
    return "\n\n".join([head, _note(path.name, download), rest.strip(), *others]) + "\n"


def _note(name: str, download: str) -> str:
    return (
        ":::{admonition} Run it yourself\n:class: tip\n\n"
        f"{{download}}`Download this tutorial <{download}>`: the notebook `{name}` and the files that it "
        "reads. Unpack it in an empty folder and open the notebook there.\n:::"
    )


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    """A cell, then what it showed."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield _code(source)
    yield from map(_output, cell["outputs"])


def _code(source: str) -> str:
    """A cell of code; one that runs commands alone is shown as such."""
    lines = source.splitlines()
    if all(line.startswith("!") for line in lines):
        return _fenced("\n".join(f"$ {line[1:]}" for line in lines), "console")
    if lines and lines[0].startswith("%%writefile "):
        name = lines[0].removeprefix("%%writefile ")
        language = name.rpartition(".")[2].replace("py", "python")
        return f"````{{code-block}} {language}\n:caption: {name}\n\n" + "\n".join(lines[1:]) + "\n````"
    return _fenced(source, "python")


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if "text/html" in data:
        html = "".join(data["text/html"])
        return f'````{{raw}} html\n<div class="shown" role="region" aria-label="output" tabindex="0">{html}</div>\n````'
    text = "".join(output.get("text") or data["text/plain"])
    return f"````{{code-block}} text\n:class: shown-text\n\n{ANSI.sub('', text).rstrip()}\n````"


def _fenced(text: str, language: str) -> str:
    return f"````{language}\n{text}\n````"
