"""Named types: numbers, dates, times, money, percentages, addresses, names and acronyms in texts, found by patterns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import polars as pl

from similitude.collect.candidates.features.bags import listed_words
from similitude.collect.candidates.features.catalogue import FEATURES
from similitude.collect.candidates.features.described_pairs import DescribedPairs
from similitude.collect.candidates.features.feature import Feature, Numbers
from similitude.collect.candidates.features.lengths import ratio
from similitude.collect.candidates.features.sides import OneNumber, Side
from similitude.collect.candidates.features.text_properties import TextProperty
from similitude.registry import Spec

__all__ = ["NAMED_TYPES", "Mentions", "NamedType", "Shared", "mentions"]

NamedType = Literal[
    "numbers", "dates", "times", "money", "percentages", "urls", "emails", "handles", "names", "acronyms"
]

_MONTH = (
    r"(?:jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|février|mar(?:ch|s)?|märz|apr(?:il)?|avril|mai|may|june?|juni|juin|"
    r"july?|juli|juillet|aug(?:ust)?|août|sept?(?:ember)?|septembre|o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|"
    r"de[cz](?:ember)?|décembre)"
)
_AMOUNT = r"\d+(?:[.,' ]\d{3})*(?:[.,]\d+)?"
_CURRENCY = r"(?:[$€£¥₹₽¢]|(?:US|A|C)\$|\b(?:USD|EUR|GBP|CHF|JPY|CNY|RMB)\b)"
_CAPITALISED = r"\p{Lu}[\p{L}\p{M}'’\-]*"
_UNIT = r"(?:dollars?|euros?|pounds?|francs?|yen|yuan|cents?|pfund|franken)\b"

NAMED_TYPES: Mapping[NamedType, str] = {
    "numbers": r"\d+(?:[.,:/]\d+)*",
    "dates": (
        r"(?i)\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\d{4}年(?:\d{1,2}月)?(?:\d{1,2}日)?|"
        rf"\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s+{_MONTH}\b\.?(?:,?\s+\d{{4}}\b)?|"
        rf"\b{_MONTH}\.?\s+\d{{1,4}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}}\b)?"
    ),
    "times": r"(?i)\b\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\b)?|\b\d{1,2}\s*[ap]\.?m\b|\b\d{1,2}\s+(?:uhr|o'clock)\b",
    "money": rf"(?i){_CURRENCY}\s*{_AMOUNT}|{_AMOUNT}\s*(?:{_CURRENCY}|{_UNIT})",
    "percentages": rf"(?i){_AMOUNT}\s*(?:%|percent\b|per cent\b|prozent\b)",
    "urls": r"(?i)\bhttps?://[^\s<>\"]+|\bwww\.[^\s<>\"]+",
    "emails": r"(?i)\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "handles": r"(?:^|[^\w])[@#]\w+",
    "names": rf"{_CAPITALISED}(?:\s+(?:(?:of|the|de|von|van|du|di)\s+)?{_CAPITALISED})*",
    "acronyms": r"\b\p{Lu}(?:\p{Lu}|\d|\.\p{Lu}){1,5}\b",
}
"""Patterns by type; a name is a run of capitalised words that does not begin a sentence."""

_SENTENCE_START = rf"(?:^|[.!?:]\s+)[\"'„“‘«(\[]*{_CAPITALISED}"


def mentions(frame: pl.DataFrame, kind: str) -> pl.DataFrame:
    """What each text mentions of a type, as it is written."""
    return listed_words(_found(frame, kind))


def mention_counts(frame: pl.DataFrame, kind: str) -> pl.Series:
    """How often each text mentions something of a type."""
    return _found(frame, kind).list.len().cast(pl.Int64)


def _found(frame: pl.DataFrame, kind: str) -> pl.Series:
    texts = frame["text"].fill_null("")
    if kind == "names":
        # The first word of a sentence is capitalised anyway; a lower-case letter keeps what follows apart from it.
        texts = texts.str.replace_all(_SENTENCE_START, " x ")
    found = texts.str.extract_all(NAMED_TYPES[kind])  # type: ignore[index]
    return found.list.eval(pl.element().str.strip_chars())


@dataclass(frozen=True, repr=False)
class Mentions(OneNumber):
    """How often a text mentions something of a type, found by patterns: ``dates >= 1``, ``numbers(of=difference) > 0``.

    Patterns miss what is written in words ("twelve") and take every capitalised word inside a sentence for a name,
    which German nouns are not.
    """

    type: NamedType = "numbers"

    name: ClassVar[str] = "mentions"

    @property
    def meaning(self) -> str:  # type: ignore[override]
        """Which mentions are counted."""
        return f"{self.type} in the text with fewer of them"

    @property
    def identity(self) -> Spec:
        """Written as the type, as in ``dates(of=most)``."""
        return Spec(self.type, None, (), {} if self.of == "least" else {"of": self.of})

    @property
    def of_text(self) -> TextProperty:  # type: ignore[override]
        """The count of each text."""
        return TextProperty("mentions", "numbers", mention_counts, self.type)


def _maker(kind: NamedType) -> Callable[..., Mentions]:
    def make(of: Side = "least") -> Mentions:
        return Mentions(of, kind)

    return make


for _type in NAMED_TYPES:
    FEATURES.register(_type)(_maker(_type))


@FEATURES.register("shared")
@dataclass(frozen=True, repr=False)
class Shared(Feature):
    """What both texts mention of a type / what either mentions, as in ``shared(numbers) < 1``.

    Undefined if neither text mentions any. Range 0..1.
    """

    type: NamedType

    name: ClassVar[str] = "shared"
    meaning: ClassVar[str] = "mentions of a type in both texts / mentions in either"
    example: ClassVar[str] = "shared(numbers)"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    undefined: ClassVar[str] = "neither text mentions any"

    @property
    def identity(self) -> Spec:
        """Written ``shared(numbers)``."""
        return Spec(self.name, None, (self.type,))

    @property
    def properties(self) -> tuple[TextProperty, ...]:
        """The mentions of each text."""
        return (TextProperty("mentioned", "bags", mentions, self.type),)

    def values(self, pairs: DescribedPairs) -> Numbers:
        """Intersection / union."""
        bags, left, right = pairs.properties.bags_of(*self.properties), pairs.block.left, pairs.block.right
        common = bags.common_words(left, right)
        return ratio(common, bags.distinct(left) + bags.distinct(right) - common)
