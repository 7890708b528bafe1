"""ratings-long and ratings-wide: tables of ratings as people keep them."""

from __future__ import annotations

import pytest

from similitude.data.judgements import Judgements
from similitude.data.reading.judgements import read_judgements
from similitude.errors import ArgumentError, ColumnError, InputError, ScaleError


def answers(judgements: Judgements) -> list[tuple[str, str, float]]:
    return judgements.frame.select("item", "annotator", "value").rows()


# --- long -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "task,worker,label\nx,ann,4\ny,bob,2.5\n",
        "task\tworker\tlabel\nx\tann\t4\ny\tbob\t2.5\n",
        "unit;rater;rating\nx;ann;4\ny;bob;2.5\n",
        "Item ID,Annotator,Score\nx,ann,4\ny,bob,2.5\n",
        "question,user,value\nx,ann,4\ny,bob,2.5\n",
        "id,user_id,similarity\nx,ann,4\ny,bob,2.5\n",
        '{"task": "x", "worker": "ann", "label": 4}\n{"task": "y", "worker": "bob", "label": "2.5"}\n',
    ],
)
def test_names_of_columns_and_separators(make_file, text):
    judgements = read_judgements(make_file("long.csv", text))
    assert answers(judgements) == [("x", "ann", 4.0), ("y", "bob", 2.5)]
    assert judgements.provenance.format == "ratings-long"


def test_round_seconds_group_and_question(make_file):
    text = "item,question,annotator,value,round,seconds,group\nx,q9,ann,4,second,1.5,students\n"
    assert read_judgements(make_file("long.csv", text)).frame.row(0, named=True) == {
        "question": "q9",
        "annotator": "ann",
        "round": "second",
        "seconds": 1.5,
        "item": "x",
        "value": 4.0,
        "applies": None,
        "group": "students",
    }


def test_texts_stand_for_items_that_have_no_id(make_file):
    text = "sentence1,sentence2,annotator,rating\na,b,ann,4\na,b,bob,3\nc,d,ann,1\n"
    judgements = read_judgements(make_file("long.csv", text))
    assert judgements.items is not None
    assert judgements.items.select("left", "right").rows() == [("a", "b"), ("c", "d")]
    assert judgements.frame["item"].to_list() == [judgements.items["id"][at] for at in (0, 0, 1)]


def test_an_id_that_stands_for_two_pairs_of_texts_is_refused(make_file):
    path = make_file("long.csv", "id,left,right,rater,rating\n1,a,b,x,1\n1,a,c,y,2\n2,d,e,x,3\n")
    with pytest.raises(InputError, match=r"item '1' has several texts: 'b' and 'c' .*--column item="):
        read_judgements(path)
    judgements = read_judgements(path, columns={"item": ""})
    assert judgements.items is not None
    assert judgements.items["right"].to_list() == ["b", "c", "e"]


def test_either_text_may_stand_left(make_file):
    text = "id,left,right,rater,rating\n1,a,b,x,1\n1,b,a,y,2\n"
    assert len(read_judgements(make_file("long.csv", text)).judged) == 1


def test_one_pair_under_two_conditions_is_two_items(make_file):
    text = "left,right,condition,rater,rating\na,b,colour,x,1\na,b,form,x,2\na,b,form,y,3\n"
    judgements = read_judgements(make_file("long.csv", text))
    assert judgements.items is not None
    assert judgements.items["condition"].to_list() == ["colour", "form"]
    assert len(judgements) == 3


def test_columns_that_are_not_used_are_said(make_file):
    notes = read_judgements(make_file("long.csv", "task,worker,label,mood\nx,ann,4,good\n")).provenance.notes
    assert "columns matched: item=task, value=label, annotator=worker" in notes
    assert "columns not used: mood" in notes


def test_labels_that_are_no_numbers(make_file):
    path = make_file("long.csv", "task,worker,label\nx,ann,4\ny,bob,similar\n")
    with pytest.raises(InputError, match=r"long.csv, line 3: 'similar' in column 'label' is not a number; a rating is"):
        read_judgements(path)
    assert len(read_judgements(path, on_error="skip")) == 1


def test_blank_ratings_and_blank_raters(make_file):
    with pytest.raises(InputError, match=r"line 3: there is no rating"):
        read_judgements(make_file("a.csv", "task,worker,label\nx,ann,4\ny,bob,\n"))
    with pytest.raises(InputError, match=r"line 3: the annotator is blank; name the annotator in every row"):
        read_judgements(make_file("b.csv", "task,worker,label\nx,ann,4\ny,,3\n"))
    unnamed = read_judgements(make_file("c.csv", "task,worker,label\nx,,4\nx,,4\n"))
    assert len(unnamed) == 2


def test_off_the_scale(make_file):
    path = make_file("long.csv", "task,worker,label\nx,ann,4\ny,bob,6\n")
    with pytest.raises(ScaleError, match=r"line 3: rating 6 is off the scale 0..5"):
        read_judgements(path, scale="0..5")
    assert str(read_judgements(path).scale) == "1..7"


def test_missing_columns_and_short_rows(make_file):
    with pytest.raises(ColumnError, match=r"long.csv: no column for value.*--column value=NAME"):
        read_judgements(make_file("long.csv", "task,worker\nx,ann\n"), format="ratings-long")
    with pytest.raises(ColumnError, match=r"no column for item.*--column item=NAME"):
        read_judgements(make_file("long.csv", "worker,label\nann,3\n"), format="ratings-long")
    with pytest.raises(InputError, match=r"long.csv, line 3: 2 fields, not 3"):
        read_judgements(make_file("long.csv", "task,worker,label\nx,ann,4\ny,bob\n"))


def test_without_annotators_where_the_format_is_named(make_file):
    judgements = read_judgements(make_file("long.csv", "id,rating\nx,4\nx,4\n"), format="ratings-long")
    assert answers(judgements) == [("x", None, 4.0), ("x", None, 4.0)]


# --- wide -------------------------------------------------------------------------------------------------------------

TWO_BY_THREE = [(item, f"rater{at}", value) for item, at, value in
                [("x", 1, 4.0), ("x", 3, 2.0), ("y", 1, 1.0), ("y", 2, 2.0), ("y", 3, 3.0)]]  # fmt: skip


def test_one_row_an_item(make_file):
    judgements = read_judgements(make_file("wide.csv", "id,rater1,rater2,rater3\nx,4,,2\ny,1,2,3\n"))
    assert answers(judgements) == TWO_BY_THREE
    assert judgements.provenance.notes[0] == (
        "wide.csv: read as one row for each item and one column for each rater, since columns are named like "
        "raters; columns: rater1, rater2, rater3"
    )
    assert "wide.csv: 1 cell holds no rating" in judgements.provenance.notes


def test_one_row_a_rater(make_file):
    path = make_file("wide.csv", "rater,x,y\nrater1,4,1\nrater2,*,2\nrater3,2,3\n")
    judgements = read_judgements(path, columns={"units": "x,y"})
    assert sorted(answers(judgements)) == TWO_BY_THREE
    assert "one row for each rater and one column for each item" in judgements.provenance.notes[0]


def test_the_user_can_say_which_columns_are_raters_or_units(make_file):
    path = make_file("wide.csv", "id,a,b,age\nx,1,2,30\ny,3,4,40\n")
    assert read_judgements(path, columns={"raters": "a,age"}).annotators == ["a", "age"]
    by_units = read_judgements(path, columns={"units": "a,b", "annotator": "id"})
    assert answers(by_units) == [("a", "x", 1.0), ("b", "x", 2.0), ("a", "y", 3.0), ("b", "y", 4.0)]
    assert read_judgements(path, columns={"raters": "*", "item": "id"}).annotators == ["a", "b", "age"]
    for both in ({"raters": "a", "units": "b"}, {"raters": "a,b", "annotator": "id"}, {"units": "a,b", "item": "id"}):
        with pytest.raises(ArgumentError, match="do not go together"):
            read_judgements(path, columns=both)


def test_texts_in_a_wide_table(make_file):
    text = "sentence1,sentence2,rater1,rater2,mean\nl,r,1,2,1.5\nm,s,3,4,3.5\n"
    judgements = read_judgements(make_file("wide.csv", text))
    assert judgements.items is not None
    assert judgements.items.select("left", "right").rows() == [("l", "r"), ("m", "s")]
    assert judgements.annotators == ["rater1", "rater2"]
    assert len(judgements) == 4


def test_a_cell_that_is_no_number(make_file):
    path = make_file("wide.csv", "id,a,b\nx,1,much\ny,3,4\n")
    with pytest.raises(InputError, match=r"wide.csv, line 2: 'much' in column 'b' is not a number"):
        read_judgements(path, columns={"raters": "a,b"})
    judgements = read_judgements(path, columns={"raters": "a,b"}, on_error="skip")
    assert answers(judgements) == [("x", "a", 1.0), ("y", "a", 3.0), ("y", "b", 4.0)]


def test_every_bad_cell_of_a_row_is_counted(make_file):
    path = make_file("wide.csv", "id,a,b,c\nx,1,9,9\ny,3,4,5\n")
    judgements = read_judgements(path, scale="0..5", columns={"raters": "a,b,c"}, on_error="skip")
    assert len(judgements) == 4
    assert [skipped.where for skipped in judgements.provenance.skipped] == ["wide.csv, line 2"] * 2


def test_one_rater_is_no_matrix(make_file):
    with pytest.raises(ColumnError, match=r"one column is named like raters.*--column raters=A,B,C"):
        read_judgements(make_file("wide.csv", "id,note,rater1\nx,fine,1\ny,bad,2\n"), format="ratings-wide")
