"""Benchmarks with odd scores: codes for missing values, scales, ways to write numbers, and what spreadsheets do."""

from __future__ import annotations

from .builders import HEAD, LEFTS, RIGHTS, ROWS, SCORES, csv_of, frame, json_lines, parquet_bytes, raw, records, text
from .builders import with_scores as scored
from .case import Case, Reads, Refuses
from .corpus_layouts import WHOLE, benchmark

__all__ = ["VALUES"]

ONE_HIDDEN = Reads(items=8, scores=(None, *SCORES[1:]), hidden=1, scale="0..5", origin="inferred")
"""The first score is missing."""

CODE = Refuses("line 2", "--missing")
NOT_A_NUMBER = Refuses("line 2")
CODES = ("-1", "-9", "-99", "-999", "99", "999", "9999", "-1.0", "6666")
WORDS = ("NA", "N/A", "NULL", "None", "nan", "NaN", "#N/A", "missing", ".", "-", "?", "\\N", "n.a.")
CSTS = ("sentence1", "sentence2", "condition", "label")
CONDITIONS = ("the instrument", "the animal", "the day", "the amount", "the act", "the sky", "the drink", "the place")
LABELS = (-1, 2, -1, 5, 1, 3, 4, 2)
CSTS_ROWS = [
    (left, right, condition, label)
    for left, right, condition, label in zip(LEFTS, RIGHTS, CONDITIONS, LABELS, strict=True)
]
TWO_HIDDEN = Reads(items=8, scores=(None, 2, None, 5, 1), hidden=2, scale="1..5")
"""C-STS rates from 1 to 5 and writes -1 for labels that are hidden."""

MINUS_ONE = TWO_HIDDEN


def _integers(*scores: float, header: tuple[str, ...] = ("sentence1", "sentence2", "score")) -> str:
    """One pair for each score."""
    return csv_of([(f"left {at}", f"right {at}", score) for at, score in enumerate(scores)], header)


def _scale(name: str, scores: tuple[float, ...], *scales: str) -> Case:
    """Scores whose scale must be one of these, or be asked for."""
    expected = Reads(items=len(scores), scores=scores, hidden=0, scale=scales[0])
    return benchmark(name, text("a.csv", _integers(*scores)), expected)


HIDDEN_CODES = [
    *(benchmark(f"{code} among scores from 0 to 5", text("a.csv", scored(code)), CODE) for code in CODES),
    *(
        benchmark(
            f"{code} among scores from 0 to 5, said to be missing",
            text("a.csv", scored(code)),
            ONE_HIDDEN,
            missing=(code,),
        )
        for code in ("-1", "99", "-999")
    ),
    *(benchmark(f"{word} for a score", text("a.csv", scored(word)), CODE) for word in WORDS),
    *(
        benchmark(f"{word!r} for a score, said to be missing", text("a.csv", scored(word)), ONE_HIDDEN, missing=(word,))
        for word in ("NA", "missing", "k.A.")
    ),
    benchmark("an empty score", text("a.csv", scored("")), ONE_HIDDEN),
    benchmark("a score of blanks", text("a.csv", scored("   ")), ONE_HIDDEN),
    benchmark(
        "two codes, one of them said",
        text("a.csv", scored("-1", "99")),
        Refuses("line 3", "--missing"),
        missing=("-1",),
    ),
    benchmark("a code that does not occur", text("a.csv", csv_of()), WHOLE, missing=("-9",)),
    benchmark(
        "a code that is a score of many",
        text("a.csv", scored("2.0")),
        Reads(items=8, scores=(None, *SCORES[1:7], None), hidden=2),
        missing=("2.0",),
    ),
    benchmark("the same code written otherwise", text("a.csv", scored("-1.00")), ONE_HIDDEN, missing=("-1",)),
    benchmark("every label -1", text("a.csv", scored(*[-1] * 8, name="label")), Reads(items=8, hidden=8)),
    benchmark("every score -1", text("a.csv", scored(*[-1] * 8)), Reads(items=8, hidden=8)),
    benchmark("every score empty", text("a.csv", scored(*[""] * 8)), Reads(items=8, hidden=8)),
    benchmark("C-STS", text("a.csv", csv_of(CSTS_ROWS, CSTS)), TWO_HIDDEN),
    benchmark("C-STS with tabs", text("a.tsv", csv_of(CSTS_ROWS, CSTS, "\t")), MINUS_ONE),
    benchmark("C-STS with semicolons", text("a.csv", csv_of(CSTS_ROWS, CSTS, ";")), MINUS_ONE),
    benchmark(
        "C-STS with an index",
        text("a.csv", csv_of([(at, *row) for at, row in enumerate(CSTS_ROWS)], ("idx", *CSTS))),
        MINUS_ONE,
    ),
    benchmark("C-STS in another order", text("a.csv", csv_of([row[::-1] for row in CSTS_ROWS], CSTS[::-1])), MINUS_ONE),
    benchmark("C-STS as JSON lines", text("a.jsonl", json_lines(records(CSTS_ROWS, CSTS))), MINUS_ONE),
    benchmark(
        "C-STS as Parquet",
        raw("a.parquet", parquet_bytes(frame(condition=CONDITIONS, label=LABELS).drop("score"))),
        MINUS_ONE,
    ),
    benchmark(
        "-1 among labels from 0 to 1",
        text("a.csv", _integers(0, 1, 1, 0, -1, 1, header=("text1", "text2", "label"))),
        Refuses("-1", "--missing|--scale"),
    ),
]

SCALES = [
    benchmark(
        "-1 is a score where -0.5 is one",
        text("a.csv", _integers(-1, -0.5, 0.25, 1)),
        Reads(items=4, scores=(-1, -0.5, 0.25, 1), hidden=0, scale="-1..1"),
    ),
    benchmark(
        "99 is a score from 0 to 100",
        text("a.csv", _integers(99, 0, 12, 55, 100, 73)),
        Reads(items=6, scores=(99, 0, 12), hidden=0, scale="0..100"),
    ),
    benchmark(
        "from -3 to 3",
        text("a.csv", _integers(-3, -2, -1, 0, 1, 2, 3)),
        Reads(items=7, scores=(-3, -2, -1, 0, 1, 2, 3), hidden=0, scale="-3..3"),
    ),
    benchmark(
        "declared from 0 to 4",
        text("a.csv", _integers(0, 1, 2, 3, 4)),
        Reads(items=5, scale="0..4", origin="declared"),
        scale="0..4",
    ),
    benchmark(
        "a score off the scale that was declared",
        text("a.csv", _integers(0, 1, 2, 3, 5)),
        Refuses("line 6", "--scale"),
        scale="0..4",
    ),
    # Five whole numbers from 0 to 4 are a scale of their own; that it goes on to 5 is the weaker guess.
    _scale("from 0 to 4", (0, 1, 2, 3, 4, 4, 0, 2), "0..4"),
    _scale("from 1 to 4", (1, 2, 3, 4, 4, 1), "1..4"),
    _scale("from 1 to 6", (1, 2, 3, 4, 5, 6, 6), "1..6"),
    _scale("from 1 to 7", (1, 2, 3, 4, 5, 6, 7), "1..7"),
    _scale("from 0 to 3", (0, 1, 2, 3, 3), "0..3"),
    _scale("from 0 to 10", (0, 3, 7.5, 10), "0..10"),
    _scale("from 0 to 1", (0, 0.25, 1, 1), "0..1"),
    benchmark("one score far off", text("a.csv", scored("45385")), Refuses("line 2", "45385")),
    benchmark("1e26", text("a.csv", scored("1e26")), Refuses("line 2", "1e\\+?26")),
    benchmark("1e400", text("a.csv", scored("1e400")), Refuses("line 2", "finite|1e400|inf")),
    benchmark("infinity", text("a.csv", scored("inf")), Refuses("line 2", "inf")),
    benchmark("minus infinity", text("a.csv", scored("-Infinity")), Refuses("line 2", "inf")),
    benchmark("minus zero", text("a.csv", scored("-0")), Reads(items=8, scores=(0.0, *SCORES[1:]), scale="0..5")),
    benchmark(
        "one value for all",
        text("a.csv", scored(*[3] * 8)),
        Reads(items=8, hidden=0, says=("same|constant|all 8 scores",)),
    ),
]

WRITTEN = [
    benchmark(
        "numbers in quotes with blanks",
        text("a.csv", scored(' " 4.8" ').replace('"""', '"')),
        NOT_A_NUMBER,
    ),
    benchmark("scientific notation", text("a.csv", scored("4.8E+00", "6e-1", "+4.4")), WHOLE),
    benchmark(
        "decimal commas",
        text("a.csv", csv_of([(*row[:2], str(row[2]).replace(".", ",")) for row in ROWS], separator=";")),
        Refuses("line 2", "4,8", "--decimal '?,"),
    ),
    benchmark(
        "decimal commas, said",
        text("a.csv", csv_of([(*row[:2], str(row[2]).replace(".", ",")) for row in ROWS], separator=";")),
        WHOLE,
        decimal=",",
    ),
    benchmark(
        "decimal commas in quotes, said",
        text("a.csv", csv_of([(*row[:2], str(row[2]).replace(".", ",")) for row in ROWS])),
        WHOLE,
        decimal=",",
    ),
    benchmark(
        "decimal points where commas were said", text("a.csv", csv_of()), Refuses("line 2", "--decimal"), decimal=","
    ),
    benchmark("decimal commas and points in one file", text("a.csv", scored("4,8")), Refuses("line 2", "4,8")),
    benchmark("separators of thousands", text("a.csv", _integers(0, 1) + 'a,b,"1,234"\n'), Refuses("line 4", "1,234")),
    # 1.234,5 is one thousand two hundred and thirty-four and a half, or it is nothing.
    benchmark(
        "separators of thousands with decimal commas",
        text("a.csv", _integers(0, 1) + 'a,b,"1.234,5"\n'),
        Refuses("line 4", "1.234,5"),
        decimal=",",
    ),
    benchmark("percent", text("a.csv", _integers("96%", "12%", "50%")), Refuses("line 2", "96%")),
    benchmark("fractions", text("a.csv", _integers("4/5", "1/5", "2/5")), Refuses("line 2", "4/5")),
    benchmark("stars", text("a.csv", _integers("★★★★", "★", "★★")), Refuses("line 2")),
    benchmark(
        "a number with its meaning", text("a.csv", _integers("4 (similar)", "1 (not)")), Refuses("line 2", "4 \\(sim")
    ),
    benchmark("words", text("a.csv", _integers("high", "low", "high")), Refuses("line 2", "high")),
    benchmark(
        "true and false",
        text("a.csv", _integers("True", "False", "True")),
        Refuses("line 2", "True"),
    ),
    benchmark("dates that a spreadsheet made of scores", text("a.csv", scored("08. Apr")), Refuses("line 2", "Apr")),
    benchmark("ISO dates that a spreadsheet made of scores", text("a.csv", scored("2024-08-04")), Refuses("line 2")),
    benchmark("an apostrophe before a number", text("a.csv", scored("'4.8")), NOT_A_NUMBER),
    benchmark("a formula before a number", text("a.csv", scored('="4.8"')), NOT_A_NUMBER),
    *(
        benchmark(f"{error} in a cell", text("a.csv", scored(error)), Refuses("line 2", error))
        for error in ("#DIV/0!", "#REF!", "#NAME?")
    ),
    benchmark("an underscore in a number", text("a.csv", scored("4_8")), NOT_A_NUMBER),
    benchmark("a number of another base", text("a.csv", scored("0x4")), NOT_A_NUMBER),
    benchmark("Arabic digits", text("a.csv", scored("٤")), NOT_A_NUMBER),
    benchmark("wide digits", text("a.csv", scored("４.８")), NOT_A_NUMBER),
    benchmark("a blank that does not break behind a number", text("a.csv", scored("4.8\u00a0")), WHOLE),
    benchmark(
        "a minus sign from a text",
        text("a.csv", _integers("−1", "0", "1")),
        NOT_A_NUMBER,
    ),
    benchmark("ranges of numbers", text("a.csv", scored("4-5")), NOT_A_NUMBER),
    benchmark(
        "lists of ratings in the column of scores",
        text("a.csv", HEAD + 'a,b,"[4, 5]"\nc,d,"[1, 2]"\n'),
        Refuses("line 2", "\\[4, 5\\]"),
    ),
]

VALUES = [*HIDDEN_CODES, *SCALES, *WRITTEN]
