"""``data show`` begins with what was understood, for benchmarks and judgements, from files, pipes and packed files."""

import gzip
import json
import subprocess
import sys

import pytest
from small_workbook import small_workbook

PAIRS = "idx;sentence1;sentence2;label\n7;a cat;one cat;4,5\n8;tea;hot tea;99\n9;rain;sun;1,25\n"
ANSWERS = "item,annotator,rating\na,x,1\na,y ,2\nb,x,4\nb,y,5\nb,x,3\n"


def test_the_reading_of_a_benchmark_comes_first(similitude, tmp_path):
    (tmp_path / "pairs.csv").write_text(PAIRS)
    shown = similitude("data", "show", "pairs.csv", "--decimal", ",", "--missing", "99").stdout
    for line in (
        "file         pairs.csv, read as csv",
        "stored as    separated text, separator: semicolon ",
        "columns      id = idx, left = sentence1, right = sentence2, score = label",
        "missing      99 (once)",
        "scale        1..5 (guessed from the scores; --scale decides)",
    ):
        assert line in shown


def test_json_holds_the_whole_reading(similitude, tmp_path):
    (tmp_path / "pairs.csv").write_text(PAIRS)
    shown = similitude("data", "show", "pairs.csv", "--decimal", ",", "--missing", "99", "--json").stdout
    (reading,) = json.loads(shown)["readings"]
    assert reading["columns"] == {"id": "idx", "left": "sentence1", "right": "sentence2", "score": "label"}
    assert (reading["rows"], reading["kept"], reading["missing"]) == (3, 3, {"99": 1})
    assert reading["details"]["separator"] == ";"


def test_judgements_are_shown_as_judgements(similitude, tmp_path):
    (tmp_path / "answers.csv").write_text(ANSWERS)
    shown = similitude("data", "show", "answers.csv").stdout
    assert "people       2 annotators" in shown or "people      2 annotators" in shown
    assert "1 earlier answers are kept and do not count" in shown
    record = json.loads(similitude("data", "show", "answers.csv", "--json").stdout)
    assert (record["kind"], record["annotators"], record["superseded"]) == ("rating", 2, 1)


def test_answers_of_people_are_no_benchmark(similitude, tmp_path):
    (tmp_path / "answers.csv").write_text("left,right,worker_id,rating\na,b,x,1\na,b,y,2\n")
    refused = similitude("data", "show", "answers.csv", "--as", "benchmark")
    assert refused.returncode == 2
    assert "2 rows about 1 pairs of texts, with a column 'worker_id': answers of people" in refused.stderr


def test_packed_files_and_standard_input_are_read_like_plain_files(similitude, tmp_path):
    (tmp_path / "pairs.csv.gz").write_bytes(gzip.compress(PAIRS.encode()))
    flags = ("--decimal", ",", "--missing", "99")
    assert "3 items" in similitude("data", "show", "pairs.csv.gz", *flags).stdout
    call = [sys.executable, "-m", "similitude", "data", "show", "-", *flags]
    piped = subprocess.run(call, input=PAIRS, capture_output=True, text=True)
    assert "standard-input, read as csv" in piped.stdout, piped.stderr


def test_warnings_are_loud(similitude, tmp_path):
    (tmp_path / "pairs.csv").write_text("left,right,score\na,b,3\nc,d,3\ne,f,3\n")
    assert "warning: pairs.csv: all 3 scores are 3" in similitude("data", "show", "pairs.csv").stderr


@pytest.mark.parametrize("header", [["left", "right", "score"], ["item", "rater1", "rater2"]])
@pytest.mark.parametrize("command", [["data", "show"], ["reliability"], ["gold", "--out", "gold.jsonl"]])
def test_a_column_without_a_name_before_a_second_table_is_no_traceback(similitude, tmp_path, header, command):
    rows = [["a b", "1", "1", "", "0", "no"], ["x y", "2", "5", "", "5", "same"], ["d e", "3", "0"]]
    sheet = small_workbook({"pairs": [[*header, "", "label", "meaning"], *rows]})
    (tmp_path / "pairs.xlsx").write_bytes(sheet)
    shown = similitude(*command, "pairs.xlsx")
    assert shown.returncode in (0, 2)
    assert "Traceback" not in shown.stderr
    assert shown.returncode == 0 or shown.stderr.startswith("error: pairs.xlsx: ")
