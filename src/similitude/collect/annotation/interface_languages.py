"""The languages that the interface speaks: one file of texts each, in ``web/texts``."""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated

from pydantic import AfterValidator

__all__ = ["LANGUAGES", "Language"]


def _found() -> tuple[str, ...]:
    """The names of the files of texts; English, which has every text, comes first."""
    names = {each.name for each in files(__package__).joinpath("web", "texts").iterdir()}
    codes = sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))
    return ("en", *(code for code in codes if code != "en"))


LANGUAGES: tuple[str, ...] = _found()
"""The languages that the interface speaks, English first. Another file of texts is another language."""


def _spoken(language: str) -> str:
    if language not in LANGUAGES:
        raise ValueError(f"the interface does not speak '{language}'; it speaks {', '.join(LANGUAGES)}")
    return language


Language = Annotated[str, AfterValidator(_spoken)]
"""A language that the interface speaks."""
