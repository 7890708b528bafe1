"""``similitude train conditional|pairs|sweep``: encoders that learn similarity, under a condition or plain."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from similitude.cli import options
from similitude.cli.console import print_json, print_notes, results
from similitude.cli.progress import ProgressBar, progress_bar

if TYPE_CHECKING:
    from similitude.study.training import Trained

__all__ = ["app"]

app = typer.Typer(help="Train encoders on your data; the result is a system for 'evaluate'.", no_args_is_help=True)

Model = Annotated[
    str,
    typer.Option("--model", metavar="FOLDER|NAME", help="The encoder to start from: a folder, or a name on the hub."),
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder of the model; the same command goes on.")]
Kind = Annotated[
    str, typer.Option("--encoding", metavar="bi|cross|tri", help="bi, cross or tri (see docs/training.md).")
]
Pooling = Annotated[str, typer.Option("--pooling", metavar="auto|mean|cls", help="How token vectors become one.")]
Mlp = Annotated[bool, typer.Option("--mlp", help="A dense layer with tanh after the pooling.")]
Epochs = Annotated[int, typer.Option("--epochs", help="Times that every item is seen.")]
Batch = Annotated[int, typer.Option("--batch", help="Items of one step.")]
Tokens = Annotated[
    int | None, typer.Option("--tokens", help="Computed at a time at most; steps with more are computed in parts.")
]
Rate = Annotated[
    float | None, typer.Option("--lr", help="The highest learning rate; by the model's size if none is given.")
]
LayerDecay = Annotated[float, typer.Option("--layer-decay", help="A layer's rate as a share of that of the one above.")]
Warmup = Annotated[float, typer.Option("--warmup", help="Share of the steps in which the rate rises.")]
Schedule = Annotated[str, typer.Option("--schedule", metavar="linear|cosine|constant", help="How the rate falls.")]
WeightDecay = Annotated[float, typer.Option("--weight-decay", help="Of AdamW.")]
Average = Annotated[
    float, typer.Option("--average", help="Epochs over which weights are averaged; 0 for the last ones.")
]
Seed = Annotated[int, typer.Option("--seed", help="Everything random follows from it.")]
Seeds = Annotated[int, typer.Option("--seeds", min=1, help="Train with so many seeds and average their weights.")]
Patience = Annotated[
    int, typer.Option("--patience", help="Epochs without a better validation before it stops; 0: never.")
]
Dtype = Annotated[str, typer.Option("--dtype", metavar="auto|float32|bfloat16", help="auto: bfloat16 on a GPU.")]
Device = Annotated[str | None, typer.Option("--device", help="cpu, cuda, cuda:1; a GPU where there is one.")]
Compile = Annotated[bool, typer.Option("--compile", help="Compile the model; pays for long trainings of large models.")]
Validation = Annotated[
    str | None, typer.Option("--validation", metavar="DATA", help="Validate on this file instead of a part of DATA.")
]
Split = Annotated[str | None, typer.Option("--split", help="Learn from this split; 'train' where there is one.")]
ValidationSplit = Annotated[
    str | None,
    typer.Option("--validation-split", help="Validate on this split; 'validation' or 'dev' if there is one."),
]
Share = Annotated[float, typer.Option("--validation-share", help="Of the pairs to hold out where there is no split.")]
Checkpoint = Annotated[float, typer.Option("--checkpoint-seconds", help="Between checkpoints inside an epoch.")]


@app.command("conditional")
def conditional(
    data: options.Data,
    model: Model,
    out: Out,
    encoding: Kind = "bi",
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
    pooling: Pooling = "auto",
    mlp: Mlp = False,
    epochs: Epochs = 5,
    batch: Batch = 32,
    tokens: Tokens = None,
    lr: Rate = None,
    layer_decay: LayerDecay = 1.0,
    warmup: Warmup = 0.1,
    schedule: Schedule = "linear",
    weight_decay: WeightDecay = 0.1,
    average: Average = 0.5,
    seed: Seed = 0,
    seeds: Seeds = 1,
    patience: Patience = 0,
    dtype: Dtype = "auto",
    device: Device = None,
    compile: Compile = False,
    validation: Validation = None,
    split: Split = None,
    validation_split: ValidationSplit = None,
    validation_share: Share = 0.1,
    checkpoint_seconds: Checkpoint = 60.0,
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
    from similitude.systems.training import make_objective

    kind = options.choose("encoding", encoding, get_args(Encoding))
    architecture = Architecture(
        encoding=kind,
        mlp=mlp,
        combination=options.choose("combination", combination, get_args(Combination)),
        place=options.choose("place of the condition", place, get_args(Place)),
        reads=options.choose("ablation", reads, get_args(Reads)),
    )
    wanted = objective or ("mse" if kind == "cross" else "quad+mse")
    _train(
        data,
        out,
        options.reading_options(format, column, scale, text_encoding, on_error),
        _splits(validation, split, validation_split, validation_share, seed),
        _recipe(locals()),
        model=model,
        architecture=architecture,
        pooling=options.choose("pooling", pooling, ("auto", "mean", "cls")),
        objective=make_objective(wanted, quad_weight=quad_weight, margin=margin),
        seeds=seeds,
        usual_lr=lr is None,
        device=device,
        quiet=quiet,
        json=json,
    )


@app.command("pairs")
def pairs(
    data: options.Data,
    model: Model,
    out: Out,
    encoding: Kind = "bi",
    pooling: Pooling = "auto",
    mlp: Mlp = False,
    epochs: Epochs = 5,
    batch: Batch = 32,
    tokens: Tokens = None,
    lr: Rate = None,
    layer_decay: LayerDecay = 1.0,
    warmup: Warmup = 0.1,
    schedule: Schedule = "linear",
    weight_decay: WeightDecay = 0.1,
    average: Average = 0.5,
    seed: Seed = 0,
    seeds: Seeds = 1,
    patience: Patience = 0,
    dtype: Dtype = "auto",
    device: Device = None,
    compile: Compile = False,
    validation: Validation = None,
    split: Split = None,
    validation_split: ValidationSplit = None,
    validation_share: Share = 0.1,
    checkpoint_seconds: Checkpoint = 60.0,
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
    from similitude.systems.training import make_objective

    _train(
        data,
        out,
        options.reading_options(format, column, scale, text_encoding, on_error),
        _splits(validation, split, validation_split, validation_share, seed),
        _recipe(locals()),
        model=model,
        architecture=Architecture(
            encoding=options.choose("encoding of plain pairs", encoding, ("bi", "cross")), mlp=mlp, reads="sentences"
        ),
        pooling=options.choose("pooling", pooling, ("auto", "mean", "cls")),
        objective=make_objective("mse"),
        seeds=seeds,
        usual_lr=lr is None,
        device=device,
        quiet=quiet,
        json=json,
    )


@app.command("sweep")
def sweep(
    plan: Annotated[Path, typer.Argument(metavar="PLAN.toml", help="Data, models, grid and seeds (docs/training.md).")],
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Where everything is kept; the same command goes on.")
    ],
    device: Device = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
) -> None:
    """Train a grid, choose by validation, repeat the chosen ones over seeds, and lay it out as in the C-STS paper.

    Example: similitude train sweep studies/csts.toml --out runs/csts
    """
    from similitude.report.page.sheet import sheet_page
    from similitude.report.sweep import sweep_sheet, sweep_view
    from similitude.study.sweeps import read_sweep, run_sweep

    wanted = read_sweep(plan)
    with progress_bar(wanted.name, quiet=quiet) as bar:
        done = run_sweep(wanted, out, device=device, listener=bar)
    page = out / "sweep.html"
    _write_page(page, sheet_page(sweep_sheet(done)))
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
    from similitude.data.opening import open_benchmark
    from similitude.study.training import Request, is_first_process, train_model
    from similitude.study.training_data import training_data
    from similitude.systems.training import Recipe

    wanted = Request(recipe=Recipe(**recipe), **request)
    benchmark = open_benchmark(data, **reading)
    other = splits.pop("validation")
    held_out = None if other is None else open_benchmark(other, **reading)
    parts = training_data(benchmark, held_out, **splits)
    with progress_bar(benchmark.name, quiet=quiet) as bar:
        heard = _Heard(bar)
        trained = train_model(parts, wanted, out, heard)
    if is_first_process():
        print_notes((*benchmark.provenance.notes, *heard.notes, *trained.notes), quiet=quiet)
        _deliver(trained, json=json)


def _deliver(trained: Trained, *, json: bool) -> None:
    from similitude.report.page.sheet import sheet_page
    from similitude.report.training import training_sheet, training_view

    page = trained.folder / "runs" / "curve.html"
    _write_page(page, sheet_page(training_sheet(trained)))
    if json:
        print_json({**trained.record, "folder": str(trained.folder)})
        return
    results.print(training_view(trained))
    results.print(
        f"saved in {trained.folder}: conditional({trained.folder}) is a system now; curves in {page}",
        style="dim",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


class _Heard:
    """Passes progress on, and keeps notes for after the bar."""

    def __init__(self, bar: ProgressBar) -> None:
        self._bar = bar
        self.notes: list[str] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        self._bar.progress(stage, done, total)

    def note(self, text: str) -> None:
        self.notes.append(text)


def _recipe(given: dict[str, Any]) -> dict[str, Any]:
    """The options that are part of the recipe, under its names."""
    from similitude.systems.training.recipe import Precision, Schedule

    same = ("epochs", "batch", "tokens", "layer_decay", "warmup", "weight_decay", "average", "seed", "patience")
    return {
        **{name: given[name] for name in same},
        **({} if given["lr"] is None else {"lr": given["lr"]}),
        "schedule": options.choose("schedule", given["schedule"], get_args(Schedule)),
        "precision": options.choose("dtype", given["dtype"], get_args(Precision)),
        "compiled": given["compile"],
        "checkpoint_seconds": given["checkpoint_seconds"],
    }


def _splits(
    validation: str | None, split: str | None, validation_split: str | None, share: float, seed: int
) -> dict[str, Any]:
    return {
        "validation": validation,
        "split": split,
        "validation_split": validation_split,
        "share": share,
        "seed": seed,
    }


def _write_page(path: Path, page: str) -> None:
    from similitude.data.writing import write_atomically

    write_atomically(path, lambda draft: draft.write_text(page, encoding="utf-8"))
