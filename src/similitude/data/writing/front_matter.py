"""Front matter: the YAML at the head of a card, which the Hugging Face hub reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["front_matter"]

PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
WORDS = frozenset(("yes", "no", "on", "off", "true", "false", "null", "y", "n"))
"""Words that YAML does not take for text: no is also the code of Norwegian."""


def front_matter(values: Mapping[str, Any]) -> str:
    """The values as YAML between two rules; those that are None or empty are left out.

    >>> print(front_matter({"language": ["de", "no"], "version": "1.0.0", "size": 3, "empty": []}))
    ---
    language:
    - de
    - "no"
    version: "1.0.0"
    size: 3
    ---
    """
    return "\n".join(["---", *_mapping(values, ""), "---"])


def _mapping(values: Mapping[str, Any], indent: str) -> Iterator[str]:
    for name, value in values.items():
        if value is None or (isinstance(value, (list, tuple, dict, str)) and not value):
            continue
        if isinstance(value, Mapping):
            yield f"{indent}{name}:"
            yield from _mapping(value, f"{indent}  ")
        elif isinstance(value, (list, tuple)):
            yield f"{indent}{name}:"
            yield from (line for each in value for line in _entry(each, indent))
        else:
            yield f"{indent}{name}: {_scalar(value)}"


def _entry(value: Any, indent: str) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"{indent}- {_scalar(value)}"
        return
    for place, line in enumerate(_mapping(value, f"{indent}  ")):
        yield f"{indent}- {line[len(indent) + 2 :]}" if place == 0 else line


def _scalar(value: Any) -> str:
    if isinstance(value, str) and PLAIN.fullmatch(value) and value.lower() not in WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)
