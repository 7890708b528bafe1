"""Studies of several trainings in Python: the five settings of USTS, and sweeps over a grid."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from similitude.data.listeners import with_progress_bar
from similitude.data.protocols import Listener
from similitude.report.five_settings.view import write_settings
from similitude.study.engines import Engine
from similitude.study.five_settings.findings import FiveSettings
from similitude.study.five_settings.plan import FiveSettingsPlan, checked_plan
from similitude.study.five_settings.study import run_five_settings
from similitude.study.plan_keys import plan_of_keys
from similitude.study.sweep.plan import SweepPlan
from similitude.study.sweep.study import Sweep, read_sweep, run_sweep
from similitude.systems.attach_cache import CacheChoice

__all__ = ["five_settings", "sweep"]

Plan = str | Path | Mapping[str, Any]


@with_progress_bar
def five_settings(
    plan: Plan,
    *,
    out: str | Path,
    device: str | None = None,
    cache: CacheChoice = "usual",
    listener: Listener | None = None,
    quiet: bool = False,
    engine: Engine | None = None,
) -> FiveSettings:
    """Train and evaluate systems in the five settings of the USTS paper, and write its tables and figures.

    The same as ``similitude train five-settings``.

    Args:
        plan: a TOML file, or its keys and values: data, model, settings, systems and so on (docs/five-settings.md).
        out: keep everything here. The same call resumes.
        device: the device: cpu, cuda or cuda:1. By default a GPU if there is one.
        cache: where encoders keep vectors; None for nowhere.
        listener: is told the progress instead of a bar.
        quiet: show no progress.
        engine: trains and tests side by side in other processes: ``with sim.open_engine("ray") as engine: ...``.

    Raises:
        ArgumentError: a key or a value of the plan is wrong, or a setting needs more benchmarks than there are.
        InputError: a file cannot be read, or a part of it has too few items.
        RunError: the folder holds another study.
        MissingExtraError: torch is not installed.

    >>> import similitude as sim
    >>> plan = {"data": ["usts/ustsu", "usts/ustsc"], "model": "bert-base-chinese", "settings": [1, "cross-domain"]}
    >>> found = sim.train.five_settings(plan, out="runs/usts")  # doctest: +SKIP
    """
    wanted = FiveSettingsPlan.read(Path(plan)) if isinstance(plan, str | Path) else checked_plan(dict(plan))
    done = run_five_settings(wanted, out, device=device, cache=cache, listener=listener, engine=engine)
    write_settings(done)
    return done


@with_progress_bar
def sweep(
    plan: Plan,
    *,
    out: str | Path,
    device: str | None = None,
    listener: Listener | None = None,
    quiet: bool = False,
    engine: Engine | None = None,
) -> Sweep:
    """Train a grid of models under a condition, choose by validation, and repeat the chosen ones over seeds.

    The same as ``similitude train sweep``.

    Args:
        plan: a TOML file, or its keys and values: data, models, grid, seeds and so on (docs/training.md).
        out: keep everything here. The same call resumes.
        device: the device: cpu, cuda or cuda:1. By default a GPU if there is one.
        listener: is told the progress instead of a bar.
        quiet: show no progress.
        engine: trains models side by side in other processes: ``with sim.open_engine("ray") as engine: ...``.

    Raises:
        ArgumentError: a key or a value of the plan is wrong.
        InputError: a file cannot be read.
        RunError: the folder holds another study, or a worker does not see it.
        MissingExtraError: torch is not installed.

    >>> import similitude as sim
    >>> plan = {"data": "csts.csv", "models": ["my-encoder"], "grid": {"lr": [1e-5, 3e-5]}}
    >>> found = sim.train.sweep(plan, out="runs/csts")  # doctest: +SKIP
    """
    wanted = read_sweep(plan) if isinstance(plan, str | Path) else plan_of_keys(SweepPlan, plan, "docs/training.md")
    return run_sweep(wanted, out, device=device, listener=listener, engine=engine)
