"""The results of a five-settings study: figures, spreads and coverage of every system on every benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.coverage import observed_coverage
from similitude.stats.finite import finite_or_none
from similitude.study.five_settings.models import MissingCell, TrainedSetting
from similitude.study.five_settings.plan import FiveSettingsPlan
from similitude.study.five_settings.table import SettingRow
from similitude.study.runs import Run

__all__ = ["MEASURES", "DomainResult", "FiveSettings", "Spreads", "spreads_of"]

MEASURES = (
    "pearson",
    "spearman",
    "ece_wang2022",
    "ece",
    "nlpd_wang2022",
    "nlpd",
    "kl",
    "crps",
    "sigma_pearson",
    "sigma_spearman",
)
GROUPS = 10
"""The number of groups of items, by human sigma, over which predicted sigmas are averaged."""

Array = NDArray[np.float64]


class Spreads(NamedTuple):
    """Standard deviations among people and as a system predicts them, on the scale of the benchmark.

    Attributes:
        human: one per item; empty if gold has none.
        predicted: for the same items.
        coverage: the shares of gold scores inside the central intervals of 5, 10, ..., 95 %.
    """

    human: Array
    predicted: Array
    coverage: Array

    def averaged(self) -> tuple[Array, Array]:
        """Mean human and mean predicted sigma of ten groups of items of equal size, by human sigma."""
        parts = np.array_split(np.argsort(self.human, kind="stable"), min(GROUPS, max(1, self.human.size)))
        return tuple(np.array([values[part].mean() for part in parts]) for values in self[:2])  # type: ignore[return-value]


@dataclass(frozen=True, kw_only=True, eq=False)
class DomainResult:
    """The results of all systems on the test items of one benchmark.

    Attributes:
        name: of the benchmark.
        rows: the rows of the table that were tested on it.
        run: its systems are named like the rows.
        spreads: one per row; None for systems that predict no standard deviation.
        human_sigma: the mean standard deviation among people; nan if gold has none.
    """

    name: str
    rows: tuple[SettingRow, ...]
    run: Run
    spreads: tuple[Spreads | None, ...]
    human_sigma: float

    def figure(self, row: SettingRow, measure: str) -> float:
        """One figure; nan if it is undefined or the row was not tested."""
        if row not in self.rows:
            return float("nan")
        return self.run.figures[self.rows.index(row)][MEASURES.index(measure)].value


@dataclass(frozen=True, kw_only=True, eq=False)
class FiveSettings:
    """A finished five-settings study.

    Attributes:
        folder: of models and runs.
        results: one per benchmark.
        models: the models that were trained.
        missing: empty cells.
        notes: what the user should know.
        drawn: of which parts of the benchmarks items were drawn, and how many of how many.
    """

    plan: FiveSettingsPlan
    folder: Path
    results: tuple[DomainResult, ...]
    models: tuple[TrainedSetting, ...]
    missing: tuple[MissingCell, ...] = ()
    notes: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name of the plan, or the names of the benchmarks if it has none."""
        return self.plan.name or ", ".join(result.name for result in self.results)

    @property
    def rows(self) -> tuple[SettingRow, ...]:
        """The rows of the table that are not empty."""
        return tuple(row for row in self.plan.rows if any(row in result.rows for result in self.results))

    @property
    def is_simulated(self) -> bool:
        """Whether any of the judgements are simulated."""
        return any(result.run.data.is_simulated for result in self.results)

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "plan": self.plan.model_dump(mode="json"),
            "figures": list(self.table()),
            "trained": [
                {
                    "what": one.model.what,
                    "from": list(one.model.on),
                    "folder": str(one.folder),
                    "items": one.items,
                    "validation": {name: finite_or_none(value) for name, value in one.validation.items()},
                }
                for one in self.models
            ],
            "missing": [{"data": one.domain, "row": one.row.label, "why": one.why} for one in self.missing],
            "confidence": {result.name: _confidence(result.run) for result in self.results},
            "notes": list(self.notes),
            "drawn": list(self.drawn),
        }

    def table(self) -> list[dict[str, Any]]:
        """The figures in long form, one row per figure."""
        return [
            {
                "data": result.name,
                "setting": row.setting.number,
                "setting_name": row.setting.name,
                "system": row.kind.name,
                **{key: value for key, value in figure.items() if key not in ("data", "system")},
                "mean_sigma": None if spreads is None else float(spreads.predicted.mean()),
            }
            for result in self.results
            for place, figure in enumerate(result.run.rows())
            for row, spreads in [(result.rows[place // len(MEASURES)], result.spreads[place // len(MEASURES)])]
        ]


def spreads_of(finished: Run, place: int) -> Spreads | None:
    """The standard deviations that a system of a run predicts; None if it predicts none."""
    said = finished.mappings[place].apply(finished.predictions[place])
    if said.sigmas is None:
        return None
    gold = finished.benchmark.gold
    known = np.isfinite(gold.sigmas) if gold.sigmas is not None else np.zeros(len(gold), dtype=np.bool_)
    human = np.empty(0) if gold.sigmas is None else gold.sigmas[known]
    coverage = observed_coverage(gold.scores, said.scores, said.sigmas)
    return Spreads(human, said.sigmas[known] if human.size else said.sigmas, coverage)


def _confidence(finished: Run) -> dict[str, Any] | None:
    return None if finished.confidence is None else finished.confidence.record()
