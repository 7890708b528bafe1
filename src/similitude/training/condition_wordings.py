"""Other wordings of a condition, by rule: "The color of the object" is also "color" or "the object's color".

Raters answer the question that a condition asks, not its wording, so the label stays. The rules change articles, the
place of a noun, spelling and common synonyms; a condition that no rule applies to has no other wording. The rules and
the synonyms are English. A condition in another language keeps its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

__all__ = ["wordings"]

SYNONYMS: Final = (
    ("color", "colour"),
    ("kind of", "type of", "sort of"),
    ("location", "place", "setting"),
    ("activity", "action"),
    ("person", "individual"),
    ("object", "item", "thing"),
    ("clothing", "clothes", "outfit"),
    ("gender", "sex"),
    ("mood", "emotion", "feeling"),
    ("occupation", "job", "profession"),
    ("speed", "pace"),
    ("purpose", "aim"),
)
"""Words that mean the same in a condition; each is replaced by the others of its line."""

_ADJECTIVES: Final = {
    "age": "old", "height": "tall", "length": "long", "size": "big", "speed": "fast", "temperature": "hot",
    "weight": "heavy", "width": "wide", "distance": "far away", "difficulty": "difficult",
}  # fmt: skip
"""What "how ..." asks for, by the noun that names it."""
_ARTICLE: Final = r"(?:the|a|an|this|that|these|those)"
_OF: Final = re.compile(rf"^(?:{_ARTICLE}\s+)?(?P<what>[\w-]+)\s+of\s+the\s+(?P<whose>[\w-]+)$", re.IGNORECASE)
_NUMBER: Final = re.compile(r"^(?:the\s+)?(?:number|amount|count)\s+of\s+(?:the\s+)?(?P<what>[\w\s-]+)$", re.IGNORECASE)
_KIND: Final = re.compile(r"^(?:the\s+)?(?P<kind>kind|type|sort)\s+of\s+(?:the\s+)?(?P<what>[\w\s-]+)$", re.IGNORECASE)
_PLURAL: Final = frozenset({"people", "men", "women", "children"})
_ENGLISH: Final = re.compile(r"\b(?:the|of|an?|is|are|being|what|which|how|where)\b", re.IGNORECASE)
"""Without such a word a condition may be in another language, in which "place" means something else."""

_GENERIC: Final = frozenset({"object", "objects", "item", "items", "thing", "things", "person", "people", "scene"})
"""What says nothing about whose attribute is meant, and can be left out."""

Rule = Callable[[str], Iterator[str]]


@lru_cache(maxsize=65_536)
def wordings(condition: str) -> tuple[str, ...]:
    """The other wordings of a condition, each once; the order depends on the condition alone.

    >>> wordings("The color of the object.")[:5]
    ('Color of the object', "The object's color", 'What color the object is', 'The color', 'Color')
    >>> wordings("the number of people")[:3]
    ('number of people', 'how many people there are', 'how many people')
    >>> wordings("颜色")
    ()
    """
    plain = " ".join(condition.split()).rstrip(".!?").strip()
    made = (_like(condition, other) for rule in _RULES for other in rule(plain))
    same = plain.casefold()
    distinct = {other.casefold(): other for other in reversed(list(made)) if other.casefold() != same}
    return tuple(reversed(distinct.values()))


def _without_article(plain: str) -> Iterator[str]:
    bare = re.sub(rf"^{_ARTICLE}\s+", "", plain, count=1, flags=re.IGNORECASE)
    if bare and bare != plain:
        yield bare


def _owned(plain: str) -> Iterator[str]:
    """The color of the object: the object's color, what color the object is, and the color, as any object is meant."""
    found = _OF.match(plain)
    if found is None or found["what"].casefold() in ("number", "amount", "count", "kind", "type", "sort"):
        return
    what, whose = found["what"].lower(), found["whose"]
    is_plural = whose.casefold() in _PLURAL or (whose.endswith("s") and not whose.endswith("ss"))
    verb = "are" if is_plural else "is"
    yield f"the {whose}{chr(39) if whose.endswith('s') else chr(39) + 's'} {what}"
    if what in ("color", "colour", "shape"):
        yield f"what {what} the {whose} {verb}"
    if what in _ADJECTIVES:
        yield f"how {_ADJECTIVES[what]} the {whose} {verb}"
    if what in ("location", "position"):
        yield f"where the {whose} {verb}"
    if whose.casefold() in _GENERIC:
        yield f"the {what}"
        yield what


def _counted(plain: str) -> Iterator[str]:
    """The number of people: how many people there are."""
    found = _NUMBER.match(plain)
    if found is not None:
        yield f"how many {found['what']} there are"
        yield f"how many {found['what']}"


def _of_a_kind(plain: str) -> Iterator[str]:
    """The type of sport: which sport it is, the sport."""
    found = _KIND.match(plain)
    if found is not None:
        yield f"what {found['kind'].lower()} of {found['what']} it is"
        yield f"which {found['what']}"
        yield f"the {found['what']}"


def _with_synonyms(plain: str) -> Iterator[str]:
    if not _ENGLISH.search(plain):
        return
    for group in SYNONYMS:
        for word in group:
            pattern = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
            if pattern.search(plain):
                yield from (pattern.sub(other, plain, count=1) for other in group if other != word)


_RULES: Final[tuple[Rule, ...]] = (_without_article, _owned, _counted, _of_a_kind, _with_synonyms)


def _like(condition: str, other: str) -> str:
    """The wording, with a capital first if the condition has one."""
    return other[:1].upper() + other[1:] if condition[:1].isupper() else other[:1].lower() + other[1:]
