"""The interface's texts in every language, and the choice of a language."""

from __future__ import annotations

import tomllib
from collections import ChainMap
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from similitude.collect.annotation.interface_languages import LANGUAGES
from similitude.collect.annotation.tasks import AnnotationTask

__all__ = ["LANGUAGES", "Texts", "choose_language", "flat_texts", "study_texts", "texts_in"]


class Texts:
    """The texts of one language.

    >>> texts = texts_in("de")
    >>> texts("phase.work", number=3, total=20)
    'Frage 3 von 20'
    """

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        self.language = language
        self._texts = texts

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key with its braces filled in. A key without a text is shown as words."""
        text = self._texts.get(key)
        if text is None:
            return key.rpartition(".")[2].replace("_", " ")
        return text.format_map(_Values(values))

    def first_of(self, *keys: str, **values: object) -> str:
        """The text of the first key that has one."""
        return self(next((key for key in keys if key in self), keys[0]), **values)


class _Values(dict[str, object]):
    """Values for the braces of a text; braces without a value stay as they are."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def texts_in(language: str) -> Texts:
    """The texts of the interface in one of `LANGUAGES`."""
    return Texts(language, _interface(language))


def study_texts(language: str, task: AnnotationTask) -> Texts:
    """The texts of a study's pages in one of `LANGUAGES`: the interface's, and those of the task.

    The task's own texts win. Where it lacks this language, its English ones are shown.
    """
    own, english = (flat_texts(task.texts.get(each, {})) for each in (language, "en"))
    return Texts(language, ChainMap(own, _interface(language), english))


@cache
def _interface(language: str) -> dict[str, str]:
    written = files(__package__).joinpath("texts", f"{language}.toml").read_text(encoding="utf-8")
    return flat_texts(tomllib.loads(written))


def flat_texts(table: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Nested tables of texts as one table, with keys joined by dots.

    >>> flat_texts({"save": {"saved": "Saved"}})
    {'save.saved': 'Saved'}
    """
    flat: dict[str, str] = {}
    for name, value in table.items():
        if isinstance(value, Mapping):
            flat |= flat_texts(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat


def choose_language(accepted: str, among: Sequence[str]) -> str:
    """The best language for an ``Accept-Language`` header, or the first one.

    >>> choose_language("fr;q=0.9, de-CH;q=0.8, en;q=0.1", ["en", "de"])
    'de'
    >>> choose_language("fr", ["zh", "en"])
    'zh'
    """
    wanted = sorted(_wishes(accepted), key=lambda wish: -wish[1])
    for tag, weight in wanted:
        if weight > 0 and tag in among:
            return tag
    return among[0]


def _wishes(accepted: str) -> list[tuple[str, float]]:
    wishes = []
    for part in accepted[:500].split(","):
        tag, _, quality = part.strip().partition(";")
        wishes.append((tag.partition("-")[0].strip().lower(), _weight(quality)))
    return wishes


def _weight(quality: str) -> float:
    name, _, number = quality.strip().partition("=")
    try:
        return float(number) if name == "q" else 1.0
    except ValueError:
        return 0.0
