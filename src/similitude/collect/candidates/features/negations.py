"""Negations: words that deny, by language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from similitude.collect.candidates.features.catalogue import FEATURES
from similitude.collect.candidates.features.sides import OneNumber
from similitude.collect.candidates.features.text_languages import ASSUMED, by_language, unstated_note
from similitude.collect.candidates.features.text_properties import TextProperty
from similitude.data.texts import Texts

__all__ = ["NEGATIONS", "Negations"]

NEGATIONS: Mapping[str, str] = {
    "en": r"\b(?:no|not|never|none|nobody|nothing|nowhere|neither|nor|cannot|without|\w+n['’]t)\b",
    "de": r"\b(?:nicht|nie|niemals|nichts|niemand\w*|nirgend\w*|kein(?:e|en|em|er|es|erlei)?|weder|ohne)\b",
    "fr": r"\b(?:ne|non|jamais|rien|personne|aucune?|nulle? part|ni|sans)\b|\bn['’]",
    "es": r"\b(?:no|nunca|jamás|nada|nadie|ningún|ningun[oa]s?|tampoco|ni|sin)\b",
    "it": r"\b(?:no|non|mai|niente|nulla|nessun[oa]?|né|senza)\b",
    "zh": r"不|没|無|无|未|非|别|莫|勿",
}
"""One pattern for each language; texts are lower-cased first."""


def negation_counts(frame: pl.DataFrame, _: str) -> pl.Series:
    """How many negations each text has; English ones if no language is known."""
    return by_language(frame, _negations)


def _negations(texts: pl.Series, code: str) -> pl.Series:
    pattern = NEGATIONS.get(code or ASSUMED)
    if pattern is None:
        return pl.repeat(0, len(texts), dtype=pl.Int64, eager=True)
    return texts.str.to_lowercase().str.count_matches(pattern).cast(pl.Int64)


@FEATURES.register("negations", "negation")
@dataclass(frozen=True, repr=False)
class Negations(OneNumber):
    """Negations in a text, as in ``negations(of=difference) == 1``: one text denies once more than the other.

    A word list by language (de, en, es, fr, it, zh); it does not know what is denied, nor prefixes such as "un-".
    """

    name: ClassVar[str] = "negations"
    meaning: ClassVar[str] = "negations (not, never, n't ...) in the text with fewer of them"
    of_text: ClassVar[TextProperty] = TextProperty("negations", "numbers", negation_counts)

    def notes(self, texts: Texts) -> list[str]:
        """Which texts have no known negations."""
        return unstated_note(texts.frame, frozenset(NEGATIONS), "negations")
