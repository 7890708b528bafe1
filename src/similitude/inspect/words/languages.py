"""Which language a text is in, as far as counting its words goes."""

from __future__ import annotations

__all__ = ["CHINESE", "UNKNOWN", "WITHOUT_SPACES", "language_code"]

CHINESE = "zh"
UNKNOWN = ""
"""The code of a language that nobody stated."""

WITHOUT_SPACES = frozenset({"ja", "th", "lo", "km", "my", "bo"})
"""Languages other than Chinese that put no spaces between words: whitespace tokens are not words there."""

_SAME = {"eng": "en", "deu": "de", "ger": "de", "zho": CHINESE, "chi": CHINESE, "cmn": CHINESE, "no": "nb"}
_SAME |= dict.fromkeys(("hr", "sr", "bs", "sh"), "hbs")


def language_code(stated: str | None) -> str:
    """The code that tokens and lemmas go by: without region or script, and one code where several are in use.

    >>> [language_code(stated) for stated in ("de-AT", "zh_Hans", "cmn", "EN", None)]
    ['de', 'zh', 'zh', 'en', '']
    """
    code = (stated or UNKNOWN).strip().lower().replace("_", "-").partition("-")[0]
    return _SAME.get(code, code)
