"""The renderer of templates. It escapes everything that comes from people or files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from similitude.collect.annotation.tasks import AnnotationTask
from similitude.collect.annotation.text_languages import ENDONYMS, direction, endonym, sides
from similitude.collect.annotation.web.figure_style import figure_style
from similitude.collect.annotation.web.language import LANGUAGES, texts_in
from similitude.collect.annotation.web.markdown import rendered

__all__ = ["STATIC", "reading", "render", "render_block", "static_address", "static_file", "task_template"]

STATIC: Mapping[str, str] = {
    "annotation.css": "text/css; charset=utf-8",
    "annotation.js": "text/javascript; charset=utf-8",
    "figures.css": "text/css; charset=utf-8",
    "mark.svg": "image/svg+xml",
    "upload.js": "text/javascript; charset=utf-8",
}
"""Our style sheet, scripts and icon: the only files that pages load."""
_CODE = re.compile(r"[a-z]{2,3}")


def render(template: str, context: Mapping[str, Any]) -> str:
    """A rendered template; a name that is missing from the context is an error."""
    return _environment().get_template(template).render(context)


def render_block(template: str, block: str, context: Mapping[str, Any]) -> str:
    """One block of a template, without the page around it."""
    found = _environment().get_template(template)
    return "".join(found.blocks[block](found.new_context(dict(context))))


def task_template(task: AnnotationTask) -> Template:
    """A task's own template, which `question.html` includes."""
    return _compiled(task.template)


@lru_cache(maxsize=32)
def _compiled(source: str) -> Template:
    return _environment().from_string(source)


@cache
def static_file(name: str) -> bytes:
    """The content of one of `STATIC`."""
    if name == "figures.css":
        return figure_style(static_file("annotation.css").decode()).encode()
    return files(__package__).joinpath("static", name).read_bytes()


@cache
def static_address(name: str) -> str:
    """The address of one of `STATIC`, with a hash, so that browsers may cache it until it changes."""
    return f"/static/{name}?v={hashlib.sha256(static_file(name)).hexdigest()[:12]}"


def moment(at: datetime | None) -> str:
    """A time as a leader reads it.

    >>> from datetime import UTC
    >>> moment(datetime(2026, 8, 3, 14, 5, tzinfo=UTC)), moment(None)
    ('2026-08-03 14:05 UTC', '–')
    """
    return "–" if at is None else f"{at:%Y-%m-%d %H:%M} UTC"


def number(value: float | None, digits: int = 2) -> str:
    """A number as a leader reads it; a dash where it is undefined.

    >>> number(0.8765), number(float("nan")), number(12.0, 0), number(-0.001)
    ('0.88', '–', '12', '0.00')
    """
    return "–" if value is None or value != value else f"{value:z.{digits}f}"


def reading(tag: str | None, side: Literal["left", "right", "both"]) -> Markup:
    """The attributes of a text: its language and direction; where they are not known, the browser finds the direction.

    >>> reading("ar-en", "left"), reading("ar-en", "right"), reading(None, "left")
    (Markup(' lang="ar" dir="rtl"'), Markup(' lang="en" dir="ltr"'), Markup(' dir="auto"'))
    """
    found = sides(tag)
    code = found.right if side == "right" else found.left
    if code is None or (side == "both" and found.left != found.right) or not _CODE.fullmatch(code):
        return Markup(' dir="auto"')
    return Markup(' lang="{}" dir="{}"').format(code, direction(code))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals |= {
        "static": static_address,
        "language_names": {language: texts_in(language)("language.name") for language in LANGUAGES},
        "reading": reading,
        "endonym": endonym,
        "endonyms": tuple(ENDONYMS.values()),
    }
    environment.filters |= {"markdown": rendered, "moment": moment, "number": number, "endonym": endonym}
    return environment
