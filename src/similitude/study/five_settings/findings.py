"""What came of a study of settings: figures, spreads and coverage of every system on every benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.coverage import observed_coverage
from similitude.stats.finite import finite_or_none
from similitude.study.five_settings.models import TrainedSetting
from similitude.study.five_settings.plan import SettingRow, SettingsPlan
from similitude.study.runs import Run

__all__ = ["MEASURES", "FiveSettings", "MeasuredSystem", "Missing", "Spreads", "spreads_of"]

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
"""Of items, by human sigma, over which predicted sigmas are averaged."""

Array = NDArray[np.float64]


class Missing(NamedTuple):
    """A cell of the table that stays empty, and why."""

    domain: str
    row: SettingRow
    why: str


class Spreads(NamedTuple):
    """How far people differ and how far a system expects them to, on the scale of the benchmark.

    Attributes:
        human: one standard deviation an item; empty where gold has none.
        predicted: the same as the system has it.
        coverage: the share of gold scores inside the central interval of 5, 10, ..., 95 %.
    """

    human: Array
    predicted: Array
    coverage: Array

    def averaged(self) -> tuple[Array, Array]:
        """Mean human and mean predicted sigma of ten groups of items of equal size, by human sigma."""
        parts = np.array_split(np.argsort(self.human, kind="stable"), min(GROUPS, max(1, self.human.size)))
        return tuple(np.array([values[part].mean() for part in parts]) for values in self[:2])  # type: ignore[return-value]


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredSystem:
    """A benchmark, and how every system did on its test items.

    Attributes:
        name: of the benchmark.
        rows: the lines of the table that were judged on it.
        run: the run, its systems called as the rows are.
        spreads: what each row's system says of spread; None for systems that say nothing.
        human_sigma: the mean standard deviation among people; nan where gold has none.
    """

    name: str
    rows: tuple[SettingRow, ...]
    run: Run
    spreads: tuple[Spreads | None, ...]
    human_sigma: float

    def figure(self, row: SettingRow, measure: str) -> float:
        """One figure; nan where it is undefined or the row was not judged."""
        if row not in self.rows:
            return float("nan")
        return self.run.figures[self.rows.index(row)][MEASURES.index(measure)].value


@dataclass(frozen=True, kw_only=True, eq=False)
class FiveSettings:
    """A finished study of settings.

    Attributes:
        plan: what was asked for.
        folder: where everything is kept.
        judged: one a benchmark.
        taught: the models that were trained.
        missing: cells that stay empty.
        notes: what the user should know.
    """

    plan: SettingsPlan
    folder: Path
    judged: tuple[MeasuredSystem, ...]
    taught: tuple[TrainedSetting, ...]
    missing: tuple[Missing, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name of the plan, or of the benchmarks where it has none of its own."""
        return self.plan.name or ", ".join(judged.name for judged in self.judged)

    @property
    def rows(self) -> tuple[SettingRow, ...]:
        """The lines of the table that hold anything."""
        return tuple(row for row in self.plan.rows if any(row in judged.rows for judged in self.judged))

    @property
    def is_simulated(self) -> bool:
        """Whether any of the judgements come from a model of annotators."""
        return any(judged.run.data.is_simulated for judged in self.judged)

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "plan": self.plan.model_dump(mode="json"),
            "figures": list(self.table()),
            "trained": [
                {
                    "what": one.lesson.what,
                    "from": list(one.lesson.on),
                    "folder": str(one.folder),
                    "items": one.items,
                    "validation": {name: finite_or_none(value) for name, value in one.validation.items()},
                }
                for one in self.taught
            ],
            "missing": [{"data": one.domain, "row": one.row.label, "why": one.why} for one in self.missing],
            "confidence": {judged.name: _sureness(judged.run) for judged in self.judged},
            "notes": list(self.notes),
        }

    def table(self) -> list[dict[str, Any]]:
        """One row a figure: long form, for tables elsewhere."""
        return [
            {
                "data": judged.name,
                "setting": row.setting.number,
                "setting_name": row.setting.name,
                "system": row.kind.name,
                **{key: value for key, value in figure.items() if key not in ("data", "system")},
                "mean_sigma": None if spreads is None else float(spreads.predicted.mean()),
            }
            for judged in self.judged
            for place, figure in enumerate(judged.run.rows())
            for row, spreads in [(judged.rows[place // len(MEASURES)], judged.spreads[place // len(MEASURES)])]
        ]


def spreads_of(finished: Run, place: int) -> Spreads | None:
    """What a system of a run says of spread, where it says anything."""
    said = finished.mappings[place].apply(finished.predictions[place])
    if said.sigmas is None:
        return None
    gold = finished.benchmark.gold
    known = np.isfinite(gold.sigmas) if gold.sigmas is not None else np.zeros(len(gold), dtype=np.bool_)
    human = np.empty(0) if gold.sigmas is None else gold.sigmas[known]
    coverage = observed_coverage(gold.scores, said.scores, said.sigmas)
    return Spreads(human, said.sigmas[known] if human.size else said.sigmas, coverage)


def _sureness(finished: Run) -> dict[str, Any] | None:
    return None if finished.confidence is None else finished.confidence.record()
