"""The result of a search for wrong labels."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from similitude.data.frames import Tabular
from similitude.data.plot import Plot
from similitude.data.scale import Scale
from similitude.data.shown import Shown
from similitude.stats import Interval

__all__ = ["Suspects"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Suspects(Shown, Tabular):
    """Which labels are probably wrong.

    Attributes:
        name: the name of the data.
        scale: of the labels.
        table: one row per item with a label, the most suspicious first: rank, id, the texts, given_label,
            forecast_label (by the forecasts alone), expected_label (by all evidence, were the label wrong),
            wrong_probability, suspect, verdict (of suspects: wrong, swapped or contentious), reason.
        share: the estimated share of wrong labels.
        interval: of the share, at 95 %.
        sources: what the forecasts are made of.
        spearman: the correlation of the forecasts with the labels.
        linked: the number of items whose label was compared with that of another: the same pair again, or under
            another condition.
        probability: suspects have at least this probability; None if there are as many as were asked for.
        judged_by: who gave the labels, where that is known.
        notes: what the user should know.

    >>> import similitude as sim
    >>> found = sim.suspects("csts.csv", model="my-encoder", split="train")  # doctest: +SKIP
    >>> found.to_pandas().query("wrong_probability > 0.9")  # doctest: +SKIP
    >>> found.page("suspects.html")  # doctest: +SKIP
    """

    name: str
    scale: Scale
    table: pl.DataFrame
    share: float
    interval: Interval
    sources: tuple[str, ...]
    spearman: float
    linked: int
    probability: float | None
    judged_by: str | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Suspects of '{self.name}': {self.count:,} of {len(self):,} labels, {self.share_text} wrong>"

    def __len__(self) -> int:
        return self.table.height

    @property
    def suspects(self) -> pl.DataFrame:
        """The rows of the suspects."""
        return self.table.filter("suspect")

    @property
    def count(self) -> int:
        """The number of suspects."""
        return self.suspects.height

    @property
    def expected_right(self) -> float:
        """How many of the suspects are expected to be right after all."""
        return float(np.sum(1.0 - self.suspects["wrong_probability"].to_numpy()))

    @property
    def share_text(self) -> str:
        """The share of wrong labels with its interval."""
        return f"{self.share:.1%} [{self.interval.low:.1%}, {self.interval.high:.1%}]"

    def to_polars(self) -> pl.DataFrame:
        """The table as a polars frame."""
        return self.table

    def record(self) -> dict[str, Any]:
        """Ready for JSON; the rows are those of the suspects."""
        return {
            "data": self.name,
            "scale": str(self.scale),
            "labels": len(self),
            "suspects": self.count,
            "share_wrong": round(self.share, 6),
            "share_interval": [round(self.interval.low, 6), round(self.interval.high, 6)],
            "probability": self.probability,
            "sources": list(self.sources),
            "spearman": None if self.spearman != self.spearman else round(self.spearman, 6),
            "linked": self.linked,
            "notes": list(self.notes),
            "items": self.suspects.to_dicts(),
        }

    def to_dict(self) -> dict[str, Any]:
        """The record, as ``--json`` prints it."""
        return self.record()

    def plot(self) -> Plot:
        """The distribution of the probabilities, and given against expected labels."""
        made: Plot = Plot("suspects", import_module("similitude.report.suspects_page").suspects_figure(self))
        return made

    def page(self, path: str | Path) -> Path:
        """Write the page that ``--page`` writes; returns its path."""
        written: Path = import_module("similitude.report.suspects_page").write_suspects_page(self, Path(path))
        return written
