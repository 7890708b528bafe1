"""From the text of a filter to its condition.

::

    condition  = all ("or" all)*
    all        = one ("and" one)*
    one        = "not" one | "(" condition ")" | comparison
    comparison = operand (sign operand)*          a chain, as in 0.1 <= cosine <= 0.7; alone: it is not 0
    operand    = number | 'name' | feature, column or system, with arguments
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from similitude.collect.candidates.features import Feature
from similitude.collect.candidates.filters.condition import MIRRORED, Comparison, Condition, Joined, Not, Sign
from similitude.collect.candidates.filters.lexer import FilterText, Token
from similitude.collect.candidates.filters.names import Names
from similitude.errors import SimilitudeError

__all__ = ["parse_condition"]

Operand = Feature | float | str
MOST_BRACKETS = 50


def parse_condition(text: str, names: Names) -> Condition:
    """The condition that a filter states.

    Raises:
        ArgumentError: it cannot be read, or can never hold; the message has the place.
        UnknownNameError: a name means nothing; the message suggests the nearest.

    >>> print(parse_condition("0.1 <= length_ratio < 0.7 and not same(source)", Names()))
    (length_ratio >= 0.1 and length_ratio < 0.7) and not (same(source))
    """
    source = FilterText(text)
    return _Parser(source, names, source.tokens()).whole()


@dataclass(slots=True)
class _Parser:
    source: FilterText
    names: Names
    tokens: list[Token]
    at: int = 0
    depth: int = 0
    comparisons: int = field(default=0)

    def whole(self) -> Condition:
        found = self._joined("or")
        if self._now.kind != "end":
            self.source.refuse(f"'{self._now.text}' was not expected", self._now.place)
        return found

    @property
    def _now(self) -> Token:
        return self.tokens[self.at]

    def _take(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def _joined(self, word: str) -> Condition:
        found = [self._joined("and") if word == "or" else self._one()]
        while self._now.kind == word:
            self._take()
            found.append(self._joined("and") if word == "or" else self._one())
        return found[0] if len(found) == 1 else Joined(word, tuple(found))  # type: ignore[arg-type]

    def _one(self) -> Condition:
        token = self._now
        if token.kind not in ("not", "("):
            return self._chain()
        self._take()
        self.depth += 1
        if self.depth > MOST_BRACKETS:
            self.source.refuse("too many conditions inside each other", token.place, "write several filters")
        found = Not(self._one()) if token.kind == "not" else self._joined("or")
        self.depth -= 1
        if token.kind == "(":
            self._close(token)
        return found

    def _close(self, opened: Token) -> None:
        if self._take().kind != ")":
            self.source.refuse("a bracket opens and never closes", opened.place)

    def _chain(self) -> Condition:
        first = self._take()
        left, links = self._operand(first, None), []
        while self._now.kind == "comparison":
            sign = cast(Sign, self._take().text)
            token = self._take()
            right = self._operand(token, (left, sign))
            links.append(self._comparison(left, sign, right, token))
            left = right
        if not links:
            return self._bare(left, first)
        return links[0] if len(links) == 1 else Joined("and", tuple(links))

    def _operand(self, token: Token, after: tuple[Operand, Sign] | None) -> Operand:
        if token.kind == "number":
            return float(token.text)
        if token.kind == "text":
            return _unquoted(token.text)
        if token.kind != "name":
            found = f"'{token.text}'" if token.text else "nothing"
            self.source.refuse(f"a feature or a value was expected, not {found},", token.place)
        if token.text.lower() in ("true", "false"):
            return float(token.text.lower() == "true")
        return self._named(token, after)

    def _named(self, token: Token, after: tuple[Operand, Sign] | None) -> Operand:
        """What a name means; after == a word that is nothing else is a value, as de in ``language == de``."""
        if after is not None and after[1] in ("==", "!=") and isinstance(after[0], Feature):
            is_word = "(" not in token.text and after[0].kind in ("name", "any")
            if is_word and not self.names.is_column(token.text):
                return token.text
        try:
            return self.names.feature(token.text)
        except SimilitudeError as error:
            error.where = f"{self.source.where}, character {token.place + 1}"
            raise

    def _bare(self, operand: Operand, token: Token) -> Condition:
        if not isinstance(operand, Feature) or operand.kind not in ("truth", "any"):
            self.source.refuse(f"'{token.text}' is compared with nothing", token.place)
        return self._numbered(operand, "!=", 0.0, is_bare=True)

    def _comparison(self, left: Operand, sign: Sign, right: Operand, token: Token) -> Comparison:
        if not isinstance(left, Feature):
            if not isinstance(right, Feature):
                self.source.refuse("two values are compared, and no feature", token.place)
            left, sign, right = right, MIRRORED[sign], left
        self._refuse_kinds(left, sign, right, token)
        if isinstance(right, float):
            self._refuse_decided(left, sign, right, token)
        return self._numbered(left, sign, right)

    def _numbered(self, feature: Feature, sign: Sign, border: Operand, *, is_bare: bool = False) -> Comparison:
        self.comparisons += 1
        return Comparison(feature, sign, border, self.comparisons - 1, is_bare)

    def _refuse_kinds(self, feature: Feature, sign: Sign, border: Operand, token: Token) -> None:
        kind = border.kind if isinstance(border, Feature) else "name" if isinstance(border, str) else "number"
        if feature.kind == "name" and sign not in ("==", "!="):
            what = f"{feature} has names, which are the same or not, so '{sign}' means nothing"
            self.source.refuse(what, token.place, "compare names by == or !=")
        if kind == "name" and feature.kind in ("number", "truth"):
            self.source.refuse(
                f"{feature} is a number and {token.text} is none", token.place, "compare it with a number"
            )

    def _refuse_decided(self, feature: Feature, sign: Sign, border: float, token: Token) -> None:
        """Refuse what no value of the feature can change; scores of systems may lie outside their range."""
        low, high = feature.low, feature.high
        held = {
            "<": (low < border, high < border),
            "<=": (low <= border, high <= border),
            ">": (high > border, low > border),
            ">=": (high >= border, low >= border),
            "==": (low <= border <= high, False),
            "!=": (True, not low <= border <= high),
        }
        sometimes, always = held[sign]
        if always or not sometimes:
            what = (
                f"{feature} lies in {low:g}..{high:g}, so '{sign} {border:g}' {'always' if always else 'never'} holds"
            )
            self.source.refuse(what, token.place, "give a border inside the range")


def _unquoted(text: str) -> str:
    body = text[1:-1]
    return body.replace(f"\\{text[0]}", text[0]).replace("\\\\", "\\")
