"""pairs: comparisons of two items as best-worst answers about tuples of two."""

from __future__ import annotations

import pytest

from similitude.data.reading.judgements import read_judgements, recognise_judgements
from similitude.errors import ColumnError, InputError

X_WINS = (["x", "y"], "x", "y")
Z_WINS = (["y", "z"], "z", "y")


@pytest.mark.parametrize(
    "text",
    [
        "a,b,winner\nx,y,A\ny,z,B\n",
        "a,b,winner\nx,y,a\ny,z,b\n",
        "left_id,right_id,preferred\nx,y,x\ny,z,z\n",
        "left_id,right_id,preferred\nx,y,left\ny,z,right\n",
        "item_a,item_b,choice\nx,y,1\ny,z,2\n",
        "item_a,item_b,choice\nx,y,item_a\ny,z,item_b\n",
        "item1,item2,choice\nx,y,0\ny,z,1\n",
        "first,second,vote\nx,y,first\ny,z,second\n",
        "model_a,model_b,winner\nx,y,model_a\ny,z,model_b\n",
    ],
)
def test_layouts_of_two_items_and_a_choice(make_file, text):
    path = make_file("p.csv", text)
    assert recognise_judgements(path) == "pairs"
    assert read_judgements(path).frame.select("items", "best", "worst").rows() == [X_WINS, Z_WINS]


@pytest.mark.parametrize("header", ["winner,loser", "chosen,rejected", "better,worse", "preferred,rejected"])
def test_layouts_of_a_winner_and_a_loser(make_file, header):
    judgements = read_judgements(make_file("p.csv", f"{header}\nx,y\nz,y\n"))
    assert judgements.frame.select("best", "worst").rows() == [("x", "y"), ("z", "y")]
    assert judgements.kind == "best-worst"


def test_ties_are_left_out_and_counted(make_file):
    text = "question_id,model_a,model_b,winner,judge\nq1,x,y,model_a,u\nq2,x,y,tie (bothbad),u\nq3,y,z,tie,u\n"
    judgements = read_judgements(make_file("p.csv", text))
    assert judgements.frame.select("question", "annotator", "best").rows() == [("q1", "u", "x")]
    assert "p.csv: 2 answers are ties; left out" in judgements.provenance.notes


def test_a_question_about_several_pairs_is_several_questions(make_file):
    text = "question_id,model_a,model_b,winner,judge\nq1,x,y,model_a,u\nq1,y,z,model_b,u\nq2,x,y,model_b,u\n"
    judgements = read_judgements(make_file("p.csv", text))
    assert judgements.frame["best"].to_list() == ["x", "z", "y"]
    assert judgements.frame["question"].to_list() == ["q1: x|y", "q1: y|z", "q2: x|y"]


def test_numbers_that_do_not_tell_where_they_begin(make_file):
    path = make_file("p.csv", "item_a,item_b,choice\nx,y,1\ny,z,1\n")
    with pytest.raises(InputError, match=r"choices are 1: .*--positions-from 0 or --positions-from 1"):
        read_judgements(path)
    assert read_judgements(path, positions_from=0).frame["best"].to_list() == ["y", "z"]
    assert read_judgements(path, positions_from=1).frame["best"].to_list() == ["x", "y"]


def test_zero_is_a_tie_if_sides_count_from_one(make_file):
    path = make_file("p.csv", "item_a,item_b,choice\nx,y,1\ny,z,2\ny,z,0\n")
    with pytest.raises(InputError, match=r"choices are 0, 1, 2: .*from 1, 0 is a tie; from 0, 2 is a tie"):
        read_judgements(path)
    from_one = read_judgements(path, positions_from=1)
    assert from_one.frame["best"].to_list() == ["x", "z"]
    from_zero = read_judgements(path, positions_from=0)
    assert from_zero.frame["best"].to_list() == ["y", "y"]
    assert from_zero.provenance.readings[0].details["positions"] == "from 0"


def test_numbers_that_tell_no_side(make_file):
    with pytest.raises(InputError, match=r"choices are -1, 0, 1, which do not tell the side that was preferred"):
        read_judgements(make_file("p.csv", "item_a,item_b,choice\nx,y,-1\ny,z,1\ny,z,0\n"))


def test_items_that_are_named_like_sides(make_file):
    path = make_file("p.csv", "item_a,item_b,choice\n2,1,1\n1,2,2\n")
    with pytest.raises(InputError, match=r"p.csv, line 2: a choice may be the name of an item or a side"):
        read_judgements(path)
    agreeing = make_file("q.csv", "item_a,item_b,choice\n1,2,1\n1,2,2\n")
    assert read_judgements(agreeing).frame["best"].to_list() == ["1", "2"]


def test_a_choice_that_is_neither(make_file):
    path = make_file("p.csv", "a,b,winner\nx,y,x\nx,y,q\n")
    with pytest.raises(InputError, match=r"p.csv, line 3: 'q' in column 'winner' is neither item, nor a side"):
        read_judgements(path)
    judgements = read_judgements(path, on_error="skip")
    assert [skipped.where for skipped in judgements.provenance.skipped] == ["p.csv, line 3"]
    assert len(read_judgements(path, missing=["q"])) == 1


def test_columns_can_be_named(make_file):
    path = make_file("p.csv", "one,other,winner\nx,y,x\n")
    assert read_judgements(path, columns={"items": "one,other"}, format="pairs").frame["best"].to_list() == ["x"]
    with pytest.raises(ColumnError, match=r"no two columns of items and a choice"):
        read_judgements(path, format="pairs")
