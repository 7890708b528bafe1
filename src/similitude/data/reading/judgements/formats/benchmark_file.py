"""benchmark: any benchmark that keeps the ratings or best-worst answers behind its gold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import KEEPS_NONE, Judgements
from similitude.data.reading.companion import companion
from similitude.data.reading.format import FORMATS, GENERAL
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource
from similitude.data.reading.recognition import first_fit
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable, numbered
from similitude.errors import ColumnError, InputError

__all__ = ["answers_of_benchmark", "benchmark_file", "read_benchmark_answers"]

WITH_RATINGS = ("usts", "usts-groups", "huggingface")


def benchmark_file() -> JudgementFormat:
    """Benchmarks that keep their judgements."""
    return JudgementFormat(
        name="benchmark",
        priority=GENERAL,
        summary="a benchmark that keeps all ratings (USTS, our JSONL, CSV and Parquet) or best-worst answers beside it",
        recognised="any format of benchmarks, with a column of ratings or NAME.judgements.jsonl beside the file",
        fits=_fits,
        answers=lambda source: [read_benchmark_answers([source.path], source)],
    )


def _fits(sniffer: Sniffer) -> bool:
    known = None if sniffer.is_object else first_fit(FORMATS, sniffer)
    if known is None and not sniffer.is_object:
        return False
    if (known is not None and known.name in WITH_RATINGS) or (sniffer.is_file and companion(sniffer.path).is_file()):
        return True
    return sniffer.find("ratings") is not None and sniffer.has_columns("left", "right")


def read_benchmark_answers(data: object, source: JudgementSource, format: str | None = None) -> Answers:
    """The answers in files of a benchmark, which are read together so that ids stay distinct.

    Raises:
        InputError: the benchmark keeps no judgements.
    """
    from similitude.data.reading.reader import read  # a cycle otherwise: formats of benchmarks read judgements

    with _hint_at_answers(source.path):
        benchmark = read(
            data,
            format=format,
            scale=source.scale,
            columns=source.columns,
            encoding=source.encoding,
            separator=source.separator,
            header=source.header,
            decimal=source.decimal,
            missing=source.missing,
            sheet=source.sheet,
            on_error=source.on_error,
        )
        return answers_of_benchmark(benchmark, positions_are_people=source.positions_are_people)


@contextmanager
def _hint_at_answers(folder: Path) -> Iterator[None]:
    """Let the error for a folder without judgements name the file that has them: that of a release, or one in it."""
    try:
        yield
    except InputError as error:
        within = folder / "judgements" if error.what == KEEPS_NONE else folder
        files = sorted(within.glob("*.parquet")) if within.is_dir() else []
        if len(files) == 1 and (error.what == KEEPS_NONE or isinstance(error, ColumnError)):
            error.remedy += f"; or pass the file of the answers: {files[0]}"
        raise


def answers_of_benchmark(benchmark: Benchmark, *, positions_are_people: bool = False) -> Answers:
    """The answers that a benchmark keeps.

    Args:
        benchmark: one that keeps its judgements.
        positions_are_people: whether the ratings at one place of unnamed lists are by one person.

    Raises:
        InputError: the benchmark keeps no judgements.
    """
    kept = Judgements.of_benchmark(benchmark, positions_are_people=positions_are_people)
    people = _people(benchmark, kept, positions_are_people)
    places = numbered(len(kept))
    said = {"benchmark": benchmark.name, "licence": benchmark.licence, "judged_by": benchmark.provenance.judged_by}
    files = benchmark.provenance.files
    return Answers.of_table(
        RawTable(
            file=", ".join(files) or benchmark.name,
            columns={},
            starts=places,
            ends=places,
            unit="answer",
            partners=files,
        ),
        kept.frame,
        items=kept.items,
        scale=kept.scale,
        facts={name: fact for name, fact in said.items() if fact},
        notes=benchmark.provenance.notes,
        warnings=benchmark.provenance.warnings,
        skipped=benchmark.provenance.skipped,
        details={"people": people},
        readings=tuple(
            replace(each, details={**each.details, "people": people}) for each in benchmark.provenance.readings
        ),
    )


def _people(benchmark: Benchmark, kept: Judgements, positions_are_people: bool) -> str:
    """Who gave the ratings: people with names, people without, or the places of lists."""
    if not kept.annotators:
        return "unnamed"
    listed = benchmark.judgements is None and benchmark.frame["raters"].null_count() > 0
    return "positions" if positions_are_people and listed else "named"
