"""`read_judgements`: one table of answers from one or several paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements, Kind
from similitude.data.reading.arguments import (
    DECIMALS,
    as_columns,
    as_missing,
    as_scale,
    as_text,
    check_choice,
    default_name,
    listed_paths,
)
from similitude.data.reading.containers.objects import is_object, object_tables
from similitude.data.reading.format import FORMATS
from similitude.data.reading.judgements.annotator_files import hint_at_files, named_by_files
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.assembly import combine
from similitude.data.reading.judgements.catalogue import JUDGEMENT_FORMATS
from similitude.data.reading.judgements.format import AnswersAre, JudgementFormat, JudgementSource, KindRequest
from similitude.data.reading.judgements.formats.benchmark_file import answers_of_benchmark, read_benchmark_answers
from similitude.data.reading.judgements.known_items import KnownItems, items_beside
from similitude.data.reading.judgements.recognition import recognised_judgements
from similitude.data.reading.problems import OnError
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.spool import local_files
from similitude.data.scale import Scale
from similitude.errors import ArgumentError

__all__ = ["judgements_of_benchmark", "read_judgements"]

BENCHMARK = "benchmark"
WITHOUT_ROWS = (BENCHMARK, "label-studio", "potato", "judgements-jsonl")
"""Formats whose rows cannot be chosen by the values of a column."""

KINDS = (*get_args(Kind), "counts", "table")

NAMES_OF_KINDS = {"best-worst": "best-worst answers", "rating": "ratings", "category": "categories without an order"}
IDLE = (
    ("scale", ("best-worst", "category"), "have no scale of their own"),
    ("categories", ("best-worst",), "are no words"),
    ("positions_from", ("rating", "category"), "are not about positions in a tuple"),
    ("answers_are", ("rating", "category"), "are not about positions in a tuple"),
)
"""Arguments that change nothing for some kinds of answers, and why."""


def read_judgements(
    path: str | Path | Sequence[str | Path] | object,
    *,
    format: str | None = None,
    kind: KindRequest | None = None,
    items: Benchmark | str | Path | None = None,
    scale: str | Scale | tuple[float, float] | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    separator: str | None = None,
    header: bool | None = None,
    decimal: str = ".",
    missing: Sequence[str | float] = (),
    sheet: str | None = None,
    positions_from: int | None = None,
    answers_are: AnswersAre | None = None,
    where: Mapping[str, str] | None = None,
    positions_are_people: bool = False,
    annotator_per_file: bool = False,
    categories: Sequence[str] = (),
    on_error: OnError = "stop",
    name: str | None = None,
) -> Judgements:
    """Read judgements from a file, a folder, several of them, or an object in memory.

    Unusual answers are kept and counted in ``provenance.notes``. If an annotator answered a question several times in
    one round, the last answer counts; the notes give the number of the others.

    Args:
        path: one or several paths, or an object such as a data frame; all must hold answers of one kind.
        format: the name of a format in `JUDGEMENT_FORMATS` or of a format of benchmarks; recognised from the content
            by default.
        kind: "best-worst", "rating" or "category", for files that can be read in several ways; "counts" for a table
            that holds the number of answers in each category for each item, "table" for a cross table of two raters.
        items: the benchmark with the items judged; an answer about another item is an error. By default, texts are
            read from ``NAME.items.jsonl`` beside the file, if it exists.
        scale: the scale of the ratings, such as ``"0..5"``; by default the one that the file states, else inferred
            from the ratings.
        columns: our columns to the file's, such as ``{"value": "label"}``; an empty name leaves our column out.
            Several columns are separated by commas: ``{"items": "a,b,c,d"}``, ``{"raters": "r1,r2"}``,
            ``{"units": "u1,u2"}``.
        encoding: the encoding of text files; a byte-order mark takes precedence.
        separator: the separator of fields, such as ``";"``, a tab or ``"||"``; found out by default.
        header: whether the first row holds the names of columns; found out by default.
        decimal: the character before the decimals of a number, ``"."`` or ``","``.
        missing: codes for values that are missing, such as ``["-1", "99"]``.
        sheet: the sheet of a workbook; by default its only one.
        positions_from: whether positions in a tuple count from 0 or 1; found out by default.
        answers_are: whether best and worst are "names" of items or "positions" in the tuple; found out by default.
        where: columns of the file to values, such as ``{"dimension": "fluency"}``; rows with other values are left out,
            or with this value if the name ends in an exclamation mark, as in ``{"annotator!": "gold"}``.
        positions_are_people: whether the ratings at one place of unnamed lists are by one person.
        annotator_per_file: whether each file holds the answers of one annotator, whom the name of the file names.
        categories: the categories, lowest first, if answers in words are to become ratings.
        on_error: what to do with bad answers, "stop" or "skip", as in `similitude.read`.
        name: the name of the judgements; by default the one that the file states, else the name of the file.

    Raises:
        InputError: a file or an answer is not valid; the message names the place and a remedy.
        UnknownNameError: there is no such format.
        ArgumentError: an argument is not valid.
    """
    check_choice("on_error", on_error, get_args(OnError))
    check_choice("decimal", decimal, DECIMALS)
    name = as_text("name", name)
    if kind is not None:
        check_choice("kind", kind, KINDS)
    if positions_from is not None:
        check_choice("positions_from", str(positions_from), ("0", "1"))
    if answers_are is not None:
        check_choice("answers_are", answers_are, get_args(AnswersAre))
    source = JudgementSource(
        path=Path(),
        encoding=encoding,
        columns=as_columns(columns),
        kind=kind,
        scale=as_scale(scale),
        on_error=on_error,
        separator=separator,
        header=header,
        decimal=decimal,
        missing=as_missing(missing),
        sheet=sheet,
        positions_from=positions_from,
        answers_are=answers_are,
        where=dict(where or {}),
        positions_are_people=positions_are_people,
        annotator_per_file=annotator_per_file,
        categories=tuple(categories),
    )
    found = _in_memory(path, format, source, name) if is_object(path) else _in_files(path, format, source)
    parts = _of_kind(found.parts, kind)
    _refuse_idle(parts, source)
    return combine(
        parts,
        known=_known(items),
        scale=source.scale,
        on_error=on_error,
        name=name,
        stem=found.stem,
        format=", ".join(dict.fromkeys(found.formats)),
        categories=categories,
    )


def _refuse_idle(parts: Sequence[Answers], source: JudgementSource) -> None:
    """Check that every argument about one kind of answers can do something for answers of this kind.

    Raises:
        ArgumentError: one would change nothing.
    """
    kind = parts[0].kind
    for name, kinds, why in IDLE:
        if kind in kinds and getattr(source, name) not in (None, ()) and not (kind == "category" and source.categories):
            flag = f"--{name.replace('_', '-')}"
            what = f"{flag} would change nothing: {NAMES_OF_KINDS[kind]} {why}"
            more = "; counting(normalised=true) gives scores in 0..1" if name == "scale" else ""
            raise ArgumentError(what, remedy=f"leave it out{more if kind == 'best-worst' else ''}")


def judgements_of_benchmark(benchmark: Benchmark, *, positions_are_people: bool = False) -> Judgements:
    """The judgements that a benchmark keeps, checked like those of files.

    Args:
        benchmark: one that keeps its judgements.
        positions_are_people: whether the ratings at one place of unnamed lists are by one person.

    Raises:
        InputError: the benchmark keeps no judgements, or an answer is not valid.
    """
    parts = [answers_of_benchmark(benchmark, positions_are_people=positions_are_people)]
    stem = benchmark.name
    return combine(parts, known=None, scale=None, on_error="stop", name=None, stem=stem, format=BENCHMARK)


class _Found(NamedTuple):
    """The answers of all sources, the names of their formats, and a name for all."""

    parts: list[Answers]
    formats: list[str]
    stem: str


def _in_memory(data: object, format: str | None, source: JudgementSource, name: str | None) -> _Found:
    """The answers of an object in memory."""
    tables = object_tables(data, name)
    sources = [replace(source, path=Path(table.file), table=table) for table in tables]
    formats = [_format_of(each, format) for each in sources]
    return _Found(_parts(data, formats, format, sources), [known.name for known in formats], "unnamed")


def _in_files(data: Any, format: str | None, source: JudgementSource) -> _Found:
    """The answers of files and folders; pipes are read once, and packed files are unpacked."""
    paths = listed_paths(data)
    with local_files(paths) as local:
        sources = [replace(source, path=Path(each)) for each in local]
        sources = named_by_files(sources) if source.annotator_per_file else sources
        with hint_at_files(len(paths)):
            formats = [_format_of(each, format) for each in sources]
            parts = _parts(local, formats, format, sources)
        stem = default_name(paths if len(paths) > 1 else local)
    return _Found(parts, [known.name for known in formats], stem)


def _format_of(source: JudgementSource, format: str | None) -> JudgementFormat:
    if format is None:
        return recognised_judgements(Sniffer.of(source))
    from similitude.data.reading.recipes import named_recipe

    recipe = named_recipe(format)
    if recipe is not None:
        return JUDGEMENT_FORMATS.maker(str(recipe.format) if recipe.reads == "judgements" else BENCHMARK)()
    return JUDGEMENT_FORMATS.maker(BENCHMARK if format in list(FORMATS) else format)()


def _parts(
    data: object, formats: Sequence[JudgementFormat], format: str | None, sources: Sequence[JudgementSource]
) -> list[Answers]:
    unfiltered = [known.name for known in formats if known.name in WITHOUT_ROWS]
    if sources[0].where and unfiltered:
        what = f"rows of the format {unfiltered[0]} cannot be chosen with --where"
        raise ArgumentError(what, remedy="leave it out, or choose the rows beforehand")
    if all(known.name == BENCHMARK for known in formats):
        return [read_benchmark_answers(data, sources[0], format if format != BENCHMARK else None)]
    return [
        _with_texts(replace(part, layout=known.name), each)
        for known, each in zip(formats, sources, strict=True)
        for part in known.answers(each)
    ]


def _with_texts(part: Answers, source: JudgementSource) -> Answers:
    """The answers with the items in the file beside theirs, unless their file has texts itself."""
    from similitude.data.reading.reader import read  # a cycle otherwise: formats of benchmarks read judgements

    beside = items_beside(source.path)
    if part.items is not None or source.table is not None or not beside.is_file():
        return part
    return replace(part, items=read(beside).items.frame)


def _of_kind(parts: Sequence[Answers], kind: KindRequest | None) -> Sequence[Answers]:
    """The parts of the kind that the user asked for; all parts if the user did not ask.

    Raises:
        ArgumentError: no part is of this kind.
    """
    chosen = [part for part in parts if part.kind == kind]
    if kind not in (None, "counts", "table") and not chosen:
        there = ", ".join(dict.fromkeys(part.kind for part in parts))
        raise ArgumentError(f"there are no {kind} answers", remedy=f"there are: {there}")
    return chosen or parts


def _known(items: Benchmark | str | Path | None) -> KnownItems | None:
    """The items that the user named."""
    from similitude.data.reading.reader import read  # a cycle otherwise: formats of benchmarks read judgements

    if items is None:
        return None
    return KnownItems.of(items if isinstance(items, Benchmark) else read(items))
