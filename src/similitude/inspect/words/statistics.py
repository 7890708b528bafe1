"""Statistics of a benchmark's texts, as records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from similitude.inspect.words.distribution import Distribution, NumberSummary
from similitude.inspect.words.parts import Part
from similitude.inspect.words.richness import Richness
from similitude.stats.finite import finite_or_none

__all__ = ["UNITS", "WORDS_OF", "Lengths", "PartStatistics", "Repeats", "TextStatistics", "Unit", "WordsOf"]

WordsOf = Literal["dialogues", "pairs"]
WORDS_OF: tuple[WordsOf, ...] = get_args(WordsOf)
"""The texts whose words are counted: the turns of each dialogue once, or each distinct left or right text once."""

Unit = Literal["pooled", "dialogue", "text"]
UNITS: tuple[Unit, ...] = get_args(Unit)
"""The unit of richness: all words of a part as one text, or the mean over dialogues or over texts."""


class Lengths(NamedTuple):
    """Lengths of texts, in characters and in tokens."""

    characters: NumberSummary
    tokens: NumberSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """How often texts occur, as left or right of an item.

    Attributes:
        times: numbers of occurrences to numbers of texts.
        most: the number of occurrences of the most frequent text.
        example: the first text that occurs so often.
    """

    times: dict[int, int]
    most: int
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartStatistics:
    """Statistics of one part of the items.

    Attributes:
        part: the values that its items share, one for each column by which items are divided.
        items: the number of items.
        texts: the number of left and right texts, two per item.
        distinct_texts: the number of different texts among them.
        dialogues: the number of distinct dialogues; None if the words of pairs are counted.
        passages: the number of texts whose words are counted: turns of dialogues, or distinct texts of pairs.
        tokens: the number of tokens in the passages.
        types: the number of different words in the passages, as richness counts words.
        lemmas: the number of different lemmas in the passages; None if lemmas were not looked up.
        richness: RTTR and MTLD by unit; without "dialogue" if the words of pairs are counted.
        lengths: the lengths of "left", "right" and "pair" (both) over items, and of "turn" over distinct dialogues.
        word_overlap: the word overlap of left and right over items.
        repeats: how often texts occur.
        scores: the distribution of gold scores; None if there are none.
        sigmas: the distribution of people's standard deviations; None if there are none.
    """

    part: Part
    items: int
    texts: int
    distinct_texts: int
    dialogues: int | None
    passages: int
    tokens: int
    types: int
    lemmas: int | None
    richness: dict[Unit, Richness]
    lengths: dict[str, Lengths]
    word_overlap: NumberSummary
    repeats: Repeats
    scores: Distribution | None
    sigmas: Distribution | None

    @property
    def passage_length(self) -> float:
        """Tokens per passage: the average turn length of GiCCS, Table 2."""
        return self.tokens / self.passages

    def record(self, by: tuple[str, ...]) -> dict[str, Any]:
        """The statistics as plain dicts and lists, ready for JSON; None for undefined values."""
        return {
            "part": dict(zip(by, self.part, strict=True)),
            **{name: getattr(self, name) for name in ("items", "texts", "distinct_texts", "dialogues", "passages")},
            **{name: getattr(self, name) for name in ("tokens", "types", "lemmas")},
            "tokens_a_passage": self.passage_length,
            "rttr": {unit: finite_or_none(found.rttr) for unit, found in self.richness.items()},
            "mtld": {unit: finite_or_none(found.mtld) for unit, found in self.richness.items()},
            "lengths": {
                of: {"characters": _spread(found.characters), "tokens": _spread(found.tokens)}
                for of, found in self.lengths.items()
            },
            "word_overlap": _spread(self.word_overlap),
            "repeats": {
                "times": {str(times): texts for times, texts in self.repeats.times.items()},
                "most": self.repeats.most,
                "example": self.repeats.example,
            },
            "scores": _distribution(self.scores),
            "sigmas": _distribution(self.sigmas),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TextStatistics:
    """Statistics of a benchmark's texts, part by part and as a whole.

    Attributes:
        name: the benchmark's name.
        by: the columns by which items are divided.
        words_of: the texts whose words are counted.
        threshold: the type-token ratio at which factors of MTLD end.
        scale: the scale of the scores, as text; None without one.
        is_simulated: whether a model of annotators gave the judgements, not people.
        parts: the statistics of each part, in the order of a table.
        whole: the statistics of all items.
        notes: notes for readers.
    """

    name: str
    by: tuple[str, ...]
    words_of: WordsOf
    threshold: float
    scale: str | None
    is_simulated: bool
    parts: tuple[PartStatistics, ...]
    whole: PartStatistics
    notes: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """The statistics as plain dicts and lists, ready for JSON."""
        return {
            "data": self.name,
            "is_simulated": self.is_simulated,
            "scale": self.scale,
            "by": list(self.by),
            "words_of": self.words_of,
            "mtld_threshold": self.threshold,
            "whole": {name: value for name, value in self.whole.record(()).items() if name != "part"},
            "parts": [part.record(self.by) for part in self.parts],
            "notes": list(self.notes),
        }


def _spread(spread: NumberSummary) -> dict[str, float | None]:
    return {
        "mean": finite_or_none(spread.mean),
        "median": finite_or_none(spread.median),
        "max": finite_or_none(spread.most),
    }


def _distribution(found: Distribution | None) -> dict[str, Any] | None:
    if found is None:
        return None
    edges = [round(edge, 12) for edge in found.edges]
    counts = {"edges": edges, "counts": list(found.counts), "beyond": found.beyond, "missing": found.missing}
    return counts | _spread(found.spread)
