"""``similitude train settings``: the five settings of the USTS paper as one study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from similitude.cli import options
from similitude.cli import train_options as asked
from similitude.cli.console import print_json, print_notes, results
from similitude.cli.progress import progress_bar
from similitude.errors import ArgumentError

__all__ = ["settings"]

QUICK = {"epochs": 1}

Data = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA...|PLAN.toml",
        help="Benchmarks with raw ratings; a folder that holds several; one with several domains; or a plan.",
    ),
]


def settings(
    data: Data,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Where everything is kept; the same command goes on.")
    ],
    model: Annotated[
        str | None,
        typer.Option(
            "--model", metavar="FOLDER|NAME", help="The encoder to start from: a folder, or a name on the hub."
        ),
    ] = None,
    chosen: Annotated[
        str | None,
        typer.Option(
            "--settings", metavar="1,3,...", help="Which settings, by number or name; all where none is named."
        ),
    ] = None,
    systems: Annotated[
        str | None,
        typer.Option("--systems", metavar="NAME,...", help="Which systems, such as bert-lr-mc,distribution."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=3, help="Learn from so many items of each benchmark only, for a trial.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="One epoch of everything, to see whether it works.")] = False,
    epochs: Annotated[int | None, typer.Option("--epochs", help="Of every training.")] = None,
    batch: Annotated[int | None, typer.Option("--batch", help="Items of one step.")] = None,
    lr: Annotated[float | None, typer.Option("--lr", help="The highest learning rate; by the model's size.")] = None,
    passes: Annotated[int | None, typer.Option("--passes", help="Of MC-Dropout; 30.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Everything random follows from it.")] = None,
    resamples: options.Resamples = None,
    device: asked.Device = None,
    no_cache: options.NoCache = False,
    quiet: options.Quiet = False,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    text_encoding: Annotated[str, typer.Option("--text-encoding", help="The encoding of the files' text.")] = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Train and judge systems zero-shot, frozen, domain-specific, domain-generalised and cross-domain, as USTS does.

    Example: similitude train settings usts/ --model bert-base-chinese --out runs/usts
    """
    from similitude.models.cache import usual_cache
    from similitude.report.five_settings.view import settings_view, write_settings
    from similitude.study.five_settings.study import run_five_settings

    plan = _plan(
        data,
        {
            "model": model,
            "settings": _listed(chosen),
            "systems": _listed(systems),
            "limit": limit,
            "passes": passes,
            "seed": seed,
            "resamples": resamples,
        },
        (QUICK if quick else {}) | _given({"epochs": epochs, "batch": batch, "lr": lr}),
    )
    reading = options.reading_options(format, column, scale, text_encoding, on_error)
    with progress_bar(plan.name or "settings", quiet=quiet) as bar:
        cache = None if no_cache else usual_cache()
        done = run_five_settings(plan, out, device=device, cache=cache, listener=bar, **reading)
    page = write_settings(done)
    if json:
        print_json(done.record())
        return
    print_notes(done.notes, quiet=quiet)
    results.print(settings_view(done))
    results.print(
        f"page written to {page}; beside it settings.tex, settings.csv, settings.json, figures/ and models/",
        style="dim",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def _plan(data: list[str], changes: dict[str, Any], recipe: dict[str, Any]) -> Any:
    """The plan in a file, or of the data, with what the options say."""
    from similitude.study.five_settings.plan import FiveSettingsPlan, checked_plan

    if len(data) == 1 and data[0].endswith(".toml"):
        plan = FiveSettingsPlan.read(Path(data[0]))
        return checked_plan({**plan.model_dump(), **_given(changes), "recipe": {**plan.recipe, **recipe}})
    if changes["model"] is None:
        raise ArgumentError("no encoder to start from", remedy="name one: --model bert-base-chinese, or a folder")
    return checked_plan({"data": tuple(data), **_given(changes), "recipe": recipe})


def _given(changes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in changes.items() if value is not None}


def _listed(written: str | None) -> list[str] | None:
    return None if written is None else [part.strip() for part in written.split(",") if part.strip()]
