"""Predictions of others' systems, measured against eight items with gold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from .builders import LEFTS, RIGHTS, SCORES, csv_of, fifo, gzipped, npy_bytes, parquet_bytes, raw, text
from .case import Case, Expected, Make, Reads, Refuses

__all__ = ["PREDICTIONS"]

PREDICTED = (3.6, 1.1, 4.0, 3.9, 0.4, 3.1, 2.7, 1.0)
IDS = ("101", "102", "103", "104", "105", "106", "107", "108")
NAMES = ("n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8")
ONE_TO_EIGHT = ("1", "2", "3", "4", "5", "6", "7", "8")
ORDER = (4, 2, 7, 0, 6, 1, 5, 3)
"""An order that is not that of the gold."""

R = float(np.corrcoef(SCORES, PREDICTED)[0, 1])
RIGHT = Reads(figures={"pearson": R})
WHICH = Refuses("--predictions-column")


def predictions(
    name: str, make: Make, expected: Expected, ids: Sequence[str] | None = IDS, apart: bool = False, **options: Any
) -> Case:
    """A case for the door of predictions, with gold under these ids beside it."""

    def with_gold(folder: Path) -> Any:
        rows = list(zip(LEFTS, RIGHTS, SCORES, strict=True))
        named = rows if ids is None else [(name, *row) for name, row in zip(ids, rows, strict=True)]
        header = ("sentence1", "sentence2", "score") if ids is None else ("id", "sentence1", "sentence2", "score")
        (folder / "gold.csv").write_text(csv_of(named, header), encoding="utf-8")
        return make(folder)

    return Case(name=name, door="predictions", make=with_gold, expected=expected, options=options, apart=apart)


def _rows(ids: Sequence[object] = IDS, scores: Sequence[object] = PREDICTED) -> list[tuple[object, object]]:
    """Id and score in another order than the gold's."""
    return [(ids[at], scores[at]) for at in ORDER]


def _plain(*scores: object, header: str = "") -> Make:
    return text("system.txt", header + "".join(f"{score}\n" for score in scores))


def _table(
    header: Sequence[str] | None = ("id", "score"), rows: Sequence[Sequence[object]] | None = None, separator: str = ","
) -> Make:
    return text("system.csv", csv_of(_rows() if rows is None else rows, header, separator))


def _changed(first: object) -> Sequence[object]:
    return (first, *PREDICTED[1:])


FRAME = pl.DataFrame({"id": IDS, "score": PREDICTED})
PARQUET = parquet_bytes(FRAME)
LINES = "".join(json.dumps({"id": name, "score": score}) + "\n" for name, score in _rows())
BOTH = [(name, gold, score) for name, gold, score in zip(IDS, SCORES, PREDICTED, strict=True)]

TABLES = [
    predictions("a table in another order", _table(), RIGHT),
    predictions("semicolons", _table(separator=";"), RIGHT),
    predictions("tabs", _table(separator="\t"), RIGHT),
    predictions("JSON lines", text("system.jsonl", LINES), RIGHT),
    predictions(
        "an array",
        text("system.json", json.dumps([{"id": name, "score": score} for name, score in _rows()])),
        RIGHT,
    ),
    predictions(
        "scores under their ids",
        text("system.json", json.dumps({str(name): score for name, score in _rows()})),
        RIGHT,
    ),
    predictions("an array of numbers", text("system.json", json.dumps(PREDICTED)), RIGHT),
    predictions("Parquet", raw("system.parquet", PARQUET), RIGHT),
    predictions(
        "packed",
        raw("system.csv.gz", gzipped(csv_of(_rows(), ("id", "score")).encode())),
        RIGHT,
    ),
    predictions("one score a line", _plain(*PREDICTED), RIGHT),
    predictions("one score a line below a header", _plain(*PREDICTED, header="score\n"), RIGHT),
    predictions(
        "one score a line below an unknown header",
        _plain(*PREDICTED, header="cos_sim_v2\n"),
        RIGHT,
    ),
    predictions(
        "one score a line with Windows line ends and a mark",
        text("system.txt", "\ufeff" + "".join(f"{score}\r\n" for score in PREDICTED)),
        RIGHT,
    ),
    predictions(
        "one score a line in UTF-16",
        text("system.txt", "".join(f"{score}\r\n" for score in PREDICTED), "utf-16"),
        RIGHT,
    ),
    predictions(
        "blank lines at the end", text("system.txt", "".join(f"{score}\n" for score in PREDICTED) + "\n\n"), RIGHT
    ),
    predictions(
        "score and confidence, as at SemEval",
        text("system.txt", "".join(f"{score}\t100\n" for score in PREDICTED)),
        RIGHT,
    ),
    predictions(
        "scores in brackets, as NumPy prints",
        text("system.txt", f"[{' '.join(map(str, PREDICTED))}]\n"),
        Refuses("line 1|JSON"),
    ),
    predictions(
        "all scores in one line",
        text("system.txt", ",".join(map(str, PREDICTED)) + "\n"),
        Refuses("line 1|column|no rows"),
    ),
    predictions(
        "tensors, as PyTorch prints", _plain(*(f"tensor({score})" for score in PREDICTED)), Refuses("line 1|column")
    ),
]

HEADERLESS = [
    predictions("no header: id and score, tabs", _table(None, separator="\t"), RIGHT),
    predictions("no header: id and score, commas", _table(None), RIGHT),
    predictions("no header: score and id, tabs", _table(None, [(b, a) for a, b in _rows()], "\t"), RIGHT),
    predictions(
        "no header: id and score, ids from 1",
        _table(None, _rows(ONE_TO_EIGHT), "\t"),
        RIGHT,
        ids=ONE_TO_EIGHT,
    ),
    predictions("no header: id and score, names", _table(None, _rows(NAMES), "\t"), RIGHT, ids=NAMES),
    predictions(
        "no header: row number and score, gold without ids",
        _table(None, list(zip(range(1, 9), PREDICTED, strict=True)), "\t"),
        RIGHT,
        ids=None,
    ),
    predictions(
        "no header: row number from 0 and score, gold without ids",
        _table(None, list(enumerate(PREDICTED)), "\t"),
        WHICH,
        ids=None,
    ),
    predictions(
        "no header: row number and score, gold with other ids",
        _table(None, list(enumerate(PREDICTED)), ","),
        Refuses("--predictions-column|id"),
    ),
    predictions(
        "no header: foreign id and score",
        _table(None, _rows([f"9{name}" for name in IDS]), "\t"),
        Refuses("id|--predictions-column"),
    ),
    predictions(
        "no header: id, score and gold", _table(None, [(name, score, gold) for name, gold, score in BOTH], "\t"), WHICH
    ),
    predictions("row number from pandas and score", _table(("", "score"), list(enumerate(PREDICTED))), RIGHT, ids=None),
    predictions(
        "row number called index that counts from 0",
        _table(("index", "score"), list(enumerate(PREDICTED))),
        RIGHT,
        ids=None,
    ),
    predictions(
        "running numbers called score",
        _table(("id", "score"), list(zip(IDS, range(8), strict=True))),
        Refuses("running|counts?|numbers the rows"),
    ),
]

COLUMNS = [
    predictions(
        "two columns that may be the score",
        _table(("id", "prediction", "similarity"), [(*row, 5 - float(str(row[1]))) for row in _rows()]),
        Refuses("prediction", "similarity", "--predictions-column"),
    ),
    predictions("the gold beside the prediction", _table(("id", "gold", "prediction"), BOTH), RIGHT),
    predictions(
        "the gold beside the prediction, called score",
        _table(("id", "score", "prediction"), BOTH),
        Refuses("score", "prediction", "--predictions-column"),
    ),
    predictions(
        "the gold beside the prediction, called label",
        _table(("id", "label", "pred"), BOTH),
        RIGHT,
    ),
    predictions(
        "the texts beside the prediction",
        _table(("sentence1", "sentence2", "prediction"), list(zip(LEFTS, RIGHTS, PREDICTED, strict=True))),
        RIGHT,
    ),
    predictions(
        "the texts beside the prediction, in another order",
        _table(("sentence1", "sentence2", "prediction"), [(LEFTS[at], RIGHTS[at], PREDICTED[at]) for at in ORDER]),
        RIGHT,
    ),
    predictions(
        "the score under an unknown name",
        _table(("id", "sbert-v2")),
        RIGHT,
    ),
    predictions("two columns with one name", _table(("id", "score", "score"), BOTH), Refuses("score")),
    predictions("no score at all", _table(("id", "text"), list(zip(IDS, LEFTS, strict=True))), Refuses("score|number")),
    predictions(
        "a running number beside the score",
        _table(("no", "id", "score"), [(at, *row) for at, row in enumerate(_rows(), start=1)]),
        RIGHT,
    ),
]

COVERAGE = [
    predictions("too few", _plain(*PREDICTED[:7]), Refuses("7", "8")),
    predictions("too many", _plain(*PREDICTED, 1.0), Refuses("9", "8")),
    predictions("an item is missing", _table(rows=_rows()[:7]), Refuses("104|no prediction")),
    predictions("unknown ids", _table(rows=_rows([f"x{name}" for name in IDS])), Refuses("id|no prediction")),
    predictions(
        "one unknown id beside all",
        _table(rows=[*_rows(), ("999", 3.3)]),
        Reads(figures={"pearson": R}, says=("999",)),
    ),
    predictions("an id given twice", _table(rows=[*_rows(), ("101", 3.3)]), Refuses("line (5, )?10", "101")),
    predictions("ids as floats", _table(rows=_rows([f"{name}.0" for name in IDS])), RIGHT),
    predictions("ids with blanks", _table(rows=_rows([f" {name} " for name in IDS])), RIGHT),
    predictions(
        "ids with leading zeros",
        _table(rows=_rows([f"00{name}" for name in IDS])),
        RIGHT,
    ),
    predictions(
        "ids in capitals", _table(rows=_rows([name.upper() for name in NAMES])), Refuses("N1|n1|id"), ids=NAMES
    ),
    predictions(
        "ids as numbers in Parquet",
        raw("system.parquet", parquet_bytes(FRAME.with_columns(pl.col("id").cast(pl.Int64)))),
        RIGHT,
    ),
    predictions(
        "ids as floats in Parquet",
        raw("system.parquet", parquet_bytes(FRAME.with_columns(pl.col("id").cast(pl.Float64)))),
        RIGHT,
    ),
]

VALUES = [
    predictions(
        "a prediction of nan",
        _table(rows=_rows(scores=_changed("nan"))),
        Refuses("line 5|101"),
    ),
    predictions(
        "an empty prediction",
        _table(rows=_rows(scores=_changed(""))),
        Refuses("line 5|101"),
    ),
    predictions("an infinite prediction", _table(rows=_rows(scores=_changed("inf"))), Refuses("line 5|101")),
    predictions("a prediction of 1e400", _table(rows=_rows(scores=_changed("1e400"))), Refuses("line 5|101")),
    predictions("a prediction in words", _table(rows=_rows(scores=_changed("high"))), Refuses("line 5", "high")),
    predictions("percent", _plain(*(f"{score * 20:.0f}%" for score in PREDICTED)), Refuses("line 1|%")),
    predictions(
        "decimal commas",
        _table(rows=[(name, str(score).replace(".", ",")) for name, score in _rows()], separator=";"),
        Refuses("line 2", "--predictions-decimal"),
    ),
    predictions(
        "decimal commas, said",
        text("system.csv", csv_of([(name, str(score).replace(".", ",")) for name, score in _rows()], ("id", "score"))),
        RIGHT,
        predictions_decimal=",",
    ),
    predictions("one value for all", _plain(*[3.3] * 8), Reads(figures={}, says=("same",))),
    predictions("a NUL", raw("system.txt", b"3.6\n1.1\0\n" + b"1\n" * 6), Refuses("line 2")),
]

FILES = [
    *(
        predictions(f"Parquet cut off at byte {at}", raw("system.parquet", PARQUET[:at]), Refuses("Parquet"))
        for at in (4, 100, len(PARQUET) - 8, len(PARQUET) - 1)
    ),
    predictions(
        "Parquet without rows",
        raw("system.parquet", parquet_bytes(FRAME.clear())),
        Refuses("no rows|empty|0 predictions"),
    ),
    predictions(
        "lists in Parquet",
        raw("system.parquet", parquet_bytes(pl.DataFrame({"id": IDS, "score": [[1.0]] * 8}))),
        Refuses("row 1", "score"),
    ),
    predictions("an array of NumPy", raw("system.npy", npy_bytes(np.array(PREDICTED))), RIGHT),
    predictions("0 bytes", raw("system.txt", b""), Refuses("empty")),
    predictions("a header and no rows", text("system.csv", "id,score\n"), Refuses("no rows|empty|no prediction")),
    predictions(
        "a page that says 404",
        text("system.csv", "<!DOCTYPE html>\n<html><body>404</body></html>\n"),
        Refuses("HTML|web page"),
    ),
    predictions(
        "a picture",
        raw("system.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0"),
        Refuses("not |binary|cannot|picture|image"),
    ),
    predictions(
        "latin-1 texts beside scores",
        raw("system.csv", "id,text,score\n101,für,3\n".encode("latin-1")),
        Refuses("line 2", "--predictions-encoding"),
    ),
    predictions("no such file", lambda _: Path("sytsem.csv"), Refuses("no such file")),
    predictions("a folder", lambda where: ((where / "run").mkdir(), Path("run"))[1], Refuses("folder|directory")),
    predictions("a pipe without a writer", fifo("system.csv"), Refuses("pipe|FIFO|writ"), apart=True),
    predictions("the gold itself", lambda _: Path("gold.csv"), Reads(figures={"pearson": 1.0})),
]

MOVED = [
    predictions(
        "both texts under names of their own, in another order",
        _table(("query_text", "doc_text", "pred"), [(LEFTS[at], RIGHTS[at], PREDICTED[at]) for at in ORDER]),
        RIGHT,
    ),
    predictions(
        "one of the texts, in another order",
        _table(("input", "pred"), [(LEFTS[at], PREDICTED[at]) for at in ORDER]),
        Refuses("line 2", "other texts", "--predictions-column id="),
    ),
    predictions(
        "one of the texts, in the order of the items",
        _table(("input", "pred"), list(zip(LEFTS, PREDICTED, strict=True))),
        RIGHT,
    ),
    predictions(
        "gold beside the predictions, in another order and without ids",
        _table(("y_true", "y_pred"), [(SCORES[at], PREDICTED[at]) for at in ORDER]),
        Refuses("line 2", "'y_true'", "another order", "--predictions-column id="),
    ),
    predictions(
        "gold beside the predictions, in the order of the items",
        _table(("y_true", "y_pred"), list(zip(SCORES, PREDICTED, strict=True))),
        RIGHT,
    ),
]

PREDICTIONS = [*MOVED, *TABLES, *HEADERLESS, *COLUMNS, *COVERAGE, *VALUES, *FILES]
