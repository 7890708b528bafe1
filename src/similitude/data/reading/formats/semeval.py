"""semeval-pair and semeval-tsv: the files of the SemEval STS tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.files import existing
from similitude.data.reading.format import GENERAL, BenchmarkSource, Format
from similitude.data.reading.formats.sts_benchmark import ZERO_TO_FIVE, is_number_or_blank
from similitude.data.reading.problems import RowProblem, excerpt
from similitude.data.reading.separated_text import Dialect, read_separated, separated_table
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable
from similitude.data.reading.text_decoder import DecodedText, load_text
from similitude.errors import FormatError, InputError

__all__ = ["semeval_pair", "semeval_tsv"]

NAME = re.compile(r"^(?P<task>STS\d*)\.(?P<part>input|gs)\.(?P<name>.+)\.txt$", re.IGNORECASE)
PAIR = Dialect(separator="\t", quoted=False, header=("s1", "s2", "source1", "source2"), widths=frozenset({2, 3, 4}))
TRIPLE = Dialect(separator="\t", quoted=False, header=("score", "s1", "s2"), widths=frozenset({3}))
COLUMNS = {"id": ("id",), "left": ("s1",), "right": ("s2",), "score": ("score",)}


def semeval_pair() -> Format:
    """Texts in one file and scores in another, or a folder of such pairs of files."""
    return Format(
        name="semeval-pair",
        summary="SemEval STS: STS.input.NAME.txt with STS.gs.NAME.txt beside it, or a folder of them",
        recognised="the file is named STS.input.NAME.txt or STS.gs.NAME.txt, or the folder holds such files",
        fits=lambda sniffer: bool(_inputs(sniffer.path) if sniffer.is_folder else NAME.match(sniffer.name)),
        tables=_tables,
        layout=ColumnLayout(aliases=COLUMNS, scale=ZERO_TO_FIVE),
    )


def semeval_tsv() -> Format:
    """Score and both texts in one line."""
    return Format(
        name="semeval-tsv",
        summary="score, first text and second text, separated by tabs; no header, no quotes",
        recognised="the first line has 3 tab-separated fields, the first a number or blank",
        fits=_fits_triple,
        tables=lambda source: [read_separated(source.path, TRIPLE, source.encoding)],
        layout=ColumnLayout(aliases=COLUMNS, scale=ZERO_TO_FIVE, notes=_narrow, named=False),
        priority=GENERAL,
    )


def _fits_triple(sniffer: Sniffer) -> bool:
    return not sniffer.is_told and len(sniffer.tab_fields) == 3 and is_number_or_blank(sniffer.tab_fields[0])


def _narrow(frame: pl.DataFrame) -> Sequence[str]:
    scores = frame["score"].drop_nulls()
    if scores.is_between(0, 1).all() and scores.len() > 1:
        return ["all scores lie within 0..1, but the scale of the format is 0..5; if that is wrong, use --scale 0..1"]
    return []


def _tables(source: BenchmarkSource) -> list[RawTable]:
    path = existing(source.path)
    if path.is_dir():
        inputs = _inputs(path)
        if not inputs:
            what = "the folder has no STS.input.NAME.txt"
            raise FormatError(what, where=str(path), remedy="rename its files to this pattern")
        return [_pair(each, source.encoding) for each in inputs]
    return [_pair(_partner(path, "input"), source.encoding)]


def _inputs(folder: Path) -> list[Path]:
    matches = ((path, NAME.match(path.name)) for path in sorted(folder.iterdir()) if path.is_file())
    return [path for path, match in matches if match and match["part"].lower() == "input"]


def _partner(path: Path, part: str) -> Path:
    """The file of a pair that holds the texts ("input") or the scores ("gs")."""
    match = NAME.match(path.name)
    if match is None:
        what = f"'{path.name}' is not the name of a SemEval pair"
        raise FormatError(what, where=str(path), remedy="name the files STS.input.NAME.txt and STS.gs.NAME.txt")
    start, end = match.span("part")
    return path.with_name(path.name[:start] + part + path.name[end:])


def _pair(path: Path, encoding: str) -> RawTable:
    """Texts and, if their file exists, scores; an empty line there is a hidden score."""
    scores = _partner(path, "gs")
    if not path.exists():
        what = f"the texts that belong to {scores.name} are missing"
        raise InputError(what, where=str(path), remedy=f"put {path.name} beside {scores.name}")
    text = load_text(path, encoding)
    gold = load_text(scores, encoding) if scores.exists() else None
    if gold is not None and len(gold.lines) != len(text.lines):
        counts = f"{len(text.lines):,} lines, but {gold.name} has {len(gold.lines):,}"
        raise InputError(counts, where=text.name, remedy="both files need one line per pair")
    return _joined(separated_table(text, PAIR), gold, str(NAME.sub(r"\g<name>", path.name)))


def _no_numbers(gold: DecodedText) -> Iterator[RowProblem]:
    """Problems of the lines in the file of scores that are not numbers."""
    for number, line in enumerate(gold.lines, start=1):
        if not is_number_or_blank(line):
            what = f"{excerpt(line)} is not a number"
            remedy = "write one score per line, or leave the line empty where gold is hidden"
            yield RowProblem(place=number, where=f"{gold.name}, line {number}", what=what, remedy=remedy)


def _joined(table: RawTable, gold: DecodedText | None, name: str) -> RawTable:
    lines = table.starts - 1
    columns = {**table.columns, "id": pl.Series([f"{name}-{line + 1}" for line in lines], dtype=pl.String)}
    table = replace(table, columns=columns, constants={"source": name})
    if gold is None:
        note = f"{table.file}: there is no STS.gs file beside it, so there is no gold"
        return replace(table, notes=(note,))
    scores = pl.Series([gold.lines[line] for line in lines], dtype=pl.String)
    problems = (*table.problems, *gold.problems, *_no_numbers(gold))
    return replace(table, columns={**columns, "score": scores}, partners=(gold.name,), problems=problems)
