"""From what a page holds to one HTML file with everything in it."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

__all__ = ["render"]


def render(template: str, page: object) -> str:
    """One HTML page: no other file, no request to anywhere, readable without JavaScript."""
    style, script = (_asset(name) for name in ("page.css", "page.js"))
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return _environment().get_template(template).render(page=page, style=style, script=script, policy=policy)


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _asset(name: str) -> Markup:
    """Our own style sheet or script, to stand in the page as it is."""
    return Markup(files(__package__).joinpath("templates", name).read_text(encoding="utf-8"))


def _hash(content: str) -> str:
    """What the page's policy knows its own style sheet and script by; it lets in no other."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
