"""What is known of a benchmark's texts, as one value: for a terminal, a page, a paper or another program."""

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
"""Whose words are counted: the turns of each dialogue once, or each distinct left or right text once."""

Unit = Literal["pooled", "dialogue", "text"]
UNITS: tuple[Unit, ...] = get_args(Unit)
"""What richness is measured on: all words of a part as one text, or each dialogue or each text, then averaged."""


class Lengths(NamedTuple):
    """How long texts are, in characters and in tokens."""

    characters: NumberSummary
    tokens: NumberSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """How often texts occur, as left or right of an item.

    Attributes:
        times: how many texts occur once, twice and so on, by number of times.
        most: how often the most frequent text occurs.
        example: that text; the first of them where there are several.
    """

    times: dict[int, int]
    most: int
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartStatistics:
    """What is known of one part of the items.

    Attributes:
        part: the values that its items share, one for each column that items were parted by.
        items: how many items there are.
        texts: how many left and right texts they have: two an item.
        distinct_texts: how many of these differ.
        dialogues: how many distinct dialogues there are; None where the words of pairs are counted.
        passages: the texts whose words are counted: turns of dialogues, or distinct texts of pairs.
        tokens: how many tokens these have.
        types: how many different words these have, as richness counts words.
        lemmas: how many different lemmas these have; None where lemmas were not looked up.
        richness: RTTR and MTLD by unit; no "dialogue" where the words of pairs are counted.
        lengths: of "left", "right" and "pair" (both together), of every item; and of "turn", each dialogue once.
        word_overlap: of left and right, over the items.
        repeats: how often texts occur.
        scores: gold scores in tenths of the scale; None where there are none.
        sigmas: standard deviations of people's opinions; None where there are none.
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
        """Tokens a passage: the average turn length of GiCCS, Table 2."""
        return self.tokens / self.passages

    def record(self, by: tuple[str, ...]) -> dict[str, Any]:
        """All of it as plain dicts and lists, ready for JSON: null where a figure is undefined."""
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
    """What is known of a benchmark's texts, part by part and as a whole.

    Attributes:
        name: the benchmark's name.
        by: what the items were parted by.
        words_of: whose words are counted.
        threshold: where factors of MTLD end.
        scale: the scale of the scores, as written; None without one.
        is_simulated: whether the judgements come from a model of annotators, not from people.
        parts: each part, in the order of a table.
        whole: all items together.
        notes: what a reader of the figures should know.
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
        """All of it as plain dicts and lists, ready for JSON."""
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
