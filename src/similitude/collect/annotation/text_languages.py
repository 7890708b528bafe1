"""The languages of the texts that people read: their names, their direction, and the tags that items have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

__all__ = ["ENDONYMS", "Sides", "direction", "endonym", "languages_of", "needed_languages", "sides"]

ENDONYMS: Mapping[str, str] = {
    "af": "Afrikaans", "am": "አማርኛ", "ar": "العربية", "az": "Azərbaycanca", "be": "Беларуская", "bg": "Български",
    "bn": "বাংলা", "bs": "Bosanski", "ca": "Català", "cs": "Čeština", "cy": "Cymraeg", "da": "Dansk", "de": "Deutsch",
    "el": "Ελληνικά", "en": "English", "eo": "Esperanto", "es": "Español", "et": "Eesti", "eu": "Euskara",
    "fa": "فارسی", "fi": "Suomi", "fr": "Français", "ga": "Gaeilge", "gl": "Galego", "gu": "ગુજરાતી", "ha": "Hausa",
    "he": "עברית", "hi": "हिन्दी", "hr": "Hrvatski", "hu": "Magyar", "hy": "Հայերեն", "id": "Bahasa Indonesia",
    "ig": "Igbo", "is": "Íslenska", "it": "Italiano", "ja": "日本語", "ka": "ქართული", "kk": "Қазақша",
    "km": "ខ្មែរ", "kn": "ಕನ್ನಡ", "ko": "한국어", "lo": "ລາວ", "lt": "Lietuvių", "lv": "Latviešu", "mk": "Македонски",
    "ml": "മലയാളം", "mn": "Монгол", "mr": "मराठी", "ms": "Bahasa Melayu", "my": "မြန်မာ", "nb": "Norsk bokmål",
    "ne": "नेपाली", "nl": "Nederlands", "nn": "Norsk nynorsk", "no": "Norsk", "pa": "ਪੰਜਾਬੀ", "pl": "Polski",
    "ps": "پښتو", "pt": "Português", "ro": "Română", "ru": "Русский", "rw": "Kinyarwanda", "sd": "سنڌي",
    "si": "සිංහල", "sk": "Slovenčina", "sl": "Slovenščina", "so": "Soomaali", "sq": "Shqip", "sr": "Српски",
    "sv": "Svenska", "sw": "Kiswahili", "ta": "தமிழ்", "te": "తెలుగు", "th": "ไทย", "tl": "Tagalog", "tr": "Türkçe",
    "ug": "ئۇيغۇرچە", "uk": "Українська", "ur": "اردو", "uz": "Oʻzbekcha", "vi": "Tiếng Việt", "xh": "isiXhosa",
    "yi": "ייִדיש", "yo": "Yorùbá", "zh": "中文", "zu": "isiZulu",
}  # fmt: skip
"""Languages by their own names."""

_LONGER = {
    "ara": "ar", "chi": "zh", "deu": "de", "eng": "en", "fas": "fa", "fra": "fr", "fre": "fr", "ger": "de",
    "heb": "he", "hin": "hi", "ita": "it", "iw": "he", "jpn": "ja", "kor": "ko", "nld": "nl", "per": "fa",
    "pol": "pl", "por": "pt", "rus": "ru", "spa": "es", "tur": "tr", "ukr": "uk", "urd": "ur", "zho": "zh",
}  # fmt: skip
"""Other codes for the same languages."""
_RIGHT_TO_LEFT = frozenset({"ar", "arc", "arz", "ckb", "dv", "fa", "he", "ps", "sd", "syr", "ug", "ur", "yi"})
_LOCALES = frozenset({"pt-br", "zh-tw", "zh-cn", "zh-hk", "zh-sg", "es-ar", "fr-be", "fr-ca", "nl-be", "sv-fi"})
"""Tags in small letters whose second part is a country, although there is a language of that name."""
_APART = re.compile(r"[/+,;|>& ]+")
_TAG = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*")


def languages_of(tag: str | None) -> tuple[str, ...]:
    """The languages that a tag names: one, or two for a pair of texts in two languages.

    What does not look like a tag is taken as the name of one language.

    >>> languages_of("de-AT"), languages_of("zh-Hans"), languages_of("ar-en"), languages_of("eng/urd"), languages_of("")
    (('de',), ('zh',), ('ar', 'en'), ('en', 'ur'), ())
    """
    found: list[str] = []
    parts = _APART.split((tag or "").strip())
    if not all(_TAG.fullmatch(part) for part in parts):
        whole = " ".join((tag or "").replace(",", " ").lower().split())
        return (whole,) if whole else ()
    for part in parts:
        found += [each for each in _in_part(part) if each not in found]
    return tuple(found)


def _in_part(part: str) -> list[str]:
    first, *rest = re.split(r"[-_]", part)
    second = rest[0] if rest else ""
    is_language = _code(second) in ENDONYMS and second.islower() and f"{first}-{second}".lower() not in _LOCALES
    return [_code(each) for each in ((first, second) if is_language else (first,)) if each]


def _code(written: str) -> str:
    small = written.lower()
    return _LONGER.get(small, small)


def needed_languages(items: Iterable[Mapping[str, Any]]) -> str | None:
    """The languages that a question about these items takes, joined by commas; None where no item says one.

    >>> needed_languages([{"language": "en"}, {"language": "de-CH"}, {}]), needed_languages([{}])
    ('de,en', None)
    """
    found = {language for item in items for language in languages_of(item.get("language"))}
    return ",".join(sorted(found)) or None


def endonym(code: str) -> str:
    """A language by its own name, or the code where we do not know it."""
    return ENDONYMS.get(code, code)


def direction(code: str) -> Literal["ltr", "rtl"]:
    """The direction in which a language is written.

    >>> direction("ur"), direction("de")
    ('rtl', 'ltr')
    """
    return "rtl" if code in _RIGHT_TO_LEFT else "ltr"


class Sides(NamedTuple):
    """The languages of the left and the right text; None where unknown."""

    left: str | None
    right: str | None


def sides(tag: str | None) -> Sides:
    """The language of each text of a pair.

    >>> sides("ar-en"), sides("fa")
    (Sides(left='ar', right='en'), Sides(left='fa', right='fa'))
    """
    found = languages_of(tag)
    return Sides(found[0], found[-1]) if found else Sides(None, None)
