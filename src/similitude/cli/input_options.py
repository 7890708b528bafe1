"""How commands read files: the options of tables, benchmarks and judgements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from similitude.errors import ArgumentError, SimilitudeError

if TYPE_CHECKING:
    from similitude.data.benchmark import Benchmark
    from similitude.data.judgements import Judgements
    from similitude.data.reading.source import BenchmarkSource

__all__ = ["InputOptions", "JudgementOptions", "TableOptions", "data_paths"]


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """How to read a table.

    Attributes:
        column: which column of the file is which, as in left=question1. Repeatable.
        encoding: the encoding of the text.
        separator: what separates fields: a character, tab, or several characters. Found out by default.
        header: whether the first row names the columns. Found out by default.
        decimal: the character before the decimals of a number.
        missing: a code for a value that is missing, as in 99. Repeatable.
        sheet: the sheet of a workbook.
    """

    column: Annotated[tuple[str, ...], Parameter(metavar="OURS=THEIRS")] = ()
    encoding: str = "utf-8"
    separator: Annotated[str | None, Parameter(metavar="TEXT")] = None
    header: Annotated[Literal["yes", "no"] | None, Parameter()] = None
    decimal: Literal[".", ","] = "."
    missing: Annotated[tuple[str, ...], Parameter(metavar="CODE", allow_leading_hyphen=True)] = ()
    sheet: Annotated[str | None, Parameter(metavar="NAME")] = None

    def table_arguments(self) -> dict[str, Any]:
        """The options as keyword arguments of all readers."""
        return {
            "columns": _assignments(self.column, "--column left=question1"),
            "encoding": self.encoding,
            "separator": self.separator,
            "header": None if self.header is None else self.header == "yes",
            "decimal": self.decimal,
            "missing": self.missing,
            "sheet": self.sheet,
        }

    def source(self, file: str) -> BenchmarkSource:
        """A file with the options that say how it is read."""
        from similitude.data.reading.source import BenchmarkSource

        return BenchmarkSource(path=Path(file), **self.table_arguments())


@dataclass(frozen=True, kw_only=True)
class InputOptions(TableOptions):
    """How to read a file.

    Attributes:
        format: the format, if it is not recognised.
        scale: the scale of the scores, as in 0..5.
        on_error: what to do with bad rows: stop at the first, or skip and list them.
    """

    format: str | None = None
    scale: Annotated[str | None, Parameter(metavar="LOW..HIGH")] = None
    on_error: Literal["stop", "skip"] = "stop"

    def arguments(self) -> dict[str, Any]:
        """The options as keyword arguments of `open_benchmark`."""
        return {"format": self.format, "scale": self.scale, "on_error": self.on_error, **self.table_arguments()}

    def flags_given(self) -> list[str]:
        """The flags that differ from their default, but for --on-error."""
        return [flag for flag in _flags_given(self) if flag != "--on-error"]

    def benchmark(self, data: str | Sequence[str]) -> Benchmark:
        """Open a benchmark in one or several files.

        Raises:
            ArgumentError: options say how to read a sample, which is no file.
        """
        from similitude.cli.console import print_warnings
        from similitude.data.addresses import SAMPLE_PREFIX, open_benchmark

        if any(name.startswith(SAMPLE_PREFIX) for name in ([data] if isinstance(data, str) else data)):
            _refuse_for_samples(flag for flag in _flags_given(self) if flag != "--on-error")
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
            of_answers = ("items", "positions_from", "answers_are", "where", "annotator_per_file", "categories")
            further = (flag for flag in _flags_given(which) if flag[2:].replace("-", "_") in of_answers)
            _refuse_for_samples((*_flags_given(self), *further))
        given: dict[str, Any] = {name: value for name, value in self.arguments().items() if value not in (None, {})}
        given |= which.arguments()
        return open_judgements(data_paths(data), items=which.benchmark(items or InputOptions()), **given)


@dataclass(frozen=True, kw_only=True)
class JudgementOptions:
    """Which judgements to read, and of which items.

    Attributes:
        items: the judged items with their texts: any benchmark.
        kind: which of several kinds of judgements; counts: answers per category; table: two raters' cross table.
        positions_from: whether positions in a tuple count from 0 or 1. Found out by default.
        answers_are: whether best and worst are names of items or positions in the tuple. Found out by default.
        where: read only rows with this value, as in dimension=fluency, or without it: annotator!=gold. Repeatable.
        positions_are_people: the ratings at one place of unnamed lists are by one person.
        annotator_per_file: each file holds the answers of one annotator, named by the file.
        categories: the categories, lowest first, to read answers in words as ratings: low,middle,high.
    """

    items: Annotated[str | None, Parameter(metavar="DATA")] = None
    kind: Literal["best-worst", "rating", "category", "counts", "table"] | None = None
    positions_from: Literal["0", "1"] | None = None
    answers_are: Literal["names", "positions"] | None = None
    where: Annotated[tuple[str, ...], Parameter(metavar="COLUMN=VALUE")] = ()
    positions_are_people: bool = False
    annotator_per_file: bool = False
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
            given["where"] = _assignments(self.where, "--where dimension=fluency")
        if self.positions_are_people:
            given["positions_are_people"] = True
        if self.annotator_per_file:
            given["annotator_per_file"] = True
        if self.categories is not None:
            given["categories"] = tuple(name.strip() for name in self.categories.split(","))
        return given


def data_paths(data: str | Sequence[str]) -> str | list[str | Path]:
    """A single name as a string, several as a list."""
    if isinstance(data, str):
        return data
    return data[0] if len(data) == 1 else list(data)


@contextmanager
def _flags_of_items() -> Iterator[None]:
    """Let errors about the items name the flags that are for the items."""
    from similitude.data.reading.arguments import with_prefixed_flags

    try:
        yield
    except SimilitudeError as error:
        error.remedy = with_prefixed_flags(error.remedy, "items")
        raise


def _flags_given(options: InputOptions | JudgementOptions, prefix: str = "--") -> list[str]:
    """The flags of the options that differ from their default."""
    given = (item.name for item in fields(options) if getattr(options, item.name) != item.default)
    return [prefix + name.replace("_", "-") for name in given]


def _refuse_for_samples(flags: Iterable[str]) -> None:
    """Refuse options that would be ignored: a sample has its own items, scale and layout."""
    given = list(flags)
    if given:
        what = f"a sample is no file, and {', '.join(given)} would change nothing"
        raise ArgumentError(what, remedy=f"leave {'it' if len(given) == 1 else 'them'} out")


def _assignments(written: Iterable[str], example: str) -> dict[str, str]:
    """What an option such as ``--column left=question1`` says, each name once."""
    flag = example.split()[0]
    found: dict[str, str] = {}
    for each in written:
        ours, equals, theirs = (part.strip() for part in each.partition("="))
        if not (ours and equals):
            raise ArgumentError(f"cannot read '{flag} {each}'", remedy=f"write {example}")
        if ours in found:
            what = f"{flag} names '{ours}' twice, as '{found[ours]}' and as '{theirs}'"
            raise ArgumentError(what, remedy=f"give '{ours}' once")
        found[ours] = theirs
    return found
