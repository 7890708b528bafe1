"""Languages by their ISO 639 codes, as the hub, MTEB and Croissant write them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from similitude.errors import ArgumentError

__all__ = ["Language", "language_of", "languages_of"]

TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|\d{3}))?")
"""A language, perhaps with script and region: de, de-CH, zh-Hant, zh-Hant-TW."""

OWN_NAMES = dict(
    [
        *(("deutsch", "de"), ("español", "es"), ("français", "fr"), ("italiano", "it"), ("nederlands", "nl")),
        *(("português", "pt"), ("dansk", "da"), ("norsk", "no"), ("polski", "pl"), ("suomi", "fi"), ("svenska", "sv")),
        *(("türkçe", "tr"), ("русский", "ru"), ("中文", "zh"), ("日本語", "ja"), ("한국어", "ko"), ("العربية", "ar")),
    ]
)
"""Names that languages have in themselves: some, such as Deutsch, look like the English name of another one."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    Attributes:
        code: ISO 639-1, or 639-3 where there is no code of two letters.
        three: ISO 639-3.
        script: ISO 15924.
        name: in English.
        tag: the whole tag, with script and region where they were given.
    """

    code: str
    three: str
    script: str
    name: str
    tag: str

    @property
    def mteb(self) -> str:
        """MTEB's code: ``deu-Latn``."""
        return f"{self.three}-{self.script}"


def languages_of(codes: Iterable[str]) -> tuple[Language, ...]:
    """The languages of several codes, each once; a code may be a list with commas."""
    parts = (part.strip() for code in codes for part in code.split(","))
    return tuple({found.tag: found for found in (language_of(part) for part in parts if part)}.values())


def language_of(code: str) -> Language:
    """The language of a code or tag.

    >>> language_of("de").mteb, language_of("deu").code, language_of("zh-hant-TW").tag
    ('deu-Latn', 'de', 'zh-Hant-TW')

    Raises:
        ArgumentError: this is no code that we know.
    """
    found = TAG.fullmatch(code.strip())
    known = _known().get(found[1].lower()) if found else None
    if found is None or known is None:
        raise ArgumentError(f"'{code}' is no language code (ISO 639)", remedy=_remedy(code))
    two, three, script, name = known
    given = found[2].title() if found[2] else ""
    tag = "-".join(part for part in (two or three, given, (found[3] or "").upper()) if part)
    return Language(two or three, three, given or script, name, tag)


def _remedy(code: str) -> str:
    wanted = code.strip().lower()
    by_name = {row[3].lower(): row[0] or row[1] for row in _known().values()}
    by_name |= {own: code for own, code in OWN_NAMES.items() if own == wanted}
    near = difflib.get_close_matches(wanted, by_name, n=1, cutoff=0.75) or [
        name for name in by_name if wanted and name.startswith(wanted)
    ]
    hint = f"did you mean --language {by_name[near[0]]} ({near[0].title()})? " if near else ""
    return f"{hint}write two or three letters, as in --language de, or with script and region: zh-Hant-TW"


@cache
def _known() -> dict[str, tuple[str, str, str, str]]:
    """Rows of two letters, three letters, usual script and name, by either code."""
    text = files("similitude.publication").joinpath("languages.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return {code: (two, three, script, name) for two, three, script, name in rows for code in (three, two) if code}
