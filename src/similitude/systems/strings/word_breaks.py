"""Tokens as Java's ``BreakIterator`` gives them, which DKPro's ``BreakIteratorSegmenter`` uses.

Unlike `tokens.words`, punctuation marks are tokens, one each, and a token may contain some: between letters a dash, an
underscore, an apostrophe, a quotation mark or a full stop (``they've``, ``U.S``), between digits an apostrophe, a
quotation mark, a comma or a full stop (``1,615.02``), before a number a currency sign, ``#`` or a full stop (``$17``),
and after it a per cent sign or ``&``. Runs of kanji, of katakana and of hiragana are one token each.
"""

from __future__ import annotations

import re
from functools import cache

from similitude.systems.strings.tokens import fold, marks

__all__ = ["break_tokens"]

_KANJI = "\u3005\u4e00-\u9fa5\uf900-\ufa2d"
_KATAKANA = "\u30a1-\u30fa\u30fd\u30fe"
_HIRAGANA = "\u3041-\u3094\u309d\u309e"
_MORAE = "\u3099-\u309c\u30fb\u30fc"
_MID_WORD = "\\-\u058a\u2010-\u2015\u2e3a\u2e3b\u301c\ufe58\ufe63\uff0d_\u203f\u2040\u2054\u2027\"'."
_MID_NUMBER = "\"',\u066b."
_BEFORE_NUMBER = "$\u00a3-\u00a5\u09f2\u09f3\u0e3f\u20a0-\u20c0#."
_AFTER_NUMBER = "%&\u00a2\u066a\u2030\u2031"


def break_tokens(text: str, *, lowercase: bool = True) -> list[str]:
    """The tokens of a folded text, in order.

    >>> break_tokens("They've won $17.5 million, or 12%.")
    ["they've", 'won', '$17.5', 'million', ',', 'or', '12%', '.']
    """
    return _token().findall(fold(text, lowercase=lowercase))


@cache
def _token() -> re.Pattern[str]:
    letter = rf"[^\W\d_{_KANJI}{_KATAKANA}{_HIRAGANA}{_MORAE}][{marks()}]*"
    digit = rf"\d[{marks()}]*"
    word = rf"(?:{letter})+(?:[{_MID_WORD}](?:{letter})+)*"
    number = rf"(?:{digit})+(?:[{_MID_NUMBER}](?:{digit})+)*"
    rest = rf"(?:{number}{word})*(?:{number}[{_AFTER_NUMBER}]?)?"
    starts = [rf"{word}{rest}", rf"(?={digit}){rest}", rf"[{_BEFORE_NUMBER}]{rest}"]
    runs = [f"[{_KATAKANA}{_MORAE}]+", f"[{_HIRAGANA}{_MORAE}]+", f"[{_KANJI}]+", r"\S"]
    return re.compile("|".join([*starts, *runs]))
