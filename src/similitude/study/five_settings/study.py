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

import re
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from similitude.data.protocols import Listener
from similitude.errors import ArgumentError
from similitude.study.cells.cell_run import engine_apart, run_cells
from similitude.study.engines import Engine
from similitude.study.execution import run
from similitude.study.five_settings.domains import Domain, open_domains
from similitude.study.five_settings.findings import MEASURES, DomainResult, FiveSettings, MissingCell, spreads_of
from similitude.study.five_settings.models import Models, TrainedSetting, models_of, trained_on, why_not
from similitude.study.five_settings.plan import FiveSettingsPlan
from similitude.study.five_settings.table import SettingRow
from similitude.systems.attach_cache import CacheChoice, chosen_cache

__all__ = ["run_five_settings"]


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
        InputError: a file cannot be read, or a part of it has too few items.
        RunError: the folder holds another study.
        MissingExtraError: torch is not installed.
    """
    domains = open_domains(plan.data, seed=plan.seed, limit=plan.limit, **reading)
    _check(plan, domains)
    folder = Path(out)
    models = Models(
        plan=plan,
        domains={domain.name: domain for domain in domains},
        folder=folder / "models",
        device=device,
        cache=chosen_cache(cache, listener),
    )
    cells, missing = _cells(plan, models)
    trained = _trained(cells, models, listener, engine)
    results = [
        _tested(domain, [row for name, row in cells if name == domain.name], models, folder, listener, engine)
        for domain in domains
    ]
    return FiveSettings(
        plan=plan,
        folder=folder,
        results=tuple(one for one in results if one is not None),
        models=tuple(trained),
        missing=tuple(missing),
        notes=tuple(note for domain in domains for note in domain.notes),
    )


def _trained(
    cells: list[tuple[str, SettingRow]], models: Models, listener: Listener | None, engine: Engine | None
) -> list[TrainedSetting]:
    """Every model that the cells need, trained now or before."""
    names = list(models.domains)
    every = chain.from_iterable(models_of(row, name, names, models.plan.models) for name, row in cells)
    needed = {model: models.training(model) for model in dict.fromkeys(every)}
    apart = engine_apart(engine)
    if apart is not None:
        models.folder.mkdir(parents=True, exist_ok=True)
        apart.check_folder(models.folder)
    shared = {models.data_name(model): models.parts(model) for model in needed} if apart is not None else {}
    found = run_cells(list(needed.values()), shared, engine=apart, listener=listener)
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


def _cells(plan: FiveSettingsPlan, models: Models) -> tuple[list[tuple[str, SettingRow]], list[MissingCell]]:
    """The cells of the table that can be filled, and those that cannot."""
    cells, missing = [], []
    names = list(models.domains)
    for name in names:
        for row in plan.rows:
            why = why_not(row, [models.domains[one] for one in trained_on(row, name, names)])
            if why is None:
                cells.append((name, row))
            else:
                missing.append(MissingCell(name, row, why))
    return cells, missing


def _tested(
    domain: Domain,
    rows: list[SettingRow],
    models: Models,
    folder: Path,
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
        out=folder / "runs" / re.sub(r"[^\w.]+", "-", domain.name).strip("-"),
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
