"""benchmark: any file of a benchmark that keeps the ratings or best-worst answers behind its gold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.data.reading.format import FORMATS, GENERAL
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.companion import companion
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable, numbered

__all__ = ["answers_of_benchmark", "benchmark_file", "read_benchmark_answers"]

WITH_RATINGS = ("usts", "usts-groups", "parquet", "huggingface")


def benchmark_file() -> JudgementFormat:
    """Benchmarks that keep what people answered."""
    return JudgementFormat(
        name="benchmark",
        priority=GENERAL,
        summary="a benchmark that keeps all ratings (USTS, our JSONL, CSV and Parquet) or best-worst answers beside it",
        recognised="any format of benchmarks, with a column of ratings or NAME.judgements.jsonl beside the file",
        fits=_fits,
        answers=lambda source: [read_benchmark_answers([source.path], source)],
    )


def _fits(glimpse: Sniffer) -> bool:
    name = _benchmark_format(glimpse)
    if name is None:
        return False
    if name in WITH_RATINGS or (not glimpse.is_folder and companion(glimpse.path).is_file()):
        return True
    return glimpse.find("ratings") is not None and glimpse.has_columns("left", "right")


def _benchmark_format(glimpse: Sniffer) -> str | None:
    return next((name for name in FORMATS if FORMATS.maker(name)().fits(glimpse)), None)


def read_benchmark_answers(paths: Sequence[str | Path], source: JudgementSource, format: str | None = None) -> Answers:
    """The answers that one benchmark of these files keeps; read together, so that equal ids are told apart.

    Raises:
        InputError: it keeps none.
    """
    from similitude.data.reading.reader import read  # formats of benchmarks read judgements themselves

    benchmark = read(
        paths,
        format=format,
        scale=source.scale,
        columns=source.columns,
        encoding=source.encoding,
        on_error=source.on_error,
    )
    return answers_of_benchmark(benchmark)


def answers_of_benchmark(benchmark: Benchmark) -> Answers:
    """The answers that a benchmark keeps.

    Raises:
        InputError: it keeps none.
    """
    kept = Judgements.of_benchmark(benchmark)
    places = numbered(len(kept))
    said = {"benchmark": benchmark.name, "licence": benchmark.licence, "judged_by": benchmark.provenance.judged_by}
    files = benchmark.provenance.files
    return Answers.of_table(
        RawTable(file=benchmark.name, columns={}, starts=places, ends=places, unit="answer", partners=files),
        kept.frame,
        items=kept.items,
        scale=kept.scale,
        facts={name: fact for name, fact in said.items() if fact},
        notes=benchmark.provenance.notes,
        skipped=benchmark.provenance.skipped,
    )
