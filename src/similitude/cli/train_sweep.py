"""``similitude train sweep``: a grid of trainings as one study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from similitude.cli import options, train_options
from similitude.cli.console import results, show, write_page
from similitude.cli.engine_options import EngineOptions, Engines

__all__ = ["sweep"]


def sweep(
    plan: Annotated[Path, Parameter(metavar="PLAN.toml", help="Data, models, grid and seeds (docs/training.md).")],
    /,
    *,
    folder: train_options.StudyFolder,
    device: options.Device = None,
    engines: Engines = EngineOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Train a grid, choose by validation, repeat the chosen ones over seeds, and report as in the C-STS paper.

    Example: similitude train sweep csts.toml --folder runs/csts
    """
    from similitude.report.sweep import sweep_sheet, sweep_view
    from similitude.study.cells.training_cell import torch_threads
    from similitude.study.sweep.study import read_sweep, run_sweep

    wanted = read_sweep(plan)
    threads = torch_threads() if engines.engine == "ray" and not engines.gpus else None
    with engines.open(threads=threads) as engine, output.progress(wanted.name) as bar:
        done = run_sweep(wanted, folder, device=device, listener=bar, engine=engine)
    page = folder / "sweep.html"
    write_page(page, sweep_sheet(done))
    show(done, sweep_view, json=output.json)
    if not output.json:
        results.print(f"page written to {page}", style="dim", markup=False, highlight=False)
