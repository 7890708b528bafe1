"""The rules by which texts are cleaned."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from similitude.collect.candidates.clean.number_range import NumberRange
from similitude.errors import ArgumentError
from similitude.inspect.words.languages import language_code

__all__ = ["CleanRules", "LongTexts"]

LongTexts = Literal["drop", "cut"]
CODE = re.compile(r"[a-z]{2,3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanRules:
    """Which texts are kept, and how they are written.

    Attributes:
        characters: how many characters a text may have, such as ``"20..100"``.
        words: how many words, such as ``"5.."``; each character of Chinese and Japanese counts as a word.
        punctuation: replace repeated punctuation by a single mark.
        damaged: drop texts that a wrong encoding has damaged.
        languages: the codes of the languages to keep, such as ``("en", "de")``; none for all. Where the data does not
            state a language, it is guessed.
        unknown: whether to keep or drop texts whose language is neither stated nor can be guessed.
        longest: texts of more characters are dropped or cut.
        long: what is done with them.
    """

    characters: str | None = None
    words: str | None = None
    punctuation: bool = True
    damaged: bool = True
    languages: tuple[str, ...] = ()
    unknown: Literal["keep", "drop"] = "keep"
    longest: int = 10_000
    long: LongTexts = "drop"

    def __post_init__(self) -> None:
        for name, choices in (("long", get_args(LongTexts)), ("unknown", ("keep", "drop"))):
            if getattr(self, name) not in choices:
                what = f"{name}='{getattr(self, name)}' is not known"
                raise ArgumentError(what, remedy=f"known: {', '.join(choices)}")
        if isinstance(self.longest, bool) or not isinstance(self.longest, int) or self.longest < 1:
            raise ArgumentError(f"longest={self.longest!r} is no number of characters", remedy="give 1 or more")
        odd = next((code for code in self.codes if not CODE.fullmatch(code)), None)
        if odd is not None:
            raise ArgumentError(f"'{odd}' is no code of a language", remedy='give codes, as in languages=["en", "de"]')
        assert self.ranges is not None  # both are parsed, so that what is wrong is said at once

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the languages without region and script."""
        listed = (self.languages,) if isinstance(self.languages, str) else tuple(self.languages)
        return tuple(dict.fromkeys(language_code(language) for language in listed))

    @property
    def ranges(self) -> dict[str, NumberRange]:
        """The ranges of characters and words, where they are limited."""
        said = {"characters": self.characters, "words": self.words}
        return {name: NumberRange.parse(written, name) for name, written in said.items() if written is not None}
