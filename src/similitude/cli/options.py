"""Options that several commands share, each declared once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from similitude.cli import parameters
from similitude.errors import ArgumentError, SimilitudeError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from similitude.cli.progress import ProgressBar
    from similitude.data.benchmark import Benchmark
    from similitude.data.judgements import Judgements
    from similitude.data.reading.source import BenchmarkSource
    from similitude.models.cache import AnswerStore, VectorStore

__all__ = [
    "By",
    "Cache",
    "CacheOptions",
    "Confidence",
    "ConfidenceOptions",
    "Csv",
    "Data",
    "Device",
    "DryRun",
    "Fresh",
    "Input",
    "InputOptions",
    "IntervalOptions",
    "Intervals",
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
    "NoCache",
    "Output",
    "OutputOptions",
    "Page",
    "Quiet",
    "Run",
    "RunOptions",
    "Seed",
    "SeveralData",
    "Split",
    "columns_in",
    "data_paths",
    "given",
    "with_items_provenance",
]

SEPARATORS = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";", "bar": "|"}
"""Words for separators that are awkward to type."""

Data = Annotated[
    str,
    Parameter(
        metavar="DATA",
        help="A file or folder of text pairs, -, hf:NAME, or sample:dialogues|conditions|opinions|world.",
    ),
]
SeveralData = Annotated[
    list[str],
    Parameter(
        metavar="DATA...",
        help="One or more files, a folder, -, hf:NAME, or sample:dialogues|conditions|opinions|world.",
    ),
]
JudgementFiles = Annotated[
    list[str],
    Parameter(
        metavar="DATA...", help="Files of judgements, a benchmark with judgements, or sample:dialogues|opinions."
    ),
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
class InputOptions:
    """How to read a file.

    Attributes:
        format: the format, if it is not recognised.
        column: which column of the file is which, as in --column left=question1. Repeatable.
        scale: the scale of the scores, as in 0..5.
        encoding: the encoding of the text.
        separator: what separates fields: a character, tab, or several characters. Found out by default.
        header: whether the first row names the columns. Found out by default.
        decimal: the character before the decimals of a number.
        missing: a code for a value that is missing, as in --missing 99. Repeatable.
        sheet: the sheet of a workbook.
        on_error: what to do with bad rows: stop at the first, or skip and list them.
    """

    format: str | None = None
    column: Annotated[tuple[str, ...], Parameter(metavar="OURS=THEIRS")] = ()
    scale: Annotated[str | None, Parameter(metavar="LOW..HIGH")] = None
    encoding: str = "utf-8"
    separator: Annotated[str | None, Parameter(metavar="TEXT")] = None
    header: Annotated[Literal["yes", "no"] | None, Parameter()] = None
    decimal: Literal[".", ","] = "."
    missing: Annotated[tuple[str, ...], Parameter(metavar="CODE", allow_leading_hyphen=True)] = ()
    sheet: Annotated[str | None, Parameter(metavar="NAME")] = None
    on_error: Literal["stop", "skip"] = "stop"

    def arguments(self) -> dict[str, Any]:
        """The options as keyword arguments of `open_benchmark`."""
        return {
            "format": self.format,
            "columns": dict(_assignment(written) for written in self.column),
            "scale": self.scale,
            "encoding": self.encoding,
            "separator": None if self.separator is None else SEPARATORS.get(self.separator, self.separator),
            "header": None if self.header is None else self.header == "yes",
            "decimal": self.decimal,
            "missing": self.missing,
            "sheet": self.sheet,
            "on_error": self.on_error,
        }

    def source(self, file: str) -> BenchmarkSource:
        """A file with the options that say how it is read."""
        from similitude.data.reading.source import BenchmarkSource

        given = {name: value for name, value in self.arguments().items() if name not in ("format", "scale", "on_error")}
        return BenchmarkSource(path=Path(file), **given)

    def benchmark(self, data: str | Sequence[str]) -> Benchmark:
        """Open a benchmark in one or several files."""
        from similitude.cli.console import print_warnings
        from similitude.data.addresses import open_benchmark

        benchmark = open_benchmark(data_paths(data), **self.arguments())
        print_warnings(benchmark.provenance.warnings)
        return benchmark

    def judgements(self, data: Sequence[str], which: JudgementOptions, items: InputOptions | None = None) -> Judgements:
        """Open the judgements in one or several files, or those that a benchmark holds.

        Args:
            data: the files.
            which: which judgements, and of which items.
            items: how to read the items.

        Raises:
            ArgumentError: options say how to read the items, but no items are given; or how to read a sample, which is
                no file.
        """
        from similitude.data.addresses import SAMPLE_PREFIX, open_judgements

        if any(name.startswith(SAMPLE_PREFIX) for name in data):
            self._refuse_for_samples(which)
        given: dict[str, Any] = {name: value for name, value in self.arguments().items() if value not in (None, {})}
        given |= which.arguments()
        known = which.benchmark(items or InputOptions())
        if known is None:
            return open_judgements(data_paths(data), **given)
        return with_items_provenance(open_judgements(data_paths(data), items=known, **given), known)

    def _refuse_for_samples(self, which: JudgementOptions) -> None:
        """Refuse options that would be ignored: a sample has its own items, scale and layout."""
        of_answers = ("items", "positions_from", "answers_are", "where", "categories")
        flags = [
            *_flags_given(self),
            *(flag for flag in _flags_given(which) if flag[2:].replace("-", "_") in of_answers),
        ]
        if flags:
            what = f"a sample is no file, and {', '.join(flags)} would change nothing"
            raise ArgumentError(what, remedy=f"leave {'it' if len(flags) == 1 else 'them'} out")


@dataclass(frozen=True, kw_only=True)
class JudgementOptions:
    """Which judgements to read, and of which items.

    Attributes:
        items: the judged items with their texts: any benchmark.
        kind: which judgements to take from a file that holds several kinds; counts: of answers per category.
        positions_from: whether positions in a tuple count from 0 or 1. Found out by default.
        answers_are: whether best and worst are names of items or positions in the tuple. Found out by default.
        where: read only rows with this value, as in dimension=fluency, or without it: annotator!=gold. Repeatable.
        positions_are_people: the ratings at one place of unnamed lists are by one person.
        categories: the categories, lowest first, to read answers in words as ratings: low,middle,high.
    """

    items: Annotated[str | None, Parameter(metavar="DATA")] = None
    kind: Literal["best-worst", "rating", "category", "counts"] | None = None
    positions_from: Literal["0", "1"] | None = None
    answers_are: Literal["names", "positions"] | None = None
    where: Annotated[tuple[str, ...], Parameter(metavar="COLUMN=VALUE")] = ()
    positions_are_people: bool = False
    categories: Annotated[str | None, Parameter(metavar="A,B,...")] = None

    def benchmark(self, reading: InputOptions) -> Benchmark | None:
        """Open the items; None if they are not given.

        Raises:
            ArgumentError: options say how to read the items, but no items are given.
        """
        if self.items is not None:
            from similitude.data.addresses import open_benchmark

            with _flags_of_items():
                return open_benchmark(self.items, **reading.arguments())
        flags = _flags_given(reading, "--items-")
        if flags:
            what = (
                f"{', '.join(flags)} {'says' if len(flags) == 1 else 'say'} how to read the items, but there are none"
            )
            raise ArgumentError(what, remedy="give the items with --items DATA")
        return None

    def arguments(self) -> dict[str, Any]:
        """The options, but for the items, as keyword arguments of `open_judgements`; only those that were given."""
        given: dict[str, Any] = {} if self.kind is None else {"kind": self.kind}
        if self.positions_from is not None:
            given["positions_from"] = int(self.positions_from)
        if self.answers_are is not None:
            given["answers_are"] = self.answers_are
        if self.where:
            given["where"] = dict(_assignment(written, "--where dimension=fluency") for written in self.where)
        if self.positions_are_people:
            given["positions_are_people"] = True
        if self.categories is not None:
            given["categories"] = tuple(name.strip() for name in self.categories.split(","))
        return given


@dataclass(frozen=True, kw_only=True)
class IntervalOptions:
    """How intervals are computed.

    Attributes:
        resamples: resamples for intervals and shared ranks; 0 for none. By default 2,000, or more for many systems.
        level: the level of intervals and tests.
    """

    resamples: Annotated[int | None, Parameter(validator=Number(gte=0))] = None
    level: Annotated[float, Parameter(validator=Number(gte=0.5, lte=0.999))] = 0.95

    def arguments(self) -> dict[str, Any]:
        """The options as keyword arguments of `run`."""
        return {"resamples": self.resamples, "level": self.level}


@dataclass(frozen=True, kw_only=True)
class JudgementIntervalOptions:
    """How intervals around figures on judgements are computed.

    Attributes:
        resamples: resamples for intervals; 0 for none.
        level: the level of intervals.
    """

    resamples: Annotated[int, Parameter(validator=Number(gte=0))] = 1000
    level: Annotated[float, Parameter(validator=Number(gte=0.5, lte=0.999))] = 0.95


@dataclass(frozen=True, kw_only=True)
class ConfidenceOptions(IntervalOptions):
    """How intervals and tests are computed.

    Attributes:
        interval: how intervals are computed.
        test: which test tells two systems apart.
    """

    interval: Literal["bca", "percentile"] = "bca"
    test: Literal["bootstrap", "permutation"] = "bootstrap"

    def arguments(self) -> dict[str, Any]:
        """The options as keyword arguments of `run`."""
        return {**super().arguments(), "interval": self.interval, "test": self.test}


@dataclass(frozen=True, kw_only=True)
class CacheOptions:
    """Whether to use the cache of vectors and answers."""

    no_cache: NoCache = False

    def vectors(self, tell: Callable[[str], None] | None = None) -> VectorStore | None:
        """The cache of vectors; None with --no-cache."""
        from similitude.models.cache import usual_cache

        return None if self.no_cache else usual_cache(tell) if tell else usual_cache()

    def answers(self, *, quiet: bool = False) -> AnswerStore | None:
        """The cache of language models' answers; None with --no-cache."""
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

    def folder_for(self, benchmark: Benchmark) -> Path:
        """The chosen folder, or the default."""
        from similitude.study import default_folder

        return self.folder or default_folder(benchmark, self.split)

    def arguments(self, benchmark: Benchmark, *, quiet: bool) -> dict[str, Any]:
        """The options as keyword arguments of `run`."""
        from similitude.cli.console import print_notes
        from similitude.models.cache import Caches, default_caches

        caches = Caches() if self.no_cache else default_caches(lambda text: print_notes([text], quiet=quiet))
        return {
            "split": self.split,
            "seed": self.seed,
            "out": self.folder_for(benchmark),
            "fresh": self.fresh,
            "cache": caches.vectors,
            "answers": caches.answers,
        }


@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """What a command prints."""

    json: Json = False
    quiet: Quiet = False

    def progress(self, title: str) -> AbstractContextManager[ProgressBar]:
        """A progress bar, hidden with --quiet."""
        from similitude.cli.progress import progress_bar

        return progress_bar(title, quiet=self.quiet)


Input = Annotated[InputOptions, parameters.flat(parameters.INPUT)]
Output = Annotated[OutputOptions, parameters.flat(parameters.OUTPUT)]
Cache = Annotated[CacheOptions, parameters.flat(parameters.OUTPUT)]
Run = Annotated[RunOptions, parameters.flat(parameters.COMMON)]
Judged = Annotated[JudgementOptions, parameters.flat(parameters.INPUT)]
ItemsInput = Annotated[InputOptions, parameters.flat(parameters.INPUT, prefix="items-")]
Intervals = Annotated[IntervalOptions, parameters.flat(parameters.CONFIDENCE)]
JudgementIntervals = Annotated[JudgementIntervalOptions, parameters.flat(parameters.CONFIDENCE)]
Confidence = Annotated[ConfidenceOptions, parameters.flat(parameters.CONFIDENCE)]


def columns_in(by: Sequence[str] | None) -> tuple[str, ...]:
    """Names of columns, from a comma-separated list or from several options.

    >>> columns_in(["language,turns", "domain"])
    ('language', 'turns', 'domain')
    """
    return tuple(name.strip() for written in by or () for name in written.split(",") if name.strip())


def data_paths(data: str | Sequence[str]) -> str | list[str | Path]:
    """A single name as a string, several as a list."""
    if isinstance(data, str):
        return data
    return data[0] if len(data) == 1 else list(data)


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options with a value: those that are not None."""
    return {name: value for name, value in options.items() if value is not None}


def with_items_provenance(judgements: Judgements, items: Benchmark) -> Judgements:
    """The judgements with how the file of the items was read: what was left out, warnings, and the reading."""
    origin, theirs = judgements.provenance, items.provenance
    provenance = replace(
        origin,
        skipped=(*origin.skipped, *theirs.skipped),
        warnings=tuple(dict.fromkeys((*origin.warnings, *theirs.warnings))),
        readings=(*origin.readings, *(reading for reading in theirs.readings if reading not in origin.readings)),
    )
    return replace(judgements, provenance=provenance)


@contextmanager
def _flags_of_items() -> Iterator[None]:
    """Let errors about the items name the flags that are for the items."""
    flags = "|".join(item.name.replace("_", "-") for item in fields(InputOptions))
    try:
        yield
    except SimilitudeError as error:
        error.remedy = re.sub(rf"--(?=(?:{flags})\b)", "--items-", error.remedy)
        raise


def _flags_given(options: InputOptions | JudgementOptions, prefix: str = "--") -> list[str]:
    """The flags of the options that differ from their default."""
    given = (item.name for item in fields(options) if getattr(options, item.name) != item.default)
    return [prefix + name.replace("_", "-") for name in given]


def _assignment(written: str, example: str = "--column left=question1") -> tuple[str, str]:
    ours, equals, theirs = written.partition("=")
    if not (ours and equals):
        raise ArgumentError(f"cannot read '{example.split()[0]} {written}'", remedy=f"write {example}")
    return ours.strip(), theirs.strip()
