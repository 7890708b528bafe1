"""Predictions of others: every file is read as its author meant it, or refused with the option that decides."""

import gzip
import io
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from similitude.data.reading.predictions import open_predictions, read_predictions
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError

NAMED = ("p1", "p2", "p3", "p4", "p5", "p6")
FROM_1 = tuple(map(str, range(1, 7)))
FROM_0 = tuple(map(str, range(6)))
PADDED = ("001", "002", "003", "004", "005", "006")
SHUFFLED = ("3", "1", "2", "6", "5", "4")
SCORES = [0.5, 4.2, 3.1, 1.0, 2.25, 4.75]
BY_NUMBER = [3.1, 0.5, 4.2, 4.75, 2.25, 1.0]
"""SCORES for the ids 1 to 6, in the order of SHUFFLED."""
FIVE = Scale(low=0, high=5)


def rows(*columns, separator="\t", header=None):
    """Columns as separated text."""
    lines = [] if header is None else [header]
    return "\n".join(lines + [separator.join(map(str, row)) for row in zip(*columns, strict=True)]) + "\n"


def column(*values):
    """One value per line."""
    return "".join(f"{value}\n" for value in values)


def array(values, **archive):
    """The bytes of a NumPy file."""
    file = io.BytesIO()
    if archive:
        np.savez(file, **archive)
    else:
        np.save(file, values)
    return file.getvalue()


def frame(suffix, **columns):
    """The bytes of a Parquet or Arrow file."""
    file, table = io.BytesIO(), pl.DataFrame(columns)
    (table.write_parquet if suffix == ".parquet" else table.write_ipc)(file)
    return file.getvalue()


def json_lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


RECORDS = [{"id": name, "score": score} for name, score in zip(NAMED, SCORES, strict=True)]
REVERSED = SCORES[::-1]

READ = {
    # name: (suffix, content, ids, options)
    "one number per line": (".txt", column(*SCORES), NAMED, {}),
    "a number per line, no last line break": (".txt", column(*SCORES).strip(), NAMED, {}),
    "Windows line ends": (".txt", column(*SCORES).replace("\n", "\r\n"), NAMED, {}),
    "old Mac line ends": (".txt", column(*SCORES).replace("\n", "\r"), NAMED, {}),
    "a byte-order mark": (".txt", b"\xef\xbb\xbf" + column(*SCORES).encode(), NAMED, {}),
    "UTF-16": (".txt", column(*SCORES).encode("utf-16"), NAMED, {}),
    "numpy.savetxt": (".txt", column(*(f"{score:.18e}" for score in SCORES)), NAMED, {}),
    "spaces around numbers": (".txt", column(*(f"  {score} " for score in SCORES)), NAMED, {}),
    "a header alone": (".csv", "score\n" + column(*SCORES), NAMED, {}),
    "a header of our own system's name": (".csv", "bert-base\n" + column(*SCORES), NAMED, {}),
    "id tab score without header": (".tsv", rows(NAMED, SCORES), NAMED, {}),
    "id tab score, ids are numbers": (".tsv", rows(FROM_1, SCORES), FROM_1, {}),
    "id tab score, ids from 0": (".tsv", rows(FROM_0, SCORES), FROM_0, {}),
    "id tab score, in another order": (".tsv", rows(NAMED[::-1], REVERSED), NAMED, {}),
    "score tab id": (".tsv", rows(SCORES, NAMED), NAMED, {}),
    "id comma score without header": (".csv", rows(NAMED, SCORES, separator=","), NAMED, {}),
    "id semicolon score": (".csv", rows(NAMED, SCORES, separator=";"), NAMED, {}),
    "id space score": (".txt", rows(NAMED, SCORES, separator=" "), NAMED, {}),
    "id bar score": (".txt", rows(NAMED, SCORES, separator="|"), NAMED, {}),
    "ids padded with zeros in gold": (".tsv", rows(FROM_1, SCORES), PADDED, {}),
    "ids that pandas made floats": (".csv", rows(("1.0", "2.0", "3.0", "4.0", "5.0", "6.0"), SCORES, separator=",",
                                                  header="id,score"), FROM_1, {}),
    "ids with spaces around": (".csv", rows([f" {name} " for name in NAMED], SCORES, separator=",",
                                            header="id, score"), NAMED, {}),
    "id and score by name": (".csv", rows(NAMED, SCORES, separator=",", header="id,score"), NAMED, {}),
    "in capitals": (".csv", rows(NAMED, SCORES, separator=",", header="ID,Score"), NAMED, {}),
    "the ids under another name": (".csv", rows(NAMED, SCORES, separator=",", header="paar,score"), NAMED, {}),
    "the score under the system's name": (".csv", rows(NAMED, SCORES, separator=",", header="pair_ID,minilm"), NAMED,
                                          {}),
    "quoted": (".csv", rows([f'"{name}"' for name in NAMED], SCORES, separator=",", header='"id","score"'), NAMED, {}),
    "two systems, one chosen": (".csv", rows(NAMED, REVERSED, SCORES, separator=",", header="id,score,cosine"), NAMED,
                                {"columns": {"score": "cosine"}}),
    "gold beside": (".csv", rows(NAMED, REVERSED, SCORES, separator=",", header="id,gold,prediction"), NAMED, {}),
    "gold called label beside": (".csv", rows(NAMED, REVERSED, SCORES, separator=",", header="id,label,score"), NAMED,
                                 {}),
    "the submission format of SICK": (".txt", rows(NAMED, ["NEUTRAL"] * 6, SCORES,
                                                   header="pair_ID\tentailment_judgment\trelatedness_score"), NAMED,
                                      {}),
    "pandas' index": (".csv", rows(FROM_0, SCORES, separator=",", header=",score"), NAMED, {}),
    "pandas' index twice": (".csv", rows(FROM_0, FROM_0, SCORES, separator=",", header=",Unnamed: 0,score"), NAMED,
                            {}),
    "a Series of pandas": (".csv", rows(FROM_0, SCORES, separator=",", header=",0"), NAMED, {}),
    "an index that is the ids": (".csv", rows(FROM_0[::-1], REVERSED, separator=",", header="index,score"), FROM_0, {}),
    "an index from 0 beside ids": (".csv", rows(FROM_0, NAMED[::-1], REVERSED, separator=",", header="index,id,score"),
                                   NAMED, {}),
    "SemEval with confidence": (".txt", rows(SCORES, [100, 90, 80, 70, 95.5, 60]), NAMED, {}),
    "SemEval with the same confidence": (".txt", rows(SCORES, ["100"] * 6), NAMED, {}),
    "a column number named": (".tsv", rows(NAMED, REVERSED, SCORES), NAMED, {"columns": {"id": "1", "score": "3"}}),
    "only the score's number named": (".tsv", rows(NAMED, REVERSED, SCORES), NAMED, {"columns": {"score": "3"}}),
    "rows although there are ids": (".tsv", rows(NAMED[::-1], SCORES), NAMED,
                                    {"columns": {"id": "", "score": "2"}}),
    "decimal commas": (".txt", column(*(str(score).replace(".", ",") for score in SCORES)), NAMED, {"decimal": ","}),
    "decimal commas in a German CSV": (".csv", rows(NAMED, [str(score).replace(".", ",") for score in SCORES],
                                                    separator=";", header="id;score"), NAMED, {"decimal": ","}),
    "another separator, named": (".txt", rows(NAMED, SCORES, separator="||"), NAMED, {"separator": "||"}),
    "JSON lines": (".jsonl", json_lines(*RECORDS[::-1]), NAMED, {}),
    "JSON array": (".json", json.dumps(RECORDS[::-1]), NAMED, {}),
    "JSON columns": (".json", json.dumps({"id": NAMED, "score": SCORES}), NAMED, {}),
    "JSON under data": (".json", json.dumps({"data": RECORDS}), NAMED, {}),
    "JSON numbers": (".json", json.dumps(SCORES), NAMED, {}),
    "JSON scores by id": (".json", json.dumps(dict(zip(NAMED[::-1], REVERSED, strict=True)), indent=1), NAMED, {}),
    "JSON scores by id in one line": (".json", json.dumps(dict(zip(NAMED, SCORES, strict=True))), NAMED, {}),
    "JSON pairs": (".json", json.dumps(list(zip(NAMED[::-1], REVERSED, strict=True))), NAMED, {}),
    "JSON objects by id": (".json", json.dumps({name: {"score": score} for name, score in
                                                zip(NAMED[::-1], REVERSED, strict=True)}), NAMED, {}),
    "Parquet": (".parquet", frame(".parquet", id=NAMED[::-1], score=REVERSED), NAMED, {}),
    "Parquet with whole numbers as ids": (".parquet", frame(".parquet", id=[6, 5, 4, 3, 2, 1], score=REVERSED), FROM_1,
                                          {}),
    "Parquet with float ids": (".parquet", frame(".parquet", id=[6.0, 5.0, 4.0, 3.0, 2.0, 1.0], score=REVERSED), FROM_1,
                               {}),
    "Parquet with one column": (".parquet", frame(".parquet", similarity=SCORES), NAMED, {}),
    "Arrow": (".arrow", frame(".arrow", id=NAMED[::-1], score=REVERSED), NAMED, {}),
    "NumPy": (".npy", array(SCORES), NAMED, {}),
    "NumPy, float32 in a column": (".npy", array(np.array(SCORES, dtype=np.float64)[:, None]), NAMED, {}),
    "NumPy archive": (".npz", array(None, scores=SCORES), NAMED, {}),
    "NumPy archive with ids": (".npz", array(None, ids=np.array(NAMED[::-1]), scores=REVERSED), NAMED, {}),
    "JSON lines of numbers": (".jsonl", column(*SCORES), NAMED, {}),
    "JSON lines of pairs": (".jsonl", json_lines(*zip(NAMED[::-1], REVERSED, strict=True)), NAMED, {}),
    "JSON lines of an id and its score": (".jsonl", json_lines(*({name: score} for name, score in
                                                                 zip(NAMED[::-1], REVERSED, strict=True))), NAMED, {}),
    "JSON scores under a name": (".json", json.dumps({"model": "x", "predictions": SCORES}), NAMED, {}),
    "JSON scores by id under a name": (".json", json.dumps({"scores": dict(zip(NAMED[::-1], REVERSED, strict=True))}),
                                       NAMED, {}),
    "JSON of pandas with one column": (".json", json.dumps({"score": dict(zip(FROM_0, SCORES, strict=True))}), NAMED,
                                       {}),
    "JSON of pandas, split": (".json", json.dumps({"columns": ["id", "score"], "index": [0, 1, 2, 3, 4, 5],
                                                   "data": list(zip(NAMED, SCORES, strict=True))}), NAMED, {}),
    "JSON lists of one score by id": (".json", json.dumps({name: [score] for name, score in
                                                           zip(NAMED, SCORES, strict=True)}), NAMED, {}),
    "numbers in brackets": (".txt", column(*(f"[{score}]" for score in SCORES)), NAMED, {}),
    "columns aligned with blanks": (".txt", "".join(f"{name:<6}{score}\n" for name, score in
                                                    zip(NAMED, SCORES, strict=True)), NAMED, {}),
    "id colon score": (".txt", rows(NAMED, SCORES, separator=":"), NAMED, {}),
    "id double bar score": (".txt", rows(NAMED, SCORES, separator="||"), NAMED, {}),
    "a comma at the end of each line": (".csv", rows(SCORES, [""] * 6, separator=",", header="score,"), NAMED, {}),
    "a tab at the end of each line": (".txt", rows(SCORES, [""] * 6), NAMED, {}),
    "a line of comment first": (".txt", "# my system\n" + column(*SCORES), NAMED, {}),
    "ids composed in another way": (".tsv", rows([f"a\u0308{n}" for n in range(6)], SCORES),
                                    tuple(f"\u00e4{n}" for n in range(6)), {}),
    "ids as large numbers": (".tsv", rows([10**18 + n for n in range(6)], SCORES),
                             tuple(str(10**18 + n) for n in range(6)), {}),
    "ids with commas": (".csv", rows([f'"a,{n}"' for n in range(6)], SCORES, separator=","),
                        tuple(f"a,{n}" for n in range(6)), {}),
    "a row number that is not used": (".tsv", rows(FROM_1, SCORES), NAMED, {"columns": {"id": "", "score": "2"}}),
    "more predictions than items": (".csv", rows((*NAMED, "p7"), [*SCORES, 1], separator=",", header="id,score"), NAMED,
                                    {}),
    "sure that they count": (".txt", column(1, 2, 3, 4, 5, 6), NAMED, {"columns": {"score": "1"}}),
}  # fmt: skip


@pytest.mark.parametrize("case", READ)
def test_predictions_are_read_as_they_were_meant(case, tmp_path):
    suffix, content, ids, options = READ[case]
    path = tmp_path / f"predictions{suffix}"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    read = read_predictions(path, ids, range=FIVE, **options)
    expected = [1, 2, 3, 4, 5, 6] if case == "sure that they count" else SCORES
    assert read.scores.tolist() == expected
    assert read.provenance.readings[0].columns["score"]


def test_what_the_messages_offer_for_an_index_without_a_name_works(tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text(rows((3, 1, 2, 6, 5, 4), SCORES, separator=",", header=",score"))
    by_id = [SCORES[row] for row in (1, 2, 0, 5, 4, 3)]
    assert read_predictions(path, FROM_1, range=FIVE, columns={"id": "1"}).scores.tolist() == by_id
    assert read_predictions(path, FROM_1, range=FIVE, columns={"id": ""}).scores.tolist() == list(SCORES)


SAYS = {
    # name: (suffix, content, ids, options, parts of the message)
    "id tab score with other ids": (".tsv", rows((11, 14, 15, 17, 18, 21), SCORES), NAMED, {},
                                    ["two columns of numbers", "--predictions-column id=NUMBER"]),
    "a row number before the score": (".tsv", rows(FROM_1, SCORES), NAMED, {},
                                      ["column 1 counts the rows", "score=NUMBER", "id=NUMBER"]),
    "a row number from 0": (".tsv", rows(FROM_0, SCORES), FROM_1, {}, ["column 1 counts the rows"]),
    "a row number, items in another order": (".tsv", rows(FROM_1, SCORES), SHUFFLED, {},
                                             ["in another order", "--predictions-column id=NUMBER", "id= "]),
    "ids that are none of the items": (".tsv", rows([f"x{name}" for name in NAMED], SCORES), NAMED, {},
                                       ["no prediction for 6 of 6 items ('p1', 'p2', 'p3', ...)",
                                        "6 predictions have ids that no item has ('xp1' at line 1, ...)"]),
    "two systems without header": (".tsv", rows(SCORES, REVERSED), NAMED, {},
                                   ["two columns of numbers", "score=NUMBER"]),
    "a confidence in 0..1": (".tsv", rows(SCORES, [0.5, 0.9, 1, 1, 0.2, 0.3]), NAMED, {}, ["two columns of numbers"]),
    "decimal commas, not named": (".txt", column(*(str(s).replace(".", ",") for s in SCORES)), NAMED, {},
                                  ["decimal commas (--predictions-decimal ,)"]),
    "decimal commas below a header": (".csv", rows(NAMED, ["0,5"] * 6, separator=";", header="id;score"), NAMED, {},
                                      ["line 2: '0,5' in column 'score' is not a number", "--predictions-decimal ,"]),
    "three columns without header": (".tsv", rows(NAMED, SCORES, SCORES), NAMED, {}, ["3 columns without names"]),
    "a TREC run": (".txt", rows(NAMED, ["Q0"] * 6, NAMED, FROM_1, SCORES, ["x"] * 6, separator=" "), NAMED, {},
                   ["6 columns without names"]),
    "a running number": (".txt", column(*FROM_1), NAMED, {}, ["only count the rows (1 to 6)", "score=NUMBER"]),
    "a running number from 0 under a name": (".csv", "score\n" + column(*FROM_0), NAMED, {}, ["only count the rows"]),
    "two scores by name": (".csv", rows(NAMED, SCORES, REVERSED, separator=",", header="id,score,cosine"), NAMED, {},
                           ["2 columns may hold the predictions: score, cosine", "--predictions-column score=NAME"]),
    "gold called score beside a system": (".csv", rows(NAMED, SCORES, REVERSED, separator=",", header="id,score,bert"),
                                          NAMED, {}, ["may hold the predictions: score, bert"]),
    "two systems by name": (".csv", rows(NAMED, SCORES, REVERSED, separator=",", header="id,bert,gpt"), NAMED, {},
                            ["no column of scores by its name", "bert, gpt"]),
    "gold only": (".csv", rows(NAMED, SCORES, separator=",", header="id,gold"), NAMED, {},
                  ["no column of scores ('gold' is a name for gold)", "score=NAME"]),
    "ids of both texts": (".csv", rows((7, 5, 9, 1, 2, 4), FROM_0, SCORES, separator=",", header="id1,id2,score"),
                          NAMED, {}, ["id1, id2 are named like ids, and none holds those of the items", "id=NAME"]),
    "words only": (".csv", rows(NAMED, NAMED, separator=",", header="id,answer"), NAMED, {}, ["no column of scores"]),
    "an index out of order": (".csv", rows((3, 1, 0, 2, 5, 4), SCORES, separator=",", header="index,score"), NAMED, {},
                              ["column 'index' is out of order"]),
    "ids from 0 of a larger table": (".csv", rows(range(9), range(9), separator=",", header="id,score"), FROM_1, {},
                                     ["column 'id' counts from 0, and the ids of the items count from 1", "id=NAME"]),
    "an index of pandas out of order": (".csv", rows((3, 1, 0, 2, 5, 4), SCORES, separator=",", header=",score"), NAMED,
                                        {}, ["column '1' is out of order", "id=NAME, or --predictions-column id= if"]),
    "a name with a blank": (".csv", rows((3, 1, 0, 2, 5, 4), SCORES, separator=",", header="row number,score"), NAMED,
                            {}, ["column 'row number' is out of order", "id=NAME, or --predictions-column id= if"]),
    "an unknown column with the ids in another order": (
        ".csv", rows(SHUFFLED, SCORES, separator=",", header="platz,cosine"), FROM_1, {},
        ["column 'platz' holds the ids of the items in another order", "id=NAME"]),
    "missing, unknown and twice": (".csv", "id,score\np1,1\np2,2\nx,1\np1,3\np4,0\np5,1\n", NAMED, {},
                                   ["no prediction for 2 of 6 items ('p3', 'p6')",
                                    "more than one prediction has the id 'p1' (line 2, 5)",
                                    "1 prediction has an id that no item has ('x' at line 4)"]),
    "a blank id": (".csv", "id,score\np1,1\n,2\np3,1\np4,3\np5,0\np6,1\n", NAMED, {}, ["1 ids are blank (line 3)"]),
    "too few": (".txt", column(*SCORES[:4]), NAMED, {}, ["4 predictions for 6 items"]),
    "a blank line in between": (".txt", column(*SCORES[:2], "", *SCORES[3:]), NAMED, {},
                                ["5 predictions for 6 items (1 blank lines were not counted)"]),
    "pandas' header 0": (".csv", column("0", *SCORES), NAMED, {}, ["7 predictions for 6", "--predictions-header yes"]),
    "a percent sign": (".txt", column("85%", "20%", "3%", "4%", "50%", "60%"), NAMED, {}, ["'85%'", "instead of 85%"]),
    "thousands": (".csv", '"id","score"\n' + rows(NAMED, ['"1,234.5"'] * 6, separator=","), NAMED, {},
                  ["without a separator of thousands"]),
    "infinite": (".txt", column(*SCORES[:5], "inf"), NAMED, {}, ["line 6: inf in column '1' is not finite"]),
    "1e26": (".txt", column(*SCORES[:5], "1e26"), NAMED, {}, ["line 6: 1e+26", "too large for a score"]),
    "true and false": (".jsonl", json_lines(*({"id": name, "score": True} for name in NAMED)), NAMED, {},
                       ["'True' in column 'score' is not a number", "write 1 and 0"]),
    "N/A without --missing": (".txt", column(*SCORES[:5], "N/A"), NAMED, {}, ["'N/A'", "--predictions-missing"]),
    "a header in the middle": (".csv", "id,score\np1,1\np2,2\nid,score\np3,1\np4,2\np5,1\np6,0\n", NAMED, {},
                               ["line 4", "header"]),
    "NUL bytes": (".txt", b"0.5\n\x00\x00\n1\n2\n3\n4\n", NAMED, {}, ["line 2", "NUL"]),
    "empty": (".txt", "", NAMED, {}, ["empty"]),
    "only blanks": (".txt", " \n\n", NAMED, {}, ["empty"]),
    "a header and nothing below": (".csv", "id,score\n", NAMED, {}, ["no rows"]),
    "truncated Parquet": (".parquet", frame(".parquet", id=NAMED, score=SCORES)[:-20], NAMED, {}, ["not a valid"]),
    "truncated NumPy": (".npy", array(SCORES)[:-9], NAMED, {}, ["damaged or cut off"]),
    "NumPy objects": (".npy", array(np.array([{}], dtype=object)), NAMED, {}, ["Python objects"]),
    "NumPy with two columns": (".npy", array(np.ones((6, 2))), NAMED, {}, ["an array of 6 x 2", "one column"]),
    "NumPy truth values": (".npy", array(np.array([True] * 6)), NAMED, {}, ["an array of true and false"]),
    "arrays of different lengths": (".npz", array(None, scores=SCORES, ids=np.array(["a"])), NAMED, {},
                                    ["different lengths"]),
    "a JSON key twice": (".json", '{"p1": 1, "p2": 2, "p1": 3}', NAMED, {}, ["two entries are named 'p1'"]),
    "broken JSON": (".json", '{"p1": 1, "p2": ', NAMED, {}, ["JSON"]),
    "-1 for answers that were not understood": (".txt", column(*SCORES[:5], -1), NAMED, {},
                                                ["line 6: -1 in column '1' (1 times)", "--predictions-missing -1"]),
    "a class and its probability": (".csv", rows(NAMED, [1, 0] * 3, SCORES, separator=",",
                                                 header="id,prediction,probability"), NAMED, {},
                                    ["may hold the predictions: prediction, probability"]),
    "ids of something else": (".csv", rows((7, 5, 9, 1, 2, 4), SCORES, separator=",", header="question_id,score"),
                              NAMED, {}, ["no prediction for 6 of 6 items", "'question_id'"]),
    "decimal commas after ids": (".csv", rows(NAMED, ["0,5"] * 6, separator=";"), NAMED, {},
                                 ["line 1: '0,5' in column '2'", "--predictions-decimal ,"]),
    "a score and a word": (".tsv", rows(SCORES, ["yes", "no"] * 3), NAMED, {}, ["the other no ids of the items"]),
    "a word and a score": (".tsv", rows(["yes", "no"] * 3, SCORES), NAMED, {}, ["more than one prediction", "id= "]),
    "both columns are ids": (".tsv", rows(FROM_1, (2, 1, 4, 3, 6, 5)), FROM_1, {}, ["both columns hold ids"]),
    "a running number backwards": (".txt", column(6, 5, 4, 3, 2, 1), NAMED, {}, ["only count the rows (6 to 1)"]),
    "N/A first": (".txt", column("N/A", *SCORES[:5]), NAMED, {}, ["5 predictions for 6", "--predictions-header no"]),
    "another encoding": (".tsv", "ä\t1\nö\t2\n".encode("latin-1"), ("ä", "ö"), {}, ["--predictions-encoding"]),
    "two separators": (".txt", "p1\t1\np2,2\np3\t1\np4\t1\np5\t2\np6\t3\n", NAMED, {}, ["line 2: 1 field, not 2"]),
    "ids in other cases": (".csv", rows([n.upper() for n in NAMED], SCORES, separator=",", header="id,score"), NAMED,
                           {}, ["'P1' at line 2"]),
    "a column that is not there": (".csv", "id,score\np1,1\n", NAMED, {"columns": {"score": "cosine"}},
                                   ["no column 'cosine' (wanted for score); columns there: id, score"]),
    "a negative sigma": (".csv", rows(NAMED, SCORES, [-1] * 6, separator=",", header="id,score,sigma"), NAMED, {},
                         ["line 2: -1 in column 'sigma' is below 0"]),
    "a pickle": (".pkl", b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00", NAMED, {}, ["pickle"]),
    "a web page": (".csv", "<!DOCTYPE html>\n<html><body>404</body></html>\n", NAMED, {}, ["web page"]),
}  # fmt: skip


@pytest.mark.parametrize("case", SAYS)
def test_what_can_be_read_in_two_ways_or_not_at_all_is_refused(case, tmp_path):
    suffix, content, ids, options, parts = SAYS[case]
    path = tmp_path / f"predictions{suffix}"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        read_predictions(path, ids, range=FIVE, **options)
    said = str(caught.value)
    assert said.startswith(path.name)
    assert "\n" not in said
    for part in parts:
        assert part in said


def notes_of(tmp_path, content, ids=NAMED, **options):
    path = tmp_path / "p.csv"
    path.write_text(content)
    read = read_predictions(path, ids, **options).provenance
    return "\n".join((*read.notes, *read.warnings))


def test_what_was_decided_is_said(tmp_path):
    assert "no header: column 1 holds the ids" in notes_of(tmp_path, rows(NAMED, SCORES))
    assert "counts the rows and is not used" in notes_of(tmp_path, rows(FROM_0, SCORES, separator=",", header=",score"))
    assert "compared as numbers: '1' is '001'" in notes_of(tmp_path, rows(FROM_1, SCORES), PADDED)
    assert "in another order than the items" in notes_of(tmp_path, rows(NAMED[::-1], REVERSED))
    extra = rows((*NAMED, "p7", "p8"), [*SCORES, 1, 2], separator=",", header="id,score")
    assert "2 predictions have ids that no item has ('p7' at line 8, ...), and are not used" in notes_of(
        tmp_path, extra
    )
    two = rows(NAMED, SCORES, REVERSED, separator=",", header="id,prediction,gold")
    assert "columns not used: gold" in notes_of(tmp_path, two)
    confidence = rows(SCORES, [100] * 5 + [80])
    assert "column 2 is not used" in notes_of(tmp_path, confidence, range=FIVE)


def test_what_is_likely_wrong_is_warned_of(tmp_path):
    assert "all predictions are 3" in notes_of(tmp_path, column(*[3] * 6))
    blank = rows(NAMED, ["", "", *SCORES[2:]], separator=",", header="id,score")
    assert "2 of 6 predictions are missing (items 'p1', ...)" in notes_of(tmp_path, blank)
    assert "1 of 6 predictions lie off the range 0..5: they reach from 0.5 to 7" in notes_of(
        tmp_path, column(*SCORES[:5], 7), range=FIVE
    )
    unit = column(*np.linspace(0, 1, 12))
    ids = [f"q{n}" for n in range(12)]
    assert "all predictions lie in 0..1" in notes_of(tmp_path, unit, ids, range=FIVE)
    assert "0..1" not in notes_of(tmp_path, unit, ids, range=Scale(low=0, high=1))


def test_codes_for_missing_predictions_are_counted(tmp_path):
    path = tmp_path / "p.txt"
    path.write_text(column(*SCORES[:4], "-99", "-99"))
    read = read_predictions(path, NAMED, missing=["-99"])
    np.testing.assert_array_equal(read.scores, [*SCORES[:4], np.nan, np.nan])
    assert read.provenance.readings[0].missing == {"-99": 2}


def test_the_reading_is_kept(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text(rows(NAMED, SCORES, [0.1] * 6, SCORES, separator=",", header="pair_id,prediction,sd,gold"))
    reading = read_predictions(path, NAMED).provenance.readings[0]
    assert reading.columns == {"id": "pair_id", "score": "prediction", "sigma": "sd"}
    assert reading.unused == ("gold",)
    assert (reading.rows, reading.kept, reading.details["matched"]) == (6, 6, "by id")


@pytest.mark.parametrize(
    "value",
    [
        SCORES,
        np.array(SCORES),
        np.array(SCORES)[:, None],
        dict(zip(NAMED[::-1], REVERSED, strict=True)),
        RECORDS[::-1],
        {"id": list(NAMED), "score": SCORES},
        pl.DataFrame({"id": NAMED[::-1], "score": REVERSED}),
        pl.Series(SCORES),
        list(zip(NAMED[::-1], REVERSED, strict=True)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_objects_pass_the_same_checks_as_files(value):
    assert read_predictions(value, NAMED).scores.tolist() == SCORES


def test_objects_of_pandas():
    pandas = pytest.importorskip("pandas")
    by_id = pandas.Series(REVERSED, index=NAMED[::-1])
    assert read_predictions(by_id, NAMED).scores.tolist() == SCORES
    assert read_predictions(pandas.Series(SCORES), NAMED).scores.tolist() == SCORES
    table = pandas.DataFrame({"id": NAMED[::-1], "score": REVERSED})
    assert read_predictions(table, NAMED).scores.tolist() == SCORES
    indexed = pandas.DataFrame({"score": REVERSED}, index=NAMED[::-1])
    assert read_predictions(indexed, NAMED).scores.tolist() == SCORES
    moved = pandas.DataFrame({"score": SCORES}, index=[3, 1, 0, 2, 5, 4])
    with pytest.raises(InputError, match="column 'index' is out of order"):
        read_predictions(moved, NAMED)
    lacking = pandas.DataFrame({"id": NAMED, "score": pandas.array([*SCORES[:5], None], dtype="Float64")})
    assert np.isnan(read_predictions(lacking, NAMED).scores).tolist() == [False] * 5 + [True]


def test_a_masked_score_is_missing():
    masked = np.ma.array(SCORES, mask=[0, 0, 0, 0, 0, 1])
    assert np.isnan(read_predictions(masked, NAMED).scores).tolist() == [False] * 5 + [True]


@pytest.mark.parametrize(
    ("value", "part"),
    [
        (list(range(6)), "only count the rows"),
        (np.ones((6, 2)), "an array of 6 x 2"),
        ([True] * 6, "is not a number"),
        (SCORES[:3], "3 predictions for 6 items"),
        ([], "there are no predictions"),
        ({"p1": 1.0}, "no prediction for 5 of 6 items"),
    ],
)
def test_objects_that_are_refused(value, part):
    with pytest.raises(InputError, match=part):
        read_predictions(value, NAMED)


def test_an_unknown_column_of_ours_is_refused(tmp_path):
    with pytest.raises(ArgumentError, match="'left' is not a column of predictions"):
        read_predictions(SCORES, NAMED, columns={"left": "x"})


TEXTS = [(f"left {name}", f"right  {name}") for name in NAMED]


def with_texts(texts, scores, header="sentence1,sentence2,cosine"):
    lefts, rights = zip(*texts, strict=True)
    return rows(lefts, rights, scores, separator=",", header=header)


def test_rows_without_ids_are_matched_by_their_texts(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text(with_texts(TEXTS[::-1], REVERSED))
    read = open_predictions(path).for_items(NAMED, texts=TEXTS)
    assert read.scores.tolist() == SCORES
    assert any("matched by their texts" in note for note in read.provenance.notes)
    reading = read.provenance.readings[0]
    assert (reading.details["matched"], reading.unused) == ("by texts", ())
    assert reading.columns == {"left": "sentence1", "right": "sentence2", "score": "cosine"}
    path.write_text(with_texts(TEXTS, SCORES))
    assert open_predictions(path).for_items(NAMED, texts=TEXTS).scores.tolist() == SCORES


def test_a_pair_under_two_conditions_is_matched_by_its_condition_too(tmp_path):
    pairs = [("a cat", "a dog"), ("a cat", "a dog"), ("a car", "a bus"), ("a car", "a bus")]
    items = [(*pair, condition) for pair, condition in zip(pairs, ["size", "colour"] * 2, strict=True)]
    path = tmp_path / "p.csv"
    swapped = [items[1], items[0], items[3], items[2]]  # sorted by condition: the pairs stay where they are
    header = "sentence1,sentence2,condition,cosine"
    path.write_text(rows(*zip(*swapped, strict=True), SCORES[:4], separator=",", header=header))
    read = open_predictions(path).for_items(NAMED[:4], texts=items)
    assert read.scores.tolist() == [SCORES[1], SCORES[0], SCORES[3], SCORES[2]]
    path.write_text(with_texts(pairs, SCORES[:4]))
    assert open_predictions(path).for_items(NAMED[:4], texts=items).scores.tolist() == SCORES[:4]
    others = [*swapped[:3], ("a car", "a bus", "length")]
    path.write_text(rows(*zip(*others, strict=True), SCORES[:4], separator=",", header=header))
    with pytest.raises(InputError, match="other texts than item"):
        open_predictions(path).for_items(NAMED[:4], texts=items)


def test_a_remedy_that_is_followed_decides(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text(rows((3, 1, 0, 2, 5, 4), SCORES, separator=",", header=",score"))
    with pytest.raises(
        InputError, match=r"column id=NAME, or --predictions-column id= if the rows come in the order of the items$"
    ):
        read_predictions(path, NAMED)
    by_place = read_predictions(path, list("012345"), columns={"id": "1"})
    assert by_place.scores.tolist() == [SCORES[row] for row in (2, 1, 3, 0, 5, 4)]
    assert read_predictions(path, NAMED, columns={"id": ""}).provenance.readings[0].unused == ("1",)
    path.write_text(rows(NAMED, SCORES, REVERSED, separator=",", header="id,Cosine Similarity,cos"))
    with pytest.raises(InputError, match=r"columns there: id, Cosine Similarity, cos; name .* score=NAME"):
        read_predictions(path, NAMED)
    path.write_text(rows(NAMED[:4], SCORES[:4], separator=",", header="id,score"))
    with pytest.raises(InputError, match=r"with the ids of the gold file$"):  # four rows cannot be matched in order
        read_predictions(path, NAMED)


def test_rows_with_other_texts_are_refused(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text(with_texts([*TEXTS[:3], ("other", "text"), *TEXTS[4:]], SCORES))
    with pytest.raises(InputError, match="line 5: the row holds other texts than item 'p4'"):
        open_predictions(path).for_items(NAMED, texts=TEXTS)
    by_row = open_predictions(path, columns={"id": ""}).for_items(NAMED, texts=TEXTS)
    assert by_row.scores.tolist() == SCORES
    path.write_text(with_texts([TEXTS[1], TEXTS[0], TEXTS[0], *TEXTS[3:]], SCORES))
    with pytest.raises(InputError, match="line 2: the row holds other texts"):
        open_predictions(path).for_items(NAMED, texts=TEXTS)


def test_packed_files_and_workbooks(tmp_path):
    path = tmp_path / "p.tsv.gz"
    path.write_bytes(gzip.compress(rows(NAMED, SCORES).encode()))
    assert read_predictions(path, NAMED).scores.tolist() == SCORES


def test_a_folder_and_a_file_that_is_not_there(tmp_path):
    for path in (tmp_path, tmp_path / "nowhere.csv", Path("/dev/null")):
        with pytest.raises(InputError) as caught:
            read_predictions(path, NAMED)
        assert "\n" not in str(caught.value)
