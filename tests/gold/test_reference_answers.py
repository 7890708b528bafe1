"""Correct answers and experts' verdicts from files, frames and mappings."""

import gzip

import polars as pl
import pytest

from similitude.errors import ArgumentError, InputError
from similitude.gold.reliability.reference_answers import gold_answers_from, verdicts_from


@pytest.mark.parametrize("name", ["gold.csv", "gold.csv.gz", "gold.tsv", "gold.parquet", "gold.jsonl", "gold.json"])
def test_correct_answers_in_any_container(tmp_path, name):
    frame, path = pl.DataFrame({"Question": ["q1", "q2"], "Value": [3.0, 4.5]}), tmp_path / name
    rows = '{"question": "q1", "value": 3}\n{"question": "q2", "value": 4.5}'
    match path.suffix:
        case ".parquet":
            frame.write_parquet(path)
        case ".jsonl":
            path.write_text(rows)
        case ".json":
            path.write_text(f"[{rows.replace(chr(10), ',')}]")
        case ".gz":
            path.write_bytes(gzip.compress(frame.write_csv().encode()))
        case _:
            frame.write_csv(path, separator="\t" if path.suffix == ".tsv" else ",")
    assert gold_answers_from(path, "rating") == {"q1": 3.0, "q2": 4.5}


def test_bad_files_of_verdicts_are_refused_with_their_place(tmp_path):
    path = tmp_path / "verdicts.csv"
    path.write_text("item,verdict\na,yes\nb,no\na,no\n")
    with pytest.raises(InputError, match=r"verdicts.csv, line 4: 'a' has two answers, yes and no"):
        verdicts_from(path)
    path.write_text("thing,verdict\na,yes\n")
    with pytest.raises(InputError, match=r"verdicts.csv: no column 'item'; columns there: thing, verdict"):
        verdicts_from(path)
    with pytest.raises(InputError, match="no such file"):
        verdicts_from(tmp_path / "none.csv")


def test_tables_in_memory_and_mappings_are_taken():
    frame = pl.DataFrame({"question": ["q1", "q2"], "value": ["3", "4.5"]})
    for data in (frame, frame.to_dict(as_series=False), frame.to_dicts()):
        assert gold_answers_from(data, "rating") == {"q1": 3.0, "q2": 4.5}
    assert gold_answers_from({"q1": 3.0}, "rating") == {"q1": 3.0}
    assert gold_answers_from({"q1": ["a", "b"]}, "best-worst") == {"q1": ["a", "b"]}
    tuples = pl.DataFrame({"question": ["q1"], "best": ["a"], "worst": ["b"]})
    assert gold_answers_from(tuples, "best-worst") == {"q1": ("a", "b")}
    assert verdicts_from([{"item": 1, "verdict": "high"}]) == {"1": "high"}
    assert verdicts_from({"1": "low"}) == {"1": "low"}


def test_what_is_no_table_of_answers_is_refused():
    with pytest.raises(ArgumentError, match="a value of type int is no data"):
        gold_answers_from(5, "rating")
    with pytest.raises(InputError, match="the correct answer 'high' is not a number"):
        gold_answers_from([{"question": "q", "value": "high"}], "rating")


@pytest.mark.parametrize("question", ["question", "item", "id"])
@pytest.mark.parametrize("value", ["value", "score", "rating", "label"])
def test_names_of_columns_of_correct_answers(question, value):
    assert gold_answers_from([{question: "q1", value: 3}], "rating") == {"q1": 3.0}


@pytest.mark.parametrize("item", ["item", "id"])
@pytest.mark.parametrize("verdict", ["verdict", "expert", "label"])
def test_names_of_columns_of_verdicts(item, verdict):
    assert verdicts_from([{item: "a", verdict: "high"}]) == {"a": "high"}


def test_correct_categories_stay_words():
    assert gold_answers_from([{"question": "q1", "value": "3"}], "category") == {"q1": "3"}


def refused(data, kind="rating") -> str:
    with pytest.raises(InputError) as caught:
        gold_answers_from(data, kind)
    return str(caught.value)


def test_cells_that_are_empty_or_no_numbers_are_refused_with_their_place(tmp_path):
    path = tmp_path / "gold.csv"
    for rows in ("q1,3\nq2,\n", "q1,3\n,4\n"):
        path.write_text("question,value\n" + rows)
        assert refused(path) == "gold.csv, line 3: an empty cell; give each question its correct answer"
    path.write_text("question,best,worst\nq1,a,b\nq2,a,\n")
    assert refused(path, "best-worst") == "gold.csv, line 3: an empty cell; give each question its correct answer"
    for word in ("high", "inf"):
        path.write_text(f"question,value\nq1,{word}\n")
        assert refused(path) == f"gold.csv: the correct answer '{word}' is not a number; write question,value"


def test_rows_that_cannot_be_read_are_refused(tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text("question,value\nq1,3\nq2,4,5\n")
    assert refused(path).startswith("gold.csv, line 3: 3 fields, not 2")
    assert refused([{"question": "q1", "value": 3}, "q2"]).startswith("list, row 2: ")


def test_the_first_row_of_a_file_names_the_columns(tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text("question,value,7.5\nq1,3,1.5\nq2,4,2.5\n")
    assert gold_answers_from(path, "rating") == {"q1": 3.0, "q2": 4.0}
    path.write_text("item,7.5\n1,3\n2,4\n")
    with pytest.raises(InputError, match=r"no column 'verdict'; columns there: item, 7\.5"):
        verdicts_from(path)


def test_the_separator_is_the_one_that_gives_known_columns(tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text("who,which;verdict\na,b;high\nc,d;low\n")
    with pytest.raises(InputError, match="no column 'item'; columns there: who,which, verdict"):
        verdicts_from(path)
