"""Examples in docstrings of the Python interface call things by their public names."""

from __future__ import annotations

import re
from typing import Any

from public_names import every_name, public_classes


def setup(app: Any) -> dict[str, bool]:
    """Register the change of docstrings with Sphinx."""
    app.connect("autodoc-process-docstring", rename)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def rename(app: Any, kind: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Write ``sim.aggregate(...)`` where an example of ``similitude.aggregate`` has the name of its function."""
    lines[:] = public_lines(lines, name)


def public_lines(lines: list[str], name: str) -> list[str]:
    """The lines of a docstring with public names in its examples.

    >>> public_lines(["text of run(...)", ">>> aggregate_judgements(x)"], "similitude.aggregate")
    ['text of run(...)', '>>> sim.aggregate(x)']
    """
    paths = dict(public_classes())
    for each in every_name():
        if each.path == name.replace("similitude.", "sim.", 1) and not each.is_class:
            paths[getattr(each.documented, "__name__", each.name)] = each.path
    internal = re.compile(rf"(?<![\w.\"'])({'|'.join(map(re.escape, paths))})(?=[(.])")
    shown = re.compile(r"\s*(>>>|\.\.\.) ")
    return [internal.sub(lambda found: paths[found[1]], line) if shown.match(line) else line for line in lines]
