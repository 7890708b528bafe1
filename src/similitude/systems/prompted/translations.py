"""The texts of our prompts in English, German and Chinese: one file per language."""

from __future__ import annotations

import functools
import hashlib
import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any, Literal, get_args

from similitude.data.item import Item

__all__ = ["LANGUAGES", "Language", "Translation", "language_of", "texts_fingerprint", "translation_for"]

Language = Literal["en", "de", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
_NAMES = {"english": "en", "eng": "en", "german": "de", "deutsch": "de", "ger": "de", "deu": "de"} | {
    "chinese": "zh",
    "zho": "zh",
    "chi": "zh",
    "cmn": "zh",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """The prompt texts of one language, by section and key.

    Attributes:
        labels: the labels of the parts of a pair.
        short: the short instruction for plain pairs, conditions and dialogues.
        long: the long instructions, and their common parts.
        levels: descriptions of the levels of a scale.
        choice: the texts of a multiple-choice question.
        introduction: the sentence that introduces a persona.
    """

    language: Language
    labels: dict[str, str]
    short: dict[str, str]
    long: dict[str, str]
    levels: dict[str, tuple[str, ...]]
    choice: dict[str, str]
    introduction: str
    personas: tuple[str, ...]

    def labelled(self, label: str, text: str = "") -> str:
        """A label with its colon, and the text after it if there is one.

        >>> translation_for("en").labelled("Text 1", "A cat."), translation_for("zh").labelled("分数")
        ('Text 1: A cat.', '分数：')
        """
        return f"{label}{self.labels['colon']}{self.labels['space']}{text}" if text else label + self.labels["colon"]


@functools.cache
def translation_for(language: Language) -> Translation:
    """The prompt texts of a language."""
    read: dict[str, Any] = tomllib.loads(_file(language))
    persona = read["persona"]
    return Translation(
        language=language,
        labels=read["labels"],
        short=read["short"],
        long=read["long"],
        levels={name: tuple(meanings) for name, meanings in read["levels"].items()},
        choice=read["choice"],
        introduction=persona["speak"],
        personas=tuple(persona["people"]),
    )


@functools.cache
def texts_fingerprint() -> str:
    """Hash of all prompt texts."""
    return hashlib.sha256("".join(map(_file, LANGUAGES)).encode()).hexdigest()


def _file(language: Language) -> str:
    return (resources.files("similitude.systems.prompted") / "texts" / f"{language}.toml").read_text(encoding="utf-8")


def language_of(item: Item) -> Language:
    """The language of an item's prompt: its own if supported, else English.

    >>> language_of(Item(id="1", left="a", right="b", language="de-AT"))
    'de'
    """
    stated = (item.language or "en").strip().lower()
    code = _NAMES.get(stated, stated.replace("_", "-").partition("-")[0])
    return next((language for language in LANGUAGES if language == code), "en")
