"""Options and output that the commands of ``similitude train`` share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import print_json, print_notes, results, write_page
from similitude.data.listeners import NoteKeeper
from similitude.systems.conditional.architecture import Architecture
from similitude.training.conditional.request import SimilarityRequest
from similitude.training.fold_teachers import DEFAULT_COUNT, DEFAULT_WEIGHT, Teachers
from similitude.training.objectives import MseQuad, Objective
from similitude.training.recipe import Recipe

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from similitude.data.benchmark import Benchmark
    from similitude.data.protocols import Listener
    from similitude.training.splits import SeveralData
    from similitude.training.trained_model import Trained

__all__ = [
    "COMPUTED",
    "HIDDEN",
    "CrossFit",
    "CrossFitted",
    "Holdout",
    "Model",
    "Setup",
    "SetupOptions",
    "SimilarityOptions",
    "StudyFolder",
    "deliver",
    "train_similarity",
]

HIDDEN: Final = Parameter(parse=False)
COMPUTED: Final = ("pooling", "separator", "low", "high", "evidence")
"""Fields of an architecture that follow from the model and the data."""

Model = Annotated[
    str,
    Parameter(
        group=parameters.COMMON, metavar="FOLDER|NAME", help="The model to start from: a folder, or a name on the hub."
    ),
]
MODEL_FOLDER: Final = "Save the model here. The same command resumes."
StudyFolder = Annotated[Path, Parameter(metavar="DIR", help="Keep everything here. The same command resumes.")]


@parameters.resolved
@dataclass(frozen=True, kw_only=True)
class SimilarityOptions(SimilarityRequest):
    """A request for a model of similarity, each field an option."""

    model: Model
    recipe: Annotated[Recipe, parameters.flat(parameters.TRAINING)] = Recipe()
    architecture: Annotated[
        Architecture, parameters.flat(parameters.MODEL, without=COMPUTED, encoding="architecture")
    ] = Architecture()
    objective: Annotated[Objective, HIDDEN] = MseQuad()
    teachers: Annotated[Teachers, HIDDEN] = Teachers()
    default_teachers: Annotated[bool, HIDDEN] = False
    ensemble: Annotated[int, HIDDEN] = 1


@dataclass(frozen=True, kw_only=True)
class CrossFit:
    """Cross-fitted teachers, trained on folds of the data before the model itself.

    Attributes:
        cross_fit: train N models on folds first and learn from their scores too. By default 3 for a bi-encoder with
            conditions and at least 300 pairs, else 0. 0 trains one model only, four times as fast.
        teacher_weight: the weight of their scores; gold has the rest.
    """

    cross_fit: Annotated[int | None, Parameter(metavar="N")] = None
    teacher_weight: float = DEFAULT_WEIGHT

    def applied(self, request: SimilarityRequest) -> SimilarityRequest:
        """The request with these teachers."""
        shape, is_weighed = request.architecture, self.teacher_weight != DEFAULT_WEIGHT
        may_be_usual = shape.encoding == "bi" and shape.reads == "all"
        if self.cross_fit is None and may_be_usual and not is_weighed:
            return replace(request, default_teachers=True)
        usual = DEFAULT_COUNT if is_weighed and shape.reads != "sentences" else 0
        count = usual if self.cross_fit is None else self.cross_fit
        return replace(request, teachers=Teachers(count=count, weight=self.teacher_weight))


@dataclass(frozen=True, kw_only=True)
class Holdout:
    """Which items are learned from, and which are held out for validation.

    Attributes:
        split: learn from this split, or from several: train+dev. By default 'train' if there is one.
        validation: validate on this data instead of a part of DATA.
        validation_split: validate on this split. By default 'validation' or 'dev' if there is one.
        validation_share: the share of pairs to hold out if there is no split to validate on.
    """

    split: Annotated[str | None, Parameter(metavar="NAME")] = None
    validation: Annotated[str | None, Parameter(metavar="DATA")] = None
    validation_split: Annotated[str | None, Parameter(metavar="NAME")] = None
    validation_share: float = 0.1

    def parts(self, benchmarks: Sequence[Benchmark], input: options.InputOptions, seed: int) -> SeveralData:
        """The items to learn from and those to validate on."""
        from similitude.training.splits import several_training_data

        return several_training_data(
            benchmarks,
            None if self.validation is None else input.benchmark(self.validation),
            split=self.split,
            validation_split=self.validation_split,
            share=self.validation_share,
            seed=seed,
        )


@dataclass(frozen=True, kw_only=True)
class SetupOptions:
    """Input, held-out items, model folder and output of a training."""

    folder: Annotated[Path, Parameter(group=parameters.COMMON, metavar="DIR", help=MODEL_FOLDER)]
    holdout: Annotated[Holdout, parameters.flat(parameters.INPUT)] = Holdout()
    input: options.Input = options.InputOptions()
    output: options.Output = options.OutputOptions()

    def benchmarks(self, data: Sequence[str]) -> list[Benchmark]:
        """Open each of the data."""
        return [self.input.benchmark(name) for name in data]

    def progress(self, benchmarks: Sequence[Benchmark]) -> AbstractContextManager[Listener]:
        """A progress bar with the names of the data."""
        return self.output.progress(" + ".join(benchmark.name for benchmark in benchmarks))


Setup = Annotated[SetupOptions, parameters.flat(parameters.COMMON)]
CrossFitted = Annotated[CrossFit, parameters.flat(parameters.MODEL)]


def train_similarity(data: str, request: SimilarityRequest, setup: SetupOptions) -> None:
    """Train a model of similarity and print the result."""
    from similitude.training.splits import TrainingData
    from similitude.training.train import train_model

    benchmarks = setup.benchmarks([data])
    found = setup.holdout.parts(benchmarks, setup.input, request.recipe.seed)
    parts = TrainingData(found.train[0], found.validation[0], found.notes)
    with setup.progress(benchmarks) as bar:
        heard = NoteKeeper(bar)
        trained = train_model(parts, request, setup.folder, heard)
    deliver(trained, benchmarks, heard, setup.output)


def deliver(
    trained: Trained, benchmarks: Sequence[Benchmark], heard: NoteKeeper, output: options.OutputOptions
) -> None:
    """Write the curves beside the model, and print the result: once, however many processes train together."""
    from similitude.report.training_curves import training_sheet, training_view
    from similitude.training.train import is_first_process

    if not is_first_process():
        return
    read = (note for benchmark in benchmarks for note in benchmark.provenance.notes)
    print_notes((*read, *heard.notes, *trained.notes), quiet=output.quiet)
    page = trained.folder / "runs" / "curve.html"
    write_page(page, training_sheet(trained))
    if output.json:
        print_json({**trained.record, "folder": str(trained.folder)})
        return
    results.print(training_view(trained))
    told = f"saved in {trained.folder}: {trained.system} is a system now; curves in {page}"
    results.print(told, style="dim", markup=False, highlight=False, soft_wrap=True)
