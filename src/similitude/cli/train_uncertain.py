"""``similitude train uncertain``: models that say how far people would differ.

Options that are not given have the defaults of `similitude.systems.uncertain.architecture`, which is the one place
where they stand; it is imported when the command runs, because it brings numpy and polars along.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Final, NamedTuple, get_args

import typer

from similitude.cli import options
from similitude.cli import train_options as asked
from similitude.cli.console import print_notes
from similitude.cli.progress import progress_bar
from similitude.cli.train_delivery import Heard, deliver, recipe_of, splits_of
from similitude.errors import ArgumentError

__all__ = ["uncertain"]

SeveralData = Annotated[
    list[str],
    typer.Argument(metavar="DATA...", help="Benchmarks with every rater's rating (or sigma), learned from together."),
]
Encoding = Annotated[
    str | None,
    typer.Option("--encoding", metavar="joint|cross|bi", help="Both texts together, each alone, or all of that."),
]
Head = Annotated[
    str | None,
    typer.Option("--head", metavar="gaussian|mixture|histogram|point", help="What is said of opinions."),
]
Objective = Annotated[
    str | None, typer.Option("--objective", metavar="nll|kl|crps|beta-nll|mse", help="What is minimised; by the head.")
]
Components = Annotated[int | None, typer.Option("--components", help="Of a mixture.")]
Bins = Annotated[int | None, typer.Option("--bins", help="Points of a histogram, both ends of the scale included.")]
Hidden = Annotated[int | None, typer.Option("--hidden", help="Width of the head's first layer; 0: the encoder's.")]
Dropout = Annotated[float | None, typer.Option("--dropout", help="Of every dropout layer.")]
Floor = Annotated[float | None, typer.Option("--floor", help="The least sigma, as a share of the scale.")]
Pooling = Annotated[
    str | None, typer.Option("--pooling", metavar="auto|mean|cls|last", help="How token vectors become one.")
]
Ensemble = Annotated[
    int, typer.Option("--ensemble", min=1, help="Train so many members and keep all: a deep ensemble.")
]
Recalibrate = Annotated[
    str,
    typer.Option("--recalibrate", metavar="none|scale|isotonic", help="Correct sigmas on the validation items."),
]
Evidence = Annotated[
    list[str] | None,
    typer.Option(
        "--evidence", metavar="SOURCE", help="Beside the tokens, tell the head: overlap, or what a system sees. Again."
    ),
]
NEW_PAIRS_AN_ITEM: Final = 8

Template = Annotated[
    str | None,
    typer.Option(
        "--template", help=r"How a language model is shown a pair: text with {left} and {right}; \n for a new line."
    ),
]
Layers = Annotated[
    int, typer.Option("--layers", min=0, help="Keep only the first so many layers of the model; 0: all.")
]
Adapters = Annotated[
    int,
    typer.Option("--adapters", min=0, help="Leave the model as it is and learn adapters (LoRA) of this rank, say 16."),
]
Teacher = Annotated[
    str | None,
    typer.Option("--teacher", metavar="SYSTEM", help="Learn also what this system says of pairs that nobody rated."),
]
NewPairs = Annotated[
    int | None,
    typer.Option(
        "--new-pairs",
        min=0,
        help="Pairs to make of the texts of DATA for the teacher. Default: 8 an item.",
    ),
]
Unlabelled = Annotated[
    str | None, typer.Option("--unlabelled", metavar="PAIRS", help="Pairs of your own for the teacher to label.")
]
Balance = Annotated[bool, typer.Option("--balance", help="Each of several DATA counts the same.")]
Split = Annotated[
    str | None, typer.Option("--split", help="Learn from this split, or from several: train+dev. Default: train.")
]
Epochs = Annotated[int | None, typer.Option("--epochs", help="Times that every item is seen.")]
Batch = Annotated[int | None, typer.Option("--batch", help="Items of one step.")]
LayerDecay = Annotated[
    float | None, typer.Option("--layer-decay", help="A layer's rate as a share of that of the one above.")
]
Warmup = Annotated[float | None, typer.Option("--warmup", help="Share of the steps in which the rate rises.")]
Schedule = Annotated[
    str | None, typer.Option("--schedule", metavar="linear|cosine|constant", help="How the rate falls.")
]
WeightDecay = Annotated[float | None, typer.Option("--weight-decay", help="Of AdamW.")]
Average = Annotated[
    float | None, typer.Option("--average", help="Epochs over which weights are averaged; 0 for the last ones.")
]


def uncertain(
    data: SeveralData,
    model: asked.Model,
    out: asked.Out,
    head: Head = None,
    objective: Objective = None,
    encoding: Encoding = None,
    pooling: Pooling = None,
    components: Components = None,
    bins: Bins = None,
    hidden: Hidden = None,
    dropout: Dropout = None,
    floor: Floor = None,
    ensemble: Ensemble = 1,
    recalibrate: Recalibrate = "none",
    balance: Balance = False,
    evidence: Evidence = None,
    adapters: Adapters = 0,
    layers: Layers = 0,
    template: Template = None,
    teacher: Teacher = None,
    new_pairs: NewPairs = None,
    unlabelled: Unlabelled = None,
    epochs: Epochs = None,
    batch: Batch = None,
    tokens: asked.Tokens = None,
    lr: asked.Rate = None,
    layer_decay: LayerDecay = None,
    warmup: Warmup = None,
    schedule: Schedule = None,
    weight_decay: WeightDecay = None,
    average: Average = None,
    seed: asked.Seed = 0,
    seeds: asked.Seeds = 1,
    patience: asked.Patience = 0,
    dtype: asked.Dtype = "auto",
    device: asked.Device = None,
    compile: asked.Compile = False,
    validation: asked.Validation = None,
    split: Split = None,
    validation_split: asked.ValidationSplit = None,
    validation_share: asked.Share = 0.1,
    checkpoint_seconds: asked.Checkpoint = 60.0,
    no_cache: options.NoCache = False,
    quiet: options.Quiet = False,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    text_encoding: Annotated[str, typer.Option("--text-encoding", help="The encoding of the file's text.")] = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Train an encoder to say how alike two texts are, and how far people would differ over it.

    Example: similitude train uncertain usts/ustsu usts/ustsc --model bert-base-chinese --out my-model
    """
    _train(
        data,
        options.reading_options(format, column, scale, text_encoding, on_error),
        splits_of(validation, split, validation_split, validation_share, seed),
        _request(locals()),
        out,
        teacher=_Teacher(teacher, new_pairs, unlabelled),
        no_cache=no_cache,
        quiet=quiet,
        json=json,
    )


def _request(given: dict[str, Any]) -> Any:
    from similitude.systems.uncertain import architecture as defaults
    from similitude.systems.uncertain.heads import make_head
    from similitude.training.request import Recalibrate as HowToRecalibrate
    from similitude.training.uncertain.request import DEFAULT_RECIPE, OpinionRequest

    head = given["head"] or defaults.Architecture().head
    encoding = _choice("encoding", given["encoding"], get_args(defaults.Encoding))
    shape = {
        "encoding": encoding or make_head(head).encoding,
        "head": head,
        **{name: given[name] for name in ("components", "bins", "hidden", "dropout", "floor")},
        "template": None if given["template"] is None else given["template"].replace(r"\n", "\n"),
    }
    architecture = defaults.Architecture(**{name: value for name, value in shape.items() if value is not None})
    rate = defaults.DEFAULT_RATE if given["lr"] is None else given["lr"]
    recipe = recipe_of({**given, "lr": rate})
    return OpinionRequest(
        model=given["model"],
        architecture=architecture,
        pooling=_choice("pooling", given["pooling"], ("auto", "mean", "cls", "last")) or defaults.DEFAULT_POOLING,
        objective=given["objective"] or make_head(head).objective,
        recipe=replace(DEFAULT_RECIPE, **recipe),
        seeds=given["seeds"],
        ensemble=given["ensemble"],
        recalibrate=options.choose("recalibration", given["recalibrate"], get_args(HowToRecalibrate)),
        balanced=given["balance"],
        evidence=tuple(given["evidence"] or ()),
        usual_encoding=encoding is None,
        layers=given["layers"],
        adapters=given["adapters"],
        usual_lr=rate is None,
        device=given["device"],
    )


class _Teacher(NamedTuple):
    """What the user says of a teacher."""

    system: str | None
    new_pairs: int | None
    unlabelled: str | None

    def asked(self, items: int) -> Any:
        """The teacher and how many new pairs it is to label; None for no teacher.

        Raises:
            ArgumentError: there are pairs for a teacher, and none.
        """
        from similitude.training.teacher import Teaching

        if self.system is not None:
            usual = 0 if self.unlabelled is not None else NEW_PAIRS_AN_ITEM * items
            return Teaching(self.system, usual if self.new_pairs is None else self.new_pairs)
        for option, value in zip(("--new-pairs", "--unlabelled"), self[1:], strict=True):
            if value is not None:
                raise ArgumentError(
                    f"{option} is for a teacher", remedy=f"give --teacher SYSTEM, or leave {option} out"
                )
        return None


def _choice(kind: str, written: str | None, choices: tuple[str, ...]) -> Any:
    return None if written is None else options.choose(kind, written, choices)


def _train(
    data: list[str],
    reading: dict[str, Any],
    splits: dict[str, Any],
    request: Any,
    out: Any,
    *,
    teacher: _Teacher,
    no_cache: bool,
    quiet: bool,
    json: bool,
) -> None:
    from similitude.data.addresses import open_benchmark
    from similitude.models.cache import usual_cache
    from similitude.training.splits import several_training_data
    from similitude.training.train import is_first_process, train_opinions

    benchmarks = [open_benchmark(name, **reading) for name in data]
    pairs = None if teacher.unlabelled is None else open_benchmark(teacher.unlabelled, **reading)
    other = splits.pop("validation")
    held_out = None if other is None else open_benchmark(other, **reading)
    parts = several_training_data(benchmarks, held_out, **splits)
    request = replace(request, teaching=teacher.asked(sum(len(part) for part in parts.train)))
    with progress_bar(" + ".join(benchmark.name for benchmark in benchmarks), quiet=quiet) as bar:
        heard = Heard(bar)
        needs_cache = bool(request.evidence) or request.teaching is not None
        cache = usual_cache(heard.note) if needs_cache and not no_cache else None
        trained = train_opinions(parts, request, out, heard, cache, pairs)
    if is_first_process():
        read = (note for benchmark in benchmarks for note in benchmark.provenance.notes)
        print_notes((*read, *heard.notes, *trained.notes), quiet=quiet)
        deliver(trained, json=json)
