"""Benchmarks in JSON, Parquet, Arrow, workbooks and folders, whole, damaged and written by others."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal

import polars as pl

from .builders import (
    LEFTS,
    RIGHTS,
    ROWS,
    SCORES,
    arrow_bytes,
    csv_of,
    folder,
    frame,
    json_file,
    json_lines,
    parquet_bytes,
    raw,
    records,
    text,
    workbook,
    zipped,
)
from .case import Case, Reads, Refuses
from .corpus_layouts import HEADER, WHOLE, benchmark

__all__ = ["CONTAINERS"]

WHOLES = records()
LINES = json_lines(WHOLES)
COLUMNS = {"sentence1": LEFTS, "sentence2": RIGHTS, "score": SCORES}
ONE_HIDDEN = Reads(items=8, scores=(None, *SCORES[1:]), hidden=1, scale="0..5")


def _line(**changes: object) -> str:
    """The pairs as JSON lines, the first of them changed."""
    return json_lines([WHOLES[0] | changes, *WHOLES[1:]])


def _raw_line(first: str) -> str:
    """The pairs as JSON lines, the first of them written so."""
    return first + "\n" + json_lines(WHOLES[1:])


JSON = [
    benchmark("JSON lines", text("a.jsonl", LINES), WHOLE),
    benchmark("JSON lines called csv", text("a.csv", LINES), WHOLE),
    benchmark("JSON lines with a mark", text("a.jsonl", "\ufeff" + LINES), WHOLE),
    benchmark(
        "JSON lines with Windows line ends and blank lines", text("a.jsonl", LINES.replace("\n", "\r\n\r\n")), WHOLE
    ),
    benchmark("JSON lines in UTF-16", text("a.jsonl", LINES, "utf-16"), WHOLE),
    benchmark("JSON lines without a last line end", text("a.jsonl", LINES.rstrip()), WHOLE),
    benchmark("an array", json_file("a.json", WHOLES), WHOLE),
    benchmark("an array over many lines", text("a.json", json.dumps(WHOLES, indent=2)), WHOLE),
    benchmark("an array with a mark", text("a.json", "\ufeff" + json.dumps(WHOLES)), WHOLE),
    benchmark("columns", json_file("a.json", COLUMNS), WHOLE),
    benchmark(
        "columns as pandas writes them",
        json_file("a.json", {name: dict(enumerate(values)) for name, values in COLUMNS.items()}),
        WHOLE,
    ),
    benchmark(
        "rows under their numbers, as pandas writes them",
        json_file("a.json", dict(enumerate(WHOLES))),
        WHOLE,
    ),
    benchmark(
        "data apart from the names of columns, as pandas writes it",
        json_file("a.json", {"columns": list(COLUMNS), "index": list(range(8)), "data": [list(row) for row in ROWS]}),
        WHOLE,
    ),
    benchmark("an object with data", json_file("a.json", {"data": WHOLES}), WHOLE),
    benchmark(
        "an object with data and a version",
        json_file("a.json", {"version": "1.0", "data": WHOLES}),
        WHOLE,
    ),
    benchmark(
        "an object with two tables",
        json_file("a.json", {"train": WHOLES, "test": WHOLES[:2]}),
        Reads(items=10),
    ),
    benchmark("an object with empty data", json_file("a.json", {"data": []}), Refuses("no rows|empty")),
    benchmark("an empty array", text("a.json", "[]"), Refuses("no rows|empty")),
    benchmark("an empty object", text("a.json", "{}"), Refuses("no rows|empty|--column|keys")),
    benchmark(
        "an array of arrays",
        json_file("a.json", [list(row) for row in ROWS]),
        Refuses("entry|row|objects|array"),
    ),
    benchmark("an array of numbers", text("a.json", "[1, 2, 3]"), Refuses("entry|row|objects|array|numbers")),
    benchmark("a number", text("a.json", "42"), Refuses("not recognised|JSON|first line")),
    benchmark("a text", text("a.json", '"hello"'), Refuses("not recognised|JSON|first line")),
    benchmark("null", text("a.json", "null"), Refuses("not recognised|JSON|first line")),
    benchmark("an array cut off", text("a.json", json.dumps(WHOLES)[:-40]), Refuses("JSON", "line|column|cut|end")),
    benchmark("JSON lines cut off", text("a.jsonl", LINES[:-30]), Refuses("line 8")),
    benchmark("one bad line", text("a.jsonl", _raw_line('{"sentence1": "a", "sentence2": ')), Refuses("line 1")),
    benchmark("a bad line among others", text("a.jsonl", LINES + "oops\n" + LINES), Refuses("line 9")),
    benchmark("a comma behind every line", text("a.jsonl", LINES.replace("}\n", "},\n")), Refuses("line 1|array")),
    benchmark("a comma before the end", text("a.json", json.dumps(WHOLES)[:-1] + ",]"), Refuses("JSON|line|column")),
    benchmark(
        "objects without line ends between them",
        text("a.json", LINES.replace("\n", "")),
        Refuses("line"),
    ),
    benchmark(
        "objects over many lines, one behind another",
        text("a.json", "\n".join(json.dumps(row, indent=1) for row in WHOLES)),
        Refuses("line|JSON"),
    ),
    benchmark("single quotes, as Python prints", text("a.json", str(WHOLES)), Refuses("JSON|line")),
    benchmark("comments", text("a.json", "// pairs\n" + json.dumps(WHOLES)), Refuses("line 1|JSON|not recognised")),
    benchmark(
        "a key given twice",
        text("a.jsonl", _raw_line('{"sentence1":"a","sentence2":"b","score":1,"score":4}')),
        Refuses("line 1", "score", "twice|two|repeat|duplicate|more than once|already"),
    ),
    benchmark(
        "a key given twice in an array",
        text("a.json", '[{"sentence1":"a","sentence2":"b","score":1,"score":4}]'),
        Refuses("score", "twice|two|repeat|duplicate|more than once|already"),
    ),
    benchmark(
        "a key given twice in other letters",
        text("a.jsonl", '{"sentence1":"a","sentence2":"b","Score":1,"score":4}\n'),
        Refuses("Score", "--column"),
    ),
    benchmark("NaN for a score in JSON", text("a.jsonl", _line(score=float("nan"))), Refuses("line 1")),
    benchmark("Infinity for a score", text("a.jsonl", _line(score=float("inf"))), Refuses("line 1")),
    benchmark(
        "1e400 for a score",
        text("a.jsonl", _raw_line('{"sentence1":"a","sentence2":"b","score":1e400}')),
        Refuses("line 1"),
    ),
    benchmark(
        "a score of 500 digits",
        text("a.jsonl", _raw_line('{"sentence1":"a","sentence2":"b","score":' + "9" * 500 + "}")),
        Refuses("line 1"),
    ),
    benchmark("a score as text", text("a.jsonl", _line(score="4.8")), WHOLE),
    benchmark("null for a score", text("a.jsonl", _line(score=None)), ONE_HIDDEN),
    benchmark("true for a score", text("a.jsonl", _line(score=True)), Refuses("line 1", "True")),
    benchmark("an object for a score", text("a.jsonl", _line(score={"value": 4.8})), Refuses("line 1", "score")),
    benchmark("a list for a score", text("a.jsonl", _line(score=[4, 5])), Refuses("line 1", "score")),
    benchmark("null for a text", text("a.jsonl", _line(sentence1=None)), Refuses("line 1", "sentence1")),
    benchmark(
        "a number for a text",
        text("a.jsonl", _line(sentence1=5)),
        Refuses("line 1"),
    ),
    benchmark(
        "a list of words for a text", text("a.jsonl", _line(sentence1=["A", "man"])), Refuses("line 1", "sentence1")
    ),
    benchmark(
        "a row without a score",
        text("a.jsonl", LINES + '{"sentence1": "a", "sentence2": "b"}\n'),
        Reads(items=9, scores=(*SCORES, None), hidden=1),
    ),
    benchmark(
        "a row without a text",
        text("a.jsonl", LINES + '{"sentence1": "a", "score": 1}\n'),
        Refuses("line 9", "sentence2"),
    ),
    benchmark(
        "rows of another shape",
        text("a.jsonl", LINES + '{"text1": "a", "text2": "b", "gold": 1}\n'),
        Refuses("line 9|--column score="),
    ),
    benchmark("an array among lines", text("a.jsonl", LINES + "[1, 2]\n"), Refuses("line 9")),
    benchmark(
        "half a surrogate pair in JSON",
        text("a.jsonl", _raw_line('{"sentence1":"a \\ud83d","sentence2":"b","score":1}')),
        Refuses("line 1"),
    ),
    benchmark(
        "a whole surrogate pair",
        text("a.jsonl", '{"sentence1":"a \\ud83d\\ude00","sentence2":"b","score":1}\n'),
        Reads(items=1, lefts=("a 😀",)),
    ),
    benchmark(
        "an escaped NUL",
        text("a.jsonl", _raw_line('{"sentence1":"a\\u0000b","sentence2":"b","score":1}')),
        Refuses("line 1", "NUL"),
    ),
    benchmark("brackets nested 100,000 deep", text("a.json", "[" * 100_000 + "]" * 100_000), Refuses("JSON|deep|nest")),
    benchmark(
        "objects nested 100,000 deep",
        text("a.jsonl", _raw_line('{"a":' * 100_000 + "1" + "}" * 100_000)),
        Refuses("JSON|deep|nest|line 1"),
    ),
    benchmark(
        "triplets", text("a.jsonl", '{"anchor":"a","positive":"b","negative":"c"}\n'), Refuses("anchor|--column")
    ),
    benchmark(
        "SemRel: two sentences in one cell",
        text(
            "a.csv",
            csv_of(
                [(f"ENG-{at}", f"{left}\n{right}", score / 5) for at, (left, right, score) in enumerate(ROWS)],
                ("PairID", "Text", "Score"),
            ),
        ),
        Reads(items=8, lefts=LEFTS, rights=RIGHTS, scores=(0.96,), scale="0..1"),
    ),
]

PARQUET = parquet_bytes(frame())
ARROW = arrow_bytes(frame())


def _parquet(name: str, expected: object, **columns: object) -> Case:
    """A Parquet file of the pairs with columns added or replaced."""
    return benchmark(name, raw("a.parquet", parquet_bytes(frame(**columns))), expected)  # type: ignore[arg-type]


COLUMNAR = [
    benchmark("Parquet", raw("a.parquet", PARQUET), WHOLE),
    benchmark("Parquet called csv", raw("a.csv", PARQUET), WHOLE),
    benchmark("CSV called Parquet", text("a.parquet", csv_of()), WHOLE),
    *(
        benchmark(
            f"Parquet cut off at byte {at}",
            raw("a.parquet", PARQUET[:at]),
            Refuses("Parquet", "damaged|valid|cut|truncated"),
        )
        for at in (3, 4, 12, 200, len(PARQUET) // 2, len(PARQUET) - 8, len(PARQUET) - 1)
    ),
    benchmark(
        "Parquet with rubbish in the middle",
        raw("a.parquet", PARQUET[:40] + b"\xff" * 60 + PARQUET[100:]),
        Refuses("Parquet"),
    ),
    benchmark(
        "Parquet with a false length of the footer",
        raw("a.parquet", PARQUET[:-8] + b"\xff\xff\xff\x7fPAR1"),
        Refuses("Parquet"),
    ),
    benchmark(
        "encrypted Parquet",
        raw("a.parquet", b"PARE" + b"\x17" * 400 + b"PARE"),
        Refuses("Parquet|encrypted|not recognised"),
    ),
    benchmark("Parquet without rows", raw("a.parquet", parquet_bytes(frame().clear())), Refuses("no rows")),
    benchmark(
        "Parquet without columns", raw("a.parquet", parquet_bytes(pl.DataFrame())), Refuses("no rows|no column|empty")
    ),
    _parquet("NaN in Parquet", Refuses("row 1", "NaN|finite"), score=[float("nan"), *SCORES[1:]]),
    _parquet("null in Parquet", ONE_HIDDEN, score=[None, *SCORES[1:]]),
    _parquet("infinity in Parquet", Refuses("row 1", "inf"), score=[float("inf"), *SCORES[1:]]),
    _parquet("-1 in Parquet", Refuses("row 1", "--missing"), score=[-1.0, *SCORES[1:]]),
    _parquet("scores as text in Parquet", WHOLE, score=list(map(str, SCORES))),
    _parquet("scores as decimals in Parquet", WHOLE, score=[Decimal(str(score)) for score in SCORES]),
    _parquet(
        "scores as booleans in Parquet",
        Refuses("row 1|score", "true|boolean"),
        score=[True, False] * 4,
    ),
    _parquet("dates for scores in Parquet", Refuses("row 1", "2024-04-08"), score=[date(2024, 4, 8)] * 8),
    _parquet("a list of scores in Parquet", Refuses("row 1", "score"), score=[[score] for score in SCORES]),
    _parquet(
        "texts in two languages as a structure",
        Refuses("row 1", "sentence1"),
        sentence1=[{"en": left, "de": left} for left in LEFTS],
    ),
    _parquet("words in a list for a text", Refuses("row 1", "sentence1"), sentence1=[left.split() for left in LEFTS]),
    _parquet("bytes for texts", Refuses("row 1|sentence1"), sentence1=[left.encode() for left in LEFTS]),
    _parquet("categories for texts", WHOLE, sentence1=pl.Series(LEFTS, dtype=pl.Categorical)),
    _parquet("the index of pandas", WHOLE, __index_level_0__=list(range(8))),
    _parquet("a null text in Parquet", Refuses("row 1", "sentence1"), sentence1=[None, *LEFTS[1:]]),
    _parquet("ids as floats in Parquet", Reads(items=8, scores=SCORES), id=[float(at) for at in range(8)]),
    benchmark("Arrow", raw("a.arrow", ARROW), WHOLE),
    benchmark("Feather", raw("a.feather", ARROW), WHOLE),
    *(
        benchmark(
            f"Arrow cut off at byte {at}",
            raw("a.arrow", ARROW[:at]),
            Refuses("Arrow|Feather", "damaged|valid|cut|truncated"),
        )
        for at in (8, len(ARROW) // 2, len(ARROW) - 6)
    ),
    benchmark("the first Feather", raw("a.feather", b"FEA1" + b"\0" * 40 + b"FEA1"), Refuses("Feather|not recognised")),
]

SHEET = [list(HEADER), *(list(row) for row in ROWS)]


def _sheet(name: str, rows: list[list[object]], expected: object, **options: object) -> Case:
    return benchmark(name, raw("a.xlsx", workbook({"Sheet1": rows})), expected, **options)  # type: ignore[arg-type]


def _first_score(value: object) -> list[list[object]]:
    return [SHEET[0], [*SHEET[1][:2], value], *SHEET[2:]]


TWO_SHEETS = workbook({"notes": [["made in 2024"]], "pairs": SHEET})
WORKBOOKS = [
    _sheet("a workbook", SHEET, WHOLE),
    benchmark(
        "a workbook called csv",
        raw("a.csv", workbook({"Sheet1": SHEET})),
        WHOLE,
    ),
    benchmark("a workbook of two sheets", raw("a.xlsx", TWO_SHEETS), Refuses("notes", "pairs", "--sheet")),
    benchmark(
        "a workbook of two sheets of pairs",
        raw("a.xlsx", workbook({"train": SHEET, "test": SHEET[:3]})),
        Refuses("train", "test", "--sheet"),
    ),
    benchmark("a sheet named", raw("a.xlsx", TWO_SHEETS), WHOLE, sheet="pairs"),
    benchmark(
        "no such sheet", raw("a.xlsx", TWO_SHEETS), Refuses("piars", "pairs", "--sheet|known|sheets"), sheet="piars"
    ),
    benchmark("an empty sheet beside it", raw("a.xlsx", workbook({"Sheet1": SHEET, "Sheet2": []})), WHOLE),
    benchmark("an empty workbook", raw("a.xlsx", workbook({"Sheet1": []})), Refuses("empty|no rows")),
    _sheet(
        "a title above the header of a sheet",
        [["Pairs 2024"], [], *SHEET],
        Refuses("row 1|first row|--column|--header"),
    ),
    _sheet("a formula with its value", _first_score(("4.0+0.8", 4.8)), WHOLE),
    _sheet("a formula without its value", _first_score("=4.0+0.8"), ONE_HIDDEN),
    _sheet("an error in a cell", _first_score("#DIV/0!"), ONE_HIDDEN),
    _sheet("a number as text in a cell", _first_score("4.8"), WHOLE),
    _sheet("a decimal comma in a cell", _first_score("4,8"), Refuses("row 2|row 1", "4,8")),
    benchmark(
        "a date that a workbook made of a score",
        raw("a.xlsx", workbook({"Sheet1": _first_score(45390)}, dates=["C2"])),
        Refuses("row 2|row 1", "2024-04-08|45390|date"),
    ),
    _sheet("a mean below the rows of a sheet", [*SHEET, [None, "Mean", 2.65]], Refuses("row 10|row 9", "blank")),
    _sheet("rows of nothing below", [*SHEET, [], []], WHOLE),
    benchmark(
        "merged cells",
        raw(
            "a.xlsx",
            workbook(
                {"Sheet1": [SHEET[0], SHEET[1], [None, "c", 3]]},
                extra='<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>',
            ),
        ),
        Reads(items=2, lefts=LEFTS[:1] * 2),
    ),
    benchmark("a workbook cut off", raw("a.xlsx", TWO_SHEETS[:-200]), Refuses("workbook|Excel|xlsx|zip")),
    benchmark(
        "a workbook without sheets",
        raw("a.xlsx", zipped(**{"[Content_Types]__xml": b"<Types/>"})),
        Refuses("workbook|Excel|xlsx|zip"),
    ),
    benchmark("text called xlsx", text("a.xlsx", csv_of()), WHOLE),
]

HIDDEN_SPLIT = parquet_bytes(frame(score=[-1.0] * 8))
LABELLED = parquet_bytes(frame())
FOLDERS = [
    benchmark(
        "a folder of two splits",
        folder("data", train__parquet=LABELLED, test__parquet=LABELLED),
        Reads(items=16, hidden=0),
    ),
    benchmark(
        "a folder whose test split is hidden by -1",
        folder("data", train__parquet=LABELLED, test__parquet=HIDDEN_SPLIT),
        Reads(items=16, hidden=8, scale="0..5"),
    ),
    benchmark(
        "a folder with one broken split",
        folder("data", train__parquet=LABELLED, test__parquet=LABELLED[:100]),
        Refuses("Parquet", name="test.parquet"),
    ),
]

CONTAINERS = [*JSON, *COLUMNAR, *WORKBOOKS, *FOLDERS]
