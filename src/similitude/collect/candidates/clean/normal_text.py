"""Texts in their normal written form: composed characters, plain spaces, no control characters, no repeated marks."""

from __future__ import annotations

from typing import Final

import polars as pl

__all__ = ["normal_text"]

DECOMPOSED: Final = r"[\x{300}-\x{36F}\x{1100}-\x{11FF}\x{3099}\x{309A}\x{212A}\x{212B}\x{2126}\x{F900}-\x{FAFF}]"
"""Characters by which a text may differ from its composed form (NFC)."""

INVISIBLE: Final = r"[\x{AD}\x{200B}\x{200E}\x{200F}\x{202A}-\x{202E}\x{2060}\x{2066}-\x{2069}\x{FEFF}]"
CONTROL: Final = r"[\p{Cc}&&[^\t\n\r\x0b\x0c\x85]]"
SPACES: Final = r"[\s\x{A0}]+"
NEEDS_SPACES: Final = r"[\s\x{A0}]{2}|[^\S ]|\x{A0}|^ | $"

MARKS: Final = "\"'`“”„‟«»‹›‘’‚-–—_,;:!?*~=#|^+…、。，！？：；"
"""Marks of which one is as good as several."""

REPEATED: Final = "|".join(rf"(\x{{{ord(mark):X}}})\x{{{ord(mark):X}}}+" for mark in MARKS)
ONE: Final = "".join(f"${{{number}}}" for number in range(1, len(MARKS) + 1))
"""Of alternatives that did not match, nothing is put in."""


def normal_text(texts: pl.Series, *, punctuation: bool = True) -> pl.Series:
    r"""The texts in normal form; null counts as empty.

    Characters are composed (NFC), control and invisible characters removed, runs of white space replaced by one space.

    Args:
        texts: the texts.
        punctuation: also replace repeated punctuation by a single mark, as USTS does; an ellipsis of three dots stays.

    >>> normal_text(pl.Series(['He said:  ""No\u200b!!!"" -- and\nleft....'])).to_list()
    ['He said: "No!" - and left...']
    """
    text = pl.col("text")
    texts = _changed(texts.fill_null(""), DECOMPOSED, text.str.normalize("NFC"))
    texts = _changed(texts, CONTROL, text.str.replace_all(CONTROL, ""))
    texts = _changed(texts, INVISIBLE, text.str.replace_all(INVISIBLE, ""))
    if punctuation:
        texts = _changed(texts, REPEATED, text.str.replace_all(REPEATED, ONE))
        dots = text.str.replace_all(r"\.{4,}", "...").str.replace_all(r"(^|[^.])\.\.($|[^.])", "${1}.${2}")
        texts = _changed(texts, r"\.\.", dots)
    return _changed(texts, NEEDS_SPACES, text.str.replace_all(SPACES, " ").str.strip_chars(" "))


def _changed(texts: pl.Series, pattern: str, change: pl.Expr) -> pl.Series:
    """The texts, changed only where they match, because changing all texts is slow."""
    where = texts.str.contains(pattern)
    if not where.any():
        return texts
    changed = texts.filter(where).alias("text").to_frame().select(change).to_series()
    return texts.scatter(where.arg_true(), changed)
