"""``similitude train five-settings``: the five settings of the USTS paper as one study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from similitude.cli import options, parameters, train_options
from similitude.cli.console import results, show
from similitude.cli.engine_options import EngineOptions, Engines
from similitude.errors import ArgumentError
from similitude.training.conditions import Reading

if TYPE_CHECKING:
    from similitude.study.five_settings.plan import FiveSettingsPlan

__all__ = ["five_settings"]

QUICK = {"epochs": 1}

Data = Annotated[
    list[str],
    Parameter(
        metavar="DATA...|PLAN.toml",
        help="Benchmarks with raw ratings, a folder that holds several, one with several domains, or a plan.",
    ),
]


def five_settings(
    data: Data,
    /,
    *,
    folder: train_options.StudyFolder,
    model: Annotated[
        str | None,
        Parameter(metavar="FOLDER|NAME", help="The encoder to start from. Required unless there is a plan."),
    ] = None,
    settings: Annotated[
        str | None, Parameter(metavar="1,3,...", help="Settings by number or name. By default all.")
    ] = None,
    systems: Annotated[
        str | None, Parameter(metavar="NAME,...", help="Systems, such as bert-lr-mc,distribution. By default all.")
    ] = None,
    limit: Annotated[
        int | None,
        parameters.number("Learn from N random items of each benchmark only.", least=3, metavar="N"),
    ] = None,
    reads: Annotated[
        Reading | None,
        Parameter(help="Which texts all systems read. By default the condition too, if the items have one."),
    ] = None,
    quick: Annotated[bool, Parameter(help="Train everything for one epoch, as a trial.")] = False,
    epochs: Annotated[int | None, Parameter(group=parameters.TRAINING, help="Epochs of every training.")] = None,
    batch: Annotated[int | None, Parameter(group=parameters.TRAINING, help="Items per step.")] = None,
    lr: Annotated[
        float | None,
        Parameter(group=parameters.TRAINING, help="The highest learning rate. By default it suits the model's size."),
    ] = None,
    passes: Annotated[
        int | None, Parameter(group=parameters.TRAINING, help="Passes of MC-Dropout. By default 30.")
    ] = None,
    seed: Annotated[int | None, Parameter(group=parameters.TRAINING, help="The seed of everything random.")] = None,
    device: options.Device = None,
    resamples: Annotated[
        int | None, parameters.number("Resamples for intervals; 0 for none.", least=0, group=parameters.CONFIDENCE)
    ] = None,
    engines: Engines = EngineOptions(),
    cached: options.Cache = options.CacheOptions(),
    input: options.Input = options.InputOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Train and evaluate systems zero-shot, frozen, domain-specific, domain-generalised and cross-domain, as USTS does.

    Example: similitude train five-settings usts/ --model bert-base-chinese --folder runs/five
    """
    from similitude.report.five_settings.view import settings_view, write_settings
    from similitude.study.five_settings.study import run_five_settings

    chosen = {"settings": _listed(settings), "systems": _listed(systems)}
    plan = _plan(
        data,
        {"model": model, **chosen, "limit": limit, "reads": reads}
        | {"passes": passes, "seed": seed, "resamples": resamples},
        (QUICK if quick else {}) | options.given({"epochs": epochs, "batch": batch, "lr": lr}),
    )
    with engines.open(threads=None) as engine, output.progress(plan.name or "settings") as bar:
        done = run_five_settings(
            plan,
            folder,
            device=device,
            cache=cached.vectors(quiet=output.quiet),
            listener=bar,
            engine=engine,
            **input.arguments(),
        )
    page = write_settings(done)
    show(done, settings_view, json=output.json, quiet=output.quiet, notes=done.notes)
    if output.json:
        return
    told = f"page written to {page}; next to it settings.tex, settings.csv, settings.json, figures/ and models/"
    results.print(told, style="dim", markup=False, highlight=False, soft_wrap=True)


def _plan(data: list[str], changes: dict[str, Any], recipe: dict[str, Any]) -> FiveSettingsPlan:
    """Read the plan from a file, or make one for the data; options override it."""
    from similitude.study.five_settings.plan import FiveSettingsPlan, checked_plan

    given = options.given(changes)
    if len(data) == 1 and data[0].endswith(".toml"):
        plan = FiveSettingsPlan.read(Path(data[0]))
        return checked_plan({**plan.model_dump(), **given, "recipe": {**plan.recipe, **recipe}})
    if "model" not in given:
        raise ArgumentError("no encoder to start from", remedy="name one: --model bert-base-chinese, or a folder")
    return checked_plan({"data": tuple(data), **given, "recipe": recipe})


def _listed(written: str | None) -> list[str] | None:
    return None if written is None else [part.strip() for part in written.split(",") if part.strip()]
