"""A table of the five settings of the USTS paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from similitude.study.five_settings.findings import FiveSettings
from similitude.study.five_settings.plan import FiveSettingsPlan, OwnKind
from similitude.study.five_settings.study import open_models, run_five_settings
from similitude.study.folder import RunFolder
from similitude.study.tables.run_figures import figures_of_run
from similitude.study.tables.table_keys import PlannedCell, StudyFigure, StudyWork, TableKeys, TableResult

__all__ = ["FiveSettingsTable"]


class FiveSettingsTable(TableKeys, FiveSettingsPlan):
    """The five settings of the USTS paper: zero-shot, frozen, domain-specific, -generalised, cross-domain.

    Figures stand at setting, system, data, measure; the standard deviation among people at system "people"; and the
    range of those that a system predicts (5th to 95th percentile) at setting, system, sigmas (from, to).
    """

    layout: Literal["five-settings"]

    def joined(self, systems: Mapping[str, str]) -> Self:
        """With further systems, which are not trained."""
        own = {name: OwnKind(system=written) for name, written in systems.items()}
        return self.model_copy(update={"own": {**self.own, **own}})

    def planned(self, work: StudyWork) -> Iterator[PlannedCell]:
        """The trainings, and the systems on each benchmark."""
        models, cells = open_models(self, work.folder, device=work.device)
        for cell in models.trainings(cells):
            yield PlannedCell.of_training(cell)
        for domain in models.domains.values():
            saved = RunFolder(models.run_folder(domain.name)).saved_systems()
            for name, row in cells:
                if name == domain.name:
                    yield PlannedCell.of_system(f"{row.label} on {name}", models.system(row, name), saved)

    def run(self, work: StudyWork) -> TableResult:
        """Run what is missing."""
        options: dict[str, Any] = {"device": work.device, "cache": work.cache, "listener": work.listener}
        done = run_five_settings(self, work.folder, engine=work.engine, **options)
        return TableResult(tuple(_of_settings(done)), done, done.notes, done.is_simulated, drawn=done.drawn)


def _of_settings(done: FiveSettings) -> Iterator[StudyFigure]:
    predicted: dict[tuple[str, str], list[NDArray[np.float64]]] = {}
    for result in done.results:
        if np.isfinite(result.human_sigma):
            people = {"setting": "", "system": "people", "data": result.name, "measure": "sigma"}
            yield StudyFigure(at=people, value=result.human_sigma)
        for place, row in enumerate(result.rows):
            at = {"setting": str(row.setting.number), "system": row.kind.label, "data": result.name}
            yield from figures_of_run(result.run, place, at)
            spreads = result.spreads[place]
            if spreads is not None:
                yield StudyFigure(at={**at, "measure": "mean_sigma"}, value=float(spreads.predicted.mean()))
                known = predicted.setdefault((at["setting"], at["system"]), [])
                known += [spreads.predicted] if spreads.human.size else []
    for (setting, system), spreads_of_data in predicted.items():
        for name, share in (("from", 5), ("to", 95)) if spreads_of_data else ():
            value = float(np.percentile(np.concatenate(spreads_of_data), share))
            at = {"setting": setting, "system": system, "sigmas": name}
            yield StudyFigure(at=at, value=value, note=f"{share}th percentile of the predicted standard deviations")
