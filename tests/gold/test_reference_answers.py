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
