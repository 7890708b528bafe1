"""Language codes, by which texts are split into words."""

from __future__ import annotations

__all__ = ["CHINESE", "UNKNOWN", "WITHOUT_SPACES", "language_code"]

CHINESE = "zh"
UNKNOWN = ""
"""The code for texts without a stated language."""

WITHOUT_SPACES = frozenset({"ja", "th", "lo", "km", "my", "bo"})
"""Languages other than Chinese that do not separate words by spaces, so that whitespace tokens are not words."""

_SAME = {"eng": "en", "deu": "de", "ger": "de", "zho": CHINESE, "chi": CHINESE, "cmn": CHINESE, "no": "nb"}
_SAME |= dict.fromkeys(("hr", "sr", "bs", "sh"), "hbs")


def language_code(stated: str | None) -> str:
    """The code of a language without region and script; one code for languages that have several.

    >>> [language_code(stated) for stated in ("de-AT", "zh_Hans", "cmn", "EN", None)]
    ['de', 'zh', 'zh', 'en', '']
    """
    code = (stated or UNKNOWN).strip().lower().replace("_", "-").partition("-")[0]
    return _SAME.get(code, code)
