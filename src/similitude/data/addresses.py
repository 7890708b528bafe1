"""Open benchmarks and judgements: from a path, ``hf:NAME`` or ``sample:PART``, or from objects in memory.

Every function that takes data goes through `open_benchmark` or `open_judgements`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from similitude.data.benchmark import Benchmark
from similitude.data.keywords import check_keywords, keywords_given
from similitude.errors import ArgumentError, SimilitudeError

if TYPE_CHECKING:
    from similitude.data.judgements import Judgements

__all__ = ["SAMPLE_PREFIX", "BenchmarkData", "JudgementData", "open_benchmark", "open_judgements"]

P = ParamSpec("P")
Result = TypeVar("Result")

SAMPLE_PREFIX = "sample:"

BenchmarkData = Benchmark | str | Path | Mapping[Any, Any] | Iterable[Any]
"""What `open_benchmark` takes."""

JudgementData = BenchmarkData
"""What `open_judgements` takes, beside `Judgements`."""

OF_A_BENCHMARK = ("positions_are_people", "kind", "on_error")
"""Options that mean something for the judgements of a benchmark, which were read before."""


def _named_reader(name: str) -> Callable[[Callable[P, Result]], Callable[P, Result]]:
    """Let errors of a reader know its public name, so that whoever hands them on can say where its options go."""

    def decorated(function: Callable[P, Result]) -> Callable[P, Result]:
        @wraps(function)
        def reading(*arguments: P.args, **options: P.kwargs) -> Result:
            try:
                return function(*arguments, **options)
            except SimilitudeError as error:
                error.reader = error.reader or name
                raise

        reading.reader = name  # type: ignore[attr-defined]
        return reading

    return decorated


@_named_reader("read")
def open_benchmark(data: BenchmarkData, **options: Any) -> Benchmark:
    """Read a benchmark; one that was read before comes back as it is.

    Args:
        data: a path or several; an address such as ``sample:dialogues`` or ``hf:owner/name``; a data frame of pandas or
            Polars, a table of pyarrow, a dataset of ``datasets``, columns by name, or records: dicts, or tuples (left,
            right[, score]). Several frames or datasets by name are the splits of one benchmark.
        options: how to read it: columns, scale, split, missing, name and the other arguments of
            `similitude.data.reading.read`.

    >>> open_benchmark([("a cat", "one cat", 4.5), ("a cat", "two dogs", 1)], scale="0..5", name="pets")
    <Benchmark 'pets': 2 items, scale 0..5 (declared)>

    Raises:
        InputError: a file or a row is not valid; the message names the place and a remedy.
        ArgumentError: this is nothing that holds a benchmark, or an option is not known or would change nothing.
    """
    from similitude.data.reading import read

    check_keywords(read, options, "similitude.read")
    if isinstance(data, Benchmark):
        _refuse_options(read, options, f"{data!r} was read before")
        return data
    if isinstance(data, str) and data.startswith(SAMPLE_PREFIX):
        _refuse_options(read, options, "a sample has its own items, scale and layout", but=("on_error",))
        # The room of samples lies above this one, so it is imported by name, when it is asked for.
        benchmark: Benchmark = import_module("similitude.samples").read_sample(data.removeprefix(SAMPLE_PREFIX))
        return benchmark
    if _is_judgements(data):
        what = f"{data!r} is no benchmark, which has a score for each item"
        raise ArgumentError(what, remedy="make one of them: similitude.gold(judgements)")
    return read(data, **options)


@_named_reader("read_judgements")
def open_judgements(data: JudgementData | Judgements, **options: Any) -> Judgements:
    """Read judgements, or take those that a benchmark keeps; judgements that were read before come back as they are.

    Args:
        data: a path or several, an address, or an object such as a data frame, as for `open_benchmark`; a benchmark
            that keeps its judgements; judgements.
        options: how to read them: columns, items, scale, kind and the other arguments of
            `similitude.data.reading.judgements.read_judgements`. The items are anything that `open_benchmark` takes.

    >>> open_judgements("sample:dialogues")
    <Judgements 'sample:dialogues': 600 best-worst answers about 60 items>

    Raises:
        InputError: there are no judgements, or one of them is not valid.
        ArgumentError: this is nothing that holds judgements, or an option is not known or would change nothing.
    """
    from similitude.data.reading.judgements import judgements_of_benchmark, read_judgements

    check_keywords(read_judgements, options, "similitude.read_judgements")
    if isinstance(data, str) and data.startswith(SAMPLE_PREFIX):
        data = open_benchmark(data)
    if isinstance(data, Benchmark):
        what = "the judgements of a benchmark were read with it"
        _refuse_options(read_judgements, options, what, but=OF_A_BENCHMARK)
        found = judgements_of_benchmark(data, positions_are_people=options.get("positions_are_people", False))
        return _of_kind(found, options.get("kind"))
    items = options.pop("items", None)
    known = None if items is None else open_benchmark(items)
    if _is_judgements(data):
        _refuse_options(read_judgements, options, f"{data!r} was read before")
        return data if known is None else data.with_items(known)  # type: ignore[union-attr, return-value]
    return read_judgements(data, items=known, **options)


def _is_judgements(data: object) -> bool:
    from similitude.data.judgements import Judgements

    return isinstance(data, Judgements)


def _of_kind(judgements: Judgements, kind: str | None) -> Judgements:
    """The judgements, if they are of the kind that was asked for.

    Raises:
        ArgumentError: they are of another kind.
    """
    if kind not in (None, judgements.kind):
        there = f"there are: {judgements.kind}"
        raise ArgumentError(f"there are no {kind} answers", where=judgements.name, remedy=there)
    return judgements


def _refuse_options(read: Callable[..., Any], options: Mapping[str, Any], why: str, but: Iterable[str] = ()) -> None:
    """Refuse options that would be ignored.

    Raises:
        ArgumentError: an option differs from its default.
    """
    given = [name for name in keywords_given(read, options) if name not in but]
    if given:
        shown = ", ".join(f"{name}=" for name in given)
        raise ArgumentError(f"{why}, and {shown} would change nothing", remedy=f"leave out {shown}")
