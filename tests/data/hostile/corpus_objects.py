"""Objects in memory, columns for `Benchmark.from_columns`, and tasks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from .builders import LEFTS, RIGHTS, ROWS, SCORES, csv_of, folder, frame, gzipped, parquet_bytes, raw, records, text
from .case import Case, Expected, Make, Reads, Refuses
from .corpus_layouts import WHOLE

__all__ = ["OBJECTS", "TASKS"]

NAN = float("nan")
ONE_HIDDEN = Reads(items=8, scores=(None, *SCORES[1:]), hidden=1, scale="0..5")
FIRST_ROW = Refuses("row 1|entry 1|entry 0|row 0|first")


def thing(name: str, make: Make, expected: Expected, **options: Any) -> Case:
    """A case for the door of objects."""
    return Case(name=name, door="object", make=make, expected=expected, options=options)


def columns(name: str, made: dict[str, Any], expected: Expected, **options: Any) -> Case:
    """A case for the door of columns."""
    return Case(name=name, door="columns", make=lambda _: made, expected=expected, options=options)


def task(name: str, make: Make, expected: Expected, **options: Any) -> Case:
    """A case for the door of tasks."""
    return Case(name=name, door="task", make=make, expected=expected, options=options)


@dataclass
class InputExample:
    """Shaped like the class of sentence-transformers that has this name."""

    guid: str = ""
    texts: Any = None
    label: Any = 0


def _pandas(**changes: Any) -> Make:
    """The pairs as a data frame of pandas, with columns added or replaced."""

    def make(_: Path) -> Any:
        import pandas

        return pandas.DataFrame({"sentence1": LEFTS, "sentence2": RIGHTS, "score": SCORES} | changes)

    return make


def _indexed(_: Path) -> Any:
    import pandas

    return pandas.DataFrame(records(), index=pandas.Index([f"p{at}" for at in range(8)], name="id"))


def _filtered(_: Path) -> Any:
    """Rows chosen from a larger frame, so that the index has gaps and does not begin at 0."""
    import pandas

    return pandas.DataFrame([("x", "y", 1.0), *ROWS], columns=["sentence1", "sentence2", "score"]).iloc[1:]


def _doubled(_: Path) -> Any:
    import pandas

    return pandas.DataFrame([(*row, 1.0) for row in ROWS], columns=["sentence1", "sentence2", "score", "score"])


def _levels(_: Path) -> Any:
    import pandas

    return pandas.DataFrame(
        ROWS, columns=pandas.MultiIndex.from_tuples([("text", "a"), ("text", "b"), ("gold", "score")])
    )


def _arrow(_: Path) -> Any:
    import pyarrow

    return pyarrow.table({"sentence1": LEFTS, "sentence2": RIGHTS, "score": SCORES})


def _examples(*labels: Any, texts: Any = None) -> Make:
    return lambda _: [
        InputExample(guid=f"p{at}", texts=texts or [left, right], label=label)
        for at, (left, right, label) in enumerate(zip(LEFTS, RIGHTS, labels, strict=True))
    ]


def _given(made: Any) -> Make:
    return lambda _: made


COLUMNS = {"sentence1": list(LEFTS), "sentence2": list(RIGHTS), "score": list(SCORES)}
THINGS = [
    thing("pandas", _pandas(), WHOLE),
    thing("pandas with NaN gold", _pandas(score=[NAN, *SCORES[1:]]), ONE_HIDDEN),
    thing(
        "pandas with None for a text", _pandas(sentence1=[None, *LEFTS[1:]]), Refuses("sentence1", "row 1|row 0|first")
    ),
    thing(
        "pandas with NaN for a text", _pandas(sentence1=[NAN, *LEFTS[1:]]), Refuses("sentence1", "row 1|row 0|first")
    ),
    thing("pandas with a blank text", _pandas(sentence1=["  ", *LEFTS[1:]]), Refuses("sentence1", "row 1|row 0|first")),
    thing("pandas with -1", _pandas(score=[-1.0, *SCORES[1:]]), Refuses("-1", "missing")),
    thing("pandas with -1, said", _pandas(score=[-1.0, *SCORES[1:]]), ONE_HIDDEN, missing=("-1",)),
    thing("pandas with infinity", _pandas(score=[float("inf"), *SCORES[1:]]), FIRST_ROW),
    thing("pandas with scores as text", _pandas(score=list(map(str, SCORES))), WHOLE),
    thing("pandas with scores as mixed objects", _pandas(score=["4.8", *SCORES[1:]]), WHOLE),
    thing(
        "pandas with booleans",
        _pandas(score=[True, False] * 4),
        Refuses("score", "true|bool"),
    ),
    thing("pandas with categories", lambda _: _pandas()(_).astype({"sentence1": "category"}), WHOLE),
    thing("pandas with ids as its index", _indexed, Reads(items=8, scores=SCORES, ids=("p0", "p1"))),
    thing("pandas with gaps in its index", _filtered, WHOLE),
    thing("pandas with two columns of one name", _doubled, Refuses("score")),
    thing("pandas with two levels of columns", _levels, Refuses("column")),
    thing("pandas without rows", lambda _: _pandas()(_).head(0), Refuses("no rows|empty")),
    thing(
        "pandas with a score off the scale",
        _pandas(score=[9.0, *SCORES[1:]]),
        Refuses("9", "0..5", "row 1|row 0|first"),
        scale="0..5",
    ),
    thing("pandas with ids given twice", _pandas(id=["a", "a", *"cdefgh"]), Refuses("row 2|row 1", "'?a'?")),
    thing("polars", _given(frame()), WHOLE),
    thing("polars with NaN", _given(frame(score=[NAN, *SCORES[1:]])), ONE_HIDDEN),
    thing("a lazy frame of polars", _given(frame().lazy()), WHOLE),
    thing("a table of pyarrow", _arrow, WHOLE),
    thing("a dict of columns", _given(COLUMNS), WHOLE),
    thing("a dict of arrays", _given({name: np.array(values) for name, values in COLUMNS.items()}), WHOLE),
    thing(
        "a dict of columns of different lengths", _given(COLUMNS | {"score": [1.0, 2.0]}), Refuses("score", "2", "8")
    ),
    thing(
        "a dict of one text each",
        _given({"sentence1": "a", "sentence2": "b", "score": 1}),
        Refuses("list|column"),
    ),
    thing("a dict without texts", _given({"score": [1.0, 2.0]}), Refuses("left|column")),
    thing("an empty dict", _given({}), Refuses("empty|no rows|column")),
    thing("a list of records", _given(records()), WHOLE),
    thing(
        "a list of records with NaN",
        _given([records()[0] | {"score": NAN}, *records()[1:]]),
        ONE_HIDDEN,
    ),
    thing(
        "a list of records, one without a text",
        _given([*records(), {"sentence1": "a", "score": 1}]),
        Refuses("sentence2", "9|8"),
    ),
    thing(
        "a list of records, one without a score",
        _given([*records(), {"sentence1": "a", "sentence2": "b"}]),
        Reads(items=9, hidden=1),
    ),
    thing("a list of records and None", _given([*records(), None]), Refuses("9|8|None")),
    thing("a list of tuples", _given(list(ROWS)), WHOLE),
    thing("an empty list", _given([]), Refuses("no file|empty|no rows|nothing")),
    thing("a list of numbers", _given([1, 2, 3]), Refuses("record|path|list")),
    thing("a generator of records", lambda _: (record for record in records()), WHOLE),
    thing("a set of tuples", _given(set(ROWS)), Refuses("order", "list", name="")),
    thing(
        "columns in a set",
        _given({"left": set(LEFTS), "right": RIGHTS, "score": SCORES}),
        Refuses("order", "list", name=""),
    ),
    thing("two lists of two texts", _given([list(LEFTS[:2]), list(RIGHTS[:2])]), Refuses("rows|columns", name="")),
    thing("two tuples of two texts", _given([("a b", "c d"), ("e f", "g h")]), Reads(items=2, lefts=("a b", "e f"))),
    thing(
        "a structured array",
        _given(np.array(list(ROWS), dtype=[("left", "U50"), ("right", "U50"), ("score", "f8")])),
        WHOLE,
    ),
    thing(
        "-1 in a type without a sign",
        _given({"left": LEFTS, "right": RIGHTS, "score": np.array([-1, 0, 1, 2, 3, 4, 5, 2]).astype(np.uint8)}),
        Refuses("255", "--missing", name=""),
    ),
    thing("InputExamples", _examples(*SCORES), WHOLE),
    thing("InputExamples with NaN", _examples(NAN, *SCORES[1:]), ONE_HIDDEN),
    thing("InputExamples with None", _examples(None, *SCORES[1:]), ONE_HIDDEN),
    thing("InputExamples with three texts", _examples(*SCORES, texts=["a", "b", "c"]), Refuses("3|three", "texts|two")),
    thing("InputExamples with one text", _examples(*SCORES, texts=["a"]), Refuses("texts|two|1")),
    thing("an array of NumPy", _given(np.array([[1.0, 2.0]])), Refuses("array|ndarray|data frame|path")),
    thing("None", _given(None), Refuses("None|path")),
    thing("a number", _given(42), Refuses("42|int|path")),
    thing("bytes", _given(b"sentence1,sentence2,score\n"), Refuses("bytes|path")),
    thing("the text of a file", _given(csv_of()), Refuses("no such file|path|text|cannot be read", name="")),
]

OURS: dict[str, Any] = {"left": list(LEFTS), "right": list(RIGHTS), "score": list(SCORES)}
FROM_COLUMNS = [
    columns("columns", OURS, WHOLE),
    columns("NaN gold", OURS | {"score": [NAN, *SCORES[1:]]}, ONE_HIDDEN),
    columns("None for gold", OURS | {"score": [None, *SCORES[1:]]}, ONE_HIDDEN),
    columns("infinite gold", OURS | {"score": [float("inf"), *SCORES[1:]]}, FIRST_ROW),
    columns("a score off the scale", OURS | {"score": [7.0, *SCORES[1:]]}, Refuses("7", "0..5"), scale="0..5"),
    columns("None for a text", OURS | {"left": [None, *LEFTS[1:]]}, Refuses("left", "row 1|row 0|first")),
    columns("a blank text", OURS | {"left": ["", *LEFTS[1:]]}, Refuses("left", "row 1|row 0|first")),
    columns("ragged columns", OURS | {"score": [1.0, 2.0]}, Refuses("score", "2", "8")),
    columns("one score for all", OURS | {"score": 3.0}, Refuses("score")),
    columns("numbers for texts", OURS | {"left": list(range(8))}, Refuses("left")),
    columns("words for scores", OURS | {"score": ["high"] * 8}, Refuses("high|score")),
    columns("-1 for hidden gold", OURS | {"score": [-1.0, *SCORES[1:]]}, Refuses("-1")),
    columns("ids given twice", OURS | {"id": ["a", "a", *"cdefgh"]}, Refuses("'?a'?", "id")),
    columns("no rows", {"left": [], "right": [], "score": []}, Refuses("no items|no rows|empty")),
    columns("ratings of no length", OURS | {"ratings": [[]] * 8}, WHOLE),
    columns("a NUL in a text", OURS | {"left": ["a\0b", *LEFTS[1:]]}, Refuses("left", "NUL")),
]

OBJECTS = [*THINGS, *FROM_COLUMNS]

# --- tasks ------------------------------------------------------------------------------------------------------------

LABELLED = "left,right,label\na,b,related\nc,d,unrelated\ne,f,related\ng,h,unrelated\n"
FOUR = Reads(kind="related", items=4, scores=(1, 0, 1, 0), lefts=("a", "c", "e", "g"), rights=("b", "d", "f", "h"))
QUESTION = pl.DataFrame({"left": list("aceg"), "right": list("bdfh"), "label": ["related", "unrelated"] * 2})
TASKS = [
    task("labelled pairs", text("pairs.csv", LABELLED), FOUR),
    task("labelled pairs with semicolons", text("pairs.csv", LABELLED.replace(",", ";")), FOUR),
    task(
        "labelled pairs with tabs and Windows line ends",
        text("pairs.tsv", LABELLED.replace(",", "\t").replace("\n", "\r\n")),
        FOUR,
    ),
    task("labelled pairs with a mark", text("pairs.csv", "\ufeff" + LABELLED), FOUR),
    task("labelled pairs as Parquet", raw("pairs.parquet", parquet_bytes(QUESTION)), FOUR),
    task("labelled pairs as Parquet cut off", raw("pairs.parquet", parquet_bytes(QUESTION)[:100]), Refuses("Parquet")),
    task("labelled pairs, packed", raw("pairs.csv.gz", gzipped(LABELLED.encode())), FOUR),
    task(
        "a blank behind a label",
        text("pairs.csv", LABELLED.replace("related\nc", "related \nc")),
        FOUR,
    ),
    task(
        "a label of another kind",
        text("pairs.csv", LABELLED + "i,j,perhaps\n"),
        Refuses("perhaps", "kind|classes|order"),
    ),
    task("a label that is missing", text("pairs.csv", LABELLED + "i,j,\n"), Refuses("line 6", "label|blank")),
    task(
        "-1 for a label",
        text("pairs.csv", "left,right,is_duplicate\na,b,1\nc,d,0\ne,f,1\ng,h,0\ni,j,-1\nk,l,-1\n"),
        Refuses("-1", "line 6|classes|missing"),
    ),
    task("one class", text("pairs.csv", "left,right,label\na,b,related\nc,d,related\n"), Refuses("class")),
    task(
        "a class with one member",
        text("pairs.csv", "left,right,label\na,b,related\nc,d,unrelated\ne,f,related\n"),
        Refuses("class|unrelated"),
    ),
    task("scores instead of labels", text("pairs.csv", csv_of()), Refuses("kind")),
    task("0 bytes", raw("pairs.csv", b""), Refuses("empty")),
    task("a header and no rows", text("pairs.csv", "left,right,label\n"), Refuses("no rows|kind|empty")),
    task("a NUL in a text", raw("pairs.csv", LABELLED.encode() + b"a\0,b,related\n"), Refuses("line 6", "NUL")),
    task(
        "latin-1",
        raw("pairs.csv", LABELLED.encode() + "für,b,related\n".encode("latin-1")),
        Refuses("line 6", "--encoding|encoding"),
    ),
    task(
        "a page that says 404",
        text("pairs.csv", "<!DOCTYPE html>\n<html><body>404</body></html>\n"),
        Refuses("HTML|web page"),
    ),
    task(
        "a workbook of 1997", raw("pairs.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504), Refuses("xls|Excel")
    ),
    task("a folder with nothing in it", folder("stuff"), Refuses("kind|empty|nothing")),
    task(
        "a folder with a broken card",
        folder("stuff", task__toml="kind = related\n"),
        Refuses("line 1", name="task.toml"),
    ),
    task(
        "a folder whose card names a file that is gone",
        folder("stuff", task__toml='kind = "related"\n[files]\npairs = "gone.csv"\n'),
        Refuses("gone.csv", name=""),
    ),
    task("no such file", lambda _: Path("gone.csv"), Refuses("no such")),
    task(
        "a link to itself",
        lambda where: ((where / "a.csv").symlink_to("a.csv"), Path("a.csv"))[1],
        Refuses("link|loop|cannot"),
    ),
    task(
        "ids called left and right beside the texts",
        text(
            "pairs.csv",
            "left,right,left_text,right_text,is_duplicate\n1,2,a b,c d,0\n3,4,e f,g h,1\n5,6,i,j,0\n7,8,m,n,1\n",
        ),
        Refuses("several pairs", "left_text", name="pairs.csv"),
    ),
    task(
        "texts whose names do not belong together",
        text("pairs.csv", "query,sentence2,label\na,b,related\nc,d,unrelated\ne,f,related\ng,h,unrelated\n"),
        Refuses("belong together", name="pairs.csv"),
    ),
]
