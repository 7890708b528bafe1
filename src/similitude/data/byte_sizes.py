"""Sizes in bytes, as people write them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from similitude.errors import ArgumentError

__all__ = ["shown_size", "size_in"]

SIZE = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*$", re.IGNORECASE)
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def size_in(environment: Mapping[str, str], variable: str) -> int | None:
    """The size that an environment variable gives; None if it is not set.

    Raises:
        ArgumentError: it is not a size.

    >>> size_in({"SIMILITUDE_MEMORY": "1.5 GB"}, "SIMILITUDE_MEMORY")
    1500000000
    """
    written = environment.get(variable, "").strip()
    if not written:
        return None
    size = SIZE.match(written)
    if size is None:
        raise ArgumentError(f"cannot read {variable}='{written}'", remedy="give a size such as 500MB or 5GB")
    return int(float(size[1]) * UNITS[size[2].lower()])


def shown_size(size: float) -> str:
    """A size for messages.

    >>> shown_size(1_234_000_000), shown_size(999), shown_size(80_000)
    ('1.2 GB', '999 bytes', '80.0 kB')
    """
    for unit, name in (("t", "TB"), ("g", "GB"), ("m", "MB"), ("k", "kB")):
        if size >= UNITS[unit]:
            return f"{size / UNITS[unit]:.1f} {name}"
    return f"{size:.0f} bytes"
