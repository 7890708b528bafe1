"""Slugs: the names of studies in addresses, which are the names of their folders."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

from similitude.errors import ArgumentError

__all__ = ["check_slug", "free_slug", "is_slug"]

LONGEST = 50
SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,49}")
REMEDY = f"use at most {LONGEST} of a-z, 0-9, - and _, beginning with a letter or a digit"


def is_slug(name: str) -> bool:
    """Whether a name can stand in an address, as a folder and as a schema.

    >>> [is_slug(name) for name in ("replies-2026", "Replies", "..", "a/b", "")]
    [True, False, False, False, False]
    """
    return SLUG.fullmatch(name) is not None


def check_slug(name: str) -> str:
    """The name, if it is a slug.

    Raises:
        ArgumentError: it is not.
    """
    if not is_slug(name):
        raise ArgumentError(f"'{name[:60]}' cannot be the name of a study's folder", remedy=REMEDY)
    return name


def free_slug(title: str, taken: Container[str] = ()) -> str:
    """A slug made of a title, which no other study has.

    >>> free_slug("Größe & Ähnlichkeit!"), free_slug("Replies", {"replies"}), free_slug("接近")
    ('grosse-ahnlichkeit', 'replies-2', 'study')
    """
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    base = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[: LONGEST - 5].strip("-") or "study"
    number = 1
    while (slug := base if number == 1 else f"{base}-{number}") in taken:
        number += 1
    return slug
