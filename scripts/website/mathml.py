"""Formulas as MathML, set while the site is built: browsers show them without a script, a font or a network."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.errors import ExtensionError

ACCENT = re.compile(r"\\(?:hat|bar)\{(?:[^{}]|\{[^{}]*\})*\}(?=[_^])")
"""A letter with an accent and an index, which would be set below the letter instead of behind it."""


def setup(app: Any) -> dict[str, bool]:
    """Register the renderer with Sphinx, under the name ``mathml``."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def visit_inline(writer: Any, node: Any) -> None:
    """Write a formula within a line."""
    writer.body.append(_set(node, as_block=False))
    raise nodes.SkipNode


def visit_block(writer: Any, node: Any) -> None:
    """Write a formula that stands by itself; a wide one can be scrolled."""
    writer.body.append(f'<div class="formula" tabindex="0">{_set(node, as_block=True)}</div>')
    raise nodes.SkipNode


def set_formula(latex: str, *, as_block: bool) -> str:
    """A formula as MathML.

    Raises:
        MathError: it cannot be set.
    """
    return str(tex2mathml(ACCENT.sub(r"{\g<0>{}}", latex), as_block=as_block))


def _set(node: Any, *, as_block: bool) -> str:
    try:
        return set_formula(node.astext(), as_block=as_block)
    except MathError as error:
        raise ExtensionError(f"{node.source}: the formula {node.astext()!r} cannot be set: {error}") from error
