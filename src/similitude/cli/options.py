"""Options that several commands share, each declared once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from similitude.cli import parameters
from similitude.cli.confidence_options import (
    ConfidenceOptions,
    DecisionOptions,
    IntervalOptions,
    JudgementIntervalOptions,
)
from similitude.cli.input_options import InputOptions, JudgementOptions, TableOptions, data_paths
from similitude.cli.suite_options import SuiteOptions

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from similitude.data.benchmark import Benchmark
    from similitude.data.judgements import Judgements
    from similitude.data.protocols import Listener
    from similitude.evaluate.tasks import Requirements
    from similitude.models.cache import AnswerStore, VectorStore

__all__ = [
    "By",
    "Cache",
    "CacheOptions",
    "Calibration",
    "CalibrationOptions",
    "Ceiling",
    "CeilingOptions",
    "Confidence",
    "ConfidenceOptions",
    "Csv",
    "Data",
    "DecisionOptions",
    "Decisions",
    "Device",
    "DryRun",
    "Fresh",
    "Input",
    "InputOptions",
    "IntervalOptions",
    "ItemsInput",
    "Json",
    "Judged",
    "JudgementFiles",
    "JudgementIntervalOptions",
    "JudgementIntervals",
    "JudgementOptions",
    "Latex",
    "Markdown",
    "Measures",
    "Names",
    "NoCache",
    "Output",
    "OutputOptions",
    "Page",
    "PredictionsInput",
    "Quiet",
    "Run",
    "RunOptions",
    "Seed",
    "SeveralData",
    "Split",
    "Suite",
    "SuiteOptions",
    "TableOptions",
    "TaskInput",
    "columns_in",
    "data_paths",
    "given",
]

Data = Annotated[
    str,
    parameters.data("A file or folder of text pairs, -, hf:NAME, or sample:NAME.", "DATA"),
]
SeveralData = Annotated[
    list[str],
    parameters.data("One or more files, a folder, -, hf:NAME, or sample:NAME."),
]
JudgementFiles = Annotated[
    list[str],
    parameters.data("Files of judgements, a benchmark with judgements, or sample:dialogues|opinions."),
]
Measures = Annotated[
    list[str] | None,
    Parameter(
        name=["--measure", "-m"], metavar="MEASURE", help="A measure, as in ndcg@10 or hmean(pearson,f1); repeatable."
    ),
]
By = Annotated[
    list[str] | None,
    Parameter(
        name="--by",
        metavar="COLUMN,...",
        help="Group items by contention, domain, language, ...; repeatable.",
    ),
]
Names = Annotated[
    list[str] | None,
    Parameter(
        name="--name",
        metavar="NAME",
        help="Short names for tables, in order, or NAME=SYSTEM.",
    ),
]
Split = Annotated[str | None, Parameter(help="Use this split only.")]
Seed = Annotated[int, Parameter(help="The seed of everything random.")]
Page = Annotated[Path | None, parameters.page("Write a page with figures.")]
Markdown = Annotated[
    str | None,
    Parameter(
        group=parameters.OUTPUT, metavar="FILE", allow_leading_hyphen=True, help="Write Markdown tables; - prints them."
    ),
]
Latex = Annotated[
    str | None,
    Parameter(
        group=parameters.OUTPUT, metavar="FILE", allow_leading_hyphen=True, help="Write LaTeX tables; - prints them."
    ),
]
Csv = Annotated[
    str | None,
    Parameter(
        group=parameters.OUTPUT,
        metavar="FILE",
        allow_leading_hyphen=True,
        help="Write one row per cell; - prints them.",
    ),
]
Json = Annotated[bool, Parameter(group=parameters.OUTPUT, help="Print the results as JSON.")]
Quiet = Annotated[
    bool, Parameter(name=["--quiet", "-q"], group=parameters.OUTPUT, help="Show no progress and no notes.")
]
DryRun = Annotated[bool, Parameter(help="Show what language models would be asked and the cost; ask nothing.")]
Fresh = Annotated[bool, Parameter(help="Compute again what the folder already holds.")]
NoCache = Annotated[
    bool, Parameter(group=parameters.OUTPUT, help="Neither use nor fill the cache of vectors and answers.")
]
Device = Annotated[
    str | None,
    Parameter(group=parameters.TRAINING, help="The device: cpu, cuda or cuda:1. By default a GPU if there is one."),
]


@dataclass(frozen=True, kw_only=True)
class CalibrationOptions:
    """How scores are brought onto the gold scale.

    Attributes:
        calibrate: the mapping of scores onto the gold scale; auto: quantiles, for measures with borders on it.
        calibrate_on: fit the mapping on this split instead of the other folds.
    """

    calibrate: Literal["auto", "none", "linear", "isotonic", "quantile"] = "auto"
    calibrate_on: Annotated[str | None, Parameter(metavar="SPLIT")] = None

    def arguments(self) -> dict[str, Any]:
        """The options as keyword arguments of `run`."""
        return {"calibrate": self.calibrate, "calibrate_on": self.calibrate_on}


@dataclass(frozen=True, kw_only=True)
class CacheOptions:
    """Whether to use the cache of vectors and answers."""

    no_cache: NoCache = False

    @property
    def choice(self) -> Literal["usual"] | None:
        """Which cache a function is to use that tells its listener what is wrong with it."""
        return None if self.no_cache else "usual"

    def vectors(self, *, quiet: bool = False) -> VectorStore | None:
        """The cache of vectors, which prints what is wrong with it; None with --no-cache."""
        from similitude.cli.console import print_notes
        from similitude.models.cache import usual_cache

        return None if self.no_cache else usual_cache(lambda text: print_notes([text], quiet=quiet))

    def answers(self, *, quiet: bool = False) -> AnswerStore | None:
        """The cache of language models' answers, which prints what is wrong with it; None with --no-cache."""
        from similitude.cli.console import print_notes
        from similitude.models.cache import usual_answers

        return None if self.no_cache else usual_answers(lambda text: print_notes([text], quiet=quiet))


@dataclass(frozen=True, kw_only=True)
class RunOptions(CacheOptions):
    """How to run systems.

    Attributes:
        split: use this split only.
        folder: the folder of the run. By default one in runs/ named after the data.
        fresh: compute again what the folder already holds.
        seed: the seed of everything random.
    """

    split: str | None = None
    folder: Annotated[Path | None, Parameter(metavar="DIR")] = None
    fresh: bool = False
    seed: int = 0

    def folder_for(self, benchmark: Benchmark, task: Requirements | None = None) -> Path:
        """The chosen folder, or the default; a choice has one for each task."""
        from similitude.study import default_folder

        return self.folder or default_folder(benchmark, self.split, task)

    def arguments(
        self, benchmark: Benchmark, *, quiet: bool, task: Requirements | None = None, asked: Sequence[str] = ()
    ) -> dict[str, Any]:
        """The options as keyword arguments of `run`.

        Args:
            benchmark: the data.
            quiet: whether to print no notes.
            task: for which a system is chosen.
            asked: options that the user was asked for, as if they were typed.
        """
        from similitude.cli.console import print_notes
        from similitude.cli.typed import TYPED
        from similitude.models.cache import Caches, default_caches

        caches = Caches() if self.no_cache else default_caches(lambda text: print_notes([text], quiet=quiet))
        return {
            "split": self.split,
            "seed": self.seed,
            "out": self.folder_for(benchmark, task),
            "command": ("similitude", *TYPED.get(), *asked) if TYPED.get() else (),
            "fresh": self.fresh,
            "cache": caches.vectors,
            "answers": caches.answers,
        }


@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """What a command prints."""

    json: Json = False
    quiet: Quiet = False

    def progress(self, title: str) -> AbstractContextManager[Listener]:
        """A progress bar, hidden with --quiet."""
        from similitude.cli.progress import progress_bar

        return progress_bar(title, quiet=self.quiet)


@dataclass(frozen=True, kw_only=True)
class CeilingOptions:
    """The judgements behind gold, for the human ceiling.

    Attributes:
        judgements: the judgements behind gold, for the human ceiling. By default those that the data keeps.
        positions_are_people: the ratings at one place of unnamed lists are by one person.
    """

    judgements: Annotated[str | None, Parameter(metavar="FILE")] = None
    positions_are_people: bool = False

    def open(self, benchmark: Benchmark) -> Judgements | None:
        """The judgements; None for those that the data keeps."""
        from similitude.data.addresses import open_judgements

        if self.judgements is not None:
            return open_judgements(self.judgements, positions_are_people=self.positions_are_people)
        return open_judgements(benchmark, positions_are_people=True) if self.positions_are_people else None


Suite = Annotated[SuiteOptions, parameters.flat(parameters.COMMON)]
Input = Annotated[InputOptions, parameters.flat(parameters.INPUT)]
Ceiling = Annotated[CeilingOptions, parameters.flat(parameters.INPUT)]
Output = Annotated[OutputOptions, parameters.flat(parameters.OUTPUT)]
Cache = Annotated[CacheOptions, parameters.flat(parameters.OUTPUT)]
Run = Annotated[RunOptions, parameters.flat(parameters.COMMON)]
Calibration = Annotated[CalibrationOptions, parameters.flat(parameters.INPUT)]
Judged = Annotated[JudgementOptions, parameters.flat(parameters.INPUT)]
PredictionsInput = Annotated[TableOptions, parameters.flat(parameters.INPUT, prefix="predictions-")]
TaskInput = Annotated[TableOptions, parameters.flat(parameters.INPUT)]
ItemsInput = Annotated[InputOptions, parameters.flat(parameters.INPUT, prefix="items-")]
JudgementIntervals = Annotated[JudgementIntervalOptions, parameters.flat(parameters.CONFIDENCE)]
Decisions = Annotated[DecisionOptions, parameters.flat(parameters.CONFIDENCE)]
Confidence = Annotated[ConfidenceOptions, parameters.flat(parameters.CONFIDENCE)]


def columns_in(by: Sequence[str] | None) -> tuple[str, ...]:
    """Names of columns, from a comma-separated list or from several options.

    >>> columns_in(["language,turns", "domain"])
    ('language', 'turns', 'domain')
    """
    return tuple(name.strip() for written in by or () for name in written.split(",") if name.strip())


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options with a value: those that are not None."""
    return {name: value for name, value in options.items() if value is not None}
