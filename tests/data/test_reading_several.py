"""Several files as one benchmark: splits from names, ids told apart, one scale."""

from __future__ import annotations

import json

import pytest

from similitude.data.reading import read
from similitude.errors import InputError, ScaleError

HEADER = "id,left,right,score\n"


@pytest.fixture
def three(make_file):
    return [
        make_file(f"pairs-{split}.csv", f"{HEADER}1,{split} a,b,5\n2,c,d,0\n") for split in ("train", "dev", "test")
    ]


def test_splits_come_from_names_and_ids_are_told_apart(three):
    benchmark = read(three)
    assert benchmark.splits == ["train", "dev", "test"]
    assert benchmark.items.ids == ["train/1", "train/2", "dev/1", "dev/2", "test/1", "test/2"]
    assert benchmark.provenance.files == ("pairs-train.csv", "pairs-dev.csv", "pairs-test.csv")
    assert any("files share ids" in note for note in benchmark.provenance.notes)


def test_ids_that_do_not_clash_stay(make_file):
    paths = [make_file("one.csv", HEADER + "1,a,b,5\n"), make_file("two.csv", HEADER + "2,a,b,5\n")]
    benchmark = read(paths)
    assert benchmark.items.ids == ["1", "2"]
    assert benchmark.splits == []


def test_files_of_one_name(make_file):
    paths = [make_file(f"{folder}/pairs.csv", HEADER + "1,a,b,5\n") for folder in ("x", "y")]
    assert read(paths).items.ids == ["pairs-1/1", "pairs-2/1"]


def test_a_single_file_keeps_its_silence_about_splits(three):
    assert read(three[0]).splits == []


def test_a_split_that_the_file_names_comes_first(make_file):
    path = make_file("train.csv", "left,right,split\na,b,dev\n")
    other = make_file("other.csv", "left,right\nc,d\n")
    assert read([path, other], split="test").frame["split"].to_list() == ["dev", "test"]


@pytest.mark.parametrize(
    ("name", "split"),
    [("sts-train.csv", "train"), ("TEST.csv", "test"), ("csts_validation.csv", "validation"), ("contest.csv", None)],
)
def test_which_names_name_a_split(make_file, name, split):
    benchmark = read([make_file(name, HEADER + "1,a,b,5\n"), make_file("x.csv", HEADER + "2,a,b,5\n")])
    assert benchmark.frame["split"].to_list() == [split, None]


def test_scales_of_formats_must_agree(make_file):
    sick = make_file("SICK.txt", "pair_ID\tsentence_A\tsentence_B\trelatedness_score\n1\ta\tb\t3\n")
    stsb = make_file("sts.csv", "main-news\tx\t2012\t1\t3.0\ta\tb\n")
    with pytest.raises(ScaleError, match=r"different scales: SICK.txt 1..5, sts.csv 0..5; .*--scale"):
        read([sick, stsb])
    benchmark = read([sick, stsb], scale="0..5")
    assert benchmark.provenance.format == "sick, stsb"


def test_inferred_scales_must_have_one_top(make_file):
    unit = make_file("unit.csv", HEADER + "1,a,b,0.5\n2,c,d,1\n")
    five = make_file("five.csv", HEADER + "3,a,b,4.5\n")
    with pytest.raises(ScaleError, match=r"seem to have different scales: unit.csv 0..1, five.csv 1..5"):
        read([unit, five])


def test_inferred_scales_may_differ_at_the_bottom(make_file):
    low = make_file("low.csv", HEADER + "1,a,b,0\n2,c,d,5\n")
    high = make_file("high.csv", HEADER + "3,a,b,4.5\n")
    assert str(read([low, high]).scale) == "0..5"


def test_a_file_without_scale_takes_that_of_the_others(make_file):
    said = make_file("said.csv", "left,right,score,scale\na,b,0.5,0..5\n")
    silent = make_file("silent.jsonl", '{"left": "a", "right": "b", "score": 0.5}\n')
    assert str(read([said, silent]).scale) == "0..5"


def test_problems_name_their_file(make_file):
    good = make_file("good.csv", HEADER + "1,a,b,5\n")
    bad = make_file("bad.csv", HEADER + "1,a,b,5\n2,,b,5\n")
    with pytest.raises(InputError, match=r"bad.csv, line 3: column 'left' is blank"):
        read([good, bad])
    skipped = read([good, bad], on_error="skip").provenance.skipped
    assert [each.where for each in skipped] == ["bad.csv, line 3"]


def test_judgements_follow_renamed_items(make_file):
    for name in ("x", "y"):
        make_file(f"{name}.csv", "id,left,right\n1,a,b\n2,c,d\n")
        answer = {"question": "q", "annotator": name, "items": ["1", "2"], "best": "1", "worst": "2"}
        make_file(f"{name}.judgements.jsonl", json.dumps(answer))
    folder = make_file("z", "").parent
    judgements = read([folder / "x.csv", folder / "y.csv"]).judgements
    assert judgements is not None
    assert judgements["items"].to_list() == [["x/1", "x/2"], ["y/1", "y/2"]]
    assert judgements["best"].to_list() == ["x/1", "y/1"]


def test_simulated_judgements_in_one_file_mark_the_whole(make_file):
    people = make_file("a.csv", "id,left,right,score,judged_by\n1,a,b,0,crowd\n")
    nobody = make_file("b.csv", "id,left,right,score,judged_by\n2,a,b,5,simulated annotators\n")
    benchmark = read([people, nobody], scale="0..5")
    assert benchmark.provenance.judged_by == "crowd; simulated annotators"
    assert benchmark.is_simulated
