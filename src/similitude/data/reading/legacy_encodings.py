"""Legacy encodings: which one a file that is not UTF-8 most likely has.

Each encoding is tried on the bytes. One is suggested only if it decodes the whole file and the text is plausible: its
letters are those of one language, its words do not mix scripts or cases, and it has no control characters. Nothing is
ever decoded by a guess; the suggestions are for the message.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from similitude.data.reading.language_letters import LANGUAGES, PUNCTUATION, Alphabet

__all__ = [
    "HighLine",
    "first_high_line",
    "is_plausible",
    "mostly_utf8",
    "suggested_encodings",
    "wide_encoding",
]

_WESTERN = ("German", "French", "Spanish", "Portuguese", "Italian", "Dutch", "Scandinavian", "Icelandic", "Catalan")
_CENTRAL = ("Polish", "Czech", "Slovak", "Hungarian", "South Slavic", "Romanian", "German")
_CYRILLIC = ("Russian", "Ukrainian", "Bulgarian")

USUAL = {
    "latin-1": _WESTERN,
    "cp1252": _WESTERN,
    "cp1250": _CENTRAL,
    "iso8859-2": _CENTRAL,
    "cp1251": _CYRILLIC,
    "koi8-r": ("Russian",),
    "koi8-u": ("Ukrainian",),
    "cp1253": ("Greek",),
    "cp1254": ("Turkish",),
    "cp1255": ("Hebrew",),
    "cp1256": ("Arabic",),
    "cp1257": ("Lithuanian", "Latvian", "Estonian"),
    "cp874": ("Thai",),
    "gb18030": ("Chinese, simplified",),
    "big5": ("Chinese, traditional",),
    "big5hkscs": ("Chinese, traditional",),
    "shift_jis": ("Japanese",),
    "cp932": ("Japanese",),
    "euc-jp": ("Japanese",),
    "euc-kr": ("Korean",),
    "cp949": ("Korean",),
}
"""Encodings and the languages that are stored in them; of encodings that give the same text, the first is named."""

UNUSUAL = {
    "mac-roman": _WESTERN,
    "cp850": _WESTERN,
    "cp437": _WESTERN,
    "iso8859-15": _WESTERN,
    "cp852": _CENTRAL,
    "cp866": _CYRILLIC,
    "iso8859-5": _CYRILLIC,
    "mac-cyrillic": _CYRILLIC,
    "iso8859-7": ("Greek",),
}
"""Encodings that are named only if no usual one fits."""

PLAUSIBLE = 0.7
CLOSE = 0.06
"""A text is plausible from such a score on; scores so close are not told apart."""

SAMPLE = 1 << 16
AHEAD = 200
HIGH = re.compile(rb"[\x80-\xff]")
HIGH_RUN = re.compile(rb"[\x80-\xff]+")
MOST_NAMED = 2
WIDE = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
WORD = re.compile(rf"[^\s!-@\[-`{{-~{''.join(sorted(PUNCTUATION))}]+")
ACCENTED_ROW = re.compile(r"[^\x00-\x7f]{3}")
MISPLACED = re.compile(r"[^\W\d_][‚„¿¡†‡‰•×]|[^\W\d_]{3}[¹²³¼½¾ºª£€§°©]|[^\W\d_][«»“”°®™€£§¹²³¼½¾ºª©‹›]+[^\W\d_]")
"""Marks outside ASCII where Latin words have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HighLine:
    """A line with bytes outside ASCII, and the place of the first of them."""

    line: bytes
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    encoding: str
    text: str
    score: float


def suggested_encodings(data: bytes) -> list[str]:
    """Encodings that decode all bytes to plausible text, the best first; none where the bytes are mixed.

    Encodings that give the same text count as one; two are given where they give different texts that are equally
    plausible.
    """
    wide = wide_encoding(data)
    if wide:
        return [wide]
    sample = _sample(data)
    if not sample or b"\0" in sample or mostly_utf8(data):
        return []
    return _best(USUAL, sample, data) or _best(UNUSUAL, sample, data)


def wide_encoding(data: bytes) -> str | None:
    """The UTF-16 or UTF-32 that bytes without a byte-order mark are in, by the places of their NULs."""
    if b"\0" not in data[:SAMPLE]:
        return None
    return next((encoding for encoding in WIDE if _is_wide(data[:SAMPLE], encoding)), None)


def mostly_utf8(data: bytes) -> bool:
    """Whether most of the bytes outside ASCII are characters in UTF-8."""
    runs = HIGH_RUN.findall(_sample(data))
    return 2 * sum(len(run) for run in runs if _decoded(run, "utf-8")) > sum(map(len, runs))


def is_plausible(data: bytes, encoding: str) -> bool:
    """Whether an encoding reads the lines outside ASCII as text of some language."""
    text = _decoded(_sample(data), encoding)
    return text is not None and any(_score(text, alphabet) >= PLAUSIBLE for alphabet in LANGUAGES.values())


def first_high_line(data: bytes) -> HighLine | None:
    """The first line with bytes outside ASCII; only the beginning of a very long one."""
    high = HIGH.search(data)
    if high is None:
        return None
    start = max(data.rfind(b"\n", 0, high.start()) + 1, high.start() - AHEAD)
    end = data.find(b"\n", high.start(), high.start() + AHEAD)
    return HighLine(line=data[start : end if end >= 0 else high.start() + AHEAD], place=high.start() - start)


def _is_wide(data: bytes, encoding: str) -> bool:
    """Whether ASCII characters, such as line breaks, have their NULs where this encoding has them."""
    width, little = (4 if "32" in encoding else 2), encoding.endswith("le")
    data = data[: len(data) // width * width]
    characters, nuls = len(data) // width, [data[place::width].count(0) for place in range(width)]
    low, high = (nuls[0], nuls[-1]) if little else (nuls[-1], nuls[0])
    filled = high == characters if width == 4 else high > low and 200 * high >= characters
    return filled and _is_text(data, encoding)


def _is_text(data: bytes, encoding: str) -> bool:
    """Whether the text has no odd characters, and the line breaks are where the bytes have them."""
    text = _decoded(data, encoding)
    if text is None or any(_is_odd(character) for character in set(text) - set("\t\r\n")):
        return False
    breaks = data.count(b"\n") + data.count(b"\r")
    found = text.count("\n") + text.count("\r")
    return 2 * found > breaks if breaks else 2 * sum(map(str.isascii, text)) > len(text)


def _sample(data: bytes) -> bytes:
    """Lines with bytes outside ASCII, up to a limit; each begins at a character."""
    lines, size, place = [], 0, 0
    while size < SAMPLE and (high := HIGH.search(data, place)):
        start = max(place, data.rfind(b"\n", place, high.start()) + 1, high.start() - AHEAD)
        end = data.find(b"\n", high.start(), high.start() + SAMPLE)
        place = end if end >= 0 else high.start() + SAMPLE
        lines.append(data[start:place])
        size += place - start
    return b"\n".join(lines)


def _best(encodings: Mapping[str, Sequence[str]], sample: bytes, data: bytes) -> list[str]:
    trials = sorted(_trials(encodings, sample), key=lambda trial: -trial.score)
    trials = [trial for trial in trials if _decodes(data, trial.encoding)]
    return [trial.encoding for trial in trials if trial.score > trials[0].score - CLOSE][:MOST_NAMED]


def _trials(encodings: Mapping[str, Sequence[str]], sample: bytes) -> Iterable[_Trial]:
    """The plausible readings of the sample, each once."""
    seen: set[str] = set()
    for encoding, languages in encodings.items():
        text = _decoded(sample, encoding)
        if text is None or text in seen:
            continue
        score = max(_score(text, LANGUAGES[language]) for language in languages)
        if score >= PLAUSIBLE:
            seen.add(text)
            yield _Trial(encoding=encoding, text=text, score=score)


def _decoded(sample: bytes, encoding: str) -> str | None:
    """The text, of which the last character may be cut off; None if other bytes are invalid."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError:
        return None


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _score(text: str, alphabet: Alphabet) -> float:
    """From 0 to 1: how much of a text outside ASCII is of one language, less the share of words that are no words."""
    counts = Counter(text)
    if any(_is_odd(character) for character in counts if character not in "\t\r\n"):
        return 0.0
    letters = {each: count for each, count in counts.items() if not each.isascii() and each not in PUNCTUATION}
    known = sum(count for letter, count in letters.items() if letter.lower() in alphabet.letters)
    without = float(alphabet.script == "latin")  # English has nothing but punctuation outside ASCII
    share = min(1.0, known / sum(letters.values()) / alphabet.share) if letters else without
    return share - _odd_words(text, alphabet)


def _is_odd(character: str) -> bool:
    """Whether a character has no place in a text: a control character, a private or an unassigned one."""
    return unicodedata.category(character) in {"Cc", "Cn", "Co", "Cs"}


def _odd_words(text: str, alphabet: Alphabet) -> float:
    """The share of words outside ASCII that no language has."""
    words = [word for word in WORD.findall(text) if not word.isascii()]
    odd = sum(_is_odd_word(word, alphabet) for word in words)
    if alphabet.script != "latin":
        return odd / len(words) if words else 0.0
    marks = sum(character in PUNCTUATION for character in text)
    return (odd + len(MISPLACED.findall(text))) / ((len(words) + marks) or 1)


def _is_odd_word(word: str, alphabet: Alphabet) -> bool:
    """Whether a word mixes scripts, has a capital after a small letter, or a row of accented letters."""
    if alphabet.script == "unspaced":
        return False
    if alphabet.script == "other" and any(character.isascii() for character in word):
        return True
    if any(a.islower() and b.isupper() and not (a + b).isascii() for a, b in pairwise(word)):
        return True
    return alphabet.script == "latin" and bool(ACCENTED_ROW.search(word))
