"""The published files of USTS, as judgements."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path

import polars as pl

import similitude as sim
from similitude.data.judgements import Judgements
from similitude.gold.reliability.contention import of_items
from similitude.gold.reliability.rounds import in_round

PARTS = ("USTS-U", "USTS-C")
SOURCES = {"TED-X": "ted-x", "XNLI": "xnli", "PAWS-X": "pawsx", "USTS": None}


class Corpus:
    """USTS, read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def benchmarks(self) -> dict[str, sim.Benchmark]:
        """Each part."""
        return {"USTS-U": sim.read(self.folder / "ustsu"), "USTS-C": sim.read(self.folder / "ustsc")}

    @cached_property
    def parts(self) -> dict[str, Judgements]:
        """Every rating of each part; a place in the list is a person."""
        return {name: Judgements.of_benchmark(one, positions_are_people=True) for name, one in self.benchmarks.items()}

    @cached_property
    def first_round(self) -> Judgements:
        """The four ratings that every pair of both parts has."""
        parts = list(self.parts.values())
        frame = pl.concat([in_round(part, "first").frame for part in parts])
        return replace(parts[0], name="USTS", frame=frame, items=pl.concat([part.items for part in parts]))

    @cached_property
    def study(self) -> dict[str, Judgements]:
        """The 100 + 100 pairs of sections 3.4 and 6, in two languages."""
        whole = Judgements.of_benchmark(self.pairs_in_two_languages)
        return {part: of_items(whole, whole.items.filter(pl.col("source") == part.lower())["id"]) for part in PARTS}

    @cached_property
    def pairs_in_two_languages(self) -> sim.Benchmark:
        """The same pairs as a benchmark."""
        return sim.read(self.folder / "usts_multilingual_case_study_examples.json.bz2")

    def of_source(self, source: str | None) -> Judgements:
        """The first round of the pairs from one source, or of all."""
        whole = self.first_round
        return whole if source is None else of_items(whole, whole.items.filter(domain=source)["id"])

    def in_chinese(self, part: str) -> Judgements:
        """The Chinese ratings of the 100 pairs of a part."""
        whole = self.study[part]
        return of_items(whole, whole.items.filter(language="zh")["id"])
