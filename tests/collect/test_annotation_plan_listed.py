"""A study that lists the items of its second round: ids come in, and nothing else."""

from pathlib import Path

import polars as pl
import pytest

from similitude.collect.annotation.plan.reader import read_study
from similitude.errors import InputError

STUDY = """name = "listed"
task = "rating"
items = "items.csv"
[second_round]
judgements = 7
"""
RANKED = "rank,id,left,right,expected_mean,expected_sigma\n1,i2,l,r,2.5,1.4\n2,i0,l,r,2.1,0.9\n3,i2,l,r,2.5,1.4\n"


@pytest.fixture
def write(tmp_path: Path):
    def make(listed: str = 'items = "contentious.csv"\n', **files: str) -> Path:
        rows = "".join(f"i{number},left {number},right {number}\n" for number in range(3))
        texts = {
            "items.csv": f"id,left,right\n{rows}",
            "contentious.csv": RANKED,
            "study.toml": STUDY + listed,
            **files,
        }
        for name, text in texts.items():
            (tmp_path / name.replace("__", ".")).write_text(text)
        return tmp_path / "study.toml"

    return make


def test_only_ids_come_in_once_each_and_no_spread_decides(write):
    study = read_study(write())
    planned = study.plan.second_round
    assert planned is not None
    assert (planned.items, planned.spread, planned.judgements) == (("i2", "i0"), None, 7)
    assert "2 listed questions go to 7 more people" in study.notes
    stored = study.plan.model_dump_json()
    assert "1.4" not in stored
    assert "expected" not in stored
    assert not any("expected" in name for question in study.questions for item in question.items for name in item)


def test_a_spread_beside_the_list_still_decides(write):
    planned = read_study(write('spread = 0.5\nitems = "contentious.csv"\n')).plan.second_round
    assert (planned.items, planned.spread) == (("i2", "i0"), 0.5)


def test_json_lines_and_a_plain_list_do_as_well(write):
    lines = '{"id": "i1", "expected_sigma": 1.0}\n'
    assert read_study(write('items = "a.jsonl"\n', **{"a.jsonl": lines})).plan.second_round.items == ("i1",)
    assert read_study(write('items = ["i1", "i0"]\n')).plan.second_round.items == ("i1", "i0")


def test_any_table_with_ids_does(write, tmp_path):
    semicolons = "item_id;note\ni2;x\ni0;y\n"
    assert read_study(write('items = "a.csv"\n', **{"a.csv": semicolons})).plan.second_round.items == ("i2", "i0")
    path = write('items = "a.parquet"\n')
    pl.DataFrame({"id": ["i1"], "prediction": [0.5]}).write_parquet(tmp_path / "a.parquet")
    assert read_study(path).plan.second_round.items == ("i1",)


def test_without_a_list_the_spread_is_half_a_point_as_before(write):
    planned = read_study(write("")).plan.second_round
    assert (planned.spread, planned.items, planned.listed) == (0.5, None, frozenset())


def test_questions_of_a_design_are_found_by_their_item(write):
    design = '{"question": "q7", "items": ["i2"], "task": "rating"}\n'
    path = write('items = ["i2"]\n')
    text = path.read_text().replace("[second_round]", 'questions = "plan.jsonl"\n[second_round]')
    path.write_text(text)
    (path.parent / "plan.jsonl").write_text(design)
    assert read_study(path).plan.second_round.items == ("q7",)


@pytest.mark.parametrize(
    ("listed", "files", "told"),
    [
        ('items = "nowhere.csv"\n', {}, "nowhere.csv: no such file; name a table with a column id"),
        ('items = "a.csv"\n', {"a.csv": "name,left\ni1,x\n"}, "a.csv: no column 'id'"),
        ('items = "a.csv"\n', {"a.csv": "id,left\n,x\n"}, "a.csv: lists no item"),
        ('items = ["i1", "i9"]\n', {}, "item 'i9' is listed for the second round, but is not among the study's items"),
        ("items = 3\n", {}, "second_round"),
        ("item = 3\n", {}, "'second_round.item' is not a known key"),
    ],
)
def test_a_list_that_cannot_be_used_is_one_clear_line(write, listed, files, told):
    with pytest.raises(InputError) as error:
        read_study(write(listed, **files))
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_single_items_of_tuples_cannot_be_listed(write):
    path = write()
    path.write_text(path.read_text().replace('"rating"', '"best-worst"'))
    with pytest.raises(InputError, match="line 6: a best-worst question is about several items"):
        read_study(path)
