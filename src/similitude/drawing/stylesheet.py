"""The style of figures: CSS rules for their classes, and the colours of the light and the dark scheme."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

__all__ = ["COLOURS", "FIGURES", "compact", "css", "light_colours", "light_figures", "schemes"]

COLOURS, FIGURES = "colours.css", "figures.css"


@cache
def css(name: str) -> str:
    """One of our style sheets: `COLOURS` or `FIGURES`."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def schemes() -> tuple[dict[str, str], dict[str, str]]:
    """The colours of the light scheme and of the dark one, by name."""
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
        for block in re.findall(r":root \{(.*?)\}", css(COLOURS), re.DOTALL)
    )
    return light, dark


def light_colours(rules: str) -> str:
    """Rules with the colours of the light scheme, for programs that know no variables."""
    return re.sub(r"var\(--([\w-]+)\)", lambda found: schemes()[0][found[1]], rules)


@cache
def light_figures() -> str:
    """The style of a figure that stands alone."""
    return compact(f"svg {{ font-family: sans-serif; }} {light_colours(css(FIGURES))}")


def compact(rules: str) -> str:
    """Rules without the blanks that only people need.

    >>> compact("th, td { color: red; margin: 0 1px; }")
    'th,td{color:red;margin:0 1px}'
    """
    short = re.sub(r"\s*([{};,])\s*", r"\1", re.sub(r"\s+", " ", rules))
    return re.sub(r": ", ":", short).replace(";}", "}").strip()
