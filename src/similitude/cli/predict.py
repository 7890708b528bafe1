"""``similitude predict``: how well does each measure on a benchmark predict which system does best in a task."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from similitude.cli import options
from similitude.cli.console import print_json, print_notes, results
from similitude.cli.progress import progress_bar
from similitude.errors import ArgumentError

__all__ = ["predict"]


def predict(
    data: Annotated[
        str, typer.Argument(metavar="DATA|PLAN.toml", help="A benchmark, or a plan that names everything.")
    ],
    task: Annotated[
        list[str] | None,
        typer.Option("--task", "-t", help="sample:text-reuse, a folder, or KIND:FILE such as related:pairs.csv."),
    ] = None,
    system: Annotated[
        list[str] | None, typer.Option("--system", "-s", help="A system; 'paper' for the usual seventeen.")
    ] = None,
    measure: Annotated[
        list[str] | None, typer.Option("--measure", "-m", help="A measure; 'paper' for the sixteen of the paper.")
    ] = None,
    split: Annotated[str | None, typer.Option("--split", help="Measure this split only.")] = None,
    resamples: Annotated[int | None, typer.Option("--resamples", min=0, help="Default 1,000; 0: no intervals.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seeds folds, orders and draws.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="A folder to keep predictions and results in.")] = None,
    page: Annotated[Path | None, typer.Option("--page", metavar="FILE.html", help="Write the report page.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Compute again what the folder already holds.")] = False,
    no_cache: options.NoCache = False,
    quiet: options.Quiet = False,
    json: options.Json = False,
) -> None:
    """Say how well each measure's ranking of systems predicts their ranking in each task.

    Example: similitude predict sample:opinions -t sample:text-reuse -t sample:related -t sample:find-related
    """
    from similitude.data.addresses import open_benchmark
    from similitude.data.writing.benchmark import write_atomically
    from similitude.evaluate.tasks.reading import open_task
    from similitude.models.cache import usual_answers, usual_cache
    from similitude.report.page.sheet import sheet_page
    from similitude.report.predictiveness import prediction_sheet, prediction_view
    from similitude.study.predictiveness.plan import PredictivenessPlan, measures_of, read_predictiveness, systems_of
    from similitude.study.predictiveness.study import run_predictiveness

    if data.endswith(".toml"):
        plan = read_predictiveness(data)
    elif task:
        plan = PredictivenessPlan(data=data, tasks=tuple(task))
    else:
        raise ArgumentError("no task to predict", remedy="name at least one with --task, such as sample:text-reuse")
    changes = {"tasks": task, "systems": system, "measures": measure, "split": split, "resamples": resamples}
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in changes.items()}
    plan = plan.model_copy(update={name: value for name, value in given.items() if value is not None})
    plan = plan if seed is None else plan.model_copy(update={"seed": seed})
    tasks = [open_task(written) for written in plan.tasks]
    benchmark = open_benchmark(plan.data)
    with progress_bar(benchmark.name, quiet=quiet) as listener:
        study = run_predictiveness(
            benchmark,
            tasks,
            systems_of(plan),
            measures_of(plan),
            split=plan.split,
            resamples=plan.resamples,
            level=plan.level,
            seed=plan.seed,
            out=out,
            fresh=fresh,
            cache=None if no_cache else usual_cache(),
            answers=None if no_cache else usual_answers(lambda text: print_notes([text], quiet=quiet)),
            listener=listener,
        )
    if page is not None:
        text = sheet_page(prediction_sheet(study))
        write_atomically(page, lambda draft: draft.write_text(text, encoding="utf-8"))
    if json:
        print_json(study.record())
        return
    results.print(prediction_view(study))
    if page is not None:
        results.print(str(page), markup=False, highlight=False, soft_wrap=True)
