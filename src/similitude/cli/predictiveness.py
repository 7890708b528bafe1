"""``similitude predictiveness``: how well each measure on a benchmark predicts which system does best in a task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import show_with_page
from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.study.predictiveness.plan import PredictivenessPlan

__all__ = ["predictiveness"]


def predictiveness(
    data: Annotated[
        str, Parameter(metavar="DATA|PLAN.toml", help="A benchmark, or a plan that names data, tasks and systems.")
    ],
    /,
    *,
    task: Annotated[
        list[str] | None,
        Parameter(
            name=["--task", "-t"],
            metavar="TASK",
            help="A task: sample:text-reuse, a folder, or KIND:FILE such as related:pairs.csv; repeatable.",
        ),
    ] = None,
    system: Annotated[list[str] | None, parameters.systems("A system; 'paper' for DKPro's fourteen.")] = None,
    measure: Annotated[
        list[str] | None,
        Parameter(name=["--measure", "-m"], metavar="MEASURE", help="A measure; 'paper' for the sixteen of the paper."),
    ] = None,
    calibrate: Annotated[
        Literal["auto", "none", "linear", "isotonic", "quantile"] | None,
        Parameter(help="The mapping of scores onto the gold scale; none if not given, as in the paper."),
    ] = None,
    split: options.Split = None,
    seed: Annotated[int | None, Parameter(help="The seed of everything random.")] = None,
    folder: Annotated[Path | None, Parameter(metavar="DIR", help="Keep predictions and results here.")] = None,
    fresh: options.Fresh = False,
    resamples: Annotated[
        int | None, parameters.number("1,000 if not given; 0 for no intervals.", least=0, group=parameters.CONFIDENCE)
    ] = None,
    page: options.Page = None,
    cached: options.Cache = options.CacheOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Report how well the ranking by each measure predicts the ranking in tasks.

    Example: similitude predictiveness sample:opinions -t sample:text-reuse -s levenshtein -s damerau -s length-ratio
    """
    from similitude.data.addresses import open_benchmark
    from similitude.report.predictiveness import prediction_sheet, prediction_view
    from similitude.study.predictiveness.plan import measures_of, systems_of, tasks_of
    from similitude.study.predictiveness.study import run_predictiveness

    changes = {"tasks": task, "systems": system, "measures": measure}
    plan = _plan(data, {**changes, "calibrate": calibrate, "split": split, "resamples": resamples, "seed": seed})
    tasks = tasks_of(plan)
    benchmark = open_benchmark(plan.data)
    with output.progress(benchmark.name) as listener:
        study = run_predictiveness(
            benchmark,
            tasks,
            systems_of(plan),
            measures_of(plan),
            out=folder,
            fresh=fresh,
            split=plan.split,
            calibrate=plan.calibrate,
            resamples=plan.resamples,
            level=plan.level,
            seed=plan.seed,
            cache=cached.vectors(quiet=output.quiet),
            answers=cached.answers(quiet=output.quiet),
            listener=listener,
        )
    show_with_page(study, prediction_view, prediction_sheet, page=page, json=output.json)


def _plan(data: str, changes: dict[str, Any]) -> PredictivenessPlan:
    """Read the plan from a file, or make one for the data; options override it."""
    from similitude.study.predictiveness.plan import PredictivenessPlan, read_predictiveness

    given = {name: tuple(value) if isinstance(value, list) else value for name, value in options.given(changes).items()}
    if data.endswith(".toml"):
        return read_predictiveness(data).model_copy(update=given)
    if "tasks" not in given:
        raise ArgumentError("no task to predict", remedy="name at least one with --task, such as sample:text-reuse")
    return PredictivenessPlan(data=data, tasks=given["tasks"]).model_copy(update=given)
