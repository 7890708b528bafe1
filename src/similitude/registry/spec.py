"""How a thing is written: ``name``, ``name@cut``, ``name(argument, key=value)`` or ``path/to/file.py:Name``."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from similitude.errors import ArgumentError

__all__ = ["Spec", "parse", "spec_of", "written_value"]

_HEAD = re.compile(
    r"^\s*(?P<name>[^()@,]+?\.py:\w+|[\w./:+-]+?)\s*(?:@\s*(?P<at>\w+))?\s*(?:\((?P<inside>.*)\))?\s*$", re.DOTALL
)
_KEYWORD = re.compile(r"^\s*([A-Za-z_]\w*)\s*=(.*)$", re.DOTALL)
_WORDS: Mapping[str, Any] = {"true": True, "false": False, "none": None}


@dataclasses.dataclass(frozen=True, slots=True)
class Spec:
    """A name with its arguments; ``str(spec)`` writes it back as a user would."""

    name: str
    at: int | str | None = None
    arguments: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __str__(self) -> str:
        cut = "" if self.at is None else f"@{self.at}"
        inside = [written_value(value) for value in self.arguments]
        inside += [f"{key}={written_value(value)}" for key, value in self.keywords.items()]
        return f"{self.name}{cut}({', '.join(inside)})" if inside else f"{self.name}{cut}"


def parse(text: str) -> Spec:
    """Read ``name@cut(argument, key=value)``.

    >>> parse("char-ngram-cosine(n=3)")
    Spec(name='char-ngram-cosine', at=None, arguments=(), keywords={'n': 3})
    >>> str(parse("hmean( pearson,ndcg@10 )"))
    'hmean(pearson, ndcg@10)'
    """
    match = _HEAD.match(text)
    if match is None:
        several = "; give several names one by one" if "," in text else ""
        raise ArgumentError(f"cannot read '{text}'", remedy=f"write name, name@cut or name(key=value, ...){several}")
    arguments: list[Any] = []
    keywords: dict[str, Any] = {}
    for part in _split(match["inside"] or "", whole=text):
        keyword = _KEYWORD.match(part)
        if keyword:
            keywords[keyword[1]] = _value(keyword[2])
        else:
            arguments.append(_value(part))
    at = match["at"]
    return Spec(match["name"], int(at) if at and at.isdigit() else at, tuple(arguments), keywords)


def spec_of(thing: Any, name: str) -> Spec:
    """The spec that rebuilds a dataclass registered under ``name``: only what differs from the defaults."""
    keywords = {
        field.name: getattr(thing, field.name)
        for field in dataclasses.fields(thing)
        if field.init and field.repr and getattr(thing, field.name) != field.default
    }
    return Spec(name, None, (), keywords)


_TOKEN = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|.""", re.DOTALL)
_DEPTH = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def _split(inside: str, *, whole: str) -> list[str]:
    """Parts between commas that stand outside any bracket or quotes."""
    parts, depth = [""], 0
    for token in _TOKEN.findall(inside):
        depth += _DEPTH.get(token, 0)
        if depth < 0 or token in ("'", '"'):
            raise ArgumentError(f"cannot read '{whole}'", remedy="brackets or quotes do not match")
        if token == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += token
    if depth != 0:
        raise ArgumentError(f"cannot read '{whole}'", remedy="brackets or quotes do not match")
    return [part.strip() for part in parts if part.strip()]


def _value(text: str) -> Any:
    """A number, a quoted text, true, false, none; anything else is taken as plain text."""
    text = text.strip()
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def written_value(value: Any) -> str:
    """A value as a user would write it between brackets."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return repr(value) if isinstance(value, str) and not _reads_back(value) else str(value)


def _reads_back(text: str) -> bool:
    """Whether a text can stand without quotes."""
    try:
        return parse(f"x({text})").arguments == (text,)
    except ArgumentError:
        return False
