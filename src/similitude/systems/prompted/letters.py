"""Reading a letter off what a language model said."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

__all__ = ["read_letter"]

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FIRST = re.compile(r"^\W*([A-Za-z])(?![^\W\d_]|['’])\W*(?:$|[.):,\n-])")
_ANNOUNCED = re.compile(
    r"(?:answer|option|choice|antwort|möglichkeit|wahl|答案|选项|选择)[\s\"'*:]*(?:is|ist|lautet|是|为)?[\s\"'*:(]*"
    r"([A-Za-z])(?![^\W\d_])",
    re.IGNORECASE,
)
_STANDING = re.compile(r"(?<![^\W\d_])([A-Z])(?=[.):]|\s*$)")


def read_letter(answer: str, options: Sequence[str]) -> int | None:
    """Which option an answer names: its place, or None.

    In this order: a letter that opens the answer (``B``, ``(b)``, ``B. ...``); one that is announced (``the answer is
    B``); the text of exactly one option, written out; the only capital letter that stands before a mark or at the end.

    >>> read_letter("**B**", ["a cat", "a dog"]), read_letter("A dog", ["a cat", "a dog"]), read_letter("?", ["x", "y"])
    (1, 1, None)
    """
    text = unicodedata.normalize("NFKC", _THOUGHT.sub(" ", answer)).strip()
    for found in (_FIRST.match(text), _ANNOUNCED.search(text)):
        if found and (place := _place(found[1], len(options))) is not None:
            return place
    written = [place for place, option in enumerate(options) if _plain(option) and _plain(option) in _plain(text)]
    if len(written) == 1:
        return written[0]
    standing = {_place(letter, len(options)) for letter in _STANDING.findall(text)} - {None}
    return standing.pop() if len(standing) == 1 else None


def _place(letter: str, options: int) -> int | None:
    place = ord(letter.upper()) - ord("A")
    return place if 0 <= place < options else None


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", text.casefold()).split())
