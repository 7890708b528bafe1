"""The style sheet of charts: that of the report's figures, in the colours of our pages."""

from __future__ import annotations

import re
from functools import cache

from similitude.drawing.stylesheet import FIGURES, css, schemes

__all__ = ["figure_style"]


@cache
def figure_style(own: str) -> str:
    """The rules of figures, and those of their colours that our own style sheet does not define.

    Args:
        own: the style sheet of the pages, whose colours of the same names win.
    """
    named = set(re.findall(r"--([\w-]+):", own))
    light, dark = (_variables(scheme, named) for scheme in schemes())
    return f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n{css(FIGURES)}"


def _variables(scheme: dict[str, str], named: set[str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in scheme.items() if name not in named)
