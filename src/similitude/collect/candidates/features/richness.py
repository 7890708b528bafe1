"""Lexical richness of the texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from similitude.collect.candidates.features.catalogue import FEATURES
from similitude.collect.candidates.features.sides import OneNumber
from similitude.collect.candidates.features.text_languages import by_language
from similitude.collect.candidates.features.text_properties import TextProperty
from similitude.inspect.words.richness import mtld, rttr
from similitude.inspect.words.tokens import tokens_of

__all__ = ["Mtld", "Rttr"]


def rttr_of_texts(frame: pl.DataFrame, _: str) -> pl.Series:
    """The root type-token ratio of each text; nan without words."""
    return _richness(frame, rttr)


def mtld_of_texts(frame: pl.DataFrame, _: str) -> pl.Series:
    """The MTLD of each text; nan without words."""
    return _richness(frame, mtld)


def _richness(frame: pl.DataFrame, measure: Callable[[Sequence[str]], float]) -> pl.Series:
    def of_language(texts: pl.Series, code: str) -> pl.Series:
        return pl.Series([measure(tokens_of(text, code).plain) for text in texts], dtype=pl.Float64)

    return by_language(frame, of_language)


@FEATURES.register("rttr")
@dataclass(frozen=True, repr=False)
class Rttr(OneNumber):
    """Root type-token ratio of the less rich text, or of the side that ``of`` names."""

    name: ClassVar[str] = "rttr"
    meaning: ClassVar[str] = "root type-token ratio of the less rich text"
    undefined: ClassVar[str] = "a text has no words"
    of_text: ClassVar[TextProperty] = TextProperty("rttr", "numbers", rttr_of_texts)


@FEATURES.register("mtld")
@dataclass(frozen=True, repr=False)
class Mtld(OneNumber):
    """Measure of textual lexical diversity of the less rich text, or of the side that ``of`` names."""

    name: ClassVar[str] = "mtld"
    meaning: ClassVar[str] = "lexical diversity (MTLD) of the less rich text"
    undefined: ClassVar[str] = "a text has no words"
    of_text: ClassVar[TextProperty] = TextProperty("mtld", "numbers", mtld_of_texts)
