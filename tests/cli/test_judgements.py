"""How the items of judgements are read, and what is kept of that."""

import gzip

import polars as pl
import pytest

from similitude.cli.judgements import gold_answers_from, verdicts_from
from similitude.cli.options import InputOptions, JudgementOptions
from similitude.errors import ArgumentError, InputError


@pytest.mark.parametrize(
    ("options", "flag"),
    [
        ({"scale": "0..5"}, "--items-scale says"),
        ({"on_error": "skip"}, "--items-on-error says"),
        ({"header": "no", "column": ("left=a",)}, "--items-column, --items-header say"),
    ],
)
def test_options_for_items_need_items(options, flag):
    with pytest.raises(ArgumentError, match=flag):
        JudgementOptions().benchmark(InputOptions(**options))
    assert JudgementOptions().benchmark(InputOptions()) is None


@pytest.mark.parametrize(
    ("reading", "which", "flags"),
    [
        ({"scale": "0..10"}, {}, "--scale"),
        ({"on_error": "skip"}, {"items": "items.csv"}, "--on-error, --items"),
        ({}, {"categories": "a,b"}, "--categories"),
    ],
)
def test_options_that_a_sample_ignores_are_refused(reading, which, flags):
    with pytest.raises(ArgumentError, match=f"a sample is no file, and {flags} would change nothing"):
        InputOptions(**reading).judgements(["sample:opinions"], JudgementOptions(**which))


def test_a_sample_is_read_as_it_is():
    assert len(InputOptions().judgements(["sample:opinions"], JudgementOptions(kind="rating"))) == 600


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
