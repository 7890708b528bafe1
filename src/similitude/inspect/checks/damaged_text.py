"""Check for texts that were damaged by a wrong encoding."""

from __future__ import annotations

import html.entities
from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.examples import shortened
from similitude.inspect.checks.findings import Finding

__all__ = ["bad_encoding"]

_FOLLOWING = "".join(
    sorted({mark for byte in range(0x80, 0xC0) for mark in (chr(byte), bytes([byte]).decode("cp1252", "ignore"))})
)
"""All characters that UTF-8 continuation bytes become if they are read as Latin-1 or cp1252."""

_CLOSING = "“”‘’„‚«»‹›…–—"
"""Those that also follow a capital letter in correct text; they count only before a letter."""

_SURE = "".join(mark for mark in _FOLLOWING if mark not in _CLOSING)

MOJIBAKE = "|".join(
    [
        rf"[ÂÃÄÅ](?:[{_SURE}]|[{_CLOSING}]\p{{L}})",  # é as Ã©, non-breaking space as Â and a space
        r"[\p{Ll}\p{N}\p{P}]Â(?:\s|$)",  # the same where whitespace was made plain since
        r"â(?:€|‚¬|„¢|[\x{80}-\x{9F}])",  # ’ as â€™, € as â‚¬, ™ as â„¢
        rf"(?:[ÎÏÐÑ][{_FOLLOWING}]){{2}}",  # Greek and Cyrillic, two letters on end
        rf"(?:[à-ï][{_FOLLOWING}]{{2}}){{2}}",  # Chinese, Japanese, Korean and others, two on end
        r"ð(?:Ÿ|\x{9F})",  # emoji
    ]
)


class _Damage(NamedTuple):
    code: str
    pattern: str
    what: str
    remedy: str


_DAMAGES = (
    _Damage(
        "mojibake",
        MOJIBAKE,
        "text in UTF-8 that was read as Latin-1 or Windows-1252 (mojibake)",
        "read the original file as UTF-8",
    ),
    _Damage(
        "replacement",
        r"\x{FFFD}",
        "the replacement character U+FFFD, where a letter was lost",
        "read the original file in its own encoding",
    ),
    _Damage(
        "control",
        r"[\p{Cc}\x{FEFF}&&[^\t\n\r]]",
        "a control character, a NUL or a byte order mark",
        "remove these characters",
    ),
    _Damage(
        "private-use",
        r"\p{Co}",
        "a character from a private use area, which has no meaning elsewhere",
        "replace it by the intended character",
    ),
    _Damage(
        "entities",
        rf"&(?:#\d{{1,7}}|#[xX][0-9a-fA-F]{{1,6}}|{'|'.join(html.entities.name2codepoint)});",
        "an HTML entity that was not unescaped",
        "unescape the texts, in Python with html.unescape",
    ),
    _Damage(
        "escapes",
        r"\\u[0-9a-fA-F]{4}",
        "a character written as an escape such as \\ud83d",
        "decode the escapes, in Python with json.loads",
    ),
)

_TEXTS = pl.concat_str(
    "left",
    "right",
    "condition",
    pl.col("context").list.join("\n", ignore_nulls=True),
    separator="\n",
    ignore_nulls=True,
)
_WORTH_A_LOOK = r"[^\t\n\r -%'-\[\]-~]"  # all but plain ASCII without & and backslash
_COMBINING = r"[\x{300}-\x{36F}\x{1100}-\x{11FF}\x{3099}\x{309A}]"


@CHECKS.register("bad-encoding")
def bad_encoding(benchmark: Benchmark) -> Iterator[Finding]:
    """Items with a text that was damaged by a wrong encoding, or that was not unescaped.

    Why: systems read other characters than people did. Looks in left, right, condition and context for mojibake (UTF-8
    read as Latin-1 or cp1252), U+FFFD, control characters, private use, HTML entities and written escapes; warning
    from the first item on. Note if some texts have composed and others decomposed accents (NFC and NFD), which compare
    as different.
    """
    texts = benchmark.frame.select("id", _TEXTS.alias("text")).filter(pl.col("text").str.contains(_WORTH_A_LOOK))
    for damage in _DAMAGES:
        hurt = texts.filter(pl.col("text").str.contains(damage.pattern))
        if hurt.height:
            yield _damaged(damage, hurt)
    yield from _mixed_forms(texts)


def _damaged(damage: _Damage, hurt: pl.DataFrame) -> Finding:
    return Finding(
        code=f"bad-encoding-{damage.code}",
        severity="warning",
        message=f"{counted(hurt.height, 'item')} with {damage.what}",
        count=hurt.height,
        remedy=damage.remedy,
        examples=_excerpts(hurt, damage.pattern),
    )


def _excerpts(hurt: pl.DataFrame, pattern: str) -> tuple[str, ...]:
    around = rf"(.{{0,15}}(?:{pattern}).{{0,15}})"
    shown = hurt.head(5).with_columns(pl.col("text").str.extract(around))
    return tuple(f"{number}: {shortened(text)}" for number, text in shown.iter_rows())


def _mixed_forms(texts: pl.DataFrame) -> Iterator[Finding]:
    text = pl.col("text")
    decomposed = texts.filter(text.str.contains(_COMBINING)).filter(text != text.str.normalize("NFC"))
    if decomposed.is_empty():
        return
    composed = texts.filter(text.str.len_bytes() != text.str.len_chars()).filter(text != text.str.normalize("NFD"))
    if composed.height:
        message = (
            f"{counted(decomposed.height, 'item')} with decomposed accents (NFD) beside "
            f"{counted(composed.height, 'item')} with composed ones (NFC)"
        )
        examples = _excerpts(decomposed, _COMBINING)
        remedy = "normalise all texts to NFC"
        yield Finding("bad-encoding-mixed-forms", "note", message, decomposed.height, remedy, examples)
