"""Reading judgements: paths to one table of answers, through the steps that all formats share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements, Kind
from similitude.data.reading.arguments import check_choice, default_name, listed_paths
from similitude.data.reading.format import FORMATS
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.assembly import combine
from similitude.data.reading.judgements.catalogue import JUDGEMENT_FORMATS
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource
from similitude.data.reading.judgements.formats.benchmark_file import answers_of_benchmark, read_benchmark_answers
from similitude.data.reading.judgements.known_items import KnownItems, items_beside
from similitude.data.reading.judgements.recognition import recognised_judgements
from similitude.data.reading.problems import OnError
from similitude.data.reading.sniffer import Sniffer
from similitude.data.scale import Scale
from similitude.errors import ArgumentError

__all__ = ["judgements_of_benchmark", "read_judgements"]

BENCHMARK = "benchmark"


def read_judgements(
    path: str | Path | Sequence[str | Path],
    *,
    format: str | None = None,
    kind: Kind | None = None,
    items: Benchmark | str | Path | None = None,
    scale: str | Scale | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    on_error: OnError = "stop",
    name: str | None = None,
) -> Judgements:
    """Read what people answered from a file, a folder, or several of them.

    What is odd is kept, counted and said in ``provenance.notes``. Of several answers by one annotator to one question
    in one round the last counts; how many do not is in the notes.

    Args:
        path: one or several; all must hold answers of one kind.
        format: the name of a format in `JUDGEMENT_FORMATS`, or of one of benchmarks; found by looking at the file
            where it is not given.
        kind: "best-worst" or "rating", for files that hold both.
        items: the benchmark that has the texts of the items judged; an answer about another item is a mistake.
            Where it is not given, texts are taken from ``NAME.items.jsonl`` beside the file, if it is there.
        scale: the scale of the ratings, ``"0..5"``; where it is not given, the file says it or it is inferred.
        columns: our columns to the file's, ``{"value": "label"}``; an empty name leaves ours out. Several columns are
            written with commas: ``{"items": "a,b,c,d"}``, ``{"raters": "r1,r2"}``, ``{"units": "u1,u2"}``.
        encoding: of text files; a byte-order mark overrules it.
        on_error: "stop" raises at the first bad answer; "skip" leaves bad answers out and lists them in the
            provenance.
        name: what to call the judgements; by default what the file says, else the file's name.

    Raises:
        InputError: a file, or an answer in it, is not what it should be; the message names place and remedy.
        UnknownNameError: there is no such format.
        ArgumentError: an argument is not valid.
    """
    paths = listed_paths(path)
    check_choice("on_error", on_error, get_args(OnError))
    if kind is not None:
        check_choice("kind", kind, get_args(Kind))
    source = JudgementSource(
        path=Path(),
        encoding=encoding,
        columns=dict(columns or {}),
        kind=kind,
        scale=Scale.parse(scale) if isinstance(scale, str) else scale,
        on_error=on_error,
    )
    formats = [_format_of(each, format, source) for each in paths]
    parts = _parts(paths, formats, format, source)
    return combine(
        _of_kind(parts, kind),
        known=_known(items),
        scale=source.scale,
        on_error=on_error,
        name=name,
        stem=default_name(paths),
        format=", ".join(dict.fromkeys(known.name for known in formats)),
    )


def judgements_of_benchmark(benchmark: Benchmark) -> Judgements:
    """The judgements that a benchmark keeps, checked as those of files are.

    Raises:
        InputError: it keeps none, or an answer is not what it should be.
    """
    parts = [answers_of_benchmark(benchmark)]
    stem = benchmark.name
    return combine(parts, known=None, scale=None, on_error="stop", name=None, stem=stem, format=BENCHMARK)


def _format_of(path: str | Path, format: str | None, source: JudgementSource) -> JudgementFormat:
    if format is None:
        return recognised_judgements(Sniffer(path, encoding=source.encoding, columns=source.columns))
    return JUDGEMENT_FORMATS.maker(BENCHMARK if format in list(FORMATS) else format)()


def _parts(
    paths: Sequence[str | Path], formats: Sequence[JudgementFormat], format: str | None, source: JudgementSource
) -> list[Answers]:
    if all(known.name == BENCHMARK for known in formats):
        return [read_benchmark_answers(paths, source, format if format != BENCHMARK else None)]
    sources = [replace(source, path=Path(path)) for path in paths]
    return [
        _with_texts(part, each.path)
        for known, each in zip(formats, sources, strict=True)
        for part in known.answers(each)
    ]


def _with_texts(part: Answers, path: Path) -> Answers:
    """The answers with the items that lie beside their file, unless the file has texts itself."""
    from similitude.data.reading.reader import read  # formats of benchmarks read judgements themselves

    beside = items_beside(path)
    if part.items is not None or not beside.is_file():
        return part
    return replace(part, items=read(beside).items.frame)


def _of_kind(parts: Sequence[Answers], kind: Kind | None) -> Sequence[Answers]:
    """The parts of the kind that was asked for; all where none was, or where none is of it."""
    chosen = [part for part in parts if part.kind == kind]
    if kind is not None and not chosen:
        there = ", ".join(dict.fromkeys(part.kind for part in parts))
        raise ArgumentError(f"there are no {kind} answers", remedy=f"there are: {there}")
    return chosen or parts


def _known(items: Benchmark | str | Path | None) -> KnownItems | None:
    """The items that the user named."""
    from similitude.data.reading.reader import read  # formats of benchmarks read judgements themselves

    if items is None:
        return None
    return KnownItems.of(items if isinstance(items, Benchmark) else read(items))
