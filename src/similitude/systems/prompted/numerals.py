"""Numerals in other scripts: full-width and Arabic digits, Chinese numerals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

__all__ = ["chinese_numbers", "plain_digits"]

_FRACTIONS = {"¼": ".25", "½": ".5", "¾": ".75"}
_MARKS = str.maketrans({"٫": ".", "−": "-", "–": "-", "—": "-", "，": ", ", "、": ", ", "．": ".", **_FRACTIONS})
_APART = re.compile(r"(?<=\d)[ \t]+(?=[¼½¾])")
_MIXED = re.compile(r"(?<![\d./])(\d)[ -]([13])/([24])(?![\d/])")
_AND_HALF = re.compile(r"(?<=\d)(?:\s*(?:分|个)半|\s+(?:and a half|einhalb)\b|einhalb\b)", re.IGNORECASE)
_CHINESE_POINT = re.compile(r"(?<=\d)[点點](?=\d)")
_FOREIGN_DIGIT = re.compile(r"[^\W\D]", re.UNICODE)

_DIGITS = {
    **dict(zip("零一二三四五六七八九", range(10), strict=True)),
    **dict(zip("壹贰叁肆伍陆柒捌玖", range(1, 10), strict=True)),
    "〇": 0,
    "两": 2,
    "兩": 2,
}
_TENS = {"十": 10, "拾": 10, "百": 100}
_RUN = f"[{''.join((*_DIGITS, *_TENS))}]{{1,9}}"

# A numeral is a number only after punctuation or a word that introduces a score, and before punctuation or 分:
# in 一样 (alike), 十分 (very) or 第一 (first) it is part of a word.
_CHINESE = re.compile(
    rf"(?:^|(?<=[^\w])|(?<=[是为為給给打得分度案数數约約评評]))"
    rf"(?P<whole>{_RUN})(?:[点點](?P<part>{_RUN}))?(?:分(?P<half>半)?)?(?=$|[^\w])"
)


def plain_digits(text: str) -> str:
    """The text with every digit as one of 0-9, whatever its script, and with ASCII number marks.

    A Chinese comma is a comma between words, never a decimal mark. Halves and quarters become decimals.

    >>> plain_digits("４．５"), plain_digits("٤"), plain_digits("3 ½"), plain_digits("④")
    ('4.5', '4', '3.5', '4')
    >>> plain_digits("3 1/2"), plain_digits("3分半"), plain_digits("3点5"), plain_digits("3 and a half")
    ('3.5', '3.5', '3.5', '3.5')
    """
    normal = unicodedata.normalize("NFKC", _APART.sub("", text).translate(_MARKS))
    plain = _FOREIGN_DIGIT.sub(lambda found: str(unicodedata.digit(found[0])), normal)
    return _CHINESE_POINT.sub(".", _AND_HALF.sub(".5", _MIXED.sub(_decimal, plain)))


def _decimal(mixed: re.Match[str]) -> str:
    """A mixed number such as 3 1/2 as a decimal; unchanged if it is none."""
    part = int(mixed[2]) / int(mixed[3])
    return f"{int(mixed[1]) + part:g}" if part < 1 else mixed[0]


def chinese_numbers(text: str) -> Iterator[tuple[re.Match[str], float]]:
    """The Chinese numerals that represent numbers, such as 四分 or 三点五, and their values.

    >>> [value for text in ("我给四分。", "三点五", "二十五", "三分半") for _, value in chinese_numbers(text)]
    [4.0, 3.5, 25.0, 3.5]
    >>> list(chinese_numbers("意思十分相似"))
    []
    """
    for found in _CHINESE.finditer(text):
        part = found["part"] or ""
        behind = float("0." + "".join(str(_DIGITS.get(mark, 0)) for mark in part)) if part else 0.0
        yield found, _whole(found["whole"]) + behind + (0.5 if found["half"] else 0.0)


def _whole(numeral: str) -> float:
    total, last, is_positional = 0, 0, not any(mark in _TENS for mark in numeral)
    for mark in numeral:
        if mark in _TENS:
            total, last = total + (last or 1) * _TENS[mark], 0
        else:
            last = last * 10 + _DIGITS[mark] if is_positional else _DIGITS[mark]
    return float(total + last)
