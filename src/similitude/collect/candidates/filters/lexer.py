"""From the text of a filter to its tokens, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NoReturn

from similitude.errors import ArgumentError

__all__ = ["FilterText", "Token"]

TokenKind = Literal["number", "text", "name", "comparison", "and", "or", "not", "(", ")", "end"]

_PATTERN = re.compile(
    r"""(?P<comparison><=|>=|==|!=|<|>|=)
    |(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w./:+-]))
    |(?P<text>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")
    |(?P<name>[\w./~][\w./~:+@-]*)
    |(?P<open>\()
    |(?P<close>\))""",
    re.VERBOSE,
)
_WORDS: dict[str, TokenKind] = {"and": "and", "or": "or", "not": "not"}
_INSIDE = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[()]|.""", re.DOTALL)

WAYS = "write name, comparison, value, as in iou <= 0.12, or 0.1 <= cosine <= 0.7; join them by and, or, not"


@dataclass(frozen=True, slots=True)
class Token:
    """A token.

    Attributes:
        kind: what it is.
        text: as it is written; a name has its arguments.
        place: its first character, from 0.
    """

    kind: TokenKind
    text: str
    place: int


@dataclass(frozen=True, slots=True)
class FilterText:
    """A filter as a user wrote it."""

    text: str

    def refuse(self, what: str, place: int, remedy: str = WAYS) -> NoReturn:
        """Say what is wrong at which character, counted from 1.

        Raises:
            ArgumentError: always.
        """
        raise ArgumentError(f"{what} at character {place + 1}", where=self.where, remedy=remedy)

    @property
    def where(self) -> str:
        """Which filter it is."""
        return f"filter '{self.text}'"

    def tokens(self) -> list[Token]:
        """The tokens, an end included.

        Raises:
            ArgumentError: something is no token.
        """
        found, place = [], 0
        while (place := self._next(place)) < len(self.text):
            token = self._token(place)
            found.append(token)
            place += len(token.text)
        return [*found, Token("end", "", place)]

    def _next(self, place: int) -> int:
        """The next character that is no blank."""
        rest = self.text[place:]
        return place + len(rest) - len(rest.lstrip())

    def _token(self, place: int) -> Token:
        match = _PATTERN.match(self.text, place)
        if match is None:
            self.refuse(f"'{self.text[place]}' has no meaning", place)
        text = match[0]
        kind = match.lastgroup
        if kind == "name":
            return self._name(text, place)
        if text == "=":
            self.refuse("'=' compares nothing", place, "write == for the same, or >= and <= with the sign first")
        if kind in ("open", "close"):
            return Token("(" if kind == "open" else ")", text, place)
        return Token(kind, text, place)  # type: ignore[arg-type]

    def _name(self, text: str, place: int) -> Token:
        """A word of the language, or a name with the arguments between the brackets that follow it at once."""
        if text.lower() in _WORDS:
            return Token(_WORDS[text.lower()], text, place)
        end = place + len(text)
        if self.text[end : end + 1] != "(":
            return Token("name", text, place)
        return Token("name", self.text[place : self._end_of_brackets(end)], place)

    def _end_of_brackets(self, place: int) -> int:
        depth, end = 0, place
        for part in _INSIDE.finditer(self.text, place):
            depth, end = depth + {"(": 1, ")": -1}.get(part[0], 0), part.end()
            if depth == 0:
                break
        if depth:
            self.refuse("a bracket opens and never closes", place)
        return end
