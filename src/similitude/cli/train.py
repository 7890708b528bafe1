"""``similitude train conditional|pairs|uncertain|sweep``: encoders that learn similarity, conditional or plain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from similitude.cli import options, train_gpr, train_settings, train_uncertain
from similitude.cli import train_options as asked
from similitude.cli.console import print_json, print_notes, results
from similitude.cli.progress import progress_bar
from similitude.cli.train_delivery import Heard, deliver, recipe_of, splits_of, write_page

__all__ = ["app"]

app = typer.Typer(help="Train encoders on your data; the result is a system for 'evaluate'.", no_args_is_help=True)


@app.command("conditional")
def conditional(
    data: options.Data,
    model: asked.Model,
    out: asked.Out,
    encoding: asked.Kind = "bi",
    objective: Annotated[
        str, typer.Option("--objective", metavar="mse|quad|quad+mse", help="What is minimised; quad+mse but for cross.")
    ] = "",
    quad_weight: Annotated[float, typer.Option("--quad-weight", help="Of quad beside mse.")] = 0.5,
    margin: Annotated[float, typer.Option("--margin", help="Of quad, in cosine.")] = 0.5,
    combination: Annotated[
        str, typer.Option("--combination", metavar="hadamard|concat", help="h of a tri-encoder.")
    ] = "hadamard",
    place: Annotated[
        str, typer.Option("--condition-place", metavar="before|after", help="Condition and sentence in a bi-encoder.")
    ] = "before",
    reads: Annotated[
        str, typer.Option("--reads", metavar="all|sentences|condition", help="For ablations: leave something out.")
    ] = "all",
    pooling: asked.Pooling = "auto",
    mlp: asked.Mlp = False,
    epochs: asked.Epochs = 5,
    batch: asked.Batch = 32,
    tokens: asked.Tokens = None,
    lr: asked.Rate = None,
    layer_decay: asked.LayerDecay = 1.0,
    warmup: asked.Warmup = 0.1,
    schedule: asked.Schedule = "linear",
    weight_decay: asked.WeightDecay = 0.1,
    average: asked.Average = 0.5,
    seed: asked.Seed = 0,
    seeds: asked.Seeds = 1,
    teachers: asked.UsualTeachers = None,
    teacher_weight: asked.TeacherWeight = 0.5,
    patience: asked.Patience = 0,
    dtype: asked.Dtype = "auto",
    device: asked.Device = None,
    compile: asked.Compile = False,
    validation: asked.Validation = None,
    split: asked.Split = None,
    validation_split: asked.ValidationSplit = None,
    validation_share: asked.Share = 0.1,
    checkpoint_seconds: asked.Checkpoint = 60.0,
    quiet: options.Quiet = False,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    text_encoding: Annotated[str, typer.Option("--text-encoding", help="The encoding of the file's text.")] = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Train an encoder to say how alike two texts are in the respect that a condition names.

    Example: similitude train conditional csts.csv --model all-MiniLM-L6-v2 --out my-model
    """
    from similitude.systems.conditional.architecture import Architecture, Combination, Encoding, Place, Reads
    from similitude.training import make_objective

    kind = options.choose("encoding", encoding, get_args(Encoding))
    architecture = Architecture(
        encoding=kind,
        mlp=mlp,
        combination=options.choose("combination", combination, get_args(Combination)),
        place=options.choose("place of the condition", place, get_args(Place)),
        reads=options.choose("ablation", reads, get_args(Reads)),
    )
    wanted = objective or ("mse" if kind == "cross" else "quad+mse")
    is_usual = teachers is None and teacher_weight == 0.5 and kind == "bi" and reads == "all"
    weighed = 3 if teachers is None and teacher_weight != 0.5 else teachers or 0
    _train(
        data,
        out,
        options.reading_options(format, column, scale, text_encoding, on_error),
        splits_of(validation, split, validation_split, validation_share, seed),
        recipe_of(locals()),
        model=model,
        architecture=architecture,
        pooling=options.choose("pooling", pooling, ("auto", "mean", "cls")),
        objective=make_objective(wanted, quad_weight=quad_weight, margin=margin),
        seeds=seeds,
        teachers=_teachers(weighed, teacher_weight),
        usual_teachers=is_usual,
        usual_lr=lr is None,
        device=device,
        quiet=quiet,
        json=json,
    )


@app.command("pairs")
def pairs(
    data: options.Data,
    model: asked.Model,
    out: asked.Out,
    encoding: asked.Kind = "bi",
    pooling: asked.Pooling = "auto",
    mlp: asked.Mlp = False,
    epochs: asked.Epochs = 5,
    batch: asked.Batch = 32,
    tokens: asked.Tokens = None,
    lr: asked.Rate = None,
    layer_decay: asked.LayerDecay = 1.0,
    warmup: asked.Warmup = 0.1,
    schedule: asked.Schedule = "linear",
    weight_decay: asked.WeightDecay = 0.1,
    average: asked.Average = 0.5,
    seed: asked.Seed = 0,
    seeds: asked.Seeds = 1,
    teachers: asked.Teachers = 0,
    teacher_weight: asked.TeacherWeight = 0.5,
    patience: asked.Patience = 0,
    dtype: asked.Dtype = "auto",
    device: asked.Device = None,
    compile: asked.Compile = False,
    validation: asked.Validation = None,
    split: asked.Split = None,
    validation_split: asked.ValidationSplit = None,
    validation_share: asked.Share = 0.1,
    checkpoint_seconds: asked.Checkpoint = 60.0,
    quiet: options.Quiet = False,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    text_encoding: Annotated[str, typer.Option("--text-encoding", help="The encoding of the file's text.")] = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Train an encoder on plain pairs of texts with scores; conditions, if there are any, are left out.

    Example: similitude train pairs stsb/ --model all-MiniLM-L6-v2 --out my-model
    """
    from similitude.systems.conditional.architecture import Architecture
    from similitude.training import make_objective

    _train(
        data,
        out,
        options.reading_options(format, column, scale, text_encoding, on_error),
        splits_of(validation, split, validation_split, validation_share, seed),
        recipe_of(locals()),
        model=model,
        architecture=Architecture(
            encoding=options.choose("encoding of plain pairs", encoding, ("bi", "cross")), mlp=mlp, reads="sentences"
        ),
        pooling=options.choose("pooling", pooling, ("auto", "mean", "cls")),
        objective=make_objective("mse"),
        seeds=seeds,
        teachers=_teachers(teachers, teacher_weight),
        usual_lr=lr is None,
        device=device,
        quiet=quiet,
        json=json,
    )


app.command("uncertain")(train_uncertain.uncertain)
app.command("gpr")(train_gpr.gpr)
app.command("settings")(train_settings.settings)


@app.command("sweep")
def sweep(
    plan: Annotated[Path, typer.Argument(metavar="PLAN.toml", help="Data, models, grid and seeds (docs/training.md).")],
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Where everything is kept; the same command goes on.")
    ],
    device: asked.Device = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
) -> None:
    """Train a grid, choose by validation, repeat the chosen ones over seeds, and lay it out as in the C-STS paper.

    Example: similitude train sweep studies/csts.toml --out runs/csts
    """
    from similitude.report.page.sheet import sheet_page
    from similitude.report.sweep import sweep_sheet, sweep_view
    from similitude.study.sweep.study import read_sweep, run_sweep

    wanted = read_sweep(plan)
    with progress_bar(wanted.name, quiet=quiet) as bar:
        done = run_sweep(wanted, out, device=device, listener=bar)
    page = out / "sweep.html"
    write_page(page, sheet_page(sweep_sheet(done)))
    if json:
        print_json(done.record())
        return
    results.print(sweep_view(done))
    results.print(f"page written to {page}", style="dim", markup=False, highlight=False)


def _train(
    data: str,
    out: Path,
    reading: dict[str, Any],
    splits: dict[str, Any],
    recipe: dict[str, Any],
    *,
    quiet: bool,
    json: bool,
    **request: Any,
) -> None:
    from similitude.data.addresses import open_benchmark
    from similitude.training import Recipe
    from similitude.training.splits import training_data
    from similitude.training.train import SimilarityRequest, is_first_process, train_model

    wanted = SimilarityRequest(recipe=Recipe(**recipe), **request)
    benchmark = open_benchmark(data, **reading)
    other = splits.pop("validation")
    held_out = None if other is None else open_benchmark(other, **reading)
    parts = training_data(benchmark, held_out, **splits)
    with progress_bar(benchmark.name, quiet=quiet) as bar:
        heard = Heard(bar)
        trained = train_model(parts, wanted, out, heard)
    if is_first_process():
        print_notes((*benchmark.provenance.notes, *heard.notes, *trained.notes), quiet=quiet)
        deliver(trained, json=json)


def _teachers(count: int, weight: float) -> Any:
    from similitude.training import Teachers

    return Teachers(count=count, weight=weight)
