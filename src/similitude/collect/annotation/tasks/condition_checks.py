"""Checks of written conditions (C-STS appendix C, figure 7), in English, German and Chinese.

Each check finds a clear breach of a guideline and lets everything else pass. People judge whether a condition is
grammatical, can be inferred from the texts and is abstract enough.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from similitude.collect.annotation.records import Problem
from similitude.collect.annotation.tasks.form_values import has_bad_characters

__all__ = ["LONGEST", "SHORTEST", "VAGUE", "bare", "first_problem"]

SHORTEST, LONGEST = 2, 200
"""Characters: the shortest Chinese aspects have two; the conditions of C-STS have 5.3 words on average."""

_VAGUE_ENGLISH = """
activity activities action actions thing things object objects item items event events situation situations scene scenes
topic topics subject subjects content contents meaning idea context aspect aspects detail details text texts similarity
difference everything something anything
"""
_VAGUE_GERMAN = """
aktivität aktivitäten tätigkeit tätigkeiten handlung handlungen ding dinge sache sachen objekt objekte gegenstand
gegenstände ereignis ereignisse situation situationen szene szenen thema themen inhalt inhalte bedeutung idee kontext
aspekt aspekte detail details text texte ähnlichkeit unterschied alles etwas
"""
_VAGUE_CHINESE = """
活动 动作 行为 行动 东西 事情 事物 物体 物品 事件 情况 情景 场景 主题 话题 内容 意思 含义 方面 细节 文本 相似 区别 不同
"""
VAGUE = frozenset((_VAGUE_ENGLISH + _VAGUE_GERMAN + _VAGUE_CHINESE).split())

_ARTICLES = re.compile(r"^(?:the|a|an|der|die|das|ein|eine|den|dem|des)\s+", re.IGNORECASE)
_ENDS = re.compile(r"^\W+|\W+$")
_SENTENCE = re.compile(r"\bsentences?\b|\bs(?:atz|atzes|ätze|ätzen)\b|句子|语句|[这两该此]句", re.IGNORECASE)
_ARTICLE = r"(?:the|a|an|both|their|his|her|its|der|die|das|den|dem|des)"
_IS = re.compile(
    rf"^(?:{_ARTICLE}\s+)?\w+(?:\s+(?:of|in|on|at|for|von|auf|bei|für)\s+(?:{_ARTICLE}\s+)?\w+(?:\s+\w+)?)*"
    r"\s+(?:is|are|was|were|equals|ist|sind|war|waren)\s+(?:both\s+|beide\s+)?(.+)$",
    re.IGNORECASE,
)
"""A plain subject ("the size of the object") that is something; not "the way the object is propelled"."""
_IS_CHINESE = re.compile(r"(?:是(?!否|不是)|均为|都为)(.+)$")
_ASKS = re.compile(r"^(?:what|which|who|where|when|why|how|whether|if|was|wer|wo|wann|warum|wie|ob)\b", re.IGNORECASE)
_DOING = re.compile(r"^\w+(?:ing|[^r]ed)$", re.IGNORECASE)
_WORDS = re.compile(r"\w+")
_HAN = re.compile(r"[\u4e00-\u9fff]")


class Written(NamedTuple):
    """A condition and the two texts that it was written for."""

    text: str
    texts: Sequence[str]


def bare(condition: str) -> str:
    """The condition without its article, outer punctuation and case, for comparison.

    >>> bare("The colour.") == bare("colour")
    True
    """
    return _ENDS.sub("", _ARTICLES.sub("", _ENDS.sub("", condition))).casefold()


def first_problem(field: str, text: str, texts: Sequence[str]) -> Problem | None:
    """The first guideline that a cleaned condition breaks, or None.

    >>> first_problem("alike", "The color is green", ["A large green watermelon.", "A green avocado."]).key
    'is_value'
    >>> first_problem("alike", "The color of the fruit", ["A large green watermelon.", "A green avocado."]) is None
    True
    """
    written = Written(text, texts)
    for key, check in CHECKS.items():
        found = check(written)
        if found is not None:
            return Problem(field, key, found)
    return None


Found = dict[str, object] | None


def _missing(written: Written) -> Found:
    return None if bare(written.text) else {}


def _bad_characters(written: Written) -> Found:
    return {} if has_bad_characters(written.text) else None


def _too_short(written: Written) -> Found:
    return {"limit": SHORTEST} if len(bare(written.text)) < SHORTEST else None


def _too_long(written: Written) -> Found:
    return {"limit": LONGEST} if len(written.text) > LONGEST else None


def _says_sentence(written: Written) -> Found:
    """Guideline 4: no word for "sentence"."""
    match = _SENTENCE.search(written.text)
    return {"word": match[0]} if match else None


def _too_vague(written: Written) -> Found:
    """Guideline 5: a single word that narrows nothing down."""
    return {"word": written.text} if bare(written.text) in VAGUE else None


def _is_value(written: Written) -> Found:
    """Guideline 3: an attribute, not its value."""
    value = _copied(written) or _stated(written)
    return {"word": value} if value else None


def _copied(written: Written) -> str | None:
    """The condition, if one of the texts contains it literally."""
    phrase = bare(written.text)
    for text in written.texts:
        if _HAN.search(phrase):
            found = phrase in text.casefold()
        else:
            found = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text.casefold()) is not None
        if found:
            return phrase
    return None


def _stated(written: Written) -> str | None:
    """The stated value: "is" with a word of the texts, or with a single word at the end."""
    if _HAN.search(written.text):
        match = _IS_CHINESE.search(_ENDS.sub("", written.text))
        return match[1] if match else None
    match = _IS.match(_ENDS.sub("", written.text))
    if match is None or _ASKS.match(written.text):
        return None
    words = [word for word in _WORDS.findall(match[1]) if not _DOING.match(word)]
    known = {word for text in written.texts for word in _WORDS.findall(text.casefold())}
    said = [word for word in words if word.casefold() in known]
    return said[0] if said else words[0] if len(words) == 1 else None


CHECKS: dict[str, Callable[[Written], Found]] = {
    "missing": _missing,
    "bad_characters": _bad_characters,
    "too_short": _too_short,
    "too_long": _too_long,
    "says_sentence": _says_sentence,
    "too_vague": _too_vague,
    "is_value": _is_value,
}
"""In order; the first that finds something speaks."""
