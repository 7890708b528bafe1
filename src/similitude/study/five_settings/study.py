"""The five settings of the USTS paper as one study: zero-shot, frozen, domain-specific, -generalised, cross-domain.

::

    DIR/
      models/WHAT-DOMAIN...   one folder per trained model
      runs/DOMAIN             a run on the test items of each benchmark: predictions, figures
      settings.json           all figures

Models and predictions are saved as soon as they are computed. An interrupted study resumes, and a finished one is
not computed again.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from similitude.data.protocols import Listener
from similitude.errors import ArgumentError
from similitude.study.cells.cell_run import engine_apart, run_cells
from similitude.study.engines import Engine
from similitude.study.execution import run
from similitude.study.five_settings.domains import Domain, open_domains
from similitude.study.five_settings.findings import MEASURES, DomainResult, FiveSettings, spreads_of
from similitude.study.five_settings.models import Models, TrainedSetting
from similitude.study.five_settings.plan import FiveSettingsPlan
from similitude.study.five_settings.table import SettingRow
from similitude.systems.attach_cache import CacheChoice, chosen_cache

__all__ = ["open_models", "run_five_settings"]


def run_five_settings(
    plan: FiveSettingsPlan,
    out: str | Path,
    *,
    device: str | None = None,
    cache: CacheChoice = "usual",
    listener: Listener | None = None,
    engine: Engine | None = None,
    **reading: Any,
) -> FiveSettings:
    """Train the models of the plan that are not trained yet, and test all systems on the test items.

    Args:
        plan: benchmarks, settings and systems.
        out: the folder.
        device: as torch writes it; None for a GPU if there is one.
        cache: where encoders keep vectors; "usual" for the folder that the command line uses, None for nowhere.
        listener: is told the progress.
        engine: trains and tests side by side in other processes, which must see the folder.
        **reading: options of `similitude.data.addresses.open_benchmark`.

    Raises:
        ArgumentError: the plan selects nothing, or a setting needs more benchmarks than there are.
        InputError: a file cannot be read, a part of it has too few items, or only some items have a condition.
        RunError: the folder holds another study.
        MissingExtraError: torch is not installed.
    """
    models, cells = open_models(plan, out, device=device, cache=chosen_cache(cache, listener), **reading)
    domains, missing = tuple(models.domains.values()), list(models.missing())
    trained = _trained(cells, models, listener, engine)
    results = [
        _tested(domain, [row for name, row in cells if name == domain.name], models, listener, engine)
        for domain in domains
    ]
    return FiveSettings(
        plan=plan,
        folder=Path(out),
        results=tuple(one for one in results if one is not None),
        models=tuple(trained),
        missing=tuple(missing),
        notes=(*models.conditions.notes, *(note for domain in domains for note in domain.notes)),
        drawn=tuple(part for domain in domains for part in domain.drawn),
    )


def open_models(
    plan: FiveSettingsPlan,
    out: str | Path,
    *,
    device: str | None = None,
    cache: CacheChoice = None,
    **reading: Any,
) -> tuple[Models, list[tuple[str, SettingRow]]]:
    """The models of a plan, and the cells of its table that can be filled: benchmarks and rows."""
    domains = open_domains(plan.data, seed=plan.seed, limit=plan.limit, test_limit=plan.test_limit, **reading)
    _check(plan, domains)
    named = {domain.name: domain for domain in domains}
    models = Models(plan=plan, domains=named, folder=Path(out), device=device, cache=cache)
    lacking = {(each.domain, each.row.label) for each in models.missing()}
    return models, [(name, row) for name in named for row in plan.rows if (name, row.label) not in lacking]


def _trained(
    cells: list[tuple[str, SettingRow]], models: Models, listener: Listener | None, engine: Engine | None
) -> list[TrainedSetting]:
    """Every model that the cells need, trained now or before."""
    needed = {model: models.training(model) for model in models.needed(cells)}
    apart = engine_apart(engine)
    if apart is not None:
        models.root.mkdir(parents=True, exist_ok=True)
        apart.check_folder(models.root)
    shared = {models.data_name(model): models.parts(model) for model in needed} if apart is not None else {}
    every_cell = [
        replace(cell, announced=f"model {number} of {len(needed)}, {cell.label}")
        for number, cell in enumerate(needed.values(), 1)
    ]
    found = run_cells(every_cell, shared, engine=apart, listener=listener)
    return [
        TrainedSetting(model, cell.label.partition(" from ")[0], cell.folder, done.figures, done.items)
        for model, cell in needed.items()
        for done in [found[cell.key]]
    ]


def _check(plan: FiveSettingsPlan, domains: tuple[Domain, ...]) -> None:
    if not plan.rows:
        kinds = "; ".join(f"{one.name}: {', '.join(map(str, one.settings))}" for one in plan.kinds.values())
        raise ArgumentError("none of these systems belongs to any of these settings", remedy=f"settings of {kinds}")
    if len(domains) < 2 and {4, 5} & {row.setting.number for row in plan.rows}:
        remedy = "give a second one, or omit those settings: --settings 1,2,3"
        raise ArgumentError("domain-generalised and cross-domain need at least two benchmarks", remedy=remedy)
    if len({domain.family for domain in domains}) < 2 and {row.setting.number for row in plan.rows} == {5}:
        remedy = "give data of another family, such as STS-B beside the folder of USTS"
        raise ArgumentError("cross-domain needs two families; the benchmarks of one folder are one", remedy=remedy)


def _tested(
    domain: Domain,
    rows: list[SettingRow],
    models: Models,
    listener: Listener | None,
    engine: Engine | None,
) -> DomainResult | None:
    if not rows:
        return None
    finished = run(
        domain.test,
        [models.system(row, domain.name) for row in rows],
        MEASURES,
        resamples=models.plan.resamples,
        seed=models.plan.seed,
        out=models.run_folder(domain.name),
        cache=models.cache,
        listener=listener,
        engine=engine,
    )
    named = tuple(replace(record, identity=row.label) for record, row in zip(finished.systems, rows, strict=True))
    human = finished.benchmark.gold.sigmas
    return DomainResult(
        name=domain.name,
        rows=tuple(rows),
        run=replace(finished, systems=named),
        spreads=tuple(spreads_of(finished, place) for place in range(len(rows))),
        human_sigma=float("nan") if human is None else float(np.nanmean(human)),
    )
