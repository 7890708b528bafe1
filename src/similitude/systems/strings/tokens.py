"""Folds texts and splits them into words, in any script.

Folding is Unicode's NFKC_Casefold (compatibility forms composed, case removed, invisible characters such as soft
hyphens dropped) with white space reduced to single blanks. So composed and combining umlauts are equal, ``ß`` is
``ss``, and full-width Latin is Latin.

A word is a run of letters, digits and their combining marks. In Chinese, Japanese and Korean, each ideograph, kana or
hangul syllable is a word of its own, and so is each letter with its marks in Thai, Lao, Khmer and Burmese, which do not
put blanks between words either; so no segmenter is needed. Each emoji is a word, with its skin tone; a flag is one.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import groupby

__all__ = ["fold", "marks", "words"]

# Characters that Unicode calls Default_Ignorable: they affect only how a text is rendered.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)

_ALONE = (
    "\u3005\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # ideographs
    "\uac00-\ud7a3"  # hangul syllables
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46"  # Thai
    "\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd\u0ec0-\u0ec6\u0edc-\u0edf"  # Lao
    "\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081"  # Burmese
    "\u1780-\u17b3"  # Khmer
)
_STACKERS = "\u1039\u17d2"
"""Marks by which Burmese and Khmer write the next consonant below the one before."""
_FLAGS, _SKINS = "\U0001f1e6-\U0001f1ff", "\U0001f3fb-\U0001f3ff"
_PICTURES = "\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"

# Latin-1, which covers most European texts, uses byte tables: several times as fast as the general case.
_LATIN_SMALL = bytes(ord(chr(code).lower()) if code not in b"\xb5\xdf" else code for code in range(256))
_LATIN_WORDS = bytes(code if chr(code).isalnum() else 0x20 for code in range(256))


def fold(text: str, *, lowercase: bool = True) -> str:
    r"""The text as string systems compare it.

    >>> fold("  Die  STRASSE\n") == fold("die Straße")
    True
    """
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    try:
        latin = folded.encode("latin-1")
    except UnicodeEncodeError:
        folded = _fold_unicode(folded, lowercase)
    else:
        folded = _fold_latin(latin, lowercase)
    # Most texts already have single blanks between words, and checking is cheaper than splitting and joining.
    if folded.isprintable() and "  " not in folded:
        return folded.strip(" ")
    return " ".join(folded.split())


def words(text: str, *, lowercase: bool = True) -> list[str]:
    """The folded words of a text. If a text is all punctuation, its words are its parts between blanks.

    >>> words("Über 3 Brücken, 你好!")
    ['über', '3', 'brücken', '你', '好']
    >>> words("?! ...")
    ['?!', '...']
    """
    folded = fold(text, lowercase=lowercase)
    try:
        found = folded.encode("latin-1").translate(_LATIN_WORDS).decode("latin-1").split()
    except UnicodeEncodeError:
        found = _any_word().findall(folded)
    return found or folded.split()


def _fold_latin(text: bytes, lowercase: bool) -> str:
    if not lowercase:
        return text.translate(None, b"\xad").decode("latin-1")
    return text.translate(_LATIN_SMALL, b"\xad").decode("latin-1").replace("ß", "ss")


def _fold_unicode(text: str, lowercase: bool) -> str:
    visible = _INVISIBLE.sub("", text)
    return unicodedata.normalize("NFKC", visible.casefold() if lowercase else visible)


@cache
def _any_word() -> re.Pattern[str]:
    letter = rf"[^\W_{_ALONE}]"
    run = f"{letter}+(?:[{marks()}]+{letter}*)*"
    alone = f"[{_ALONE}](?:[{_STACKERS}][{_ALONE}]|[{marks()}])*"
    return re.compile(f"{run}|{alone}|[{_FLAGS}]{{2}}|[{_PICTURES}][{_SKINS}]?")


@cache
def marks() -> str:
    r"""All combining marks as regex ranges; Python's ``\w`` omits them, which would split Hindi and Thai words."""
    marks = [code for code in range(0x300, 0x1F000) if unicodedata.category(chr(code))[0] == "M"]
    runs = (list(run) for _, run in groupby(enumerate(marks), key=lambda pair: pair[1] - pair[0]))
    return "".join(f"{chr(run[0][1])}-{chr(run[-1][1])}" for run in runs)
