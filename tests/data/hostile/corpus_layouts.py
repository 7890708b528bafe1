"""Benchmarks as separated text: separators, headers, orders of columns, line ends, quotes and stray rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .builders import HEAD, LEFTS, RIGHTS, ROWS, SCORES, csv_of, several, text
from .case import Case, Expected, Make, Reads, Refuses

__all__ = ["LAYOUTS", "WHOLE", "benchmark"]

WHOLE = Reads(items=8, scores=SCORES, hidden=0, scale="0..5", origin="inferred", lefts=LEFTS, rights=RIGHTS)
"""The eight pairs, read right."""

HIDDEN = Reads(items=8, hidden=8, lefts=LEFTS, rights=RIGHTS)
"""The eight pairs without a score."""

SEMEVAL = replace(WHOLE, origin="format")
"""The eight pairs in the order of SemEval's files, whose scale is known."""

WHICH = Refuses("--column|--header")
HEADER = ("sentence1", "sentence2", "score")
SEVEN = ROWS[:7]
"""Seven pairs, for rows that something is done to."""


def benchmark(name: str, make: Make, expected: Expected, apart: bool = False, **options: Any) -> Case:
    """A case for the door of benchmarks."""
    return Case(name=name, door="benchmark", make=make, expected=expected, options=options, apart=apart)


def _rows(*order: str, start: int = 1) -> list[list[object]]:
    """The pairs with their fields in this order; ``id`` runs from ``start``."""
    return [
        [{"id": at, "left": left, "right": right, "score": score}[name] for name in order]
        for at, (left, right, score) in enumerate(ROWS, start=start)
    ]


def _headerless(*order: str, separator: str = "\t", start: int = 1) -> Make:
    return text("plain.tsv", csv_of(_rows(*order, start=start), None, separator))


def _numbered(names: tuple[str, ...], *order: str, start: int = 1) -> Make:
    return text("numbered.csv", csv_of(_rows(*order, start=start), names))


SEPARATORS = [
    benchmark("comma", text("a.csv", csv_of()), WHOLE),
    benchmark("semicolon", text("a.csv", csv_of(separator=";")), WHOLE),
    benchmark("tab in a file called csv", text("a.csv", csv_of(separator="\t")), WHOLE),
    benchmark("comma in a file called tsv", text("a.tsv", csv_of()), WHOLE),
    benchmark("bar", text("a.txt", csv_of(separator="|")), WHOLE),
    benchmark("bar, named", text("a.txt", csv_of(separator="|")), WHOLE, separator="|"),
    benchmark("two bars", text("a.txt", csv_of(separator="||")), WHOLE),
    benchmark("two bars, named", text("a.txt", csv_of(separator="||")), WHOLE, separator="||"),
    benchmark("bars with blanks, named", text("a.txt", csv_of(separator=" ||| ")), WHOLE, separator=" ||| "),
    benchmark("two colons, named", text("a.dat", csv_of(separator="::")), WHOLE, separator="::"),
    benchmark("caret", text("a.txt", csv_of(separator="^")), Refuses("--separator")),
    benchmark("five blanks", text("a.txt", csv_of(separator="     ")), WHOLE),
    benchmark("the separator of a data base, 0x01", text("a.txt", csv_of(separator="\x01")), WHOLE, separator="\x01"),
    benchmark("the wrong separator named", text("a.csv", csv_of()), Refuses("--separator|--column"), separator=";"),
    benchmark("an empty separator", text("a.csv", csv_of()), Refuses("separator", name=""), separator=""),
    benchmark(
        "a first line that names the separator, as Excel reads it",
        text("a.csv", "sep=;\r\n" + csv_of(separator=";", end="\r\n")),
        Refuses("line 1|sep="),
    ),
    benchmark(
        "a separator behind every row", text("a.csv", csv_of([(*row, "") for row in ROWS], (*HEADER, ""))), WHOLE
    ),
    benchmark(
        "texts with the other separators in them",
        text("a.csv", csv_of([("a; b\tc", "d | e", 3), ("f; g\th", "i | j", 5), ("k; l\tm", "n | o", 0)])),
        Reads(items=3, scores=(3, 5, 0), lefts=("a; b\tc", "f; g\th"), rights=("d | e", "i | j")),
    ),
]

HEADERLESS = [
    benchmark("no header: id s1 s2 score", _headerless("id", "left", "right", "score"), WHICH),
    benchmark("no header: s1 s2 score", _headerless("left", "right", "score"), WHICH),
    benchmark("no header: score s1 s2", _headerless("score", "left", "right"), SEMEVAL),
    benchmark("no header: s1 score s2", _headerless("left", "score", "right"), WHICH),
    benchmark("no header: id s1 s2", _headerless("id", "left", "right"), WHICH),
    benchmark("no header: id s1 s2 from 0", _headerless("id", "left", "right", start=0), WHICH),
    benchmark(
        "no header: id s1 s2 with ids that fit a scale",
        text("plain.tsv", csv_of([(1, "a b", "c d"), (3, "e f", "g h"), (4, "i j", "k l")], None, "\t")),
        WHICH,
    ),
    benchmark("no header: s1 s2 id", _headerless("left", "right", "id"), WHICH),
    benchmark("no header: s1 s2", _headerless("left", "right"), WHICH),
    benchmark("no header: id score s1 s2", _headerless("id", "score", "left", "right"), WHICH),
    benchmark(
        "no header: id s1 s2 score, commas",
        _headerless("id", "left", "right", "score", separator=","),
        WHICH,
    ),
    benchmark("no header: s1 s2 score, commas", _headerless("left", "right", "score", separator=","), WHICH),
    benchmark("no header: score s1 s2, semicolons", _headerless("score", "left", "right", separator=";"), WHICH),
    benchmark(
        "no header: two columns of numbers, neither of which runs",
        text("plain.tsv", csv_of([(4.8, "a b", "c d", 3), (1.2, "e f", "g h", 1), (0.3, "i", "k", 5)], None, "\t")),
        Refuses("--column|--header"),
    ),
    benchmark(
        "no header said, but the first row is data: nothing is lost",
        _headerless("left", "right", "score"),
        WHICH,
        header=False,
    ),
    benchmark(
        "a header of numbers",
        text("a.csv", csv_of(ROWS, ("0", "1", "2"))),
        Refuses("--column|--header"),
    ),
    benchmark("a header said to be none", text("a.csv", csv_of()), Refuses("line 1"), header=False),
]

HEADERS = [
    benchmark("upper case and blanks", text("a.csv", csv_of(header=("Sentence 1", " Sentence 2 ", "SCORE"))), WHOLE),
    benchmark("premise and hypothesis", text("a.csv", csv_of(header=("premise", "hypothesis", "score"))), WHOLE),
    benchmark("anchor and positive", text("a.csv", csv_of(header=("anchor", "positive", "score"))), WHOLE),
    benchmark("text_a and text_b", text("a.csv", csv_of(header=("text_a", "text_b", "label"))), WHOLE),
    benchmark(
        "a byte-order mark before quoted names",
        text("a.csv", '\ufeff"sentence1","sentence2","score"\n' + csv_of(header=None)),
        WHOLE,
    ),
    benchmark(
        "a zero-width blank in a name",
        text("a.csv", csv_of(header=("\u200bsentence1", "sentence2", "score"))),
        Refuses("--column"),
    ),
    benchmark(
        "two columns with one name",
        text("a.csv", csv_of(header=("sentence", "sentence", "score"))),
        Refuses("sentence", "--column|rename"),
    ),
    benchmark(
        "two columns of scores with one name",
        text("a.csv", csv_of([(*row, 1) for row in ROWS], ("sentence1", "sentence2", "score", "score"))),
        Refuses("score", "--column|rename"),
    ),
    benchmark(
        "sentence and sentence.1, as pandas writes them",
        text("a.csv", csv_of(header=("sentence", "sentence.1", "score"))),
        Refuses("--column"),
    ),
    benchmark(
        "two columns that may be the score",
        text("a.csv", csv_of([(*row, 5 - row[2]) for row in ROWS], ("sentence1", "sentence2", "similarity", "rating"))),
        Refuses("similarity", "rating", "--column score="),
    ),
    benchmark(
        "score and a label of words",
        text("a.csv", csv_of([(*row, "yes") for row in ROWS], ("sentence1", "sentence2", "score", "label"))),
        WHOLE,
    ),
    benchmark(
        "scores under a foreign name",
        text("a.csv", csv_of(header=("sentence1", "sentence2", "Ähnlichkeit"))),
        Reads(items=8, hidden=8, says=("Ähnlichkeit",)),
    ),
    benchmark(
        "scores under a foreign name, named",
        text("a.csv", csv_of(header=("sentence1", "sentence2", "Ähnlichkeit"))),
        WHOLE,
        columns={"score": "Ähnlichkeit"},
    ),
    benchmark("a header and no rows", text("a.csv", HEAD), Refuses("no rows")),
    benchmark("a header and blank lines", text("a.csv", HEAD + "\n\n\n"), Refuses("no rows")),
    benchmark("one row", text("a.csv", HEAD + "a b,c d,3\n"), Reads(items=1, scores=(3,), lefts=("a b",))),
    benchmark("the header twice", text("a.csv", HEAD + csv_of()), Refuses("line 2", "--on-error|remove|delete|header")),
    benchmark("two files in one: the header in the middle", text("a.csv", csv_of() + csv_of()), Refuses("line 10")),
    benchmark(
        "two files in one: a byte-order mark in the middle",
        text("a.csv", csv_of() + "\ufeff" + csv_of()),
        Refuses("line 10"),
    ),
    benchmark(
        "three headers, as Qualtrics writes them",
        text(
            "a.csv",
            HEAD + "First text,Second text,How similar?\n"
            '"{""ImportId"":""QID1""}","{""ImportId"":""QID2""}","{""ImportId"":""QID3""}"\n' + csv_of(header=None),
        ),
        Refuses("line 2", "How similar"),
    ),
    benchmark(
        "comments above the header",
        text("a.csv", "# made in 2024\n# by us\n" + csv_of()),
        Refuses("line 1|comment|#"),
    ),
    benchmark(
        "a title above the header",
        text("a.csv", "Table 1: similarity\n\n" + csv_of()),
        Refuses("line 1|first line|--header"),
    ),
    benchmark(
        "a title above the header, in as many fields",
        text("a.csv", "Table 1,,\n" + csv_of()),
        Refuses("line 1|first line|--column"),
    ),
    benchmark(
        "an index without a name",
        _numbered(("", "sentence1", "sentence2", "score"), "id", "left", "right", "score"),
        WHOLE,
    ),
    benchmark(
        "an index called Unnamed: 0",
        _numbered(("Unnamed: 0", "sentence1", "sentence2", "score"), "id", "left", "right", "score", start=0),
        WHOLE,
    ),
    benchmark(
        "row names without a header, as R writes them",
        text("a.csv", HEAD + csv_of(_rows("id", "left", "right", "score"), None)),
        Refuses("line 2", "4 fields|field"),
    ),
    benchmark(
        "a running number called label",
        _numbered(("sentence1", "sentence2", "label"), "left", "right", "id"),
        Refuses("running|counts|numbers the rows", "--column"),
    ),
    benchmark(
        "a running number from 0 called score",
        _numbered(("sentence1", "sentence2", "score"), "left", "right", "id", start=0),
        Refuses("running|counts|numbers the rows", "--column"),
    ),
    benchmark(
        "ids given twice",
        text("a.csv", "id,left,right,score\n1,a,b,3\n2,c,d,4\n1,e,f,5\n"),
        Refuses("line 4", "'?1'?", "--column id="),
    ),
    benchmark("a blank id", text("a.csv", "id,left,right,score\n1,a,b,3\n,c,d,4\n"), Refuses("line 3", "id")),
]

LINES = [
    benchmark("Windows line ends", text("a.csv", csv_of(end="\r\n")), WHOLE),
    benchmark("Mac OS 9 line ends", text("a.csv", csv_of(end="\r")), WHOLE),
    benchmark("line ends written twice", text("a.csv", csv_of(end="\r\r\n")), WHOLE),
    benchmark("mixed line ends", text("a.csv", csv_of(SEVEN, end="\r\n") + csv_of(ROWS[7:], None)), WHOLE),
    benchmark("no line end at the end", text("a.csv", csv_of().rstrip("\n")), WHOLE),
    benchmark(
        "the control character that ended files in DOS",
        text("a.csv", csv_of(end="\r\n") + "\x1a"),
        Refuses("line 10"),
    ),
    benchmark("blank lines between rows", text("a.csv", csv_of().replace("\n", "\n\n")), WHOLE),
    benchmark(
        "lines of blanks between rows",
        text("a.csv", csv_of().replace("\n", "\n  \n")),
        Refuses("line 2|line 3"),
    ),
    benchmark(
        "lines of separators below the rows, as Excel leaves them",
        text("a.csv", csv_of() + ",,\n,,\n"),
        Refuses("line 10"),
    ),
    benchmark(
        "separators of lines and paragraphs inside texts",
        text("a.csv", csv_of([("a\u2028b", "c\u2029d", 3), ("e\x85f", "g\x0bh", 4), ("i\x0cj", "k\x1cl", 1)])),
        Reads(
            items=3, scores=(3, 4, 1), lefts=("a\u2028b", "e\x85f", "i\x0cj"), rights=("c\u2029d", "g\x0bh", "k\x1cl")
        ),
    ),
    benchmark(
        "line ends inside quotes",
        text("a.csv", csv_of([("a\nb", "c\r\nd", 3), ("e", "f", 4), ("g\n\nh", "i", 1)])),
        Reads(items=3, scores=(3, 4, 1), lefts=("a\nb", "e", "g\n\nh")),
    ),
    benchmark(
        "an error behind texts with line ends names the true line",
        text("a.csv", csv_of([("a\nb", "c\n\nd", 3), ("e", "f", "much")])),
        Refuses("line 6", "much"),
    ),
    benchmark("too few fields", text("a.csv", csv_of(SEVEN) + "only one,and two\n"), Refuses("line 9", "2 fields")),
    benchmark(
        "too many fields, for a comma without quotes",
        text("a.csv", csv_of(SEVEN) + "a, b,c d,3\n"),
        Refuses("line 9", "4 fields"),
    ),
    benchmark("an open quote", text("a.csv", csv_of(SEVEN) + '"a b,c d,3\n'), Refuses("line 9", "quot")),
    benchmark(
        "an open quote at the beginning",
        text("a.csv", HEAD + '"a b,c d,3\n' + csv_of(header=None)),
        Refuses("line 2", "quot"),
    ),
    benchmark(
        "text behind a closing quote",
        text("a.csv", csv_of(SEVEN) + '"a" b,c d,3\n'),
        Refuses("line 9", "quot"),
    ),
    benchmark(
        "quotes escaped with a backslash, as MySQL writes them",
        text("a.csv", HEAD + '"He said \\"hi\\".","She waved, too.",3\n"a","b",5\n'),
        Refuses("line 2", "quot"),
    ),
    benchmark(
        "curly quotes around a comma", text("a.csv", csv_of(SEVEN) + "“a, b”,c d,3\n"), Refuses("line 9", "4 fields")
    ),
    benchmark(
        "curly quotes in texts",
        text("a.csv", HEAD + "“a”,‘b’,3\n„c“,»d«,5\n"),
        Reads(items=2, lefts=("“a”", "„c“"), rights=("‘b’", "»d«")),
    ),
    benchmark(
        "inches and other single quotes in a file of tabs",
        text("a.tsv", 'sentence1\tsentence2\tscore\nA 5" disk\tA disk of 5 inches\t4\nHe said "no\tNo\t3\nb\tc\t0\n'),
        Reads(items=3, lefts=('A 5" disk', 'He said "no', "b"), scores=(4, 3, 0)),
    ),
    benchmark("a mean below the rows", text("a.csv", csv_of() + ",Mean,2.65\n"), Refuses("line 10", "blank")),
    benchmark("a total below the rows in one field", text("a.csv", csv_of() + "Total: 8 rows\n"), Refuses("line 10")),
    benchmark(
        "a mean below the rows is left out where that was asked for",
        text("a.csv", csv_of() + ",Mean,2.65\n"),
        Reads(items=8, scores=SCORES, says=("line 10",)),
        on_error="skip",
    ),
    benchmark("a blank text", text("a.csv", csv_of(SEVEN) + "a b, ,3\n"), Refuses("line 9", "blank")),
    benchmark(
        "NA for a text",
        text("a.csv", csv_of(SEVEN) + "a b,NA,3\n"),
        Reads(items=8, rights=(*RIGHTS[:7], "NA")),
    ),
    benchmark(
        "a line of five million letters",
        text("a.csv", csv_of(SEVEN) + "x" * 5_000_000 + ",c d,3\n"),
        Refuses("line 9"),
    ),
    benchmark(
        "ten thousand columns",
        text(
            "a.csv",
            csv_of(
                [(*row, *range(10_000)) for row in ROWS],
                ("sentence1", "sentence2", "score", *(f"x{at}" for at in range(10_000))),
            ),
        ),
        WHOLE,
    ),
    benchmark(
        "a row of a million separators", text("a.csv", csv_of(SEVEN) + "," * 1_000_000 + "\n"), Refuses("line 9")
    ),
    benchmark(
        "texts in every script",
        text("a.csv", HEAD + "猫が寝る,猫,4\nقطة,كلب,0\nЧай 🫖,👩‍👩‍👧,3\nא,ב,5\n"),
        Reads(items=4, lefts=("猫が寝る", "قطة", "Чай 🫖", "א"), rights=("猫", "كلب", "👩‍👩‍👧", "ב")),
    ),
]

FIRST_HALF, SECOND_HALF = csv_of(ROWS[:4]), csv_of(ROWS[4:])
SEVERAL = [
    benchmark(
        "two files together: every row knows its file",
        several(text("one.csv", FIRST_HALF), text("two.csv", SECOND_HALF)),
        replace(WHOLE, sources=("one",) * 4 + ("two",) * 4),
    ),
    benchmark(
        "two files together, one of them in another layout",
        several(text("one.csv", FIRST_HALF), text("two.tsv", csv_of(ROWS[4:], ("text_a", "text_b", "label"), "\t"))),
        WHOLE,
    ),
    benchmark(
        "two files together on different scales",
        several(text("one.csv", FIRST_HALF), text("two.csv", csv_of([(*row[:2], row[2] * 20) for row in ROWS[4:]]))),
        Refuses("--scale", name="two.csv"),
    ),
    benchmark(
        "two files together, one of them broken",
        several(text("one.csv", FIRST_HALF), text("two.csv", SECOND_HALF + "a,b,much\n")),
        Refuses("line 6", name="two.csv"),
    ),
    benchmark(
        "one file given twice",
        several(text("one.csv", csv_of()), text("one.csv", csv_of())),
        Refuses("twice|same", name="one.csv"),
    ),
    benchmark(
        "two files with the same ids",
        several(text("one.csv", "id,left,right,score\n1,a,b,3\n"), text("two.csv", "id,left,right,score\n1,c,d,5\n")),
        Reads(items=2, scores=(3, 5)),
    ),
]

LAYOUTS = [*SEVERAL, *SEPARATORS, *HEADERLESS, *HEADERS, *LINES]
