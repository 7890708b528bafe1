"""What all formats of judgements do with names, repeats, codes, positions and bad rows."""

from __future__ import annotations

import json

import pytest

from similitude.data.reading.judgements import read_judgements
from similitude.data.writing.judgements import write_judgements
from similitude.errors import ArgumentError, InputError, ScaleError

# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spelling", ["ann ", " ann", "ann\u00a0", "ann\u200b", "\ufeffann", "an\u2060n"])
def test_stray_characters_make_no_other_person(make_file, spelling):
    judgements = read_judgements(make_file("l.csv", f"task,worker,label\nx,ann,4\ny,{spelling},2\n"))
    assert judgements.annotators == ["ann"]
    assert any("in the names of 1 annotator" in note for note in judgements.provenance.notes)


def test_unicode_forms_make_no_other_person_or_item(make_file):
    text = "task,worker,label\ncafe\u0301,Rene\u0301,4\ncaf\u00e9,Ren\u00e9,2\n"
    judgements = read_judgements(make_file("l.csv", text))
    assert (judgements.annotators, judgements.judged) == (["Ren\u00e9"], ["caf\u00e9"])
    assert judgements.frame["value"].to_list() == [2.0]  # one person, one item: the last answer counts


def test_names_of_tuples_are_tidy(make_file):
    rows = [{"items": ["x ", "y"], "best": "x", "worst": "y"}, {"items": ["x", "y"], "best": "x ", "worst": "y"}]
    judgements = read_judgements(make_file("b.jsonl", "".join(json.dumps(row) + "\n" for row in rows)))
    assert judgements.frame["question"].to_list() == ["x|y", "x|y"]


def test_names_that_differ_only_in_case_are_warned_about(make_file):
    judgements = read_judgements(make_file("l.csv", "task,worker,label\nx,ann,4\ny,Ann,2\n"))
    assert judgements.annotators == ["ann", "Ann"]
    warning = "annotators 'ann' and 'Ann' differ only in case; they are read as two annotators"
    assert judgements.provenance.warnings == (warning,)


# --- the last answer --------------------------------------------------------------------------------------------------


def test_the_last_answer_counts_and_all_are_kept(make_file, tmp_path):
    path = make_file("l.csv", "task,worker,label\nx,ann,4\nx,bob,1\ny,bob,1\nx,ann,2\nx,ann,3\n")
    judgements = read_judgements(path)
    assert judgements.frame.select("annotator", "value").rows() == [("bob", 1.0), ("bob", 1.0), ("ann", 3.0)]
    assert judgements.superseded is not None
    assert judgements.superseded["value"].to_list() == [4.0, 2.0]
    for suffix in ("csv", "jsonl"):
        again = read_judgements(write_judgements(judgements, tmp_path / f"again.{suffix}"))
        assert again.frame.equals(judgements.frame)
        assert again.superseded is not None
        assert again.superseded.equals(judgements.superseded)


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("2024-05-01T10:00:00Z", "2024-05-02T10:00:00Z"),
        ("2024-05-01 23:00:00+02:00", "2024-05-01 22:00:00+00:00"),
        ("01.05.2024 10:00", "02.05.2024 09:00"),
        ("1714554000", "1714640400"),
        ("Wed May 01 10:00:00 PDT 2024", "Wed May 01 10:00:01 PDT 2024"),
        ("05/01/2024 10:00", "05/13/2024 09:00"),
    ],
)
def test_the_last_answer_is_the_latest_by_time_stamp(make_file, early, late):
    text = f"task,worker,label,created_at\nx,ann,4,{late}\nx,ann,2,{early}\ny,ann,1,{early}\n"
    judgements = read_judgements(make_file("l.csv", text))
    assert judgements.frame.select("item", "value").rows() == [("x", 4.0), ("y", 1.0)]
    assert any("latest time stamp" in note for note in judgements.provenance.notes)
    assert judgements.provenance.readings[0].details["repeats"] == "last counts, by time stamp"
    by_place = read_judgements(make_file("l.csv", text), columns={"time": ""})
    assert by_place.frame.select("item", "value").rows() == [("x", 2.0), ("y", 1.0)]


def test_dates_that_can_be_read_in_two_ways_are_asked_about_if_that_decides(make_file):
    # March 2 before February 3, or February 3 before March 2.
    path = make_file("l.csv", "task,worker,label,created_at\nx,ann,4,02/03/2024\nx,ann,2,03/02/2024\n")
    with pytest.raises(InputError, match=r"l.csv: time stamps can be read in two ways.*--column time="):
        read_judgements(path)
    assert read_judgements(path, columns={"time": ""}).frame["value"].to_list() == [2.0]


def test_dates_that_can_be_read_in_two_ways_with_the_same_last_answer(make_file):
    text = "task,worker,label,created_at\nx,ann,4,02/05/2024 10:30\nx,ann,2,02/03/2024 10:30\n"
    judgements = read_judgements(make_file("l.csv", text))
    assert judgements.frame["value"].to_list() == [4.0]


# --- positions --------------------------------------------------------------------------------------------------------

TUPLES = "Item1,Item2,Item3,Best,Worst\n"


def test_positions_count_from_zero_if_there_is_a_zero(make_file):
    judgements = read_judgements(make_file("t.csv", f"{TUPLES}x,y,z,0,2\nx,y,w,1,0\n"))
    assert judgements.frame.select("best", "worst").rows() == [("x", "z"), ("y", "x")]
    assert judgements.provenance.readings[0].details["positions"] == "from 0"
    assert "t.csv: answers are read as positions in the tuple, 0 to 2" in judgements.provenance.notes


def test_positions_count_from_one_if_the_size_occurs(make_file):
    judgements = read_judgements(make_file("t.csv", f"{TUPLES}x,y,z,1,3\nx,y,w,2,1\n"))
    assert judgements.frame.select("best", "worst").rows() == [("x", "z"), ("y", "x")]
    assert judgements.provenance.readings[0].details["positions"] == "from 1"


def test_positions_that_do_not_tell_are_asked_about(make_file):
    path = make_file("t.csv", f"{TUPLES}x,y,z,1,2\nx,y,w,2,1\n")
    with pytest.raises(InputError, match=r"t.csv, line 2: .*--positions-from 0 or --positions-from 1"):
        read_judgements(path)
    assert read_judgements(path, positions_from=0).frame["best"].to_list() == ["y", "w"]
    assert read_judgements(path, positions_from=1).frame["best"].to_list() == ["x", "y"]
    with pytest.raises(ArgumentError, match=r"positions_from"):
        read_judgements(path, positions_from=2)


def test_positions_that_count_from_nowhere(make_file):
    path = make_file("t.csv", f"{TUPLES}x,y,z,0,2\nx,y,w,3,1\n")
    with pytest.raises(InputError, match=r"t.csv, line 2: there are positions 0 and 3 in tuples of 3.*--missing 0"):
        read_judgements(path)
    judgements = read_judgements(path, missing=["0"])
    assert judgements.frame.select("best", "worst").rows() == [("w", "x")]
    assert judgements.provenance.readings[0].missing == {"0": 1}


def test_answers_that_are_names_and_positions(make_file):
    path = make_file("t.csv", f"{TUPLES}2,1,3,1,2\n1,3,2,3,1\n")
    with pytest.raises(InputError, match=r"answer '1' may be an item's name or a position .*--answers-are names"):
        read_judgements(path)
    assert read_judgements(path, positions_from=1).frame["best"].to_list() == ["2", "2"]
    assert read_judgements(path, answers_are="positions").frame["best"].to_list() == ["2", "2"]
    assert read_judgements(path, answers_are="names").frame["best"].to_list() == ["1", "3"]
    agreeing = make_file("u.csv", f"{TUPLES}1,2,3,1,2\n1,2,3,3,1\n")
    assert read_judgements(agreeing).frame["best"].to_list() == ["1", "3"]


# --- codes and lists --------------------------------------------------------------------------------------------------


def test_a_code_among_ratings_is_asked_about(make_file):
    rows = "".join(f"i{at},ann,{value}\n" for at, value in enumerate([1, 2, 3, 4, 5, 99, 3, 2]))
    path = make_file("l.csv", f"task,worker,label\n{rows}")
    with pytest.raises(ScaleError, match=r"l.csv, line 7: rating 99 \(1 of 8\) .*--missing 99; if not: --scale 1..99"):
        read_judgements(path)
    judgements = read_judgements(path, missing=["99"])
    assert (len(judgements), str(judgements.scale)) == (7, "1..5")
    assert judgements.provenance.readings[0].missing == {"99": 1}
    assert str(read_judgements(path, scale="1..99").scale) == "1..99"


def test_places_of_a_list_are_no_people(make_file):
    rows = [{"id": at, "left": "a", "right": f"b{at}", "ratings": [1, 2, 5], "scale": "0..5"} for at in range(3)]
    path = make_file("b.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    unnamed = read_judgements(path)
    assert (unnamed.annotators, len(unnamed)) == ([], 9)
    assert unnamed.provenance.readings[0].details["people"] == "unnamed"
    people = read_judgements(path, positions_are_people=True)
    assert people.annotators == ["1", "2", "3"]
    assert people.provenance.readings[0].details["people"] == "positions"


# --- what was understood, and what was left out -----------------------------------------------------------------------


def test_the_reading_is_kept(make_file):
    judgements = read_judgements(make_file("l.csv", "task,worker,label,mood\nx,ann,4,good\ny,bob,2,bad\n"))
    (reading,) = judgements.provenance.readings
    assert (reading.file, reading.layout, reading.rows, reading.kept) == ("l.csv", "ratings-long", 2, 2)
    assert reading.columns == {"item": "task", "annotator": "worker", "value": "label"}
    assert reading.unused == ("mood",)
    assert (reading.details["people"], reading.details["repeats"]) == ("named", "last counts")


@pytest.mark.parametrize(
    ("name", "text", "wheres"),
    [
        ("l.csv", "task,worker,label\nx,ann,4\ny,bob,much\n,cem,3\n", ["l.csv, line 3", "l.csv, line 4"]),
        ("w.csv", "item,rater1,rater2\nx,4,much\ny,3,2\n", ["w.csv, line 2"]),
        ("b.csv", "Item1,Item2,Best,Worst\nx,y,x,y\nx,y,z,y\n", ["b.csv, line 3"]),
        ("p.csv", "a,b,winner\nx,y,x\nx,y,q\n", ["p.csv, line 3"]),
        ("n.jsonl", '{"item": "x", "value": 1}\n{"item": null, "value": 2}\n', ["n.jsonl, line 2"]),
        (
            "k.csv",
            "HITId,AssignmentId,WorkerId,Input.id,Answer.s\nH,A,W,p,4\nH,B,V,p,x\nH,C,U,p,3\n",
            ["k.csv, line 3"],
        ),
    ],
)
def test_every_row_that_is_skipped_is_listed(make_file, name, text, wheres):
    judgements = read_judgements(make_file(name, text), on_error="skip")
    assert [skipped.where for skipped in judgements.provenance.skipped] == wheres


# --- rows and files ---------------------------------------------------------------------------------------------------


def test_rows_are_chosen_by_a_value(make_file):
    path = make_file("l.csv", "task,worker,label,lang\nx,ann,1,de\nx,bob,2,de\ny,ann,3,en\n")
    chosen = read_judgements(path, where={"lang": "de"})
    assert chosen.frame["value"].to_list() == [1.0, 2.0]
    assert "l.csv: 2 of 3 rows have 'de' in column 'lang'; the others are left out" in chosen.provenance.notes
    assert read_judgements(path, where={"lang!": "de"}).frame["value"].to_list() == [3.0]
    with pytest.raises(InputError, match=r"l.csv: no row has 'fr' in column 'lang'; there are: de, en"):
        read_judgements(path, where={"lang": "fr"})
    with pytest.raises(InputError, match=r"l.csv: no column 'dialect' for --where"):
        read_judgements(path, where={"dialect": "fr"})


def test_a_slash_makes_a_group_only_where_the_format_says_so(make_file):
    rows = '{"id": "p", "left": "a", "right": "b", "ratings": [1, 2], "raters": ["x/1", "y/1"]}\n'
    judgements = read_judgements(make_file("own.jsonl", rows))
    assert judgements.annotators == ["x/1", "y/1"]
    assert judgements.frame["group"].null_count() == 2


def test_the_same_people_in_two_files_are_warned_about(make_file):
    one = make_file("a.csv", "task,worker,label\nx,ann,1\ny,ann,4\n")
    two = make_file("b.csv", "task,worker,label\nx,ann,3\ny,ann,4\ny,bob,2\n")
    judgements = read_judgements([one, two])
    assert [w for w in judgements.provenance.warnings if w.startswith("a.csv and b.csv: 1 question has two different")]
    assert judgements.matrix().values.tolist() == [[3.0, 4.0], [pytest.approx(float("nan"), nan_ok=True), 2.0]]
    copy = make_file("c.csv", one.read_text())
    with pytest.raises(InputError, match=r"c.csv: holds the same 2 answers as a.csv; give each file once"):
        read_judgements([one, copy])
