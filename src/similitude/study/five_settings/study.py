"""The five settings of the USTS paper as one study: zero-shot, frozen, domain-specific, generalised, cross-domain.

::

    DIR/
      models/WHAT-DOMAIN...   one folder for each trained model
      runs/DOMAIN             a run on the test items of each benchmark: predictions, figures
      settings.json           all figures

Every model is trained once and found again, every prediction is kept: a study that was stopped goes on, and one that is
done costs nothing when the same command is given again.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from similitude.data.listeners import NamedListener
from similitude.data.protocols import Listener, VectorCache
from similitude.errors import ArgumentError
from similitude.study.execution import run
from similitude.study.five_settings.domains import Domain, open_domains
from similitude.study.five_settings.findings import MEASURES, FiveSettings, MeasuredSystem, Missing, spreads_of
from similitude.study.five_settings.models import Models, learned_from, lessons_of, why_not
from similitude.study.five_settings.plan import SettingRow, SettingsPlan

__all__ = ["run_settings"]


def run_settings(
    plan: SettingsPlan,
    out: str | Path,
    *,
    device: str | None = None,
    cache: VectorCache | None = None,
    listener: Listener | None = None,
    **reading: Any,
) -> FiveSettings:
    """Train everything that the plan asks for and that is not done yet, and judge it on the test items.

    Args:
        plan: what is asked for.
        out: the folder.
        device: as torch writes it; None for a GPU where there is one.
        cache: where encoders keep vectors.
        listener: hears how far it is.
        **reading: how files are read.

    Raises:
        ArgumentError: nothing is asked for, or a setting needs more benchmarks than there are.
        InputError: a file is not what it should be, or a part of it has too few items.
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
        cache=cache,
    )
    cells, missing = _cells(plan, models)
    lessons = dict.fromkeys(chain.from_iterable(lessons_of(row, name, list(models.domains)) for name, row in cells))
    taught = [
        models.train(lesson, NamedListener(listener, name=f"model {number} of {len(lessons)}", names_notes=False))
        for number, lesson in enumerate(lessons, 1)
    ]
    judged = [
        _judge(domain, [row for name, row in cells if name == domain.name], models, folder, listener)
        for domain in domains
    ]
    return FiveSettings(
        plan=plan,
        folder=folder,
        judged=tuple(one for one in judged if one is not None),
        taught=tuple(taught),
        missing=tuple(missing),
        notes=tuple(note for domain in domains for note in domain.notes),
    )


def _check(plan: SettingsPlan, domains: tuple[Domain, ...]) -> None:
    if not plan.rows:
        remedy = "zero-shot is sbert-cosine, frozen is sbert-gpr, the others have all systems"
        raise ArgumentError("none of these systems stands in any of these settings", remedy=remedy)
    if len(domains) < 2 and {4, 5} & {row.setting.number for row in plan.rows}:
        remedy = "give a second one, or leave those settings out: --settings 1,2,3"
        raise ArgumentError("domain-generalised and cross-domain need two benchmarks or more", remedy=remedy)


def _cells(plan: SettingsPlan, models: Models) -> tuple[list[tuple[str, SettingRow]], list[Missing]]:
    """The cells of the table that can be filled, and those that cannot."""
    cells, missing = [], []
    names = list(models.domains)
    for name in names:
        for row in plan.rows:
            why = why_not(row, [models.domains[one] for one in learned_from(row, name, names)])
            if why is None:
                cells.append((name, row))
            else:
                missing.append(Missing(name, row, why))
    return cells, missing


def _judge(
    domain: Domain, rows: list[SettingRow], models: Models, folder: Path, listener: Listener | None
) -> MeasuredSystem | None:
    if not rows:
        return None
    finished = run(
        domain.test,
        [models.written(row, domain.name) for row in rows],
        MEASURES,
        resamples=models.plan.resamples,
        seed=models.plan.seed,
        out=folder / "runs" / re.sub(r"[^\w.]+", "-", domain.name).strip("-"),
        cache=models.cache,
        listener=listener,
    )
    named = tuple(replace(record, identity=row.label) for record, row in zip(finished.systems, rows, strict=True))
    human = finished.benchmark.gold.sigmas
    return MeasuredSystem(
        name=domain.name,
        rows=tuple(rows),
        run=replace(finished, systems=named),
        spreads=tuple(spreads_of(finished, place) for place in range(len(rows))),
        human_sigma=float("nan") if human is None else float(np.nanmean(human)),
    )
