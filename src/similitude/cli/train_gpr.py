"""``similitude train gpr``: a Gaussian process over the vectors of a frozen encoder."""

from __future__ import annotations

from typing import Annotated, Any, get_args

import typer

from similitude.cli import options
from similitude.cli import train_options as asked
from similitude.cli.console import print_notes
from similitude.cli.progress import progress_bar
from similitude.cli.train_delivery import Heard, deliver, splits_of

__all__ = ["gpr"]

Encoder = Annotated[
    str,
    typer.Option("--encoder", metavar="SYSTEM", help="Whose vectors to read: use, wordllama, encoder(FOLDER)."),
]
Evidence = Annotated[
    list[str] | None,
    typer.Option(
        "--evidence",
        metavar="SOURCE",
        help="Further numbers of a pair: overlap, or a system that compares it; may be given several times (docs).",
    ),
]
Inducing = Annotated[
    int | None, typer.Option("--inducing", help="Inducing points: what the process sees items through.")
]
Kernel = Annotated[
    str | None, typer.Option("--kernel", metavar="rbf|matern|matern12|linear+rbf", help="How pairs are alike.")
]
Features = Annotated[
    str | None, typer.Option("--features", metavar="symmetric|paper", help="What a pair's row is made of.")
]
Components = Annotated[
    int | None, typer.Option("--components", help="Principal components kept of each block of features; 0: all.")
]
Method = Annotated[
    str | None, typer.Option("--method", metavar="auto|fitc|vfe|minibatched", help="How it learns (docs).")
]
Noise = Annotated[
    str, typer.Option("--noise", metavar="shared|raters", help="raters: known noise, and people's spread in sigma.")
]
Recalibrate = Annotated[
    str,
    typer.Option("--recalibrate", metavar="none|scale|isotonic", help="Correct sigmas on the validation items."),
]
Epochs = Annotated[int | None, typer.Option("--epochs", help="At most: of ten L-BFGS steps, or passes in minibatches.")]
Batch = Annotated[int | None, typer.Option("--batch", help="Items of one step in minibatches.")]
Rate = Annotated[float | None, typer.Option("--lr", help="Learning rate in minibatches.")]
Patience = Annotated[int | None, typer.Option("--patience", help="Epochs without a better validation; 0: never stop.")]


def gpr(
    data: options.SeveralData,
    encoder: Encoder,
    out: asked.Out,
    evidence: Evidence = None,
    inducing: Inducing = None,
    kernel: Kernel = None,
    features: Features = None,
    components: Components = None,
    method: Method = None,
    noise: Noise = "shared",
    recalibrate: Recalibrate = "none",
    epochs: Epochs = None,
    batch: Batch = None,
    lr: Rate = None,
    patience: Patience = None,
    seed: asked.Seed = 0,
    device: asked.Device = None,
    validation: asked.Validation = None,
    split: asked.Split = None,
    validation_split: asked.ValidationSplit = None,
    validation_share: asked.Share = 0.1,
    no_cache: options.NoCache = False,
    quiet: options.Quiet = False,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    text_encoding: Annotated[str, typer.Option("--text-encoding", help="The encoding of the file's text.")] = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Train a Gaussian process on the vectors of an encoder, which stays as it is: scores with their uncertainty.

    Example: similitude train gpr usts/ustsu usts/ustsc --encoder use --out my-process
    """
    _train(
        data,
        options.reading_options(format, column, scale, text_encoding, on_error),
        splits_of(validation, split, validation_split, validation_share, seed),
        _request(locals()),
        out,
        no_cache=no_cache,
        quiet=quiet,
        json=json,
    )


def _request(given: dict[str, Any]) -> Any:
    from similitude.systems.uncertain.gaussian_process.features import FeatureKind
    from similitude.systems.uncertain.gaussian_process.kernel import KernelForm
    from similitude.training.gaussian_process.recipe import GprRecipe
    from similitude.training.gaussian_process.recipe import Method as Methods
    from similitude.training.gaussian_process.request import GprRequest
    from similitude.training.gaussian_process.request import Noise as Noises
    from similitude.training.request import Recalibrate as Ways

    choices = {"kernel": KernelForm, "features": FeatureKind, "method": Methods}
    numbers = {name: given[name] for name in ("inducing", "components", "epochs", "batch", "lr", "patience", "seed")}
    names = {
        name: options.choose(name, given[name], get_args(kind))
        for name, kind in choices.items()
        if given[name] is not None
    }
    return GprRequest(
        encoder=given["encoder"],
        evidence=tuple(given["evidence"] or ()),
        recipe=GprRecipe(**names, **{name: value for name, value in numbers.items() if value is not None}),
        noise=options.choose("noise", given["noise"], get_args(Noises)),
        recalibrate=options.choose("recalibration", given["recalibrate"], get_args(Ways)),
        device=given["device"],
    )


def _train(
    data: list[str],
    reading: dict[str, Any],
    splits: dict[str, Any],
    request: Any,
    out: Any,
    *,
    no_cache: bool,
    quiet: bool,
    json: bool,
) -> None:
    from similitude.data.addresses import open_benchmark
    from similitude.models.cache import usual_cache
    from similitude.training.splits import several_training_data
    from similitude.training.train import train_gpr

    benchmarks = [open_benchmark(name, **reading) for name in data]
    other = splits.pop("validation")
    held_out = None if other is None else open_benchmark(other, **reading)
    parts = several_training_data(benchmarks, held_out, **splits)
    with progress_bar(" + ".join(benchmark.name for benchmark in benchmarks), quiet=quiet) as bar:
        heard = Heard(bar)
        trained = train_gpr(parts, request, out, cache=None if no_cache else usual_cache(heard.note), listener=heard)
    read = (note for benchmark in benchmarks for note in benchmark.provenance.notes)
    print_notes((*read, *heard.notes, *trained.notes), quiet=quiet)
    deliver(trained, json=json)
