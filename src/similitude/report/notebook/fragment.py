"""Blocks of a page as a fragment for a notebook: with its own scoped style, safe beside others of its kind.

The rules of the page are nested in a class that is named after their hash, so that they touch nothing else, and outputs
of two versions do not disturb each other. The fragment has no ids and needs no script: that only adds sorting.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from markupsafe import Markup

from similitude.drawing.stylesheet import FIGURES, compact, css, schemes
from similitude.report.page.sheet import Block, Fold, Option, Options, asset, blocks_html
from similitude.report.tables import Table

__all__ = ["fragment"]

DARK = (
    'body[data-jp-theme-light="false"]',
    ".vscode-dark",
    ".vscode-high-contrast:not(.vscode-high-contrast-light)",
    'html[theme="dark"]',
    ".dark",
    ".quarto-dark",
)
LIGHT = (
    'body[data-jp-theme-light="true"]',
    ".vscode-light",
    ".vscode-high-contrast-light",
    'html[theme="light"]',
    ".light",
    ".quarto-light",
)
"""How JupyterLab, VS Code, Colab, marimo and Quarto mark their themes. Elsewhere the reader's own scheme counts."""

HOST_GROUND = ("--jp-layout-color0", "--vscode-editor-background")
"""The ground that JupyterLab and VS Code lay below outputs."""


def fragment(blocks: Iterable[Block]) -> str:
    """The blocks as HTML that a notebook can show."""
    html = blocks_html(map(_without_ids, blocks))
    scope, style = _scoped(has_tables="<table" in html, has_figures="<svg" in html)
    script = _script(scope) if 'class="sortable"' in html else ""
    return f'<div class="{scope}"><style>{style}</style>\n{_packed(html)}{script}</div>'


def _without_ids(block: Block) -> Block:
    """The block with nameless tables: ids must be unique in a document, and a notebook is one."""
    if isinstance(block, Table):
        return replace(block, name="")
    if isinstance(block, Fold):
        return replace(block, blocks=tuple(map(_without_ids, block.blocks)))
    if isinstance(block, Options):
        chosen = (Option(one.name, tuple(map(_without_ids, one.blocks))) for one in block.options)
        return replace(block, options=tuple(chosen))
    return block


def _packed(html: str) -> str:
    """The HTML without empty lines between elements."""
    return re.sub(r">\s*\n\s*<", ">\n<", html)


@cache
def _scoped(*, has_tables: bool, has_figures: bool) -> tuple[str, str]:
    """The name of a class, and rules that apply inside it only."""
    names = ["blocks.css", *(["tables.css"] if has_tables else []), *(["panels.css"] if has_figures else [])]
    rules = "".join((*map(asset, names), css(FIGURES) if has_figures else "", asset("notebook.css")))
    written = compact(f"{_colours()} {rules}")
    scope = f"similitude-{hashlib.sha256(written.encode()).hexdigest()[:8]}"
    inside = f".{scope}.{scope}"  # twice, to outweigh the rules of the notebook
    return scope, f"{inside}{{{written}}}{_theme(DARK, inside, 'dark')}{_theme(LIGHT, inside, 'light')}"


def _theme(hosts: Iterable[str], inside: str, scheme: str) -> str:
    return f"{','.join(f'{host} {inside}' for host in hosts)}{{color-scheme:{scheme}}}"


def _colours() -> str:
    """The colours of both schemes as variables."""
    light, dark = schemes()
    both = {name: f"light-dark({value}, {dark[name]})" for name, value in light.items()}
    for host in HOST_GROUND:
        both["ground"] = f"var({host}, {both['ground']})"
    return " ".join(f"--{name}: {value};" for name, value in both.items())


def _script(scope: str) -> Markup:
    lines = f"{asset('sortable.js')}{asset('notebook.js')}".replace("SCOPE", scope)
    return Markup(f"<script>(() => {{\n{''.join(_code(lines))}}})();</script>")


def _code(script: str) -> Iterator[str]:
    """The lines of a script without comments."""
    for line in script.splitlines():
        if line.strip() and not line.lstrip().startswith("//"):
            yield f"{line}\n"
