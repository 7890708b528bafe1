"""Options and output that the commands of ``similitude train`` share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter
from cyclopts.validators import Number

from similitude.cli import options, parameters
from similitude.cli.console import print_json, print_notes, results, write_page
from similitude.data.listeners import NoteKeeper
from similitude.systems.conditional.architecture import Architecture
from similitude.training.conditional.augmentation import Augmentation
from similitude.training.conditional.cross_fit import CrossFit
from similitude.training.conditional.request import SimilarityRequest
from similitude.training.conditional.similarity_teaching import SimilarityTeaching
from similitude.training.conditional.teacher_choice import ConditionTeacher, ScoreTeacher
from similitude.training.fold_teachers import Teachers
from similitude.training.holdout import Holdout
from similitude.training.keywords import SHAPE
from similitude.training.objectives import MseQuad, Objective
from similitude.training.recipe import Recipe

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from similitude.data.benchmark import Benchmark
    from similitude.data.protocols import Listener
    from similitude.training.trained_model import Trained

__all__ = [
    "HIDDEN",
    "ConditionTeacherOptions",
    "CrossFitOptions",
    "CrossFitted",
    "HoldoutOptions",
    "Model",
    "ScoreTeacherOptions",
    "Setup",
    "SetupOptions",
    "SimilarityOptions",
    "StudyFolder",
    "SuspectsFile",
    "deliver",
    "train_similarity",
]

HIDDEN: Final = Parameter(parse=False)

Model = Annotated[
    str,
    Parameter(
        group=parameters.COMMON, metavar="FOLDER|NAME", help="The model to start from: a folder, or a name on the hub."
    ),
]
SuspectsFile = Annotated[str | None, Parameter(metavar="FILE")]
MODEL_FOLDER: Final = "Save the model here. The same command resumes."
StudyFolder = Annotated[Path, Parameter(metavar="DIR", help="Keep everything here. The same command resumes.")]


@parameters.resolved
@dataclass(frozen=True, kw_only=True)
class SimilarityOptions(SimilarityRequest):
    """A request for a model of similarity, each field an option."""

    model: Model
    recipe: Annotated[Recipe, parameters.flat(parameters.TRAINING)] = Recipe()
    architecture: Annotated[Architecture, parameters.flat(parameters.MODEL, without=SHAPE.without, **SHAPE.names)] = (
        Architecture()
    )
    objective: Annotated[Objective, HIDDEN] = MseQuad()
    teachers: Annotated[Teachers, HIDDEN] = Teachers()
    augmentation: Annotated[Augmentation, HIDDEN] = Augmentation()
    teaching: Annotated[SimilarityTeaching | None, HIDDEN] = None
    ensemble: Annotated[int, HIDDEN] = 1
    suspects: SuspectsFile = None


@parameters.resolved
@dataclass(frozen=True, kw_only=True)
class CrossFitOptions(CrossFit):
    """Cross-fitted teachers, each field an option."""

    cross_fit: Annotated[int | None, Parameter(metavar="N")] = None


@parameters.resolved
@dataclass(frozen=True, kw_only=True)
class ScoreTeacherOptions(ScoreTeacher):
    """A teacher and the pairs that it labels, each field an option."""

    teacher: Annotated[str | None, Parameter(metavar="SYSTEM")] = None
    new_pairs: Annotated[int | None, Parameter(validator=Number(gte=0), metavar="N")] = None
    unlabelled: Annotated[str | None, Parameter(metavar="DATA")] = None


@parameters.resolved
@dataclass(frozen=True, kw_only=True)
class ConditionTeacherOptions(ConditionTeacher):
    """A teacher and the items under conditions that it labels, each field an option."""

    teacher: Annotated[str | None, Parameter(metavar="SYSTEM")] = None
    new_conditions: Annotated[int | None, Parameter(validator=Number(gte=0), metavar="N")] = None
    new_pairs: Annotated[int | None, Parameter(validator=Number(gte=0), metavar="N")] = None
    unlabelled: Annotated[str | None, Parameter(metavar="DATA")] = None
    conditions_from: Annotated[str | None, Parameter(metavar="FILE|MODEL")] = None


@parameters.resolved
@dataclass(frozen=True, kw_only=True)
class HoldoutOptions(Holdout):
    """Which items are learned from, and which are held out for validation, each field an option."""

    split: Annotated[str | None, Parameter(metavar="NAME")] = None
    validation: Annotated[str | None, Parameter(metavar="DATA")] = None
    validation_split: Annotated[str | None, Parameter(metavar="NAME")] = None


@dataclass(frozen=True, kw_only=True)
class SetupOptions:
    """Input, held-out items, model folder and output of a training."""

    folder: Annotated[Path, Parameter(group=parameters.COMMON, metavar="DIR", help=MODEL_FOLDER)]
    holdout: Annotated[HoldoutOptions, parameters.flat(parameters.INPUT)] = HoldoutOptions()
    input: options.Input = options.InputOptions()
    output: options.Output = options.OutputOptions()

    def benchmarks(self, data: Sequence[str]) -> list[Benchmark]:
        """Open each of the data."""
        return [self.input.benchmark(name) for name in data]

    def progress(self, benchmarks: Sequence[Benchmark]) -> AbstractContextManager[Listener]:
        """A progress bar with the names of the data."""
        return self.output.progress(" + ".join(benchmark.name for benchmark in benchmarks))


Setup = Annotated[SetupOptions, parameters.flat(parameters.COMMON)]
CrossFitted = Annotated[CrossFitOptions, parameters.flat(parameters.MODEL)]


def train_similarity(
    data: str,
    request: SimilarityRequest,
    setup: SetupOptions,
    cross_fit: CrossFit,
    teacher: ScoreTeacher,
    cached: options.CacheOptions,
) -> None:
    """Train a model of similarity and print the result."""
    from similitude.training.splits import TrainingData
    from similitude.training.train import train_model

    benchmarks = setup.benchmarks([data])
    found = setup.holdout.parts(benchmarks, setup.input.benchmark, request.recipe.seed)
    parts = TrainingData(found.train[0], found.validation[0], found.notes)
    wanted = teacher.applied(request, cross_fit, len(parts.train))
    given = None if teacher.unlabelled is None else setup.input.benchmark(teacher.unlabelled)
    with setup.progress(benchmarks) as bar:
        heard = NoteKeeper(bar)
        trained = train_model(parts, wanted, setup.folder, heard, cache=cached.choice, unlabelled=given)
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
